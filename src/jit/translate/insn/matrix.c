// SPDX-License-Identifier: Apache-2.0
// "Warp Level Matrix Instructions" of the PTX manual: mma, wmma, ldmatrix, stmatrix, movmatrix. All but the last are calls to the
// engine (jit/abi/matrix.h), which computes for a warp: one call where the gang is a warp. In gangs that are less, each lane
// gathers the words of all lanes by shuffles and makes the call for itself.
#include "jit/abi/matrix.h"
#include "jit/translate/emit.h"
#include <stdio.h>

enum { MAX_WORDS = 32, LANES = 32 };

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

// The words of a result; those that the matrix has no need of are zero.
static bool put_words(struct translator *t, const struct ptx_operand *o, value *made, unsigned nmade, enum ptx_type ty)
{
    enum ptx_type as = ty == PTX_TYPE_F64 ? PTX_TYPE_B64 : PTX_TYPE_B32;
    for (unsigned i = 0; i < tr_elements(o); i++)
        tr_put(t, tr_element(o, i), i < nmade ? made[i] : tr_const_int(tr_type_of(t, as), 0), as);
    return true;
}

// --- the call ---

struct engine_call {
    uint32_t op;
    value address; // i64; NULL: none
    value words[3 * MAX_WORDS], made[MAX_WORDS];
    unsigned nwords, nmade;
    LLVMTypeRef word; // i32 or i64
};

static void call_for_warp(struct translator *t, struct engine_call *c)
{
    value args[2 + 3 * MAX_WORDS] = {tr_const_i32(t, c->op), c->address ? c->address : tr_const_i64(t, 0)};
    LLVMTypeRef fields[MAX_WORDS];
    char name[40];
    snprintf(name, sizeof name, "%u", c->op);
    for (unsigned i = 0; i < c->nwords; i++)
        args[2 + i] = c->words[i];
    for (unsigned i = 0; i < c->nmade; i++)
        fields[i] = c->word;
    LLVMTypeRef result = c->nmade ? LLVMStructTypeInContext(t->cx, fields, c->nmade, false) : t->void_type;
    value r = tr_op_typed(t, OP_RT_MATRIX, name, result, args, c->nwords + 2);
    if (!c->address)
        ir_set_memory(LLVMGetCalledValue(r), MEMORY_INACCESSIBLE);
    for (unsigned i = 0; i < c->nmade; i++)
        c->made[i] = LLVMBuildExtractValue(t->b, r, i, "");
}

// The thread's own memory for the call: the addresses, the operands and the results of a warp. All calls use the same: inlined
// functions bring along their own, which pass_lifetimes makes one.
static value lane_memory(struct translator *t)
{
    if (!t->matrix)
        ir_set_metadata(t->matrix = tr_alloca_at_entry(t, LLVMArrayType2(t->i8, MATRIX_BYTES + MATRIX_ALIGN), "matrix"),
                        IR_SCRATCH, LLVMMDNodeInContext(t->cx, NULL, 0));
    value at =
        LLVMBuildAdd(t->b, LLVMBuildPtrToInt(t->b, t->matrix, t->i64, ""), tr_const_i64(t, MATRIX_ALIGN - 1), "");
    at = LLVMBuildAnd(t->b, at, tr_const_i64(t, ~(uint64_t)(MATRIX_ALIGN - 1)), "");
    return LLVMBuildIntToPtr(t->b, at, t->ptr, "");
}

// Where word i of a lane lies.
static value word_address(struct translator *t, value memory, unsigned i, value lane, LLVMTypeRef word)
{
    unsigned bytes = word == t->i64 ? 8 : 4;
    value at = LLVMBuildMul(t->b, LLVMBuildZExt(t->b, lane, t->i64, ""), tr_const_i64(t, bytes), "");
    return tr_gep(t, tr_step(t, memory, (int64_t)i * LANES * bytes), at);
}

// The shuffles have all lanes wait for each other, so no lane reads memory before the others have come. What is stored is so by one
// lane, and nobody goes on before all have been through the call.
static void call_by_lanes(struct translator *t, struct engine_call *c)
{
    value memory = lane_memory(t), in = tr_step(t, memory, MATRIX_ADDRESS_BYTES), out = tr_step(t, in, MATRIX_IN_BYTES);
    struct tr_loop l;
    value from = tr_loop(t, &l, tr_const_i32(t, LANES), 1);
    if (c->address)
        LLVMBuildStore(t->b, shuffle(t, c->address, from), word_address(t, memory, 0, from, t->i64));
    for (unsigned i = 0; i < c->nwords; i++)
        LLVMBuildStore(t->b, shuffle(t, c->words[i], from), word_address(t, in, i, from, c->word));
    tr_loop_end(t, &l);
    LLVMBasicBlockRef call = tr_block_new(t, ""), after = tr_block_new(t, "");
    value first = LLVMBuildICmp(t->b, LLVMIntEQ, lane(t), tr_const_i32(t, 0), "");
    ir_branch(t->b, c->nmade ? tr_const_int(t->i1, 1) : first, call, after, call);
    tr_hook(t, t->void_type, "matrix", (value[]){tr_const_i32(t, c->op), in, out, memory}, 4);
    ir_enter(t->b, after);
    tr_op(t, OP_WARP_JOIN, (value[]){tr_const_i32(t, UINT32_MAX)}, 1);
    for (unsigned i = 0; i < c->nmade; i++)
        c->made[i] = LLVMBuildLoad2(t->b, c->word, word_address(t, out, i, lane(t), c->word), "");
}

