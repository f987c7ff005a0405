// SPDX-License-Identifier: Apache-2.0
// Level 2: the argument block, for the functions (level2.c) and their kernels (kernel/level2.h).
#ifndef HEDDLE_CUBLAS_LEVEL2_H
#define HEDDLE_CUBLAS_LEVEL2_H
#include "cublas/handle.h"

// How a matrix lies in memory. In each of them, what is stored of a column lies side by side: level 2 is written on that alone.
enum storage { STORED_FULL, STORED_BAND, STORED_PACKED };

struct level2 {
    struct native_head head;
    enum storage storage;
    int64_t m, n, kl, ku; // rows, columns; diagonals below and above the main one, of a band
    void *a;
    int64_t lda;
    const void *x;
    int64_t incx;
    void *y;
    int64_t incy;
    struct scalar alpha, beta;
    bool upper, unit, transposed, conjugated, hermitian;
    int64_t rows; // that a part has, or columns
    // arrays of matrices: pointers to them, or the same step from one to the next
    int64_t stride_a, stride_x, stride_y, parts; // parts: of each matrix
    bool pointers;
};
#endif
