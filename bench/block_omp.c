// SPDX-License-Identifier: Apache-2.0
// The work of block.cu as plain C loops with OpenMP.
#include "bench.h"
#include <math.h>
#include <string.h>

void reduce_omp(const struct problem *p) // one sum for each 256 values, as the CUDA form gives
{
#pragma omp parallel for
    for (int b = 0; b < p->n / 256; b++) {
        float s = 0;
#pragma omp simd reduction(+ : s)
        for (int i = 0; i < 256; i++)
            s += p->a[b * 256 + i];
        p->out[b] = s;
    }
}

void shuffle_omp(const struct problem *p)
{
    reduce_omp(p);
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

void layernorm_omp(const struct problem *p)
{
#pragma omp parallel for
    for (int r = 0; r < p->n / 1024; r++) {
        const float *restrict row = p->a + r * 1024, *restrict gamma = p->b, *restrict beta = p->b + 1024;
        float *restrict out = p->out + r * 1024, sum = 0, squares = 0;
        for (int i = 0; i < 1024; i++)
            sum += row[i];
        float mean = sum / 1024;
        for (int i = 0; i < 1024; i++)
            squares += (row[i] - mean) * (row[i] - mean);
        float scale = 1 / sqrtf(squares / 1024 + 1e-5f);
        for (int i = 0; i < 1024; i++)
            out[i] = (row[i] - mean) * scale * gamma[i] + beta[i];
    }
}

void attention_omp(const struct problem *p)
{
    int n = p->n;
#pragma omp parallel for collapse(2)
    for (int h = 0; h < p->m; h++)
        for (int i = 0; i < n; i++) {
            const float *q = p->a + ((long)h * n + i) * 32, *k = p->b + (long)h * n * 32, *v = p->c + (long)h * n * 32;
            float score[1024], sum[32] = {0}, top = -1e30f, total = 0;
            for (int j = 0; j < n; j++) {
                float s = 0;
                for (int d = 0; d < 32; d++)
                    s += q[d] * k[j * 32 + d];
                score[j] = s * 0.1767767f;
                top = fmaxf(top, score[j]);
            }
            for (int j = 0; j < n; j++)
                total += score[j] = expf(score[j] - top);
            for (int j = 0; j < n; j++)
                for (int d = 0; d < 32; d++)
                    sum[d] += score[j] * v[j * 32 + d];
            for (int d = 0; d < 32; d++)
                p->out[((long)h * n + i) * 32 + d] = sum[d] / total;
        }
}
