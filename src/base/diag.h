// Diagnostics of the compiler side: functions return bool and take `struct diag *` last. The text, one message a line
// in the form "file:line:column: error: message", goes to the user's JIT log as it is.
#ifndef HEDDLE_BASE_DIAG_H
#define HEDDLE_BASE_DIAG_H
#include "base/str.h"
#include <stdbool.h>

struct diag {
    const char *file; // shown in messages; NULL: "ptx"
    struct str text;
    unsigned errors, warnings;
    bool unsupported; // an error was of the kind "valid, but Heddle does not have it"
};

void diag_init(struct diag *d, const char *file);
void diag_fini(struct diag *d);
// Each records a message; diag_error and diag_unsupported return false, so that `return diag_error(...)` reads well.
// line 0: no place. After 50 errors further ones are counted, not written.
bool diag_error(struct diag *d, unsigned line, unsigned column, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
bool diag_unsupported(struct diag *d, unsigned line, unsigned column, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void diag_warning(struct diag *d, unsigned line, unsigned column, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
#endif
