// SPDX-License-Identifier: Apache-2.0
// See support.h; the tables are emit.def (mnemonics), lack.def (forms) and engine.def (functions).
#include "jit/translate/reach/support.h"
#include "base/str.h"
#include "jit/translate/reach/device_call.h"
#include <string.h>

static const bool has_emitter[PTX_OP_COUNT] = {
#define EMIT(op, name)         [PTX_OP_##op] = true,
#define VALUE(op, name, types) [PTX_OP_##op] = true,
#define NUMBERS(op, ...)       [PTX_OP_##op] = true,
#include "jit/translate/emit.def"
};

static bool atomic_known(const struct ptx_insn *in)
{
    enum ptx_type ty = in->types[in->ntypes - 1];
    bool order = MOD_OF(in, OP) == PTX_MOD_MIN || MOD_OF(in, OP) == PTX_MOD_MAX;
    return !(ptx_type_is_half(ty) && MOD_OF(in, OP) != PTX_MOD_ADD) &&
           !(order && ptx_type_class(ty) == PTX_CLASS_FLOAT);
}

static bool copy_known(const struct ptx_insn *in)
{
    if (!MOD_OF(in, ASYNC))
        return false;
    if (MOD_OF(in, TENSOR)) // the tile mode
        return (!MOD_OF(in, LOADMODE) || MOD_OF(in, LOADMODE) == PTX_MOD_TILE) && !MOD_OF(in, CTA_GROUP);
    if (!MOD_OF(in, BULK) && MOD_OF(in, MBARRIER))
        return true;
    switch (MOD_OF(in, ACTION)) {
    case 0:
    case PTX_MOD_COMMIT_GROUP:
    case PTX_MOD_WAIT_GROUP:
        return true;
    case PTX_MOD_WAIT_ALL:
        return !MOD_OF(in, BULK);
    case PTX_MOD_PREFETCH:
        return MOD_OF(in, BULK);
    case PTX_MOD_REDUCE:
        return MOD_OF(in, BULK) && atomic_known(in) &&
               (MOD_OF(in, OP) == PTX_MOD_ADD || ptx_type_class(in->types[in->ntypes - 1]) != PTX_CLASS_FLOAT);
    default:
        return false;
    }
}

unsigned support_per_word(enum ptx_type ty)
{
    static const unsigned char of[PTX_TYPE_COUNT] = {
        [PTX_TYPE_F16] = 2,  [PTX_TYPE_BF16] = 2, [PTX_TYPE_S8] = 4,  [PTX_TYPE_U8] = 4,  [PTX_TYPE_E4M3] = 4,
        [PTX_TYPE_E5M2] = 4, [PTX_TYPE_TF32] = 1, [PTX_TYPE_F32] = 1, [PTX_TYPE_S32] = 1, [PTX_TYPE_F64] = 1};
    return of[ty];
}

// What the elements of matrices may be: of one kind are the types that a product may mix, sums the two types that they add up in.
static const struct element {
    uint8_t kind, sums[2];
    bool wmma;
} elements[PTX_TYPE_COUNT] = {[PTX_TYPE_F16] = {1, {PTX_TYPE_F16, PTX_TYPE_F32}, true},
                              [PTX_TYPE_BF16] = {2, {PTX_TYPE_F32}, true},
                              [PTX_TYPE_TF32] = {3, {PTX_TYPE_F32}, true},
                              [PTX_TYPE_F64] = {4, {PTX_TYPE_F64}, true},
                              [PTX_TYPE_S8] = {5, {PTX_TYPE_S32}, true},
                              [PTX_TYPE_U8] = {5, {PTX_TYPE_S32}, true},
                              [PTX_TYPE_E4M3] = {6, {PTX_TYPE_F16, PTX_TYPE_F32}, false},
                              [PTX_TYPE_E5M2] = {6, {PTX_TYPE_F16, PTX_TYPE_F32}, false}};

static bool sums_known(enum ptx_type element, enum ptx_type sums)
{
    return sums && (elements[element].sums[0] == sums || elements[element].sums[1] == sums);
}

static bool factors_known(enum ptx_type a, enum ptx_type b)
{
    return elements[a].kind && elements[a].kind == elements[b].kind;
}

static bool is_shape(const struct ptx_insn *in, unsigned m, unsigned n, unsigned k)
{
    return in->shape[0] == m && in->shape[1] == n && in->shape[2] == k;
}

// The manual's table of shapes and types, without sparse matrices, those of bits and of less than a byte, and m8n8k4 of halves.
// An element of a row or column takes a quarter of a register's words: k is four or eight words, of doubles sixteen too.
static bool mma_known(const struct ptx_insn *in)
{
    enum ptx_type at = in->types[1];
    unsigned m = in->shape[0], k = in->shape[2], p = support_per_word(at);
    bool depth = k == 4 * p || (m == 16 && k == 8 * p) || (m == 16 && k == 16 && at == PTX_TYPE_F64);
    bool small = m == 8 && (at == PTX_TYPE_F64 || at == PTX_TYPE_S8 || at == PTX_TYPE_U8);
    return in->ntypes == 4 && p && factors_known(at, in->types[2]) && sums_known(at, in->types[0]) &&
           sums_known(at, in->types[3]) && (m == 16 || small) && in->shape[1] == 8 && depth &&
           MOD_OF(in, LAYOUT) == PTX_MOD_ROW && MOD_OF(in, LAYOUT_B) == PTX_MOD_COL &&
           !(MOD_OF(in, SAT) && in->types[0] != PTX_TYPE_S32);
}

