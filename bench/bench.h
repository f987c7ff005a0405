// The kernels of the bench. The nine first, each in three forms with one signature: CUDA on Heddle (kernels.cu), plain loops with
// OpenMP (omp.c), and SIMD written by hand with vector extensions (simd.c): the goal post for generated code. More in two
// forms, CUDA (more.cu) and OpenMP (more_omp.c).
#ifndef HEDDLE_BENCH_H
#define HEDDLE_BENCH_H
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

// Names: KERNEL_cuda (asynchronous: bench_sync waits), KERNEL_omp, KERNEL_simd.
#define BENCH_KERNELS(X) X(saxpy) X(matmul) X(reduce) X(nbody) X(mandelbrot) X(stencil) X(blackscholes) X(shuffle)
#define DECLARE(name)                                                                                                  \
    bench_fn name##_cuda, name##_omp, name##_simd;                                                                     \
    void name##_block(const struct problem *p, int b); // one block of the hand-written form

BENCH_KERNELS(DECLARE)
#undef DECLARE
#define BENCH_MORE(X)                                                                                                  \
    X(transpose) X(scan) X(histogram) X(spmv) X(convolve) X(stencil3d) X(softmax) X(sort)
#define DECLARE(name) bench_fn name##_cuda, name##_omp;

BENCH_MORE(DECLARE)
#undef DECLARE
bench_fn empty_cuda;

void bench_sync(void);
void bench_quiet(void); // ends OpenMP's threads, which would spin for milliseconds on cores that others are timed on
float *bench_alloc(unsigned long floats); // device memory, which the other forms use as well
void bench_free(float *p);

#ifdef __cplusplus
}
#endif
#endif
