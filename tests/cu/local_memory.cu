// SPDX-License-Identifier: Apache-2.0
// Local arrays with run-time indices, addresses passed to functions, arrays that live across barriers.
#include "check.h"

__device__ __noinline__ void fill(int *a, int n, int s)
{
    for (int i = 0; i < n; i++)
        a[i] = i * s;
}

__global__ void index(int *out, int k)
{
    int a[16];
    fill(a, 16, threadIdx.x + 1);
    int s = 0;
    for (int i = 0; i < 16; i += 3)
        s += a[(i * 5 + threadIdx.x + k) & 15];
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

__global__ void across(int *out)
{
    __shared__ int s[64];
    int a[8];
    for (int i = 0; i < 8; i++)
        a[i] = threadIdx.x * 10 + i;
    s[threadIdx.x] = a[threadIdx.x & 7];
    __syncthreads();
    a[threadIdx.x & 7] = s[63 - threadIdx.x];
    __syncthreads();
    int r = 0;
    for (int i = 0; i < 8; i++)
        r = r * 3 + a[(i + threadIdx.x) & 7];
    out[threadIdx.x] = r;
}

// What is added to the address of an aligned array may be its low bits. The array stays in memory since its address is handed out.
__global__ void aligned(int *out, const int *in, unsigned long long *where)
{
    alignas(128) int a[32];
    int t = threadIdx.x, u = in[t], v = in[t ^ 1];
    for (int i = 0; i < 32; i++)
        a[i] = i * 100 + t;
    where[t] = (unsigned long long)a;
    __syncthreads();
    a[(t * 7 + 3) & 31] += 5;
    __syncthreads();
    int h = u * v + v;
    for (int i = 0; i < 32; i++)
        h = h * 3 + a[i ^ (t & 31)];
    out[t] = h;
}

struct Stack {
    short v[20];
    int top;
};

__global__ void stack(int *out)
{
    Stack s;
    s.top = 0;
    for (int i = 0; i <= (threadIdx.x & 15); i++)
        s.v[s.top++] = i * threadIdx.x;
    int sum = 0;
    while (s.top)
        sum = sum * 2 + s.v[--s.top];
    out[threadIdx.x] = sum;
}

int main()
{
    Buffer<int> d(300);
    index<<<3, 100>>>(d, 4);
    LAUNCHED();
    std::vector<int> o = d.get();
    bool right = true;
    for (int g = 0; g < 300; g++) {
        int t = g % 100, s = 0;
        for (int i = 0; i < 16; i += 3)
            s += ((i * 5 + t + 4) & 15) * (t + 1);
        right &= o[g] == s;
    }
    EXPECT(right);
    across<<<1, 64>>>(d);
    LAUNCHED();
    o = d.get();
    right = true;
    for (int t = 0; t < 64; t++) {
        int a[8], u = 63 - t, r = 0;
        for (int i = 0; i < 8; i++)
            a[i] = t * 10 + i;
        a[t & 7] = u * 10 + (u & 7);
        for (int i = 0; i < 8; i++)
            r = r * 3 + a[(i + t) & 7];
        right &= o[t] == r;
    }
    EXPECT(right);
    stack<<<1, 70>>>(d);
    LAUNCHED();
    o = d.get();
    right = true;
    for (int t = 0; t < 70; t++) {
        int sum = 0;
        for (int i = t & 15; i >= 0; i--)
            sum = sum * 2 + (short)(i * t);
        right &= o[t] == sum;
    }
    EXPECT(right);
    std::vector<int> numbers(64);
    for (int t = 0; t < 64; t++)
        numbers[t] = t + 2;
    Buffer<int> in(numbers);
    Buffer<unsigned long long> where(64);
    aligned<<<1, 64>>>(d, in, where);
    LAUNCHED();
    o = d.get();
    std::vector<unsigned long long> at = where.get();
    right = true;
    for (int t = 0; t < 64; t++) {
        unsigned a[32], h = (t + 2) * ((t ^ 1) + 2) + ((t ^ 1) + 2);
        for (int i = 0; i < 32; i++)
            a[i] = i * 100 + t;
        a[(t * 7 + 3) & 31] += 5;
        for (int i = 0; i < 32; i++)
            h = h * 3 + a[i ^ (t & 31)];
        right &= o[t] == (int)h && at[t] % 128 == 0;
    }
    EXPECT(right);
    return DONE();
}
