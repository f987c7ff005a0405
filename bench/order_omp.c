// SPDX-License-Identifier: Apache-2.0
// The work of order.cu as plain C loops with OpenMP.
#include "bench.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

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

// By eight bits a pass, each thread its part of the keys.
void radix_omp(const struct problem *p)
{
    unsigned *spare = (unsigned *)p->out2, *out = (unsigned *)p->out;
    const unsigned *from = (const unsigned *)p->a;
    int n = p->n, threads = omp_get_max_threads();
    unsigned (*count)[256] = malloc(sizeof *count * (size_t)threads);
    for (int shift = 0; shift < 32; shift += 8) {
        unsigned *to = shift / 8 % 2 ? out : spare;
#pragma omp parallel num_threads(threads)
        {
            int me = omp_get_thread_num(), all = omp_get_num_threads();
            int lo = (int)((long)n * me / all), hi = (int)((long)n * (me + 1) / all);
            unsigned *mine = count[me];
            memset(mine, 0, sizeof *count);
            for (int i = lo; i < hi; i++)
                mine[from[i] >> shift & 255]++;
#pragma omp barrier
#pragma omp single
            {
                unsigned sum = 0;
                for (int d = 0; d < 256; d++)
                    for (int t = 0; t < all; t++) {
                        unsigned c = count[t][d];
                        count[t][d] = sum;
                        sum += c;
                    }
            }
            for (int i = lo; i < hi; i++)
                to[mine[from[i] >> shift & 255]++] = from[i];
        }
        from = to;
    }
    free(count);
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

void needle_omp(const struct problem *p)
{
    int n = p->n, gap = p->m, stride = n + 1, tiles = n / 16, *score = (int *)p->out;
    const int *match = (const int *)p->a;
    for (int d = 0; d < 2 * tiles - 1; d++) {
        int first = d < tiles ? 0 : d - tiles + 1, last = d < tiles ? d : tiles - 1;
#pragma omp parallel for
        for (int bx = first; bx <= last; bx++)
            for (int y = (d - bx) * 16; y < (d - bx) * 16 + 16; y++)
                for (int x = bx * 16; x < bx * 16 + 16; x++)
                    score[(y + 1) * stride + x + 1] =
                        larger(score[y * stride + x] + match[y * n + x],
                               larger(score[y * stride + x + 1], score[(y + 1) * stride + x]) - gap);
    }
}
