// SPDX-License-Identifier: Apache-2.0
// A library of CUDA's by its target.
#include <cublas_v2.h>
#include <cuda_runtime.h>

int main()
{
    const float numbers[3] = {1, -2, 3};
    float *device = nullptr, sum = 0;
    cublasHandle_t handle;
    bool ok = !cublasCreate(&handle) && !cudaMalloc(&device, sizeof numbers) &&
              !cublasSetVector(3, sizeof(float), numbers, 1, device, 1) && !cublasSasum(handle, 3, device, 1, &sum) &&
              !cublasDestroy(handle);
    return !ok || sum != 6;
}
