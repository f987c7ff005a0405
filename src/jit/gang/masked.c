// Accesses under a mask by the processor's own instructions, where it has them: AVX-512 for every element size, AVX2 for
// words. Inactive lanes then touch nothing, so no page is tested and no store is taken apart. Gathers and scatters by
// instruction as well, where they are faster than one access a lane.
#include "jit/gang/access.h"
#include "jit/llvm_compat.h"
#include "jit/target.h"
#include <llvm-c/Core.h>
#include <string.h>

static bool is_plain(struct gang *g, const struct access *a)
{
    return g->width > 1 && !LLVMGetVolatile(a->inst) && LLVMGetOrdering(a->inst) == LLVMAtomicOrderingNotAtomic &&
           (a->size & (a->size - 1)) == 0;
}

bool masked_fits(struct gang *g, const struct access *a)
{
    return is_plain(g, a) && target_masks_memory((unsigned)a->size);
}

bool gather_fits(struct gang *g, const struct access *a)
{
    return is_plain(g, a) && target_gathers((unsigned)a->size);
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

// A run of lanes in which a 32-bit index has wrapped around is two runs, scale * 2^32 bytes apart: a gang is far shorter
// than a lap, so lanes wrap at most once and all to one side. An access is then two under masks, which is less to compile
// than the addresses of all lanes, for code that hardly ever runs.
bool wrapped_fits(struct gang *g, const struct access *a)
{
    return masked_fits(g, a) && a->shape.wrap.kind != WRAP_NONE && a->shape.wrap.bits == 32 && !a->shape.split &&
           a->pattern.run == g->width && !a->pattern.reversed;
}

struct wrapped {
    LLVMValueRef pointer[2], bits[2]; // of lanes that have not wrapped, and of those that have
};

static struct wrapped wrapped_find(struct gang *g, const struct access *a)
{
    const struct shape_wrap *w = &a->shape.wrap;
    LLVMValueRef source = gang_source(g, a->address, 0, &a->shape), below[GANG_MAX];
    LLVMValueRef moved = LLVMBuildAdd(g->b, gang_splat(g, source, g->width), gang_offsets(g, g->v->i32, w->offset), "");
    LLVMIntPredicate less = w->kind == WRAP_SEXT ? LLVMIntSLT : LLVMIntULT;
    LLVMValueRef wrapped = LLVMBuildICmp(g->b, less, moved, gang_splat(g, source, g->width), "");
    for (unsigned l = 0; l < g->width; l++)
        below[l] = gang_int(g->v->i1, w->offset[l] < 0);
    wrapped = LLVMBuildXor(g->b, wrapped, LLVMConstVector(below, g->width), "wrapped");
    // near its greatest value a source wraps upwards, near its least downwards
    LLVMIntPredicate up = w->kind == WRAP_SEXT ? LLVMIntSGE : LLVMIntSLT;
    int64_t lap = (int64_t)((uint64_t)w->scale << 32);
    LLVMValueRef ups = LLVMBuildICmp(g->b, up, source, gang_i32(g, 0), "");
    LLVMValueRef by = LLVMBuildSelect(g->b, ups, gang_i64(g, -lap), gang_i64(g, lap), "");
    struct wrapped r = {.pointer[0] = gang_lane_pointer(g, a->address, 0)};
    r.pointer[1] = gang_gep(g, r.pointer[0], by);
    r.bits[0] = LLVMBuildNot(g->b, wrapped, "");
    r.bits[1] = wrapped;
    for (unsigned i = 0; i < 2 && a->mask; i++)
        r.bits[i] = LLVMBuildAnd(g->b, r.bits[i], gang_mask_bits(g, a->mask), "");
    return r;
}

LLVMValueRef wrapped_load(struct gang *g, const struct access *a)
{
    struct wrapped w = wrapped_find(g, a);
    LLVMValueRef x = LLVMGetPoison(LLVMVectorType(a->type, g->width));
    for (unsigned i = 0; i < 2; i++)
        x = build(g, a, "llvm.masked.load", false, x, w.pointer[i], w.bits[i]);
    return x;
}

void wrapped_store(struct gang *g, const struct access *a, LLVMValueRef x)
{
    struct wrapped w = wrapped_find(g, a);
    for (unsigned i = 0; i < 2; i++)
        build(g, a, "llvm.masked.store", true, x, w.pointer[i], w.bits[i]);
}
