// SPDX-License-Identifier: Apache-2.0
// Neighbours in memory that lie apart from lane to lane: a thread that walks through a row of its own and reads several elements
// in each turn, a record of four that an index names, the members of large structures. Accesses of 16 bytes a lane bring
// all of them; shuffles turn lanes' rows into members' vectors. Members one by one are a gather each, which takes a lane's
// element at a time. No lane touches more than it would anyway, so that a mask only sends lanes elsewhere.
//
// Parts of four lanes (two, of elements of 8 bytes) lie in 16 bytes each: part q of row vector j holds the row of lane
// 4q + j, and both steps of the transposition stay within parts, as vector registers like it. Up to 64 bytes of a row are taken
// one after the other, so that a line is touched once: rows that lie a power of two apart share a set of the cache, which has
// not room for all of them. Five to seven neighbours are two accesses that overlap.
#include "jit/gang/memory/access.h"
#include "jit/analysis/address.h"
#include "jit/ir/ir.h"
#include "jit/ir/tuning.h"
#include "jit/gang/memory/running.h"
#include <string.h>

enum { PARTS = 4, WINDOW = 640, FEW = 4 }; // PARTS: of 16 bytes, in the largest vector

// How many elements 16 bytes are; 0: the access is not of that kind.
static unsigned unit_of(struct gang *g, const struct access *a)
{
    bool fits = (a->size == 4 || a->size == 8) && g->width * a->size >= TUNE_ROW_PIECE && !a->own && !a->pattern.run;
    return fits && access_is_simple(a->inst) ? TUNE_ROW_PIECE / (unsigned)a->size : 0;
}

// The loads (stores) behind this one in its block that touch the same row, by their distance in elements: found[MIDDLE] is
// this one. Returns the end of what was looked at.
enum { MIDDLE = ROW_MAX - 1, PLACES = 2 * ROW_MAX - 1 };

static bool is_made(struct gang *g, LLVMValueRef x)
{
    for (size_t i = 0; i < g->loaded.len; i++)
        if (g->loaded.data[i] == x)
            return true;
    return false;
}

// Whether the search may go on behind what is not of its kind. In a loop whose pointers lead to different memory the same row is
// all that matters: `stored` has the places of those that it passed.
static bool may_pass(struct gang *g, const struct access *a, LLVMValueRef x, bool store, bool *stored, int64_t mine)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(x);
    int64_t at;
    if (!access_may_write(x) && !(store && op == LLVMLoad))
        return true;
    if ((store && ir_is_invariant(x)) || ir_is_invariant(a->inst))
        return true;
    if (disjoint_pass(g, x, a->address))
        return true;
    if (!g->disjoint || (store && op == LLVMLoad))
        return store && op == LLVMLoad && is_made(g, x);
    if (store || op != LLVMStore || !access_is_simple(x) || gang_type(g, LLVMTypeOf(LLVMGetOperand(x, 0))) != a->type)
        return false;
    address_base(LLVMGetOperand(x, 1), &at);
    at -= mine;
    if (at % (int64_t)a->size || at / (int64_t)a->size + MIDDLE < 0 || at / (int64_t)a->size + MIDDLE >= PLACES)
        return false;
    stored[at / (int64_t)a->size + MIDDLE] = true;
    return true;
}

static LLVMValueRef find_places(struct gang *g, const struct access *a, bool store, LLVMValueRef *found)
{
    int64_t mine, offset;
    bool stored[PLACES] = {0};
    LLVMValueRef root = address_base(a->address, &mine), x = LLVMGetNextInstruction(a->inst);
    found[MIDDLE] = a->inst;
    for (unsigned left = WINDOW; x && left--; x = LLVMGetNextInstruction(x)) {
        bool same = LLVMGetInstructionOpcode(x) == (store ? LLVMStore : LLVMLoad) && access_is_simple(x);
        if (same && gang_type(g, ir_access_type(x)) == a->type && address_base(ir_address(x), &offset) == root) {
            int64_t away = (offset - mine) / (int64_t)a->size + MIDDLE;
            bool fits =
                (offset - mine) % (int64_t)a->size == 0 && away >= 0 && away < PLACES && !found[away] && !stored[away];
            if (fits && !is_made(g, x))
                found[away] = x;
            else if (store)
                break;
            continue;
        }
        if (!may_pass(g, a, x, store, stored, mine))
            break;
    }
    return x;
}

