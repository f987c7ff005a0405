// SPDX-License-Identifier: Apache-2.0
// Calls in streams, between kernels, in graphs that are launched several times, and by several threads with a handle each.
#include "solver_test.h"
#include <thread>

__global__ void fill(double *a, int n, double diagonal)
{
    for (int i = (int)threadIdx.x; i < n * n; i += (int)blockDim.x)
        a[i] = i % n == i / n ? diagonal : 1.0 / (1 + i % n + i / n);
}
__global__ void ones(double *b, int n)
{
    for (int i = (int)threadIdx.x; i < n; i += (int)blockDim.x)
        b[i] = 1;
}
__global__ void scale(double *b, int n, double f)
{
    for (int i = (int)threadIdx.x; i < n; i += (int)blockDim.x)
        b[i] *= f;
}

static double residual(int n, double diagonal, const std::vector<double> &x, double f)
{
    double worst = 0;
    for (int i = 0; i < n; i++) {
        double s = -f;
        for (int j = 0; j < n; j++)
            s += (i == j ? diagonal : 1.0 / (1 + i + j)) * x[(size_t)j];
        worst = std::max(worst, std::abs(s));
    }
    return worst;
}

// kernel, library, kernel; the solution times 3
static void enqueue(cusolverDnHandle_t h, cudaStream_t s, int n, double *a, double *b, int *pivots, int *info,
                    double *work, int lwork, bool cholesky)
{
    fill<<<1, 128, 0, s>>>(a, n, 9);
    ones<<<1, 128, 0, s>>>(b, n);
    if (cholesky) {
        OK(cusolverDnDpotrf(h, CUBLAS_FILL_MODE_LOWER, n, a, n, work, lwork, info));
        OK(cusolverDnDpotrs(h, CUBLAS_FILL_MODE_LOWER, n, 1, a, n, b, n, info));
    } else {
        OK(cusolverDnDgetrf(h, n, n, a, n, work, pivots, info));
        OK(cusolverDnDgetrs(h, CUBLAS_OP_N, n, 1, a, n, pivots, b, n, info));
    }
    scale<<<1, 128, 0, s>>>(b, n, 3);
}

static void in_stream(int n, bool cholesky, bool graph)
{
    cusolverDnHandle_t h;
    cudaStream_t s;
    OK(cusolverDnCreate(&h));
    // While a stream is captured that waits for the default one, no thread may use that.
    CUDA(cudaStreamCreateWithFlags(&s, graph ? cudaStreamNonBlocking : cudaStreamDefault));
    OK(cusolverDnSetStream(h, s));
    array<double> a((size_t)n * (size_t)n), b((size_t)n);
    array<int> pivots((size_t)n), info(1);
    int l1 = 0, l2 = 0;
    OK(cusolverDnDgetrf_bufferSize(h, n, n, a.dev, n, &l1));
    OK(cusolverDnDpotrf_bufferSize(h, CUBLAS_FILL_MODE_LOWER, n, a.dev, n, &l2));
    const int lwork = std::max(l1, l2);
    array<double> work((size_t)lwork);
    if (graph) {
        cudaGraph_t g;
        cudaGraphExec_t e;
        CUDA(cudaStreamSynchronize(0)); // what fills the arrays
        CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
        enqueue(h, s, n, a.dev, b.dev, pivots.dev, info.dev, work.dev, lwork, cholesky);
        CUDA(cudaStreamEndCapture(s, &g));
        CUDA(cudaGraphInstantiate(&e, g, 0));
        for (int turn = 0; turn < 3; turn++) {
            CUDA(cudaMemsetAsync(b.dev, 0, (size_t)n * sizeof(double), s));
            CUDA(cudaGraphLaunch(e, s));
            CUDA(cudaStreamSynchronize(s));
            CHECK(info.one() == 0 && residual(n, 9, b.get(), 3) < 1e-10);
        }
        CUDA(cudaGraphExecDestroy(e));
        CUDA(cudaGraphDestroy(g));
    } else {
        for (int turn = 0; turn < 3; turn++)
            enqueue(h, s, n, a.dev, b.dev, pivots.dev, info.dev, work.dev, lwork, cholesky);
        CUDA(cudaStreamSynchronize(s));
        CHECK(info.one() == 0 && residual(n, 9, b.get(), 3) < 1e-10);
    }
    OK(cusolverDnDestroy(h));
    CUDA(cudaStreamDestroy(s));
}

// The same numbers, whatever else runs: twice the same call gives the same bits.
static void same_bits()
{
    cusolverDnHandle_t h;
    OK(cusolverDnCreate(&h));
    const int n = 300;
    const matrix x = random_matrix<double>(n, n);
    std::vector<double> results[2];
    for (std::vector<double> &r : results) {
        device<double> d(x, 0);
        array<int> pivots(n), info(1);
        int lwork = 0;
        OK(cusolverDnDgetrf_bufferSize(h, n, n, d.p(), d.lda(), &lwork));
        array<double> work((size_t)lwork);
        OK(cusolverDnDgetrf(h, n, n, d.p(), d.lda(), work.dev, pivots.dev, info.dev));
        r = d.a.get();
    }
    CHECK(results[0] == results[1]);
    OK(cusolverDnDestroy(h));
}

int main()
{
    for (int n : {5, 60, 280})
        for (int way = 0; way < 4; way++)
            in_stream(n, way & 1, way & 2);
    same_bits();
    const int before = passed;
    std::thread other[2] = {std::thread(in_stream, 40, true, false), std::thread(in_stream, 270, false, true)};
    for (std::thread &t : other)
        t.join();
    CHECK(passed > before);
    return summary();
}
