// SPDX-License-Identifier: Apache-2.0
// Structures side by side: threads that each read (or write) all 2, 3 or 4 neighbouring elements of their own record,
// as float2, float4 and ld.v4 do. The gang's records are one piece of memory: it is read whole and taken apart by
// shuffles, which back ends turn into their instructions for it. A group is made of accesses of one block with one root
// address and constant distances, with nothing between them that could see or change memory in the meantime.
#include "jit/gang/memory/access.h"
#include "jit/analysis/address.h"
#include "jit/ir/ir.h"
#include <string.h>

enum { WINDOW = 96 }; // instructions looked through

// Elements from one lane's record to the next; 0 when the address is not of that kind.
static unsigned record_size(struct gang *g, const struct access *a)
{
    if (a->shape.kind != SHAPE_AFFINE || a->shape.split || !access_is_simple(a->inst))
        return 0;
    int64_t stride = a->shape.offset[1] - a->shape.offset[0];
    if (stride % (int64_t)a->size || stride / (int64_t)a->size < 2 || stride / (int64_t)a->size > 4)
        return 0;
    for (unsigned l = 1; l < g->width; l++)
        if (a->shape.offset[l] - a->shape.offset[l - 1] != stride)
            return 0;
    return (unsigned)(stride / (int64_t)a->size);
}

static bool is_member(const struct record_group *r, LLVMValueRef inst)
{
    for (unsigned k = 0; k < r->n; k++)
        if (r->member[k] == inst)
            return true;
    return false;
}

// Stores of a group wait for the last of them: no other one may stand between.
static bool is_unbroken(const struct record_group *r, LLVMValueRef first)
{
    for (LLVMValueRef x = first; x != r->last; x = LLVMGetNextInstruction(x))
        if (LLVMGetInstructionOpcode(x) == LLVMStore && !is_member(r, x))
            return false;
    return true;
}

bool record_find(struct gang *g, const struct access *a, unsigned n, bool store, struct record_group *out)
{
    if (!n)
        return false;
    int64_t mine, offset, place[7];
    LLVMValueRef found[7] = {0}, root = address_base(a->address, &mine); // places -3 ... 3 around the first
    for (int i = 0; i < 7; i++)
        place[i] = mine + (i - 3) * (int64_t)a->size;
    found[3] = a->inst;
    unsigned left = WINDOW;
    for (LLVMValueRef x = LLVMGetNextInstruction(a->inst); x && left--; x = LLVMGetNextInstruction(x)) {
        bool same = LLVMGetInstructionOpcode(x) == (store ? LLVMStore : LLVMLoad) && access_is_simple(x);
        if (same && gang_type(g, ir_access_type(x)) == a->type && address_base(ir_address(x), &offset) == root) {
            for (int i = 0; i < 7; i++)
                if (place[i] == offset && !found[i])
                    found[i] = x;
            continue;
        }
        if (access_may_write(x) || (store && LLVMGetInstructionOpcode(x) == LLVMLoad))
            break;
    }
    for (unsigned first = 4 - n; first <= 3; first++) {
        unsigned k = 0;
        while (k < n && found[first + k])
            k++;
        if (k < n)
            continue;
        LLVMValueRef last = a->inst;
        for (LLVMValueRef x = LLVMGetNextInstruction(a->inst); x; x = LLVMGetNextInstruction(x))
            for (k = 0; k < n; k++)
                last = found[first + k] == x ? x : last;
        *out = (struct record_group){.n = n, .last = last, .before = (int64_t)(3 - first) * (int64_t)a->size};
        memcpy(out->member, found + first, n * sizeof *found);
        return !store || is_unbroken(out, a->inst);
    }
    return false;
}

static LLVMValueRef record_start(struct gang *g, const struct access *a, const struct record_group *r)
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
static bool by_halves(struct gang *g, const struct record_group *r)
{
    return r->n == 4 && !g->v->arm && g->width >= 8;
}

