// SPDX-License-Identifier: Apache-2.0
// "Texture Instructions" of the PTX manual: tex, tld4, txq. The common reads of points are inlined from src/jit/lib/texture.c,
// where the head of the descriptor says that they serve it; everything else is one call to the engine for a gang (jit/abi/image.h).
#include "jit/abi/texture.h"
#include "jit/translate/insn/image.h"
#include <stdio.h>

enum { RESULTS = 4 };

bool tr_image_geometry(struct translator *t, const struct ptx_insn *in, enum image_geometry *g)
{
#define SAME(shape) [PTX_MOD_##shape] = 1 + IMAGE_##shape
    static const uint8_t of[PTX_MOD_COUNT] = {SAME(1D),  SAME(2D),   SAME(3D),   SAME(A1D),
                                              SAME(A2D), SAME(CUBE), SAME(ACUBE)};
    uint8_t found = of[MOD_OF(in, GEOM)];
    *g = found ? (enum image_geometry)(found - 1) : IMAGE_1D;
    return found || tr_fail(t, "textures of several samples");
}

value tr_image_call(struct translator *t, uint32_t op, value handle, const struct image_args *a)
{
    value args[2 + IMAGE_ARGS_MAX] = {tr_const_i32(t, op), handle};
    for (unsigned i = 0; i < a->n; i++)
        args[2 + i] = tr_bits_cast(t, a->word[i], t->i32);
    char name[32];
    snprintf(name, sizeof name, "%u", a->n);
    LLVMTypeRef words[RESULTS] = {t->i32, t->i32, t->i32, t->i32};
    LLVMTypeRef result = LLVMStructTypeInContext(t->cx, words, RESULTS, false);
    return tr_op_typed(t, OP_RT_IMAGE, name, result, args, 2 + a->n);
}

void tr_image_push(struct image_args *a, value v)
{
    if (a->n < IMAGE_ARGS_MAX)
        a->word[a->n++] = v;
}

// n elements of an operand that may be a vector with one more; the first of them, a layer, is a number.
static bool push_elements(struct translator *t, struct image_args *a, const struct ptx_operand *o, unsigned n,
                          bool layer, enum ptx_type type)
{
    if (tr_elements(o) < n)
        return tr_fail(t, "%u elements where %u are needed", tr_elements(o), n);
    for (unsigned i = 0; i < n; i++)
        tr_image_push(a, tr_get(t, tr_element(o, i), layer && !i ? PTX_TYPE_U32 : type));
    return true;
}

bool tr_image_coordinates(struct translator *t, const struct ptx_operand *texture, enum image_geometry g,
                          enum ptx_type type, struct image_args *a)
{
    bool layer = image_layered(g);
    return push_elements(t, a, &texture->list[texture->nlist - 1], image_axes(g) + layer, layer, type);
}

// What follows the coordinates: the level or the gradients, the offsets.
static bool push_operands(struct translator *t, const struct ptx_insn *in, enum image_geometry g, enum image_mode mode,
                          struct image_args *a, uint32_t *flags)
{
    unsigned next = 2, axes = image_axes(g);
    if (mode == IMAGE_LEVEL) {
        // A level in an integer register goes with integer coordinates.
        tr_image_push(a, tr_get(t, &in->operands[next++], PTX_TYPE_F32));
    } else if (mode == IMAGE_GRAD) {
        for (int i = 0; i < 2; i++)
            if (!push_elements(t, a, &in->operands[next++], axes, false, PTX_TYPE_F32))
                return false;
    }
    if (next < in->noperands) {
        if (g == IMAGE_CUBE || g == IMAGE_ACUBE)
            return tr_fail(t, "cube maps have no offsets");
        *flags |= IMAGE_OFFSETS;
        return push_elements(t, a, &in->operands[next], axes, false, PTX_TYPE_S32);
    }
    return true;
}

static void push_sampler(struct translator *t, const struct ptx_operand *texture, struct image_args *a, uint32_t *flags)
{
    if (texture->nlist < 3)
        return;
    value s = tr_get(t, &texture->list[1], PTX_TYPE_B64);
    tr_image_push(a, tr_part(t, s, 0, t->i32));
    tr_image_push(a, tr_part(t, s, 32, t->i32));
    *flags |= IMAGE_SAMPLER;
}

static value half_of(struct translator *t, value word)
{
    return tr_half_put(t, tr_bits_cast(t, word, t->f32), PTX_TYPE_F16);
}

