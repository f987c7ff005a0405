// SPDX-License-Identifier: Apache-2.0
// Neighbours in memory that lie apart from lane to lane: a thread that walks through a row of its own and reads several elements
// in each iteration, a record of four that an index names, the members of large structures. Accesses of 16 bytes a lane bring
// all of them; shuffles turn lanes' rows into members' vectors. Members one by one are a gather each, which takes a lane's
// element at a time. No lane touches more than it would anyway, so that a mask only sends lanes elsewhere.
//
// Parts of four lanes (two, of elements of 8 bytes) lie in 16 bytes each: part q of row vector j holds the row of lane
// 4q + j, and both steps of the transposition stay within parts, as vector registers like it. Up to 64 bytes of a row are taken
// one after the other, so that a line is touched once: rows that lie a power of two apart share a set of the cache, which has
// not room for all of them. Five to seven neighbours are two accesses that overlap. Two or three words that an index names (a complex number)
// are accesses of 8 bytes, where the processor has neither gathers nor scatters: half as many of them, with half of the addresses.
#include "jit/gang/memory/access.h"
#include "jit/gang/control/control.h"
#include "jit/host/target.h"

enum { PARTS = 4, FEW = 4 }; // PARTS: of 16 bytes, in the largest vector

// How many elements 16 bytes are; 0: the access is not of that kind.
static unsigned unit_of(struct gang *g, const struct access *a)
{
    bool fits = (a->size == 4 || a->size == 8) && g->width * a->size >= TUNE_ROW_PIECE && !a->own && !a->pattern.run;
    return fits && access_is_simple(a->inst) ? TUNE_ROW_PIECE / (unsigned)a->size : 0;
}

// Lanes are accessed one by one, whatever is done.
static bool lane_by_lane(void)
{
    return !target_gathers(4) && !target_scatters(4);
}

// The same of neighbours that are fewer.
static unsigned pair_of(struct gang *g, const struct access *a)
{
    bool fits = a->size == 4 && a->shape.kind == SHAPE_VARYING && lane_by_lane();
    return fits && unit_of(g, a) ? 2 : 0;
}

static unsigned unit_for(struct gang *g, const struct access *a, unsigned n)
{
    unsigned unit = unit_of(g, a);
    return n < unit ? pair_of(g, a) : unit;
}

