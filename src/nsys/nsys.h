// SPDX-License-Identifier: Apache-2.0
// nsys: profile runs a program with the library that writes its timeline (inject/), and makes a report of what that wrote; stats and export read
// reports. A report is an SQLite database, table.def has its tables. SQLite is loaded when it is needed.
#ifndef HEDDLE_NSYS_NSYS_H
#define HEDDLE_NSYS_NSYS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// ---- database.c
struct database;
struct statement;
struct database *database_open(const char *path, bool write); // NULL: stderr says why
void database_close(struct database *d);
bool database_run(struct database *d, const char *sql); // false: stderr says why
struct statement *statement_make(struct database *d, const char *sql);
void statement_free(struct statement *s);
// Values by letters: i an int64_t, z the same where 0 is NULL, t a text, d a double, n NULL; o
// and O: whether there is one, then an int64_t or a double.
bool statement_insert(struct statement *s, const char *kinds, ...);
bool statement_next(struct statement *s); // the next row of a query
enum value_kind { VALUE_INTEGER = 1, VALUE_REAL, VALUE_TEXT, VALUE_BLOB, VALUE_NULL };
int statement_columns(struct statement *s);
const char *statement_name(struct statement *s, int column);
enum value_kind statement_kind(struct statement *s, int column);
int64_t statement_integer(struct statement *s, int column);
double statement_real(struct statement *s, int column);
const char *statement_text(struct statement *s, int column); // "" for NULL
bool database_has(struct database *d, const char *table);
bool database_is_there(void); // SQLite; else stderr says what to install

// ---- import.c: a report of the files in a folder. events: how many there were.
bool import_traces(const char *folder, const char *report, uint64_t *events);

// ---- the commands; each gets its own words and gives the exit status
int profile_main(int argc, char **argv);
int stats_main(int argc, char **argv);
int export_main(int argc, char **argv);
struct stats_options {
    const char *reports, *format, *output; // NULL: the usual ones
    bool quiet;
};
int stats_run(const char *report, const struct stats_options *o);

// ---- option.c: --name value, --name=value, -n value
struct option_scan {
    int argc, at;
    char **argv;
};
struct option_name {
    char letter; // 0: it has none
    const char *name;
    bool value;
};
// The next option: its place in the list, and *value; -1: no more options, -2: an unknown one or one without its value, which is told.
int option_next(struct option_scan *s, const struct option_name *list, int n, const char *command, const char **value);
bool option_bool(const char *value, bool *out);

// ---- text.c
void json_text(FILE *out, const char *text);
// The JSON of a value of the present row.
void json_value(FILE *out, struct statement *s, int column);
#endif
