// SPDX-License-Identifier: Apache-2.0
// Scalar tests of a condition for the whole gang. "Index below bound" on an affine index is decided by its extreme
// lanes: two scalar compares instead of a vector and a reduction, and, when all lanes pass, code without masks. This is
// worth more than anything else the vectoriser does (5.7 times on saxpy).
#include "jit/gang/gang.h"
#include "jit/analysis/fold.h"

static LLVMValueRef boolean(struct gang *g, bool x)
{
    return gang_int(g->v->i1, x);
}

static void extremes(struct gang *g, const struct shape *s, LLVMValueRef base, LLVMValueRef out[2])
{
    int64_t end[2];
    shape_range(g->lanes, s->offset, &end[0], &end[1]);
    for (int i = 0; i < 2; i++)
        out[i] = end[i] ? LLVMBuildAdd(g->b, base, gang_int(LLVMTypeOf(base), end[i]), "") : base;
}

static void negate_test(struct lane_test *t)
{
    LLVMValueRef all = t->all;
    t->all = t->none;
    t->none = all;
}

// affine == uniform: never true for all (offsets differ); for none when the uniform lies outside the span. With the base
// a multiple of 2^k and the offsets below, and a constant: when the base is not the constant's multiple of 2^k.
static void test_equal(struct gang *g, const struct shape *s, LLVMValueRef base, LLVMValueRef uniform,
                       struct lane_test *out)
{
    LLVMTypeRef t = LLVMTypeOf(base);
    int64_t lo, hi, c;
    out->all = boolean(g, false);
    if (value_constant(uniform, &c) && shape_is_aligned(g->lanes, s) && s->align < SHAPE_ALIGN_ZERO) {
        int64_t low = (INT64_C(1) << s->align) - 1;
        out->none = LLVMBuildICmp(g->b, LLVMIntNE, base, gang_int(t, c & ~low), "");
        return;
    }
    shape_range(g->lanes, s->offset, &lo, &hi);
    LLVMValueRef d = LLVMBuildSub(g->b, LLVMBuildSub(g->b, uniform, base, ""), gang_int(t, lo), "");
    out->none = LLVMBuildICmp(g->b, LLVMIntUGT, d, gang_int(t, hi - lo), "");
}

static LLVMIntPredicate swapped(LLVMIntPredicate p)
{
    static const LLVMIntPredicate of[] = {LLVMIntEQ,  LLVMIntNE,  LLVMIntULT, LLVMIntULE, LLVMIntUGT,
                                          LLVMIntUGE, LLVMIntSLT, LLVMIntSLE, LLVMIntSGT, LLVMIntSGE};
    return of[p - LLVMIntEQ];
}

static bool test_compare(struct gang *g, LLVMValueRef c, struct lane_test *out)
{
    LLVMValueRef x = LLVMGetOperand(c, 0), u = LLVMGetOperand(c, 1);
    LLVMIntPredicate p = LLVMGetICmpPredicate(c);
    struct shape s = gang_shape(g, x), o = gang_shape(g, u);
    if (s.kind != SHAPE_AFFINE || o.kind != SHAPE_AFFINE || s.wrap.kind != WRAP_NONE || o.wrap.kind != WRAP_NONE ||
        LLVMGetTypeKind(LLVMTypeOf(x)) != LLVMIntegerTypeKind)
        return false;
    if (shape_is_flat(g->lanes, &s) && !shape_is_flat(g->lanes, &o)) {
        LLVMValueRef t = x;
        x = u;
        u = t;
        s = o;
        p = swapped(p);
    }
    struct shape other = gang_shape(g, u);
    if (!shape_is_flat(g->lanes, &other))
        return false;
    struct shape form = s;
    form.split = s.split || other.split;
    if (form.split && !s.split)
        shape_split(g->lanes, &form);
    bool equality = p == LLVMIntEQ || p == LLVMIntNE, is_signed = p >= LLVMIntSGT;
    *out = (struct lane_test){0};
    for (unsigned i = 0; i < shape_bases(g->lanes, &form); i++) {
        LLVMValueRef base = gang_base(g, x, i, &form), uniform = gang_base(g, u, i, &form);
        struct lane_test one = {0};
        if (equality) {
            test_equal(g, &form, base, uniform, &one);
            if (p == LLVMIntNE)
                negate_test(&one);
        } else {
            // Below the alignment of its base no lane wraps around.
            bool aligned = shape_is_aligned(g->lanes, &form) && form.align < type_bits(LLVMTypeOf(base)) - 1;
            LLVMValueRef end[2], safe = aligned ? boolean(g, true) : gang_in_range(g, base, form.offset, is_signed);
            extremes(g, &form, base, end);
            LLVMValueRef c0 = LLVMBuildICmp(g->b, p, end[0], uniform, ""),
                         c1 = LLVMBuildICmp(g->b, p, end[1], uniform, "");
            one.all = LLVMBuildAnd(g->b, safe, LLVMBuildAnd(g->b, c0, c1, ""), "");
            one.none = LLVMBuildAnd(g->b, safe, LLVMBuildNot(g->b, LLVMBuildOr(g->b, c0, c1, ""), ""), "");
        }
        out->all = gang_and(g, out->all, one.all);
        out->none = gang_and(g, out->none, one.none);
    }
    return true;
}

static bool test_condition(struct gang *g, LLVMValueRef c, unsigned depth, struct lane_test *out);

