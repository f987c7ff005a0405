// SPDX-License-Identifier: Apache-2.0
// Addresses of gathers and scatters as one scalar base and 32-bit indices, where the scalar code computed them so: the
// processor's instructions then take twice as many lanes as with 64-bit addresses. The address is a sum; what is the
// same for all lanes goes into the base. One term may vary: scale * extension of a 32-bit index with a scale that
// instructions have. In shared memory the terms that vary are summed in 32 bits, since a shared address has no more.
#include "jit/gang/memory/access.h"
#include "jit/host/target.h"

enum { TERMS = 8 };

struct terms {
    LLVMValueRef uniform[TERMS], varying[TERMS];
    unsigned nuniform, nvarying;
};

static bool is_byte_gep(LLVMValueRef x)
{
    return ir_is_byte_gep(x) && type_bits(LLVMTypeOf(LLVMGetOperand(x, 1))) == 64;
}

static bool split_terms(struct gang *g, LLVMValueRef x, struct terms *t)
{
    if (gang_is_uniform(g, x)) {
        if (t->nuniform == TERMS)
            return false;
        t->uniform[t->nuniform++] = x;
        return true;
    }
    if (ir_is_opcode(x, LLVMIntToPtr) && type_bits(LLVMTypeOf(LLVMGetOperand(x, 0))) == 64)
        return split_terms(g, LLVMGetOperand(x, 0), t);
    if (is_byte_gep(x) || ir_is_opcode(x, LLVMAdd))
        return split_terms(g, LLVMGetOperand(x, 0), t) && split_terms(g, LLVMGetOperand(x, 1), t);
    if (t->nvarying == TERMS || type_bits(LLVMTypeOf(x)) != 64 || LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMPointerTypeKind)
        return false;
    t->varying[t->nvarying++] = x;
    return true;
}

static LLVMValueRef as_i64(struct gang *g, LLVMValueRef value)
{
    LLVMValueRef x = gang_scalar(g, value);
    return LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMPointerTypeKind ? LLVMBuildPtrToInt(g->b, x, g->v->i64, "") : x;
}

// A pointer among the terms stays one, so that LLVM still knows what it points into.
static LLVMValueRef build_base(struct gang *g, const struct terms *t)
{
    LLVMValueRef base = NULL, sum = NULL;
    for (unsigned i = 0; i < t->nuniform; i++) {
        if (!base && LLVMGetTypeKind(LLVMTypeOf(t->uniform[i])) == LLVMPointerTypeKind) {
            base = gang_scalar(g, t->uniform[i]);
            continue;
        }
        LLVMValueRef x = as_i64(g, t->uniform[i]);
        sum = sum ? LLVMBuildAdd(g->b, sum, x, "") : x;
    }
    if (!base)
        return sum ? LLVMBuildIntToPtr(g->b, sum, g->v->ptr, "") : NULL;
    return sum ? gang_gep(g, base, sum) : base;
}

// scale * extension(index), with a scale that instructions have and an extension that keeps the sign; or (narrow) with an index of 16
// bits or less that counts upwards from 0.
static bool read_index(LLVMValueRef x, bool narrow, LLVMValueRef *index, unsigned *scale)
{
    int64_t c = 1;
    if (ir_is_opcode(x, LLVMShl) && value_constant(LLVMGetOperand(x, 1), &c)) {
        if (c < 0 || c > 8)
            return false;
        c = INT64_C(1) << c;
        x = LLVMGetOperand(x, 0);
    } else if (!narrow && ir_is_opcode(x, LLVMMul) && value_constant(LLVMGetOperand(x, 1), &c)) {
        x = LLVMGetOperand(x, 0);
    }
    bool up = ir_is_opcode(x, LLVMZExt);
    if (!up && !ir_is_opcode(x, LLVMSExt))
        return false;
    unsigned bits = type_bits(LLVMTypeOf(LLVMGetOperand(x, 0)));
    bool fits = narrow ? up && bits >= 8 && bits <= 16
                       : (c == 1 || c == 2 || c == 4 || c == 8) && (!up || LLVMGetNNeg(x)) && bits == 32;
    if (fits) {
        *index = LLVMGetOperand(x, 0);
        *scale = (unsigned)c;
    }
    return fits;
}

