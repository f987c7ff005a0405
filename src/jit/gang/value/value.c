// SPDX-License-Identifier: Apache-2.0
// Values of a gang function: their types, constants and the forms in which an instruction may want its operands.
#include "jit/gang/gang.h"
#include "jit/analysis/fold.h"
#include <string.h>

enum { FIELDS_MAX = 8 }; // of a structure, as in lower/aggregates.c

LLVMValueRef gang_fail(struct gang *g, LLVMValueRef inst, const char *what)
{
    char *text = inst ? LLVMPrintValueToString(inst) : NULL;
    if (!g->failed)
        diag_unsupported(g->v->d, 0, 0, "vectoriser: %s:%s", what, text ? text : "");
    if (text)
        LLVMDisposeMessage(text);
    g->failed = true;
    return NULL;
}

LLVMTypeRef gang_type(struct gang *g, LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMPointerTypeKind ? g->v->ptr : t;
}

// Structures (of cmpxchg, the overflow intrinsics, textures) become structures of vectors; in them i1 stays i1.
static LLVMTypeRef structure_type(struct gang *g, LLVMTypeRef t)
{
    LLVMTypeRef field[FIELDS_MAX] = {0};
    unsigned n = LLVMCountStructElementTypes(t);
    for (unsigned i = 0; i < n && i < FIELDS_MAX; i++)
        field[i] = gang_lanes(g, gang_type(g, LLVMStructGetTypeAtIndex(t, i)));
    return LLVMStructTypeInContext(g->v->context, field, n, 0);
}

LLVMTypeRef gang_vector_type(struct gang *g, LLVMTypeRef t)
{
    if (LLVMGetTypeKind(t) == LLVMStructTypeKind)
        return structure_type(g, t);
    return type_is_bool(t) ? g->v->mask : gang_lanes(g, gang_type(g, t));
}

LLVMValueRef gang_int(LLVMTypeRef t, int64_t x)
{
    return LLVMConstInt(t, (unsigned long long)x, 1);
}

LLVMValueRef gang_i32(struct gang *g, int64_t x)
{
    return gang_int(g->v->i32, (int32_t)x);
}

LLVMValueRef gang_i64(struct gang *g, int64_t x)
{
    return gang_int(g->v->i64, x);
}

static int64_t narrow(LLVMTypeRef t, int64_t x)
{
    return fold_signed((uint64_t)x, LLVMGetIntTypeWidth(t));
}

LLVMValueRef gang_offsets(struct gang *g, LLVMTypeRef t, const int64_t *offset)
{
    LLVMValueRef e[GANG_MAX];
    for (unsigned l = 0; l < g->width; l++)
        e[l] = gang_int(t, narrow(t, offset[l]));
    return LLVMConstVector(e, g->width);
}

LLVMValueRef gang_iota(struct gang *g, LLVMTypeRef t)
{
    int64_t e[GANG_MAX];
    for (unsigned l = 0; l < g->width; l++)
        e[l] = l;
    return gang_offsets(g, t, e);
}

// A register that was never written holds anything, and what is computed from some of its bits is what the others make it; poison would
// spoil it all.
LLVMValueRef gang_undefined(LLVMValueRef as, LLVMTypeRef t)
{
    return LLVMIsPoison(as) ? LLVMGetPoison(t) : LLVMGetUndef(t);
}

// A scalar constant in the gang function: pointers lose their address space.
LLVMValueRef gang_constant(struct gang *g, LLVMValueRef c)
{
    LLVMTypeRef t = LLVMTypeOf(c);
    if (LLVMGetTypeKind(t) != LLVMPointerTypeKind || LLVMGetPointerAddressSpace(t) == 0)
        return c;
    if (LLVMIsNull(c))
        return LLVMConstNull(g->v->ptr);
    if (value_is_undef(c))
        return gang_undefined(c, g->v->ptr);
    return LLVMConstAddrSpaceCast(c, g->v->ptr);
}

LLVMValueRef gang_splat(struct gang *g, LLVMValueRef x, unsigned n)
{
    if (LLVMIsConstant(x) && !LLVMIsAGlobalValue(x)) {
        LLVMValueRef e[GANG_MAX];
        for (unsigned l = 0; l < n; l++)
            e[l] = x;
        return LLVMConstVector(e, n);
    }
    LLVMTypeRef t = LLVMVectorType(LLVMTypeOf(x), n);
    LLVMValueRef one = LLVMBuildInsertElement(g->b, LLVMGetPoison(t), x, gang_i64(g, 0), "");
    return LLVMBuildShuffleVector(g->b, one, LLVMGetPoison(t), LLVMConstNull(LLVMVectorType(g->v->i32, n)), "");
}

