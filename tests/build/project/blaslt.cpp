// SPDX-License-Identifier: Apache-2.0
// A product of cuBLASLt, by the target or the package of that library.
#include <cstdio>
#include <cublasLt.h>
#include <cuda_runtime.h>

int main()
{
    float host[3] = {3, 4, 0}, one = 1, zero = 0, *dev = nullptr;
    cublasLtHandle_t handle;
    cublasLtMatmulDesc_t desc;
    cublasLtMatrixLayout_t layout;
    bool ok = !cublasLtCreate(&handle) && !cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F) &&
              !cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, 1, 1, 1) && !cudaMalloc(&dev, sizeof host) &&
              !cudaMemcpy(dev, host, sizeof host, cudaMemcpyHostToDevice) &&
              !cublasLtMatmul(handle, desc, &one, dev, layout, dev + 1, layout, &zero, dev + 2, layout, dev + 2, layout,
                              nullptr, nullptr, 0, nullptr) &&
              !cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost) && !cublasLtDestroy(handle);
    printf("%g\n", host[2]);
    return ok && host[2] == 12 ? 0 : 1;
}