// The low 32 bits of a 64-bit value, computed in 32 bits as far down as that goes.
static LLVMValueRef narrow(struct gang *g, LLVMValueRef x, unsigned depth)
{
    LLVMTypeRef t = gang_lanes(g, g->v->i32);
    int64_t c;
    if (LLVMIsAInstruction(x) && depth) {
        LLVMOpcode op = LLVMGetInstructionOpcode(x);
        LLVMValueRef a = LLVMGetOperand(x, 0), b = LLVMGetNumOperands(x) > 1 ? LLVMGetOperand(x, 1) : NULL;
        if ((op == LLVMSExt || op == LLVMZExt) && type_bits(LLVMTypeOf(a)) == 32)
            return gang_vector(g, a);
        if (op == LLVMShl && value_constant(b, &c) && c >= 0 && c < 32)
            return LLVMBuildShl(g->b, narrow(g, a, depth - 1), gang_wide(g, gang_i32(g, c)), "");
        if (op == LLVMMul && value_constant(b, &c))
            return LLVMBuildMul(g->b, narrow(g, a, depth - 1), gang_wide(g, gang_i32(g, (int32_t)c)), "");
        if (op == LLVMAdd || op == LLVMSub)
            return LLVMBuildBinOp(g->b, op, narrow(g, a, depth - 1), narrow(g, b, depth - 1), "");
    }
    return LLVMBuildTrunc(g->b, gang_vector(g, x), t, "");
}

// Whether what varies are offsets alone, of 32 bits in shared memory and in arrays of the thread's own: the pointer is the same for
// all lanes. One that is made of numbers, as after a shuffle of addresses, varies with them.
static bool offsets_alone(const struct access *a, const struct terms *t)
{
    for (unsigned i = 0; (a->shared || a->own) && i < t->nuniform; i++)
        if (LLVMGetTypeKind(LLVMTypeOf(t->uniform[i])) == LLVMPointerTypeKind ||
            ir_is_opcode(t->uniform[i], LLVMPtrToInt))
            return true;
    return false;
}

static LLVMValueRef sum_narrow(struct gang *g, const struct terms *t)
{
    LLVMValueRef sum = narrow(g, t->varying[0], TERMS);
    for (unsigned i = 1; i < t->nvarying; i++)
        sum = LLVMBuildAdd(g->b, sum, narrow(g, t->varying[i], TERMS), "");
    return sum;
}

// What varies of an address, in 32 bits: an index of 16 bits or less, or all of it in shared memory and in arrays of the
// thread's own. NULL: neither.
static LLVMValueRef short_offsets(struct gang *g, const struct access *a, const struct terms *t)
{
    LLVMTypeRef lanes = gang_lanes(g, g->v->i32);
    LLVMValueRef index;
    unsigned scale;
    if (t->nvarying == 1 && read_index(t->varying[0], true, &index, &scale)) {
        LLVMValueRef at = LLVMBuildZExt(g->b, gang_vector(g, index), lanes, "");
        return LLVMBuildMul(g->b, at, gang_wide(g, gang_i32(g, scale)), "");
    }
    return offsets_alone(a, t) ? sum_narrow(g, t) : NULL;
}

bool gather_words_fit(struct gang *g, const struct access *a)
{
    return !g->v->arm && (a->size == 1 || a->size == 2) && a->align >= a->size && target_gathers(4) && g->width > 1 &&
           access_is_simple(a->inst);
}

LLVMValueRef gather_words(struct gang *g, const struct access *a)
{
    struct terms t = {0};
    struct vectoriser *v = g->v;
    LLVMValueRef at, pointers;
    LLVMTypeRef lanes = gang_lanes(g, v->i32), wide = gang_lanes(g, v->i64);
    LLVMTypeRef all = gang_lanes(g, v->ptr);
    if (split_terms(g, a->address, &t) && t.nvarying && t.nuniform && (at = short_offsets(g, a, &t)) != NULL) {
        LLVMValueRef base = LLVMBuildPtrToInt(g->b, build_base(g, &t), v->i64, "");
        LLVMValueRef words =
            LLVMBuildIntToPtr(g->b, LLVMBuildAnd(g->b, base, gang_i64(g, ~INT64_C(3)), ""), v->ptr, "");
        LLVMValueRef odd = LLVMBuildAnd(g->b, LLVMBuildTrunc(g->b, base, v->i32, ""), gang_i32(g, 3), "");
        at = LLVMBuildAdd(g->b, at, gang_wide(g, odd), "");
        LLVMValueRef word = LLVMBuildAnd(g->b, at, gang_wide(g, gang_i32(g, ~3)), "");
        word = LLVMBuildSExt(g->b, word, wide, "");
        pointers = LLVMBuildGEP2(g->b, LLVMIntTypeInContext(v->context, 8), words, &word, 1, "");
    } else {
        LLVMValueRef p = LLVMBuildPtrToInt(g->b, gang_vector(g, a->address), wide, "");
        at = LLVMBuildTrunc(g->b, p, lanes, "");
        p = LLVMBuildAnd(g->b, p, gang_wide(g, gang_i64(g, ~INT64_C(3))), "");
        pointers = LLVMBuildIntToPtr(g->b, p, all, "");
    }
    struct access words = *a;
    words.type = v->i32;
    words.size = words.align = 4;
    at = LLVMBuildAnd(g->b, at, gang_wide(g, gang_i32(g, 3)), "");
    at = LLVMBuildShl(g->b, at, gang_wide(g, gang_i32(g, 3)), "");
    LLVMValueRef x = LLVMBuildLShr(g->b, gather_build(g, &words, pointers), at, "");
    x = LLVMBuildTrunc(g->b, x, gang_lanes(g, LLVMIntTypeInContext(v->context, (unsigned)a->size * 8)), "");
    return LLVMBuildBitCast(g->b, x, gang_lanes(g, a->type), "");
}

