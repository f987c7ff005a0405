// SPDX-License-Identifier: Apache-2.0
// A chain of kernels and calls of cuBLAS by turns: what it takes to hand a stream from one to the other and back.
#include "../clock.h"
#include <cublas_v2.h>

__global__ void one_more(float *x)
{
    *x += 1;
}

extern "C" double handover_seconds(int pairs)
{
    static cublasHandle_t handle;
    static float *x;
    const float half = 0.5f;
    if (!handle) {
        if (cublasCreate(&handle) || cudaMalloc(&x, sizeof *x))
            return 0;
        cudaMemset(x, 0, sizeof *x);
    }
    double t = 0;
    for (int i = -1; i < pairs; i++) {
        one_more<<<1, 1>>>(x);
        cublasSscal(handle, 1, &half, x, 1);
        if (i < 0) { // threads are awake
            cudaDeviceSynchronize();
            t = bench_now();
        }
    }
    cudaDeviceSynchronize();
    return (bench_now() - t) / pairs;
}
