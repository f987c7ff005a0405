// SPDX-License-Identifier: Apache-2.0
// "Warp Level Matrix Instructions" of the PTX manual: mma, wmma, ldmatrix, stmatrix, movmatrix.
//
// Fragments of mma lie as the manual prescribes. With g = lane / 4 and t = lane % 4, and P elements in a word, word r
// of A holds row g + 8 (r % 2) (M = 16) and columns (r / 2) 4P + t P ...; word r of B column g and rows r 4P + t P ...;
// C and D rows g + 8 (r / 2) and columns 2t + r % 2. Those of wmma are free to lie as they like: a lane owns one row of
// A, one column of B and as many elements of a row of C as follow. Each lane computes its own elements of D, and gets
// words of the others by shuffles. Sums run in the order of k, each product exact and each addition rounded once;
// differs from PTX, where the order is not specified.
//
// All of that is for gangs that are less than a warp. Where the gang is one, an instruction is a call to the engine
// (jit/abi/matrix.h), which computes the same.
#include "jit/abi/matrix.h"
#include "jit/translate/emit.h"
#include <stdio.h>

enum { MAX_WORDS = 32 };

static value lane(struct translator *t)
{
    return tr_op(t, OP_LANEID, NULL, 0);
}

static value shuffle32(struct translator *t, value v, value from)
{
    value args[4] = {tr_const_i32(t, UINT32_MAX), v, from, tr_const_i32(t, 31)};
    return tr_op(t, OP_SHFL_IDX, args, 4);
}

// The word of another lane, of 32 or 64 bits.
static value shuffle(struct translator *t, value v, value from)
{
    if (LLVMTypeOf(v) == t->i32)
        return shuffle32(t, v, from);
    value lo = shuffle32(t, tr_part(t, v, 0, t->i32), from), hi = shuffle32(t, tr_part(t, v, 32, t->i32), from);
    hi = LLVMBuildShl(t->b, LLVMBuildZExt(t->b, hi, t->i64, ""), tr_const_i64(t, 32), "");
    return LLVMBuildOr(t->b, LLVMBuildZExt(t->b, lo, t->i64, ""), hi, "");
}

static value mul_add(struct translator *t, value v, unsigned factor, value plus)
{
    return LLVMBuildAdd(t->b, LLVMBuildMul(t->b, v, tr_const_i32(t, factor), ""), plus, "");
}

// --- elements ---

// Element e of a word as f32, f64 or i32.
static value element(struct translator *t, value word, enum ptx_type ty, unsigned e)
{
    unsigned bits = 32 / support_per_word(ty);
    if (ty == PTX_TYPE_F64)
        return tr_bits_cast(t, word, t->f64);
    if (ty == PTX_TYPE_F32)
        return tr_bits_cast(t, word, t->f32);
    if (ty == PTX_TYPE_S32)
        return word;
    if (ty == PTX_TYPE_TF32)
        return tr_bits_cast(t, LLVMBuildAnd(t->b, word, tr_const_i32(t, 0xffffe000), ""), t->f32);
    value v = tr_part(t, word, e * bits, tr_type_int(t, bits));
    if (tr_is_half(ty))
        return tr_half_get(t, v, ty);
    if (ty == PTX_TYPE_E4M3 || ty == PTX_TYPE_E5M2)
        return tr_call_lib(t, t->f32, ty == PTX_TYPE_E4M3 ? "heddle_f32_from_e4m3" : "heddle_f32_from_e5m2", &v, 1);
    return tr_bits_resize(t, v, t->i32, ty == PTX_TYPE_S8);
}

// sum + a * b in the accumulator's type; integers that will be clamped add up in 64 bits
static value accumulate(struct translator *t, value sum, value a, value b)
{
    LLVMTypeRef type = LLVMTypeOf(sum);
    if (type == t->i32 || type == t->i64) {
        value p = LLVMBuildMul(t->b, a, b, "");
        return LLVMBuildAdd(t->b, sum, tr_bits_resize(t, p, type, true), "");
    }
    return tr_call_intrinsic3(t, "llvm.fma", type, a, b, sum);
}

static bool wrong_count(struct translator *t)
{
    return tr_fail(t, "wrong number of registers for this shape");
}

