// SPDX-License-Identifier: Apache-2.0
// The command line, by option.def.
#include "base/tool/option.h"
#include "sanitizer/sanitizer.h"
#include <stdlib.h>
#include <string.h>

static const struct tool_option rows[] = {
#define HEADING(text) {.heading = text},
#define OPT(id, long_name, short_name, status, value, domain, help)                                                    \
    {NULL, long_name, short_name, value, domain, help, TOOL_##status, OPTION_##id},
#include "sanitizer/option.def"
};

const char *option_value[OPTION_COUNT];
static bool given[OPTION_COUNT];

static void fail(const char *message)
{
    printf("========= Error: %s\n", message);
}

static const struct tool_options table = {
    .tool = "compute-sanitizer",
    .usage = "Usage: compute-sanitizer [options] PROGRAM [arguments of the program]\n\n"
             "Runs a CUDA program on the CPU and tells of errors of its kernels. The program need not be built anew; "
             "with -lineinfo "
             "its lines are told.\n",
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

unsigned long option_number(enum option o)
{
    return strtoul(option_value[o], NULL, 10);
}

int option_parse(int argc, char **argv)
{
    return tool_options_parse(&table, argc, argv);
}

void option_help(void)
{
    tool_options_help(&table);
}

// ---- kernels: key=value, with commas between them
static void add_filter(struct str *out, const char *list, const char *usual)
{
    static const struct {
        const char *key, *kind;
    } keys[] = {{"kernel_name=", "name"}, {"kne=", "name"},           {"kernel_substring=", "substring"},
                {"kns=", "substring"},    {"kernel_regex=", "regex"}, {"kre=", "regex"},
                {"regex:", "regex"}};
    while (*list) {
        const char *kind = usual;
        size_t n = strcmp(usual, "regex") ? strcspn(list, ",") : strlen(list);
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            if (!strncmp(list, keys[i].key, strlen(keys[i].key))) {
                kind = keys[i].kind;
                list += strlen(keys[i].key);
                n -= strlen(keys[i].key);
                break;
            }
        str_printf(out, "%s%s:%.*s", out->len && str_text(out)[out->len - 1] != '=' ? "\t" : "", kind, (int)n, list);
        list += n;
        list += *list == ',';
    }
}

void option_settings(struct str *out, unsigned tools)
{
    const bool memcheck = option_is(OPTION_TOOL, "memcheck");
    str_printf(
        out, "tools=%u\nskip=%s\ncount=%s\ndestroy=%s\nleak=%s\napi=%s\nracecheck-report=%s\nstream-ordered=%s\n",
        tools, option_value[OPTION_LAUNCH_SKIP], option_value[OPTION_LAUNCH_COUNT], option_value[OPTION_DESTROY],
        memcheck ? option_value[OPTION_LEAK_CHECK] : "no", memcheck ? option_value[OPTION_REPORT_API_ERRORS] : "no",
        option_value[OPTION_RACECHECK_REPORT], memcheck ? option_value[OPTION_STREAM_ORDERED] : "no");
    bool host = option_is(OPTION_SHOW_BACKTRACE, "yes") || option_is(OPTION_SHOW_BACKTRACE, "host");
    str_printf(out, "backtrace=%s\n", host || memcheck ? "yes" : "no"); // frames name the calls that fail
    struct str names = {0};
    str_append(&names, "kernels=");
    add_filter(&names, option_value[OPTION_KERNEL_NAME], "name");
    add_filter(&names, option_value[OPTION_KERNEL_REGEX], "regex");
    str_append(&names, "\n");
    str_append(out, str_text(&names));
    str_free(&names);
    names = (struct str){0};
    str_append(&names, "kernels-not=");
    add_filter(&names, option_value[OPTION_KERNEL_NAME_EXCLUDE], "name");
    add_filter(&names, option_value[OPTION_KERNEL_REGEX_EXCLUDE], "regex");
    str_append(&names, "\n");
    str_append(out, str_text(&names));
    str_free(&names);
}
