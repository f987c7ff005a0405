// SPDX-License-Identifier: Apache-2.0
// Matrices in the orders of cublasLtOrder_t, as columns that are read and written. A matrix by rows is the transpose of one by columns, so
// that only columns and the three orders of tiles are told apart.
#ifndef HEDDLE_CUBLASLT_MATRIX_H
#define HEDDLE_CUBLASLT_MATRIX_H
#include "cublaslt/element.h"
#include <cublasLt.h>

struct lt_matrix {
    void *at;              // the first matrix, or an array of pointers to all
    int64_t rows, columns; // of op(X)
    int64_t ld, stride;    // stride: elements to the next matrix
    enum lt_type type;
    cublasLtOrder_t order;       // not ROW
    bool pointers;               // what `at` is
    bool transposed, conjugated; // what op and the order make of what is stored
};

static inline bool matrix_is_plain(const struct lt_matrix *x)
{
    return x->order == CUBLASLT_ORDER_COL;
}
// The least leading dimension of a matrix with so many rows and columns as they are stored.
int64_t matrix_least_ld(cublasLtOrder_t order, int64_t rows, int64_t columns);
// Where matrix number `index` is.
char *matrix_base(const struct lt_matrix *x, int64_t index);
// Elements (i ... i + n - 1, j) of op(X) without conjugation, as numbers; `raw` has room for n elements.
void matrix_load(const struct lt_matrix *x, const char *base, int64_t i, int64_t j, int64_t n, enum lt_kind kind,
                 void *to, void *raw);
void matrix_store(const struct lt_matrix *x, char *base, int64_t i, int64_t j, int64_t n, enum lt_kind kind,
                  const void *from, void *raw);
// Elements (i ... i + n - 1, j) of what is stored, before op.
void matrix_copy(const struct lt_matrix *x, const char *base, int64_t i, int64_t j, int64_t n, void *to);
#endif