// Four words into the destination; halves in pairs where the type says so.
static void put_results(struct translator *t, const struct ptx_insn *in, value *word)
{
    const struct ptx_operand *d = &in->operands[0];
    enum ptx_type type = in->types[0];
    for (unsigned i = 0; i < tr_elements(d) && i < RESULTS; i++) {
        const struct ptx_operand *to = tr_element(d, i);
        if (type == PTX_TYPE_F16X2) {
            value v[2] = {half_of(t, word[2 * i % RESULTS]), half_of(t, word[(2 * i + 1) % RESULTS])};
            tr_put(t, to, tr_join(t, v, 2, 16), PTX_TYPE_B32);
        } else if (type == PTX_TYPE_F16) {
            tr_put(t, to, half_of(t, word[i]), PTX_TYPE_F16);
        } else {
            tr_put(t, to, word[i], PTX_TYPE_B32);
        }
    }
    if (d->pair) // whether the memory was there: it always is
        tr_put(t, d->pair, LLVMConstInt(t->i1, 1, false), PTX_TYPE_PRED);
}

static value field_i32(struct translator *t, value handle, size_t offset)
{
    return tr_image_field(t, handle, t->i32, offset);
}

#define LEVEL(member) (offsetof(struct texture, level) + offsetof(struct array_level, member))

// Where the texels are and what they look like, then for each axis how it is addressed.
static void inline_read(struct translator *t, const char *path, value handle, value out, const struct image_args *a)
{
    static const size_t pitch[] = {0, LEVEL(row_pitch), LEVEL(slice_pitch)};
    static const size_t extent[] = {LEVEL(width), LEVEL(height), LEVEL(depth)};
    value format = field_i32(t, handle, offsetof(struct texture, format));
    value args[16] = {out, tr_image_field(t, handle, t->ptr, LEVEL(base))};
    unsigned n = 2;
    args[n++] = field_i32(t, handle, offsetof(struct texture, load));
    args[n++] = LLVMBuildLShr(t->b, format, tr_const_i32(t, 16), "");
    for (unsigned k = 0; k < a->n; k++) {
        if (k)
            args[n++] = LLVMBuildTrunc(t->b, tr_image_field(t, handle, t->i64, pitch[k]), t->i32, "");
        args[n++] = field_i32(t, handle, offsetof(struct texture, axis) + 4 * k);
        args[n++] = field_i32(t, handle, extent[k]);
        args[n++] = a->word[k];
    }
    tr_call_lib(t, t->void_type, args, n, "heddle_tex_%s_%ud", path, a->n);
}

static LLVMBasicBlockRef branch_on_path(struct translator *t, value head, enum texture_path path)
{
    LLVMBasicBlockRef yes = tr_block_new(t, ""), no = tr_block_new(t, "");
    value is = LLVMBuildICmp(t->b, LLVMIntEQ, head, tr_const_i64(t, TEXTURE_HEAD | path), "");
    ir_branch(t->b, is, yes, no, yes);
    return no;
}

// Whether there are inlined paths for this read.
static bool may_inline(struct translator *t, enum image_geometry g, enum image_mode mode, uint32_t flags)
{
    bool fetch = g == IMAGE_1D && flags == IMAGE_INTEGER, sample = g <= IMAGE_3D && !flags;
    return mode == IMAGE_TEX && (fetch || sample) && t->inlined_reads < TUNE_TEXTURE_POINT_MAX;
}

static void read_inlined(struct translator *t, uint32_t flags, value handle, value out, const struct image_args *a,
                         LLVMBasicBlockRef after)
{
    value head = tr_image_field(t, handle, t->i64, offsetof(struct texture, head));
    bool fetch = flags & IMAGE_INTEGER;
    LLVMBasicBlockRef rest = branch_on_path(t, head, fetch ? PATH_FETCH : PATH_POINT);
    inline_read(t, fetch ? "fetch" : "point", handle, out, a);
    ir_jump(t->b, after, rest);
    t->inlined_reads += a->n;
}