// Those of the positions that have no gap between them and this access, as many as make 64 bytes. Stores wait for the last of
// them: no other one may stand between.
static bool find(struct gang *g, const struct access *a, bool store, struct neighbours *out)
{
    unsigned unit = unit_of(g, a), low = NEIGHBOURS_HERE, high = NEIGHBOURS_HERE + 1;
    LLVMValueRef found[NEIGHBOURS_POSITIONS] = {0};
    if (!unit)
        return false;
    LLVMValueRef end = neighbours_find(g, a, store, true, found);
    unsigned most = TUNE_LINE / (unsigned)a->size;
    while (low && found[low - 1])
        low--;
    while (high < NEIGHBOURS_POSITIONS && found[high])
        high++;
    while (high - low > most && high > NEIGHBOURS_HERE + 1)
        high--;
    low = high - low > most ? high - most : low;
    unit = unit_for(g, a, high - low);
    return unit && high - low >= unit && neighbours_take(g, a, store, found, low, high - low, end, out);
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

static struct rows rows_at(struct gang *g, const struct access *a, const struct neighbours *r)
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

static unsigned count_units(const struct neighbours *r, unsigned unit)
{
    return (r->n + unit - 1) / unit;
}

// The first element of 16 bytes of the row; the last ones end where the row does.
static unsigned unit_start(const struct neighbours *r, unsigned unit, unsigned u)
{
    return (u + 1) * unit <= r->n ? u * unit : r->n - unit;
}

static LLVMValueRef load_unit(struct gang *g, const struct access *a, const struct neighbours *r, LLVMValueRef row,
                              unsigned start, unsigned unit)
{
    int64_t at = (int64_t)start * (int64_t)a->size;
    struct access moved = access_moved(a, at - r->before);
    return access_load(g, &moved, LLVMVectorType(a->type, unit), gang_step(g, row, at));
}

bool rows_load(struct gang *g, const struct access *a)
{
    struct neighbours r;
    if (!find(g, a, false, &r))
        return false;
    unsigned unit = unit_for(g, a, r.n), at_once = lanes_at_once(g, unit), units = count_units(&r, unit),
             groups = g->width / at_once;
    struct rows w = rows_at(g, a, &r);
    LLVMValueRef member[NEIGHBOURS_MAX][GANG_MAX], all[NEIGHBOURS_MAX], part[PARTS][4][PARTS], x[4] = {0}, out[4];
    for (unsigned group = 0; group < groups; group++) {
        for (unsigned l = 0; l < at_once; l++) {
            LLVMValueRef row = row_pointer(g, a, &w, group * at_once + l);
            for (unsigned u = 0; u < units; u++)
                part[u][l % unit][l / unit] = load_unit(g, a, &r, row, unit_start(&r, unit, u), unit);
        }
        for (unsigned u = 0; u < units; u++) {
            for (unsigned j = 0; j < unit; j++)
                x[j] = gang_concat(g, part[u][j], at_once / unit);
            transpose(g, x, unit, out);
            for (unsigned k = 0; k < unit; k++)
                member[unit_start(&r, unit, u) + k][group] = out[k];
        }
    }
    for (unsigned k = 0; k < r.n; k++)
        all[k] = gang_concat(g, member[k], groups);
    neighbours_loaded(g, a, &r, all);
    return true;
}

static void store_rows(struct gang *g, const struct access *a, const struct neighbours *r)
{
    unsigned unit = unit_for(g, a, r->n), at_once = lanes_at_once(g, unit), units = count_units(r, unit);
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

// Rows that do not overlap, as is known: then it is no matter which lane comes first. Or, aligned to their size, that do so as a whole: then the
// last lane's row stays, as it does member by member.
static bool rows_disjoint(struct gang *g, const struct access *a, const struct neighbours *r, int64_t bytes)
{
    int64_t step;
    if (lane_by_lane() && (bytes & (bytes - 1)) == 0 && LLVMGetAlignment(r->member[0]) >= bytes &&
        r->n == unit_for(g, a, r->n))
        return true;
    return shape_step(g->lanes, &a->shape, &step) && (step >= bytes || step <= -bytes);
}

// The same as a test: each lane's row ends before the next one's begins.
static LLVMValueRef rows_disjoint_test(struct gang *g, const struct access *a, int64_t bytes)
{
    LLVMTypeRef t = gang_lanes(g, g->v->i64);
    LLVMValueRef p = LLVMBuildFreeze(g->b, LLVMBuildPtrToInt(g->b, gang_vector(g, a->address), t, ""), ""), e[GANG_MAX];
    for (unsigned l = 0; l < g->width; l++)
        e[l] = gang_i32(g, l + 1 < g->width ? l + 1 : 0);
    LLVMValueRef next = LLVMBuildShuffleVector(g->b, p, LLVMGetPoison(t), LLVMConstVector(e, g->width), "");
    LLVMValueRef d = LLVMBuildSub(g->b, next, p, "");
    // The last lane is followed by the first, at a distance that is negative.
    return gang_all(g, gang_mask_of(g, LLVMBuildICmp(g->b, LLVMIntUGE, d, gang_wide(g, gang_i64(g, bytes)), "")));
}

static void store_group(struct gang *g, const struct access *a, const struct neighbours *r)
{
    int64_t bytes = (int64_t)r->n * (int64_t)a->size;
    if (rows_disjoint(g, a, r, bytes)) {
        store_rows(g, a, r);
        return;
    }
    struct fork fork = fork_begin(g, rows_disjoint_test(g, a, bytes), "rows", "scatter", "stored");
    store_rows(g, a, r);
    fork_rare(g, &fork);
    struct outlined_access y[FEW];
    unsigned n = 0;
    for (LLVMValueRef x = r->first; x; x = x == r->last ? NULL : LLVMGetNextInstruction(x)) { // in the program's order
        for (unsigned k = 0; k < r->n; k++)
            if (r->member[k] == x)
                y[n++] = (struct outlined_access){a, (int64_t)k * (int64_t)a->size - r->before,
                                                  gang_vector(g, LLVMGetOperand(x, 0))};
        if (n == FEW || x == r->last)
            access_outlined(g, y, n, true);
        n = n == FEW ? 0 : n;
    }
    fork_end(g, &fork);
}

// Several groups wait at once where one passes over another's stores.
bool rows_store(struct gang *g, const struct access *a)
{
    return neighbours_store(g, a, g->row_writing, ROW_GROUPS, find, store_group);
}
