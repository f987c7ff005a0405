// SPDX-License-Identifier: Apache-2.0
// Many products at the same time, on more workers than there are cores: each must be exact, since its elements are small whole numbers.
#include "blas_test.h"

int main()
{
    const int n = 130, count = 256, times = getenv("HEDDLE_TEST_BRIEF") ? 2 : 60;
    setenv("HEDDLE_THREADS", "6", 1);
    std::vector<float> a((size_t)n * n), sum((size_t)n * n), c((size_t)n * n * count);
    for (size_t i = 0; i < a.size(); i++)
        a[i] = (float)(i * 7919 % 17);
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            for (int i = 0; i < n; i++)
                sum[(size_t)(i + j * n)] += a[(size_t)(i + k * n)] * a[(size_t)(k + j * n)];
    cublasHandle_t h;
    OK(cublasCreate(&h));
    float *da, *dc;
    CUDA(cudaMalloc(&da, a.size() * 4));
    CUDA(cudaMalloc(&dc, c.size() * 4));
    CUDA(cudaMemcpy(da, a.data(), a.size() * 4, cudaMemcpyHostToDevice));
    for (int t = 0; t < times; t++) {
        const float one = 1, zero = 0;
        CUDA(cudaMemset(dc, 255, c.size() * 4));
        OK(cublasSgemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, da, n, 0, da, n, 0, &zero, dc, n,
                                     (long long)n * n, count));
        CUDA(cudaMemcpy(c.data(), dc, c.size() * 4, cudaMemcpyDeviceToHost));
        int wrong = 0;
        for (size_t i = 0; i < c.size(); i++)
            wrong += c[i] != sum[i % sum.size()];
        CHECK(wrong == 0);
    }
    OK(cublasDestroy(h));
    return summary();
}
