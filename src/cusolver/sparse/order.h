// SPDX-License-Identifier: Apache-2.0
// Orders of the rows and columns of a sparse matrix that leave few new elements in its factors. Patterns are CSR, of A + A^T; p[i] is the row
// that comes at place i. False: there is no memory.
#ifndef HEDDLE_CUSOLVER_SPARSE_ORDER_H
#define HEDDLE_CUSOLVER_SPARSE_ORDER_H
#include <stdbool.h>

struct pattern {
    int n;
    const int *rows, *cols; // offsets and columns, which begin at `base`
    int base;
};
bool order_rcm(const struct pattern *a, int *p);     // reverse Cuthill and McKee: a narrow band
bool order_degree(const struct pattern *a, int *p);  // minimum degree
bool order_dissect(const struct pattern *a, int *p); // nested dissection by levels of breadth-first search
// Columns q so that the diagonal of A(:, q) has as many elements as can be; how many, or -1: no memory. present(i, k): whether element k of row i
// counts.
int order_match(const struct pattern *a, const bool *counts, int *q);
// By the number that cuSOLVER's `reorder` is: 0 none, 1 rcm, 2 degree, 3 dissection.
bool order_by(int reorder, const struct pattern *a, int *p);
#endif
