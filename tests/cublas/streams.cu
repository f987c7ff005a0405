// SPDX-License-Identifier: Apache-2.0
// Order and time: calls between kernels and copies of a stream, scalars of the device that earlier work computes, graphs that are
// captured and replayed, and streams at once.
#include "blas_test.h"
#include <thread>

__global__ void scale_add(float *x, int n, float f, float a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = f * x[i] + a;
}

__global__ void set_scalar(float *s, float v)
{
    *s = v;
}

static void order(cublasHandle_t h)
{
    const int n = 100000;
    cudaStream_t s;
    float *x, *y, *alpha, *result, out[4], dot = 0;
    CUDA(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CUDA(cudaMalloc(&x, n * sizeof(float)));
    CUDA(cudaMalloc(&y, n * sizeof(float)));
    CUDA(cudaMalloc(&alpha, sizeof(float)));
    CUDA(cudaMalloc(&result, sizeof(float)));
    OK(cublasSetStream(h, s));
    device_scalars(h, true);
    CUDA(cudaMemsetAsync(x, 0, n * sizeof(float), s));
    CUDA(cudaMemsetAsync(y, 0, n * sizeof(float), s));
    for (int i = 0; i < 50; i++) { // x = x + 1; alpha = 2; y = y + 2 x
        scale_add<<<(n + 255) / 256, 256, 0, s>>>(x, n, 1, 1);
        set_scalar<<<1, 1, 0, s>>>(alpha, 2);
        OK(cublasSaxpy(h, n, alpha, x, 1, y, 1));
        set_scalar<<<1, 1, 0, s>>>(alpha, -7); // not seen by the call before
    }
    OK(cublasSdot(h, n, x, 1, x, 1, result));
    CUDA(cudaMemcpyAsync(out, y + n - 4, sizeof out, cudaMemcpyDeviceToHost, s));
    CUDA(cudaMemcpyAsync(&dot, result, sizeof dot, cudaMemcpyDeviceToHost, s));
    CUDA(cudaStreamSynchronize(s));
    CHECK(out[0] == 2550 && out[3] == 2550);
    CHECK(dot == 2500.0f * n);
    // a result of the host's is there when the call returns
    device_scalars(h, false);
    float host = 0;
    scale_add<<<(n + 255) / 256, 256, 0, s>>>(x, n, 0, 3);
    OK(cublasSasum(h, n, x, 1, &host));
    CHECK(host == 3.0f * n);
    // a scalar of the host's may change as soon as the call returns
    float a = 5;
    OK(cublasSscal(h, n, &a, x, 1));
    a = 100;
    CUDA(cudaMemcpyAsync(out, x, sizeof(float), cudaMemcpyDeviceToHost, s));
    CUDA(cudaStreamSynchronize(s));
    CHECK(out[0] == 15);
    OK(cublasSetStream(h, 0));
    CUDA(cudaFree(x));
    CUDA(cudaFree(y));
    CUDA(cudaFree(alpha));
    CUDA(cudaFree(result));
    CUDA(cudaStreamDestroy(s));
}

static void graphs(cublasHandle_t h)
{
    const int n = 64, N = 50000;
    const size_t ROOM = 32 << 20;
    cudaStream_t s;
    cudaGraph_t g, copy;
    cudaGraphExec_t one, two;
    array<float> a(n * n), b(n * n), c(n * n), v(N);
    float *dot, value = 0, alpha = 1, beta = 1;
    void *room;
    CUDA(cudaMalloc(&dot, sizeof(float)));
    CUDA(cudaMalloc(&room, ROOM));
    CUDA(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cublasSetStream(h, s));
    OK(cublasSetWorkspace(h, room, ROOM)); // or the graph has memory of its own, and cannot be cloned
    CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, a.dev, n, b.dev, n, &beta, c.dev, n));
    scale_add<<<(n * n + 255) / 256, 256, 0, s>>>(c.dev, n * n, 0.5f, 0);
    device_scalars(h, true);
    OK(cublasSdot(h, n * n, c.dev, 1, c.dev, 1, dot)); // one part
    device_scalars(h, false);
    CUDA(cudaStreamEndCapture(s, &g));
    alpha = beta = 99; // the graph has its own
    size_t count = 0;
    CUDA(cudaGraphGetNodes(g, nullptr, &count));
    CHECK(count >= 3);
    std::vector<cudaGraphNode_t> nodes(count);
    CUDA(cudaGraphGetNodes(g, nodes.data(), &count));
    int kernels = 0, allocations = 0;
    for (cudaGraphNode_t node : nodes) {
        cudaGraphNodeType type;
        CUDA(cudaGraphNodeGetType(node, &type));
        kernels += type == cudaGraphNodeTypeKernel;
        allocations += type == cudaGraphNodeTypeMemAlloc;
    }
    CHECK(kernels >= 3);
    CUDA(cudaGraphInstantiate(&one, g, 0));
    two = one;
    if (!allocations) {
        CUDA(cudaGraphClone(&copy, g));
        CUDA(cudaGraphInstantiate(&two, copy, 0));
        CUDA(cudaGraphDestroy(copy));
    }
    HEDDLE_ONLY(CHECK(!allocations && count == 3)); // the scratch memory is the handle's
    CUDA(cudaGraphDestroy(g));
    for (int i = 0; i < 6; i++)
        CUDA(cudaGraphLaunch(i % 2 ? two : one, s));
    CUDA(cudaMemcpyAsync(&value, dot, sizeof value, cudaMemcpyDeviceToHost, s));
    CUDA(cudaStreamSynchronize(s));
    std::vector<double> r(n * n);
    for (int i = 0; i < n * n; i++)
        r[(size_t)i] = c.host[(size_t)i];
    for (int k = 0; k < 6; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                double sum = 0;
                for (int p = 0; p < n; p++)
                    sum += (double)a.host[(size_t)(i + p * n)] * b.host[(size_t)(p + j * n)];
                r[(size_t)(i + j * n)] = 0.5 * (sum + r[(size_t)(i + j * n)]);
            }
    double squares = 0;
    for (int i = 0; i < n * n; i++) {
        c.host[(size_t)i] = (float)r[(size_t)i];
        squares += r[(size_t)i] * r[(size_t)i];
    }
    CHECK(c.equals(1e-4L));
    CHECK(std::fabs(value - squares) < 1e-4 * squares);
    CUDA(cudaGraphExecDestroy(one));
    if (two != one)
        CUDA(cudaGraphExecDestroy(two));
    OK(cublasSetStream(h, s)); // the library's memory again

    // a sum of many chunks: its scratch memory belongs to the graph
    CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    device_scalars(h, true);
    OK(cublasSnrm2(h, N, v.dev, 1, dot));
    device_scalars(h, false);
    CUDA(cudaStreamEndCapture(s, &g));
    CUDA(cudaGraphInstantiate(&one, g, 0));
    double norm = 0;
    for (float f : v.host)
        norm += (double)f * f;
    for (int i = 0; i < 3; i++) {
        CUDA(cudaMemsetAsync(dot, 0, sizeof(float), s));
        CUDA(cudaGraphLaunch(one, s));
        CUDA(cudaMemcpyAsync(&value, dot, sizeof value, cudaMemcpyDeviceToHost, s));
        CUDA(cudaStreamSynchronize(s));
        CHECK(std::fabs(value - std::sqrt(norm)) < 1e-4);
    }
    CUDA(cudaGraphExecDestroy(one));
    CUDA(cudaGraphDestroy(g));
    OK(cublasSetStream(h, 0));
    CUDA(cudaFree(dot));
    CUDA(cudaFree(room));
    CUDA(cudaStreamDestroy(s));
}

