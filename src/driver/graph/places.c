// SPDX-License-Identifier: Apache-2.0
// The places of a graph's steps among all operations (device/order/order.h): a step is behind the launch and the steps that it waits for. Steps that
// follow each other are a chain, which is one line: a step goes on with that of a step before it which nobody has gone on with. The lines are the
// graph's own, as its launches follow each other.
#include "driver/graph/exec.h"
#include <stdio.h>
#include <stdlib.h>

static const uint32_t NONE = UINT32_MAX;

struct graph_places {
    uint32_t n;
    uint32_t *line, *first, *before; // by step: its line; where what it waits for begins in `before`
    bool *last;                      // nobody waits for it
    struct VEC(struct order_line *) lines;
};

static void find_before(struct graph_places *g, const struct plan_edge *edges, size_t nedges)
{
    for (size_t i = 0; i < nedges; i++)
        g->first[edges[i].to + 1]++;
    for (uint32_t i = 0; i < g->n; i++)
        g->first[i + 1] += g->first[i];
    uint32_t *at = xcalloc(g->n + 1, sizeof *at);
    for (size_t i = 0; i < nedges; i++) {
        g->before[g->first[edges[i].to] + at[edges[i].to]++] = edges[i].from;
        g->last[edges[i].from] = false;
    }
    free(at);
}

static void find_lines(struct graph_places *g)
{
    bool *taken = xcalloc(g->n + 1, sizeof *taken);
    for (uint32_t i = 0; i < g->n; i++) {
        g->line[i] = NONE;
        for (uint32_t k = g->first[i]; k < g->first[i + 1] && g->line[i] == NONE; k++)
            if (!taken[g->before[k]]) {
                taken[g->before[k]] = true;
                g->line[i] = g->line[g->before[k]];
            }
        if (g->line[i] != NONE)
            continue;
        char name[32];
        snprintf(name, sizeof name, "branch %zu of a graph", g->lines.len + 1);
        g->line[i] = (uint32_t)g->lines.len;
        struct order_line *l = order_line_make(name, g->lines.len > 0);
        vec_push(&g->lines, l);
    }
    free(taken);
}

struct graph_places *graph_places_make(uint32_t nsteps, const struct plan_edge *edges, size_t nedges)
{
    if (!check_wanted)
        return NULL;
    struct graph_places *g = xcalloc(1, sizeof *g);
    g->n = nsteps;
    g->line = xcalloc(nsteps + 1, sizeof *g->line);
    g->first = xcalloc(nsteps + 2, sizeof *g->first);
    g->before = xcalloc(nedges + 1, sizeof *g->before);
    g->last = xcalloc(nsteps + 1, sizeof *g->last);
    for (uint32_t i = 0; i < nsteps; i++)
        g->last[i] = true;
    find_before(g, edges, nedges);
    find_lines(g);
    return g;
}

void graph_places_free(struct graph_places *g)
{
    if (!g)
        return;
    for (size_t i = 0; i < g->lines.len; i++)
        order_line_free(g->lines.data[i]);
    vec_free(&g->lines);
    free(g->line);
    free(g->first);
    free(g->before);
    free(g->last);
    free(g);
}

struct places *graph_places_take(const struct graph_places *g, struct stream *s, const struct op *launch,
                                 struct op *const *waits, struct order_line *done)
{
    struct sanitizer_stack stack = {0};
    if (!g || !launch->order)
        return NULL;
    struct places *p = xcalloc(1, sizeof *p + g->n * sizeof *p->step);
    struct order **before = xcalloc(g->n + 1, sizeof *before);
    p->n = g->n;
    if (strcmp(sanitizer_setting("backtrace"), "no"))
        sanitizer_stack_take(&stack, 1);
    for (uint32_t i = 0; i < g->n; i++) {
        size_t n = 0;
        for (uint32_t k = g->first[i]; k < g->first[i + 1]; k++)
            before[n++] = p->step[g->before[k]];
        if (waits && waits[i] && waits[i]->order)
            before[n++] = waits[i]->order;
        p->step[i] = order_step(g->lines.data[g->line[i]], launch->order, before, n, &stack);
        if (g->last[i]) {
            order_line_joins(s->order, p->step[i]);
            order_line_joins(done, p->step[i]);
        }
    }
    free(before);
    return p;
}

void graph_places_give(struct places *p)
{
    for (uint32_t i = 0; p && i < p->n; i++)
        order_release(p->step[i]);
    free(p);
}
