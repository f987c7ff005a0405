// SPDX-License-Identifier: Apache-2.0
// Two kernels, compiled without debug information: one that counts long enough for a profiler to meet it, and one that
// faults under a debugger. `names fault`: the second.
#include <cstdio>
#include <cstring>

__global__ void counting_kernel(unsigned *out, unsigned turns)
{
    unsigned x = threadIdx.x;
    for (unsigned i = 0; i < turns; i++)
        x = x * 1664525u + 1013904223u + (x >> 16);
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

extern "C" __global__ void faulting_kernel(int *p)
{
    p[threadIdx.x] = 1;
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "fault")) {
        faulting_kernel<<<1, 32>>>((int *)64);
        return cudaDeviceSynchronize() == cudaSuccess;
    }
    unsigned *out;
    cudaMalloc(&out, 64 * 256 * sizeof *out);
    for (int i = 0; i < 20; i++)
        counting_kernel<<<64, 256>>>(out, 20000);
    return cudaDeviceSynchronize() != cudaSuccess;
}
