// SPDX-License-Identifier: Apache-2.0
// Managed, pinned, mapped and registered memory.
#include "check.h"

__global__ void add(int *p, int n, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] += k;
}

int main()
{
    const int n = 1000;
    int *m, *h, *d;
    OK(cudaMallocManaged(&m, n * 4));
    for (int i = 0; i < n; i++)
        m[i] = i;
    add<<<4, 256>>>(m, n, 10);
    LAUNCHED();
    EXPECT(m[0] == 10 && m[999] == 1009);
    OK(cudaFree(m));
    OK(cudaHostAlloc(&h, n * 4, cudaHostAllocMapped));
    std::memset(h, 0, n * 4);
    OK(cudaHostGetDevicePointer(&d, h, 0));
    add<<<4, 256>>>(d, n, 3);
    LAUNCHED();
    EXPECT(h[5] == 3 && h[999] == 3);
    unsigned flags;
    OK(cudaHostGetFlags(&flags, h));
    EXPECT(flags & cudaHostAllocMapped);
    cudaPointerAttributes a;
    OK(cudaPointerGetAttributes(&a, h));
    EXPECT(a.type == cudaMemoryTypeHost);
    OK(cudaFreeHost(h));
    std::vector<int> v(n, 1);
    OK(cudaHostRegister(v.data(), n * 4, cudaHostRegisterMapped));
    OK(cudaHostGetDevicePointer(&d, v.data(), 0));
    add<<<4, 256>>>(d, n, 5);
    LAUNCHED();
    EXPECT(v[0] == 6 && v[999] == 6);
    OK(cudaHostUnregister(v.data()));
    OK(cudaMalloc(&d, 100));
    OK(cudaPointerGetAttributes(&a, d));
    EXPECT(a.type == cudaMemoryTypeDevice && a.device == 0);
    OK(cudaFree(d));
    size_t before, total, after;
    OK(cudaMemGetInfo(&before, &total));
    OK(cudaMalloc(&d, 16 << 20));
    OK(cudaMemGetInfo(&after, &total));
    EXPECT(before - after >= (16u << 20) && before <= total);
    OK(cudaFree(d));
    return DONE();
}