static void read_fours(struct gang *g, const struct access *a, LLVMValueRef start, LLVMValueRef *out)
{
    LLVMValueRef x[4];
    LLVMTypeRef t = LLVMVectorType(a->type, g->width);
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

static void read_records(struct gang *g, const struct access *member, const struct record_group *r, LLVMValueRef start,
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
static struct access whole_records(const struct access *a, const struct record_group *r)
{
    struct access whole = *a;
    whole.size *= r->n;
    return whole;
}

// Where the test fails, records are fetched to a place from where they are read as from memory.
static LLVMValueRef place_records(struct gang *g, const struct access *whole, const struct record_group *r,
                                  LLVMValueRef start, LLVMValueRef ok)
{
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->b), rare = gang_block(g, "gather"), done = gang_block(g, "records");
    gang_branch_likely(g, ok, done, rare, rare);
    apart_call(g, &(struct apart_access){whole, -r->before, NULL}, false);
    LLVMValueRef place = apart_place(g);
    ir_enter(g->b, done);
    return ir_phi(g->b, start, from, place, rare);
}

bool interleave_load(struct gang *g, const struct access *a)
{
    struct record_group r;
    if (!record_find(g, a, record_size(g, a), false, &r))
        return false;
    LLVMValueRef start = record_start(g, a, &r), ok = gang_no_wrap(g, a->address), x[4];
    struct apart_access y[4];
    if (a->mask)
        ok = gang_and(g, ok, access_on_one_page(g, start, r.n * g->width * a->size));
    struct access whole = whole_records(a, &r);
    if (!ok) {
        read_records(g, a, &r, start, x);
    } else if (apart_fits(g, &whole) && !ir_is_invariant(a->inst)) {
        read_records(g, a, &r, place_records(g, &whole, &r, start, ok), x);
    } else {
        struct fork fork = fork_begin(g, ok, "records", "gather", "loaded");
        read_records(g, a, &r, start, x);
        fork_rare(g, &fork);
        for (unsigned k = 0; k < r.n; k++)
            y[k] = (struct apart_access){.access = a, .step = (int64_t)(k * a->size) - r.before};
        access_gather_apart(g, y, r.n);
        fork_end(g, &fork);
        for (unsigned k = 0; k < r.n; k++)
            x[k] = fork_value(g, &fork, x[k], y[k].value);
    }
    record_loaded(g, a, &r, x);
    return true;
}

void record_loaded(struct gang *g, const struct access *a, const struct record_group *r, LLVMValueRef *x)
{
    for (unsigned k = 0; k < r->n; k++) {
        gang_set_vector(g, r->member[k], x[k]);
        if (r->member[k] != a->inst)
            vec_push(&g->loaded, r->member[k]);
    }
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
    for (unsigned pair = 0; pair < n; pair += 2) { // lanes whose element is in one of two vectors, each at its place
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

bool interleave_done(struct gang *g, LLVMValueRef inst)
{
    for (size_t i = 0; i < g->loaded.len; i++)
        if (g->loaded.data[i] == inst) {
            g->loaded.data[i] = g->loaded.data[--g->loaded.len];
            return true;
        }
    return false;
}

// The gang's records from one vector for each place: v0[0] v1[0] ... v0[1] v1[1] ...
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

static void write_records(struct gang *g, const struct access *member, const struct record_group *r, LLVMValueRef start,
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

static void emit_group(struct gang *g, const struct access *a, const struct record_group *r)
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
    if (!blend && apart_fits(g, &whole)) { // written to a place from where they go to memory one by one
        LLVMBasicBlockRef rare = gang_block(g, "scatter"), done = gang_block(g, "stored");
        write_records(g, a, r, LLVMBuildSelect(g->b, ok, start, apart_place(g), ""), x, false);
        gang_branch_likely(g, ok, done, rare, rare);
        apart_call(g, &(struct apart_access){&whole, -r->before, NULL}, true);
        ir_enter(g->b, done);
        return;
    }
    struct fork fork = fork_begin(g, ok, "records", "scatter", "stored");
    write_records(g, a, r, start, x, blend);
    fork_rare(g, &fork);
    struct apart_access y[4];
    for (unsigned k = 0; k < r->n; k++)
        y[k] = (struct apart_access){a, (int64_t)(k * a->size) - r->before, x[k]};
    access_scatter_apart(g, y, r->n);
    fork_end(g, &fork);
}

// The stores of a group wait for the last of them.
bool interleave_store(struct gang *g, const struct access *a)
{
    if (!is_member(&g->writing, a->inst)) {
        bool found = record_find(g, a, record_size(g, a), true, &g->writing);
        if (!found) {
            g->writing.n = 0;
            return false;
        }
        g->writing.first = a->inst;
        return true;
    }
    if (a->inst != g->writing.last)
        return true;
    LLVMValueRef first = g->writing.first;
    struct access begin =
        access_init(g, first, LLVMGetOperand(first, 1), LLVMTypeOf(LLVMGetOperand(first, 0)), a->mask);
    emit_group(g, &begin, &g->writing);
    g->writing.n = 0;
    return true;
}
