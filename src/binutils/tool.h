// SPDX-License-Identifier: Apache-2.0
// What the tools beside the compiler driver share: a table of options for each, read as nvcc reads its own, and
// messages in the form that CUDA's tools have.
#ifndef HEDDLE_BINUTILS_TOOL_H
#define HEDDLE_BINUTILS_TOOL_H
#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include <stdbool.h>

enum tool_kind { TOOL_FLAG, TOOL_VALUE, TOOL_LIST, TOOL_LEVEL, TOOL_JOINED };
enum tool_status { TOOL_DONE, TOOL_NONE, TOOL_REFUSED };

// NAME.def: OPT(ID, "long-name", "short-name", KIND, STATUS, "help"). The names take two dashes and one; a value is the
// next argument or stands after '='; LEVEL (one value) and JOINED (a list) may touch the short name. DONE; NONE:
// accepted, as there is nothing to do; REFUSED: an error with the help as reason. Each table has HELP, VERSION and
// OPTIONS_FILE.
struct tool_option {
    const char *long_name, *short_name;
    enum tool_kind kind;
    enum tool_status status;
    const char *help;
};

struct tool {
    const char *name, *about; // "ptxas", what it does with which files
    const struct tool_option *table;
    unsigned count, help, version, options_file; // rows of the table
    struct arena arena;
    struct texts *values; // for each row
    struct texts inputs;
};

// Reads the command line and runs the tool on it; the exit status.
int tool_main(struct tool *t, int argc, char **argv, bool (*run)(struct tool *t));
bool tool_has(const struct tool *t, unsigned option);
const char *tool_value(const struct tool *t, unsigned option); // the last one; NULL: not given
// One line on stderr; false.
bool tool_error(const struct tool *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
// Messages of the compiler side ("file:line:column: error: text") in the form of the tools.
void tool_print_messages(const struct tool *t, const char *text);
// The file's bytes, from malloc; NULL with a message.
char *tool_file_read(const struct tool *t, const char *path, size_t *size);
// Whole or not at all; "-" is standard output. False with a message.
bool tool_file_write(const struct tool *t, const char *path, const void *data, size_t size);
#endif
