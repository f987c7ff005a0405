// SPDX-License-Identifier: Apache-2.0
// Built by NVIDIA's nvcc with a shared cudart where that is installed, and run on our libraries: copies, symbols, managed
// memory, streams, events and errors, all through NVIDIA's headers and calling convention.
#include <cstdio>
#include <vector>

__constant__ float scale[4];
__device__ int counter;
__managed__ int touched = 5;

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i] * scale[1];
        atomicAdd(&counter, 1);
    }
    if (i == 0)
        touched = 9;
}

static int passed, failed;
#define CHECK(c) ((c) ? (void)passed++ : (void)(failed++, printf("line %d failed: %s\n", __LINE__, #c)))

int main()
{
    const int n = 1000;
    std::vector<float> a(n, 1), b(n, 2), c(n);
    float *x, *y, *z, s[4] = {0, 3, 0, 0}, ms = -1;
    int count = 0;
    cudaDeviceProp prop;
    cudaStream_t stream;
    cudaEvent_t start, stop;
    CHECK(cudaGetDeviceProperties(&prop, 0) == cudaSuccess && prop.warpSize == 32 && prop.maxThreadsPerBlock == 1024);
    CHECK(cudaMalloc(&x, n * sizeof *x) == cudaSuccess && cudaMalloc(&y, n * sizeof *y) == cudaSuccess);
    CHECK(cudaMallocManaged(&z, n * sizeof *z) == cudaSuccess);
    CHECK(cudaMemcpy(x, a.data(), n * sizeof *x, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaStreamCreate(&stream) == cudaSuccess);
    CHECK(cudaEventCreate(&start) == cudaSuccess && cudaEventCreate(&stop) == cudaSuccess);
    CHECK(cudaMemcpyAsync(y, b.data(), n * sizeof *y, cudaMemcpyDefault, stream) == cudaSuccess);
    CHECK(cudaMemcpyToSymbol(scale, s, sizeof s) == cudaSuccess);
    CHECK(cudaEventRecord(start, stream) == cudaSuccess);
    add<<<(n + 255) / 256, 256, 0, stream>>>(x, y, z, n);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaEventRecord(stop, stream) == cudaSuccess && cudaEventSynchronize(stop) == cudaSuccess);
    CHECK(cudaEventElapsedTime(&ms, start, stop) == cudaSuccess && ms >= 0);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(z[0] == 7 && z[n - 1] == 7 && touched == 9);
    CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof count) == cudaSuccess && count == n);
    add<<<1, 2048>>>(x, y, z, n);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue && cudaGetLastError() == cudaSuccess);
    cudaFuncAttributes attributes;
    int blocks = 0;
    CHECK(cudaFuncGetAttributes(&attributes, add) == cudaSuccess && attributes.maxThreadsPerBlock > 0);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 128, 0) == cudaSuccess && blocks > 0);
    CHECK(cudaFree(x) == cudaSuccess && cudaFree(y) == cudaSuccess && cudaFree(z) == cudaSuccess);
    CHECK(cudaStreamDestroy(stream) == cudaSuccess && cudaDeviceReset() == cudaSuccess);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
