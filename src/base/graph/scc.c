// SPDX-License-Identifier: Apache-2.0
// See scc.h.
#include "base/graph/scc.h"
#include "base/vec.h"
#include "base/xmalloc.h"
#include <stdlib.h>

enum { NONE = UINT32_MAX };

void scc_find(struct scc *s, uint32_t n, const uint32_t *first, const uint32_t *edges)
{
    uint32_t *index = xcalloc(n + 1, sizeof *index), *low = xcalloc(n + 1, sizeof *low);
    uint32_t *next = xcalloc(n + 1, sizeof *next), visited = 0, components = 0, ordered = 0;
    struct VEC(uint32_t) path = {0}, open = {0};
    s->component = xcalloc(n + 1, sizeof *s->component);
    s->order = xcalloc(n + 1, sizeof *s->order);
    for (uint32_t i = 0; i < n; i++)
        s->component[i] = NONE;
    for (uint32_t root = 0; root < n; root++) {
        if (!index[root])
            vec_push(&path, root);
        while (path.len) {
            uint32_t v = path.data[path.len - 1];
            if (!index[v]) {
                index[v] = low[v] = ++visited;
                next[v] = first[v];
                vec_push(&open, v);
            }
            if (next[v] < first[v + 1]) {
                uint32_t w = edges[next[v]++];
                if (!index[w])
                    vec_push(&path, w);
                else if (s->component[w] == NONE && index[w] < low[v])
                    low[v] = index[w];
                continue;
            }
            path.len--;
            if (path.len && low[v] < low[path.data[path.len - 1]])
                low[path.data[path.len - 1]] = low[v];
            if (low[v] != index[v])
                continue;
            for (uint32_t w = NONE; w != v;) {
                w = open.data[--open.len];
                s->component[w] = components;
                s->order[ordered++] = w;
            }
            components++;
        }
    }
    vec_free(&path);
    vec_free(&open);
    free(index);
    free(low);
    free(next);
}

void scc_free(struct scc *s)
{
    free(s->component);
    free(s->order);
}
