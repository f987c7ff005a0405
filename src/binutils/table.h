// SPDX-License-Identifier: Apache-2.0
// A tool's table of options from its TOOL_DEF file ("binutils/NAME.def"): OPT_ID numbers the rows, table[] holds them, and
// TOOL(name, about) is the tool as tool_main takes it.
#include "binutils/tool.h"

enum {
#define OPT(id, long_name, short_name, kind, status, help) OPT_##id,
#include TOOL_DEF
#undef OPT
    OPT_COUNT
};
static const struct tool_option table[] = {
#define OPT(id, long_name, short_name, kind, status, help) {long_name, short_name, TOOL_##kind, TOOL_##status, help},
#include TOOL_DEF
#undef OPT
};
#define TOOL(tool_name, tool_about)                                                                                    \
    (struct tool)                                                                                                      \
    {                                                                                                                  \
        .name = tool_name, .about = tool_about, .table = table, .count = OPT_COUNT, .help = OPT_HELP,                  \
        .version = OPT_VERSION, .options_file = OPT_OPTIONS_FILE                                                       \
    }
