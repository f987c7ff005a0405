// SPDX-License-Identifier: Apache-2.0
// Runs the hand-written blocks on all cores.
#include "bench.h"

#define DYNAMIC _Pragma("omp parallel for schedule(dynamic, 8)")
#define STATIC  _Pragma("omp parallel for")
#define PARALLEL(name, count, how)                                                                                     \
    void name##_simd(const struct problem *p)                                                                          \
    {                                                                                                                  \
        int blocks = (count);                                                                                          \
        how for (int b = 0; b < blocks; b++) name##_block(p, b);                                                       \
    }

PARALLEL(saxpy, (p->n + 255) / 256, STATIC)
PARALLEL(matmul, (p->n / 16) * (p->n / 16), STATIC)
PARALLEL(reduce, p->n / 256, STATIC)
PARALLEL(nbody, p->n / 256, STATIC)
PARALLEL(mandelbrot, (p->n / 16) * (p->n / 16), DYNAMIC)
PARALLEL(stencil, (p->n / 32) * (p->m / 8), STATIC)
PARALLEL(blackscholes, p->n / 256, STATIC)
PARALLEL(shuffle, p->n / 256, STATIC)
