// SPDX-License-Identifier: Apache-2.0
// Groups of the values that a loop carries (slice_loops.c). Where one register of each is still too many, a slice's loop is made once for
// each group: values that need nothing of each other from iteration to iteration may go their ways in loops of their own. What no
// carried value goes into, as loads and splats, every group makes for itself; the loop writes nothing, so that it is the same each time.
#include "jit/host/slice.h"

enum { PHIS_MAX = 64 };

struct carried {
    LLVMValueRef phi[PHIS_MAX];
    unsigned part[PHIS_MAX], n; // part: the first of those that it goes with
};

// The phis, by bit, that go into a value of this iteration.
static uint64_t phis_in(const struct slicer *s, const struct map *in, LLVMValueRef x)
{
    const uint64_t *set = inside(s, x) ? map_get_ptr(in, x) : NULL;
    return set ? *set : 0;
}

static void find_phis(struct slicer *s, struct carried *c, struct map *in)
{
    FOR_INSTRUCTIONS (s->loop, x) {
        uint64_t set = 0;
        if (!is_vector(x))
            continue;
        if (LLVMIsAPHINode(x)) {
            c->phi[c->n] = x;
            c->part[c->n] = c->n;
            set = (uint64_t)1 << c->n++;
        }
        for (unsigned i = 0; i < ir_operands(x) && !LLVMIsAPHINode(x); i++)
            set |= phis_in(s, in, LLVMGetOperand(x, i));
        uint64_t *kept = arena_new(&s->arena, uint64_t);
        *kept = set;
        map_put_ptr(in, x, kept);
    }
}

// All of the set go together.
static void unite(struct carried *c, uint64_t set)
{
    unsigned first = 0;
    while (first < c->n && !(set >> first & 1))
        first++;
    for (unsigned i = first; i < c->n; i++) {
        unsigned from = c->part[i], to = c->part[first];
        for (unsigned k = 0; k < c->n && (set >> i & 1); k++)
            if (c->part[k] == (from > to ? from : to))
                c->part[k] = from > to ? to : from;
    }
}

static unsigned vector_phis(const struct slicer *s)
{
    unsigned n = 0;
    FOR_PHIS (s->loop, x)
        n += is_vector(x);
    return n;
}

bool slice_group(struct slicer *s, unsigned groups)
{
    struct carried c = {0};
    struct map in = {0};
    unsigned parts = 0, number[PHIS_MAX];
    map_free(&s->grouped);
    s->grouped = (struct map){0};
    s->groups = 1;
    if (groups == 1 || vector_phis(s) > PHIS_MAX)
        return groups == 1;
    find_phis(s, &c, &in);
    for (unsigned i = 0; i < c.n; i++)
        unite(&c, (uint64_t)1 << i | phis_in(s, &in, ir_incoming(c.phi[i], s->loop)));
    FOR_INSTRUCTIONS (s->loop, x) // what several go into is made where all of them are
        unite(&c, phis_in(s, &in, x));
    for (unsigned i = 0; i < c.n; i++)
        number[i] = c.part[i] == i ? parts++ : number[c.part[i]];
    if (parts >= groups) {
        s->groups = groups;
        FOR_INSTRUCTIONS (s->loop, x) {
            uint64_t set = phis_in(s, &in, x);
            unsigned first = 0;
            while (set && !(set >> first & 1))
                first++;
            if (set)
                map_put_ptr(&s->grouped, x, (void *)(uintptr_t)(number[first] * groups / parts + 1));
        }
    }
    map_free(&in);
    return s->groups == groups;
}
