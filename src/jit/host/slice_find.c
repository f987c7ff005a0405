// SPDX-License-Identifier: Apache-2.0
// What a loop is made of, as slice_loops.c asks it: the lanes that each of its vectors holds, or that it has something else.
#include "jit/host/slice.h"
#include <string.h>

unsigned slice_element_bits(LLVMValueRef x)
{
    LLVMTypeRef t = type_element(LLVMTypeOf(x));
    switch (LLVMGetTypeKind(t)) {
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
        return 16;
    case LLVMFloatTypeKind:
        return 32;
    case LLVMDoubleTypeKind:
        return 64;
    default:
        return type_bits(t);
    }
}
// Intrinsics that work on elements and are overloaded on the type of their result.
static bool is_elementwise_call(LLVMValueRef x)
{
    static const char *const names[] = {"fma.",
                                        "fmuladd.",
                                        "sqrt.",
                                        "fabs.",
                                        "floor.",
                                        "ceil.",
                                        "trunc.",
                                        "rint.",
                                        "roundeven.",
                                        "copysign.",
                                        "minnum.",
                                        "maxnum.",
                                        "minimum.",
                                        "maximum.",
                                        "smin.",
                                        "smax.",
                                        "umin.",
                                        "umax.",
                                        "fshl.",
                                        "fshr.",
                                        "ctpop.",
                                        "bswap.",
                                        "bitreverse.",
                                        "aarch64.neon.frsqrte.",
                                        "aarch64.neon.frsqrts.",
                                        "aarch64.neon.frecpe.",
                                        "aarch64.neon.frecps."};
    const char *name = call_name(x);
    if (strncmp(name, "llvm.", 5))
        return false;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp(name + 5, names[i], strlen(names[i])))
            return true;
    return false;
}

bool slice_is_elementwise(LLVMValueRef x)
{
    if (LLVMIsACallInst(x))
        return is_elementwise_call(x);
    if (LLVMIsACastInst(x)) // of vectors with as many elements
        return is_vector(LLVMGetOperand(x, 0)) && lanes_of(LLVMGetOperand(x, 0)) == lanes_of(x);
    return LLVMIsABinaryOperator(x) || IR_IS(x, LLVMFNeg, LLVMICmp, LLVMFCmp, LLVMSelect, LLVMFreeze);
}

bool slice_is_prefetch(LLVMValueRef x)
{
    return LLVMIsACallInst(x) && !strncmp(call_name(x), "llvm.prefetch", 13);
}

// A scalar put into element 0 of nothing, and that in every element.
static bool is_seed(LLVMValueRef x)
{
    return ir_is_opcode(x, LLVMInsertElement) && value_is_undef(LLVMGetOperand(x, 0)) &&
           value_is(LLVMGetOperand(x, 2), false);
}
bool slice_is_splat(LLVMValueRef x)
{
    if (!ir_is_opcode(x, LLVMShuffleVector) || !is_seed(LLVMGetOperand(x, 0)))
        return false;
    for (unsigned i = 0; i < lanes_of(x); i++)
        if (LLVMGetMaskValue(x, i) != 0)
            return false;
    return true;
}

static bool run_set(struct slicer *s, LLVMValueRef x, int first)
{
    struct run *r = arena_new(&s->arena, struct run);
    *r = (struct run){first, lanes_of(x)};
    map_put_ptr(&s->runs, x, r);
    return true;
}

// Runs of the gang's lanes taken out of one, or put together.
static bool shuffle_run(struct slicer *s, LLVMValueRef x)
{
    LLVMValueRef a = LLVMGetOperand(x, 0), c = LLVMGetOperand(x, 1);
    const struct run *ra = run_of(s, a), *rc = run_of(s, c);
    int from = LLVMGetMaskValue(x, 0);
    unsigned n = lanes_of(x);
    for (unsigned i = 0; i < n; i++)
        if (from < 0 || LLVMGetMaskValue(x, i) != from + (int)i)
            return false;
    if (!ra || ra->first == ANY || !inside(s, a))
        return false;
    if ((unsigned)from + n <= ra->n)
        return run_set(s, x, ra->first + from);
    return from == 0 && rc && n == ra->n + rc->n && rc->first == ra->first + (int)ra->n && run_set(s, x, ra->first);
}

// What an operation on elements works on: that of its operands, which have to agree.
static bool elements_run(struct slicer *s, LLVMValueRef x)
{
    int first = ANY;
    for (unsigned i = 0; i < ir_operands(x); i++) {
        LLVMValueRef v = LLVMGetOperand(x, i);
        if (!is_vector(v) || LLVMIsConstant(v))
            continue;
        if (!inside(s, v) && lanes_of(v) != s->width)
            return false;
        const struct run *r = run_of(s, v);
        if (inside(s, v) && !r)
            return false;
        int here = inside(s, v) ? r->first : 0;
        if (here != ANY && first != ANY && here != first)
            return false;
        first = here == ANY ? first : here;
    }
    if (first == ANY && lanes_of(x) != s->width)
        return false;
    return run_set(s, x, first == ANY ? 0 : first);
}

static bool vector_run(struct slicer *s, LLVMValueRef x)
{
    bool whole = lanes_of(x) == s->width;
    if (LLVMIsAPHINode(x))
        return whole && run_set(s, x, 0);
    if (LLVMIsALoadInst(x))
        return whole && access_is_simple(x) && slice_element_bits(x) >= 8 && run_set(s, x, 0);
    if (is_seed(x)) {
        FOR_USES (x, u)
            if (!inside(s, LLVMGetUser(u)) || !slice_is_splat(LLVMGetUser(u)))
                return false;
        return true;
    }
    if (slice_is_splat(x))
        return inside(s, LLVMGetOperand(x, 0)) && run_set(s, x, ANY);
    if (ir_is_opcode(x, LLVMShuffleVector))
        return shuffle_run(s, x);
    return slice_is_elementwise(x) && elements_run(s, x);
}

static bool scalar_may_repeat(LLVMValueRef x)
{
    for (unsigned i = 0; i < ir_operands(x); i++)
        if (is_vector(LLVMGetOperand(x, i)))
            return false;
    if (LLVMIsALoadInst(x))
        return access_is_simple(x);
    if (LLVMIsACallInst(x))
        return slice_is_prefetch(x) || ir_touches_no_memory(LLVMGetCalledValue(x));
    return !IR_IS(x, LLVMStore, LLVMAlloca, IR_ATOMICS) && !LLVMIsAInvokeInst(x);
}

// Whether all of the loop can be made by slices.
bool slice_find(struct slicer *s)
{
    FOR_INSTRUCTIONS (s->loop, x) {
        if (!is_vector(x) ? !scalar_may_repeat(x) : !vector_run(s, x))
            return remark_return(false, x, "stays: an instruction that is not made of lanes alone");
    }
    FOR_INSTRUCTIONS (s->loop, x) // runs of fewer lanes end here
        if (is_vector(x) && (!run_of(s, x) || lanes_of(x) != s->width || run_of(s, x)->first))
            FOR_USES (x, u)
                if (!inside(s, LLVMGetUser(u)))
                    return false;
    return true;
}
