// SPDX-License-Identifier: Apache-2.0
// Order: products between kernels of a stream, scalars that earlier work computes, scalars of the host that change after the call, graphs
// that are captured and replayed, streams at once, and one result for any number of calls.
#include "product_test.h"
#include <thread>

__global__ void add_one(float *x, int n)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        x[i] += 1;
}
__global__ void set_scalars(float *s, float alpha, float beta)
{
    s[0] = alpha;
    s[1] = beta;
}

enum { N = 96 };
struct setting {
    matrix a, b, d;
    cublasLtMatmulDesc_t desc = nullptr;
    explicit setting(cublasLtPointerMode_t mode) : a(CUDA_R_32F, N, N), b(CUDA_R_32F, N, N), d(CUDA_R_32F, N, N)
    {
        int32_t m = mode;
        OK(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F));
        OK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_POINTER_MODE, &m, sizeof m));
        for (matrix *x : {&a, &b, &d}) // ones, a unit matrix, zeros
            for (int i = 0; i < N * N; i++)
                put(CUDA_R_32F, x->data.host.data(), (size_t)i, x == &b ? (i % (N + 1) == 0) : x == &a);
        for (matrix *x : {&a, &b, &d})
            x->data.push();
    }
    ~setting()
    {
        OK(cublasLtMatmulDescDestroy(desc));
    }
    cublasStatus_t call(const void *alpha, const void *beta, cudaStream_t s)
    {
        return cublasLtMatmul(handle, desc, alpha, a.data.dev, a.layout, b.data.dev, b.layout, beta, d.data.dev,
                              d.layout, d.data.dev, d.layout, nullptr, nullptr, 0, s);
    }
    bool all_are(float value)
    {
        std::vector<char> got = d.data.pull();
        for (int i = 0; i < N * N; i++)
            if (get(CUDA_R_32F, got.data(), (size_t)i).real() != value) {
                printf("%d is %g, not %g\n", i, get(CUDA_R_32F, got.data(), (size_t)i).real(), value);
                return false;
            }
        return true;
    }
};

