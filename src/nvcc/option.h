// SPDX-License-Identifier: Apache-2.0
// The command line of the compiler driver, read by the table option.def.
#ifndef HEDDLE_NVCC_OPTION_H
#define HEDDLE_NVCC_OPTION_H
#include "base/arena.h"
#include "base/vec.h"
#include <stdbool.h>

enum option_id {
#define SECTION(title)
#define OPT(id, long_name, short_name, kind, values, status, help) OPTION_##id,
#include "nvcc/option.def"
#undef OPT
#undef SECTION
    OPTION_COUNT
};

struct options {
    struct arena *arena;
    struct texts values[OPTION_COUNT]; // in order; a FLAG has one empty text for each time it was given
    struct texts inputs;               // files, and libraries as "-lNAME", in order
    struct texts unknown;              // options to forward
};

// Reads NVCC_PREPEND_FLAGS, the arguments, NVCC_APPEND_FLAGS and option files, and checks the values by the table.
// False with a message on stderr.
bool options_read(struct options *o, int argc, char **argv);
bool options_has(const struct options *o, enum option_id id);
// The last value; NULL when the option was not given.
const char *options_value(const struct options *o, enum option_id id);
bool options_bool(const struct options *o, enum option_id id, bool absent);
// Whether the text is among the values.
bool options_lists(const struct options *o, enum option_id id, const char *text);
void options_print_help(void);
// The page of all options with their status, in Markdown.
void options_print_page(void);
void options_fini(struct options *o);
// One line on stderr in the form of CUDA's own driver; false, so that `return nvcc_error(...)` reads well.
bool nvcc_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void nvcc_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
#endif
