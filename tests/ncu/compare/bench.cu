// SPDX-License-Identifier: Apache-2.0
// Every row of the bench once, at sizes that a profiler is done with soon, on whatever device the runtime finds: the program that ncu of
// two makers looks at (compare.sh). Rows of many launches come last.
#include "bench.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static unsigned state = 12345;

static unsigned random_bits()
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static void check(cudaError_t e)
{
    if (e != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(e));
        exit(1);
    }
}

// The device's copy of memory from malloc, which goes.
template <class T> static float *uploaded(T *p, size_t n)
{
    void *d;
    check(cudaMalloc(&d, n * sizeof(T)));
    check(cudaMemcpy(d, p, n * sizeof(T), cudaMemcpyHostToDevice));
    free(p);
    return (float *)d;
}

template <class T> static T *room(size_t n)
{
    return (T *)calloc(n, sizeof(T));
}

static float *random_floats(long n, float lo, float hi)
{
    float *p = room<float>(n);
    for (long i = 0; i < n; i++)
        p[i] = lo + (hi - lo) * (float)random_bits() / 16777216.0f;
    return p;
}

static float *numbers(long n, float lo, float hi)
{
    return uploaded(random_floats(n, lo, hi), n);
}

static float *integers(long n, unsigned mask)
{
    unsigned *p = room<unsigned>(n);
    for (long i = 0; i < n; i++)
        p[i] = (random_bits() ^ random_bits() << 8) & mask;
    return uploaded(p, n);
}

static float *lists(int n, int least, int spread, int near)
{
    size_t size = (size_t)n + 1 + (size_t)n * (least + spread);
    int *p = room<int>(size), *member = p + n + 1, count = 0;
    for (int i = 0; i < n; i++) {
        p[i] = count;
        int length = least + (int)(random_bits() % (unsigned)(spread + 1));
        for (int k = 0; k < length; k++)
            member[count++] = (int)((near ? i + random_bits() % (unsigned)near : random_bits()) % (unsigned)n);
    }
    p[n] = count;
    return uploaded(p, size);
}

static float *half_numbers(long n)
{
    unsigned *p = room<unsigned>(n / 2);
    for (long i = 0; i < n / 2; i++)
        p[i] = 0x3c003c00u | ((random_bits() ^ random_bits() << 16) & 0x03ff03ffu);
    return uploaded(p, n / 2);
}

static float *matrix_dominant(int n)
{
    float *p = random_floats((long)n * n, 0, 1);
    for (int i = 0; i < n; i++)
        p[(long)i * n + i] += (float)n;
    return uploaded(p, (size_t)n * n);
}

static float *unit_roots(int n)
{
    float *p = room<float>(2 * n);
    for (int i = 0; i < n; i++) {
        p[2 * i] = (float)cos(-2 * 3.14159265358979323846 * i / n);
        p[2 * i + 1] = (float)sin(-2 * 3.14159265358979323846 * i / n);
    }
    return uploaded(p, 2 * n);
}

static float *needle_table(int n, int gap)
{
    int *p = room<int>((n + 1) * (n + 1));
    for (int i = 0; i <= n; i++)
        p[i] = p[i * (n + 1)] = -gap * i;
    return uploaded(p, (n + 1) * (n + 1));
}

static float *band(int count, int n)
{
    int *p = room<int>(count);
    for (int i = 0; i < count; i++)
        p[i] = (i + i / n * (i % 8 ? 3 : 977)) % n;
    return uploaded(p, count);
}

// The sizes of kernels.def, made smaller.
#define S(size) ((size) <= 128 ? (size) / 2 : (size) <= 4096 ? (size) / 8 : (size) / 32)

int main()
{
    float *in = numbers(1 << 21, 0, 1), *in2 = numbers(1 << 20, 0, 1), *out = numbers(1 << 21, 0, 1);
    float *price = numbers(1 << 16, 5, 30), *strike = numbers(1 << 16, 1, 100), *years = numbers(1 << 16, 0.25f, 10);
    float *put = numbers(1 << 16, 0, 1), *square = numbers(1 << 20, 0, 1), *field = numbers(1 << 18, 0, 1);
    float *cube = numbers(1 << 18, 0, 1), *columns = band(1 << 16, S(1 << 16)), *dominant = matrix_dominant(S(512));
    float *sparse = lists(S(1 << 15), 4, 56, 4096), *graph = lists(S(1 << 16), 2, 12, 0), *roots = unit_roots(1024);
    float *keys = integers(1 << 18, 0xffffffff), *match = integers(1 << 20, 15), *table = needle_table(S(1024), 3);
    float *halves = half_numbers(1 << 19);
    struct {
        const char *name;
        bench_fn *run;
        struct problem p;
    } rows[] = {
#define ROW(kernel, title, hand, outputs, kind, tolerance, linear, ...) {#kernel, kernel##_cuda, {__VA_ARGS__}},
#include "kernels.def"
    };
    for (int late = 0; late < 2; late++)
        for (auto &row : rows) {
            bool many = !strcmp(row.name, "lu") || !strcmp(row.name, "radix") || !strcmp(row.name, "needle") ||
                        !strcmp(row.name, "bfs");
            if (many != (late == 1))
                continue;
            row.run(&row.p);
            check(cudaDeviceSynchronize());
        }
    return 0;
}
