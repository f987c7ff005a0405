// SPDX-License-Identifier: Apache-2.0
// Loads and stores. An address that runs through memory lane by lane becomes vector accesses, one for the gang or one
// for each run of lanes; a uniform one a scalar access; anything else one access a lane. Under a mask:
//  - where the processor has instructions for it (gang/memory/masked.c), these; elsewhere
//  - a load may read for inactive lanes what lies on a page that an active lane reads anyway;
//  - a store to shared memory reads, blends and writes back: the block has one worker, nobody can come between;
//  - other stores, unless all lanes are active, go register by register (gang/memory/parts.c), as loads over the end of a page do, or
//    lane by lane, inactive lanes writing to the block's sink.
// An address with a wrap is tested first; where lanes have wrapped around, the exact addresses are used.
#include "jit/gang/memory/access.h"
#include "jit/host/target.h"
#include <stdio.h>

static LLVMValueRef reverse(struct gang *g, LLVMValueRef x)
{
    LLVMValueRef e[GANG_MAX];
    for (unsigned l = 0; l < g->width; l++)
        e[l] = gang_i32(g, g->width - 1 - l);
    return LLVMBuildShuffleVector(g->b, x, LLVMGetPoison(LLVMTypeOf(x)), LLVMConstVector(e, g->width), "");
}

static unsigned run_count(struct gang *g, const struct access *a)
{
    return g->width / a->pattern.run;
}

static LLVMValueRef run_pointer(struct gang *g, const struct access *a, unsigned i)
{
    return gang_lane_pointer(g, a->address, a->pattern.reversed ? g->width - 1 : i * a->pattern.run);
}

static LLVMValueRef gather_inline(struct gang *g, const struct access *a)
{
    if (gather_fits(g, a))
        return gather_build(g, a, gather_pointers(g, a));
    bool exact = access_is_exact(a);
    if (!exact && gather_words_fit(g, a))
        return gather_words(g, a);
    LLVMValueRef x = exact ? NULL : gather_lanes(g, a);
    if (x)
        return x;
    return access_load_lanes(g, a, UINT32_MAX, exact ? NULL : access_lane_pointers(g, a, 0));
}

// A gather that is a vector load where no lane's index is at its bounds; then the rare path had better take little room.
static LLVMValueRef gather_clamped(struct gang *g, const struct access *a)
{
    LLVMValueRef p, ok = clamped_begin(g, a, &p);
    LLVMTypeRef t = gang_lanes(g, a->type);
    if (!ok)
        return gather_inline(g, a);
    struct outlined_access one = {.access = a};
    struct fork f = fork_begin(g, ok, "inside", "clamped", "loaded");
    LLVMValueRef x = a->mask ? masked_load(g, a, t, p, a->mask) : access_load(g, a, t, p);
    fork_rare(g, &f);
    if (gather_fits(g, a))
        one.value = gather_inline(g, a);
    else
        access_outlined(g, &one, 1, false);
    fork_end(g, &f);
    return fork_value(g, &f, x, one.value);
}

// Under a mask that is known, as behind `if (threadIdx.x == 0)`: an access for each of its lanes, of which LLVM makes scalar
// code. False: it is not, or there are many and one instruction makes them all, which takes the time of all lanes.
static bool is_few(struct gang *g, const struct access *a, uint32_t *lanes)
{
    bool store = LLVMIsAStoreInst(a->inst);
    unsigned each = target_figure(store ? FIGURE_LANE_STORE : FIGURE_LANE_LOAD),
             together = g->width * target_figure(store ? FIGURE_SCATTER : FIGURE_GATHER);
    if (!gang_mask_known(g, a->mask, lanes))
        return false;
    unsigned n = (unsigned)__builtin_popcount(*lanes);
    bool sums =
        a->shape.kind == SHAPE_AFFINE && !gather_words_fit(g, a); // each of the lanes' addresses is a scalar sum
    return n <= TUNE_FEW_LANES || (sums && (!gather_fits(g, a) || n * each <= together));
}

