// SPDX-License-Identifier: Apache-2.0
// Orders of sparse matrices.
#include "cusolver/sparse/order.h"
#include <stdlib.h>
#include <string.h>

// The graph of A + A^T without its diagonal; an edge may be there twice.
struct graph {
    int n, *offsets, *adjacent;
    int *memory; // 4 n more
};

static void graph_fini(struct graph *g)
{
    free(g->offsets);
    free(g->adjacent);
    free(g->memory);
}

static bool graph_init(struct graph *g, const struct pattern *a)
{
    const int n = a->n, nnz = n ? a->rows[n] - a->base : 0;
    *g = (struct graph){.n = n};
    g->offsets = calloc((size_t)n + 2, sizeof(int));
    g->adjacent = malloc((size_t)(2 * nnz + 1) * sizeof(int));
    g->memory = malloc((size_t)(4 * n + 4) * sizeof(int));
    if (!g->offsets || !g->adjacent || !g->memory) {
        graph_fini(g);
        return false;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < n; i++)
            for (int k = a->rows[i] - a->base; k < a->rows[i + 1] - a->base; k++) {
                const int j = a->cols[k] - a->base;
                if (j == i)
                    continue;
                if (!pass) {
                    g->offsets[i + 2]++;
                    g->offsets[j + 2]++;
                } else {
                    g->adjacent[g->offsets[i + 1]++] = j;
                    g->adjacent[g->offsets[j + 1]++] = i;
                }
            }
        for (int i = 0; !pass && i < n; i++)
            g->offsets[i + 2] += g->offsets[i + 1];
    }
    return true;
}

static int degree(const struct graph *g, int v)
{
    return g->offsets[v + 1] - g->offsets[v];
}

// Breadth first from `start` over vertices whose mark is `mark`, which becomes seen; level: of each. How many were reached; they are in queue.
static int breadth_first(const struct graph *g, int start, int *marks, int mark, int seen, int *queue, int *level)
{
    int n = 0;
    queue[n++] = start;
    marks[start] = seen;
    level[start] = 0;
    for (int i = 0; i < n; i++) {
        const int v = queue[i], first = n;
        for (int k = g->offsets[v]; k < g->offsets[v + 1]; k++) {
            const int u = g->adjacent[k];
            if (marks[u] != mark)
                continue;
            marks[u] = seen;
            level[u] = level[v] + 1;
            queue[n++] = u;
        }
        for (int k = first + 1; k < n; k++) { // neighbours by degree
            const int u = queue[k];
            int q = k;
            for (; q > first && degree(g, queue[q - 1]) > degree(g, u); q--)
                queue[q] = queue[q - 1];
            queue[q] = u;
        }
    }
    return n;
}

// A vertex at the rim of the component of v; marks are as they were.
static int rim(const struct graph *g, int v, int *marks, int mark, int seen, int *queue, int *level)
{
    enum { TURNS = 4 };
    int far = -1;
    for (int turn = 0; turn < TURNS; turn++) {
        const int n = breadth_first(g, v, marks, mark, seen, queue, level), last = queue[n - 1];
        for (int i = 0; i < n; i++)
            marks[queue[i]] = mark;
        if (level[last] <= far)
            break;
        far = level[last];
        v = last;
    }
    return v;
}

bool order_rcm(const struct pattern *a, int *p)
{
    struct graph g;
    if (!graph_init(&g, a))
        return false;
    int *marks = g.memory, *queue = marks + g.n, *level = queue + g.n, n = 0;
    memset(marks, 0, (size_t)g.n * sizeof(int));
    for (int v = 0; v < g.n; v++)
        if (!marks[v]) {
            const int start = rim(&g, v, marks, 0, 1, queue, level);
            const int reached = breadth_first(&g, start, marks, 0, 2, queue, level);
            memcpy(p + n, queue, (size_t)reached * sizeof(int));
            n += reached;
        }
    for (int i = 0; i < n / 2; i++) {
        const int t = p[i];
        p[i] = p[n - 1 - i];
        p[n - 1 - i] = t;
    }
    graph_fini(&g);
    return true;
}

