// SPDX-License-Identifier: Apache-2.0
// See gen.h.
#include "gen.h"
#include "base/xmalloc.h"
#include <stdlib.h>
#include <string.h>

uint64_t gen_next(struct gen *g)
{
    uint64_t z = g->rng += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

unsigned gen_below(struct gen *g, unsigned n)
{
    return (unsigned)((gen_next(g) >> 33) % n);
}

bool gen_chance(struct gen *g, unsigned percent)
{
    return gen_below(g, 100) < percent;
}

struct gen_unit gen_open(struct gen *g)
{
    return (struct gen_unit){g->units++, g->s.len};
}

bool gen_close(struct gen *g, struct gen_unit u, const char *replacement)
{
    if (g->spans_n == g->spans_cap) {
        g->spans_cap = g->spans_cap * 2 + 64;
        g->spans = xrealloc(g->spans, g->spans_cap * sizeof *g->spans);
    }
    g->spans[g->spans_n++] = (struct gen_span){u.id, g->units};
    if (!g->drop || u.id >= g->drop_n || !g->drop[u.id])
        return true;
    g->s.len = u.at;
    if (g->s.data)
        g->s.data[u.at] = 0;
    str_append(&g->s, replacement);
    return false;
}

void gen_reset(struct gen *g, uint64_t seed)
{
    g->rng = seed;
    g->units = g->spans_n = 0;
    g->s.len = 0;
    if (g->s.data)
        g->s.data[0] = 0;
}

void gen_free(struct gen *g)
{
    str_free(&g->s);
    free(g->spans);
    memset(g, 0, sizeof *g);
}