static bool gather_few(struct gang *g, const struct access *a)
{
    uint32_t lanes;
    bool few = is_few(g, a, &lanes);
    if (few)
        gang_set_vector(g, a->inst, access_load_lanes(g, a, lanes, NULL));
    return few;
}

static bool scatter_few(struct gang *g, const struct access *a, LLVMValueRef x)
{
    uint32_t lanes;
    bool few = is_few(g, a, &lanes);
    if (few)
        access_store_lanes(g, a, lanes, x, NULL);
    return few;
}

// Lanes that an instruction of a GPU writes at once: values of 8 bytes go in two halves of a warp, those of 16 in four
// parts, one after the other.
static unsigned lanes_at_once(const struct access *a)
{
    return a->size <= 4 ? 32 : a->size <= 8 ? 16 : 8;
}

static bool is_same_location(struct gang *g, const struct access *a, unsigned l, unsigned m)
{
    return a->shape.offset[l] == a->shape.offset[m] &&
           (!a->shape.split || lanes_segment(g->lanes, l) == lanes_segment(g->lanes, m));
}

// Which of the lanes that meet at a location stores: CUDA leaves it open, GPUs take the lowest, and programs count on it.
// False: no two lanes are known to meet.
static bool scatter_meeting(struct gang *g, const struct access *a, LLVMValueRef x)
{
    unsigned at_once = lanes_at_once(a);
    uint32_t first = 0;
    if (a->shape.kind != SHAPE_AFFINE)
        return false;
    for (unsigned l = 0; l < g->width; l++) {
        bool alone = true;
        for (unsigned m = l / at_once * at_once; m < l && alone; m++)
            alone = !is_same_location(g, a, m, l);
        first |= (uint32_t)alone << l;
    }
    if ((unsigned)__builtin_popcount(first) == g->width)
        return false;
    LLVMValueRef p = a->shape.wrap.kind == WRAP_NONE && !a->mask ? NULL : access_lane_pointers(g, a, 0);
    if (!a->mask)
        access_store_lanes(g, a, first, x, p);
    unsigned part = at_once < g->width ? at_once : g->width;
    for (unsigned l = 0; a->mask && l < g->width; l++) {
        unsigned from = l / part * part + part - 1 - l % part; // the lowest comes last
        access_store(g, a, gang_lane(g, x, from), gang_lane(g, p, from));
    }
    return true;
}

static void scatter_inline(struct gang *g, const struct access *a, LLVMValueRef x)
{
    if (scatter_few(g, a, x) || scatter_meeting(g, a, x))
        return;
    if (gather_fits(g, a))
        scatter_build(g, a, x, gather_pointers(g, a));
    else
        access_store_lanes(g, a, UINT32_MAX, x, access_is_exact(a) ? NULL : access_lane_pointers(g, a, 0));
}

// Under a mask: every run lies on one page, which an active lane of that run touches. Runs without an active lane are
// sent to the sink.
static LLVMValueRef page_test(struct gang *g, const struct access *a, LLVMValueRef *pointer)
{
    uint64_t bytes = a->pattern.run * a->size;
    LLVMValueRef ok = NULL;
    for (unsigned i = 0; i < run_count(g, a); i++) {
        if (run_count(g, a) > 1) {
            LLVMValueRef any = gang_any(g, gang_slice(g, a->mask, i * a->pattern.run, a->pattern.run));
            pointer[i] = LLVMBuildSelect(g->b, any, pointer[i], gang_sink(g), "");
        }
        if (a->shape.align < SHAPE_ALIGN_ZERO && bytes <= UINT64_C(1) << a->shape.align &&
            !a->shape.offset[i * a->pattern.run])
            continue; // aligned to its own size
        ok = gang_and(g, ok, access_on_one_page(g, pointer[i], bytes));
    }
    return ok;
}

static LLVMValueRef load_runs(struct gang *g, const struct access *a, const LLVMValueRef *pointer, bool masked)
{
    LLVMValueRef part[GANG_MAX];
    LLVMTypeRef t = LLVMVectorType(a->type, a->pattern.run);
    LLVMValueRef mask = masked ? a->pattern.reversed ? reverse(g, a->mask) : a->mask : NULL;
    for (unsigned i = 0; i < run_count(g, a); i++)
        part[i] = masked ? masked_load(g, a, t, pointer[i], gang_slice(g, mask, i * a->pattern.run, a->pattern.run))
                         : access_load(g, a, t, pointer[i]);
    LLVMValueRef r = gang_concat(g, part, run_count(g, a));
    return a->pattern.reversed ? reverse(g, r) : r;
}

