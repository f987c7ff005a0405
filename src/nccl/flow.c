// SPDX-License-Identifier: Apache-2.0
// Building lists of flows.
#include "nccl/flow.h"
#include <stdlib.h>
#include <string.h>

// One more element; the array may move. NULL: out of memory.
static void *grow(void *array, unsigned n, unsigned *room, size_t size)
{
    if (n < *room)
        return array;
    unsigned more = *room ? 2 * *room : 4;
    void *wider = realloc(array, more * size);
    if (wider)
        *room = more;
    return wider;
}

int flow_add(struct flows *f, bool out, uint32_t what, const int *ends, unsigned nends)
{
    struct flow *list = grow(f->list, f->n, &f->room, sizeof *list);
    if (!list)
        return -1;
    f->list = list;
    struct flow *x = &list[f->n];
    *x = (struct flow){.out = out, .what = what, .nends = nends, .gate = -1, .behind = -1};
    if (nends && !(x->ends = calloc(nends, sizeof *x->ends)))
        return -1;
    for (unsigned i = 0; i < nends; i++)
        x->ends[i].peer = ends[i];
    return (int)f->n++;
}

bool flow_piece(struct flows *f, int flow, char *at, const char *own, size_t bytes, const struct reduction *r)
{
    if (flow < 0)
        return false;
    struct flow *x = &f->list[flow];
    struct piece *pieces = grow(x->pieces, x->npieces, &x->room, sizeof *pieces);
    if (!pieces)
        return false;
    x->pieces = pieces;
    if (bytes) // an empty one is none
        pieces[x->npieces++] = (struct piece){at, own, bytes, r, false};
    x->total += bytes;
    return true;
}

bool flow_window(struct flows *f, int flow, char *at, const char *own, size_t bytes, const struct reduction *r)
{
    bool ok = flow_piece(f, flow, at, own, bytes, r);
    if (ok && bytes)
        f->list[flow].pieces[f->list[flow].npieces - 1].window = true;
    return ok;
}

static void *keep(struct flows *f, void *memory)
{
    void **list = memory ? realloc(f->memory, (f->nmemory + 1) * sizeof *list) : NULL;
    if (!list) {
        free(memory);
        return NULL;
    }
    f->memory = list;
    list[f->nmemory++] = memory;
    return memory;
}

void *flows_scratch(struct flows *f, size_t bytes)
{
    return keep(f, aligned_alloc(64, (bytes + 64) / 64 * 64));
}

bool flows_prelude(struct flows *f, char *to, const char *from, size_t bytes, const struct reduction *r)
{
    struct prelude *list = realloc(f->preludes, (f->npreludes + 1) * sizeof *list);
    if (!list)
        return false;
    f->preludes = list;
    list[f->npreludes++] = (struct prelude){
        .to = to, .from = from, .bytes = bytes, .copies = !r, .reduce = r ? *r : (struct reduction){0}};
    return true;
}

void flows_free(struct flows *f)
{
    for (unsigned i = 0; i < f->n; i++) {
        free(f->list[i].ends);
        free(f->list[i].pieces);
    }
    for (unsigned i = 0; i < f->nmemory; i++)
        free(f->memory[i]);
    free(f->memory);
    free(f->preludes);
    free(f->list);
}