static unsigned get_words(struct translator *t, const struct ptx_operand *o, enum ptx_type ty, value *words)
{
    unsigned n = tr_elements(o);
    for (unsigned i = 0; i < n && i < MAX_WORDS; i++)
        words[i] = tr_get(t, tr_element(o, i), ty == PTX_TYPE_F64 ? PTX_TYPE_B64 : PTX_TYPE_B32);
    return n;
}

// Accumulators one by one, unpacked from their words.
static unsigned get_sums(struct translator *t, const struct ptx_operand *o, enum ptx_type ty, value *sums)
{
    value words[MAX_WORDS];
    unsigned n = get_words(t, o, ty, words), p = support_per_word(ty), k = 0;
    for (unsigned i = 0; i < n && i < MAX_WORDS; i++) {
        for (unsigned e = 0; e < p && k < MAX_WORDS; e++)
            sums[k++] = element(t, words[i], ty, e);
    }
    return k;
}

static void widen_sums(struct translator *t, value *sums, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        sums[i] = LLVMBuildSExt(t->b, sums[i], t->i64, "");
}

static void clamp_sums(struct translator *t, value *sums, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        value v = tr_call_intrinsic2(t, "llvm.smin", t->i64, sums[i], tr_const_i64(t, INT32_MAX));
        v = tr_call_intrinsic2(t, "llvm.smax", t->i64, v, tr_const_i64(t, (uint64_t)INT32_MIN));
        sums[i] = LLVMBuildTrunc(t->b, v, t->i32, "");
    }
}

static bool put_sums(struct translator *t, const struct ptx_operand *o, enum ptx_type ty, value *sums, unsigned nsums)
{
    unsigned n = tr_elements(o);
    if (n * support_per_word(ty) != nsums)
        return wrong_count(t);
    for (unsigned i = 0; i < n; i++) {
        if (ty != PTX_TYPE_F16) {
            tr_put(t, tr_element(o, i), sums[i], ty);
            continue;
        }
        value lo = tr_half_put(t, sums[2 * i], ty), hi = tr_half_put(t, sums[2 * i + 1], ty);
        tr_put(t, tr_element(o, i), tr_pair(t, lo, hi), PTX_TYPE_B32);
    }
    return true;
}

// --- a warp at once ---

static enum matrix_type matrix_type_of(enum ptx_type ty)
{
    static const enum matrix_type of[PTX_TYPE_COUNT] = {[PTX_TYPE_F16] = MATRIX_F16,   [PTX_TYPE_BF16] = MATRIX_BF16,
                                                        [PTX_TYPE_TF32] = MATRIX_TF32, [PTX_TYPE_F64] = MATRIX_F64,
                                                        [PTX_TYPE_S8] = MATRIX_S8,     [PTX_TYPE_U8] = MATRIX_U8,
                                                        [PTX_TYPE_S32] = MATRIX_S32,   [PTX_TYPE_E4M3] = MATRIX_E4M3,
                                                        [PTX_TYPE_E5M2] = MATRIX_E5M2, [PTX_TYPE_F32] = MATRIX_F32};
    return of[ty];
}

// Calls the engine when the lanes of the warp have come together. `made` words of 32 or 64 bits come back; NULL: none.
static value call_engine(struct translator *t, const struct matrix_op *o, value address, value *words, unsigned nwords,
                         LLVMTypeRef word, unsigned made)
{
    value all = tr_const_i32(t, UINT32_MAX), args[2 + 3 * MAX_WORDS];
    tr_op(t, OP_WARP_JOIN, &all, 1);
    uint32_t op = matrix_encode(o);
    char name[40];
    snprintf(name, sizeof name, "%u", op);
    args[0] = tr_const_i32(t, op);
    args[1] = address ? LLVMBuildPtrToInt(t->b, address, t->i64, "") : tr_const_i64(t, 0);
    for (unsigned i = 0; i < nwords; i++)
        args[2 + i] = words[i];
    LLVMTypeRef fields[MAX_WORDS];
    for (unsigned i = 0; i < made; i++)
        fields[i] = word;
    LLVMTypeRef result = made ? LLVMStructTypeInContext(t->cx, fields, made, false) : t->tvoid;
    value r = tr_op_typed(t, OP_RT_MATRIX, name, result, args, nwords + 2);
    if (!address)
        ir_set_memory(LLVMGetCalledValue(r), MEMORY_INACCESSIBLE);
    return made ? r : NULL;
}

