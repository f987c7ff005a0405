// SPDX-License-Identifier: Apache-2.0
// A directed graph of files. An edge has a label for each reason that it is there: a symbol, or nothing for an include.
#ifndef HEDDLE_HOUSE_GRAPH_H
#define HEDDLE_HOUSE_GRAPH_H
#include "base/map.h"
#include "base/vec.h"

struct edge {
    size_t to;
    struct texts labels;
    size_t weight; // how many labels, at least 1
};
struct edges VEC(struct edge);
struct node {
    const char *name;
    struct edges edges;
    size_t circle; // which strongly connected component it is in
};
struct nodes VEC(struct node);
struct graph {
    struct nodes nodes;
    struct map by_name;
};
struct members VEC(size_t);
// Strongly connected components of more than one file, or of a file with an edge to itself.
struct circles VEC(struct members);

size_t graph_node(struct graph *g, const char *name); // the name is copied
bool graph_find(const struct graph *g, const char *name, size_t *node);
void graph_edge(struct graph *g, size_t from, size_t to, const char *label); // label: kept by the caller, or NULL
size_t graph_edge_count(const struct graph *g);
void graph_circles(struct graph *g, struct circles *out);
// Puts the members into an order in which few edges, by weight, point back, and gives these: without them there is no circle.
struct back_edge {
    size_t from;
    const struct edge *edge;
};
struct back_edges VEC(struct back_edge);
void graph_order(const struct graph *g, struct members *circle, struct back_edges *back);
#endif