static bool is_member(const struct row_group *r, LLVMValueRef inst)
{
    for (unsigned k = 0; k < r->n; k++)
        if (r->member[k] == inst)
            return true;
    return false;
}

// Those of the places that have no gap between them and this access, as many as make 64 bytes. Stores wait for the last of
// them: no other one may stand between.
static bool find(struct gang *g, const struct access *a, bool store, struct row_group *out)
{
    unsigned unit = unit_of(g, a);
    LLVMValueRef found[PLACES] = {0};
    if (!unit)
        return false;
    LLVMValueRef end = find_places(g, a, store, found);
    unsigned low = MIDDLE, high = MIDDLE + 1, most = TUNE_LINE / (unsigned)a->size;
    while (low && found[low - 1])
        low--;
    while (high < PLACES && found[high])
        high++;
    while (high - low > most && high > MIDDLE + 1)
        high--;
    low = high - low > most ? high - most : low;
    if (high - low < unit)
        return false;
    *out = (struct row_group){
        .n = high - low, .first = a->inst, .last = a->inst, .before = (int64_t)(MIDDLE - low) * (int64_t)a->size};
    memcpy(out->member, found + low, (high - low) * sizeof *found);
    for (LLVMValueRef x = a->inst; x != end; x = LLVMGetNextInstruction(x))
        out->last = is_member(out, x) ? x : out->last;
    for (LLVMValueRef x = a->inst; store && x != out->last; x = LLVMGetNextInstruction(x))
        if (LLVMGetInstructionOpcode(x) == LLVMStore && !is_member(out, x) && !disjoint_pass(g, x, a->address))
            return false;
    return true;
}

// x and y hold parts of n elements. From each part: its first (high: second) half of elements by turns from x and y; or
// (whole) the first half of x, then that of y.
static LLVMValueRef unpack(struct gang *g, LLVMValueRef x, LLVMValueRef y, unsigned n, bool high, bool whole)
{
    LLVMValueRef e[GANG_MAX];
    unsigned size = LLVMGetVectorSize(LLVMTypeOf(x));
    for (unsigned i = 0; i < size; i++) {
        unsigned part = i / n * n, k = i % n, from = high ? n / 2 : 0;
        bool second = whole ? k >= n / 2 : k % 2;
        unsigned at = whole ? k % (n / 2) : k / 2;
        e[i] = gang_i32(g, part + from + at + (second ? size : 0));
    }
    return LLVMBuildShuffleVector(g->b, x, y, LLVMConstVector(e, size), "");
}

// Rows to members and back, by the same two steps.
static void transpose(struct gang *g, const LLVMValueRef *x, unsigned n, LLVMValueRef *out)
{
    if (n == 2) {
        out[0] = unpack(g, x[0], x[1], 2, false, false);
        out[1] = unpack(g, x[0], x[1], 2, true, false);
        return;
    }
    for (unsigned h = 0; h < 2; h++) {
        LLVMValueRef a = unpack(g, x[0], x[1], 4, h, false), b = unpack(g, x[2], x[3], 4, h, false);
        out[2 * h] = unpack(g, a, b, 4, false, true);
        out[2 * h + 1] = unpack(g, a, b, 4, true, true);
    }
}

// Where the lanes' rows are: scalar sums (both NULL), a vector of pointers, or memory that holds pointers which an offset goes to.
struct rows {
    LLVMValueRef pointers;
    const struct running *running;
    int64_t step;
};

