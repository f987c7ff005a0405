// SPDX-License-Identifier: Apache-2.0
// heddle bench: a few seconds of measurements, beside those of machines that are known (bench.def). Each is the least time of many, and results are
// checked before they are timed. `./dev bench` of the sources has the whole table, against other implementations.
#include "heddle/bench.h"
#include "base/os.h"
#include "heddle/runtime.h"
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NUMBERS = 1 << 23, THREADS = 256, CHAINS = 8, ROUNDS = 256, FMA_BLOCKS = 512, TIMES = 20, SUM_BLOCKS = 256 };

#define HEAD                                                                                                           \
    ".version 6.0\n.target sm_50\n.address_size 64\n"                                                                  \
    ".visible .entry empty() { ret; }\n"
// The number of the thread in %r4.
#define THREAD "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\nmad.lo.u32 %r4, %r1, %r2, %r3;\n"
#define SAXPY                                                                                                          \
    ".visible .entry saxpy(.param .u64 x, .param .u64 y) {\n"                                                          \
    ".reg .b32 %r<5>;\n.reg .f32 %f<4>;\n.reg .b64 %d<6>;\n" THREAD                                                    \
    "ld.param.u64 %d1, [x];\nld.param.u64 %d2, [y];\nmul.wide.u32 %d3, %r4, 4;\n"                                      \
    "add.s64 %d4, %d1, %d3;\nadd.s64 %d5, %d2, %d3;\n"                                                                 \
    "ld.global.f32 %f1, [%d4];\nld.global.f32 %f2, [%d5];\n"                                                           \
    "fma.rn.f32 %f3, %f1, 0f3f000000, %f2;\nst.global.f32 [%d5], %f3;\nret;\n}\n"
#define FMA(n) "fma.rn.f32 %f" #n ", %f" #n ", %f9, %f10;\n"
#define FMAS                                                                                                           \
    ".visible .entry fmas(.param .u64 x) {\n"                                                                          \
    ".reg .pred %p;\n.reg .b32 %r<6>;\n.reg .f32 %f<11>;\n.reg .b64 %d<4>;\n" THREAD                                   \
    "cvt.rn.f32.u32 %f1, %r3;\nadd.f32 %f2, %f1, 0f3f800000;\nadd.f32 %f3, %f2, 0f3f800000;\n"                         \
    "add.f32 %f4, %f3, 0f3f800000;\nadd.f32 %f5, %f4, 0f3f800000;\nadd.f32 %f6, %f5, 0f3f800000;\n"                    \
    "add.f32 %f7, %f6, 0f3f800000;\nadd.f32 %f8, %f7, 0f3f800000;\n"                                                   \
    "mov.f32 %f9, 0f3f000000;\nmov.f32 %f10, 0f3f800000;\nmov.u32 %r5, 0;\n"                                           \
    "loop:\n" FMA(1) FMA(2) FMA(3) FMA(4) FMA(5) FMA(6) FMA(7)                                                         \
        FMA(8) "add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p, %r5, 256;\n@%p bra loop;\n"                                      \
               "add.f32 %f1, %f1, %f2;\nadd.f32 %f3, %f3, %f4;\nadd.f32 %f5, %f5, %f6;\nadd.f32 %f7, %f7, %f8;\n"      \
               "add.f32 %f1, %f1, %f3;\nadd.f32 %f5, %f5, %f7;\nadd.f32 %f1, %f1, %f5;\n"                              \
               "ld.param.u64 %d1, [x];\nmul.wide.u32 %d2, %r4, 4;\nadd.s64 %d3, %d1, %d2;\nst.global.f32 [%d3], "      \
               "%f1;\nret;\n}\n"
