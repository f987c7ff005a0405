// SPDX-License-Identifier: Apache-2.0
// Accesses of one block with one root address and constant distances, of which the first one found makes all (loads) or the last one
// (stores): members of records (gang/memory/interleave.c), elements of rows (gang/memory/rows.c). Nothing between them may see or change
// their memory in the meantime.
#include "jit/gang/memory/access.h"
#include "jit/analysis/address.h"
#include <string.h>

enum { WINDOW = 96, WINDOW_FAR = 640 }; // instructions looked through

static bool has(const struct neighbours *r, LLVMValueRef inst)
{
    for (unsigned k = 0; k < r->n; k++)
        if (r->member[k] == inst)
            return true;
    return false;
}

static size_t find_made(struct gang *g, LLVMValueRef x)
{
    size_t i = 0;
    while (i < g->loaded.len && g->loaded.data[i] != x)
        i++;
    return i;
}

static bool is_made(struct gang *g, LLVMValueRef x)
{
    return find_made(g, x) < g->loaded.len;
}

bool neighbours_done(struct gang *g, LLVMValueRef inst)
{
    size_t i = find_made(g, inst);
    if (i == g->loaded.len)
        return false;
    g->loaded.data[i] = g->loaded.data[--g->loaded.len];
    return true;
}

// Where an access so many bytes away lies among the positions; -1: at none of them.
static int position_of(const struct access *a, int64_t distance)
{
    int64_t size = (int64_t)a->size, at = distance / size + NEIGHBOURS_HERE;
    return distance % size || at < 0 || at >= NEIGHBOURS_POSITIONS ? -1 : (int)at;
}

// Whether the search may go on behind what is not of its kind. In a loop whose pointers lead to different memory the same row is
// all that matters: `stored` has the positions of those that it passed.
static bool may_pass(struct gang *g, const struct access *a, LLVMValueRef x, bool store, bool far, bool *stored,
                     int64_t mine)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(x);
    int64_t at;
    if (!access_may_write(x) && !(store && op == LLVMLoad))
        return true;
    if (!far)
        return false;
    if ((store && ir_is_invariant(x)) || ir_is_invariant(a->inst))
        return true;
    if (disjoint_pass(g, x, a->address))
        return true;
    if (!g->disjoint || (store && op == LLVMLoad))
        return store && op == LLVMLoad && is_made(g, x);
    if (store || op != LLVMStore || !access_is_simple(x) || gang_type(g, ir_access_type(x)) != a->type)
        return false;
    address_base(ir_address(x), &at);
    int position = position_of(a, at - mine);
    if (position >= 0)
        stored[position] = true;
    return position >= 0;
}

LLVMValueRef neighbours_find(struct gang *g, const struct access *a, bool store, bool far, LLVMValueRef *found)
{
    int64_t mine, offset;
    bool stored[NEIGHBOURS_POSITIONS] = {0};
    LLVMValueRef root = address_base(a->address, &mine), x = LLVMGetNextInstruction(a->inst);
    found[NEIGHBOURS_HERE] = a->inst;
    for (unsigned left = far ? WINDOW_FAR : WINDOW; x && left--; x = LLVMGetNextInstruction(x)) {
        bool same = LLVMGetInstructionOpcode(x) == (store ? LLVMStore : LLVMLoad) && access_is_simple(x);
        if (same && gang_type(g, ir_access_type(x)) == a->type && address_base(ir_address(x), &offset) == root) {
            int position = position_of(a, offset - mine);
            if (position >= 0 && !found[position] && !stored[position] && !is_made(g, x))
                found[position] = x;
            else if (store)
                break;
            continue;
        }
        if (!may_pass(g, a, x, store, far, stored, mine))
            break;
    }
    return x;
}

bool neighbours_take(struct gang *g, const struct access *a, bool store, LLVMValueRef *found, unsigned low, unsigned n,
                     LLVMValueRef end, struct neighbours *out)
{
    *out = (struct neighbours){
        .n = n, .first = a->inst, .last = a->inst, .before = (int64_t)(NEIGHBOURS_HERE - low) * (int64_t)a->size};
    memcpy(out->member, found + low, n * sizeof *found);
    for (LLVMValueRef x = a->inst; x != end; x = LLVMGetNextInstruction(x))
        out->last = has(out, x) ? x : out->last;
    for (LLVMValueRef x = a->inst; store && x != out->last; x = LLVMGetNextInstruction(x))
        if (LLVMGetInstructionOpcode(x) == LLVMStore && !has(out, x) && !disjoint_pass(g, x, a->address))
            return false;
    return true;
}

void neighbours_loaded(struct gang *g, const struct access *a, const struct neighbours *r, LLVMValueRef *x)
{
    for (unsigned k = 0; k < r->n; k++) {
        gang_set_vector(g, r->member[k], x[k]);
        if (r->member[k] != a->inst)
            vec_push(&g->loaded, r->member[k]);
    }
}

bool neighbours_store(struct gang *g, const struct access *a, struct neighbours *list, unsigned n,
                      bool (*find)(struct gang *g, const struct access *a, bool store, struct neighbours *out),
                      void (*emit)(struct gang *g, const struct access *a, const struct neighbours *r))
{
    struct neighbours *r = NULL, *room = NULL, found;
    for (unsigned i = 0; i < n; i++)
        if (has(&list[i], a->inst))
            r = &list[i];
        else if (!list[i].n)
            room = &list[i];
    if (!r) {
        bool waits = room && find(g, a, true, &found);
        if (waits)
            *room = found;
        return waits;
    }
    if (a->inst == r->last) {
        struct access begin = access_init(g, r->first, a->mask);
        emit(g, &begin, r);
        r->n = 0;
    }
    return true;
}
