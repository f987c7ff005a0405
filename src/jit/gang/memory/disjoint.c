// SPDX-License-Identifier: Apache-2.0
// Loops that read through some pointers and write through others, as `out[i * n + k] = f(in[i * n + k])`: nothing says that
// the memory is not the same, so each load stays behind the stores before it, and neighbours cannot be taken at once
// (gang/memory/rows.c). A test before the loop tells: what one thread reads and writes in one iteration lies apart. Then the loop is there
// twice, and in one of them accesses through different pointers have no order. What different threads do is ordered by nothing anyway.
//
// Where both pointers of a pair go on by the same constant, their distance never changes, and a test of the first iteration holds for all. Where
// they do not, as in `sum[i] += in[i * n + k] * x[k]`, the distance d changes by a constant c each time, and after the k-th of T iterations is
// d + c * k. The accesses touch while it is between two constants, low < d + c * k < high; so they never do if d is not between low
// less the most that c * k is, and high less the least. c * k lies between 0 and c * (T - 1), for which (T - 1) need only be bounded from above:
//  - the counter goes from a by the constant s > 0, and the loop goes on while what it has become is less than b: then it did so T - 1
//    times, a + (T - 1) * s < b, and T - 1 <= (b - a) / s. It does not wrap around if a + s and b + s are numbers of its type, which is tested;
//  - or while it is not b: T * s = b - a modulo 2^bits, and if s is a power of two that divides b - a, which is tested, T = (b - a) / s,
//    unless b = a, which is tested too.
#include "jit/gang/memory/access.h"
#include "jit/analysis/address.h"
#include "jit/gang/control/control.h"

enum { ROOTS = 8 };

// Accesses at constant distances from one value: a phi of the header that goes on by a constant, or one from outside.
struct root {
    LLVMValueRef value, start;
    int64_t step, low, high;
    unsigned bytes; // that gang/memory/rows.c could access together
    bool stored;
    bool read, passed; // a load was seen, and a store behind it
};

struct roots {
    struct root of[ROOTS];
    unsigned n;
    bool parted; // a store stands between two loads that could be made together
};

static struct root *root_of(struct gang *g, const struct loop *l, int pre, struct roots *r, LLVMValueRef value)
{
    for (unsigned i = 0; i < r->n; i++)
        if (r->of[i].value == value)
            return &r->of[i];
    struct root x = {.value = value, .start = value, .low = INT64_MAX, .high = INT64_MIN};
    if (loop_has(&g->f->cfg, l->id, value)) {
        if (!loop_is_variable(&g->f->cfg, l->id, value) || !loop_phi_step(value, &x.step))
            return NULL;
        LLVMValueRef start = ir_incoming(value, g->f->cfg.blocks[pre].block);
        x.start = start ? start : x.start;
    }
    if (r->n == ROOTS || value_is_undef(x.start))
        return NULL;
    r->of[r->n] = x;
    return &r->of[r->n++];
}

static bool note(struct gang *g, const struct loop *l, int pre, struct roots *r, LLVMValueRef x)
{
    if (!IR_IS(x, LLVMLoad, LLVMStore))
        return !access_may_write(x);
    LLVMValueRef address = ir_address(x);
    int64_t at, size = (int64_t)LLVMABISizeOfType(g->v->layout, ir_access_type(x));
    struct access a = access_init(g, x, NULL);
    if (!access_is_simple(x) || ir_is_invariant(x))
        return access_is_simple(x);
    struct root *root = root_of(g, l, pre, r, address_source(address, &at));
    if (!root)
        return false;
    root->low = at < root->low ? at : root->low;
    root->high = at + size > root->high ? at + size : root->high;
    bool store = LLVMIsAStoreInst(x);
    for (unsigned i = 0; store && i < r->n; i++)
        r->of[i].passed |= r->of[i].read;
    root->stored |= store;
    root->read |= !store;
    r->parted |= !store && root->passed;
    bool apart = !a.pattern.run && !a.own && !shape_is_uniform(g->lanes, &a.shape);
    root->bytes += apart && (size == 4 || size == 8) ? (unsigned)size : 0;
    return true;
}

