// SPDX-License-Identifier: Apache-2.0
// Strongly connected components of a graph: Tarjan's algorithm, with a stack of its own, since paths may be longer than the thread's
// stack is deep.
#ifndef HEDDLE_BASE_GRAPH_SCC_H
#define HEDDLE_BASE_GRAPH_SCC_H
#include <stdint.h>

struct scc {
    uint32_t *component; // by node: the number of its component; those that an edge leads to have lower numbers
    uint32_t *order;     // the nodes, component by component; within one, the first that was found comes last
};

// The successors of node v of n are edges[first[v]] ... edges[first[v + 1] - 1]; roots are tried from 0 on.
void scc_find(struct scc *s, uint32_t n, const uint32_t *first, const uint32_t *edges);
void scc_free(struct scc *s);
#endif
