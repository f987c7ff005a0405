// SPDX-License-Identifier: Apache-2.0
// "Surface Instructions" of the PTX manual: suld, sust, sured. Surfaces are plain memory with bounds: an access is
// inlined as a test and a load or store. Formatted accesses (.p) are calls to the engine.
#include "jit/abi/texture.h"
#include "jit/translate/insn/image.h"

enum { MAX_VECTOR = 4 };

static enum image_boundary boundary_of(const struct ptx_insn *in)
{
    return MOD_OF(in, BORDER) == PTX_MOD_CLAMP  ? IMAGE_CLAMP
           : MOD_OF(in, BORDER) == PTX_MOD_ZERO ? IMAGE_ZERO
                                                : IMAGE_TRAP;
}

static value level_field(struct translator *t, value handle, LLVMTypeRef type, size_t offset)
{
    return tr_image_field(t, handle, type, offsetof(struct texture, level) + offset);
}

// Raises the error for a handle that is none, coordinates outside or misaligned ones; nothing goes on behind it.
static void fault(struct translator *t, enum image_geometry g, value handle, bool misaligned)
{
    struct image_args a = {.n = 0};
    tr_image_call(t, image_op(g, IMAGE_OUTSIDE, misaligned, 0), handle, &a);
}

// A branch to the error unless the condition holds.
static void fault_unless(struct translator *t, value condition, enum image_geometry g, value handle, bool misaligned)
{
    LLVMBasicBlockRef bad = tr_block_new(t, ""), good = tr_block_new(t, "");
    ir_branch(t->b, condition, good, bad, bad);
    fault(t, g, handle, misaligned);
    ir_enter(t->b, good);
}

// The lesser (LLVMIntSLT) or greater (LLVMIntSGT) of two.
static value choose(struct translator *t, LLVMIntPredicate p, value a, value b)
{
    return LLVMBuildSelect(t->b, LLVMBuildICmp(t->b, p, a, b, ""), a, b, "");
}

// A coordinate in [0, limit), both of 64 bits: clamped, or checked into *inside.
static value coordinate(struct translator *t, value c, value limit, enum image_boundary boundary, value *inside)
{
    if (boundary == IMAGE_CLAMP) {
        value last = LLVMBuildSub(t->b, limit, tr_const_i64(t, 1), "");
        return choose(t, LLVMIntSGT, choose(t, LLVMIntSLT, c, last), tr_const_i64(t, 0));
    }
    *inside = LLVMBuildAnd(t->b, *inside, LLVMBuildICmp(t->b, LLVMIntULT, c, limit, ""), "");
    return c;
}

struct surface_access {
    enum image_geometry geometry;
    enum image_boundary boundary;
    value handle, pointer, inside;
};

// The address of `size` bytes and the test that it may be accessed. The first coordinate is in bytes, but for .p, and
// must be a multiple of the size.
static bool surface_access(struct translator *t, const struct ptx_insn *in, const struct ptx_operand *surface,
                           unsigned size, struct surface_access *s)
{
    struct image_args c = {.n = 0};
    if (!tr_image_geometry(t, in, &s->geometry))
        return false;
    s->boundary = boundary_of(in);
    s->handle = tr_get(t, &surface->list[0], PTX_TYPE_B64);
    if (!tr_image_coordinates(t, surface, s->geometry, PTX_TYPE_S32, &c))
        return false;
    value head = tr_image_field(t, s->handle, t->i64, offsetof(struct texture, head));
    value live = LLVMBuildICmp(t->b, LLVMIntEQ, head, tr_const_i64(t, TEXTURE_HEAD_SURFACE), "");
    fault_unless(t, live, s->geometry, s->handle, false);
    unsigned layered = image_layered(s->geometry) ? 1 : 0, axes = image_axes(s->geometry);
    value at[3] = {NULL, NULL, NULL};
    for (unsigned i = 0; i < axes; i++)
        at[i] = LLVMBuildSExt(t->b, c.word[i + layered], t->i64, "");
    if (layered)
        at[2] = LLVMBuildSExt(t->b, c.word[0], t->i64, "");
    s->inside = LLVMConstInt(t->i1, 1, false);
    bool texels = MOD_OF(in, SURFACE) == PTX_MOD_P;
    value width =
        LLVMBuildZExt(t->b, level_field(t, s->handle, t->i32, offsetof(struct array_level, width)), t->i64, "");
    value texel = tr_image_field(t, s->handle, t->i32, offsetof(struct texture, format));
    texel = LLVMBuildZExt(t->b, LLVMBuildLShr(t->b, texel, tr_const_i32(t, 16), ""), t->i64, "");
    value x = at[0], bytes = LLVMBuildMul(t->b, width, texel, "");
    if (texels)
        x = LLVMBuildMul(t->b, x, texel, "");
    if (size > 1) {
        value low = LLVMBuildAnd(t->b, x, tr_const_i64(t, size - 1), "");
        value aligned = LLVMBuildICmp(t->b, LLVMIntEQ, low, tr_const_i64(t, 0), "");
        fault_unless(t, aligned, s->geometry, s->handle, true);
    }
    value whole = tr_const_i64(t, ~(uint64_t)(size - 1));
    x = coordinate(t, x, LLVMBuildAnd(t->b, bytes, whole, ""), s->boundary, &s->inside);
    x = LLVMBuildAnd(t->b, x, whole, "");
    value p = level_field(t, s->handle, LLVMPointerTypeInContext(t->cx, AS_GLOBAL), offsetof(struct array_level, base));
    static const size_t extents[3] = {0, offsetof(struct array_level, height), offsetof(struct array_level, depth)};
    static const size_t pitches[3] = {0, offsetof(struct array_level, row_pitch),
                                      offsetof(struct array_level, slice_pitch)};
    for (unsigned i = 2; i > 0; i--) {
        if (!at[i])
            continue;
        value n = LLVMBuildZExt(t->b, level_field(t, s->handle, t->i32, extents[i]), t->i64, "");
        value k = coordinate(t, at[i], n, s->boundary, &s->inside);
        k = LLVMBuildMul(t->b, k, level_field(t, s->handle, t->i64, pitches[i]), "");
        p = tr_gep(t, p, k);
    }
    s->pointer = tr_gep(t, p, x);
    return true;
}

