// SPDX-License-Identifier: Apache-2.0
// What goes wrong gives CUDA's error and leaves the process alive.
#include "check.h"

__global__ void nothing() {}
__global__ void __launch_bounds__(128) bounded() {}
__global__ void big_shared(int *p)
{
    extern __shared__ int s[];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    p[threadIdx.x] = s[threadIdx.x];
}

int main()
{
    nothing<<<1, 1025>>>();
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    EXPECT(cudaGetLastError() == cudaSuccess);
    nothing<<<1, dim3(1, 1, 65)>>>();
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    nothing<<<0, 32>>>();
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    nothing<<<1, 0>>>();
    EXPECT(cudaPeekAtLastError() == cudaErrorInvalidValue);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    nothing<<<dim3(1, 70000), 32>>>();
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    bounded<<<1, 256>>>();
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    int *p;
    OK(cudaMalloc(&p, 4096));
    big_shared<<<1, 32, 400 << 10>>>(p);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    big_shared<<<1, 32, 64 << 10>>>(p);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    EXPECT(cudaFuncSetAttribute(big_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10) == cudaSuccess);
    big_shared<<<1, 32, 64 << 10>>>(p);
    LAUNCHED();
    EXPECT(cudaMalloc(&p, (size_t)1 << 50) == cudaErrorMemoryAllocation);
    EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation);
    int local;
    EXPECT(cudaMemcpy(nullptr, &local, 4, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    EXPECT(cudaMemcpy(&local, &local, 4, (cudaMemcpyKind)77) == cudaErrorInvalidMemcpyDirection);
    cudaGetLastError();
    EXPECT(cudaFree((void *)0x12345) == cudaErrorInvalidValue);
    cudaGetLastError();
    EXPECT(cudaFree(nullptr) == cudaSuccess);
    EXPECT(cudaSetDevice(99) == cudaErrorInvalidDevice);
    EXPECT(cudaGetDeviceProperties(nullptr, 0) == cudaErrorInvalidValue);
    int count;
    EXPECT(cudaGetDeviceCount(&count) == cudaSuccess && count >= 1);
    EXPECT(cudaEventQuery(nullptr) == cudaErrorInvalidResourceHandle);
    EXPECT(cudaEventElapsedTime(nullptr, nullptr, nullptr) == cudaErrorInvalidValue);
    cudaGetLastError();
    EXPECT(std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
    EXPECT(std::strlen(cudaGetErrorString(cudaErrorMemoryAllocation)) > 3);
    nothing<<<1, 32>>>();
    LAUNCHED();
    return DONE();
}
