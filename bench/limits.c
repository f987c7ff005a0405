// SPDX-License-Identifier: Apache-2.0
// What the machine can do: memory (STREAM's triad), multiply-adds, and a product of matrices by OpenBLAS where that is
// installed.
#include "bench.h"
#include <dlfcn.h>
#include <omp.h>

double limit_triad(int rounds)
{
    long n = 16 << 20;
    static float *a, *b, *c;
    if (!a) {
        a = bench_alloc((unsigned long)n);
        b = bench_alloc((unsigned long)n);
        c = bench_alloc((unsigned long)n);
#pragma omp parallel for
        for (long i = 0; i < n; i++)
            a[i] = b[i] = c[i] = 1;
    }
    double best = 1e9;
    for (int r = 0; r < rounds; r++) {
        double t = bench_now();
#pragma omp parallel for simd
        for (long i = 0; i < n; i++)
            a[i] = b[i] + 3.0f * c[i];
        t = bench_now() - t;
        best = t < best ? t : best;
    }
    return 3.0 * sizeof(float) * (double)n / best;
}

#if defined(__aarch64__)
#define VECTOR_IN_REGISTER(v) "+w"(v)
typedef float wide __attribute__((vector_size(16)));
#elif defined(__AVX512F__)
#define VECTOR_IN_REGISTER(v) "+v"(v)
typedef float wide __attribute__((vector_size(64)));
#else
#define VECTOR_IN_REGISTER(v) "+x"(v)
typedef float wide __attribute__((vector_size(32)));
#endif

// Twelve chains hide the latency; named one by one, since an array of them would live in memory.
#define CHAINS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)

double limit_fma(int rounds)
{
    double best = 1e9;
    enum { CHAIN_COUNT = 12, TIMES = 100000 };
    static float sink[1024];
    for (int r = 0; r < rounds; r++) {
        double t = bench_now();
#pragma omp parallel
        {
            wide x = {0}, y = {0}, sum = {0};
            x += 0.999f;
            y += 0.001f;
#define START(i) wide v##i = x * (float)i;
            CHAINS(START)
            for (int k = 0; k < TIMES; k++) {
#define STEP(i)                                                                                                        \
    v##i = v##i * x + y;                                                                                               \
    __asm__ volatile("" : VECTOR_IN_REGISTER(v##i));
                CHAINS(STEP)
            }
#define ADD(i) sum += v##i;
            CHAINS(ADD)
            sink[omp_get_thread_num() % 1024] = sum[0];
        }
        t = bench_now() - t;
        best = t < best ? t : best;
    }
    return 2.0 * (sizeof(wide) / sizeof(float)) * CHAIN_COUNT * TIMES * omp_get_max_threads() / best;
}

typedef void sgemm_fn(int order, int ta, int tb, int m, int n, int k, float alpha, const float *a, int lda,
                      const float *b, int ldb, float beta, float *c, int ldc);

double blas_once(const struct problem *p)
{
    static sgemm_fn *sgemm;
    static int tried;
    if (!tried) {
        tried = 1;
        void *lib = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
        sgemm = lib ? (sgemm_fn *)dlsym(lib, "cblas_sgemm") : NULL;
        void (*threads)(int) = lib ? (void (*)(int))dlsym(lib, "openblas_set_num_threads") : NULL;
        if (threads)
            threads(omp_get_max_threads());
    }
    if (!sgemm)
        return 0;
    enum { ROWS = 101, PLAIN = 111 };
    int n = p->n;
    sgemm(ROWS, PLAIN, PLAIN, n, n, n, 1, p->a, n, p->b, n, 0, p->out, n);
    double t = bench_now();
    sgemm(ROWS, PLAIN, PLAIN, n, n, n, 1, p->a, n, p->b, n, 0, p->out, n);
    return bench_now() - t;
}
