// SPDX-License-Identifier: Apache-2.0
// The bench: every kernel of kernels.def in CUDA on Heddle (TOPIC.cu) and as plain loops with OpenMP (TOPIC_omp.c),
// nine also in SIMD written by hand with vector extensions (simd.c), the goal post for generated code, and most in
// OpenCL (kernels.cl).
#ifndef HEDDLE_BENCH_H
#define HEDDLE_BENCH_H
#include "clock.h"
#include <stdio.h>
#ifdef __cplusplus
extern "C" {
#endif

struct problem {
    const float *a, *b, *c;
    float *out, *out2;
    int n, m;
    float f0, f1;
};
typedef void bench_fn(const struct problem *p);

#define ROW(name, ...) bench_fn name##_cuda, name##_omp; // CUDA: asynchronous, bench_sync waits
#include "kernels.def"
#undef ROW

#define BENCH_HAND(X) X(saxpy) X(matmul) X(reduce) X(nbody) X(mandelbrot) X(stencil) X(blackscholes) X(shuffle)
#define DECLARE(name)                                                                                                  \
    bench_fn name##_simd;                                                                                              \
    void name##_block(const struct problem *p, int b); // one block of the hand-written form

BENCH_HAND(DECLARE)
#undef DECLARE
bench_fn empty_cuda;

void bench_sync(void);
float *bench_alloc(unsigned long floats);               // device memory, which the other forms use as well
unsigned long bench_extent(const float *p);             // bytes from here to the end of the allocation
void bench_copied(const float *p, unsigned long bytes); // what is there comes by cudaMemcpy, which checkers see

enum form { FORM_OURS, FORM_OMP, FORM_HAND, FORM_OPENCL, FORM_COUNT };
enum kind { KIND_REAL, KIND_INT }; // integers: counts, where rounding moves a few at the edge

struct row {
    const char *kernel, *name;
    bench_fn *run[FORM_COUNT]; // NULL: there is no such form
    long outputs;
    enum kind kind;
    double tolerance; // relative difference; of integers: the share that may differ
    int linear;       // cost grows with n alone
    struct problem p;
    double best[FORM_COUNT]; // seconds; 0: not measured
};

extern int bench_prime;                            // of --scale: a factor of all sizes, 0: they are powers of two
extern int bench_part;                             // of --part: what all sizes are divided by
struct row *bench_rows(int *count, int all_forms); // not all: ours and OpenMP

// What is measured with, in measure.c.
double bench_once(bench_fn *f, const struct problem *p, enum form form, int times); // seconds a call
int row_verify(struct row *r); // not 0: a form is wrong, and is told
void row_measure(struct row *r, int rounds, double seconds);

// Limits of the machine, in limits.c. The time of a product of OpenBLAS is 0 where that is not installed.
double limit_triad(int rounds); // bytes a second
double limit_fma(int rounds);   // operations a second, single precision
double blas_once(const struct problem *p);

// Equivalent OpenCL kernels, in opencl.c: NULL where there is no device or no kernel of that name.
bench_fn *opencl_form(const char *kernel);

// Sweeps, in sweep.c: the bench runs itself with other settings and compares.
int sweep_widths(const char *self, char **names, int passes);
int sweep_threads(const char *self, char **names, int passes);
int sweep_builds(const char *self, const char *old, char **names, int passes); // old: a build folder
void sweep_sizes(struct row *rows, int count, int rounds);

// What changed, in compare.c: a line for each row that two runs have, then the means. A run is known by its times of ours and of OpenMP,
// which tells what the machine did meanwhile.
struct compared {
    double changed, steady; // sums of logarithms: of old / new, and of the same over OpenMP's
    int rows;
};
void compare_begin(struct compared *c);
void compare_row(struct compared *c, const char *name, const double old[2], const double now[2]); // ours, OpenMP
void compare_end(const struct compared *c);
int compare_file(const char *path, const struct row *rows, int count); // a file of --json

// A plot of how many times faster than OpenMP, in plot.c.
int plot_write(const char *path, const struct row *rows, int count);

#ifdef __cplusplus
}
#endif
#endif