// Under a mask that is known to be 2^k lanes side by side: an access of just these, first ... first + n - 1.
static bool is_narrow(struct gang *g, const struct access *a, unsigned *first, unsigned *n)
{
    uint32_t lanes;
    if (!gang_mask_known(g, a->mask, &lanes) || !lanes || a->pattern.run != g->width || a->pattern.reversed ||
        a->shape.wrap.kind != WRAP_NONE)
        return false;
    *first = (unsigned)__builtin_ctz(lanes);
    *n = (unsigned)__builtin_popcount(lanes);
    return lanes >> *first == (uint32_t)((UINT64_C(1) << *n) - 1) && (*n & (*n - 1)) == 0;
}

static LLVMValueRef load_narrow(struct gang *g, const struct access *a, unsigned first, unsigned n)
{
    LLVMTypeRef whole = gang_lanes(g, a->type);
    LLVMValueRef p = gang_lane_pointer(g, a->address, first), e[GANG_MAX];
    if (n == 1)
        return LLVMBuildInsertElement(g->b, LLVMGetPoison(whole), access_load(g, a, a->type, p), gang_i64(g, first),
                                      "");
    LLVMTypeRef t = LLVMVectorType(a->type, n);
    for (unsigned l = 0; l < g->width; l++)
        e[l] = l >= first && l < first + n ? gang_i32(g, l - first) : LLVMGetPoison(g->v->i32);
    return LLVMBuildShuffleVector(g->b, access_load(g, a, t, p), LLVMGetPoison(t), LLVMConstVector(e, g->width), "");
}

// A load in rows of lanes, and what must hold that these are where they should be.
struct row_load {
    struct access access;
    LLVMValueRef pointer[GANG_MAX], ok; // NULL: it needs no test
    LLVMValueRef no_wrap;               // the part of it that speaks of the index
    bool masked;
};

static void row_begin(struct gang *g, struct row_load *r)
{
    const struct access *a = &r->access;
    r->ok = r->no_wrap = gang_no_wrap(g, a->address);
    for (unsigned i = 0; i < run_count(g, a); i++)
        r->pointer[i] = run_pointer(g, a, i);
    r->masked = a->mask && masked_fits(g, a);
    if (a->mask && !r->masked)
        r->ok = gang_and(g, r->ok, page_test(g, a, r->pointer));
}

static void row_end(struct gang *g, const struct row_load *r, LLVMValueRef x, bool first)
{
    LLVMValueRef inst = r->access.inst;
    if (!first) {
        *gang_slot(g, inst) = (struct gang_value){0};
        vec_push(&g->loaded, inst);
    }
    gang_set_vector(g, inst, x);
}

// Where the test of some rows failed: by parts where that was not for an index; else lane by lane.
static void load_rare(struct gang *g, struct row_load *r, unsigned n, struct outlined_access *one)
{
    LLVMValueRef x[BATCH_MAX], no_wrap = NULL;
    bool fit = true;
    for (unsigned i = 0; i < n; i++) {
        no_wrap = gang_and(g, no_wrap, r[i].no_wrap);
        fit &= parts_fit(g, &r[i].access);
    }
    if (!fit) {
        access_outlined(g, one, n, false);
        return;
    }
    struct fork f = {0};
    if (no_wrap)
        f = fork_begin(g, no_wrap, "parts", "gather", "loaded");
    for (unsigned i = 0; i < n; i++)
        x[i] = parts_access(g, &r[i].access, r[i].pointer, NULL);
    if (no_wrap) {
        fork_rare(g, &f);
        access_outlined(g, one, n, false);
        fork_end(g, &f);
    }
    for (unsigned i = 0; i < n; i++)
        one[i].value = no_wrap ? fork_value(g, &f, x[i], one[i].value) : x[i];
}

