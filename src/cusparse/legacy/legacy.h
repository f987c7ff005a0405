// SPDX-License-Identifier: Apache-2.0
// What the functions without generic descriptors share: matrices of blocks, infos, checks and results of the host. Indices are of 32 bits
// and, where a function does not sort them, ascend in each row.
#ifndef HEDDLE_CUSPARSE_LEGACY_LEGACY_H
#define HEDDLE_CUSPARSE_LEGACY_LEGACY_H
#include "cusparse/sparse.h"

// ---- a matrix of blocks, all of one size; CSR is one of 1 x 1
struct blocks {
    int rows, cols;    // in blocks
    int height, width; // of a block
    int base;
    bool by_columns; // the order within a block
    const int *offsets, *indices;
    void *values;
};
static inline int blocks_begin(const struct blocks *a, int row)
{
    return a->offsets[row] - a->base;
}
static inline int blocks_column(const struct blocks *a, int k)
{
    return a->indices[k] - a->base;
}
// The block of a row in a column; -1: there is none.
static inline int blocks_find(const struct blocks *a, int row, int column)
{
    for (int k = blocks_begin(a, row), end = blocks_begin(a, row + 1); k < end; k++)
        if (blocks_column(a, k) == column)
            return k;
    return -1;
}
// Where element (r, c) of block k is in the values.
static inline size_t blocks_at(const struct blocks *a, int k, int r, int c)
{
    size_t h = (size_t)a->height, w = (size_t)a->width;
    return (size_t)k * h * w + (a->by_columns ? (size_t)c * h + (size_t)r : (size_t)r * w + (size_t)c);
}

// ---- infos. A kernel writes into one when it runs: the memory of an object stays when it is destroyed.
enum legacy_kind {
    INFO_CSRIC02,
    INFO_BSRIC02,
    INFO_CSRILU02,
    INFO_BSRILU02,
    INFO_BSRSV2,
    INFO_BSRSM2,
    INFO_CSRU2CSR,
    INFO_COLOR,
    INFO_PRUNE,
};
struct legacy_info {
    struct sparse_object object;
    enum legacy_kind kind;
    int position, base; // of the first zero pivot; -1: there is none
    bool analysed;
    cusparseSolvePolicy_t policy; // of the analysis
    bool boost;                   // of pivots not above the tolerance
    struct scalar tol, value;     // double; of the matrix's type
    double threshold;             // of pruning by percentage
    struct legacy_order *order;   // csru2csr: where elements came from, the newest first
};
static inline struct legacy_info *legacy_info(const void *info, enum legacy_kind kind)
{
    struct legacy_info *i = (struct legacy_info *)(uintptr_t)info;
    return sparse_object_is(info, OBJECT_INFO) && i->kind == kind ? i : NULL;
}

// ---- checks
#define LEGACY_ENTER(h)                                                                                                \
    do {                                                                                                               \
        if (!sparse_object_is(h, OBJECT_CONTEXT))                                                                      \
            return CUSPARSE_STATUS_NOT_INITIALIZED;                                                                    \
    } while (0)
// A descriptor of a general matrix.
cusparseStatus_t legacy_general(cusparseMatDescr_t d);
static inline bool legacy_is_direction(cusparseDirection_t d)
{
    return (unsigned)d <= CUSPARSE_DIRECTION_COLUMN;
}
static inline bool legacy_is_policy(cusparseSolvePolicy_t p)
{
    return (unsigned)p <= CUSPARSE_SOLVE_POLICY_USE_LEVEL;
}
// Levels are there for work with them only if the analysis was to find them.
static inline bool legacy_is_analysed(const struct legacy_info *i, cusparseSolvePolicy_t p)
{
    return i->analysed && (p == CUSPARSE_SOLVE_POLICY_NO_LEVEL || i->policy == p);
}
// Memory of the program's, at a multiple of 128 bytes as its documentation asks.
static inline bool legacy_is_buffer(const void *buffer)
{
    return buffer && !((uintptr_t)buffer & 127);
}
// A square matrix of blocks: rows and elements in blocks. The descriptor is one of a general matrix.
cusparseStatus_t legacy_square(cusparseDirection_t dir, int rows, int nnz, cusparseMatDescr_t d, const void *values,
                               const int *offsets, const int *indices, int dim, struct blocks *a);

// The size of a buffer to one of both, an int or a size_t, whichever the function has.
cusparseStatus_t legacy_bytes(size_t need, int *bytes, size_t *bytes_ext);

// ---- sums of counts and results
// offsets[i + 1] is the count of line i and becomes where the next one begins; offsets[0] is the base. How many there are in all goes to
// *total (NULL: nowhere), with legacy_result's wait.
cusparseStatus_t legacy_add_up(cusparseHandle_t h, int lines, int base, int *offsets, int *total);
// The sum of counts alone.
cusparseStatus_t legacy_sum(cusparseHandle_t h, int lines, const int *counts, int *total);
// A kernel writes results where the program wants them, in memory of the host too: then this waits for it.
cusparseStatus_t legacy_result(cusparseHandle_t h, cusparseStatus_t launched);
#endif