static struct rows rows_at(struct gang *g, const struct access *a, const struct row_group *r)
{
    struct rows w = {.step = -r->before};
    int64_t distance;
    bool store = LLVMGetInstructionOpcode(a->inst) == LLVMStore;
    w.running = store && a->mask ? NULL : running_find(g, a->address, a->mask, &distance);
    if (w.running)
        w.step += distance;
    else if (!access_is_exact(a))
        w.pointers = access_lane_pointers(g, a, w.step);
    return w;
}

static LLVMValueRef row_pointer(struct gang *g, const struct access *a, const struct rows *w, unsigned lane)
{
    if (w->pointers)
        return gang_lane(g, w->pointers, lane);
    return gang_step(g, w->running ? running_lane(g, w->running, lane) : gang_lane_pointer(g, a->address, lane),
                     w->step);
}

// Lanes that are turned at once.
static unsigned lanes_at_once(struct gang *g, unsigned unit)
{
    return g->width < PARTS * unit ? g->width : PARTS * unit;
}

static unsigned count_units(const struct row_group *r, unsigned unit)
{
    return (r->n + unit - 1) / unit;
}

// The first element of 16 bytes of the row; the last ones end where the row does.
static unsigned unit_start(const struct row_group *r, unsigned unit, unsigned u)
{
    return (u + 1) * unit <= r->n ? u * unit : r->n - unit;
}

static LLVMValueRef load_unit(struct gang *g, const struct access *a, const struct row_group *r, LLVMValueRef row,
                              unsigned start, unsigned unit)
{
    int64_t at = (int64_t)start * (int64_t)a->size;
    struct access moved = access_moved(a, at - r->before);
    return access_load(g, &moved, LLVMVectorType(a->type, unit), gang_step(g, row, at));
}

bool rows_load(struct gang *g, const struct access *a)
{
    struct row_group r;
    if (!find(g, a, false, &r))
        return false;
    unsigned unit = unit_of(g, a), at_once = lanes_at_once(g, unit), units = count_units(&r, unit),
             turns = g->width / at_once;
    struct rows w = rows_at(g, a, &r);
    LLVMValueRef member[ROW_MAX][GANG_MAX], part[PARTS][4][PARTS], x[4] = {0}, out[4];
    for (unsigned turn = 0; turn < turns; turn++) {
        for (unsigned l = 0; l < at_once; l++) {
            LLVMValueRef row = row_pointer(g, a, &w, turn * at_once + l);
            for (unsigned u = 0; u < units; u++)
                part[u][l % unit][l / unit] = load_unit(g, a, &r, row, unit_start(&r, unit, u), unit);
        }
        for (unsigned u = 0; u < units; u++) {
            for (unsigned j = 0; j < unit; j++)
                x[j] = gang_concat(g, part[u][j], at_once / unit);
            transpose(g, x, unit, out);
            for (unsigned k = 0; k < unit; k++)
                member[unit_start(&r, unit, u) + k][turn] = out[k];
        }
    }
    for (unsigned k = 0; k < r.n; k++) {
        gang_set_vector(g, r.member[k], gang_concat(g, member[k], turns));
        if (r.member[k] != a->inst)
            vec_push(&g->loaded, r.member[k]);
    }
    return true;
}

static void store_rows(struct gang *g, const struct access *a, const struct row_group *r)
{
    unsigned unit = unit_of(g, a), at_once = lanes_at_once(g, unit), units = count_units(r, unit);
    struct rows w = rows_at(g, a, r);
    for (unsigned first = 0; first < g->width; first += at_once) {
        LLVMValueRef x[4] = {0}, out[PARTS][4];
        for (unsigned u = 0; u < units; u++) {
            for (unsigned k = 0; k < unit; k++)
                x[k] = gang_slice(g, gang_vector(g, LLVMGetOperand(r->member[unit_start(r, unit, u) + k], 0)), first,
                                  at_once);
            transpose(g, x, unit, out[u]);
        }
        for (unsigned l = 0; l < at_once; l++) {
            LLVMValueRef row = row_pointer(g, a, &w, first + l);
            for (unsigned u = 0; u < units; u++) {
                int64_t at = (int64_t)unit_start(r, unit, u) * (int64_t)a->size;
                struct access moved = access_moved(a, at - r->before);
                access_store(g, &moved, gang_slice(g, out[u][l % unit], l / unit * unit, unit), gang_step(g, row, at));
            }
        }
    }
}

