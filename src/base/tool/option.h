// SPDX-License-Identifier: Apache-2.0
// Command lines of tools that start a program, by a table: `tool [options] PROGRAM [arguments]`.
#ifndef HEDDLE_BASE_TOOL_OPTION_H
#define HEDDLE_BASE_TOOL_OPTION_H
#include <stdbool.h>
#include <stddef.h>

// FLAG takes no value; VALUE takes one, behind '=' or as the next argument; LIST the same, and those given several times are one list with
// commas between; IGNORED takes one that is accepted, as there is nothing to do; REFUSED is an error with the help as reason. The domain of
// a value: "" any text, "a|b" one of these words, "#" a number.
enum tool_option_status { TOOL_FLAG, TOOL_VALUE, TOOL_LIST, TOOL_IGNORED, TOOL_REFUSED };
struct tool_option {
    const char *heading; // of a part; else NULL
    const char *long_name, *short_name, *value, *domain, *help;
    enum tool_option_status status;
    int option; // index of value and given
};
struct tool_options {
    const char *tool, *usage;
    const struct tool_option *rows;
    size_t n;
    const char **value;
    bool *given;
    void (*fail)(const char *message);
};
// Index of the program among the arguments, argc without one; below 0: an error was told.
int tool_options_parse(const struct tool_options *o, int argc, char **argv);
void tool_options_help(const struct tool_options *o);
#endif
