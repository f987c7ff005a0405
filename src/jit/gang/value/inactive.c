// SPDX-License-Identifier: Apache-2.0
// What may run for lanes that are not active: the one file that decides it. Such lanes hold values that their own
// thread never computed: a divisor of zero, a wild address, a step that a loop never ends with. Whatever is emitted
// must not trap, fault or loop on them. The rules, and who keeps them:
//  1. Code under a mask runs only where the mask has an active lane (gang/control/flow.c, gang/control/loop.c, gang/control/function.c). So an
//     operation that is one scalar for the gang is made for somebody, and a branch or loop on such a scalar goes where an
//     active lane goes.
//  2. Exempt from 1 is code that gang_is_speculatable takes: it can do nothing but compute.
//  3. A value with a base for each segment is computed for all of them, also for those without an active lane. Branches
//     and loops do not follow such values (they are divergent); what traps gets an operand that does not
//     (gang_safe_divisor); what reads memory reads the sink (gang_segment_pointer).
//  4. Vectors: the same lane by lane, with the mask in place of the segment's (gang_safe_divisor, access_lane_pointers,
//  gang/memory/masked.c).
// LLVM's passes keep this: they do not execute a division, a load or a store that the code would not have executed.
#include "jit/gang/gang.h"
#include "base/str.h"

static bool is_pure_intrinsic(LLVMValueRef inst)
{
    static const char *const cheap[] = {"llvm.fma.",  "llvm.fabs.", "llvm.minnum.", "llvm.maxnum.",
                                        "llvm.smin.", "llvm.smax.", "llvm.umin.",   "llvm.umax.",
                                        "llvm.abs.",  "llvm.fshl.", "llvm.fshr."};
    return op_is(inst, IS_MINMAX | IS_HALVES) || str_begins_any(call_name(inst), cheap, sizeof cheap / sizeof *cheap);
}

bool gang_is_speculatable(LLVMValueRef inst)
{
    if (LLVMIsACallInst(inst))
        return is_pure_intrinsic(inst);
    return !IR_IS(inst, LLVMLoad, LLVMStore, IR_ATOMICS, LLVMAlloca, IR_DIVISIONS, LLVMFDiv, LLVMFRem);
}

bool gang_is_division(LLVMOpcode op)
{
    return OPCODE_IN(op, IR_DIVISIONS);
}

// A segment without an active lane: i1, or NULL when there is none such.
static LLVMValueRef segment_active(struct gang *g, const struct shape *s, unsigned segment, LLVMValueRef mask)
{
    unsigned n = shape_bases(g->lanes, s), len = g->width / n;
    return mask && n > 1 ? gang_any(g, gang_slice(g, mask, segment * len, len)) : NULL;
}

LLVMValueRef gang_segment_pointer(struct gang *g, const struct shape *s, unsigned segment, LLVMValueRef p,
                                  LLVMValueRef mask)
{
    LLVMValueRef active = segment_active(g, s, segment, mask);
    return active ? LLVMBuildSelect(g->b, active, p, gang_sink(g), "") : p;
}

// Division by zero traps, and so does that of the least number by -1. By 1 nothing does.
LLVMValueRef gang_safe_divisor(struct gang *g, LLVMValueRef inst, unsigned segment, LLVMValueRef divisor,
                               LLVMValueRef mask)
{
    int64_t c;
    if (!mask || (value_constant(LLVMGetOperand(inst, 1), &c) && c != 0 && c != -1))
        return divisor;
    LLVMValueRef one = gang_int(LLVMTypeOf(inst), 1);
    struct shape s = gang_shape(g, inst);
    if (s.kind == SHAPE_VARYING)
        return LLVMBuildSelect(g->b, gang_mask_bits(g, mask), divisor, gang_wide(g, one), "");
    LLVMValueRef active = segment_active(g, &s, segment, mask);
    return active ? LLVMBuildSelect(g->b, active, divisor, one, "") : divisor;
}