// Whether what is loaded takes more than half of the vector registers, all of which would be full where the hot path and the rare one
// meet: then they meet before the loads, with pointers.
static bool meets_early(struct gang *g, const struct row_load *r, unsigned n)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < n; i++) {
        if (r[i].access.pattern.reversed)
            return false;
        bytes += g->width * r[i].access.size;
    }
    return 2 * bytes > target_figure(FIGURE_REGISTERS) * target_figure(FIGURE_VECTOR_BYTES);
}

// The rare path leaves a copy of what it loads, from where the loads that follow take it; elsewhere they take it from where it is.
static void copy_rare(struct gang *g, struct row_load *r, unsigned n, struct outlined_access *one, LLVMValueRef ok)
{
    enum { LANE_BYTES = 8 };
    LLVMTypeRef byte = LLVMInt8TypeInContext(g->v->context);
    uint64_t each = (uint64_t)g->width * LANE_BYTES;
    LLVMValueRef copy[BATCH_MAX];
    if (!g->copies)
        g->copies = gang_alloca(g, LLVMArrayType2(byte, BATCH_MAX * each), 64);
    struct fork f = fork_begin(g, ok, "load", "gather", "loaded");
    fork_rare(g, &f);
    load_rare(g, r, n, one);
    for (unsigned i = 0; i < n; i++) {
        copy[i] = gang_step(g, g->copies, (int64_t)(i * each));
        ir_store(g->b, one[i].value, copy[i], 64);
    }
    LLVMValueRef part[BATCH_MAX][GANG_MAX];
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < run_count(g, &r[i].access); k++)
            part[i][k] = gang_step(g, copy[i], (int64_t)(k * r[i].access.pattern.run * r[i].access.size));
    fork_end(g, &f);
    for (unsigned i = 0; i < n; i++) {
        for (unsigned k = 0; k < run_count(g, &r[i].access); k++)
            r[i].pointer[k] = fork_value(g, &f, r[i].pointer[k], part[i][k]);
        r[i].access.copied = true;
    }
}

// One test for all, with a rare path where it fails.
static void load_rows(struct gang *g, struct row_load *r, unsigned n)
{
    LLVMValueRef x[BATCH_MAX], ok = NULL;
    struct outlined_access one[BATCH_MAX];
    struct fork f = {0};
    for (unsigned i = 0; i < n; i++) {
        row_begin(g, &r[i]);
        ok = gang_and(g, ok, r[i].ok);
        one[i] = (struct outlined_access){.access = &r[i].access};
    }
    if (ok && meets_early(g, r, n)) {
        copy_rare(g, r, n, one, ok);
        ok = NULL;
    }
    if (ok)
        f = fork_begin(g, ok, "load", "gather", "loaded");
    for (unsigned i = 0; i < n; i++)
        x[i] = load_runs(g, &r[i].access, r[i].pointer, r[i].masked);
    if (ok) {
        fork_rare(g, &f);
        load_rare(g, r, n, one);
        fork_end(g, &f);
    }
    for (unsigned i = 0; i < n; i++)
        row_end(g, &r[i], ok ? fork_value(g, &f, x[i], one[i].value) : x[i], !i);
}

static void load_pattern(struct gang *g, const struct access *a)
{
    struct row_load r[BATCH_MAX];
    unsigned first, n, count = 1;
    if (is_narrow(g, a, &first, &n)) {
        gang_set_vector(g, a->inst, load_narrow(g, a, first, n));
        return;
    }
    r[0].access = *a;
    // What stands right behind it and needs such a test too: gang/memory/batch.c has brought them together.
    for (LLVMValueRef x = a->inst; count < BATCH_MAX && batch_goes_on(g->v, g->f, x); count++) {
        x = LLVMGetNextInstruction(x);
        r[count].access = access_init(g, x, a->mask);
        if (!r[count].access.pattern.run || is_narrow(g, &r[count].access, &first, &n))
            break;
    }
    load_rows(g, r, count);
}