// Enters the block of accesses that are inside; *after is where the others go, with the error where that is asked for.
static void enter_inside(struct translator *t, const struct surface_access *s, LLVMBasicBlockRef *outside,
                         LLVMBasicBlockRef *after)
{
    LLVMBasicBlockRef inside = tr_block_new(t, "");
    *outside = tr_block_new(t, "");
    *after = tr_block_new(t, "");
    ir_branch(t->b, s->inside, inside, *outside, *outside);
    if (s->boundary == IMAGE_TRAP)
        fault(t, s->geometry, s->handle, false);
    ir_jump(t->b, *after, inside);
}

// The call of the engine for a formatted access; NULL: wrong text.
static value formatted(struct translator *t, const struct ptx_insn *in, bool load)
{
    enum image_geometry g = IMAGE_1D;
    struct image_args a = {.n = 0};
    const struct ptx_operand *surface = &in->operands[load], *c = &in->operands[!load];
    value handle = tr_get(t, &surface->list[0], PTX_TYPE_B64);
    if (!tr_image_geometry(t, in, &g) || !tr_image_coordinates(t, surface, g, PTX_TYPE_S32, &a))
        return NULL;
    for (unsigned i = 0; i < MAX_VECTOR && !load; i++)
        tr_image_push(&a, i < tr_elements(c) ? tr_get(t, tr_element(c, i), PTX_TYPE_B32) : tr_const_i32(t, 0));
    return tr_image_call(t, image_op(g, load ? IMAGE_LOAD_P : IMAGE_STORE_P, boundary_of(in), 0), handle, &a);
}

static bool load_formatted(struct translator *t, const struct ptx_insn *in)
{
    const struct ptx_operand *d = &in->operands[0];
    value r = formatted(t, in, true);
    for (unsigned i = 0; r && i < tr_elements(d) && i < MAX_VECTOR; i++)
        tr_put(t, tr_element(d, i), LLVMBuildExtractValue(t->b, r, i, ""), PTX_TYPE_B32);
    return r;
}

// suld: d, [surface, c]; sust: [surface, c], values.
static bool access(struct translator *t, const struct ptx_insn *in, bool load)
{
    const struct ptx_operand *o = &in->operands[load ? 0 : 1];
    enum ptx_type ty = in->types[0];
    unsigned n = tr_elements(o), size = ptx_type_bytes(ty);
    LLVMTypeRef type = tr_type_of(t, ty);
    struct surface_access s;
    if (n > MAX_VECTOR)
        return tr_fail(t, "vector of %u elements", n);
    if (!surface_access(t, in, &in->operands[load ? 1 : 0], n * size, &s))
        return false;
    LLVMBasicBlockRef from[2], after;
    value v[MAX_VECTOR];
    enter_inside(t, &s, &from[0], &after);

    from[1] = LLVMGetInsertBlock(t->b);
    for (unsigned i = 0; i < n; i++) {
        if (load)
            v[i] = ir_load(t->b, type, tr_step(t, s.pointer, i * size), size);
        else
            ir_store(t->b, tr_get(t, tr_element(o, i), ty), tr_step(t, s.pointer, i * size), size);
    }
    ir_enter(t->b, after);
    for (unsigned i = 0; load && i < n; i++)
        v[i] = ir_phi(t->b, LLVMConstNull(type), from[0], v[i], from[1]);
    for (unsigned i = 0; load && i < n; i++)
        tr_put(t, tr_element(o, i), v[i], ty);
    return true;
}

bool tr_emit_suld(struct translator *t, const struct ptx_insn *in)
{
    return MOD_OF(in, SURFACE) == PTX_MOD_P ? load_formatted(t, in) : access(t, in, true);
}

bool tr_emit_sust(struct translator *t, const struct ptx_insn *in)
{
    return MOD_OF(in, SURFACE) == PTX_MOD_P ? formatted(t, in, false) != NULL : access(t, in, false);
}

bool tr_emit_sured(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0];
    LLVMAtomicRMWBinOp op;
    struct surface_access s;
    if (!surface_access(t, in, &in->operands[0], ptx_type_bytes(ty), &s))
        return false;
    if (!tr_rmw_op(MOD_OF(in, OP), ty, &op))
        return diag_fail(t->d, DIAG_INTERNAL, "no code for this reduction");
    LLVMBasicBlockRef outside, after;
    enter_inside(t, &s, &outside, &after);
    LLVMBuildAtomicRMW(t->b, op, s.pointer, tr_get(t, &in->operands[1], ty), LLVMAtomicOrderingMonotonic, false);
    ir_enter(t->b, after);
    return true;
}
