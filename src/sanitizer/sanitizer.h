// SPDX-License-Identifier: Apache-2.0
// compute-sanitizer: starts a program, hears what the driver in its processes reports (base/process/sanitizer.h), and prints it. main.c says
// how it goes together.
#ifndef HEDDLE_SANITIZER_SANITIZER_H
#define HEDDLE_SANITIZER_SANITIZER_H
#include "base/str.h"
#include "base/vec.h"
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

// ---- option.c
enum option {
#define HEADING(text)
#define OPT(id, long_name, short_name, status, value, domain, help) OPTION_##id,
#include "sanitizer/option.def"
    OPTION_COUNT
};
extern const char *option_value[OPTION_COUNT]; // the default where it was not given
bool option_given(enum option o);
bool option_is(enum option o, const char *value);
unsigned long option_number(enum option o);
// Reads options up to the program; the index of its name in argv, or -1 with a message.
int option_parse(int argc, char **argv);
void option_help(void);
void option_settings(struct str *out, unsigned tools); // for the processes

// ---- report.c: one report, taken apart
enum level { LEVEL_INFO, LEVEL_WARN, LEVEL_ERROR, LEVEL_FATAL };
struct line {
    char letter; // as in base/process/sanitizer.h
    const char *field[6];
    unsigned n;
};
struct report {
    const char *kind;
    enum level level;
    size_t amount; // N
    struct VEC(struct line) lines;
    char *text;
};
void report_read(struct report *r, const char *text, size_t size);
void report_free(struct report *r);
// The name of the call that failed, or NULL where it is not to be told: the runtime's own name, or the driver's where the program called that.
const char *report_call(const struct report *r, const struct line *api);

// ---- print.c: reports on their way out, counted
struct counts {
    unsigned long errors, warnings, hidden, leaks, hazards;
    size_t leaked;
};
extern struct counts counts;
bool print_begin(void); // false with a message: a file cannot be written
void print_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void print_report(const char *text, size_t size);
void print_end(void); // summaries
bool print_saved(const char *path);

// ---- symbol.c
// The function at this offset in a file that is loaded, without its parameters where they are not wanted; NULL: not known. Lives on.
const char *symbol_at(const char *file, unsigned long long offset);
void symbol_append(struct str *s, const char *name); // as --demangle has it

#endif