// Flat addresses: a scalar load for each base. A segment without an active lane reads the sink.
static void load_flat(struct gang *g, const struct access *a, const struct shape *s)
{
    struct gang_value *r = gang_slot(g, a->inst);
    for (unsigned i = 0; i < shape_bases(g->lanes, s); i++) {
        LLVMValueRef p = gang_segment_pointer(g, s, i, gang_base(g, a->address, i, s), a->mask);
        r->base[i] = access_load(g, a, a->type, p);
    }
}

void gang_emit_load(struct gang *g, LLVMValueRef inst, LLVMValueRef mask)
{
    struct access a = access_init(g, inst, mask);
    struct shape s = gang_shape(g, inst);
    if (s.kind == SHAPE_AFFINE)
        load_flat(g, &a, &s);
    else if (a.pattern.run)
        load_pattern(g, &a);
    else if (!gather_few(g, &a) && !interleave_load(g, &a) && !rows_load(g, &a) && !interleave_sparse(g, &a))
        gang_set_vector(g, inst, gather_clamped(g, &a));
}

static LLVMValueRef shared_test(struct gang *g, const struct access *a, const LLVMValueRef *pointer)
{
    LLVMValueRef ok = NULL;
    for (unsigned i = 0; i < run_count(g, a); i++)
        ok = gang_and(g, ok, access_in_shared(g, pointer[i], a->pattern.run * a->size));
    return ok;
}

// How a store under a mask is made.
enum store_form { STORE_ALL, STORE_BLEND, STORE_MASKED };

static void store_runs(struct gang *g, const struct access *a, const LLVMValueRef *pointer, LLVMValueRef x,
                       enum store_form form)
{
    LLVMTypeRef t = LLVMVectorType(a->type, a->pattern.run);
    LLVMValueRef mask = a->mask;
    if (a->pattern.reversed) {
        x = reverse(g, x);
        mask = mask ? reverse(g, mask) : NULL;
    }
    for (unsigned i = 0; i < run_count(g, a); i++) {
        LLVMValueRef part = gang_slice(g, x, i * a->pattern.run, a->pattern.run);
        LLVMValueRef m = form == STORE_ALL ? NULL : gang_slice(g, mask, i * a->pattern.run, a->pattern.run);
        if (form == STORE_MASKED) {
            masked_store(g, part, pointer[i], a->align, gang_mask_bits(g, m));
            continue;
        }
        if (form == STORE_BLEND)
            part = gang_blend(g, m, part, access_load(g, a, t, pointer[i]));
        access_store(g, a, part, pointer[i]);
    }
}

// A store in rows of lanes, and what must hold that it may be made so.
struct row_store {
    struct access access;
    LLVMValueRef x, pointer[GANG_MAX], ok; // NULL: it needs no test
    LLVMValueRef no_wrap;                  // the part of it that speaks of the index
    enum store_form form;
};

static void store_begin(struct gang *g, struct row_store *r)
{
    const struct access *a = &r->access;
    r->x = gang_vector(g, LLVMGetOperand(a->inst, 0));
    r->ok = r->no_wrap = gang_no_wrap(g, a->address);
    for (unsigned i = 0; i < run_count(g, a); i++)
        r->pointer[i] = run_pointer(g, a, i);
    r->form = !a->mask                          ? STORE_ALL
              : !a->shared && masked_fits(g, a) ? STORE_MASKED
              : a->shared || a->own             ? STORE_BLEND
                                                : STORE_ALL;
    if (a->mask && r->form != STORE_MASKED && !a->own)
        r->ok = gang_and(g, r->ok, r->form == STORE_BLEND ? shared_test(g, a, r->pointer) : gang_all(g, a->mask));
}

// One store whose test failed: by parts where that was not for its index; else lane by lane.
static void store_rare(struct gang *g, struct row_store *r, struct outlined_access *one)
{
    struct fork f = {0};
    if (r->no_wrap)
        f = fork_begin(g, r->no_wrap, "parts", "scatter", "stored");
    parts_access(g, &r->access, r->pointer, r->x);
    if (r->no_wrap) {
        fork_rare(g, &f);
        access_outlined(g, one, 1, true);
        fork_end(g, &f);
    }
}

