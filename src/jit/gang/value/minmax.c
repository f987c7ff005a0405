// SPDX-License-Identifier: Apache-2.0
// PTX's minima and maxima on x86-64: -0 is below +0, a NaN gives the other operand. AVX-512DQ's range instruction is that; elsewhere there is
// an instruction for `x > y ? x : y`, whose second operand comes out where both are equal, which zeros of either sign are, or one is a
// NaN. Of that a maximum is made (a minimum likewise, with the signs changed):
//  - one operand is a constant y that is no NaN and not -0: the instruction with y second. Where x is a NaN, and where both are zeros, y
//    comes out, which is right; equal numbers that are not zeros are the same number.
//  - y is never a NaN: x' is x, or -inf where x is a NaN (the instruction with -inf second), and no NaN is left. The instruction on (x', y)
//    and on (y, x') then gives the same bits twice, unless both are zeros: there it gives one of them each, and `and` of the two is -0
//    where both are. Where x was a NaN it is y, since no number is below -inf. Where x is never a NaN either, x' is x.
//  - else the operand that a tie is for, by the sign of x, is second; and a NaN that comes out was second, so that the first is taken.
#include "jit/gang/gang.h"
#include "jit/host/target.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

// One lane of a range instruction, or as many as a register has at most.
static LLVMValueRef range_part(struct gang *g, LLVMValueRef a, LLVMValueRef b, unsigned how)
{
    LLVMTypeRef t = LLVMTypeOf(a);
    bool is_double = LLVMGetTypeKind(LLVMGetElementType(t)) == LLVMDoubleTypeKind;
    unsigned n = LLVMGetVectorSize(t), bits = n * (is_double ? 64 : 32), nargs = bits == 512 ? 6 : 5;
    char name[64];
    snprintf(name, sizeof name, "llvm.x86.avx512.mask.range.p%c.%u", is_double ? 'd' : 's', bits);
    LLVMValueRef all = LLVMConstAllOnes(LLVMIntTypeInContext(g->v->context, n == 16 ? 16 : 8));
    LLVMValueRef args[6] = {a, b, gang_i32(g, how), LLVMGetPoison(t), all, gang_i32(g, 4)};
    return ir_intrinsic(g->b, name, NULL, 0, args, nargs);
}

// Arithmetic gives no signaling NaN.
static bool is_quiet(LLVMValueRef x)
{
    LLVMBool lost;
    if (LLVMIsAConstantFP(x)) {
        double c = LLVMConstRealGetDouble(x, &lost);
        return c == c;
    }
    if (LLVMIsACallInst(x))
        return !strncmp(call_name(x), "llvm.fma.", 9) || op_is(x, IS_MINMAX);
    return IR_IS(x, LLVMFAdd, LLVMFSub, LLVMFMul, LLVMFDiv, LLVMSIToFP, LLVMUIToFP, LLVMFPTrunc, LLVMFPExt);
}

enum { VISITS_MAX = 64, ASSUMED_MAX = 8 };

// The search for a NaN: how much of it is left; phis, and numbers of slots, that are taken for none while what comes into them is
// looked at.
struct search {
    unsigned left, n;
    LLVMValueRef assumed[ASSUMED_MAX];
};

static bool never_nan(struct gang *g, LLVMValueRef x, struct search *s);

static bool is_ordered(LLVMValueRef c)
{
    if (!LLVMIsAFCmpInst(c))
        return false;
    LLVMRealPredicate p = LLVMGetFCmpPredicate(c);
    return p == LLVMRealOEQ || p == LLVMRealOGT || p == LLVMRealOGE || p == LLVMRealOLT || p == LLVMRealOLE;
}

// An arm is taken where it compared as a number, or is none in any case.
static bool select_never_nan(struct gang *g, LLVMValueRef x, struct search *s)
{
    LLVMValueRef c = LLVMGetOperand(x, 0), arm = LLVMGetOperand(x, 1);
    bool compared = is_ordered(c) && (LLVMGetOperand(c, 0) == arm || LLVMGetOperand(c, 1) == arm);
    return (compared || never_nan(g, arm, s)) && never_nan(g, LLVMGetOperand(x, 2), s);
}

static bool phi_never_nan(struct gang *g, LLVMValueRef x, struct search *s)
{
    bool yes = true;
    for (unsigned i = 0; i < LLVMCountIncoming(x) && yes; i++)
        yes = never_nan(g, LLVMGetIncomingValue(x, i), s);
    return yes;
}

