// SPDX-License-Identifier: Apache-2.0
// The work of sparse.cu as plain C loops with OpenMP.
#include "bench.h"
#include <math.h>
#include <string.h>

void spmv_omp(const struct problem *p)
{
    const int *column = (const int *)p->b;
    int n = p->n;
#pragma omp parallel for simd
    for (int row = 0; row < n; row++) {
        float sum = 0;
        for (int k = 0; k < p->m; k++)
            sum += p->a[row + (long)k * n] * p->c[column[row + (long)k * n]];
        p->out[row] = sum;
    }
}

void csr_omp(const struct problem *p)
{
    const int *first = (const int *)p->b, *column = first + p->n + 1;
#pragma omp parallel for
    for (int row = 0; row < p->n; row++) {
        float sum = 0;
        for (int k = first[row]; k < first[row + 1]; k++)
            sum += p->a[k] * p->c[column[k]];
        p->out[row] = sum;
    }
}

void bfs_omp(const struct problem *p)
{
    const int *first = (const int *)p->b, *edge = first + p->n + 1;
    int *level = (int *)p->out, again = 1;
    memset(level, 0xff, sizeof(int) * (size_t)p->n);
    level[0] = 0;
    for (int now = 0; again; now++) {
        again = 0;
#pragma omp parallel for reduction(| : again)
        for (int v = 0; v < p->n; v++)
            if (level[v] == now)
                for (int k = first[v]; k < first[v + 1]; k++)
                    if (level[edge[k]] < 0) {
                        level[edge[k]] = now + 1;
                        again = 1;
                    }
    }
}

void kmeans_omp(const struct problem *p)
{
    int n = p->n, *label = (int *)(p->out2 + 80);
    const float *x = p->a, *y = x + n, *z = y + n, *w = z + n, *c = p->b;
    float sum[80] = {0};
#pragma omp parallel for simd
    for (int i = 0; i < n; i++) {
        float least = 1e30f;
        int best = 0;
        for (int k = 0; k < 16; k++) {
            float dx = x[i] - c[k * 4], dy = y[i] - c[k * 4 + 1], dz = z[i] - c[k * 4 + 2], dw = w[i] - c[k * 4 + 3];
            float d = dx * dx + dy * dy + dz * dz + dw * dw;
            best = d < least ? k : best;
            least = d < least ? d : least;
        }
        label[i] = best;
    }
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        float *s = sum + label[i] * 5;
        s[0] += x[i];
        s[1] += y[i];
        s[2] += z[i];
        s[3] += w[i];
        s[4] += 1;
    }
    for (int t = 0; t < 64; t++)
        p->out[t] = sum[t / 4 * 5 + t % 4] / fmaxf(sum[t / 4 * 5 + 4], 1);
}
