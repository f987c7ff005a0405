// SPDX-License-Identifier: Apache-2.0
// Transforms between kernels: in streams, in captured graphs that run again, with work areas of the program's own, and in threads.
// nvcc: -lcufft -Xcompiler -pthread
#include "reference.h"
#include <thread>

__global__ void fill(float2 *x, int n, int step)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = make_float2(i % step == 0 ? 1.0f : 0.0f, 0.0f);
}

__global__ void scale(float2 *x, int n, float by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = make_float2(x[i].x * by, x[i].y * by);
}

static void launch_all(cufftHandle p, float2 *x, float2 *y, int n, int step, cudaStream_t s)
{
    fill<<<(n + 255) / 256, 256, 0, s>>>(x, n, step);
    OK(cufftExecC2C(p, x, y, CUFFT_FORWARD));
    scale<<<(n + 255) / 256, 256, 0, s>>>(y, n, (float)step / (float)n);
}

// A comb of n / step teeth has a comb of `step` teeth for its transform.
static bool is_comb(const float2 *y, int n, int step)
{
    std::vector<float2> h((size_t)n);
    OK(cudaMemcpy(h.data(), y, sizeof(float2) * (size_t)n, cudaMemcpyDeviceToHost));
    bool good = true;
    for (int i = 0; i < n; i++)
        good &= std::fabs(h[(size_t)i].x - (i % (n / step) == 0 ? 1 : 0)) < 1e-4 && std::fabs(h[(size_t)i].y) < 1e-4;
    return good;
}

static void test_stream(int n, int step)
{
    cufftHandle p;
    cudaStream_t s;
    float2 *x, *y;
    OK(cudaMalloc(&x, sizeof(float2) * (size_t)n));
    OK(cudaMalloc(&y, sizeof(float2) * (size_t)n));
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cufftPlan1d(&p, n, CUFFT_C2C, 1));
    OK(cufftSetStream(p, s));
    launch_all(p, x, y, n, step, s);
    OK(cudaStreamSynchronize(s));
    CHECK(is_comb(y, n, step));

    cudaGraph_t g;
    cudaGraphExec_t e;
    OK(cudaMemset(y, 0, sizeof(float2) * (size_t)n));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    launch_all(p, x, y, n, 2 * step, s);
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaStreamSynchronize(s));
    CHECK(!is_comb(y, n, 2 * step)); // captured, not run
    OK(cudaGraphInstantiate(&e, g, 0));
    for (int i = 0; i < 3; i++) {
        OK(cudaMemset(y, 0, sizeof(float2) * (size_t)n));
        OK(cudaDeviceSynchronize());
        OK(cudaGraphLaunch(e, s));
        OK(cudaStreamSynchronize(s));
        CHECK(is_comb(y, n, 2 * step));
    }
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));

    // Destroyed while its work is under way.
    launch_all(p, x, y, n, step, s);
    OK(cufftDestroy(p));
    OK(cudaStreamSynchronize(s));
    CHECK(is_comb(y, n, step));
    OK(cudaStreamDestroy(s));
    OK(cudaFree(x));
    OK(cudaFree(y));
}

static void test_work_area()
{
    int n = 1 << 17;
    cufftHandle p;
    size_t bytes = 0, same = 0;
    void *work = NULL;
    float2 *x, *y;
    OK(cudaMalloc(&x, sizeof(float2) * (size_t)n));
    OK(cudaMalloc(&y, sizeof(float2) * (size_t)n));
    OK(cufftCreate(&p));
    OK(cufftSetAutoAllocation(p, 0));
    OK(cufftMakePlan1d(p, n, CUFFT_C2C, 1, &bytes));
    OK(cufftGetSize(p, &same));
    CHECK(same == bytes);
    if (bytes)
        GIVES(cufftExecC2C(p, x, y, CUFFT_FORWARD), CUFFT_NO_WORKSPACE);
    OK(cudaMalloc(&work, bytes ? bytes : 1));
    OK(cufftSetWorkArea(p, work));
    launch_all(p, x, y, n, 8, 0);
    OK(cudaDeviceSynchronize());
    CHECK(is_comb(y, n, 8));
    OK(cufftDestroy(p));
    OK(cudaFree(work)); // still the program's
    OK(cudaFree(x));
    OK(cudaFree(y));
}

static void thread_body(int n)
{
    cufftHandle p;
    cudaStream_t s;
    float2 *x, *y;
    cudaMalloc(&x, sizeof(float2) * (size_t)n);
    cudaMalloc(&y, sizeof(float2) * (size_t)n);
    cudaStreamCreate(&s);
    cufftPlan1d(&p, n, CUFFT_C2C, 1);
    cufftSetStream(p, s);
    for (int i = 0; i < 20; i++) {
        fill<<<(n + 255) / 256, 256, 0, s>>>(x, n, 4);
        cufftExecC2C(p, x, y, CUFFT_FORWARD);
        cufftExecC2C(p, y, y, CUFFT_INVERSE);
        scale<<<(n + 255) / 256, 256, 0, s>>>(y, n, 1.0f / (float)n);
    }
    cudaStreamSynchronize(s);
    std::vector<float2> h((size_t)n);
    cudaMemcpy(h.data(), y, sizeof(float2) * (size_t)n, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += std::fabs(h[(size_t)i].x - (i % 4 == 0)) > 1e-4;
    if (wrong)
        std::abort();
    cufftDestroy(p);
    cudaStreamDestroy(s);
    cudaFree(x);
    cudaFree(y);
}

int main()
{
    test_stream(4096, 16);
    test_stream(1 << 18, 64);
    test_stream(20 * 1009, 10);
    test_work_area();
    std::thread threads[4];
    for (int i = 0; i < 4; i++)
        threads[i] = std::thread(thread_body, 1000 + 500 * i);
    for (int i = 0; i < 4; i++)
        threads[i].join();
    CHECK(true);
    return test_summary();
}
