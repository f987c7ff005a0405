// SPDX-License-Identifier: Apache-2.0
// The work of tensor.cu as plain C loops with OpenMP: rows of A by columns of B, both of which lie along k.
#include "bench.h"

void bytes_omp(const struct problem *p)
{
    const signed char *a = (const signed char *)p->a, *b = (const signed char *)p->b;
    int n = p->n, *c = (int *)p->out;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[(long)i * n + k] * b[(long)j * n + k];
            c[(long)i * n + j] = sum;
        }
}

void halves_omp(const struct problem *p)
{
#if defined(__FLT16_MAX__)
    const _Float16 *a = (const _Float16 *)p->a, *b = (const _Float16 *)p->b;
    int n = p->n;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                sum += (float)a[(long)i * n + k] * (float)b[(long)j * n + k];
            p->out[(long)i * n + j] = sum;
        }
#else
    (void)p;
#endif
}
