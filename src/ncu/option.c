// SPDX-License-Identifier: Apache-2.0
// The command line, by option.def.
#include "base/tool/option.h"
#include "jit/abi/check.h"
#include "ncu/ncu.h"
#include <string.h>

static const struct tool_option rows[] = {
#define HEADING(text) {.heading = text},
#define OPT(id, long_name, short_name, status, value, domain, help)                                                    \
    {NULL, long_name, short_name, value, domain, help, TOOL_##status, OPTION_##id},
#include "ncu/option.def"
};

const char *option_value[OPTION_COUNT];
static bool given[OPTION_COUNT];

static void fail(const char *message)
{
    fprintf(stderr, "==ERROR== %s\n", message);
}

static const struct tool_options table = {
    .tool = "ncu",
    .usage = "Usage: ncu [options] PROGRAM [arguments of the program]\n\n"
             "Runs a CUDA program on the CPU and counts what its kernels do: instructions, accesses to memory, bank "
             "conflicts, "
             "divergence. The program need not be built anew; with -lineinfo its lines are told.\n",
    .rows = rows,
    .n = sizeof rows / sizeof *rows,
    .value = option_value,
    .given = given,
    .fail = fail,
};

bool option_given(enum option o)
{
    return given[o];
}

bool option_is(enum option o, const char *value)
{
    return !strcmp(option_value[o], value);
}

int option_parse(int argc, char **argv)
{
    return tool_options_parse(&table, argc, argv);
}

void option_help(void)
{
    tool_options_help(&table);
}

void option_settings(struct str *out, bool wanted, const char *folder)
{
    const char *name = option_value[OPTION_KERNEL_NAME];
    bool regex = !strncmp(name, "regex:", 6);
    str_printf(out, "tools=%u\nskip=%s\ncount=%s\nfolder=%s\napi=no\nleak=no\nbacktrace=no\n", wanted ? JIT_COUNT : 0,
               option_value[OPTION_LAUNCH_SKIP], option_value[OPTION_LAUNCH_COUNT], folder);
    if (*name)
        str_printf(out, "kernels=%s:%s\n", regex ? "base" : "name", regex ? name + 6 : name);
}
