// SPDX-License-Identifier: Apache-2.0
// Pure and deleted virtual functions in code that is linked: tables of virtual functions name what a C++ library has.
// nvcc: -rdc=true
#include "check.h"

struct shape {
    __device__ shape();
    __device__ virtual ~shape() {}
    __device__ virtual int area(int scale) const = 0;
    __device__ virtual int none() const = delete;
};
__device__ __noinline__ shape::shape() {}

struct square : shape {
    int side;
    __device__ square(int side) : side(side) {}
    __device__ int area(int scale) const override
    {
        return side * side * scale;
    }
    __device__ int none() const override = delete;
};

__global__ void make(shape **s, int side)
{
    *s = new square(side);
}

__global__ void ask(shape *const *s, int *out)
{
    out[threadIdx.x] = (*s)->area(threadIdx.x);
}

__global__ void drop(shape **s)
{
    delete *s;
}

int main()
{
    shape **s;
    int *out;
    OK(cudaMallocManaged(&s, sizeof *s));
    OK(cudaMallocManaged(&out, 32 * sizeof *out));
    make<<<1, 1>>>(s, 3);
    ask<<<1, 32>>>(s, out);
    drop<<<1, 1>>>(s);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 32; i++)
        EXPECT(out[i] == 9 * i);
    return DONE();
}
