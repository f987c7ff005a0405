// SPDX-License-Identifier: Apache-2.0
// Accesses under a mask by the processor's own instructions, where it has them: AVX-512 for every element size, AVX2 for
// words. Inactive lanes then touch nothing, so no page is tested and no store is taken apart. Gathers and scatters by
// instruction as well. Each where by the figures of the machine it is faster than one access a lane (host/target.def).
#include "jit/gang/memory/access.h"
#include "jit/ir/llvm_compat.h"
#include "jit/host/target.h"

bool access_is_plain(struct gang *g, const struct access *a)
{
    return g->width > 1 && access_is_simple(a->inst) && (a->size & (a->size - 1)) == 0;
}

bool masked_fits(struct gang *g, const struct access *a)
{
    bool store = LLVMIsAStoreInst(a->inst);
    return access_is_plain(g, a) &&
           (store ? target_masks_stores((unsigned)a->size) : target_masks_loads((unsigned)a->size));
}

bool gather_fits(struct gang *g, const struct access *a)
{
    bool store = LLVMIsAStoreInst(a->inst);
    return access_is_plain(g, a) && (store ? target_scatters((unsigned)a->size) : target_gathers((unsigned)a->size));
}

// The alignment is an argument, or an attribute of the pointer. `x` is stored, or what inactive lanes get.
static LLVMValueRef build(struct gang *g, const char *name, bool store, LLVMValueRef x, LLVMValueRef pointer,
                          unsigned align, LLVMValueRef bits)
{
    LLVMTypeRef overload[2] = {LLVMTypeOf(x), LLVMTypeOf(pointer)};
    LLVMValueRef args[4];
    unsigned n = 0, at;
    if (store)
        args[n++] = x;
    at = n + 1;
    args[n++] = pointer;
    if (!LLVM_COMPAT_MASKED_ALIGN_ATTRIBUTE)
        args[n++] = gang_i32(g, align);
    args[n++] = bits;
    if (!store)
        args[n++] = x;
    LLVMValueRef call = ir_intrinsic(g->b, name, overload, 2, args, n);
    if (LLVM_COMPAT_MASKED_ALIGN_ATTRIBUTE) {
        unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
        LLVMAddCallSiteAttribute(call, at, LLVMCreateEnumAttribute(g->v->context, kind, align));
    }
    return call;
}

// What is loaded goes through a freeze, which costs nothing. InstCombine of LLVM 22 makes one load of
// select(mask, masked.load(p, mask, x), y), and puts it where the selection is: behind stores to p that stand between (LLVM issue
// 215453; right again in LLVM 23). The freeze keeps the two apart, here and in whatever LLVM makes of gathers one day.
static LLVMValueRef load(struct gang *g, const struct access *a, const char *name, LLVMValueRef none, LLVMValueRef p,
                         LLVMValueRef bits)
{
    LLVMValueRef x = build(g, name, false, none, p, a->align, bits);
    if (ir_is_invariant(a->inst) && !a->copied)
        ir_mark_invariant(x);
    return LLVMBuildFreeze(g->b, x, "");
}

LLVMValueRef masked_load(struct gang *g, const struct access *a, LLVMTypeRef t, LLVMValueRef p, LLVMValueRef mask)
{
    return load(g, a, "llvm.masked.load", LLVMGetPoison(t), p, gang_mask_bits(g, mask));
}

LLVMValueRef masked_store(struct gang *g, LLVMValueRef x, LLVMValueRef p, unsigned align, LLVMValueRef bits)
{
    return build(g, "llvm.masked.store", true, x, p, align, bits);
}

static LLVMValueRef lanes_of(struct gang *g, const struct access *a)
{
    return gang_mask_bits(g, a->mask ? a->mask : gang_mask_all_ones(g));
}

LLVMValueRef gather_build(struct gang *g, const struct access *a, LLVMValueRef pointers)
{
    LLVMValueRef none = LLVMGetPoison(gang_lanes(g, a->type));
    return load(g, a, "llvm.masked.gather", none, pointers, lanes_of(g, a));
}

// Lanes that meet at one location are written in order: the last one's value stays.
void scatter_build(struct gang *g, const struct access *a, LLVMValueRef x, LLVMValueRef pointers)
{
    build(g, "llvm.masked.scatter", true, x, pointers, a->align, lanes_of(g, a));
}
