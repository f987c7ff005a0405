// Runs the three forms of each kernel in turn, many rounds, and prints the least time of each: one interleaved run, so that
// the noise of the machine falls on all alike. Results are compared before anything is timed.
#include "bench.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct row {
    const char *name;
    bench_fn *cuda, *omp, *simd; // simd: may be NULL
    struct problem p;
    long outputs;
    int integers;     // counts of iterations, where rounding moves a few at the edge
    double tolerance; // relative difference; of integers: the share that may differ
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static float *numbers(long n, float lo, float hi)
{
    float *p = bench_alloc((unsigned long)n);
    unsigned s = 12345;
    for (long i = 0; i < n; i++) {
        s = s * 1664525u + 1013904223u;
        p[i] = lo + (hi - lo) * (float)(s >> 8) / 16777216.0f;
    }
    return p;
}

// One call first that does not count: each form then has its threads awake, and no other's are spinning.
static double once(bench_fn *f, const struct problem *p, int cuda, int times)
{
    if (cuda)
        bench_quiet();
    f(p);
    if (cuda)
        bench_sync();
    double t = now();
    for (int i = 0; i < times; i++)
        f(p);
    if (cuda)
        bench_sync();
    return (now() - t) / times;
}

static double difference(const struct row *r, const float *a, const float *b)
{
    double worst = 0;
    long unequal = 0;
    for (long i = 0; i < r->outputs; i++) {
        unequal += ((const int *)a)[i] != ((const int *)b)[i];
        double e = r->integers ? 0 : fabs((double)a[i] - b[i]) / (fabs((double)b[i]) + 1e-2);
        worst = e > worst || isnan(e) ? e : worst;
    }
    return r->integers ? (double)unequal / (double)r->outputs : worst;
}

static int verify(struct row *r)
{
    size_t bytes = sizeof(float) * (size_t)r->outputs;
    float *start = malloc(bytes), *ref = malloc(bytes);
    memcpy(start, r->p.out, bytes);
    r->omp(&r->p);
    memcpy(ref, r->p.out, bytes);
    int bad = 0;
    for (int k = 0; k < (r->simd ? 2 : 1); k++) {
        memcpy(r->p.out, start, bytes);
        (k ? r->simd : r->cuda)(&r->p);
        bench_sync();
        double e = difference(r, r->p.out, ref);
        if (!(e <= r->tolerance)) {
            printf("%s: %s is wrong (difference %.2g)\n", r->name, k ? "simd" : "ours", e);
            bad = 1;
        }
    }
    memcpy(r->p.out, start, bytes);
    free(start);
    free(ref);
    return bad;
}

static void measure(struct row *r, int rounds)
{
    bench_fn *f[3] = {r->cuda, r->omp, r->simd};
    double best[3] = {1e9, 1e9, 1e9};
    double first = once(r->simd ? r->simd : r->omp, &r->p, 0, 1);
    int times = first < 1e-3 ? (int)(1e-3 / first) + 1 : 1;
    for (int i = 0; i < rounds; i++)
        for (int k = 0; k < (r->simd ? 3 : 2); k++) {
            double t = once(f[k], &r->p, k == 0, times);
            best[k] = t < best[k] ? t : best[k];
        }
    if (r->simd)
        printf("%-14s %10.1f %10.1f %10.1f %9.2f %9.2f\n", r->name, best[0] * 1e6, best[1] * 1e6, best[2] * 1e6,
               best[0] / best[2], best[1] / best[0]);
    else
        printf("%-14s %10.1f %10.1f %10s %9s %9.2f\n", r->name, best[0] * 1e6, best[1] * 1e6, "", "", best[1] / best[0]);
    fflush(stdout);
}