LLVMValueRef gang_wide(struct gang *g, LLVMValueRef x)
{
    return gang_splat(g, x, g->width);
}

LLVMValueRef gang_lane(struct gang *g, LLVMValueRef vector, unsigned lane)
{
    return LLVMBuildExtractElement(g->b, vector, gang_i64(g, lane), "");
}

LLVMValueRef gang_slice(struct gang *g, LLVMValueRef vector, unsigned first, unsigned n)
{
    LLVMTypeRef t = LLVMTypeOf(vector);
    if (first == 0 && LLVMGetVectorSize(t) == n)
        return vector;
    LLVMValueRef e[GANG_MAX];
    for (unsigned l = 0; l < n; l++)
        e[l] = gang_i32(g, first + l);
    return LLVMBuildShuffleVector(g->b, vector, LLVMGetPoison(t), LLVMConstVector(e, n), "");
}

// n equal vectors, n a power of two; the array is used up.
LLVMValueRef gang_concat(struct gang *g, LLVMValueRef *parts, unsigned n)
{
    for (; n > 1; n /= 2) {
        unsigned len = LLVMGetVectorSize(LLVMTypeOf(parts[0]));
        LLVMValueRef e[2 * GANG_MAX];
        for (unsigned l = 0; l < 2 * len; l++)
            e[l] = gang_i32(g, l);
        for (unsigned i = 0; i < n; i += 2)
            parts[i / 2] = LLVMBuildShuffleVector(g->b, parts[i], parts[i + 1], LLVMConstVector(e, 2 * len), "");
    }
    return parts[0];
}

LLVMValueRef gang_gep(struct gang *g, LLVMValueRef p, LLVMValueRef bytes)
{
    return LLVMBuildGEP2(g->b, g->v->i8, p, &bytes, 1, "");
}

LLVMValueRef gang_step(struct gang *g, LLVMValueRef p, int64_t bytes)
{
    return bytes ? gang_gep(g, p, gang_i64(g, bytes)) : p;
}

struct shape gang_shape(struct gang *g, LLVMValueRef value)
{
    return shape_of(&g->v->scalar, g->f, value);
}

bool gang_is_uniform(struct gang *g, LLVMValueRef value)
{
    struct shape s = gang_shape(g, value);
    return shape_is_uniform(g->lanes, &s);
}

struct gang_value *gang_slot(struct gang *g, LLVMValueRef inst)
{
    return &g->values[scalar_fn_index(g->f, inst)];
}

static LLVMValueRef add_offset(struct gang *g, LLVMValueRef base, int64_t offset)
{
    LLVMTypeRef t = LLVMTypeOf(base);
    if (!offset)
        return base;
    if (LLVMGetTypeKind(t) == LLVMPointerTypeKind)
        return gang_step(g, base, offset);
    return LLVMBuildAdd(g->b, base, gang_int(t, narrow(t, offset)), "");
}

// scale * (ext(source + offset) - ext(source) - offset): what the affine form misses where the source wraps around.
static LLVMValueRef wrap_correction(struct gang *g, const struct shape_wrap *w, LLVMValueRef source,
                                    LLVMValueRef offset, LLVMTypeRef to)
{
    LLVMOpcode ext = w->kind == WRAP_ZEXT ? LLVMZExt : LLVMSExt;
    LLVMValueRef moved = LLVMBuildCast(g->b, ext, LLVMBuildAdd(g->b, source, offset, ""), to, "");
    LLVMValueRef plain =
        LLVMBuildAdd(g->b, LLVMBuildCast(g->b, ext, source, to, ""), LLVMBuildSExt(g->b, offset, to, ""), "");
    LLVMValueRef lap = LLVMBuildSub(g->b, moved, plain, "");
    LLVMTypeRef element = type_element(to);
    LLVMValueRef scale = gang_int(element, narrow(element, w->scale));
    if (LLVMGetTypeKind(to) == LLVMVectorTypeKind)
        scale = gang_splat(g, scale, LLVMGetVectorSize(to));
    return LLVMBuildMul(g->b, lap, scale, "");
}

static LLVMTypeRef integer_of(struct gang *g, LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMPointerTypeKind ? g->v->i64 : t;
}

static LLVMValueRef add_correction(struct gang *g, LLVMValueRef x, LLVMValueRef correction)
{
    return LLVMGetTypeKind(type_element(LLVMTypeOf(x))) == LLVMPointerTypeKind ? gang_gep(g, x, correction)
                                                                               : LLVMBuildAdd(g->b, x, correction, "");
}

