// SPDX-License-Identifier: Apache-2.0
// Loads of a row that a thread also writes, as in `row[k] *= s`: each stands behind a store to another element of the row, where
// gang/memory/rows.c cannot take several at once. A load moves up to the first one of its row when all stores between them are to
// other elements of the same row. For one thread nothing changes; what other threads do meanwhile is their matter, since
// nothing between orders it. Not in kernels that count on the lockstep of their warps.
#include "jit/gang/memory/access.h"
#include "jit/analysis/address.h"
#include "jit/ir/pass.h"

enum { WINDOW = 96, STORES = 32, STEPS = 4 };

// The stores passed so far, as bytes from the row's root.
struct stores {
    int64_t from[STORES], to[STORES];
    unsigned n;
};

static bool is_untouched(const struct stores *s, int64_t from, int64_t to)
{
    for (unsigned i = 0; i < s->n; i++)
        if (from < s->to[i] && s->from[i] < to)
            return false;
    return true;
}

static int64_t size_of(struct vectoriser *v, LLVMTypeRef t)
{
    return (int64_t)LLVMABISizeOfType(v->layout, t);
}

// A store to the same row: noted. False: it may write anything.
static bool note_store(struct vectoriser *v, LLVMValueRef x, LLVMValueRef root, struct stores *s)
{
    int64_t at;
    if (LLVMGetInstructionOpcode(x) != LLVMStore || !access_is_simple(x) || s->n == STORES ||
        address_base(LLVMGetOperand(x, 1), &at) != root)
        return false;
    s->from[s->n] = at;
    s->to[s->n++] = at + size_of(v, LLVMTypeOf(LLVMGetOperand(x, 0)));
    return true;
}

// The load, and before it those of the constant steps from the root to its address that stand too late.
static void move_load(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef root, LLVMValueRef before)
{
    LLVMValueRef steps[STEPS], p = LLVMGetOperand(x, 0);
    unsigned n = 0;
    for (; p != root; p = LLVMGetOperand(p, 0)) {
        if (!ir_is_between(p, before, x))
            break;
        if (n == STEPS)
            return;
        steps[n++] = p;
    }
    while (n--)
        ir_move_before(b, steps[n], before);
    ir_move_before(b, x, before);
}

static bool is_own(struct vectoriser *v, const struct scalar_fn *f, LLVMValueRef x)
{
    if (LLVMGetInstructionOpcode(x) != LLVMLoad || !access_is_simple(x))
        return false;
    int k = scalar_fn_index(f, LLVMGetOperand(x, 0));
    int64_t size = size_of(v, LLVMTypeOf(x));
    return k >= 0 && f->shapes[k].kind == SHAPE_VARYING && (size == 4 || size == 8);
}

static void arrange(struct vectoriser *v, const struct scalar_fn *f, LLVMBuilderRef b, LLVMValueRef first)
{
    int64_t at;
    LLVMValueRef root = address_base(LLVMGetOperand(first, 0), &at), next, before = LLVMGetNextInstruction(first);
    struct stores s = {0};
    unsigned left = WINDOW;
    for (LLVMValueRef x = before; x && left--; x = next) {
        next = LLVMGetNextInstruction(x);
        if (access_may_write(x)) {
            if (!note_store(v, x, root, &s))
                return;
        } else if (s.n && is_own(v, f, x) && LLVMTypeOf(x) == LLVMTypeOf(first) &&
                   address_base(LLVMGetOperand(x, 0), &at) == root &&
                   is_untouched(&s, at, at + size_of(v, LLVMTypeOf(x)))) {
            move_load(b, x, root, before);
            remark(x, "moves up to the first load of its row");
        }
    }
}

bool pass_row_order(struct compilation *c)
{
    struct vectoriser *v = c->vectoriser;
    if (c->plan.lockstep)
        return remark_return(true, NULL, "nothing: the kernel counts on the lockstep of its warps");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    for (struct scalar_fn *f = v->scalar.functions; f < v->scalar.functions + v->scalar.nfunctions; f++)
        FOR_FUNCTION (f->function, x)
            if (is_own(v, f, x))
                arrange(v, f, b, x);
    LLVMDisposeBuilder(b);
    return true;
}
