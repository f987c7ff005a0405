// SPDX-License-Identifier: Apache-2.0
// Copies and fills that kernels ask for. Addresses may be anything a kernel can name, the device's heap as well: a wrong one
// is found when it is used, and becomes the context's fault.
#include "device/check/check.h"
#include "device/sched/nested.h"
#include "base/process/account.h"
#include "device/fault/fault.h"
#include <string.h>

struct transfer_op {
    struct op op;
    struct transfer t;
    struct fault_state *faults;
};

static void move(const struct transfer *t)
{
    bool whole = t->to_pitch == t->width && (!t->from || t->from_pitch == t->width);
    size_t row = whole ? t->width * t->height : t->width, rows = whole ? 1 : t->height;
    for (size_t z = 0; z < t->depth; z++)
        for (size_t y = 0; y < rows; y++) {
            char *to = t->to + z * t->to_slice + y * t->to_pitch;
            check_written(to, row);
            if (t->from)
                memmove(to, t->from + z * t->from_slice + y * t->from_pitch, row);
            else
                memset(to, t->value, row);
        }
}

static void transfer_run(struct op *op)
{
    struct transfer_op *x = (struct transfer_op *)op;
    struct fault_scope scope = {.watch = NULL, .code = NULL};
    if (atomic_load(&x->faults->fault))
        return;
    volatile uint64_t since = account_since();
    if (!sigsetjmp(scope.jump, 0)) {
        fault_enter(&scope);
        move(&x->t);
        account_done(ACCOUNT_COPY, x->t.from ? "copies that kernels ask for" : "fills that kernels ask for", since,
                     x->t.width * x->t.height * x->t.depth);
    } else {
        scope.pc = NULL;
        fault_record(x->faults, scope.fault, x->t.from ? "(copy)" : "(fill)", NULL, &scope);
    }
    fault_leave(&scope);
}

struct op *transfer_op_create(const struct transfer *t, struct fault_state *faults)
{
    struct transfer_op *x = (struct transfer_op *)op_create(sizeof *x, transfer_run, NULL);
    if (!x)
        return NULL;
    x->t = *t;
    x->faults = faults;
    return &x->op;
}