// A block adds up by a tree in shared memory what its threads have of the array.
#define SUM                                                                                                            \
    ".visible .entry sum(.param .u64 x, .param .u64 out) {\n"                                                          \
    ".reg .pred %p<3>;\n.reg .b32 %r<10>;\n.reg .b64 %d<6>;\n.shared .align 4 .b8 tile[1024];\n" THREAD                \
    "ld.param.u64 %d1, [x];\nmul.wide.u32 %d2, %r4, 4;\nadd.s64 %d3, %d1, %d2;\nmov.u32 %r5, 0;\nmov.u32 %r6, %r4;\n"  \
    "more:\nld.global.u32 %r7, [%d3];\nadd.u32 %r5, %r5, %r7;\nadd.s64 %d3, %d3, 262144;\nadd.u32 %r6, %r6, 65536;\n"  \
    "setp.lt.u32 %p1, %r6, 8388608;\n@%p1 bra more;\n"                                                                 \
    "shl.b32 %r6, %r3, 2;\nmov.u32 %r7, tile;\nadd.u32 %r6, %r6, %r7;\nst.shared.u32 [%r6], %r5;\nmov.u32 %r7, 128;\n" \
    "tree:\nbar.sync 0;\nsetp.ge.u32 %p1, %r3, %r7;\n@%p1 bra next;\n"                                                 \
    "shl.b32 %r8, %r7, 2;\nadd.u32 %r8, %r6, %r8;\nld.shared.u32 %r9, [%r8];\nld.shared.u32 %r5, [%r6];\n"             \
    "add.u32 %r5, %r5, %r9;\nst.shared.u32 [%r6], %r5;\n"                                                              \
    "next:\nshr.u32 %r7, %r7, 1;\nsetp.ne.u32 %p1, %r7, 0;\n@%p1 bra tree;\n"                                          \
    "setp.ne.u32 %p2, %r3, 0;\n@%p2 bra done;\nld.param.u64 %d4, [out];\nred.global.add.u32 [%d4], "                   \
    "%r5;\ndone:\nret;\n}\n"

static cudaLibrary_t library;
static float *x, *y;
static const char *failure;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
static bool ok(cudaError_t e)
{
    if (e && !failure)
        failure = rt.cudaGetErrorString(e);
    return !e;
}
static void launch(cudaKernel_t k, unsigned blocks, unsigned threads, void *a, void *b)
{
    void *arguments[] = {&a, &b};
    ok(rt.cudaLaunchKernel((void *)k, (dim3){blocks, 1, 1}, (dim3){threads, 1, 1}, arguments, 0, 0));
}
static cudaKernel_t kernel(const char *name)
{
    cudaKernel_t k = NULL;
    ok(rt.cudaLibraryGetKernel(&k, library, name));
    return k;
}
static double least(double a, double b)
{
    return a < b ? a : b;
}
// The least time from the launch to the end.
static double kernel_time(const char *name, unsigned blocks, unsigned threads, void *a, void *b)
{
    cudaKernel_t k = kernel(name);
    double best = 1e30;
    for (int i = 0; i < TIMES && !failure; i++) {
        double start = now();
        launch(k, blocks, threads, a, b);
        ok(rt.cudaDeviceSynchronize());
        best = least(best, now() - start);
    }
    return best;
}

