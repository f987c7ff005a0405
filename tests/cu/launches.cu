// SPDX-License-Identifier: Apache-2.0
// Ways to launch: by pointer, with attributes, many small ones, large grids, parameters of all sizes, occupancy.
#include "check.h"

struct Params {
    char c;
    short s;
    int i;
    long long l;
    float f[7];
    double d;
};

__global__ void take(Params p, const char *text, double x, bool b, int *out)
{
    out[0] = p.c + p.s + p.i + (int)p.l;
    out[1] = (int)(p.f[6] * 2 + p.d);
    out[2] = text[1];
    out[3] = (int)(x * 4) + b;
}

__global__ void count(unsigned long long *n)
{
    if (threadIdx.x == 0)
        atomicAdd(n, 1ull);
}

__global__ void add_one(int *p)
{
    *p += 1;
}

__global__ void which(int *out)
{
    extern __shared__ char s[];
    out[0] = blockDim.x;
    out[1] = gridDim.x;
    s[threadIdx.x] = 1;
    out[2] = s[0];
}

int main()
{
    Params p = {1, 2, 3, 4, {0, 0, 0, 0, 0, 0, 1.5f}, 4};
    Buffer<char> text(std::vector<char>{'a', 'b', 'c'});
    Buffer<int> out(4);
    take<<<1, 1>>>(p, text, 2.5, true, out);
    LAUNCHED();
    std::vector<int> o = out.get();
    EXPECT(o[0] == 10 && o[1] == 7 && o[2] == 'b' && o[3] == 11);
    Buffer<unsigned long long> n(1);
    count<<<dim3(1000, 30, 3), 32>>>(n);
    LAUNCHED();
    EXPECT(n.get()[0] == 90000);
    OK(cudaMemset(out, 0, 16));
    for (int i = 0; i < 1000; i++)
        add_one<<<1, 1>>>(out);
    LAUNCHED();
    EXPECT(out.get()[0] == 1000);
    int *raw = out;
    void *args[] = {&raw};
    OK(cudaLaunchKernel((const void *)which, dim3(3), dim3(40), args, 100, 0));
    LAUNCHED();
    o = out.get();
    EXPECT(o[0] == 40 && o[1] == 3 && o[2] == 1);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(5);
    config.blockDim = dim3(64);
    config.dynamicSmemBytes = 64;
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeCooperative;
    attribute[0].val.cooperative = 1;
    config.attrs = attribute;
    config.numAttrs = 1;
    OK(cudaLaunchKernelEx(&config, which, raw));
    LAUNCHED();
    o = out.get();
    EXPECT(o[0] == 64 && o[1] == 5);
    int blocks = 0, grid = 0, block = 0;
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, which, 128, 0));
    EXPECT(blocks >= 1 && blocks <= 32);
    OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, which, 0, 0));
    EXPECT(grid >= 1 && block >= 32 && block <= 1024);
    cudaFuncAttributes fa;
    OK(cudaFuncGetAttributes(&fa, which));
    EXPECT(fa.maxThreadsPerBlock >= 32 && fa.maxThreadsPerBlock <= 1024);
    return DONE();
}