// Rows that do not overlap, as is known: then it is no matter which lane comes first.
static bool are_apart(struct gang *g, const struct access *a, int64_t bytes)
{
    if (a->shape.kind != SHAPE_AFFINE || a->shape.split)
        return false;
    int64_t stride = a->shape.offset[1] - a->shape.offset[0];
    for (unsigned l = 1; l < g->width; l++)
        if (a->shape.offset[l] - a->shape.offset[l - 1] != stride)
            return false;
    return stride >= bytes || stride <= -bytes;
}

// The same as a test: each lane's row ends before the next one's begins.
static LLVMValueRef apart_test(struct gang *g, const struct access *a, int64_t bytes)
{
    LLVMTypeRef t = LLVMVectorType(g->v->i64, g->width);
    LLVMValueRef p = LLVMBuildFreeze(g->b, LLVMBuildPtrToInt(g->b, gang_vector(g, a->address), t, ""), ""), e[GANG_MAX];
    for (unsigned l = 0; l < g->width; l++)
        e[l] = gang_i32(g, l + 1 < g->width ? l + 1 : 0);
    LLVMValueRef next = LLVMBuildShuffleVector(g->b, p, LLVMGetPoison(t), LLVMConstVector(e, g->width), "");
    LLVMValueRef d = LLVMBuildSub(g->b, next, p, "");
    // The last lane is followed by the first, at a distance that is negative.
    return gang_all(
        g, gang_mask_of(g, LLVMBuildICmp(g->b, LLVMIntUGE, d, gang_splat(g, gang_i64(g, bytes), g->width), "")));
}

static void store_group(struct gang *g, const struct access *a, const struct row_group *r)
{
    int64_t bytes = (int64_t)r->n * (int64_t)a->size;
    if (are_apart(g, a, bytes)) {
        store_rows(g, a, r);
        return;
    }
    struct fork fork = fork_begin(g, apart_test(g, a, bytes), "rows", "scatter", "stored");
    store_rows(g, a, r);
    fork_rare(g, &fork);
    struct apart_access y[FEW];
    unsigned n = 0;
    for (LLVMValueRef x = r->first; x; x = x == r->last ? NULL : LLVMGetNextInstruction(x)) { // in the program's order
        for (unsigned k = 0; k < r->n; k++)
            if (r->member[k] == x)
                y[n++] = (struct apart_access){a, (int64_t)k * (int64_t)a->size - r->before,
                                               gang_vector(g, LLVMGetOperand(x, 0))};
        if (n == FEW || x == r->last)
            access_scatter_apart(g, y, n);
        n = n == FEW ? 0 : n;
    }
    fork_end(g, &fork);
}

// The stores of a group wait for the last of them. Several groups wait at once where one passes over another's stores.
bool rows_store(struct gang *g, const struct access *a)
{
    struct row_group *r = NULL, *room = NULL;
    for (unsigned i = 0; i < ROW_GROUPS; i++) {
        if (is_member(&g->row_writing[i], a->inst))
            r = &g->row_writing[i];
        else if (!g->row_writing[i].n)
            room = &g->row_writing[i];
    }
    if (!r) {
        struct row_group found;
        if (!room || !find(g, a, true, &found))
            return false;
        *room = found;
        return true;
    }
    if (a->inst != r->last)
        return true;
    struct access begin =
        access_init(g, r->first, LLVMGetOperand(r->first, 1), LLVMTypeOf(LLVMGetOperand(r->first, 0)), a->mask);
    store_group(g, &begin, r);
    r->n = 0;
    return true;
}