// One test for all, with a rare path where it fails.
static void store_rows(struct gang *g, struct row_store *r, unsigned n)
{
    LLVMValueRef ok = NULL;
    struct outlined_access one[BATCH_MAX];
    struct fork f = {0};
    for (unsigned i = 0; i < n; i++) {
        store_begin(g, &r[i]);
        ok = gang_and(g, ok, r[i].ok);
        one[i] = (struct outlined_access){&r[i].access, 0, r[i].x};
    }
    if (ok)
        f = fork_begin(g, ok, "store", "scatter", "stored");
    for (unsigned i = 0; i < n; i++)
        store_runs(g, &r[i].access, r[i].pointer, r[i].x, r[i].form);
    if (!ok)
        return;
    fork_rare(g, &f);
    if (r->form == STORE_BLEND && masked_fits(g, &r->access) && r->access.shape.wrap.kind == WRAP_NONE)
        store_runs(g, &r->access, r->pointer, r->x, STORE_MASKED);
    else if (n == 1 && parts_fit(g, &r->access))
        store_rare(g, r, one);
    else
        access_outlined(g, one, n, true);
    fork_end(g, &f);
}

// Whether nothing but a test of its index stands between this store and others of its kind.
static bool may_join(struct gang *g, const struct access *a)
{
    unsigned first, n;
    return a->pattern.run && (!a->mask || (!a->shared && masked_fits(g, a))) && !is_narrow(g, a, &first, &n);
}

static void store_pattern(struct gang *g, const struct access *a)
{
    struct row_store r[BATCH_MAX] = {{.access = *a}};
    unsigned first, n, count = 1;
    if (is_narrow(g, a, &first, &n)) {
        LLVMValueRef x = gang_vector(g, LLVMGetOperand(a->inst, 0));
        access_store(g, a, n == 1 ? gang_lane(g, x, first) : gang_slice(g, x, first, n),
                     gang_lane_pointer(g, a->address, first));
        return;
    }
    // What stands right behind it and needs such a test too, as for loads.
    for (LLVMValueRef x = a->inst; may_join(g, a) && count < BATCH_MAX && batch_goes_on(g->v, g->f, x); count++) {
        x = LLVMGetNextInstruction(x);
        r[count].access = access_init(g, x, a->mask);
        if (!may_join(g, &r[count].access))
            break;
        vec_push(&g->loaded, x);
    }
    store_rows(g, r, count);
}

// Every thread that comes here writes the same value to the same location, as in "*changed = 1". Whoever finds it there
// need not write: the store counts as done right after the one whose value was read, which no thread can tell from one
// that was made. The line then stays in the caches of all cores, where each store would take it from the others. Not so
// for volatile and atomic stores.
static bool store_is_flag(struct gang *g, const struct access *a, LLVMValueRef value)
{
    enum { DEPTH = 8 };
    return !a->shared && !g->v->plan->debug && access_is_simple(a->inst) &&
           LLVMGetTypeKind(a->type) == LLVMIntegerTypeKind && a->size <= 8 && a->align >= a->size &&
           ir_made_of(value, DEPTH, op_is_fixed) && ir_made_of(a->address, DEPTH, op_is_fixed);
}

static void store_flag(struct gang *g, const struct access *a, LLVMValueRef x, LLVMValueRef pointer)
{
    LLVMBasicBlockRef set = gang_block(g, "set"), done = gang_block(g, "isset");
    LLVMValueRef old = access_load(g, a, a->type, pointer);
    LLVMSetOrdering(old, LLVMAtomicOrderingMonotonic);
    ir_branch(g->b, LLVMBuildICmp(g->b, LLVMIntEQ, old, x, ""), done, set, set);
    access_store(g, a, x, pointer);
    ir_enter(g->b, done);
}