// What is written to the slot in any region. A slot that is read before it was written has no value that a program could know.
static bool slot_never_nan(struct gang *g, LLVMValueRef get, struct search *s)
{
    LLVMValueRef slot = LLVMGetOperand(get, 0);
    FOR_MODULE (g->v->module, f) {
        if (op_of_function(f) != OP_FRAME_SET)
            continue;
        FOR_USES (f, u) {
            LLVMValueRef set = LLVMGetUser(u), x = LLVMGetOperand(set, 1);
            if (LLVMGetOperand(set, 0) == slot && (LLVMTypeOf(x) != LLVMTypeOf(get) || !never_nan(g, x, s)))
                return false;
        }
    }
    return true;
}

// What comes into a phi or a slot is no NaN, if there was none before: then there never is.
static bool by_induction(struct gang *g, LLVMValueRef x, LLVMValueRef key, struct search *s,
                         bool (*step)(struct gang *g, LLVMValueRef x, struct search *s))
{
    unsigned before = s->n;
    for (unsigned i = 0; i < before; i++)
        if (s->assumed[i] == key)
            return true;
    if (before == ASSUMED_MAX)
        return false;
    s->assumed[s->n++] = key;
    bool yes = step(g, x, s);
    if (!yes)
        s->n = before; // and what followed from it is not taken for granted either
    return yes;
}

// The bits of a float that went through a shuffle, where lanes that are not there give 0.
static LLVMValueRef shuffled(LLVMValueRef x)
{
    LLVMValueRef shuffle = LLVMGetOperand(x, 0);
    if (!op_is(shuffle, IS_EXCHANGE) || op_rows[op_of(shuffle)].variant > SHUFFLE_IDX)
        return NULL;
    LLVMValueRef from = LLVMGetOperand(shuffle, 1);
    bool same = ir_is_opcode(from, LLVMBitCast) && LLVMTypeOf(LLVMGetOperand(from, 0)) == LLVMTypeOf(x);
    return same ? LLVMGetOperand(from, 0) : NULL;
}

static bool never_nan(struct gang *g, LLVMValueRef x, struct search *s)
{
    LLVMBool lost;
    if (LLVMIsAConstantFP(x)) {
        double c = LLVMConstRealGetDouble(x, &lost);
        return c == c;
    }
    if (!LLVMIsAInstruction(x) || !s->left)
        return false;
    s->left--;
    switch (LLVMGetInstructionOpcode(x)) {
    case LLVMSIToFP:
    case LLVMUIToFP:
        return true;
    case LLVMSelect:
        return select_never_nan(g, x, s);
    case LLVMPHI:
        return by_induction(g, x, x, s, phi_never_nan);
    case LLVMBitCast:
        x = shuffled(x);
        return x && never_nan(g, x, s);
    case LLVMCall:
        if (op_of(x) == OP_FRAME_GET)
            return by_induction(g, x, LLVMGetOperand(x, 0), s, slot_never_nan);
        return op_is(x, IS_MINMAX) && (never_nan(g, LLVMGetOperand(x, 0), s) || never_nan(g, LLVMGetOperand(x, 1), s));
    default:
        return false;
    }
}

// A constant with which the instruction alone does.
static bool is_plain(LLVMValueRef x, bool max)
{
    LLVMBool lost;
    if (!LLVMIsAConstantFP(x))
        return false;
    double c = LLVMConstRealGetDouble(x, &lost);
    return c == c && (c || !signbit(c) == max);
}

// How a minimum or maximum is made of the instruction, and which operand (`y` above) is second in it.
enum minmax_form { FORM_PLAIN, FORM_NUMBERS, FORM_NUMBER, FORM_ANY };
struct minmax {
    enum minmax_form form;
    unsigned y;
    bool max, is_double;
};

static struct minmax minmax_of(struct gang *g, LLVMValueRef call, bool max)
{
    struct minmax m = {.form = FORM_ANY, .max = max, .is_double = LLVMTypeOf(call) != g->v->f32};
    unsigned numbers = 0;
    for (unsigned k = 2; k--;) {
        struct search s = {.left = VISITS_MAX};
        LLVMValueRef x = LLVMGetOperand(call, k);
        if (is_plain(x, max))
            return (struct minmax){FORM_PLAIN, k, max, m.is_double};
        if (!never_nan(g, x, &s))
            continue;
        m.y = k;
        m.form = ++numbers == 2 ? FORM_NUMBERS : FORM_NUMBER;
    }
    return m;
}

