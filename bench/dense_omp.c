// SPDX-License-Identifier: Apache-2.0
// The work of dense.cu as plain C loops with OpenMP, as a C programmer would write them first.
#include "bench.h"
#include <string.h>

void saxpy_omp(const struct problem *p)
{
    const float *restrict x = p->a;
    float *restrict y = p->out, a = p->f0;
#pragma omp parallel for simd
    for (int i = 0; i < p->n; i++)
        y[i] = a * x[i] + y[i];
}

void matmul_omp(const struct problem *p)
{
    int n = p->n;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float *restrict c = p->out + (long)i * n;
        memset(c, 0, sizeof(float) * (size_t)n);
        for (int k = 0; k < n; k++) {
            float a = p->a[(long)i * n + k];
            const float *restrict b = p->b + (long)k * n;
            for (int j = 0; j < n; j++)
                c[j] += a * b[j];
        }
    }
}

void sgemm_omp(const struct problem *p)
{
    matmul_omp(p);
}

void transpose_omp(const struct problem *p)
{
    int n = p->n;
#pragma omp parallel for collapse(2)
    for (int by = 0; by < n; by += 32)
        for (int bx = 0; bx < n; bx += 32)
            for (int y = by; y < by + 32; y++)
                for (int x = bx; x < bx + 32; x++)
                    p->out[(long)x * n + y] = p->a[(long)y * n + x];
}

void lu_omp(const struct problem *p)
{
    int n = p->n;
    float *a = p->out;
    memcpy(a, p->a, sizeof(float) * (size_t)n * (size_t)n);
#pragma omp parallel
    for (int k = 0; k < n - 1; k++) {
        const float *restrict top = a + (long)k * n;
#pragma omp for
        for (int i = k + 1; i < n; i++) {
            float *restrict row = a + (long)i * n;
            float x = row[k] /= top[k];
            for (int j = k + 1; j < n; j++)
                row[j] -= x * top[j];
        }
    }
}