// Whether there is something to gain: rows, and stores that keep their accesses from each other.
static bool find_roots(struct gang *g, const struct loop *l, int pre, struct roots *r)
{
    bool stored = false, wide = false;
    FOR_LOOP (&g->f->cfg, l->id, x)
        if (!note(g, l, pre, r, x))
            return false;
    for (unsigned i = 0; i < r->n; i++) {
        stored |= r->of[i].stored && (r->parted || r->of[i].bytes >= TUNE_ROW_PIECE);
        wide |= r->of[i].bytes >= TUNE_ROW_PIECE;
    }
    return stored && wide && r->n > 1 && l->extent.instructions <= TUNE_DISJOINT_LOOP_MAX;
}

// What bounds the number of iterations, see above.
struct trips {
    LLVMValueRef start, end; // a, b
    int64_t step;            // s
    bool unequal;            // goes on while it is not b
    bool is_signed;
};

enum { PAIRS = 5 };
typedef const LLVMIntPredicate predicate_pairs[PAIRS][2];
static predicate_pairs negations = {{LLVMIntEQ, LLVMIntNE},
                                    {LLVMIntSLT, LLVMIntSGE},
                                    {LLVMIntULT, LLVMIntUGE},
                                    {LLVMIntSGT, LLVMIntSLE},
                                    {LLVMIntUGT, LLVMIntULE}},
                       exchanges = {{LLVMIntSLT, LLVMIntSGT},
                                    {LLVMIntULT, LLVMIntUGT},
                                    {LLVMIntSLE, LLVMIntSGE},
                                    {LLVMIntULE, LLVMIntUGE},
                                    {LLVMIntEQ, LLVMIntEQ}};

static LLVMIntPredicate other_of(predicate_pairs pairs, LLVMIntPredicate p)
{
    for (unsigned i = 0; i < PAIRS; i++)
        for (unsigned k = 0; k < 2; k++)
            if (pairs[i][k] == p)
                return pairs[i][1 - k];
    return p;
}

static bool find_trips(struct gang *g, const struct loop *l, int pre, struct trips *t)
{
    const struct cfg *c = &g->f->cfg;
    LLVMValueRef test = l->condition;
    if (!LLVMIsAICmpInst(test))
        return false;
    LLVMIntPredicate p = LLVMGetICmpPredicate(test);
    unsigned k = loop_has(c, l->id, LLVMGetOperand(test, 0)) ? 0 : 1; // the counter's side
    p = k ? other_of(exchanges, p) : p;
    p = l->negate ? other_of(negations, p) : p;
    t->unequal = p == LLVMIntNE;
    t->is_signed = p == LLVMIntSLT;
    t->end = LLVMGetOperand(test, 1 - k);
    unsigned bits = type_bits(LLVMTypeOf(t->end));
    if ((!t->unequal && !t->is_signed && p != LLVMIntULT) || bits > 32 || !bits || loop_has(c, l->id, t->end) ||
        LLVMGetTypeKind(LLVMTypeOf(t->end)) != LLVMIntegerTypeKind)
        return false;
    FOR_LOOP_PHIS (c, l->id, x) {
        if (loop_next(c, l->id, x) != LLVMGetOperand(test, k) || !loop_is_step(LLVMGetOperand(test, k), x, &t->step) ||
            t->step <= 0 || t->step > UINT16_MAX)
            continue;
        t->start = ir_incoming(x, c->blocks[pre].block);
        return t->start && gang_is_uniform(g, t->start) && gang_is_uniform(g, t->end) &&
               (!t->unequal || !(t->step & (t->step - 1)));
    }
    return false;
}

