// SPDX-License-Identifier: Apache-2.0
// Level 3 but gemm: the argument block, for the functions (level3.c) and their kernels (kernel/level3.h).
#ifndef HEDDLE_CUBLAS_LEVEL3_H
#define HEDDLE_CUBLAS_LEVEL3_H
#include "cublas/compute/product.h"
#include "cublas/handle.h"

struct level3 {
    struct native_head head;
    int64_t m, n, k;
    const void *a, *b;
    void *c;
    int64_t lda, ldb, ldc;
    struct scalar alpha, beta;
    bool left, upper, transposed, conjugated, unit, hermitian;
    bool two;                        // of rank 2k: both products
    int64_t tile_m, tile_n, tiles_m; // of C; of triangular functions the width of a panel is tile_n
    int64_t panels;                  // of each matrix of an array; 0: there is only one matrix
};

// Triangles of C and blocks on the diagonal of A are cut at multiples of these.
enum { RANK_TILE = 192, TRIANGLE_BLOCK = 64 };
#endif
