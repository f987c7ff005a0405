// SPDX-License-Identifier: Apache-2.0
// Histograms: global atomics, and a privatised one in shared memory merged at the end.
#include "check.h"

__global__ void direct(const unsigned char *in, unsigned *bins, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&bins[in[i]], 1);
}

__global__ void privatised(const unsigned char *in, unsigned *bins, int n)
{
    __shared__ unsigned s[256];
    s[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&s[in[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}

int main()
{
    const int n = 40007;
    std::vector<unsigned char> in(n);
    std::vector<unsigned> ref(256);
    unsigned s = 1;
    for (int i = 0; i < n; i++)
        ref[in[i] = (unsigned char)(random_next(s) % 200 * (i % 3 ? 1 : 0))]++;
    Buffer<unsigned char> din(in);
    Buffer<unsigned> a(256), b(256);
    direct<<<10, 128>>>(din, a, n);
    privatised<<<6, 256>>>(din, b, n);
    LAUNCHED();
    EXPECT(a.get() == ref);
    EXPECT(b.get() == ref);
    return DONE();
}