LLVMValueRef gather_pointers(struct gang *g, const struct access *a)
{
    struct terms t = {0};
    LLVMValueRef base, index;
    unsigned scale = 1;
    LLVMTypeRef wide = gang_lanes(g, g->v->i64);
    if (g->v->arm || !split_terms(g, a->address, &t) || !t.nvarying || !t.nuniform)
        return gang_vector(g, a->address);
    if (t.nvarying == 1 && read_index(t.varying[0], false, &index, &scale))
        index = gang_vector(g, index);
    else if (offsets_alone(a, &t))
        index = sum_narrow(g, &t);
    else
        return gang_vector(g, a->address);
    base = build_base(g, &t);
    index = LLVMBuildSExt(g->b, index, wide, "");
    return LLVMBuildGEP2(g->b, LLVMIntTypeInContext(g->v->context, 8 * scale), base, &index, 1, "");
}

// A lane that takes no part gets the index of one that does: it reads what is read anyway. (Code under a mask runs where it has a lane.)
static LLVMValueRef active_indices(struct gang *g, LLVMValueRef index, LLVMValueRef mask)
{
    LLVMValueRef lane = LLVMBuildAnd(g->b, gang_lowest(g, gang_ballot(g, mask)), gang_i32(g, g->width - 1), "");
    LLVMValueRef one = LLVMBuildExtractElement(g->b, index, lane, "");
    return gang_blend(g, mask, index, gang_wide(g, one));
}

// n lanes from `first` on; two indices leave the vector at once.
static LLVMValueRef load_indices(struct gang *g, const struct access *a, LLVMValueRef base, unsigned scale,
                                 LLVMValueRef index, unsigned first, unsigned n)
{
    if (lane_access_fits(g, a))
        return lane_access_load(g, a, &(struct lane_addresses){base, index, scale, NULL}, first, n);
    LLVMTypeRef unit = LLVMIntTypeInContext(g->v->context, 8 * scale);
    LLVMValueRef pairs = LLVMBuildBitCast(g->b, index, LLVMVectorType(g->v->i64, g->width / 2), "");
    LLVMValueRef r = LLVMGetPoison(LLVMVectorType(a->type, n));
    for (unsigned l = first; l < first + n; l++) {
        LLVMValueRef pair = gang_lane(g, pairs, l / 2);
        LLVMValueRef i = l % 2 ? LLVMBuildAShr(g->b, pair, gang_i64(g, 32), "")
                               : LLVMBuildSExt(g->b, LLVMBuildTrunc(g->b, pair, g->v->i32, ""), g->v->i64, "");
        LLVMValueRef p = LLVMBuildGEP2(g->b, unit, base, &i, 1, "");
        r = LLVMBuildInsertElement(g->b, r, access_load(g, a, a->type, p), gang_i64(g, l - first), "");
    }
    return r;
}

// Of lanes that lie side by side, as at the end of a row: registers in which there is none are passed over, by branches that change their mind
// once or twice.
enum { QUARTER = 4 };