LLVMValueRef gang_base(struct gang *g, LLVMValueRef value, unsigned segment, const struct shape *want)
{
    int k = scalar_fn_index(g->f, value);
    if (k < 0)
        return gang_constant(g, value);
    const struct shape *have = &g->f->shapes[k];
    const struct gang_value *x = &g->values[k];
    if (have->kind != SHAPE_AFFINE) {
        gang_fail(g, value, "a varying value where a scalar is needed");
        return LLVMGetPoison(gang_type(g, LLVMTypeOf(value)));
    }
    if (have->split || !want->split)
        return x->base[have->split ? segment : 0];
    unsigned first = lanes_segment_first(g->lanes, segment);
    LLVMValueRef base = add_offset(g, x->base[0], have->offset[first]);
    if (have->wrap.kind == WRAP_NONE || !first)
        return base;
    LLVMTypeRef t = integer_of(g, LLVMTypeOf(base)), from = LLVMTypeOf(x->source[0]);
    LLVMValueRef offset = gang_int(from, have->wrap.offset[first]);
    return add_correction(g, base, wrap_correction(g, &have->wrap, x->source[0], offset, t));
}

LLVMValueRef gang_source(struct gang *g, LLVMValueRef value, unsigned segment, const struct shape *want)
{
    int k = scalar_fn_index(g->f, value);
    const struct shape *have = k < 0 ? NULL : &g->f->shapes[k];
    if (!have || have->wrap.kind == WRAP_NONE) { // a source that does not wrap
        int64_t lo, hi;
        shape_range(g->lanes, want->wrap.offset, &lo, &hi);
        LLVMTypeRef t = LLVMIntTypeInContext(g->v->context, want->wrap.bits);
        return gang_int(t, want->wrap.kind == WRAP_ZEXT && lo < 0 ? -lo : 0);
    }
    const struct gang_value *x = &g->values[k];
    if (have->split || !want->split)
        return x->source[have->split ? segment : 0];
    return add_offset(g, x->source[0], have->wrap.offset[lanes_segment_first(g->lanes, segment)]);
}

LLVMValueRef gang_scalar(struct gang *g, LLVMValueRef value)
{
    struct shape s = shape_uniform(false);
    return gang_base(g, value, 0, &s);
}

// One vector from a scalar for each segment.
static LLVMValueRef spread(struct gang *g, const LLVMValueRef *scalars, bool split)
{
    if (!split)
        return gang_wide(g, scalars[0]);
    LLVMValueRef parts[SEGMENT_MAX];
    for (unsigned s = 0; s < g->lanes->segments; s++)
        parts[s] = gang_splat(g, scalars[s], g->width / g->lanes->segments);
    return gang_concat(g, parts, g->lanes->segments);
}

static LLVMValueRef structure_vector(struct gang *g, LLVMValueRef x)
{
    LLVMValueRef r = LLVMGetPoison(structure_type(g, LLVMTypeOf(x)));
    for (unsigned i = 0; i < LLVMCountStructElementTypes(LLVMTypeOf(x)); i++) {
        LLVMValueRef field = gang_wide(g, LLVMBuildExtractValue(g->b, x, i, ""));
        r = LLVMBuildInsertValue(g->b, r, field, i, "");
    }
    return r;
}

static LLVMValueRef affine_vector(struct gang *g, const struct shape *s, const struct gang_value *x)
{
    LLVMTypeRef t = LLVMTypeOf(x->base[0]);
    if (LLVMGetTypeKind(t) == LLVMStructTypeKind && !s->split)
        return structure_vector(g, x->base[0]);
    LLVMValueRef base[SEGMENT_MAX];
    for (unsigned i = 0; i < shape_bases(g->lanes, s); i++)
        base[i] = type_is_bool(t) ? LLVMBuildSExt(g->b, x->base[i], g->v->i32, "") : x->base[i];
    LLVMValueRef r = spread(g, base, s->split);
    if (!shape_is_flat(g->lanes, s)) {
        LLVMValueRef offsets = gang_offsets(g, integer_of(g, t), s->offset);
        r = LLVMGetTypeKind(t) == LLVMPointerTypeKind ? gang_gep(g, r, offsets) : LLVMBuildAdd(g->b, r, offsets, "");
    }
    if (s->wrap.kind == WRAP_NONE)
        return r;
    LLVMTypeRef from = LLVMTypeOf(x->source[0]), to = gang_lanes(g, integer_of(g, t));
    LLVMValueRef source = spread(g, x->source, s->split), offsets = gang_offsets(g, from, s->wrap.offset);
    return add_correction(g, r, wrap_correction(g, &s->wrap, source, offsets, to));
}

