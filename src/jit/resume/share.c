// SPDX-License-Identifier: Apache-2.0
// Frame slots that values share. What a loop with barriers carries, such as the sum of a tiled product, is two values: the
// phi at the head of the loop and what becomes of it, which the latch hands to the phi. Where one lives across one barrier
// of the loop and the other across the next, two slots would mean that the region between only copies the one to the
// other, for every gang and in every iteration, and that the frame takes twice its room in the first cache (a tile of 4x4 sums a
// thread: 32 KB in place of 16). So a phi and what comes into it take one slot wherever no resume point has both: slots
// are read at a region's start and written at its end, so a slot holds what lives at the resume point where its gang
// stands. Then the region between finds the value where it must be, and writes nothing (gang/memory/frame.c).
//
// Lanes that wait at different resume points would mix up values which their gang keeps as one base; values that live
// across such points keep a slot of their own.
#include "jit/resume/live.h"

struct point_list {
    struct VEC(unsigned) points;
};

struct sharing {
    struct live *l;
    unsigned *parent;          // by value: another of its class, or itself
    unsigned *next;            // by value: the next of its class, in a ring
    struct point_list *across; // by value
    unsigned *seen;            // by resume point: the pair that was last compared
    unsigned pairs;
};

static unsigned find(struct sharing *s, unsigned v)
{
    while (s->parent[v] != v)
        v = s->parent[v] = s->parent[s->parent[v]];
    return v;
}

// Whether some resume point has a value of both classes.
static bool meet(struct sharing *s, unsigned a, unsigned b)
{
    s->pairs++;
    unsigned v = a;
    do {
        for (size_t i = 0; i < s->across[v].points.len; i++)
            s->seen[s->across[v].points.data[i]] = s->pairs;
        v = s->next[v];
    } while (v != a);
    v = b;
    do {
        for (size_t i = 0; i < s->across[v].points.len; i++)
            if (s->seen[s->across[v].points.data[i]] == s->pairs)
                return true;
        v = s->next[v];
    } while (v != b);
    return false;
}

static bool may_share(const struct live_value *v)
{
    return v->home == LIVE_FRAME && !v->diverged;
}

static void try_join(struct sharing *s, unsigned phi, unsigned incoming)
{
    const struct live_value *a = &s->l->values[phi], *b = &s->l->values[incoming];
    if (!may_share(a) || !may_share(b) || LLVMTypeOf(a->value) != LLVMTypeOf(b->value))
        return;
    unsigned x = find(s, phi), y = find(s, incoming);
    if (x == y || meet(s, x, y))
        return;
    s->parent[y] = x;
    unsigned rest = s->next[x];
    s->next[x] = s->next[y];
    s->next[y] = rest;
}

static void push_slots(struct resume *r, LLVMTypeRef t)
{
    for (unsigned i = 0; i < live_parts(t); i++) {
        LLVMTypeRef part = live_part_type(r->context, t, i);
        if (part == t)
            vec_push(&r->plan->slots, live_slot_type(r->context, t));
        else
            push_slots(r, part);
    }
}

void live_share_slots(struct live *l)
{
    struct resume *r = l->r;
    struct sharing s = {.l = l};
    s.parent = arena_array(&r->arena, unsigned, l->nvalues + 1);
    s.next = arena_array(&r->arena, unsigned, l->nvalues + 1);
    s.across = arena_array(&r->arena, struct point_list, l->nvalues + 1);
    s.seen = arena_array(&r->arena, unsigned, r->points.len + 1);
    for (unsigned v = 0; v < l->nvalues; v++)
        s.parent[v] = s.next[v] = v;
    for (unsigned p = 1; p <= r->points.len; p++)
        for (size_t i = 0; i < l->at[p].values.len; i++)
            vec_push(&s.across[l->at[p].values.data[i]].points, p);
    for (unsigned v = 0; v < l->nvalues; v++) {
        LLVMValueRef phi = l->values[v].value;
        for (unsigned i = 0, n = LLVMIsAPHINode(phi) ? LLVMCountIncoming(phi) : 0; i < n; i++) {
            int k = live_index(l, LLVMGetIncomingValue(phi, i));
            if (k >= 0)
                try_join(&s, v, (unsigned)k);
        }
    }
    for (unsigned v = 0; v < l->nvalues; v++) // classes in the order of their first values
        if (l->values[v].home == LIVE_FRAME) {
            struct live_value *first = &l->values[find(&s, v)];
            if (!first->numbered) {
                first->numbered = true;
                first->slot = (unsigned)r->plan->slots.len;
                push_slots(r, LLVMTypeOf(first->value));
            }
            l->values[v].slot = first->slot;
        }
    for (unsigned v = 0; v < l->nvalues; v++)
        vec_free(&s.across[v].points);
}