// What the lanes of the warp do together when they have come together.
static bool call_engine(struct translator *t, const struct matrix_op *o, struct engine_call *c)
{
    unsigned bytes = LANES * (c->word == t->i64 ? 8 : 4);
    if (c->nwords * bytes > MATRIX_IN_BYTES || c->nmade * bytes > MATRIX_OUT_BYTES)
        return wrong_count(t);
    c->op = matrix_encode(o);
    if (t->whole_warps)
        tr_op(t, OP_WARP_JOIN, (value[]){tr_const_i32(t, UINT32_MAX)}, 1);
    (t->whole_warps ? call_for_warp : call_by_lanes)(t, c);
    return true;
}

static LLVMTypeRef word_of(struct translator *t, enum ptx_type ty)
{
    return ty == PTX_TYPE_F64 ? t->i64 : t->i32;
}

// --- mma, wmma.mma ---

static enum matrix_type matrix_type_of(enum ptx_type ty)
{
#define SAME(type) [PTX_TYPE_##type] = MATRIX_##type
    static const enum matrix_type of[PTX_TYPE_COUNT] = {SAME(F16), SAME(BF16), SAME(TF32), SAME(F64),  SAME(S8),
                                                        SAME(U8),  SAME(S32),  SAME(E4M3), SAME(E5M2), SAME(F32)};
    return of[ty];
}

// Of matrices of this shape, or of the transposed ones.
static struct matrix_op shape_op(const struct ptx_insn *in, enum matrix_action action, bool swap, enum ptx_type ty)
{
    unsigned m = in->shape[swap], n = in->shape[!swap], k = in->shape[2];
    return (struct matrix_op){.action = action, .m = m, .n = n, .k = k, .a = matrix_type_of(ty)};
}

static enum matrix_round round_of(const struct ptx_insn *in)
{
    unsigned round = MOD_OF(in, ROUND);
    return round == PTX_MOD_RZ   ? MATRIX_RZ
           : round == PTX_MOD_RM ? MATRIX_RM
           : round == PTX_MOD_RP ? MATRIX_RP
                                 : MATRIX_RN;
}

// types: of D, A, B and C; need: the words of A, B, C and D.
static bool multiply(struct translator *t, const struct ptx_insn *in, enum matrix_action action, const uint8_t *types,
                     const unsigned *need)
{
    bool swap = action == MATRIX_WMMA && in->shape[1] < in->shape[0];
    struct matrix_op o = shape_op(in, action, swap, types[1 + swap]);
    o.b = matrix_type_of(types[2 - swap]), o.c = matrix_type_of(types[3]), o.d = matrix_type_of(types[0]);
    o.sat = MOD_OF(in, SAT);
    o.round = round_of(in);
    struct engine_call c = {.nmade = need[3], .word = word_of(t, types[0])};
    value all[MAX_WORDS];
    for (unsigned i = 0; i < 3; i++) {
        unsigned which = i < 2 && swap ? 1 - i : i;
        unsigned have = get_words(t, &in->operands[1 + which], types[1 + which], all);
        if (have < need[which] || have > MAX_WORDS)
            return wrong_count(t);
        for (unsigned k = 0; k < need[which]; k++)
            c.words[c.nwords++] = all[k];
    }
    if (tr_elements(&in->operands[0]) < need[3])
        return wrong_count(t);
    return call_engine(t, &o, &c) && put_words(t, &in->operands[0], c.made, c.nmade, types[0]);
}

bool tr_emit_mma(struct translator *t, const struct ptx_insn *in)
{
    const uint8_t *types = in->types;
    unsigned m = in->shape[0], p = support_per_word(types[1]), chunks = in->shape[2] / (4 * p), sums = m / 4;
    unsigned need[4] = {chunks * (m / 8), chunks, sums / support_per_word(types[3]), sums / support_per_word(types[0])};
    for (unsigned i = 0; i < 4; i++)
        if (tr_elements(&in->operands[i]) != need[(i + 3) % 4])
            return wrong_count(t);
    return multiply(t, in, MATRIX_MMA, types, need);
}

