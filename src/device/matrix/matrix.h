// SPDX-License-Identifier: Apache-2.0
// Products of small matrices; private to matrix.c and the files that compile multiply.h for one processor each.
#ifndef HEDDLE_DEVICE_MATRIX_MATRIX_H
#define HEDDLE_DEVICE_MATRIX_MATRIX_H
#include "jit/abi/matrix.h"
#include <stdbool.h>

// A, B and C lie behind one another in `in`, as jit/abi/matrix.h has them; D goes to `out`.
typedef void matrix_multiply_fn(const struct matrix_op *o, const uint32_t *in, uint32_t *out);

matrix_multiply_fn matrix_multiply_plain; // whatever the build is for
#ifdef __x86_64__
matrix_multiply_fn matrix_multiply_avx2;    // with FMA and F16C
matrix_multiply_fn matrix_multiply_avxvnni; // and AVX-VNNI
matrix_multiply_fn matrix_multiply_avx512;  // F, BW, VL, DQ
matrix_multiply_fn matrix_multiply_vnni;    // and VNNI
bool matrix_has_avxvnni(void);
#endif
#ifdef __aarch64__
matrix_multiply_fn matrix_multiply_dotprod; // with dot products of bytes of one sign
matrix_multiply_fn matrix_multiply_i8mm;    // of any signs, and multiply-adds of halves to floats
#endif
#endif
