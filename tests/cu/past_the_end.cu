// SPDX-License-Identifier: Apache-2.0
// The last threads of a grid go past the end of a large array, by less than the unit in which memory is mapped: values are
// not to be relied on, but nothing faults. A long way past it, something does.
#include "check.h"

__global__ void copy(const int *in, int *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x, left = n - i;
    if (left < 1) // never, as it is unsigned
        out[i] = 0;
    else
        out[i] = in[i];
}

__global__ void far(int *out, size_t at)
{
    out[at] = 1;
}

int main()
{
    const size_t n = (size_t)1024 * 1024 + 2;
    std::vector<int> in(n);
    for (size_t i = 0; i < n; i++)
        in[i] = (int)(i * 7);
    Buffer<int> din(in), out(n);
    copy<<<(unsigned)((n + 255) / 256), 256>>>(din, out, n);
    LAUNCHED();
    EXPECT(out.get() == in);
    far<<<1, 1>>>(out, (size_t)1 << 40);
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    return DONE();
}
