// SPDX-License-Identifier: Apache-2.0
// Structures side by side: threads that each read (or write) all 2, 3 or 4 neighbouring elements of their own record,
// as float2, float4 and ld.v4 do. The gang's records are one piece of memory: it is read whole and taken apart by
// shuffles, which back ends turn into their instructions for it.
#include "jit/gang/memory/access.h"

// Elements from one lane's record to the next; 0 when the address is not of that kind.
static unsigned record_size(struct gang *g, const struct access *a)
{
    int64_t step, size = (int64_t)a->size;
    bool fits = shape_step(g->lanes, &a->shape, &step) && access_is_simple(a->inst) && step % size == 0;
    return fits && step / size >= 2 && step / size <= 4 ? (unsigned)(step / size) : 0;
}

// All members of the record that this access is one of.
static bool find(struct gang *g, const struct access *a, bool store, struct neighbours *out)
{
    LLVMValueRef found[NEIGHBOURS_POSITIONS] = {0};
    unsigned n = record_size(g, a), k = 0;
    if (!n)
        return false;
    LLVMValueRef end = neighbours_find(g, a, store, false, found);
    for (unsigned low = NEIGHBOURS_HERE + 1 - n; low <= NEIGHBOURS_HERE; low++) {
        for (k = 0; k < n && found[low + k]; k++)
            ;
        if (k == n)
            return neighbours_take(g, a, store, found, low, n, end, out);
    }
    return false;
}

static LLVMValueRef record_start(struct gang *g, const struct access *a, const struct neighbours *r)
{
    return gang_step(g, gang_lane_pointer(g, a->address, 0), -r->before);
}

// Chooses lanes of two vectors by `index`, as a shuffle of two registers.
typedef unsigned index_fn(unsigned lane, unsigned width, unsigned k);
static LLVMValueRef pick(struct gang *g, LLVMValueRef x, LLVMValueRef y, index_fn *index, unsigned k)
{
    LLVMValueRef e[GANG_MAX];
    for (unsigned l = 0; l < g->width; l++)
        e[l] = gang_i32(g, index(l, g->width, k));
    return LLVMBuildShuffleVector(g->b, x, y, LLVMConstVector(e, g->width), "");
}

// Of records of four: half a vector of member k, then half a vector of member k + 1.
static unsigned index_members(unsigned lane, unsigned width, unsigned k)
{
    return lane < width / 2 ? 4 * lane + k : 4 * (lane - width / 2) + k + 1;
}

// The first (k = 0) or second halves of both vectors.
static unsigned index_halves(unsigned lane, unsigned width, unsigned k)
{
    return lane % (width / 2) + (lane < width / 2 ? 0 : width) + k * (width / 2);
}

// The inverse of index_members for the first (k = 0) or second vector of records.
static unsigned index_records(unsigned lane, unsigned width, unsigned k)
{
    return lane / 4 + k * (width / 4) + lane % 4 * (width / 2);
}

// Records of four in two steps of shuffles that each take two registers: x86-64's way, where LLVM takes a shuffle of
// four registers apart lane by lane.
static bool by_halves(struct gang *g, const struct neighbours *r)
{
    return r->n == 4 && !g->v->arm && g->width >= 8;
}

static void read_fours(struct gang *g, const struct access *a, LLVMValueRef start, LLVMValueRef *out)
{
    LLVMValueRef x[4];
    LLVMTypeRef t = gang_lanes(g, a->type);
    for (unsigned i = 0; i < 4; i++)
        x[i] = access_load(g, a, t, gang_step(g, start, (int64_t)(i * g->width * a->size)));
    for (unsigned k = 0; k < 4; k += 2) {
        LLVMValueRef low = pick(g, x[0], x[1], index_members, k), high = pick(g, x[2], x[3], index_members, k);
        out[k] = pick(g, low, high, index_halves, 0);
        out[k + 1] = pick(g, low, high, index_halves, 1);
    }
}

static void write_fours(struct gang *g, const struct access *a, LLVMValueRef start, LLVMValueRef *x)
{
    for (unsigned half = 0; half < 2; half++) {
        LLVMValueRef p = pick(g, x[0], x[1], index_halves, half), q = pick(g, x[2], x[3], index_halves, half);
        for (unsigned k = 0; k < 2; k++)
            access_store(g, a, pick(g, p, q, index_records, k),
                         gang_step(g, start, (int64_t)((2 * half + k) * g->width * a->size)));
    }
}

