// SPDX-License-Identifier: Apache-2.0
// Brings loads together, and stores, that need a test whether an index has wrapped around within the gang (struct
// shape_wrap), so that one test and one rare path serve several of them. Each for itself they cut the code into three blocks,
// and half of the time of compiling a stencil went there. A load moves up to an earlier one of its block, with the arithmetic
// that makes its address, over what does not write what it reads; a store moves down to a later one over arithmetic.
#include "jit/gang/memory/access.h"
#include "jit/ir/pass.h"

enum { WINDOW = 96, CHAIN_MAX = 24 }; // instructions looked through, moved with one load

static bool is_tested(struct vectoriser *v, const struct scalar_fn *f, LLVMValueRef x, LLVMOpcode op)
{
    if (LLVMGetInstructionOpcode(x) != op || !access_is_simple(x))
        return false;
    int k = scalar_fn_index(f, ir_address(x));
    const struct shape *s = k < 0 ? NULL : &f->shapes[k];
    return s && s->kind == SHAPE_AFFINE && s->wrap.kind != WRAP_NONE && !shape_is_flat(&v->scalar.lanes, s);
}

bool batch_goes_on(struct vectoriser *v, const struct scalar_fn *f, LLVMValueRef access)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(access);
    LLVMValueRef next = LLVMGetNextInstruction(access);
    return next && is_tested(v, f, access, op) && is_tested(v, f, next, op);
}

static bool is_arithmetic(LLVMValueRef x)
{
    return LLVMIsABinaryOperator(x) || LLVMIsACastInst(x) || LLVMIsAGetElementPtrInst(x) || LLVMIsAICmpInst(x) ||
           LLVMIsASelectInst(x) || LLVMGetInstructionOpcode(x) == LLVMFNeg;
}

struct chain {
    LLVMValueRef from, to; // instructions of the block, `from` included
    LLVMValueRef x[CHAIN_MAX];
    unsigned n;
};

// What a value needs of what stands between, operands first. False: something cannot move, or it is too much.
static bool collect(struct chain *c, LLVMValueRef x)
{
    if (!LLVMIsAInstruction(x) || LLVMGetInstructionParent(x) != LLVMGetInstructionParent(c->from) ||
        !ir_is_between(x, c->from, c->to))
        return true;
    for (unsigned i = 0; i < c->n; i++)
        if (c->x[i] == x)
            return true;
    if (!is_arithmetic(x))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(x); i++)
        if (!collect(c, LLVMGetOperand(x, (unsigned)i)))
            return false;
    if (c->n == CHAIN_MAX)
        return false;
    c->x[c->n++] = x;
    return true;
}

// A plain store to shared memory, over which loads from global memory may move.
static bool is_shared_store(LLVMValueRef x)
{
    return LLVMIsAStoreInst(x) && access_is_simple(x) && ir_space(ir_address(x)) == AS_SHARED;
}

// From the first load of a batch on; returns its last.
static LLVMValueRef arrange_loads(struct vectoriser *v, const struct scalar_fn *f, LLVMBuilderRef b, LLVMValueRef first)
{
    LLVMValueRef last = first, next;
    unsigned n = 1, left = WINDOW;
    bool shared = false;
    for (LLVMValueRef x = LLVMGetNextInstruction(first); x && n < BATCH_MAX && left--; x = next) {
        next = LLVMGetNextInstruction(x);
        shared |= is_shared_store(x);
        if (access_may_write(x) && !is_shared_store(x))
            break;
        if (!is_tested(v, f, x, LLVMLoad) || (shared && ir_space(ir_address(x)) != AS_GLOBAL))
            continue;
        struct chain c = {.from = first, .to = x};
        if (!collect(&c, ir_address(x)))
            continue;
        for (unsigned i = 0; i < c.n; i++)
            ir_move_before(b, c.x[i], first);
        if (LLVMGetNextInstruction(last) != x)
            ir_move_before(b, x, LLVMGetNextInstruction(last));
        last = x;
        n++;
    }
    if (n > 1)
        remark(first, "%u loads share one test of whether the index wraps around", n);
    return last;
}

static LLVMValueRef arrange_stores(struct vectoriser *v, const struct scalar_fn *f, LLVMBuilderRef b,
                                   LLVMValueRef first)
{
    LLVMValueRef batch[BATCH_MAX] = {first};
    unsigned n = 1, left = WINDOW;
    for (LLVMValueRef x = LLVMGetNextInstruction(first); x && n < BATCH_MAX && left--; x = LLVMGetNextInstruction(x)) {
        if (is_tested(v, f, x, LLVMStore)) {
            for (unsigned i = 0; i < n; i++)
                ir_move_before(b, batch[i], x);
            batch[n++] = x;
        } else if (!is_arithmetic(x)) {
            break;
        }
    }
    if (n > 1)
        remark(first, "%u stores share one test of whether the index wraps around", n);
    return batch[n - 1];
}

bool pass_batch(struct compilation *c)
{
    struct vectoriser *v = c->vectoriser;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    for (struct scalar_fn *f = v->scalar.functions; f < v->scalar.functions + v->scalar.nfunctions; f++)
        FOR_FUNCTION (f->function, x)
            if (is_tested(v, f, x, LLVMLoad))
                x = arrange_loads(v, f, b, x);
            else if (is_tested(v, f, x, LLVMStore))
                x = arrange_stores(v, f, b, x);
    LLVMDisposeBuilder(b);
    return true;
}
