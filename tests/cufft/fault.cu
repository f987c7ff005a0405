// SPDX-License-Identifier: Apache-2.0
// Memory that is not there: the transform's error is the context's, as a kernel's is. The program goes on.
// nvcc: -lcufft
#include "reference.h"

int main()
{
    cufftHandle p;
    float2 *x;
    OK(cudaMalloc(&x, 1 << 20));
    OK(cufftPlan1d(&p, 1 << 16, CUFFT_C2C, 1));
    OK(cufftExecC2C(p, x, x, CUFFT_FORWARD));
    OK(cudaDeviceSynchronize());
    cufftExecC2C(p, (float2 *)64, x, CUFFT_FORWARD);
    GIVES(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    CHECK(cufftExecC2C(p, x, x, CUFFT_FORWARD) != CUFFT_SUCCESS);
    CHECK(cudaFree(x) != cudaSuccess);
    return test_summary();
}