// The words of a result; those that the matrix has no need of are zero.
static void put_words(struct translator *t, const struct ptx_operand *o, value made, unsigned nmade, enum ptx_type ty)
{
    enum ptx_type as = ty == PTX_TYPE_F64 ? PTX_TYPE_B64 : PTX_TYPE_B32;
    for (unsigned i = 0; i < tr_elements(o); i++) {
        value v = i < nmade ? LLVMBuildExtractValue(t->b, made, i, "") : tr_const_int(tr_type_of(t, as), 0);
        tr_put(t, tr_element(o, i), v, as);
    }
}

// mma, wmma.mma. need: the words of A, B, C and D.
static bool multiply(struct translator *t, const struct ptx_insn *in, struct matrix_op o, const enum ptx_type *types,
                     const unsigned *need)
{
    value words[3 * MAX_WORDS], all[MAX_WORDS];
    unsigned n = 0;
    for (unsigned i = 0; i < 3; i++) {
        unsigned which = i < 2 && o.action == MATRIX_WMMA && in->shape[1] < in->shape[0] ? 1 - i : i;
        unsigned have = get_words(t, &in->operands[1 + which], types[1 + which], all);
        if (have < need[which] || have > MAX_WORDS)
            return wrong_count(t);
        for (unsigned k = 0; k < need[which]; k++)
            words[n++] = all[k];
    }
    if (tr_elements(&in->operands[0]) < need[3])
        return wrong_count(t);
    value r = call_engine(t, &o, NULL, words, n, types[0] == PTX_TYPE_F64 ? t->i64 : t->i32, need[3]);
    put_words(t, &in->operands[0], r, need[3], types[0]);
    return true;
}

// --- mma ---

static struct matrix_op product_op(const struct ptx_insn *in, enum matrix_action action, const enum ptx_type *types)
{
    return (struct matrix_op){.action = action,
                              .m = in->shape[0],
                              .n = in->shape[1],
                              .k = in->shape[2],
                              .a = matrix_type_of(types[1]),
                              .b = matrix_type_of(types[2]),
                              .c = matrix_type_of(types[3]),
                              .d = matrix_type_of(types[0]),
                              .sat = MOD_OF(in, SAT)};
}

static bool mma_warp(struct translator *t, const struct ptx_insn *in)
{
    const enum ptx_type types[4] = {in->types[0], in->types[1], in->types[2], in->types[3]};
    unsigned m = in->shape[0], p = support_per_word(types[1]), chunks = in->shape[2] / (4 * p);
    unsigned sums = m / 4,
             need[4] = {chunks * (m / 8), chunks, sums / support_per_word(types[3]), sums / support_per_word(types[0])};
    for (unsigned i = 0; i < 4; i++)
        if (tr_elements(&in->operands[i]) != need[(i + 3) % 4])
            return wrong_count(t);
    return multiply(t, in, product_op(in, MATRIX_MMA, types), types, need);
}

bool tr_emit_mma(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type dt = in->types[0], at = in->types[1], bt = in->types[2], ct = in->types[3];
    unsigned m = in->shape[0], k = in->shape[2], p = support_per_word(at), halves = m / 8;
    if (t->whole_warps)
        return mma_warp(t, in);
    value a[MAX_WORDS], b[MAX_WORDS], sums[MAX_WORDS], l = lane(t);
    unsigned na = get_words(t, &in->operands[1], at, a), nb = get_words(t, &in->operands[2], bt, b);
    unsigned chunks = k / (4 * p), n = get_sums(t, &in->operands[3], ct, sums);
    if (na != chunks * halves || nb != chunks || n != 2 * halves)
        return wrong_count(t);
    if (MOD_OF(in, SAT))
        widen_sums(t, sums, n);
    value quad = LLVMBuildAnd(t->b, l, tr_const_i32(t, ~3u), "");
    value columns = LLVMBuildShl(t->b, LLVMBuildAnd(t->b, l, tr_const_i32(t, 3), ""), tr_const_i32(t, 3), "");
    for (unsigned c = 0; c < chunks; c++) {
        for (unsigned q = 0; q < 4; q++) {
            value row = LLVMBuildAdd(t->b, quad, tr_const_i32(t, q), ""), aw[2], bw[2];
            for (unsigned h = 0; h < halves; h++)
                aw[h] = shuffle(t, a[c * halves + h], row);
            for (unsigned j = 0; j < 2; j++)
                bw[j] = shuffle(t, b[c], LLVMBuildAdd(t->b, columns, tr_const_i32(t, 4 * j + q), ""));
            for (unsigned e = 0; e < p; e++) {
                for (unsigned i = 0; i < n; i++)
                    sums[i] = accumulate(t, sums[i], element(t, aw[i / 2], at, e), element(t, bw[i % 2], bt, e));
            }
        }
    }
    if (MOD_OF(in, SAT))
        clamp_sums(t, sums, n);
    return put_sums(t, &in->operands[0], dt, sums, n);
}

