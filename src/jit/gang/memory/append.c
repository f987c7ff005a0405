// SPDX-License-Identifier: Apache-2.0
// Appending: `int p = atomicAdd(&n, 1); out[p] = x;`. All lanes name one counter, so the gang takes elements for all that are active
// by one operation (gang/memory/atomic.c). Where the processor packs the active lanes of a vector (AVX-512), lane by lane they get the
// elements in order: what they store there lies side by side, and is one store of the packed vector.
#include "jit/gang/memory/access.h"
#include "jit/host/target.h"

bool append_fits(struct gang *g, LLVMValueRef inst)
{
    int64_t by;
    return g->width >= 8 && target_packs() && LLVMGetAtomicRMWBinOp(inst) == LLVMAtomicRMWBinOpAdd &&
           value_constant(LLVMGetOperand(inst, 1), &by) && by == 1;
}

static LLVMValueRef count_lanes(struct gang *g, LLVMValueRef word)
{
    LLVMTypeRef t = LLVMTypeOf(word);
    return ir_intrinsic(g->b, "llvm.ctpop", &t, 1, &word, 1);
}

// The number of each active lane among those that are, <W x i32>.
static LLVMValueRef number_lanes(struct gang *g, LLVMValueRef mask)
{
    LLVMValueRef parts[GANG_MAX / 8], before = gang_i32(g, 0);
    unsigned n = g->width < 16 ? g->width : 16;
    LLVMTypeRef t = LLVMVectorType(g->v->i32, n);
    for (unsigned i = 0; i * n < g->width; i++) {
        LLVMValueRef bits = gang_mask_bits(g, gang_slice(g, mask, i * n, n));
        LLVMValueRef args[3] = {gang_slice(g, gang_iota(g, g->v->i32), 0, n), LLVMConstNull(t), bits};
        parts[i] = ir_intrinsic(g->b, "llvm.x86.avx512.mask.expand", &t, 1, args, 3);
        parts[i] = LLVMBuildAdd(g->b, parts[i], gang_splat(g, before, n), "");
        LLVMValueRef word = LLVMBuildBitCast(g->b, bits, LLVMIntTypeInContext(g->v->context, n), "");
        before = LLVMBuildAdd(g->b, before, LLVMBuildZExt(g->b, count_lanes(g, word), g->v->i32, ""), "");
    }
    return g->width == n ? parts[0] : gang_concat(g, parts, g->width / n);
}

LLVMValueRef append_count(struct gang *g, LLVMTypeRef t, LLVMValueRef mask)
{
    LLVMValueRef n = mask ? count_lanes(g, gang_ballot(g, mask)) : gang_i32(g, g->width);
    return LLVMBuildZExtOrBitCast(g->b, n, t, "");
}

void append_take(struct gang *g, LLVMValueRef inst, LLVMValueRef mask, LLVMValueRef old)
{
    LLVMTypeRef t = LLVMTypeOf(inst);
    LLVMValueRef numbers = mask ? number_lanes(g, mask) : gang_iota(g, g->v->i32);
    numbers = LLVMBuildZExtOrBitCast(g->b, numbers, gang_lanes(g, t), "");
    gang_set_vector(g, inst, LLVMBuildAdd(g->b, gang_wide(g, old), numbers, ""));
    g->appended.inst = inst;
    g->appended.mask = mask;
    g->appended.old = old;
}

// base + index * size; the index is what the last append has taken, perhaps extended.
static bool match(struct gang *g, const struct access *a, LLVMValueRef *base, LLVMValueRef *index)
{
    int64_t shift;
    if (!ir_is_opcode(a->address, LLVMIntToPtr) || !ir_is_opcode(LLVMGetOperand(a->address, 0), LLVMAdd))
        return false;
    LLVMValueRef sum = LLVMGetOperand(a->address, 0);
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef scaled = LLVMGetOperand(sum, i), other = LLVMGetOperand(sum, 1 - i);
        if (!ir_is_opcode(scaled, LLVMShl) || !value_constant(LLVMGetOperand(scaled, 1), &shift) ||
            a->size != UINT64_C(1) << shift || !gang_is_uniform(g, other))
            continue;
        *base = other;
        *index = LLVMGetOperand(scaled, 0);
        LLVMValueRef taken =
            ir_is_opcode(*index, LLVMSExt) || ir_is_opcode(*index, LLVMZExt) ? LLVMGetOperand(*index, 0) : *index;
        return taken == g->appended.inst;
    }
    return false;
}