// All lanes write one location: the lowest active one wins, as in scatter_meeting.
static void store_uniform(struct gang *g, const struct access *a, LLVMValueRef value)
{
    LLVMValueRef x;
    unsigned at_once = lanes_at_once(a);
    if (gang_is_uniform(g, value)) {
        x = gang_scalar(g, value);
    } else if (!a->mask) {
        x = gang_lane(g, gang_vector(g, value), g->width > at_once ? g->width - at_once : 0);
    } else {
        LLVMValueRef bits = gang_ballot(g, a->mask), start = gang_i32(g, 0);
        if (g->width > at_once) { // of those that are written last
            LLVMValueRef zeros = gang_intrinsic2(g, "llvm.ctlz", bits, gang_int(g->v->i1, 1));
            LLVMValueRef last = LLVMBuildSub(g->b, gang_i32(g, 31), zeros, "");
            start = LLVMBuildAnd(g->b, last, gang_i32(g, -(int64_t)at_once), "");
            bits = LLVMBuildLShr(g->b, bits, start, "");
        }
        LLVMValueRef lane = LLVMBuildAdd(g->b, start, gang_lowest(g, bits), "");
        x = LLVMBuildExtractElement(g->b, gang_vector(g, value), lane, "");
    }
    LLVMValueRef pointer = gang_scalar(g, a->address);
    if (gang_is_uniform(g, value) && store_is_flag(g, a, value))
        store_flag(g, a, x, pointer);
    else
        access_store(g, a, x, pointer);
}

void gang_emit_store(struct gang *g, LLVMValueRef inst, LLVMValueRef mask)
{
    LLVMValueRef value = LLVMGetOperand(inst, 0);
    struct access a = access_init(g, inst, mask);
    if (type_is_bool(LLVMTypeOf(value)))
        gang_fail(g, inst, "a store of i1");
    else if (shape_is_uniform(g->lanes, &a.shape))
        store_uniform(g, &a, value);
    else if (a.pattern.run)
        store_pattern(g, &a);
    else if (!interleave_store(g, &a) && !rows_store(g, &a)) {
        LLVMBasicBlockRef done = append_store(g, &a, value);
        scatter_inline(g, &a, gang_vector(g, value));
        if (done)
            ir_enter(g->b, done);
    }
}

// One for each line that the lanes touch, when the address is affine and these are few. Those of the next iteration stay
// calls until block/interleave.c decides.
EMIT(prefetch)
{
    enum { FEW = 4 };
    LLVMValueRef address = LLVMGetOperand(call, 0), f = LLVMGetCalledValue(call);
    unsigned how = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(call, 1));
    struct shape s = gang_shape(g, address);
    unsigned lanes[FEW + 1], n = 0;
    if (s.kind != SHAPE_AFFINE)
        return;
    for (unsigned l = 0; l < g->width; l++) {
        bool apart = !n || (s.split && lanes_segment(g->lanes, l) != lanes_segment(g->lanes, lanes[n - 1]));
        int64_t d = n ? s.offset[l] - s.offset[lanes[n - 1]] : 0;
        if (!apart && d > -TUNE_LINE && d < TUNE_LINE)
            continue;
        if (n == FEW)
            return;
        lanes[n++] = l;
    }
    if (how & PREFETCH_WRITE && lanes[n - 1] != g->width - 1 && s.offset[g->width - 1] != s.offset[lanes[n - 1]])
        lanes[n++] = g->width - 1;
    for (unsigned i = 0; i < n; i++) {
        LLVMTypeRef p = g->v->ptr;
        LLVMValueRef args[4] = {gang_lane_pointer(g, address, lanes[i]), gang_i32(g, how & PREFETCH_WRITE ? 1 : 0),
                                gang_i32(g, how & 3), gang_i32(g, 1)};
        LLVMValueRef x = variant ? ir_call(g->b, f, (LLVMValueRef[]){args[0], args[2]}, 2)
                                 : ir_intrinsic(g->b, "llvm.prefetch", &p, 1, args, 4);
        LLVMSetMetadata(x, g->v->noalias_kind, g->v->frame_scope);
    }
}

// The head of a loop that gangs go through together: block/interleave.c looks for it.
EMIT(interleave_point)
{
    LLVMValueRef x = LLVMGetOperand(call, 0), worth = gang_is_uniform(g, x) ? gang_scalar(g, x) : gang_int(g->v->i1, 1);
    ir_call(g->b, LLVMGetCalledValue(call), &worth, 1);
}