static void read_records(struct gang *g, const struct access *member, const struct neighbours *r, LLVMValueRef start,
                         LLVMValueRef *out)
{
    const struct access moved = access_moved(member, r->before), *a = &moved;
    if (by_halves(g, r)) {
        read_fours(g, a, start, out);
        return;
    }
    LLVMTypeRef t = LLVMVectorType(a->type, r->n * g->width);
    LLVMValueRef all = access_load(g, a, t, start), e[GANG_MAX];
    for (unsigned k = 0; k < r->n; k++) {
        for (unsigned l = 0; l < g->width; l++)
            e[l] = gang_i32(g, l * r->n + k);
        out[k] = LLVMBuildShuffleVector(g->b, all, LLVMGetPoison(t), LLVMConstVector(e, g->width), "");
    }
}

// The records as elements of one access.
static struct access whole_records(const struct access *a, const struct neighbours *r)
{
    struct access whole = *a;
    whole.size *= r->n;
    return whole;
}

// Where the test fails, records are fetched to a buffer from where they are read as from memory.
static LLVMValueRef records_base(struct gang *g, const struct access *whole, const struct neighbours *r,
                                 LLVMValueRef start, LLVMValueRef ok)
{
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->b), rare = gang_block(g, "gather"), done = gang_block(g, "records");
    gang_branch_likely(g, ok, done, rare, rare);
    outlined_call(g, &(struct outlined_access){whole, -r->before, NULL}, NULL, false);
    LLVMValueRef buffer = outlined_buffer(g);
    ir_enter(g->b, done);
    return ir_phi(g->b, start, from, buffer, rare);
}

bool interleave_load(struct gang *g, const struct access *a)
{
    struct neighbours r;
    if (!find(g, a, false, &r))
        return false;
    LLVMValueRef start = record_start(g, a, &r), ok = gang_no_wrap(g, a->address), x[4];
    struct outlined_access y[4];
    if (a->mask)
        ok = gang_and(g, ok, access_on_one_page(g, start, r.n * g->width * a->size));
    struct access whole = whole_records(a, &r);
    if (!ok) {
        read_records(g, a, &r, start, x);
    } else if (outlined_fits(g, &whole) && !ir_is_invariant(a->inst)) {
        read_records(g, a, &r, records_base(g, &whole, &r, start, ok), x);
    } else {
        struct fork fork = fork_begin(g, ok, "records", "gather", "loaded");
        read_records(g, a, &r, start, x);
        fork_rare(g, &fork);
        for (unsigned k = 0; k < r.n; k++)
            y[k] = (struct outlined_access){.access = a, .step = (int64_t)(k * a->size) - r.before};
        access_outlined(g, y, r.n, false);
        fork_end(g, &fork);
        for (unsigned k = 0; k < r.n; k++)
            x[k] = fork_value(g, &fork, x[k], y[k].value);
    }
    neighbours_loaded(g, a, &r, x);
    return true;
}

// One member alone of records of 2 to 4 elements, as a[2 * i] or p[i].x. What lies between lanes is nearer than a page to what
// they read, so that the whole from the first lane's element to the last one's may be read: by vectors, of which the last one
// ends there. Not under a mask, where the ends are open.
bool interleave_sparse(struct gang *g, const struct access *a)
{
    unsigned n = record_size(g, a), w = g->width;
    if (!n || a->mask || a->shape.wrap.kind != WRAP_NONE || a->size > 8 || a->size & (a->size - 1))
        return false;
    LLVMTypeRef t = LLVMVectorType(a->type, w);
    LLVMValueRef start = gang_lane_pointer(g, a->address, 0), x[4], e[GANG_MAX];
    unsigned at[4];
    for (unsigned i = 0; i < n; i++) {
        at[i] = i < n - 1 ? i * w : (w - 1) * n + 1 - w;
        int64_t distance = (int64_t)(at[i] * a->size);
        struct access moved = access_moved(a, distance);
        x[i] = access_load(g, &moved, t, gang_step(g, start, distance));
    }
    for (unsigned pair = 0; pair < n; pair += 2) { // lanes whose element is in one of two vectors, each at its position
        bool two = pair + 1 < n;
        for (unsigned l = 0; l < w; l++) {
            unsigned i = l * n / w < n - 1 ? l * n / w : n - 1;
            e[l] = i / 2 * 2 == pair ? gang_i32(g, l * n - at[i] + (i % 2) * w) : LLVMGetPoison(g->v->i32);
        }
        x[pair] =
            LLVMBuildShuffleVector(g->b, x[pair], two ? x[pair + 1] : LLVMGetPoison(t), LLVMConstVector(e, w), "");
    }
    for (unsigned l = 0; l < w && n > 2; l++) {
        unsigned i = l * n / w < n - 1 ? l * n / w : n - 1;
        e[l] = gang_i32(g, l + (i < 2 ? 0 : w));
    }
    gang_set_vector(g, a->inst, n > 2 ? LLVMBuildShuffleVector(g->b, x[0], x[2], LLVMConstVector(e, w), "") : x[0]);
    return true;
}