// --- wmma ---

static unsigned element_bytes(enum ptx_type ty)
{
    return ty == PTX_TYPE_TF32 ? 4 : ptx_type_bytes(ty);
}

// Where a lane's elements lie in the matrix: it owns line `line` (a row of A and C, a column of B), from `first` on.
struct owned {
    value line, first;
    unsigned count; // elements of this lane
};

// A fragment holds the line of its lane whole, or its share where several lanes have one line.
static bool fits(const struct ptx_insn *in, unsigned matrix, unsigned elements)
{
    unsigned lines = matrix == PTX_MOD_B ? in->shape[1] : in->shape[0];
    unsigned length = matrix == PTX_MOD_A || matrix == PTX_MOD_B ? in->shape[2] : in->shape[1];
    bool whole = matrix == PTX_MOD_A || matrix == PTX_MOD_B;
    if (!lines || lines > 32 || 32 % lines)
        return false;
    return (whole && elements == length) || elements * (32 / lines) == length;
}

static struct owned owned_part(struct translator *t, const struct ptx_insn *in, unsigned matrix, unsigned elements)
{
    unsigned lines = matrix == PTX_MOD_B ? in->shape[1] : in->shape[0];
    unsigned length = matrix == PTX_MOD_A || matrix == PTX_MOD_B ? in->shape[2] : in->shape[1];
    unsigned share = 32 / lines; // lanes a line
    value l = lane(t), zero = tr_const_i32(t, 0);
    struct owned o = {LLVMBuildUDiv(t->b, l, tr_const_i32(t, share), ""), zero, elements};
    if (elements < length)
        o.first = mul_add(t, LLVMBuildURem(t->b, l, tr_const_i32(t, share), ""), elements, zero);
    return o;
}

// The address of element e of the lane's part.
static value element_address(struct translator *t, const struct ptx_insn *in, unsigned matrix, const struct owned *o,
                             value base, value stride, unsigned e, enum ptx_type ty)
{
    value along = LLVMBuildAdd(t->b, o->first, tr_const_i32(t, e), "");
    bool lines_are_rows = matrix != PTX_MOD_B, row_major = MOD_OF(in, LAYOUT) == PTX_MOD_ROW;
    // The index that the stride multiplies is the row in row-major order, the column in column-major order.
    value outer = lines_are_rows == row_major ? o->line : along, inner = lines_are_rows == row_major ? along : o->line;
    value at = LLVMBuildAdd(t->b, LLVMBuildMul(t->b, outer, stride, ""), inner, "");
    at = LLVMBuildMul(t->b, LLVMBuildZExt(t->b, at, t->i64, ""), tr_const_i64(t, element_bytes(ty)), "");
    return tr_gep(t, base, at);
}

static value default_stride(struct translator *t, const struct ptx_insn *in, unsigned matrix)
{
    bool row = MOD_OF(in, LAYOUT) == PTX_MOD_ROW;
    unsigned rows = matrix == PTX_MOD_B ? in->shape[2] : in->shape[0];
    unsigned columns = matrix == PTX_MOD_A ? in->shape[2] : in->shape[1];
    return tr_const_i32(t, row ? columns : rows);
}

// The engine's order of a fragment: m x n with m <= n, so where there are more rows than columns the transposed matrices.
static struct matrix_op move_op(const struct ptx_insn *in, enum matrix_action action, unsigned matrix)
{
    bool swap = in->shape[1] < in->shape[0];
    struct matrix_op o = {.action = action,
                          .m = in->shape[swap],
                          .n = in->shape[!swap],
                          .k = in->shape[2],
                          .a = matrix_type_of(in->types[0]),
                          .columns = (MOD_OF(in, LAYOUT) != PTX_MOD_ROW) != swap};
    bool first = matrix == PTX_MOD_A, second = matrix == PTX_MOD_B;
    o.role = swap ? (first ? MATRIX_B : second ? MATRIX_A : MATRIX_C) : first ? MATRIX_A : second ? MATRIX_B : MATRIX_C;
    return o;
}