// Of `a and b`: all needs both, none needs either. A side that scalars cannot tell still leaves the other's none.
static bool test_and(struct gang *g, LLVMValueRef a, bool na, LLVMValueRef b, bool nb, unsigned depth,
                     struct lane_test *out)
{
    struct lane_test x, y;
    bool known_x = test_condition(g, a, depth, &x), known_y = test_condition(g, b, depth, &y);
    if (!known_x && !known_y)
        return false;
    if (!known_x)
        x = (struct lane_test){boolean(g, false), boolean(g, false)};
    if (!known_y)
        y = (struct lane_test){boolean(g, false), boolean(g, false)};
    if (na)
        negate_test(&x);
    if (nb)
        negate_test(&y);
    out->all = LLVMBuildAnd(g->b, x.all, y.all, "");
    out->none = LLVMBuildOr(g->b, x.none, y.none, "");
    return true;
}

static bool test_condition(struct gang *g, LLVMValueRef c, unsigned depth, struct lane_test *out)
{
    if (gang_is_uniform(g, c)) {
        LLVMValueRef x = LLVMBuildFreeze(g->b, gang_scalar(g, c), "");
        *out = (struct lane_test){x, LLVMBuildNot(g->b, x, "")};
        return true;
    }
    if (depth > 6 || !LLVMIsAInstruction(c))
        return false;
    LLVMValueRef part[2];
    enum logic how = ir_logic(c, part);
    if (how == LOGIC_NONE)
        return LLVMIsAICmpInst(c) && test_compare(g, c, out);
    bool either = how == LOGIC_OR, known = how == LOGIC_NOT
                                               ? test_condition(g, part[0], depth + 1, out)
                                               : test_and(g, part[0], either, part[1], either, depth + 1, out);
    if (how != LOGIC_AND)
        negate_test(out);
    return known;
}

bool gang_lane_test(struct gang *g, LLVMValueRef condition, bool negate, struct lane_test *out)
{
    struct lane_test nothing = {boolean(g, false), boolean(g, false)};
    *out = nothing;
    if (!test_condition(g, condition, 0, out)) {
        *out = nothing;
        return false;
    }
    if (negate)
        negate_test(out);
    // Certain failure both ways tells nothing.
    if (value_is(out->all, false) && value_is(out->none, false))
        return false;
    if (!value_is(out->all, false))
        out->all = LLVMBuildFreeze(g->b, out->all, "all");
    out->none = LLVMBuildFreeze(g->b, out->none, "none");
    return true;
}

// Of an index whose base is a multiple of 2^k, all offsets below that: compared with a constant it comes out both ways in
// the one gang only whose base is the constant's multiple of 2^k, and there the lanes are known. With a base of 0 (a lane's
// number in its warp) they are the same in every gang.
bool gang_mixed_lanes(struct gang *g, LLVMValueRef c, bool negate, uint32_t *lanes, bool *always)
{
    int64_t k;
    if (!LLVMIsAICmpInst(c) || !value_constant(LLVMGetOperand(c, 1), &k))
        return false;
    struct shape s = gang_shape(g, LLVMGetOperand(c, 0));
    unsigned bits = type_bits(LLVMTypeOf(LLVMGetOperand(c, 0)));
    *always = s.align == SHAPE_ALIGN_ZERO;
    if (s.kind != SHAPE_AFFINE || s.split || !bits || (s.align >= bits - 1 && !*always) || (*always && k < 0) ||
        !shape_is_aligned(g->lanes, &s))
        return false;
    if (!*always)
        k &= (INT64_C(1) << s.align) - 1;
    *lanes = 0;
    for (unsigned l = 0; l < g->width; l++) {
        bool in = fold_compare(LLVMGetICmpPredicate(c), 64, (uint64_t)s.offset[l], (uint64_t)k);
        *lanes |= (uint32_t)(in != negate) << l;
    }
    return *lanes != 0;
}

static bool compare_testable(struct gang *g, LLVMValueRef c)
{
    struct shape a = gang_shape(g, LLVMGetOperand(c, 0)), b = gang_shape(g, LLVMGetOperand(c, 1));
    LLVMIntPredicate p = LLVMGetICmpPredicate(c);
    return a.kind == SHAPE_AFFINE && b.kind == SHAPE_AFFINE && a.wrap.kind == WRAP_NONE && b.wrap.kind == WRAP_NONE &&
           p != LLVMIntEQ && p != LLVMIntNE && (shape_is_flat(g->lanes, &a) || shape_is_flat(g->lanes, &b)) &&
           LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(c, 0))) == LLVMIntegerTypeKind;
}

static bool all_testable(struct gang *g, LLVMValueRef c, bool negate, unsigned depth)
{
    if (gang_is_uniform(g, c))
        return true;
    if (depth > 6 || !LLVMIsAInstruction(c))
        return false;
    LLVMValueRef part[2];
    enum logic how = ir_logic(c, part);
    if (how == LOGIC_NONE)
        return LLVMIsAICmpInst(c) && compare_testable(g, c);
    bool x = all_testable(g, part[0], negate != (how == LOGIC_NOT), depth + 1);
    bool y = how == LOGIC_NOT || all_testable(g, part[1], negate, depth + 1);
    return how == LOGIC_NOT || (how == LOGIC_AND) != negate ? x && y : x || y;
}

bool gang_all_testable(struct gang *g, LLVMValueRef condition, bool negate)
{
    return all_testable(g, condition, negate, 0);
}

bool gang_is_run(struct gang *g, LLVMValueRef c)
{
    if (!LLVMIsAICmpInst(c) || LLVMGetICmpPredicate(c) == LLVMIntNE)
        return false;
    struct shape a = gang_shape(g, LLVMGetOperand(c, 0)), b = gang_shape(g, LLVMGetOperand(c, 1));
    int64_t step;
    return (shape_is_uniform(g->lanes, &b) && shape_step(g->lanes, &a, &step)) ||
           (shape_is_uniform(g->lanes, &a) && shape_step(g->lanes, &b, &step));
}
