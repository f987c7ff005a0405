// SPDX-License-Identifier: Apache-2.0
#include "graph.h"
#include <stdlib.h>
#include <string.h>

bool graph_find(const struct graph *g, const char *name, size_t *node)
{
    uintptr_t found = (uintptr_t)map_get_str(&g->by_name, name);
    *node = found - 1;
    return found != 0;
}

size_t graph_node(struct graph *g, const char *name)
{
    size_t i;
    if (graph_find(g, name, &i))
        return i;
    struct node n = {.name = xstrdup(name)};
    vec_push(&g->nodes, n);
    map_put_str(&g->by_name, n.name, (void *)(uintptr_t)g->nodes.len);
    return g->nodes.len - 1;
}

void graph_edge(struct graph *g, size_t from, size_t to, const char *label)
{
    struct edges *edges = &g->nodes.data[from].edges;
    struct edge *e = NULL;
    for (size_t i = 0; i < edges->len && !e; i++)
        e = edges->data[i].to == to ? &edges->data[i] : NULL;
    if (!e) {
        vec_push(edges, ((struct edge){.to = to}));
        e = &edges->data[edges->len - 1];
    }
    if (label)
        vec_push(&e->labels, label);
    e->weight = e->labels.len ? e->labels.len : 1;
}

size_t graph_edge_count(const struct graph *g)
{
    size_t n = 0;
    for (size_t i = 0; i < g->nodes.len; i++)
        n += g->nodes.data[i].edges.len;
    return n;
}

// Tarjan's algorithm: a file's lowest is the earliest visited file on the stack that it reaches; where that is the file itself, what lies
// above it on the stack is its component.
struct walk {
    struct graph *g;
    size_t *index, *lowest, count; // index: 0 before the visit
    bool *waits;
    struct members stack;
    struct circles *out;
};

static bool calls_itself(const struct node *n, size_t i)
{
    for (size_t e = 0; e < n->edges.len; e++)
        if (n->edges.data[e].to == i)
            return true;
    return false;
}

static void take_component(struct walk *w, size_t root)
{
    struct members found = {0};
    size_t i;
    do {
        i = w->stack.data[--w->stack.len];
        w->waits[i] = false;
        w->g->nodes.data[i].circle = root;
        vec_push(&found, i);
    } while (i != root);
    if (found.len > 1 || calls_itself(&w->g->nodes.data[root], root))
        vec_push(w->out, found);
    else
        vec_free(&found);
}

static void visit(struct walk *w, size_t i)
{
    w->index[i] = w->lowest[i] = ++w->count;
    vec_push(&w->stack, i);
    w->waits[i] = true;
    struct edges *edges = &w->g->nodes.data[i].edges;
    for (size_t e = 0; e < edges->len; e++) {
        size_t to = edges->data[e].to;
        if (!w->index[to])
            visit(w, to);
        if (w->waits[to] && w->lowest[to] < w->lowest[i])
            w->lowest[i] = w->lowest[to];
    }
    if (w->lowest[i] == w->index[i])
        take_component(w, i);
}

static const struct graph *sorted;
static int by_name(const void *a, const void *b)
{
    return strcmp(sorted->nodes.data[*(const size_t *)a].name, sorted->nodes.data[*(const size_t *)b].name);
}
static int by_size(const void *a, const void *b)
{
    const struct members *x = a, *y = b;
    return x->len != y->len ? (x->len < y->len ? 1 : -1) : by_name(x->data, y->data);
}

void graph_circles(struct graph *g, struct circles *out)
{
    size_t n = g->nodes.len;
    struct walk w = {g, xcalloc(n, sizeof(size_t)), xcalloc(n, sizeof(size_t)), 0, xcalloc(n, sizeof(bool)), {0}, out};
    for (size_t i = 0; i < n; i++)
        if (!w.index[i])
            visit(&w, i);
    free(w.index);
    free(w.lowest);
    free(w.waits);
    vec_free(&w.stack);
    sorted = g;
    for (size_t i = 0; i < out->len; i++)
        qsort(out->data[i].data, out->data[i].len, sizeof(size_t), by_name);
    if (out->len)
        qsort(out->data, out->len, sizeof *out->data, by_size);
}

// The weight of the edge from a to b, 0 where there is none.
static size_t weight(const struct graph *g, size_t a, size_t b)
{
    const struct edges *edges = &g->nodes.data[a].edges;
    for (size_t e = 0; e < edges->len; e++)
        if (edges->data[e].to == b)
            return edges->data[e].weight;
    return 0;
}

static void move(struct members *order, size_t from, size_t to)
{
    size_t i = order->data[from];
    if (from < to)
        memmove(order->data + from, order->data + from + 1, (to - from) * sizeof(size_t));
    else
        memmove(order->data + to + 1, order->data + to, (from - to) * sizeof(size_t));
    order->data[to] = i;
}

// Moves one member to where the most weight points forward; false: it stands there.
static bool improve(const struct graph *g, struct members *order, size_t at)
{
    size_t i = order->data[at], best = at;
    long gain = 0, best_gain = 0;
    for (size_t to = at + 1; to < order->len;
         to++) { // behind `to`: what it calls there would point back, what calls it forward
        gain += (long)weight(g, order->data[to], i) - (long)weight(g, i, order->data[to]);
        if (gain > best_gain)
            best_gain = gain, best = to;
    }
    gain = 0;
    for (size_t to = at; to-- > 0;) {
        gain += (long)weight(g, i, order->data[to]) - (long)weight(g, order->data[to], i);
        if (gain > best_gain)
            best_gain = gain, best = to;
    }
    move(order, at, best);
    return best != at;
}

void graph_order(const struct graph *g, struct members *circle, struct back_edges *back)
{
    for (bool better = true; better;) { // every move takes weight from the edges that point back, so this ends
        better = false;
        for (size_t at = 0; at < circle->len; at++)
            better |= improve(g, circle, at);
    }
    for (size_t at = 0; at < circle->len; at++) {
        const struct edges *edges = &g->nodes.data[circle->data[at]].edges;
        for (size_t e = 0; e < edges->len; e++)
            for (size_t before = 0; before <= at; before++)
                if (edges->data[e].to == circle->data[before])
                    vec_push(back, ((struct back_edge){circle->data[at], &edges->data[e]}));
    }
}