static bool read_texture(struct translator *t, const struct ptx_insn *in, enum image_mode mode, uint32_t detail,
                         enum ptx_type coordinates)
{
    enum image_geometry g = IMAGE_1D;
    struct image_args a = {.n = 0};
    const struct ptx_operand *texture = &in->operands[1];
    uint32_t flags = coordinates == PTX_TYPE_F32 ? 0 : IMAGE_INTEGER;
    value handle = tr_get(t, &texture->list[0], PTX_TYPE_B64), word[RESULTS];
    if (!tr_image_geometry(t, in, &g) || !tr_image_coordinates(t, texture, g, coordinates, &a) ||
        !push_operands(t, in, g, mode, &a, &flags))
        return false;
    push_sampler(t, texture, &a, &flags);
    value out = tr_alloca_at_entry(t, LLVMArrayType2(t->i32, RESULTS), "texel");
    LLVMBasicBlockRef after = tr_block_new(t, "");
    if (may_inline(t, g, mode, flags))
        read_inlined(t, flags, handle, out, &a, after);
    value r = tr_image_call(t, image_op(g, mode, detail, flags), handle, &a);
    for (unsigned i = 0; i < RESULTS; i++)
        LLVMBuildStore(t->b, LLVMBuildExtractValue(t->b, r, i, ""), tr_step(t, out, 4 * i));
    ir_enter(t->b, after);
    for (unsigned i = 0; i < RESULTS; i++)
        word[i] = LLVMBuildLoad2(t->b, t->i32, tr_step(t, out, 4 * i), "");
    put_results(t, in, word);
    return true;
}

bool tr_emit_tex(struct translator *t, const struct ptx_insn *in)
{
    enum image_mode mode = MOD_OF(in, MIPMAP) == PTX_MOD_TEXLEVEL ? IMAGE_LEVEL
                           : MOD_OF(in, MIPMAP) == PTX_MOD_GRAD   ? IMAGE_GRAD
                                                                  : IMAGE_TEX;
    return read_texture(t, in, mode, 0, in->types[1]);
}

bool tr_emit_tld4(struct translator *t, const struct ptx_insn *in)
{
    unsigned c = MOD_OF(in, COMPONENT);
    uint32_t channel = c == PTX_MOD_R ? 0 : c == PTX_MOD_G ? 1 : c == PTX_MOD_B ? 2 : 3;
    return read_texture(t, in, IMAGE_GATHER, channel, PTX_TYPE_F32);
}

static const uint8_t queries[PTX_MOD_COUNT] = {
    [PTX_MOD_WIDTH] = IMAGE_WIDTH,           [PTX_MOD_HEIGHT] = IMAGE_HEIGHT,
    [PTX_MOD_DEPTH] = IMAGE_DEPTH,           [PTX_MOD_CHANNEL_DATA_TYPE] = IMAGE_DATA_TYPE,
    [PTX_MOD_CHANNEL_ORDER] = IMAGE_ORDER,   [PTX_MOD_NORMALIZED_COORDS] = IMAGE_NORMALIZED,
    [PTX_MOD_ARRAY_SIZE] = IMAGE_ARRAY_SIZE, [PTX_MOD_NUM_MIPMAP_LEVELS] = IMAGE_LEVELS,
    [PTX_MOD_NUM_SAMPLES] = IMAGE_SAMPLES,   [PTX_MOD_FILTER_MODE] = IMAGE_FILTER,
    [PTX_MOD_ADDR_MODE_0] = IMAGE_ADDRESS_0, [PTX_MOD_ADDR_MODE_1] = IMAGE_ADDRESS_1,
    [PTX_MOD_ADDR_MODE_2] = IMAGE_ADDRESS_2, [PTX_MOD_FORCE_UNNORMALIZED_COORDS] = IMAGE_UNNORMALIZED,
    [PTX_MOD_MEMORY_LAYOUT] = IMAGE_LAYOUT};

// txq, suq: d, [a] {, lod}
bool tr_emit_txq(struct translator *t, const struct ptx_insn *in)
{
    enum image_mode mode = in->op == PTX_OP_TXQ ? IMAGE_TXQ : IMAGE_SUQ;
    struct image_args a = {.n = 0};
    tr_image_push(&a, in->noperands > 2 ? tr_get(t, &in->operands[2], PTX_TYPE_U32) : tr_const_i32(t, 0));
    uint32_t op = image_op(IMAGE_1D, mode, queries[MOD_OF(in, QUERY)], 0);
    value r = tr_image_call(t, op, tr_get(t, &in->operands[1], PTX_TYPE_B64), &a);
    return tr_put(t, &in->operands[0], LLVMBuildExtractValue(t->b, r, 0, ""), PTX_TYPE_B32);
}

// istypep of a variable; of a register it would be a question to the descriptor behind it.
bool tr_emit_istypep(struct translator *t, const struct ptx_insn *in)
{
    const struct ptx_operand *a = &in->operands[1];
    if (a->kind == PTX_OPERAND_ADDRESS)
        a = &a->list[0]; // lack.def: a variable
    return tr_put(t, &in->operands[0], LLVMConstInt(t->i1, a->var->type == in->types[0], false), PTX_TYPE_PRED);
}