static void order()
{
    cudaStream_t s;
    float *scalars;
    CUDA(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CUDA(cudaMalloc(&scalars, 2 * sizeof(float)));
    setting x(CUBLASLT_POINTER_MODE_DEVICE);
    for (int i = 0; i < 20; i++) { // a = a + 1; d = 2 a + d
        add_one<<<(N * N + 255) / 256, 256, 0, s>>>((float *)x.a.data.dev, N * N);
        set_scalars<<<1, 1, 0, s>>>(scalars, 2, 1);
        OK(x.call(scalars, scalars + 1, s));
        set_scalars<<<1, 1, 0, s>>>(scalars, -7, -9); // not seen by the call before
    }
    CUDA(cudaStreamSynchronize(s));
    CHECK(x.all_are(2 * (20 * 21 / 2 + 20)));
    setting y(CUBLASLT_POINTER_MODE_HOST);
    float alpha = 3, beta = 0;
    OK(y.call(&alpha, &beta, s));
    alpha = beta = 100; // the call has its own
    CUDA(cudaStreamSynchronize(s));
    CHECK(y.all_are(3));
    CUDA(cudaFree(scalars));
    CUDA(cudaStreamDestroy(s));
}

static void graphs()
{
    cudaStream_t s;
    cudaGraph_t g;
    cudaGraphExec_t e;
    CUDA(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    setting x(CUBLASLT_POINTER_MODE_HOST);
    float alpha = 1, beta = 1;
    OK(x.call(&alpha, &beta, s)); // a library may load what it needs
    CUDA(cudaStreamSynchronize(s));
    CHECK(x.all_are(1));
    CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(x.call(&alpha, &beta, s));
    add_one<<<(N * N + 255) / 256, 256, 0, s>>>((float *)x.d.data.dev, N * N);
    OK(x.call(&alpha, &beta, s));
    CUDA(cudaStreamEndCapture(s, &g));
    alpha = beta = 50;
    CHECK(x.all_are(1)); // nothing ran
    size_t nodes = 0;
    CUDA(cudaGraphGetNodes(g, nullptr, &nodes));
    CHECK(nodes >= 3);
    HEDDLE_ONLY(CHECK(nodes == 3));
    CUDA(cudaGraphInstantiate(&e, g, 0));
    for (int i = 0; i < 5; i++)
        CUDA(cudaGraphLaunch(e, s));
    CUDA(cudaStreamSynchronize(s));
    CHECK(x.all_are(1 + 5 * 3));
    CUDA(cudaGraphExecDestroy(e));
    CUDA(cudaGraphDestroy(g));
    CUDA(cudaStreamDestroy(s));
}

// All that is launched beside the product is in the graph too: gradients, magnitudes that are cleared first.
static void graphs_of_epilogues()
{
    job bias("captured BGRADB", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_16F);
    bias.epilogue = CUBLASLT_EPILOGUE_BGRADB;
    job fp8("captured fp8", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_8F_E4M3, CUDA_R_16BF);
    fp8.d = CUDA_R_8F_E4M3;
    fp8.ta = CUBLAS_OP_T;
    fp8.amax = true;
    for (const job &o : {bias, fp8}) {
        cudaStream_t s;
        cudaGraph_t g = nullptr;
        cudaGraphExec_t e;
        product p(o);
        CUDA(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
        float one = 1, zero = 0;
        CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
        cublasStatus_t status = cublasLtMatmul(handle, p.desc, &one, p.A.data.dev, p.A.layout, p.B.data.dev, p.B.layout,
                                               &zero, p.C.data.dev, p.C.layout, p.D.data.dev, p.D.layout, nullptr,
                                               p.workspace.dev, p.workspace.host.size(), s);
        CHECK(status == CUBLAS_STATUS_SUCCESS || (!is_heddle() && is_refusal(status)));
        CUDA(cudaStreamEndCapture(s, &g));
        if (!status) {
            CUDA(cudaGraphInstantiate(&e, g, 0));
            for (int i = 0; i < 2; i++)
                CUDA(cudaGraphLaunch(e, s));
            CUDA(cudaStreamSynchronize(s));
            p.compare();
            CUDA(cudaGraphExecDestroy(e));
        }
        CUDA(cudaGraphDestroy(g));
        CUDA(cudaStreamDestroy(s));
    }
}

// Threads with streams of their own and one handle.
static void at_once()
{
    enum { THREADS = 3, ROUNDS = 20 };
    int right[THREADS] = {};
    std::vector<setting *> all;
    for (int t = 0; t < THREADS; t++)
        all.push_back(new setting(CUBLASLT_POINTER_MODE_HOST));
    std::vector<std::thread> threads;
    for (int t = 0; t < THREADS; t++)
        threads.emplace_back([t, &right, &all] {
            cudaStream_t s;
            float alpha = (float)(t + 1), beta = 1, got = 0;
            if (cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking))
                return;
            for (int i = 0; i < ROUNDS; i++) {
                if (all[(size_t)t]->call(&alpha, &beta, s) ||
                    cudaMemcpyAsync(&got, all[(size_t)t]->d.data.dev + 4 * 17, sizeof got, cudaMemcpyDeviceToHost, s) ||
                    cudaStreamSynchronize(s))
                    return;
                right[t] += got == (float)((t + 1) * (i + 1));
            }
            cudaStreamDestroy(s);
        });
    for (std::thread &t : threads)
        t.join();
    for (int t = 0; t < THREADS; t++) {
        CHECK(right[t] == ROUNDS);
        CHECK(all[(size_t)t]->all_are((float)((t + 1) * ROUNDS)));
        delete all[(size_t)t];
    }
}

int main()
{
    OK(cublasLtCreate(&handle));
    order();
    graphs();
    graphs_of_epilogues();
    at_once();
    OK(cublasLtDestroy(handle));
    return summary();
}
