// SPDX-License-Identifier: Apache-2.0
// See diag.h.
#include "base/diag.h"
#include "base/reserve.h"

enum { MAX_WRITTEN = 50 };

void diag_init(struct diag *d, const char *file)
{
    *d = (struct diag){.file = file};
}

void diag_fini(struct diag *d)
{
    str_free(&d->text);
}

static void record(struct diag *d, const char *kind, unsigned line, unsigned column, const char *fmt, va_list ap)
{
    str_append(&d->text, d->file ? d->file : "ptx");
    if (line)
        str_printf(&d->text, ":%u:%u", line, column);
    str_printf(&d->text, ": %s: ", kind);
    str_vprintf(&d->text, fmt, ap);
    str_append(&d->text, "\n");
}

#define RECORD(kind)                                                                                                   \
    va_list ap;                                                                                                        \
    va_start(ap, fmt);                                                                                                 \
    record(d, kind, line, column, fmt, ap);                                                                            \
    va_end(ap)

bool diag_error(struct diag *d, unsigned line, unsigned column, const char *fmt, ...)
{
    if (d->errors++ < MAX_WRITTEN) {
        RECORD("error");
    }
    return false;
}

bool diag_unsupported(struct diag *d, unsigned line, unsigned column, const char *fmt, ...)
{
    d->cause = d->cause > DIAG_UNSUPPORTED ? d->cause : DIAG_UNSUPPORTED;
    if (d->errors++ < MAX_WRITTEN) {
        RECORD("not supported");
    }
    return false;
}

bool diag_fail(struct diag *d, enum diag_cause cause, const char *fmt, ...)
{
    unsigned line = 0, column = 0;
    d->cause = d->cause > cause ? d->cause : cause;
    if (d->errors++ < MAX_WRITTEN) {
        RECORD(cause == DIAG_INTERNAL ? "internal error" : "error");
    }
    return false;
}

bool diag_lacks_memory(struct diag *d)
{
    if (reserve_ready())
        return diag_fail(d, DIAG_MEMORY, "out of memory");
    d->cause = DIAG_MEMORY;
    d->errors++;
    return false;
}

void diag_warning(struct diag *d, unsigned line, unsigned column, const char *fmt, ...)
{
    if (d->warnings++ < MAX_WRITTEN) {
        RECORD("warning");
    }
}
