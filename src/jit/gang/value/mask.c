// SPDX-License-Identifier: Apache-2.0
// Masks: <W x i32> of 0 and -1, since vectors of i1 that live in loops cost 1.5 to 3.5 times as much. Conditions are
// frozen where they become masks: inactive lanes may hold poison, and one poisoned lane must not spoil any() of all.
#include "jit/gang/gang.h"

LLVMValueRef gang_mask_bits(struct gang *g, LLVMValueRef mask)
{
    return LLVMBuildICmp(g->b, LLVMIntSLT, mask, LLVMConstNull(LLVMTypeOf(mask)), "");
}

LLVMValueRef gang_mask_of(struct gang *g, LLVMValueRef bits)
{
    return LLVMBuildSExt(g->b, bits, g->v->mask, "");
}

LLVMValueRef gang_mask_all_ones(struct gang *g)
{
    return gang_wide(g, gang_i32(g, -1));
}

LLVMValueRef gang_mask_constant(struct gang *g, uint32_t lanes)
{
    int64_t word[GANG_MAX];
    for (unsigned l = 0; l < g->width; l++)
        word[l] = -(int64_t)(lanes >> l & 1);
    return gang_offsets(g, g->v->i32, word);
}

bool gang_mask_known(struct gang *g, LLVMValueRef mask, uint32_t *lanes)
{
    *lanes = 0;
    if (!mask || !LLVMIsConstant(mask))
        return false;
    for (unsigned l = 0; l < g->width; l++) {
        LLVMValueRef x = gang_lane(g, mask, l);
        if (!LLVMIsAConstantInt(x))
            return false;
        *lanes |= (uint32_t)(LLVMConstIntGetZExtValue(x) != 0) << l;
    }
    return true;
}

LLVMValueRef gang_freeze(struct gang *g, LLVMValueRef x)
{
    uint32_t lanes;
    return LLVMTypeOf(x) == g->v->mask && gang_mask_known(g, x, &lanes) ? x : LLVMBuildFreeze(g->b, x, "");
}

int gang_mask_lane(struct gang *g, LLVMValueRef mask)
{
    uint32_t lanes;
    return gang_mask_known(g, mask, &lanes) && lanes && !(lanes & (lanes - 1)) ? __builtin_ctz(lanes) : -1;
}

static LLVMValueRef reduce(struct gang *g, const char *name, LLVMValueRef x)
{
    LLVMTypeRef t = LLVMTypeOf(x);
    return ir_intrinsic(g->b, name, &t, 1, &x, 1);
}

// On AArch64 the quarters are OR-ed and the maximum taken by NEON's own instruction: the generic reduction of a sign
// extended i1 is rewritten into a slow packing of bits.
LLVMValueRef gang_any(struct gang *g, LLVMValueRef mask)
{
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(mask));
    if (n == 1)
        return LLVMBuildIsNotNull(g->b, gang_lane(g, mask, 0), "any");
    if (LLVMIsConstant(mask) || !g->v->arm || n < 4)
        return LLVMBuildIsNotNull(g->b, reduce(g, "llvm.vector.reduce.or", mask), "any");
    LLVMValueRef part[GANG_MAX / 4];
    unsigned count = n / 4;
    for (unsigned k = 0; k < count; k++)
        part[k] = gang_slice(g, mask, 4 * k, 4);
    for (; count > 1; count /= 2)
        for (unsigned k = 0; k < count / 2; k++)
            part[k] = LLVMBuildOr(g->b, part[k], part[k + count / 2], "");
    LLVMTypeRef overload[2] = {g->v->i32, LLVMTypeOf(part[0])};
    LLVMValueRef top = ir_intrinsic(g->b, "llvm.aarch64.neon.umaxv", overload, 2, part, 1);
    return LLVMBuildIsNotNull(g->b, top, "any");
}

// AArch64: of lanes side by side, as those whose index is below a bound, the first one or the last one is set; only where neither is the others
// are asked, by instructions that wait for each other.
LLVMBasicBlockRef gang_branch_any(struct gang *g, LLVMValueRef mask, LLVMBasicBlockRef some, LLVMBasicBlockRef none)
{
    if (g->v->arm && g->width > 4) {
        LLVMBasicBlockRef ask = gang_block(g, "ask");
        LLVMValueRef ends = LLVMBuildOr(g->b, gang_lane(g, mask, 0), gang_lane(g, mask, g->width - 1), "");
        ir_branch(g->b, LLVMBuildIsNotNull(g->b, ends, ""), some, ask, ask);
    }
    LLVMBasicBlockRef asked = LLVMGetInsertBlock(g->b);
    ir_branch(g->b, gang_any(g, mask), some, none, some);
    return asked;
}

LLVMValueRef gang_all(struct gang *g, LLVMValueRef mask)
{
    return LLVMBuildNot(g->b, gang_any(g, LLVMBuildNot(g->b, mask, "")), "all");
}

