// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>
#include <cstdio>

int main()
{
    int count = 0, *p = nullptr, version = 0, value = 1;
    if (cudaGetDeviceCount(&count) || count < 1 || cudaRuntimeGetVersion(&version) || version != CUDART_VERSION)
        return 1;
    if (cudaMalloc(&p, 4) || cudaMemset(p, 0, 4) || cudaMemcpy(&value, p, 4, cudaMemcpyDefault) || value)
        return 2;
    std::printf("%d devices\n", count);
    return cudaFree(p);
}