// The gang's records from one vector for each member: v0[0] v1[0] ... v0[1] v1[1] ...
static LLVMValueRef interleave(struct gang *g, LLVMValueRef *x, unsigned n)
{
    LLVMValueRef e[4 * GANG_MAX], left[2] = {x[0], x[1]}, right[2] = {NULL, NULL};
    for (unsigned l = 0; l < g->width; l++)
        for (unsigned k = 0; k < n; k++)
            e[l * n + k] = gang_i32(g, k * g->width + l);
    if (n == 2)
        return LLVMBuildShuffleVector(g->b, x[0], x[1], LLVMConstVector(e, n * g->width), "");
    right[0] = x[2];
    right[1] = n == 4 ? x[3] : LLVMGetPoison(LLVMTypeOf(x[2]));
    return LLVMBuildShuffleVector(g->b, gang_concat(g, left, 2), gang_concat(g, right, 2),
                                  LLVMConstVector(e, n * g->width), "");
}

static void write_records(struct gang *g, const struct access *member, const struct neighbours *r, LLVMValueRef start,
                          LLVMValueRef *x, bool blend)
{
    const struct access moved = access_moved(member, r->before), *a = &moved;
    if (by_halves(g, r) && !blend) {
        write_fours(g, a, start, x);
        return;
    }
    LLVMValueRef all = interleave(g, x, r->n);
    if (blend) {
        LLVMValueRef m[4] = {a->mask, a->mask, a->mask, a->mask};
        LLVMValueRef bits = gang_mask_bits(g, interleave(g, m, r->n));
        all = LLVMBuildSelect(g->b, bits, all, access_load(g, a, LLVMTypeOf(all), start), "");
    }
    access_store(g, a, all, start);
}

static void emit_group(struct gang *g, const struct access *a, const struct neighbours *r)
{
    LLVMValueRef x[4], start = record_start(g, a, r), ok = gang_no_wrap(g, a->address);
    bool blend = a->mask && a->shared;
    for (unsigned k = 0; k < r->n; k++)
        x[k] = gang_vector(g, LLVMGetOperand(r->member[k], 0));
    if (a->mask)
        ok = gang_and(g, ok, blend ? access_in_shared(g, start, r->n * g->width * a->size) : gang_all(g, a->mask));
    if (!ok) {
        write_records(g, a, r, start, x, blend);
        return;
    }
    const struct access whole = whole_records(a, r);
    if (!blend && outlined_fits(g, &whole)) { // written to a buffer from where they go to memory one by one
        LLVMBasicBlockRef rare = gang_block(g, "scatter"), done = gang_block(g, "stored");
        write_records(g, a, r, LLVMBuildSelect(g->b, ok, start, outlined_buffer(g), ""), x, false);
        gang_branch_likely(g, ok, done, rare, rare);
        outlined_call(g, &(struct outlined_access){&whole, -r->before, NULL}, NULL, true);
        ir_enter(g->b, done);
        return;
    }
    struct fork fork = fork_begin(g, ok, "records", "scatter", "stored");
    write_records(g, a, r, start, x, blend);
    fork_rare(g, &fork);
    struct outlined_access y[4];
    for (unsigned k = 0; k < r->n; k++)
        y[k] = (struct outlined_access){a, (int64_t)(k * a->size) - r->before, x[k]};
    access_outlined(g, y, r->n, true);
    fork_end(g, &fork);
}

bool interleave_store(struct gang *g, const struct access *a)
{
    return neighbours_store(g, a, &g->writing, 1, find, emit_group);
}