static unsigned needed_words(const struct matrix_op *o)
{
    unsigned elements = o->role == MATRIX_A ? o->m * o->k : o->role == MATRIX_B ? o->k * o->n : o->m * o->n;
    return matrix_words(elements, o->a);
}

static bool move_warp(struct translator *t, const struct ptx_insn *in, enum matrix_action action, unsigned matrix)
{
    enum ptx_type ty = in->types[0];
    struct matrix_op o = move_op(in, action, matrix);
    bool load = action == MATRIX_LOAD;
    const struct ptx_operand *fragment = &in->operands[load ? 0 : 1];
    unsigned need = needed_words(&o);
    if (tr_elements(fragment) < need || tr_elements(fragment) > MAX_WORDS)
        return wrong_count(t);
    value p = tr_address(t, &in->operands[load ? 1 : 0], in->space), words[1 + MAX_WORDS];
    LLVMTypeRef word = ty == PTX_TYPE_F64 ? t->i64 : t->i32;
    words[0] = in->noperands > 2 ? tr_get(t, &in->operands[2], PTX_TYPE_U32) : default_stride(t, in, matrix);
    words[0] = tr_bits_resize(t, words[0], word, false);
    if (!load)
        get_words(t, fragment, ty, words + 1);
    value r = call_engine(t, &o, p, words, load ? 1 : 1 + need, word, load ? need : 0);
    if (load)
        put_words(t, fragment, r, need, ty);
    return true;
}

static bool wmma_load(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0];
    unsigned matrix = MOD_OF(in, MATRIX), p = support_per_word(ty);
    if (t->whole_warps)
        return move_warp(t, in, MATRIX_LOAD, matrix);
    const struct ptx_operand *to = &in->operands[0];
    unsigned n = tr_elements(to);
    if (!fits(in, matrix, n * p))
        return wrong_count(t);
    value base = tr_address(t, &in->operands[1], in->space);
    value stride = in->noperands > 2 ? tr_get(t, &in->operands[2], PTX_TYPE_U32) : default_stride(t, in, matrix);
    struct owned o = owned_part(t, in, matrix, n * p);
    unsigned bits = element_bytes(ty) * 8;
    LLVMTypeRef whole = ty == PTX_TYPE_F64 ? t->i64 : t->i32;
    value words[MAX_WORDS];
    for (unsigned i = 0; i < n && i < MAX_WORDS; i++) {
        words[i] = tr_const_int(whole, 0);
        for (unsigned e = 0; e < p; e++) {
            value at = element_address(t, in, matrix, &o, base, stride, i * p + e, ty);
            value v = tr_bits_resize(t, LLVMBuildLoad2(t->b, tr_type_int(t, bits), at, ""), whole, false);
            words[i] = LLVMBuildOr(t->b, words[i], LLVMBuildShl(t->b, v, tr_const_int(whole, e * bits), ""), "");
        }
    }
    for (unsigned i = 0; i < n; i++)
        tr_put(t, tr_element(to, i), words[i], ty == PTX_TYPE_F64 ? PTX_TYPE_B64 : PTX_TYPE_B32);
    return true;
}

static bool wmma_store(struct translator *t, const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[0];
    if (t->whole_warps)
        return move_warp(t, in, MATRIX_STORE, PTX_MOD_D);
    value words[MAX_WORDS], base = tr_address(t, &in->operands[0], in->space);
    unsigned n = get_words(t, &in->operands[1], ty, words), p = support_per_word(ty), bits = element_bytes(ty) * 8;
    value stride = in->noperands > 2 ? tr_get(t, &in->operands[2], PTX_TYPE_U32) : default_stride(t, in, PTX_MOD_D);
    if (!fits(in, PTX_MOD_D, n * p))
        return wrong_count(t);
    struct owned o = owned_part(t, in, PTX_MOD_D, n * p);
    for (unsigned i = 0; i < n * p; i++) {
        value w = words[i / p], shift = tr_const_int(LLVMTypeOf(w), i % p * bits);
        value v = tr_bits_resize(t, LLVMBuildLShr(t->b, w, shift, ""), tr_type_int(t, bits), false);
        LLVMBuildStore(t->b, v, element_address(t, in, PTX_MOD_D, &o, base, stride, i, ty));
    }
    return true;
}

