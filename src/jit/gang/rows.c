// Neighbours in memory that lie apart from lane to lane: a thread that walks through a row of its own and reads four elements
// in each turn, a record of four that an index names, the members of large structures. One access of 16 bytes a lane brings
// all of them; shuffles turn lanes' rows into members' vectors. Members one by one are a gather each, which takes a lane's
// element at a time. No lane touches more than it would anyway, so that a mask only sends lanes elsewhere.
//
// Parts of four lanes (two, of elements of 8 bytes) lie in 16 bytes each: part q of row vector j holds the row of lane
// 4q + j, and both steps of the transposition stay within parts, as vector registers like it.
#include "jit/gang/access.h"
#include <llvm-c/Core.h>

enum { ROW_BYTES = 16, PARTS = 4 }; // parts of 16 bytes in the largest vector

// How many elements make a row; 0: the access is not of that kind.
static unsigned row_length(struct gang *g, const struct access *a)
{
    bool fits = (a->size == 4 || a->size == 8) && g->width * a->size >= ROW_BYTES && !a->own && !a->pattern.run;
    bool plain = !LLVMGetVolatile(a->inst) && LLVMGetOrdering(a->inst) == LLVMAtomicOrderingNotAtomic;
    return fits && plain ? ROW_BYTES / (unsigned)a->size : 0;
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

struct rows {
    LLVMValueRef pointers; // NULL: each lane's is a scalar sum
    int64_t step;
};

static struct rows rows_at(struct gang *g, const struct access *a, const struct record_group *r)
{
    return (struct rows){.pointers = access_is_exact(a) ? NULL : access_lane_pointers(g, a, -r->before), .step = -r->before};
}

static LLVMValueRef row_pointer(struct gang *g, const struct access *a, const struct rows *w, unsigned lane)
{
    return w->pointers ? gang_lane(g, w->pointers, lane) : gang_step(g, gang_lane_pointer(g, a->address, lane), w->step);
}

// Lanes that are turned at once.
static unsigned lanes_at_once(struct gang *g, unsigned n)
{
    return g->width < PARTS * n ? g->width : PARTS * n;
}

bool rows_load(struct gang *g, const struct access *a)
{
    struct access moved;
    struct record_group r;
    unsigned n = row_length(g, a), at_once = lanes_at_once(g, n);
    if (!record_find(g, a, n, false, &r))
        return false;
    struct rows w = rows_at(g, a, &r);
    moved = access_moved(a, r.before);
    LLVMTypeRef row = LLVMVectorType(a->type, n);
    LLVMValueRef member[4][GANG_MAX], x[4] = {0}, out[4];
    for (unsigned first = 0; first < g->width; first += at_once) {
        for (unsigned j = 0; j < n; j++) {
            LLVMValueRef part[PARTS];
            for (unsigned q = 0; q < at_once / n; q++)
                part[q] = access_load(g, &moved, row, row_pointer(g, a, &w, first + q * n + j));
            x[j] = gang_concat(g, part, at_once / n);
        }
        transpose(g, x, n, out);
        for (unsigned k = 0; k < n; k++)
            member[k][first / at_once] = out[k];
    }
    for (unsigned k = 0; k < n; k++)
        out[k] = gang_concat(g, member[k], g->width / at_once);
    record_loaded(g, a, &r, out);
    return true;
}

// Rows that do not overlap: then it is no matter which lane comes first.
unsigned rows_stored(struct gang *g, const struct access *a)
{
    if (a->shape.kind != SHAPE_AFFINE || a->shape.split)
        return 0;
    int64_t stride = a->shape.offset[1] - a->shape.offset[0];
    for (unsigned l = 1; l < g->width; l++)
        if (a->shape.offset[l] - a->shape.offset[l - 1] != stride)
            return 0;
    return stride >= ROW_BYTES || stride <= -ROW_BYTES ? row_length(g, a) : 0;
}

void rows_store(struct gang *g, const struct access *a, const struct record_group *r)
{
    unsigned n = r->n, at_once = lanes_at_once(g, n);
    struct rows w = rows_at(g, a, r);
    struct access moved = access_moved(a, r->before);
    for (unsigned first = 0; first < g->width; first += at_once) {
        LLVMValueRef x[4] = {0}, out[4];
        for (unsigned k = 0; k < n; k++)
            x[k] = gang_slice(g, gang_vector(g, LLVMGetOperand(r->member[k], 0)), first, at_once);
        transpose(g, x, n, out);
        for (unsigned q = 0; q < at_once / n; q++)
            for (unsigned j = 0; j < n; j++)
                access_store(g, &moved, gang_slice(g, out[j], q * n, n), row_pointer(g, a, &w, first + q * n + j));
    }
}