// AArch64: a bit of each lane's byte, sums of two, of four, of eight bytes side by side. (LLVM takes two halves of a warp through memory.)
static LLVMValueRef ballot_bytes(struct gang *g, LLVMValueRef mask)
{
    enum { BYTES = 16 };
    LLVMTypeRef i8 = LLVMIntTypeInContext(g->v->context, 8), bytes = LLVMVectorType(i8, BYTES);
    int64_t bit[GANG_MAX];
    for (unsigned l = 0; l < g->width; l++)
        bit[l] = (int8_t)(1u << l % 8);
    LLVMValueRef x = LLVMBuildTrunc(g->b, mask, gang_lanes(g, i8), "");
    x = LLVMBuildAnd(g->b, x, gang_offsets(g, i8, bit), "");
    LLVMValueRef sum = gang_slice(g, x, 0, BYTES), other = g->width > BYTES ? gang_slice(g, x, BYTES, BYTES) : sum;
    for (unsigned i = 0; i < 3; i++) {
        LLVMValueRef pair[2] = {sum, i ? sum : other};
        sum = ir_intrinsic(g->b, "llvm.aarch64.neon.addp", &bytes, 1, pair, 2);
    }
    LLVMTypeRef word = LLVMIntTypeInContext(g->v->context, g->width);
    sum = LLVMBuildBitCast(g->b, sum, LLVMVectorType(word, 128 / g->width), "");
    return LLVMBuildZExt(g->b, gang_lane(g, sum, 0), g->v->i32, "");
}

// Sixteen lanes at a time: that is what back ends turn into few instructions.
LLVMValueRef gang_ballot(struct gang *g, LLVMValueRef mask)
{
    if (g->v->arm && g->width >= 16 && LLVMTypeOf(mask) == g->v->mask && !LLVMIsConstant(mask))
        return ballot_bytes(g, mask);
    LLVMValueRef bits = gang_mask_bits(g, mask), word = NULL;
    unsigned n = g->width < 16 ? g->width : 16;
    LLVMTypeRef t = LLVMIntTypeInContext(g->v->context, n);
    for (unsigned first = 0; first < g->width; first += n) {
        LLVMValueRef part = LLVMBuildBitCast(g->b, gang_slice(g, bits, first, n), t, "");
        part = LLVMBuildZExt(g->b, part, g->v->i32, "");
        if (first)
            part = LLVMBuildShl(g->b, part, gang_i32(g, first), "");
        word = word ? LLVMBuildOr(g->b, word, part, "") : part;
    }
    return word;
}

LLVMValueRef gang_mask_unballot(struct gang *g, LLVMValueRef word)
{
    int64_t bit[GANG_MAX];
    for (unsigned l = 0; l < g->width; l++)
        bit[l] = (int32_t)(1u << l);
    LLVMValueRef bits = gang_offsets(g, g->v->i32, bit);
    LLVMValueRef x = LLVMBuildAnd(g->b, gang_wide(g, word), bits, "");
    return gang_mask_of(g, LLVMBuildICmp(g->b, LLVMIntNE, x, LLVMConstNull(g->v->mask), ""));
}

// On AArch64 a bitwise choice, which is one instruction; it needs both sides frozen, since it would spread poison.
static LLVMValueRef blend_bits(struct gang *g, LLVMValueRef mask, LLVMValueRef a, LLVMValueRef b)
{
    LLVMTypeRef t = LLVMTypeOf(a);
    LLVMValueRef x = LLVMBuildBitCast(g->b, gang_freeze(g, a), g->v->mask, "");
    LLVMValueRef y = LLVMBuildBitCast(g->b, gang_freeze(g, b), g->v->mask, "");
    x = LLVMBuildAnd(g->b, x, mask, "");
    y = LLVMBuildAnd(g->b, y, LLVMBuildNot(g->b, mask, ""), "");
    return LLVMBuildBitCast(g->b, LLVMBuildOr(g->b, x, y, ""), t, "");
}

LLVMValueRef gang_blend(struct gang *g, LLVMValueRef mask, LLVMValueRef a, LLVMValueRef b)
{
    if (!mask || a == b || value_is_undef(b))
        return a;
    if (value_is_undef(a))
        return b;
    if (LLVMGetTypeKind(LLVMTypeOf(a)) == LLVMStructTypeKind) {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(LLVMTypeOf(a)); i++) {
            LLVMValueRef x = LLVMBuildExtractValue(g->b, a, i, ""), y = LLVMBuildExtractValue(g->b, b, i, "");
            a = LLVMBuildInsertValue(g->b, a, gang_blend(g, mask, x, y), i, "");
        }
        return a;
    }
    LLVMTypeRef e = LLVMGetElementType(LLVMTypeOf(a));
    LLVMTypeKind k = LLVMGetTypeKind(e);
    bool word = k == LLVMFloatTypeKind || (k == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(e) == 32);
    if (g->v->arm && word && LLVMTypeOf(mask) == g->v->mask)
        return blend_bits(g, mask, a, b);
    return LLVMBuildSelect(g->b, gang_mask_bits(g, mask), a, b, "");
}