static bool wmma_warp(struct translator *t, const struct ptx_insn *in, const enum ptx_type *types)
{
    unsigned m = in->shape[0], n = in->shape[1], k = in->shape[2];
    struct matrix_op o = product_op(in, MATRIX_WMMA, types);
    if (n < m) {
        enum matrix_type a = o.a;
        o.m = n, o.n = m, o.a = o.b, o.b = a;
    }
    unsigned need[4] = {matrix_words(m * k, matrix_type_of(types[1])), matrix_words(k * n, matrix_type_of(types[2])),
                        matrix_words(m * n, matrix_type_of(types[3])), matrix_words(m * n, matrix_type_of(types[0]))};
    return multiply(t, in, o, types, need);
}

static bool wmma_mma(struct translator *t, const struct ptx_insn *in)
{
    bool old = in->ntypes == 2;
    enum ptx_type dt = in->types[0], at = old ? PTX_TYPE_F16 : in->types[1], bt = old ? PTX_TYPE_F16 : in->types[2];
    enum ptx_type ct = old ? in->types[1] : in->types[3];
    if (t->whole_warps)
        return wmma_warp(t, in, (enum ptx_type[]){dt, at, bt, ct});
    unsigned m = in->shape[0], columns = in->shape[1], k = in->shape[2], p = support_per_word(at);
    value a[MAX_WORDS], b[MAX_WORDS], sums[MAX_WORDS], l = lane(t);
    unsigned na = get_words(t, &in->operands[1], at, a), nb = get_words(t, &in->operands[2], bt, b);
    unsigned n = get_sums(t, &in->operands[3], ct, sums);
    if (!fits(in, PTX_MOD_A, na * p) || !fits(in, PTX_MOD_B, nb * p) || !fits(in, PTX_MOD_D, n))
        return wrong_count(t);
    unsigned row_share = 32 / m, column_share = 32 / columns;
    if (MOD_OF(in, SAT))
        widen_sums(t, sums, n);
    value row = LLVMBuildAnd(t->b, l, tr_const_i32(t, ~(row_share - 1)), "");
    value first = LLVMBuildMul(t->b, LLVMBuildURem(t->b, l, tr_const_i32(t, row_share), ""), tr_const_i32(t, n), "");
    for (unsigned w = 0; w < k / p; w++) {
        // A word of the own row; when the row is shared out it comes from the lane that has it.
        value aw = a[w % na];
        if (na * p < k)
            aw = shuffle(t, aw, LLVMBuildAdd(t->b, row, tr_const_i32(t, w / na), ""));
        for (unsigned j = 0; j < n; j++) {
            value column = LLVMBuildAdd(t->b, first, tr_const_i32(t, j), "");
            value bw =
                shuffle(t, b[w % nb], mul_add(t, column, column_share, tr_const_i32(t, nb * p < k ? w / nb : 0)));
            for (unsigned e = 0; e < p; e++)
                sums[j] = accumulate(t, sums[j], element(t, aw, at, e), element(t, bw, bt, e));
        }
    }
    if (MOD_OF(in, SAT))
        clamp_sums(t, sums, n);
    return put_sums(t, &in->operands[0], dt, sums, n);
}

bool tr_emit_wmma(struct translator *t, const struct ptx_insn *in)
{
    unsigned action = MOD_OF(in, ACTION);
    return action == PTX_MOD_LOAD ? wmma_load(t, in) : action == PTX_MOD_STORE ? wmma_store(t, in) : wmma_mma(t, in);
}

// --- ldmatrix, stmatrix, movmatrix ---

// The address that lane `from` gave for its row.
static value row_pointer(struct translator *t, value p, value from)
{
    LLVMTypeRef type = LLVMTypeOf(p);
    return LLVMBuildIntToPtr(t->b, shuffle(t, LLVMBuildPtrToInt(t->b, p, t->i64, ""), from), type, "");
}