static bool wmma_mma(struct translator *t, const struct ptx_insn *in)
{
    const uint8_t old[4] = {in->types[0], PTX_TYPE_F16, PTX_TYPE_F16, in->types[1]}; // names no types of A and B
    const uint8_t *types = in->ntypes == 2 ? old : in->types;
    unsigned m = in->shape[0], n = in->shape[1], k = in->shape[2];
    unsigned need[4] = {matrix_words(m * k, matrix_type_of(types[1])), matrix_words(k * n, matrix_type_of(types[2])),
                        matrix_words(m * n, matrix_type_of(types[3])), matrix_words(m * n, matrix_type_of(types[0]))};
    return multiply(t, in, MATRIX_WMMA, types, need);
}

// --- wmma.load, wmma.store, ldmatrix, stmatrix ---

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
    struct matrix_op o = shape_op(in, action, swap, in->types[0]);
    o.columns = (MOD_OF(in, LAYOUT) != PTX_MOD_ROW) != swap;
    bool first = matrix == PTX_MOD_A, second = matrix == PTX_MOD_B;
    o.role = swap ? (first ? MATRIX_B : second ? MATRIX_A : MATRIX_C) : first ? MATRIX_A : second ? MATRIX_B : MATRIX_C;
    return o;
}

static unsigned needed_words(const struct matrix_op *o)
{
    unsigned elements = o->role == MATRIX_A ? o->m * o->k : o->role == MATRIX_B ? o->k * o->n : o->m * o->n;
    return matrix_words(elements, o->a);
}

// A load: fragment, address [, stride]; or a store: address, fragment [, stride]. n: the words of the fragment that count.
static bool move(struct translator *t, const struct ptx_insn *in, const struct matrix_op *o, bool load, unsigned n,
                 value stride)
{
    enum ptx_type ty = in->types[0];
    const struct ptx_operand *fragment = &in->operands[load ? 0 : 1];
    value p = tr_address(t, &in->operands[load ? 1 : 0], in->space);
    struct engine_call c = {.address = LLVMBuildPtrToInt(t->b, p, t->i64, ""), .word = word_of(t, ty)};
    if (tr_elements(fragment) < n || tr_elements(fragment) > MAX_WORDS)
        return wrong_count(t);
    if (stride)
        c.words[c.nwords++] = tr_bits_resize(t, stride, c.word, false);
    if (!load) {
        get_words(t, fragment, ty, c.words + c.nwords);
        c.nwords += n;
    }
    c.nmade = load ? n : 0;
    return call_engine(t, o, &c) && (!load || put_words(t, fragment, c.made, n, ty));
}

bool tr_emit_wmma(struct translator *t, const struct ptx_insn *in)
{
    bool load = MOD_OF(in, ACTION) == PTX_MOD_LOAD;
    if (!load && MOD_OF(in, ACTION) != PTX_MOD_STORE)
        return wmma_mma(t, in);
    unsigned matrix = load ? MOD_OF(in, MATRIX) : PTX_MOD_D;
    struct matrix_op o = move_op(in, load ? MATRIX_LOAD : MATRIX_STORE, matrix);
    value stride = in->noperands > 2 ? tr_get(t, &in->operands[2], PTX_TYPE_U32) : default_stride(t, in, matrix);
    tr_count_access(t, in, COUNT_ACCESS, tr_address(t, &in->operands[load ? 1 : 0], in->space));
    tr_count_stride(t, in, stride);
    return move(t, in, &o, load, needed_words(&o), stride);
}

// ldmatrix, stmatrix
bool tr_emit_ldmatrix(struct translator *t, const struct ptx_insn *in)
{
    bool load = in->op == PTX_OP_LDMATRIX;
    unsigned n = tr_elements(&in->operands[load ? 0 : 1]);
    struct matrix_op o = {
        .action = load ? MATRIX_LDMATRIX : MATRIX_STMATRIX, .columns = MOD_OF(in, TRANS) != 0, .count = n};
    if (n > 4)
        return wrong_count(t);
    tr_count_access(t, in, COUNT_ACCESS, tr_address(t, &in->operands[load ? 1 : 0], in->space));
    return move(t, in, &o, load, n, NULL);
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
        value w = shuffle(t, a[0], LLVMBuildAdd(t->b, LLVMBuildMul(t->b, row, tr_const_i32(t, 4), ""), column, ""));
        w = LLVMBuildSelect(t->b, odd, LLVMBuildLShr(t->b, w, tr_const_i32(t, 16), ""), w, "");
        out[h] = LLVMBuildAnd(t->b, w, tr_const_i32(t, 0xffff), "");
    }
    return LLVMBuildOr(t->b, out[0], LLVMBuildShl(t->b, out[1], tr_const_i32(t, 16), ""), "");
}