static LLVMValueRef load_quarters(struct gang *g, const struct access *a, LLVMValueRef base, unsigned scale,
                                  LLVMValueRef index)
{
    LLVMValueRef part[GANG_MAX / QUARTER], word = gang_ballot(g, a->mask);
    for (unsigned k = 0; k < g->width / QUARTER; k++) {
        LLVMBasicBlockRef from = LLVMGetInsertBlock(g->b), some = gang_block(g, "quarter"),
                          next = gang_block(g, "next");
        LLVMValueRef bits = LLVMBuildAnd(g->b, word, gang_i32(g, (int32_t)(15u << QUARTER * k)), "");
        ir_branch(g->b, LLVMBuildIsNotNull(g->b, bits, ""), some, next, some);
        LLVMValueRef x = load_indices(g, a, base, scale, index, QUARTER * k, QUARTER);
        ir_enter(g->b, next);
        part[k] = ir_phi(g->b, LLVMGetPoison(LLVMTypeOf(x)), from, x, some);
    }
    return gang_concat(g, part, g->width / QUARTER);
}

// An address register and a 32-bit index for each lane, where 64-bit pointers would be computed as vectors and taken apart one by one.
LLVMValueRef gather_lanes(struct gang *g, const struct access *a)
{
    struct terms t = {0};
    LLVMValueRef index, base;
    unsigned scale = 1;
    if (g->width < 4 || !split_terms(g, a->address, &t) || !t.nvarying || !t.nuniform)
        return NULL;
    if (t.nvarying == 1 && read_index(t.varying[0], false, &index, &scale))
        index = gang_vector(g, index);
    else if (offsets_alone(a, &t))
        index = sum_narrow(g, &t);
    else
        return NULL;
    base = build_base(g, &t);
    if (a->mask)
        index = active_indices(g, index, a->mask);
    if (a->mask && a->mask == g->run && g->width > QUARTER)
        return load_quarters(g, a, base, scale, index);
    return load_indices(g, a, base, scale, index, 0, g->width);
}

bool shared_offsets(struct gang *g, LLVMValueRef address, LLVMValueRef *base, LLVMValueRef *offsets)
{
    struct terms t = {0};
    LLVMValueRef sum = NULL, pointer = NULL;
    if (!split_terms(g, address, &t) || !t.nvarying)
        return false;
    for (unsigned i = 0; i < t.nuniform; i++) {
        LLVMValueRef x = t.uniform[i], more = NULL;
        if (LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMPointerTypeKind) {
            if (pointer)
                return false;
            more = is_byte_gep(x) ? LLVMGetOperand(x, 1) : NULL;
            pointer = more ? LLVMGetOperand(x, 0) : x;
            if (op_of(pointer) != OP_SHARED)
                return false;
        } else {
            more = x;
        }
        if (!more)
            continue;
        LLVMValueRef low = LLVMBuildTrunc(g->b, gang_scalar(g, more), g->v->i32, "");
        sum = sum ? LLVMBuildAdd(g->b, sum, low, "") : low;
    }
    if (!pointer)
        return false;
    *base = gang_scalar(g, pointer);
    *offsets = sum_narrow(g, &t);
    if (sum)
        *offsets = LLVMBuildAdd(g->b, *offsets, gang_wide(g, sum), "");
    return true;
}

static LLVMValueRef below(struct gang *g, LLVMValueRef x, uint32_t limit)
{
    LLVMTypeRef t = LLVMGetElementType(LLVMTypeOf(x));
    return LLVMBuildICmp(g->b, LLVMIntULT, x, gang_wide(g, LLVMConstInt(t, limit, 0)), "");
}

bool offsets_within(struct gang *g, LLVMValueRef address, bool (*leaf)(LLVMValueRef call), uint32_t limit,
                    LLVMValueRef *base, LLVMValueRef *offsets, LLVMValueRef *inside)
{
    struct terms t = {0};
    LLVMValueRef index;
    unsigned scale = 1;
    if (!split_terms(g, address, &t) || !t.nvarying || !t.nuniform)
        return false;
    for (unsigned i = 0; i < t.nuniform; i++)
        if (!ir_made_of(t.uniform[i], TERMS, leaf))
            return false;
    *base = build_base(g, &t);
    if (t.nvarying == 1 && read_index(t.varying[0], false, &index, &scale)) {
        index = gang_vector(g, index);
        *inside = below(g, index, limit / scale);
        *offsets = LLVMBuildMul(g->b, index, gang_wide(g, gang_i32(g, scale)), "");
        return true;
    }
    LLVMValueRef sum = gang_vector(g, t.varying[0]);
    for (unsigned i = 1; i < t.nvarying; i++)
        sum = LLVMBuildAdd(g->b, sum, gang_vector(g, t.varying[i]), "");
    *inside = below(g, sum, limit);
    *offsets = LLVMBuildTrunc(g->b, sum, gang_lanes(g, g->v->i32), "");
    return true;
}
