// SPDX-License-Identifier: Apache-2.0
// Loops that read through some pointers and write through others, as `out[i * n + k] = f(in[i * n + k])`: nothing says that
// the memory is not the same, so each load stays behind the stores before it, and neighbours cannot be taken at once
// (gang/memory/rows.c). A test before the loop tells: what one thread reads and writes in one iteration lies apart. It holds for all
// iterations when all pointers go on by the same constant, or none does. Then the loop is there twice, and in one of them accesses
// through different pointers have no order. What different threads do is ordered by nothing anyway.
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
};

struct roots {
    struct root of[ROOTS];
    unsigned n;
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
    root->stored |= LLVMIsAStoreInst(x) != NULL;
    bool apart = !a.pattern.run && !a.own && !shape_is_uniform(g->lanes, &a.shape);
    root->bytes += apart && (size == 4 || size == 8) ? (unsigned)size : 0;
    return true;
}

// Whether there is something to gain: rows that are written, and something else that is read.
static bool find_roots(struct gang *g, const struct loop *l, int pre, struct roots *r)
{
    bool stored = false, wide = false;
    FOR_LOOP (&g->f->cfg, l->id, x)
        if (!note(g, l, pre, r, x))
            return false;
    for (unsigned i = 0; i < r->n; i++) {
        stored |= r->of[i].stored && r->of[i].bytes >= TUNE_ROW_PIECE;
        wide |= r->of[i].bytes >= TUNE_ROW_PIECE;
        if (r->of[i].step != r->of[0].step)
            return false;
    }
    return stored && wide && r->n > 1 && l->extent.instructions <= TUNE_DISJOINT_LOOP_MAX;
}

static LLVMValueRef addresses(struct gang *g, LLVMValueRef value)
{
    LLVMValueRef x = gang_vector(g, value);
    if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
        x = LLVMBuildPtrToInt(g->b, x, gang_lanes(g, g->v->i64), "");
    return x;
}

// low < a - b < high would be: a touches what b touches.
static LLVMValueRef pair_test(struct gang *g, const struct root *a, const struct root *b)
{
    int64_t low = b->low - a->high, high = b->high - a->low;
    LLVMValueRef d = LLVMBuildSub(g->b, addresses(g, a->start), addresses(g, b->start), "");
    d = LLVMBuildSub(g->b, d, gang_wide(g, gang_i64(g, low + 1)), "");
    return LLVMBuildICmp(g->b, LLVMIntUGE, d, gang_wide(g, gang_i64(g, high - low - 1)), "");
}

LLVMValueRef disjoint_test(struct gang *g, const struct loop *l, int pre)
{
    struct roots r = {0};
    LLVMValueRef all = NULL;
    if (g->width == 1 || g->v->plan->lockstep || g->v->plan->debug || g->f->cfg.blocks[l->header].loop != l->id ||
        !find_roots(g, l, pre, &r) || !gang_may_copy(g, l->extent.instructions))
        return NULL;
    for (unsigned i = 0; i < r.n; i++)
        for (unsigned k = 0; k < r.n; k++)
            if (r.of[i].stored && i != k && (!r.of[k].stored || i < k)) {
                LLVMValueRef x = pair_test(g, &r.of[i], &r.of[k]);
                all = all ? LLVMBuildAnd(g->b, all, x, "") : x;
            }
    return all ? gang_all(g, gang_mask_of(g, all)) : NULL;
}

bool disjoint_pass(struct gang *g, LLVMValueRef x, LLVMValueRef root)
{
    int64_t at;
    return g->disjoint && IR_IS(x, LLVMLoad, LLVMStore) && access_is_simple(x) &&
           address_source(ir_address(x), &at) != address_source(root, &at);
}