static LLVMValueRef choose(struct gang *g, const struct minmax *m, LLVMValueRef x, LLVMValueRef y)
{
    bool wide = LLVMGetVectorSize(LLVMTypeOf(x)) == (m->is_double ? 4 : 8);
    char name[40];
    snprintf(name, sizeof name, "llvm.x86.%s.%s.p%c%s",
             wide           ? "avx"
             : m->is_double ? "sse2"
                            : "sse",
             m->max ? "max" : "min", m->is_double ? 'd' : 's', wide ? ".256" : "");
    return ir_intrinsic(g->b, name, NULL, 0, (LLVMValueRef[]){x, y}, 2);
}

static LLVMValueRef minmax_part(struct gang *g, const struct minmax *m, LLVMValueRef x, LLVMValueRef y)
{
    LLVMBuilderRef b = g->b;
    LLVMTypeRef t = LLVMTypeOf(x), e = LLVMGetElementType(t);
    unsigned n = LLVMGetVectorSize(t);
    LLVMTypeRef bits = LLVMVectorType(m->is_double ? g->v->i64 : g->v->i32, n);
    if (m->form == FORM_PLAIN)
        return choose(g, m, x, y);
    if (m->form == FORM_ANY) {
        LLVMValueRef negative = LLVMBuildICmp(b, LLVMIntSLT, LLVMBuildBitCast(b, x, bits, ""), LLVMConstNull(bits), "");
        LLVMValueRef first = LLVMBuildSelect(b, negative, m->max ? x : y, m->max ? y : x, "");
        LLVMValueRef second = LLVMBuildSelect(b, negative, m->max ? y : x, m->max ? x : y, "");
        LLVMValueRef r = choose(g, m, first, second);
        return LLVMBuildSelect(b, LLVMBuildFCmp(b, LLVMRealORD, r, r, ""), r, first, "");
    }
    if (m->form == FORM_NUMBER)
        x = choose(g, m, x, gang_splat(g, LLVMConstReal(e, m->max ? -INFINITY : INFINITY), n));
    LLVMValueRef p = LLVMBuildBitCast(b, choose(g, m, x, y), bits, ""),
                 q = LLVMBuildBitCast(b, choose(g, m, y, x), bits, "");
    return LLVMBuildBitCast(b, m->max ? LLVMBuildAnd(b, p, q, "") : LLVMBuildOr(b, p, q, ""), t, "");
}

// A quiet NaN gives the range instruction's other operand; a signaling one is made quiet first.
static LLVMValueRef range_quiet(struct gang *g, LLVMValueRef call, LLVMValueRef *x, unsigned how)
{
    for (unsigned k = 0; k < 2; k++)
        if (!is_quiet(LLVMGetOperand(call, k)))
            x[k] = range_part(g, x[k], x[k], how);
    return range_part(g, x[0], x[1], how);
}

EMIT(minmax)
{
    LLVMTypeRef type = LLVMTypeOf(call);
    enum { RANGE_MIN = 4, RANGE_MAX = 5 };
    bool uniform = gang_is_uniform(g, call), ranges = target_ranges();
    struct minmax m = minmax_of(g, call, variant);
    // The instructions for a choice that have names are those of SSE and AVX.
    unsigned bytes = target_figure(FIGURE_VECTOR_BYTES), unit = m.is_double ? 2 : 4,
             most = (ranges || bytes < 32 ? bytes : 32) / 16 * unit,
             n = uniform           ? unit
                 : g->width < most ? g->width
                                   : most,
             parts = uniform ? 1 : g->width / n;
    LLVMValueRef x[2], part[GANG_MAX];
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef o = LLVMGetOperand(call, k);
        x[k] = uniform ? LLVMBuildInsertElement(g->b, LLVMConstNull(LLVMVectorType(type, n)), gang_scalar(g, o),
                                                gang_i64(g, 0), "")
                       : gang_vector(g, o);
    }
    for (unsigned i = 0; i < parts; i++) {
        LLVMValueRef p[2] = {x[0], x[1]};
        for (unsigned k = 0; k < 2 && !uniform; k++)
            p[k] = gang_slice(g, x[k], i * n, n);
        part[i] = ranges ? range_quiet(g, call, p, m.max ? RANGE_MAX : RANGE_MIN) : minmax_part(g, &m, p[!m.y], p[m.y]);
    }
    LLVMValueRef r = uniform ? gang_lane(g, part[0], 0) : gang_concat(g, part, parts);
    gang_set_result(g, call, r, r);
}