// ---- minimum degree. A vertex that is eliminated becomes an element: the list of those it was adjacent to, which are adjacent to each other from
// then on. Elements that it was adjacent to are part of it. The degree of a vertex is the sum over its neighbours and elements, at most n.
struct list {
    int *at, n, room;
};
static bool list_add(struct list *l, int v)
{
    if (l->n == l->room) {
        const int room = 2 * l->room + 4;
        int *at = realloc(l->at, (size_t)room * sizeof(int));
        if (!at)
            return false;
        l->at = at;
        l->room = room;
    }
    l->at[l->n++] = v;
    return true;
}

struct elimination {
    struct graph *g;
    struct list *elements; // of vertices: those that they belong to; of eliminated ones: [0, n) the element's vertices
    bool *gone, *absorbed;
    int *marks, mark, *degree;
};

// The vertices that are adjacent to v, by neighbours and elements, into `to`.
static bool reach(struct elimination *e, int v, struct list *to)
{
    const struct graph *g = e->g;
    e->marks[v] = ++e->mark;
    for (int k = g->offsets[v]; k < g->offsets[v + 1]; k++) {
        const int u = g->adjacent[k];
        if (e->gone[u] || e->marks[u] == e->mark)
            continue;
        e->marks[u] = e->mark;
        if (!list_add(to, u))
            return false;
    }
    for (int q = 0; q < e->elements[v].n; q++) {
        const int element = e->elements[v].at[q];
        if (e->absorbed[element])
            continue;
        const struct list *l = &e->elements[element];
        for (int i = 0; i < l->n; i++) {
            const int u = l->at[i];
            if (e->gone[u] || e->marks[u] == e->mark)
                continue;
            e->marks[u] = e->mark;
            if (!list_add(to, u))
                return false;
        }
    }
    return true;
}

static bool eliminate(struct elimination *e, int v)
{
    struct list around = {0};
    if (!reach(e, v, &around)) {
        free(around.at);
        return false;
    }
    for (int q = 0; q < e->elements[v].n; q++)
        e->absorbed[e->elements[v].at[q]] = true;
    free(e->elements[v].at);
    e->elements[v] = around; // from now on the element
    e->gone[v] = true;
    for (int i = 0; i < around.n; i++) {
        const int u = around.at[i];
        struct list *l = &e->elements[u];
        int n = 0, sum = around.n - 1;
        for (int q = 0; q < l->n; q++)
            if (!e->absorbed[l->at[q]]) {
                sum += e->elements[l->at[q]].n - 1;
                l->at[n++] = l->at[q];
            }
        l->n = n;
        if (!list_add(l, v))
            return false;
        for (int k = e->g->offsets[u]; k < e->g->offsets[u + 1]; k++)
            sum += !e->gone[e->g->adjacent[k]];
        e->degree[u] = sum < e->g->n ? sum : e->g->n;
    }
    return true;
}

bool order_degree(const struct pattern *a, int *p)
{
    struct graph g;
    if (!graph_init(&g, a))
        return false;
    struct elimination e = {.g = &g, .marks = g.memory, .degree = g.memory + g.n};
    e.elements = calloc((size_t)g.n + 1, sizeof *e.elements);
    e.gone = calloc(2 * ((size_t)g.n + 1), sizeof(bool));
    e.absorbed = e.gone ? e.gone + g.n + 1 : NULL;
    bool ok = e.elements && e.gone;
    for (int v = 0; ok && v < g.n; v++) {
        e.marks[v] = 0;
        e.degree[v] = degree(&g, v);
    }
    for (int i = 0; ok && i < g.n; i++) {
        int best = -1;
        for (int v = 0; v < g.n; v++)
            if (!e.gone[v] && (best < 0 || e.degree[v] < e.degree[best]))
                best = v;
        p[i] = best;
        ok = eliminate(&e, best);
    }
    for (int v = 0; e.elements && v < g.n; v++)
        free(e.elements[v].at);
    free(e.elements);
    free(e.gone);
    graph_fini(&g);
    return ok;
}

