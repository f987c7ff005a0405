// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime_api.h>

int main(void)
{
    struct cudaDeviceProp properties;
    void *p;
    return cudaGetDeviceProperties(&properties, 0) || properties.warpSize != 32 || cudaMalloc(&p, 100) || cudaFree(p);
}
