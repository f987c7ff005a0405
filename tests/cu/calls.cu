// SPDX-License-Identifier: Apache-2.0
// Device functions: recursion, function pointers, virtual functions, lambdas, templates, by-value structures.
#include "check.h"
#include <utility>

__device__ __noinline__ int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

// More parameters than any register file has room for.
template <class... T> __host__ __device__ __noinline__ int many_parameters(int depth, T... x)
{
    if (depth <= 0)
        return ((x * x) + ...);
    return many_parameters(depth - 1, (x + depth)...) + (depth & 1 ? many_parameters(depth - 2, (x ^ depth)...) : 0);
}
template <int... I> __host__ __device__ int many_parameters(int t, std::integer_sequence<int, I...>)
{
    return many_parameters(t % 6, (t + I)...);
}
__global__ void parameters(int *out)
{
    out[threadIdx.x] = many_parameters(threadIdx.x, std::make_integer_sequence<int, 150>());
}

// As deep as the largest stack that CUDA gives a thread, whichever thread of the system runs it.
__host__ __device__ __noinline__ int deep(int n, int t)
{
    volatile int a[8];
    for (int i = 0; i < 8; i++)
        a[i] = n + i * t;
    if (n <= 0)
        return t;
    int r = deep(n - 1, t ^ a[n & 7]);
    return r + a[(n + t) & 7];
}
__global__ void depths(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = deep(n + i % 3, i);
}

__device__ int twice(int x)
{
    return 2 * x;
}
__device__ int square(int x)
{
    return x * x;
}
__device__ int negate(int x)
{
    return -x;
}
typedef int (*Fn)(int);
__device__ Fn table[3] = {twice, square, negate};

struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    float s;
    __device__ explicit Square(float x) : s(x) {}
    __device__ float area() const override
    {
        return s * s;
    }
};
struct Box : Shape {
    float a, b;
    __device__ Box(float x, float y) : a(x), b(y) {}
    __device__ float area() const override
    {
        return a * b;
    }
};

struct Big {
    int v[12];
};
__device__ __noinline__ Big shift(Big b, int k)
{
    Big r;
    for (int i = 0; i < 12; i++)
        r.v[i] = b.v[(i + k) % 12];
    return r;
}

__global__ void recursion(int *out)
{
    out[threadIdx.x] = fib(threadIdx.x % 15);
}

__global__ void pointers(int *out)
{
    out[threadIdx.x] = table[threadIdx.x % 3](threadIdx.x);
}

__global__ void virtuals(float *out)
{
    Square s(threadIdx.x);
    Box b(threadIdx.x, 3);
    const Shape *p = threadIdx.x & 1 ? (const Shape *)&s : (const Shape *)&b;
    out[threadIdx.x] = p->area();
}

template <class F> __device__ int apply(F f, int x)
{
    return f(f(x));
}

__global__ void lambdas(int *out, int k)
{
    auto f = [k](int x) { return x * 3 + k; };
    Big b;
    for (int i = 0; i < 12; i++)
        b.v[i] = i * threadIdx.x;
    b = shift(b, 1 + threadIdx.x % 5);
    out[threadIdx.x] = apply(f, threadIdx.x) + b.v[2];
}

int main()
{
    Buffer<int> d(96);
    Buffer<float> f(96);
    recursion<<<1, 96>>>(d);
    LAUNCHED();
    std::vector<int> o = d.get();
    int fibs[15] = {0, 1};
    for (int i = 2; i < 15; i++)
        fibs[i] = fibs[i - 1] + fibs[i - 2];
    bool right = true;
    for (int t = 0; t < 96; t++)
        right &= o[t] == fibs[t % 15];
    EXPECT(right);
    parameters<<<1, 96>>>(d);
    LAUNCHED();
    o = d.get();
    for (int t = 0; t < 96; t++)
        EXPECT(o[t] == many_parameters(t, std::make_integer_sequence<int, 150>()));
#ifndef __DEVICE_EMULATION__ // which has the guide's 256 KB
    if (!on_gpu()) {         // there, such stacks of all threads at once are more than its memory
        enum { BLOCKS = 64, DEPTH = 6500 };
        Buffer<int> all(BLOCKS * 32);
        OK(cudaDeviceSetLimit(cudaLimitStackSize, 500 << 10));
        for (int i = 0; i < 3; i++)
            depths<<<BLOCKS, 32>>>(all, DEPTH);
        LAUNCHED();
        std::vector<int> got = all.get();
        for (int i = 0; i < BLOCKS * 32; i++)
            EXPECT(got[i] == deep(DEPTH + i % 3, i));
    }
#endif
    pointers<<<1, 96>>>(d);
    LAUNCHED();
    o = d.get();
    right = true;
    for (int t = 0; t < 96; t++)
        right &= o[t] == (t % 3 == 0 ? 2 * t : t % 3 == 1 ? t * t : -t);
    EXPECT(right);
    virtuals<<<1, 96>>>(f);
    LAUNCHED();
    std::vector<float> g = f.get();
    right = true;
    for (int t = 0; t < 96; t++)
        right &= g[t] == (t & 1 ? (float)t * t : t * 3.0f);
    EXPECT(right);
    lambdas<<<1, 96>>>(d, 7);
    LAUNCHED();
    o = d.get();
    right = true;
    for (int t = 0; t < 96; t++)
        right &= o[t] == (t * 3 + 7) * 3 + 7 + (2 + 1 + t % 5) % 12 * t;
    EXPECT(right);
    return DONE();
}
