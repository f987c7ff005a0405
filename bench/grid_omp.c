// SPDX-License-Identifier: Apache-2.0
// The work of grid.cu as plain C loops with OpenMP.
#include "bench.h"

void stencil_omp(const struct problem *p)
{
    int nx = p->n, ny = p->m;
#pragma omp parallel for
    for (int y = 1; y < ny - 1; y++) {
        const float *restrict q = p->a + (long)y * nx;
        float *restrict o = p->out + (long)y * nx;
#pragma omp simd
        for (int x = 1; x < nx - 1; x++)
            o[x] = p->f0 * q[x] + p->f1 * ((q[x - 1] + q[x + 1]) + (q[x - nx] + q[x + nx]));
    }
}

void stencil3d_omp(const struct problem *p)
{
    int n = p->n;
    long plane = (long)n * n;
#pragma omp parallel for collapse(2)
    for (int z = 1; z < n - 1; z++)
        for (int y = 1; y < n - 1; y++) {
            const float *restrict q = p->a + z * plane + (long)y * n;
            float *restrict o = p->out + z * plane + (long)y * n;
#pragma omp simd
            for (int x = 1; x < n - 1; x++)
                o[x] = p->f0 * q[x] + p->f1 * (q[x - 1] + q[x + 1] + q[x - n] + q[x + n] + q[x - plane] + q[x + plane]);
        }
}

static int clamp(int x, int n)
{
    return x < 0 ? 0 : x < n ? x : n - 1;
}

static void convolve_edge(const struct problem *p, int y, int x0, int x1)
{
    int n = p->n, m = p->m;
    for (int x = x0; x < x1; x++) {
        float sum = 0;
        for (int j = 0; j < 9; j++)
            for (int i = 0; i < 9; i++)
                sum += p->b[j * 9 + i] * p->a[(long)clamp(y + j - 4, m) * n + clamp(x + i - 4, n)];
        p->out[(long)y * n + x] = sum;
    }
}

void convolve_omp(const struct problem *p)
{
    int n = p->n, m = p->m;
#pragma omp parallel for
    for (int y = 0; y < m; y++) {
        if (y < 4 || y >= m - 4) {
            convolve_edge(p, y, 0, n);
            continue;
        }
        convolve_edge(p, y, 0, 4);
        float *restrict o = p->out + (long)y * n;
        const float *restrict q = p->a + (long)(y - 4) * n - 4, *restrict w = p->b;
#pragma omp simd
        for (int x = 4; x < n - 4; x++) {
            float sum = 0;
            for (int j = 0; j < 9; j++)
                for (int i = 0; i < 9; i++)
                    sum += w[j * 9 + i] * q[j * n + i + x];
            o[x] = sum;
        }
        convolve_edge(p, y, n - 4, n);
    }
}

void halo_omp(const struct problem *p)
{
    convolve_omp(p);
}
