// The work of more.cu as plain C loops with OpenMP.
#include "bench.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

void scan_omp(const struct problem *p)
{
#pragma omp parallel for
    for (int b = 0; b < p->n / 256; b++) {
        float s = 0;
        for (int i = b * 256; i < b * 256 + 256; i++)
            p->out[i] = s += p->a[i];
    }
}

void histogram_omp(const struct problem *p)
{
    int *out = (int *)p->out, bins[256] = {0};
#pragma omp parallel for reduction(+ : bins)
    for (int i = 0; i < p->n; i++)
        bins[(int)(p->a[i] * 256) & 255]++;
    memcpy(out, bins, sizeof bins);
}

void spmv_omp(const struct problem *p)
{
    const int *column = (const int *)p->b;
    int n = p->n;
#pragma omp parallel for
    for (int row = 0; row < n; row++) {
        float sum = 0;
        for (int k = 0; k < p->m; k++)
            sum += p->a[row + (long)k * n] * p->c[column[row + (long)k * n]];
        p->out[row] = sum;
    }
}

static int clamp(int x, int n)
{
    return x < 0 ? 0 : x < n ? x : n - 1;
}

void convolve_omp(const struct problem *p)
{
    int n = p->n, m = p->m;
#pragma omp parallel for
    for (int y = 0; y < m; y++)
        for (int x = 0; x < n; x++) {
            float sum = 0;
            for (int j = 0; j < 9; j++)
                for (int i = 0; i < 9; i++)
                    sum += p->b[j * 9 + i] * p->a[(long)clamp(y + j - 4, m) * n + clamp(x + i - 4, n)];
            p->out[(long)y * n + x] = sum;
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
                o[x] = p->f0 * q[x] +
                       p->f1 * (q[x - 1] + q[x + 1] + q[x - n] + q[x + n] + q[x - plane] + q[x + plane]);
        }
}

void softmax_omp(const struct problem *p)
{
#pragma omp parallel for
    for (int r = 0; r < p->n / 1024; r++) {
        const float *row = p->a + r * 1024;
        float *out = p->out + r * 1024, top = -1e30f, sum = 0;
        for (int i = 0; i < 1024; i++)
            top = fmaxf(top, row[i]);
        for (int i = 0; i < 1024; i++)
            sum += out[i] = expf(row[i] - top);
        for (int i = 0; i < 1024; i++)
            out[i] /= sum;
    }
}

static int compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

void sort_omp(const struct problem *p)
{
#pragma omp parallel for
    for (int b = 0; b < p->n / 512; b++) {
        memcpy(p->out + b * 512, p->a + b * 512, 512 * sizeof(float));
        qsort(p->out + b * 512, 512, sizeof(float), compare);
    }
}