LLVMValueRef gang_vector(struct gang *g, LLVMValueRef value)
{
    int k = scalar_fn_index(g->f, value);
    if (k >= 0) {
        if (g->f->shapes[k].kind == SHAPE_VARYING && g->values[k].vector)
            return g->values[k].vector;
        if (g->f->shapes[k].kind == SHAPE_VARYING && gang_is_lazy(g, value))
            return gang_emit_condition(g, value);
        if (g->f->shapes[k].kind == SHAPE_VARYING) {
            gang_fail(g, value, "a value that was not computed");
            return LLVMGetPoison(gang_vector_type(g, LLVMTypeOf(value)));
        }
        return affine_vector(g, &g->f->shapes[k], &g->values[k]);
    }
    if (value_is_undef(value))
        return gang_undefined(value, gang_vector_type(g, LLVMTypeOf(value)));
    if (type_is_bool(LLVMTypeOf(value)))
        return LLVMConstIntGetZExtValue(value) ? gang_mask_all_ones(g) : LLVMConstNull(g->v->mask);
    return gang_wide(g, gang_constant(g, value));
}

LLVMValueRef gang_vector_bits(struct gang *g, LLVMValueRef value)
{
    LLVMValueRef x = gang_vector(g, value);
    return type_is_bool(LLVMTypeOf(value)) ? gang_mask_bits(g, x) : x;
}

LLVMValueRef gang_lane_pointer(struct gang *g, LLVMValueRef address, unsigned lane)
{
    int k = scalar_fn_index(g->f, address);
    if (k < 0)
        return gang_constant(g, address);
    const struct shape *s = &g->f->shapes[k];
    return add_offset(g, g->values[k].base[s->split ? lanes_segment(g->lanes, lane) : 0], s->offset[lane]);
}

// Whether the affine form holds in this lane, as seen from a source's base that is a number.
static bool lane_is_exact(struct gang *g, LLVMValueRef value, const struct shape *s, unsigned lane)
{
    int k = scalar_fn_index(g->f, value);
    int64_t base;
    if (s->wrap.kind == WRAP_NONE || k < 0)
        return true;
    LLVMValueRef source = g->values[k].source[s->split ? lanes_segment(g->lanes, lane) : 0];
    if (!LLVMIsAConstantInt(source) || s->wrap.bits > 32)
        return false;
    bool is_signed = s->wrap.kind == WRAP_SEXT;
    base = is_signed ? LLVMConstIntGetSExtValue(source) : (int64_t)LLVMConstIntGetZExtValue(source);
    int64_t least = is_signed ? -(INT64_C(1) << (s->wrap.bits - 1)) : 0, x = base + s->wrap.offset[lane];
    return x >= least && x < least + (INT64_C(1) << s->wrap.bits);
}

LLVMValueRef gang_lane_value(struct gang *g, LLVMValueRef value, unsigned lane)
{
    struct shape s = gang_shape(g, value);
    if (s.kind == SHAPE_AFFINE && lane_is_exact(g, value, &s, lane))
        return gang_lane_pointer(g, value, lane);
    LLVMValueRef x = gang_lane(g, gang_vector(g, value), lane);
    return type_is_bool(LLVMTypeOf(value)) ? LLVMBuildIsNotNull(g->b, x, "") : x;
}

// One unsigned comparison: base - least <= room.
LLVMValueRef gang_in_range(struct gang *g, LLVMValueRef base, const int64_t *offset, bool is_signed)
{
    LLVMTypeRef t = LLVMTypeOf(base);
    unsigned bits = LLVMGetIntTypeWidth(t);
    int64_t lo, hi;
    shape_range(g->lanes, offset, &lo, &hi);
    if (lo > 0)
        lo = 0;
    if (hi < 0)
        hi = 0;
    uint64_t most = fold_low(UINT64_MAX, bits);
    uint64_t least = (is_signed ? UINT64_C(1) << (bits - 1) : 0) - (uint64_t)lo;
    uint64_t room = most - (uint64_t)(hi - lo);
    LLVMValueRef d = LLVMBuildSub(g->b, base, gang_int(t, narrow(t, (int64_t)least)), "");
    return LLVMBuildICmp(g->b, LLVMIntULE, d, gang_int(t, narrow(t, (int64_t)room)), "nowrap");
}