// ---- nested dissection: the middle level of a search separates what is before it from what is behind; it comes last. What the search does not
// reach is a part without separator.
static bool dissect(struct graph *g, const int *set, int n, int *marks, int *next_mark, int *p, int *memory)
{
    enum { SMALL = 24 };
    int *queue = memory, *level = memory + g->n, counts[3] = {0, 0, 0}, offsets[3];
    const int mark = marks[set[0]], base = *next_mark + 1; // base, base + 1, base + 2: before, behind, between
    const int start = n > SMALL ? rim(g, set[0], marks, mark, base, queue, level) : 0;
    const int reached = n > SMALL ? breadth_first(g, start, marks, mark, base, queue, level) : n;
    const bool whole = reached == n;
    if (n <= SMALL || (whole && level[queue[n - 1]] < 2)) {
        memcpy(p, set, (size_t)n * sizeof(int));
        return true;
    }
    int *own = malloc((size_t)n * sizeof(int));
    if (!own)
        return false;
    const int middle = level[queue[n / 2 < reached ? n / 2 : 0]];
    *next_mark += 3;
    for (int i = 0; i < n; i++) {
        const int v = set[i], which = !whole ? marks[v] != base : level[v] < middle ? 0 : level[v] > middle ? 1 : 2;
        marks[v] = base + which;
        counts[which]++;
    }
    offsets[0] = 0;
    offsets[1] = counts[0];
    offsets[2] = counts[0] + counts[1];
    for (int i = 0; i < n; i++)
        own[offsets[marks[set[i]] - base]++] = set[i];
    const bool ok = (!counts[0] || dissect(g, own, counts[0], marks, next_mark, p, memory)) &&
                    (!counts[1] || dissect(g, own + counts[0], counts[1], marks, next_mark, p + counts[0], memory));
    memcpy(p + counts[0] + counts[1], own + counts[0] + counts[1], (size_t)counts[2] * sizeof(int));
    free(own);
    return ok;
}

bool order_dissect(const struct pattern *a, int *p)
{
    struct graph g;
    if (!graph_init(&g, a))
        return false;
    int *marks = g.memory, *set = marks + g.n, next_mark = 0;
    for (int i = 0; i < g.n; i++) {
        marks[i] = 0;
        set[i] = i;
    }
    int *memory = malloc((size_t)(2 * g.n + 2) * sizeof(int));
    const bool ok = memory && (!g.n || dissect(&g, set, g.n, marks, &next_mark, p, memory));
    free(memory);
    graph_fini(&g);
    return ok;
}

// ---- matching by augmenting paths, depth first with a stack of its own
int order_match(const struct pattern *a, const bool *counts, int *q)
{
    const int n = a->n;
    int *row_of = malloc((size_t)(4 * n + 4) * sizeof(int)); // of columns; -1: free
    if (!row_of)
        return -1;
    int *seen = row_of + n + 1, *stack = seen + n, *at = stack + n, found = 0;
    for (int i = 0; i < n; i++)
        row_of[i] = seen[i] = -1;
    for (int r = 0; r < n; r++) {
        int depth = 0;
        bool done = false;
        stack[0] = r;
        at[0] = a->rows[r] - a->base;
        while (depth >= 0 && !done) {
            const int i = stack[depth], end = a->rows[i + 1] - a->base;
            int k = at[depth];
            while (k < end && ((counts && !counts[k]) || seen[a->cols[k] - a->base] == r))
                k++;
            if (k == end) {
                depth--;
                continue;
            }
            const int j = a->cols[k] - a->base;
            at[depth] = k; // the column of this row, if the path ends well
            seen[j] = r;
            if (row_of[j] < 0) {
                for (int d = depth; d >= 0; d--)
                    row_of[a->cols[at[d]] - a->base] = stack[d];
                done = true;
            } else {
                stack[depth + 1] = row_of[j];
                at[depth + 1] = a->rows[row_of[j]] - a->base;
                depth++;
            }
        }
        found += done;
    }
    for (int i = 0; i < n; i++)
        q[i] = -1;
    for (int j = 0; j < n; j++)
        if (row_of[j] >= 0)
            q[row_of[j]] = j;
    int left = 0; // columns that no row has go to the rows without
    for (int i = 0; i < n; i++)
        if (q[i] < 0) {
            while (row_of[left] >= 0)
                left++;
            q[i] = left++;
        }
    free(row_of);
    return found;
}

bool order_by(int reorder, const struct pattern *a, int *p)
{
    bool (*const orders[])(const struct pattern *, int *) = {NULL, order_rcm, order_degree, order_dissect};
    if (reorder > 0)
        return orders[reorder](a, p);
    for (int i = 0; i < a->n; i++)
        p[i] = i;
    return true;
}