// The shapes of wmma for factors of a type.
static bool wmma_shape(const struct ptx_insn *in, enum ptx_type elements)
{
    if (elements == PTX_TYPE_F64)
        return is_shape(in, 8, 8, 4);
    if (elements == PTX_TYPE_TF32)
        return is_shape(in, 16, 16, 8);
    return is_shape(in, 16, 16, 16) || is_shape(in, 8, 32, 16) || is_shape(in, 32, 8, 16);
}

static bool wmma_known(const struct ptx_insn *in)
{
    bool moves = in->ntypes == 1, sums = moves && MOD_OF(in, MATRIX) != PTX_MOD_A && MOD_OF(in, MATRIX) != PTX_MOD_B;
    bool old = in->ntypes == 2; // only f16 matrices, whose type is not written
    enum ptx_type a = old ? PTX_TYPE_F16 : in->types[1], ct = old ? in->types[1] : in->types[3];
    for (enum ptx_type at = 0; moves && at < PTX_TYPE_COUNT; at++)
        if (elements[at].wmma && wmma_shape(in, at) && (sums ? sums_known(at, in->types[0]) : in->types[0] == at))
            return true;
    return !moves && elements[a].wmma && wmma_shape(in, a) && factors_known(a, old ? a : in->types[2]) &&
           sums_known(a, in->types[0]) && sums_known(a, ct) && !MOD_OF(in, BITOP) &&
           !(MOD_OF(in, SAT) && in->types[0] != PTX_TYPE_S32);
}

// So many words as the instruction says, of 8 x 8 halves.
static bool matrices_known(const struct ptx_insn *in)
{
    const struct ptx_operand *o = &in->operands[in->op == PTX_OP_LDMATRIX ? 0 : 1];
    unsigned words = o->kind == PTX_OPERAND_VECTOR ? o->nlist : 1;
    unsigned num = MOD_OF(in, NUM) == PTX_MOD_X4 ? 4 : MOD_OF(in, NUM) == PTX_MOD_X2 ? 2 : 1;
    return in->ntypes == 1 && in->types[0] == PTX_TYPE_B16 && words == num;
}

// vadd2 ... vset4
static bool is_video_simd(enum ptx_op op)
{
    const char *name = ptx_op_name(op);
    size_t n = strlen(name);
    return name[0] == 'v' && (name[n - 1] == '2' || name[n - 1] == '4');
}

static bool parts_selected(const struct ptx_insn *in)
{
    for (uint32_t i = 0; i < 3 && i < in->noperands; i++)
        if (in->operands[i].component >= 0)
            return true;
    return false;
}

// The last operand of a texture instruction: offsets are in braces, a depth is not.
static bool depth_compared(const struct ptx_insn *in)
{
    unsigned own = MOD_OF(in, MIPMAP) == PTX_MOD_TEXLEVEL ? 3 : MOD_OF(in, MIPMAP) == PTX_MOD_GRAD ? 4 : 2;
    return in->noperands > own && in->operands[in->noperands - 1].kind != PTX_OPERAND_VECTOR;
}

static bool names_variable(const struct ptx_operand *o)
{
    return o->kind == PTX_OPERAND_VAR || (o->kind == PTX_OPERAND_ADDRESS && o->list[0].kind == PTX_OPERAND_VAR);
}

const char *support_lack(const struct ptx_insn *in)
{
    if (!has_emitter[in->op])
        return "instruction";
#define LACK(o, condition, what)                                                                                       \
    if (in->op == PTX_OP_##o && (condition))                                                                           \
        return what;
#define LACK_ANY(condition, what)                                                                                      \
    if (condition)                                                                                                     \
        return what;
#include "jit/translate/reach/lack.def"
#undef LACK
#undef LACK_ANY
    return NULL;
}

bool support_refuse(const struct ptx_func *f, const struct ptx_insn *in, const char *what, struct diag *d)
{
    struct str text = {0};
    ptx_insn_print(f, in, &text);
    size_t n = text.len;
    while (n && strchr("\n; ", text.data[n - 1]))
        n--;
    diag_unsupported(d, in->loc.line, in->loc.column, "%s: '%.*s'", what, (int)n, str_text(&text));
    str_free(&text);
    return false;
}

static bool callee_known(const struct ptx_insn *in, struct diag *d)
{
    const struct ptx_func *f = in->operands[1].kind == PTX_OPERAND_FUNC ? ptx_func_resolve(in->operands[1].func) : NULL;
    if (!f || f->has_body || engine_call_find(f->name) || device_call_find(f->name) >= 0)
        return true;
    return diag_error(d, in->loc.line, in->loc.column, "external function '%s' is not defined", f->name);
}

bool support_check(const struct ptx_func *f, bool whole, struct diag *d)
{
    bool ok = true;
    for (uint32_t i = 0; i < f->ninsns; i++) {
        const struct ptx_insn *in = &f->insns[i];
        const char *what = support_lack(in);
        if (what)
            ok = support_refuse(f, in, what, d);
        if (whole && in->op == PTX_OP_CALL)
            ok &= callee_known(in, d);
    }
    return ok;
}