// T - 1, or more, as a number of 64 bits; *ok: it is.
static LLVMValueRef build_trips(struct gang *g, const struct trips *t, LLVMValueRef *ok)
{
    LLVMValueRef a = gang_scalar(g, t->start), b = gang_scalar(g, t->end), s = gang_i64(g, t->step);
    LLVMOpcode widen = t->is_signed ? LLVMSExt : LLVMZExt;
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(b));
    if (t->unequal) {
        LLVMValueRef d = LLVMBuildZExt(g->b, LLVMBuildSub(g->b, b, a, ""), g->v->i64, "");
        LLVMValueRef rest = LLVMBuildAnd(g->b, d, gang_i64(g, t->step - 1), "");
        *ok = LLVMBuildAnd(g->b, LLVMBuildIsNull(g->b, rest, ""), LLVMBuildIsNotNull(g->b, d, ""), "");
        return LLVMBuildUDiv(g->b, d, s, "");
    }
    int64_t most = (INT64_C(1) << (bits - t->is_signed)) - 1;
    LLVMValueRef first = LLVMBuildCast(g->b, widen, a, g->v->i64, ""),
                 wide = LLVMBuildCast(g->b, widen, b, g->v->i64, "");
    LLVMValueRef d = LLVMBuildSub(g->b, wide, first, "");
    d = gang_intrinsic2(g, "llvm.smax", d, gang_i64(g, 0)); // the first iteration is made in any case
    *ok =
        LLVMBuildICmp(g->b, LLVMIntSLE, gang_intrinsic2(g, "llvm.smax", first, wide), gang_i64(g, most - t->step), "");
    return LLVMBuildUDiv(g->b, d, s, "");
}

static LLVMValueRef addresses(struct gang *g, LLVMValueRef value)
{
    LLVMValueRef x = gang_vector(g, value);
    if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
        x = LLVMBuildPtrToInt(g->b, x, gang_lanes(g, g->v->i64), "");
    return x;
}

// low < a - b < high would be: a touches what b touches. trips: of an iteration behind the first, at most.
static LLVMValueRef pair_test(struct gang *g, const struct root *a, const struct root *b, LLVMValueRef trips)
{
    int64_t low = b->low - a->high, high = b->high - a->low, change = a->step - b->step;
    LLVMValueRef d = LLVMBuildSub(g->b, addresses(g, a->start), addresses(g, b->start), "");
    LLVMValueRef from = gang_i64(g, low + 1), room = gang_i64(g, high - low - 1);
    if (change) {
        LLVMValueRef most = LLVMBuildMul(g->b, trips, gang_i64(g, change < 0 ? -change : change), "");
        from = change > 0 ? LLVMBuildSub(g->b, from, most, "") : from;
        room = LLVMBuildAdd(g->b, room, most, "");
    }
    d = LLVMBuildSub(g->b, d, gang_wide(g, from), "");
    return LLVMBuildICmp(g->b, LLVMIntUGE, d, gang_wide(g, room), "");
}

// So that no sum of a test passes 64 bits: iterations are fewer than 2^32.
static bool is_near(int64_t bytes)
{
    enum { NEAR = 1 << 28 };
    return bytes >= -NEAR && bytes <= NEAR;
}

LLVMValueRef disjoint_test(struct gang *g, const struct loop *l, int pre)
{
    struct roots r = {0};
    struct trips t;
    bool steady = true;
    LLVMValueRef all = NULL, trips = NULL, known = NULL;
    if (g->width == 1 || g->v->plan->lockstep || g->v->plan->debug || g->f->cfg.blocks[l->header].loop != l->id ||
        !find_roots(g, l, pre, &r))
        return NULL;
    for (unsigned i = 0; i < r.n; i++) {
        steady &= r.of[i].step == r.of[0].step;
        if (!is_near(r.of[i].step) || !is_near(r.of[i].low) || !is_near(r.of[i].high))
            return NULL;
    }
    if ((!steady && !find_trips(g, l, pre, &t)) || !gang_may_copy(g, l->extent.instructions))
        return NULL;
    if (!steady)
        trips = build_trips(g, &t, &known);
    for (unsigned i = 0; i < r.n; i++)
        for (unsigned k = 0; k < r.n; k++)
            if (r.of[i].stored && i != k && (!r.of[k].stored || i < k))
                all = gang_and(g, all, pair_test(g, &r.of[i], &r.of[k], trips));
    return all ? gang_and(g, gang_all(g, gang_mask_of(g, all)), known) : NULL;
}

bool disjoint_pass(struct gang *g, LLVMValueRef x, LLVMValueRef root)
{
    int64_t at;
    return g->disjoint && IR_IS(x, LLVMLoad, LLVMStore) && access_is_simple(x) &&
           address_source(ir_address(x), &at) != address_source(root, &at);
}
