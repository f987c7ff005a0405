// SPDX-License-Identifier: Apache-2.0
// The rows of kernels.def and the arrays that they work on.
#include "bench.h"
#include <math.h>
#include <stdlib.h>

int bench_prime, bench_part = 1;

// A size of kernels.def. With --scale P it has the prime P for a factor and is less than the power of two that it was, so that the arrays
// have room. From 512 on it stays a multiple of 64, which kernels without a guard count on. With --part N it is the N-th part.
static int scaled(int size)
{
    int whole = 1;
    while (whole < bench_prime)
        whole *= 2;
    return (bench_prime ? size / whole * bench_prime : size) / bench_part;
}
#define S(size) scaled(size)

static unsigned state = 12345;

static unsigned random_bits(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static float *numbers(long n, float lo, float hi)
{
    float *p = bench_alloc((unsigned long)n);
    for (long i = 0; i < n; i++)
        p[i] = lo + (hi - lo) * (float)random_bits() / 16777216.0f;
    return p;
}

static float *integers(long n, unsigned mask)
{
    unsigned *p = (unsigned *)bench_alloc((unsigned long)n);
    for (long i = 0; i < n; i++)
        p[i] = (random_bits() ^ random_bits() << 8) & mask;
    return (float *)p;
}

// n+1 places where lists begin, then the lists: of 'least' to 'least + spread' members, near their own or anywhere.
static float *lists(int n, int least, int spread, int near)
{
    int *p = (int *)bench_alloc((unsigned long)n + 1 + (unsigned long)n * (unsigned long)(least + spread));
    int *member = p + n + 1, count = 0;
    for (int i = 0; i < n; i++) {
        p[i] = count;
        int length = least + (int)(random_bits() % (unsigned)(spread + 1));
        for (int k = 0; k < length; k++)
            member[count++] =
                (int)((near ? (unsigned)i + random_bits() % (unsigned)near : random_bits()) % (unsigned)n);
    }
    p[n] = count;
    return (float *)p;
}

// n numbers of 16 bits from 1 to 2, two in a float.
static float *half_numbers(long n)
{
    unsigned *p = (unsigned *)bench_alloc((unsigned long)n / 2);
    for (long i = 0; i < n / 2; i++)
        p[i] = 0x3c003c00u | ((random_bits() ^ random_bits() << 16) & 0x03ff03ffu);
    return (float *)p;
}

static float *matrix_dominant(int n)
{
    float *p = numbers((long)n * n, 0, 1);
    for (int i = 0; i < n; i++)
        p[(long)i * n + i] += (float)n;
    return p;
}

static float *unit_roots(int n)
{
    float *p = bench_alloc(2 * (unsigned long)n);
    for (int i = 0; i < n; i++) {
        p[2 * i] = (float)cos(-2 * 3.14159265358979323846 * i / n);
        p[2 * i + 1] = (float)sin(-2 * 3.14159265358979323846 * i / n);
    }
    return p;
}

static float *needle_table(int n, int gap)
{
    int *p = (int *)bench_alloc((unsigned long)(n + 1) * (unsigned long)(n + 1));
    for (int i = 0; i <= n; i++)
        p[i] = p[i * (n + 1)] = -gap * i;
    return (float *)p;
}

struct row *bench_rows(int *count, int all_forms)
{
    float *in = numbers(16 << 20, 0, 1), *in2 = numbers(1 << 20, 0, 1), *out = numbers(16 << 20, 0, 1);
    float *price = numbers(1 << 20, 5, 30), *strike = numbers(1 << 20, 1, 100), *years = numbers(1 << 20, 0.25f, 10);
    float *put = numbers(1 << 20, 0, 1), *square = numbers(1 << 20, 0, 1), *field = numbers(1 << 22, 0, 1);
    float *cube = numbers(1 << 21, 0, 1), *columns = bench_alloc(1 << 20), *dominant = matrix_dominant(S(512));
    for (int i = 0, n = S(1 << 16); i < 1 << 20; i++) // a band with some far away
        ((int *)columns)[i] = (i + i / n * (i % 8 ? 3 : 977)) % n;
    float *sparse = lists(S(1 << 15), 4, 56, 4096), *graph = lists(S(1 << 16), 2, 12, 0), *roots = unit_roots(1024);
    float *keys = integers(1 << 18, 0xffffffff), *match = integers(1 << 20, 15), *table = needle_table(S(1024), 3);
    float *halves = half_numbers(1 << 19);
#define ROW(k, title, hand, count, what, difference, by_n, ...)                                                        \
    {.kernel = #k,                                                                                                     \
     .name = title,                                                                                                    \
     .run = {k##_cuda, k##_omp, hand},                                                                                 \
     .outputs = count,                                                                                                 \
     .kind = KIND_##what,                                                                                              \
     .tolerance = difference,                                                                                          \
     .linear = by_n,                                                                                                   \
     .p = {__VA_ARGS__}},
    struct row made[] = {
#include "kernels.def"
    };
#undef ROW
    *count = (int)(sizeof made / sizeof *made);
    struct row *rows = malloc(sizeof made);
    for (int i = 0; i < *count; i++) {
        rows[i] = made[i];
        if (all_forms)
            rows[i].run[FORM_OPENCL] = opencl_form(rows[i].kernel);
        else
            rows[i].run[FORM_HAND] = NULL;
    }
    return rows;
}
