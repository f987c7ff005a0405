// Accesses under a mask by the processor's own instructions, where it has them: AVX-512 for every element size, AVX2 for
// words. Inactive lanes then touch nothing, so no page is tested and no store is taken apart. Gathers and scatters by
// instruction as well, where they are faster than one access a lane.
#include "jit/gang/access.h"
#include "jit/llvm_compat.h"
#include "jit/target.h"
#include <llvm-c/Core.h>
#include <string.h>

bool access_is_plain(struct gang *g, const struct access *a)
{
    return g->width > 1 && !LLVMGetVolatile(a->inst) && LLVMGetOrdering(a->inst) == LLVMAtomicOrderingNotAtomic &&
           (a->size & (a->size - 1)) == 0;
}

bool masked_fits(struct gang *g, const struct access *a)
{
    return access_is_plain(g, a) && target_masks_memory((unsigned)a->size);
}

bool gather_fits(struct gang *g, const struct access *a)
{
    return access_is_plain(g, a) && target_gathers((unsigned)a->size);
}

// The alignment is an argument, or an attribute of the pointer. `x` is stored, or what inactive lanes get.
static LLVMValueRef build(struct gang *g, const struct access *a, const char *name, bool store, LLVMValueRef x,
                          LLVMValueRef pointer, LLVMValueRef bits)
{
    LLVMTypeRef t = LLVMTypeOf(x);
    LLVMTypeRef overload[2] = {t, LLVMTypeOf(pointer)};
    LLVMValueRef args[4];
    unsigned n = 0, place;
    if (store)
        args[n++] = x;
    place = n + 1;
    args[n++] = pointer;
    if (!LLVM_COMPAT_MASKED_ALIGN_ATTRIBUTE)
        args[n++] = gang_i32(g, a->align);
    args[n++] = bits;
    if (!store)
        args[n++] = x;
    LLVMValueRef call = gang_intrinsic(g, name, overload, 2, args, n);
    if (LLVM_COMPAT_MASKED_ALIGN_ATTRIBUTE) {
        unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
        LLVMAddCallSiteAttribute(call, place, LLVMCreateEnumAttribute(g->v->context, kind, a->align));
    }
    LLVMValueRef md = LLVMGetMetadata(a->inst, g->v->invariant_kind);
    if (md && !store)
        LLVMSetMetadata(call, g->v->invariant_kind, md);
    return call;
}

LLVMValueRef masked_load(struct gang *g, const struct access *a, LLVMTypeRef t, LLVMValueRef p, LLVMValueRef mask)
{
    return build(g, a, "llvm.masked.load", false, LLVMGetPoison(t), p, gang_mask_bits(g, mask));
}

void masked_store(struct gang *g, const struct access *a, LLVMValueRef x, LLVMValueRef p, LLVMValueRef mask)
{
    build(g, a, "llvm.masked.store", true, x, p, gang_mask_bits(g, mask));
}

void masked_store_bits(struct gang *g, const struct access *a, LLVMValueRef x, LLVMValueRef p, LLVMValueRef bits)
{
    build(g, a, "llvm.masked.store", true, x, p, bits);
}

static LLVMValueRef lanes_of(struct gang *g, const struct access *a)
{
    return gang_mask_bits(g, a->mask ? a->mask : gang_mask_all_ones(g));
}

LLVMValueRef gather_build(struct gang *g, const struct access *a, LLVMValueRef pointers)
{
    LLVMValueRef none = LLVMGetPoison(LLVMVectorType(a->type, g->width));
    return build(g, a, "llvm.masked.gather", false, none, pointers, lanes_of(g, a));
}

// Lanes that meet at one place are written in order: the last one's value stays.
void scatter_build(struct gang *g, const struct access *a, LLVMValueRef x, LLVMValueRef pointers)
{
    build(g, a, "llvm.masked.scatter", true, x, pointers, lanes_of(g, a));
}