static double measure_launch(void)
{
    cudaKernel_t k = kernel("empty");
    double best = 1e30;
    for (int i = 0; i < 500 && !failure; i++) {
        double start = now();
        launch(k, 1, 1, NULL, NULL);
        best = least(best, now() - start);
        ok(rt.cudaDeviceSynchronize());
    }
    return best * 1e9;
}
static double measure_finish(void)
{
    double best = 1e30;
    for (int i = 0; i < 25 && !failure; i++)
        best = least(best, kernel_time("empty", 1, 1, NULL, NULL));
    return best * 1e9;
}
static double measure_copy(void)
{
    double best = 1e30;
    for (int i = 0; i < TIMES && !failure; i++) {
        double start = now();
        ok(rt.cudaMemcpy(y, x, NUMBERS * sizeof *x, cudaMemcpyDeviceToDevice));
        ok(rt.cudaDeviceSynchronize());
        best = least(best, now() - start);
    }
    return 2.0 * NUMBERS * sizeof *x / best * 1e-9;
}
static double measure_saxpy(void)
{
    float got = 0, two = 2;
    ok(rt.cudaMemset(x, 0, NUMBERS * sizeof *x));
    ok(rt.cudaMemset(y, 0, NUMBERS * sizeof *y));
    ok(rt.cudaMemcpy(x + NUMBERS - 1, &two, sizeof two, cudaMemcpyHostToDevice));
    launch(kernel("saxpy"), NUMBERS / THREADS, THREADS, x, y);
    ok(rt.cudaMemcpy(&got, y + NUMBERS - 1, sizeof got, cudaMemcpyDeviceToHost));
    if (got != 1 && !failure)
        failure = "saxpy gives a wrong result";
    return 3.0 * NUMBERS * sizeof *x / kernel_time("saxpy", NUMBERS / THREADS, THREADS, x, y) * 1e-9;
}
static double measure_sum(void)
{
    uint32_t got = 0;
    ok(rt.cudaMemset(x, 1, NUMBERS * sizeof *x));
    ok(rt.cudaMemset(y, 0, sizeof *y));
    launch(kernel("sum"), SUM_BLOCKS, THREADS, x, y);
    ok(rt.cudaMemcpy(&got, y, sizeof got, cudaMemcpyDeviceToHost));
    if (got != 0x01010101u * NUMBERS && !failure)
        failure = "the sum is wrong";
    return 1.0 * NUMBERS * sizeof *x / kernel_time("sum", SUM_BLOCKS, THREADS, x, y) * 1e-9;
}
static double measure_fma(void)
{
    float got = 0;
    double seconds = kernel_time("fmas", FMA_BLOCKS, THREADS, x, NULL);
    ok(rt.cudaMemcpy(&got, x, sizeof got, cudaMemcpyDeviceToHost));
    if (got != 2.0f * CHAINS && !failure) // x = x / 2 + 1 goes to 2
        failure = "multiply-adds give a wrong result";
    return 2.0 * CHAINS * ROUNDS * FMA_BLOCKS * THREADS / seconds * 1e-9;
}

static const struct row {
    const char *what, *unit;
    double (*measure)(void);
} rows[] = {
#define ROW(what, unit, measure) {what, unit, measure},
#define MACHINE(name, cores, ...)
#include "heddle/bench.def"
};
enum { ROWS = sizeof rows / sizeof rows[0] };
static const struct machine {
    const char *name;
    unsigned cores;
    double values[ROWS];
} machines[] = {
#define ROW(what, unit, measure)
#define MACHINE(name, cores, ...) {name, cores, {__VA_ARGS__}},
#include "heddle/bench.def"
};
enum { MACHINES = sizeof machines / sizeof machines[0] };

static bool prepare(void)
{
    if (!runtime_open()) {
        const char *why = dlerror();
        fprintf(stderr, "heddle: bench: %s\n", why ? why : "libcudart.so.13 is another's");
        return false;
    }
    return ok(rt.cudaLibraryLoadData(&library, HEAD SAXPY FMAS SUM, NULL, NULL, 0, NULL, NULL, 0)) &&
           ok(rt.cudaMalloc((void **)&x, NUMBERS * sizeof *x)) && ok(rt.cudaMalloc((void **)&y, NUMBERS * sizeof *y));
}

int bench(void)
{
    struct cudaDeviceProp p;
    setenv("HEDDLE_QUICK", "never", 0);
    bool ready = prepare() && ok(rt.cudaGetDeviceProperties(&p, 0));
    if (ready) {
        printf("this machine: %s, %u processors\n", p.name, os_cpu_count());
        for (unsigned m = 0; m < MACHINES; m++)
            printf("%12c: %s, %u processors\n", (char)('A' + (int)m), machines[m].name, machines[m].cores);
        printf("%-34s %-7s %10s", "", "", "here");
        for (unsigned m = 0; m < MACHINES; m++)
            printf(" %10c", (char)('A' + (int)m));
        printf("\n");
    }
    for (unsigned i = 0; ready && i < ROWS; i++) {
        double value = rows[i].measure();
        if (failure)
            break;
        printf("%-34s %-7s %10.1f", rows[i].what, rows[i].unit, value);
        for (unsigned m = 0; m < MACHINES; m++)
            printf(" %10.1f", machines[m].values[i]);
        printf("\n");
        fflush(stdout);
    }
    if (failure)
        fprintf(stderr, "heddle: bench: %s; heddle doctor says more\n", failure);
    return !ready || failure;
}