static void measure_launch(void)
{
    struct problem p = {0};
    bench_quiet();
    empty_cuda(&p);
    bench_sync();
    double launch = 1e9, finish = 1e9;
    for (int r = 0; r < 50; r++) {
        double t = now();
        for (int i = 0; i < 100; i++)
            empty_cuda(&p);
        t = (now() - t) / 100;
        launch = t < launch ? t : launch;
        bench_sync();
        double s = 0;
        for (int i = 0; i < 20; i++) {
            t = now();
            empty_cuda(&p);
            bench_sync();
            s = now() - t;
            finish = s < finish ? s : finish;
        }
    }
    printf("launch of an empty kernel: %.0f ns; launch to finish: %.0f ns\n", launch * 1e9, finish * 1e9);
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : NULL;
    int rounds = argc > 2 ? atoi(argv[2]) : 30, bad = 0;
    if (only && !strcmp(only, "empty")) { // start-up: one launch and out
        struct problem p = {0};
        empty_cuda(&p);
        bench_sync();
        return 0;
    }
    long cached = 64 << 10, large = 16 << 20;
    float *in = numbers(large, 0, 1), *in2 = numbers(1 << 20, 0, 1), *out = numbers(large, 0, 1);
    float *price = numbers(1 << 20, 5, 30), *strike = numbers(1 << 20, 1, 100), *years = numbers(1 << 20, 0.25f, 10);
    float *put = numbers(1 << 20, 0, 1), *square = numbers(1 << 20, 0, 1), *field = numbers(1 << 22, 0, 1);
    float *cube = numbers(1 << 21, 0, 1), *columns = bench_alloc(1 << 20);
    for (int i = 0; i < 1 << 20; i++) // a band with some far away
        ((int *)columns)[i] = (i + (i >> 16) * (i % 8 ? 3 : 977)) & 65535;
#define FORMS(k) k##_cuda, k##_omp, k##_simd
#define TWO(k)   k##_cuda, k##_omp, NULL
    struct row rows[] = {
        {"saxpy cache", FORMS(saxpy), {.a = in, .out = out, .n = (int)cached, .f0 = 1.0001f}, cached, 0, 1e-5},
        {"saxpy DRAM", FORMS(saxpy), {.a = in, .out = out, .n = (int)large, .f0 = 1.0001f}, large, 0, 1e-5},
        {"matmul 1024", FORMS(matmul), {.a = in, .b = in2, .out = square, .n = 1024}, 1 << 20, 0, 1e-4},
        {"reduction", FORMS(reduce), {.a = in, .out = square, .n = 1 << 20}, (1 << 20) / 256, 0, 1e-4},
        {"n-body", FORMS(nbody), {.a = in, .out = out, .n = 4096, .f0 = 0.01f}, 3 * 4096, 0, 2e-3},
        {"mandelbrot", FORMS(mandelbrot), {.out = square, .n = 512, .m = 256, .f0 = 2.5f / 512, .f1 = 2.5f / 512},
         512 * 512, 1, 0.02},
        {"stencil", FORMS(stencil), {.a = field, .out = out, .n = 2048, .m = 2048, .f0 = 0.5f, .f1 = 0.125f}, 1 << 22, 0,
         1e-4},
        {"Black-Scholes", FORMS(blackscholes), {.a = price, .b = strike, .c = years, .out = square, .out2 = put,
         .n = 1 << 20, .f0 = 0.02f, .f1 = 0.3f}, 1 << 20, 0, 2e-3},
        {"shuffle", FORMS(shuffle), {.a = in, .out = square, .n = 1 << 20}, (1 << 20) / 256, 0, 1e-4},
        {"transpose", TWO(transpose), {.a = in, .out = out, .n = 2048}, 1 << 22, 0, 0},
        {"scan", TWO(scan), {.a = in, .out = square, .n = 1 << 20}, 1 << 20, 0, 1e-4},
        {"histogram", TWO(histogram), {.a = in, .out = square, .n = 1 << 20}, 256, 1, 0},
        {"SpMV", TWO(spmv), {.a = in, .b = columns, .c = in2, .out = square, .n = 1 << 16, .m = 16}, 1 << 16, 0, 1e-4},
        {"convolution", TWO(convolve), {.a = field, .b = in2, .out = out, .n = 1024, .m = 1024}, 1 << 20, 0, 1e-4},
        {"stencil 3D", TWO(stencil3d), {.a = cube, .out = out, .n = 128, .f0 = 0.5f, .f1 = 0.1f}, 1 << 21, 0, 1e-4},
        {"softmax", TWO(softmax), {.a = in, .out = square, .n = 1 << 20}, 1 << 20, 0, 1e-4},
        {"sort by 512", TWO(sort), {.a = in, .out = square, .n = 1 << 20}, 1 << 20, 0, 0},
    };
    printf("%-14s %10s %10s %10s %9s %9s\n", "microseconds", "ours", "OpenMP", "by hand", "ours/hand", "omp/ours");
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (only && strcmp(only, "all") && !strstr(rows[i].name, only))
            continue;
        bad |= verify(&rows[i]);
        measure(&rows[i], rounds);
    }
    measure_launch();
    return bad;
}