LLVMValueRef gang_no_wrap(struct gang *g, LLVMValueRef value)
{
    int k = scalar_fn_index(g->f, value);
    const struct shape *s = k < 0 ? NULL : &g->f->shapes[k];
    LLVMValueRef r = NULL;
    if (!s || s->kind != SHAPE_AFFINE || s->wrap.kind == WRAP_NONE)
        return NULL;
    for (unsigned i = 0; i < shape_bases(g->lanes, s); i++)
        r = gang_and(g, r, gang_in_range(g, g->values[k].source[i], s->wrap.offset, s->wrap.kind == WRAP_SEXT));
    return r;
}

void gang_set_scalar(struct gang *g, LLVMValueRef inst, LLVMValueRef x)
{
    struct gang_value *r = gang_slot(g, inst);
    struct shape s = gang_shape(g, inst);
    for (unsigned i = 0; i < shape_bases(g->lanes, &s); i++)
        r->base[i] = x;
}

void gang_set_vector(struct gang *g, LLVMValueRef inst, LLVMValueRef x)
{
    gang_slot(g, inst)->vector = x;
}

void gang_set_result(struct gang *g, LLVMValueRef inst, LLVMValueRef scalar, LLVMValueRef vector)
{
    if (gang_shape(g, inst).kind == SHAPE_VARYING)
        gang_set_vector(g, inst, vector ? vector : gang_wide(g, scalar));
    else if (scalar)
        gang_set_scalar(g, inst, scalar);
    else
        gang_fail(g, inst, "a varying result where a scalar was promised");
}

LLVMBasicBlockRef gang_block(struct gang *g, const char *name)
{
    return LLVMAppendBasicBlockInContext(g->v->context, g->function, name);
}

void gang_branch_likely(struct gang *g, LLVMValueRef c, LLVMBasicBlockRef likely, LLVMBasicBlockRef rare,
                        LLVMBasicBlockRef then)
{
    LLVMContextRef x = g->v->context;
    LLVMMetadataRef weights[3] = {LLVMMDStringInContext2(x, "branch_weights", 14),
                                  LLVMValueAsMetadata(gang_i32(g, 4000)), LLVMValueAsMetadata(gang_i32(g, 1))};
    ir_set_metadata(LLVMBuildCondBr(g->b, c, likely, rare), "prof",
                    LLVMMetadataAsValue(x, LLVMMDNodeInContext2(x, weights, 3)));
    LLVMPositionBuilderAtEnd(g->b, then);
}

struct fork fork_begin(struct gang *g, LLVMValueRef ok, const char *fast, const char *rare, const char *done)
{
    struct fork f = {gang_block(g, fast), gang_block(g, rare), gang_block(g, done)};
    gang_branch_likely(g, ok, f.fast, f.rare, f.fast);
    return f;
}

void fork_rare(struct gang *g, struct fork *f)
{
    f->fast = LLVMGetInsertBlock(g->b);
    ir_jump(g->b, f->done, f->rare);
}

void fork_end(struct gang *g, struct fork *f)
{
    f->rare = LLVMGetInsertBlock(g->b);
    ir_enter(g->b, f->done);
}

LLVMValueRef fork_value(struct gang *g, const struct fork *f, LLVMValueRef of_fast, LLVMValueRef of_rare)
{
    return ir_phi(g->b, of_fast, f->fast, of_rare, f->rare);
}

LLVMValueRef gang_intrinsic2(struct gang *g, const char *name, LLVMValueRef a, LLVMValueRef b)
{
    LLVMTypeRef t = LLVMTypeOf(a);
    return ir_intrinsic(g->b, name, &t, 1, (LLVMValueRef[]){a, b}, 2);
}

LLVMValueRef gang_lowest(struct gang *g, LLVMValueRef word)
{
    return gang_intrinsic2(g, "llvm.cttz", word, gang_int(g->v->i1, 1));
}

LLVMValueRef gang_alloca(struct gang *g, LLVMTypeRef t, unsigned align)
{
    LLVMValueRef a = LLVMBuildAlloca(g->prologue, t, "");
    LLVMSetAlignment(a, align);
    return a;
}

LLVMValueRef gang_and(struct gang *g, LLVMValueRef a, LLVMValueRef b)
{
    if (!a || a == b)
        return b;
    return b ? LLVMBuildAnd(g->b, a, b, "") : a;
}

bool gang_may_copy(struct gang *g, unsigned instructions)
{
    if (g->versions + instructions > 3 * g->f->instructions + 200)
        return false;
    g->versions += instructions;
    return true;
}