// Two streams with one handle each, by two threads.
static void at_once()
{
    enum { STREAMS = 3, ROUNDS = 30, N = 70000 };
    int right[STREAMS] = {};
    std::vector<std::thread> threads;
    for (int t = 0; t < STREAMS; t++)
        threads.emplace_back([t, &right] {
            cublasHandle_t h;
            cudaStream_t s;
            float *x, value;
            std::vector<float> host(N, (float)(t + 1));
            if (cublasCreate(&h) || cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking) || cublasSetStream(h, s) ||
                cudaMalloc(&x, N * sizeof(float)))
                return;
            for (int i = 0; i < ROUNDS; i++) {
                if (cudaMemcpyAsync(x, host.data(), N * sizeof(float), cudaMemcpyHostToDevice, s) ||
                    cublasSasum(h, N, x, 1, &value))
                    return;
                right[t] += value == (float)(t + 1) * N;
                if (cublasSdot(h, N, x, 1, x, 1, &value))
                    return;
                right[t] += value == (float)(t + 1) * (float)(t + 1) * N;
            }
            cudaFree(x);
            cublasDestroy(h);
            cudaStreamDestroy(s);
        });
    for (std::thread &t : threads)
        t.join();
    for (int r : right)
        CHECK(r == 2 * ROUNDS);
}

// Threads with one handle: each sum is several launches, which do not mix.
static void shared_handle(cublasHandle_t h)
{
    enum { THREADS = 3, ROUNDS = 40, N = 60000 };
    int right[THREADS] = {};
    std::vector<std::thread> threads;
    device_scalars(h, true);
    for (int t = 0; t < THREADS; t++)
        threads.emplace_back([t, h, &right] {
            float *x, *result, got[ROUNDS];
            std::vector<float> host(N, (float)(t + 1));
            if (cudaMalloc(&x, N * sizeof(float)) || cudaMalloc(&result, sizeof got) ||
                cudaMemcpy(x, host.data(), N * sizeof(float), cudaMemcpyHostToDevice))
                return;
            for (int i = 0; i < ROUNDS; i++)
                if (cublasSasum(h, N, x, 1, result + i))
                    return;
            if (cudaMemcpy(got, result, sizeof got, cudaMemcpyDeviceToHost))
                return;
            for (float g : got)
                right[t] += g == (float)(t + 1) * N;
            cudaFree(x);
            cudaFree(result);
        });
    for (std::thread &t : threads)
        t.join();
    device_scalars(h, false);
    for (int r : right)
        CHECK(r == ROUNDS);
}

// Work of the program's own scratch memory.
static void workspace(cublasHandle_t h)
{
    const int n = 100000;
    array<double> x(n);
    void *memory;
    double a = 0, b = 1;
    CUDA(cudaMalloc(&memory, 1 << 20));
    OK(cublasDasum(h, n, x.dev, 1, &a));
    OK(cublasSetWorkspace(h, memory, 1 << 20));
    OK(cublasDasum(h, n, x.dev, 1, &b));
    CHECK(a == b);
    OK(cublasSetWorkspace(h, nullptr, 0));
    CUDA(cudaFree(memory));
}

int main()
{
    cublasHandle_t h;
    OK(cublasCreate(&h));
    order(h);
    graphs(h);
    at_once();
    shared_handle(h);
    workspace(h);
    OK(cublasDestroy(h));
    return summary();
}