// Lane l has row l / 4 and columns 2 (l % 4) and the next; transposed, columns l / 4 of rows 2 (l % 4) and the next.
// Lane 8 i + r gives the address of row r of matrix i.
static bool matrix_move(struct translator *t, const struct ptx_insn *in, const struct ptx_operand *list, value p,
                        bool load)
{
    unsigned n = tr_elements(list);
    if (n > 4)
        return wrong_count(t);
    value l = lane(t), g = LLVMBuildLShr(t->b, l, tr_const_i32(t, 2), "");
    value pair = LLVMBuildShl(t->b, LLVMBuildAnd(t->b, l, tr_const_i32(t, 3), ""), tr_const_i32(t, 1), "");
    for (unsigned i = 0; i < n; i++) {
        const struct ptx_operand *o = tr_element(list, i);
        value word = load ? NULL : tr_get(t, o, PTX_TYPE_B32), halves[2];
        for (unsigned h = 0; h < 2; h++) {
            value next = LLVMBuildAdd(t->b, pair, tr_const_i32(t, h), "");
            value row = MOD_OF(in, TRANS) ? next : g, column = MOD_OF(in, TRANS) ? g : next;
            value from = LLVMBuildAdd(t->b, row, tr_const_i32(t, 8 * i), "");
            value bytes = LLVMBuildMul(t->b, LLVMBuildZExt(t->b, column, t->i64, ""), tr_const_i64(t, 2), "");
            value at = tr_gep(t, row_pointer(t, p, from), bytes);
            if (load)
                halves[h] = LLVMBuildLoad2(t->b, t->i16, at, "");
            else
                LLVMBuildStore(t->b, tr_part(t, word, 16 * h, t->i16), at);
        }
        if (load)
            tr_put(t, o, tr_pair(t, halves[0], halves[1]), PTX_TYPE_B32);
    }
    return true;
}

static bool matrix_move_warp(struct translator *t, const struct ptx_insn *in, const struct ptx_operand *list, value p,
                             bool load)
{
    unsigned n = tr_elements(list);
    struct matrix_op o = {
        .action = load ? MATRIX_LDMATRIX : MATRIX_STMATRIX, .columns = MOD_OF(in, TRANS) != 0, .count = n};
    value words[MAX_WORDS];
    if (n > 4)
        return wrong_count(t);
    if (!load)
        get_words(t, list, PTX_TYPE_B32, words);
    value r = call_engine(t, &o, p, words, load ? 0 : n, t->i32, load ? n : 0);
    if (load)
        put_words(t, list, r, n, PTX_TYPE_B32);
    return true;
}

// ldmatrix, stmatrix
bool tr_emit_ldmatrix(struct translator *t, const struct ptx_insn *in)
{
    bool load = in->op == PTX_OP_LDMATRIX;
    value p = tr_address(t, &in->operands[load ? 1 : 0], in->space);
    if (t->whole_warps)
        return matrix_move_warp(t, in, &in->operands[load ? 0 : 1], p, load);
    return matrix_move(t, in, &in->operands[load ? 0 : 1], p, load);
}

// movmatrix: transposes an 8 x 8 matrix among the lanes
value tr_value_movmatrix(struct translator *t, const struct ptx_insn *in, value *a)
{
    (void)in;
    value l = lane(t), g = LLVMBuildLShr(t->b, l, tr_const_i32(t, 2), "");
    value t2 = LLVMBuildShl(t->b, LLVMBuildAnd(t->b, l, tr_const_i32(t, 3), ""), tr_const_i32(t, 1), "");
    value odd = LLVMBuildTrunc(t->b, g, t->i1, ""), column = LLVMBuildLShr(t->b, g, tr_const_i32(t, 1), ""), out[2];
    for (unsigned h = 0; h < 2; h++) {
        value row = LLVMBuildAdd(t->b, t2, tr_const_i32(t, h), "");
        value w = shuffle(t, a[0], mul_add(t, row, 4, column));
        w = LLVMBuildSelect(t->b, odd, LLVMBuildLShr(t->b, w, tr_const_i32(t, 16), ""), w, "");
        out[h] = LLVMBuildAnd(t->b, w, tr_const_i32(t, 0xffff), "");
    }
    return LLVMBuildOr(t->b, out[0], LLVMBuildShl(t->b, out[1], tr_const_i32(t, 16), ""), "");
}
