// SPDX-License-Identifier: Apache-2.0
// Diagnostics of the compiler side: functions return bool and take `struct diag *` last. The text, one message a line
// in the form "file:line:column: error: message", goes to the user's JIT log as it is.
#ifndef HEDDLE_BASE_DIAG_H
#define HEDDLE_BASE_DIAG_H
#include "base/str.h"
#include <stdbool.h>

// What an error is due to, from what a user can mend to what he cannot: the interfaces choose their codes by the last of these that
// came up.
enum diag_cause {
    DIAG_INPUT,       // the text is wrong
    DIAG_UNSUPPORTED, // it is valid, but Heddle does not have it
    DIAG_PROCESSOR,   // there is no code for the processor that was asked for
    DIAG_COMPILER,    // the compiler is not installed
    DIAG_INTERNAL,    // a fault of Heddle's or LLVM's own
    DIAG_MEMORY,      // out of memory
};

struct diag {
    const char *file; // shown in messages; NULL: "ptx"
    struct str text;
    unsigned errors, warnings;
    enum diag_cause cause;
};

void diag_init(struct diag *d, const char *file);
void diag_fini(struct diag *d);
// Each records a message; diag_error and diag_unsupported return false, so that `return diag_error(...)` reads well.
// line 0: no place. After 50 errors further ones are counted, not written.
bool diag_error(struct diag *d, unsigned line, unsigned column, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
bool diag_unsupported(struct diag *d, unsigned line, unsigned column, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
// An error that is not of a place in the text.
bool diag_fail(struct diag *d, enum diag_cause cause, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
// Memory ran out: without a word where there is none for it.
bool diag_lacks_memory(struct diag *d);
void diag_warning(struct diag *d, unsigned line, unsigned column, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
#endif