// Stores the active lanes side by side from p on.
static void store_packed(struct gang *g, const struct access *a, LLVMValueRef x, LLVMValueRef p)
{
    unsigned n = 64 / (unsigned)a->size;
    n = n < g->width ? n : g->width;
    LLVMTypeRef t = LLVMVectorType(a->type, n), whole = LLVMIntTypeInContext(g->v->context, n);
    for (unsigned first = 0; first < g->width; first += n) {
        LLVMValueRef bits = gang_mask_bits(g, gang_slice(g, a->mask, first, n));
        LLVMValueRef args[3] = {gang_slice(g, x, first, n), LLVMConstNull(t), bits};
        LLVMValueRef packed = ir_intrinsic(g->b, "llvm.x86.avx512.mask.compress", &t, 1, args, 3);
        LLVMValueRef word = LLVMBuildZExt(g->b, LLVMBuildBitCast(g->b, bits, whole, ""), g->v->i64, "");
        LLVMValueRef count = count_lanes(g, word);
        LLVMValueRef below = LLVMBuildShl(g->b, gang_i64(g, 1), count, "");
        below = LLVMBuildTrunc(g->b, LLVMBuildSub(g->b, below, gang_i64(g, 1), ""), whole, "");
        masked_store(g, packed, p, a->align, LLVMBuildBitCast(g->b, below, LLVMVectorType(g->v->i1, n), ""));
        p = gang_gep(g, p, LLVMBuildMul(g->b, count, gang_i64(g, (int64_t)a->size), ""));
    }
}

LLVMBasicBlockRef append_store(struct gang *g, const struct access *a, LLVMValueRef value)
{
    LLVMValueRef base, index, old = g->appended.old;
    LLVMTypeKind kind = LLVMGetTypeKind(a->type);
    bool fits = (a->size == 4 || a->size == 8) && kind != LLVMPointerTypeKind && kind != LLVMVectorTypeKind &&
                masked_fits(g, a);
    if (!g->appended.inst || !fits || g->appended.mask != a->mask ||
        LLVMGetInstructionParent(g->appended.inst) != LLVMGetInstructionParent(a->inst) || !match(g, a, &base, &index))
        return NULL;
    LLVMBasicBlockRef near = gang_block(g, "side_by_side"), far = gang_block(g, "wrapped"),
                      done = gang_block(g, "appended");
    LLVMTypeRef t = LLVMTypeOf(old);
    LLVMValueRef start = old, ok = gang_int(g->v->i1, 1);
    if (index != g->appended.inst) { // no lane's index wraps around
        bool sign = ir_is_opcode(index, LLVMSExt);
        uint64_t most = (UINT64_C(1) << (type_bits(t) - sign)) - 1 - g->width;
        ok = LLVMBuildICmp(g->b, sign ? LLVMIntSLE : LLVMIntULE, old, LLVMConstInt(t, most, 0), "");
        start = LLVMBuildCast(g->b, sign ? LLVMSExt : LLVMZExt, old, g->v->i64, "");
    }
    gang_branch_likely(g, ok, near, far, near);
    LLVMValueRef bytes = LLVMBuildMul(g->b, start, gang_i64(g, (int64_t)a->size), "");
    LLVMValueRef p = LLVMBuildIntToPtr(g->b, LLVMBuildAdd(g->b, gang_scalar(g, base), bytes, ""), g->v->ptr, "");
    if (a->mask)
        store_packed(g, a, gang_vector(g, value), p);
    else
        access_store(g, a, gang_vector(g, value), p);
    ir_jump(g->b, done, far);
    return done;
}
