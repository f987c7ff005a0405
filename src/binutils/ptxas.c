// SPDX-License-Identifier: Apache-2.0
// ptxas: checks PTX texts and makes images of them.
#include "front/ptx/assemble.h"
#define TOOL_DEF "front/ptx/ptxas.def"
#include "binutils/table.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool assemble(struct tool *t, const char *name, const char *text, size_t size)
{
    const char *arch = tool_value(t, OPT_ARCH), *limit = tool_value(t, OPT_MAXRREG),
               *output = tool_value(t, OPT_OUTPUT);
    struct front_ptxas p = {
        .assembly = {.name = name,
                     .text = text,
                     .size = size,
                     .registers = limit ? strtoul(limit, NULL, 10) : 0, // archmax, archmin: no limit
                     .debug = tool_has(t, OPT_DEBUG),
                     .complete = !tool_has(t, OPT_COMPILE_ONLY) && !tool_has(t, OPT_EWP),
                     .warn_local = tool_has(t, OPT_WARN_LMEM),
                     .warn_double = tool_has(t, OPT_WARN_DOUBLE)},
        .kernels = t->values[OPT_ENTRY], // the tool's to free
        .verbose = tool_has(t, OPT_VERBOSE),
        .quiet = tool_has(t, OPT_WARNINGS_OFF),
        .strict = tool_has(t, OPT_WERROR)};
    if (!target_parse(&p.assembly.target, arch ? arch : "sm_75"))
        return tool_error(t, "'%s' is no target", arch);
    struct str image = {0}, report = {0}, said = {0};
    bool ok = front_ptxas_run(&p, &image, &report, &said);
    fputs(str_text(&said), stderr);
    if (ok)
        fputs(str_text(&report), stderr);
    ok = ok && tool_file_write(t, output ? output : "elf.o", str_text(&image), image.len);
    str_free(&image);
    str_free(&report);
    str_free(&said);
    return ok;
}

static bool input_assemble(struct tool *t)
{
    const char *given = tool_value(t, OPT_INPUT_TEXT);
    char *text;
    size_t size;
    if (given && !t->inputs.len)
        return assemble(t, "string", given, strlen(given));
    if (t->inputs.len != 1 || given)
        return tool_error(t, t->inputs.len ? "one input file is taken at a time"
                                           : "no input file; --help lists the options");
    bool ok = (text = tool_file_read(t, t->inputs.data[0], &size)) && assemble(t, t->inputs.data[0], text, size);
    free(text);
    return ok;
}

int main(int argc, char **argv)
{
    struct tool t = TOOL("ptxas", "Checks a PTX text and makes an image of it: a fat binary that holds PTX, as "
                                  "machine code is made only on the device.");
    return tool_main(&t, argc, argv, input_assemble);
}
