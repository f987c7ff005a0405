// SPDX-License-Identifier: Apache-2.0
// Kernels of very many barriers with very much alive across them: what the compiler makes of them must stay in proportion.
// The first sorts pieces by an unrolled bitonic network within a loop over a stack, as a quicksort does; the second carries
// values that the whole block shares, of several types, from the first barrier to the last.
#include "check.h"
#include <algorithm>

__device__ __forceinline__ void order(unsigned *s, unsigned t, unsigned j, bool up)
{
    unsigned other = t ^ j, a = s[t], b = s[other];
    __syncthreads();
    if (other > t ? (a > b) == up : (a < b) == up)
        s[t] = b;
    __syncthreads();
}

template <int N> __device__ __forceinline__ void sort(unsigned *s)
{
    unsigned t = threadIdx.x;
#pragma unroll
    for (int k = 2; k <= N; k *= 2)
#pragma unroll
        for (int j = k / 2; j > 0; j /= 2)
            order(s, t, j, (t & k) == 0);
}

// Takes pieces of 64 from a stack until it is empty; long ones are divided first.
__global__ void pieces(unsigned *p, int n)
{
    __shared__ unsigned s[64];
    __shared__ int first[32], count[32], top;
    if (!threadIdx.x) {
        first[0] = 0;
        count[0] = n;
        top = 1;
    }
    __syncthreads();
    while (top > 0) {
        int at = first[top - 1], len = count[top - 1];
        __syncthreads();
        if (!threadIdx.x)
            top--;
        __syncthreads();
        if (len > 64) {
            if (!threadIdx.x) {
                first[top] = at;
                count[top] = 64;
                first[top + 1] = at + 64;
                count[top + 1] = len - 64;
                top += 2;
            }
            __syncthreads();
            continue;
        }
        s[threadIdx.x] = p[at + threadIdx.x];
        __syncthreads();
        sort<64>(s);
        p[at + threadIdx.x] = s[threadIdx.x];
        __syncthreads();
    }
}

__global__ void shared_values(const int *a, const double *b, const float *c, double *out, int turns)
{
    __shared__ double sum[64];
    int t = threadIdx.x, u[16];
    double d[16];
    float f[16];
#pragma unroll
    for (int i = 0; i < 16; i++) {
        u[i] = a[i] * turns;
        d[i] = b[i] + turns;
        f[i] = c[i] * turns;
    }
    sum[t] = 0;
    for (int k = 0; k < turns; k++) {
#pragma unroll
        for (int i = 0; i < 16; i++) {
            __syncthreads();
            double x = sum[(t + 1) % 64];
            __syncthreads();
            sum[t] = x + u[i] * t + d[15 - i] - f[i];
            u[i] += a[16 + i];
        }
    }
    __syncthreads();
    out[t] = sum[t];
}

int main()
{
    const int n = 64 * 9;
    std::vector<unsigned> v(n);
    unsigned seed = 12345;
    for (auto &x : v)
        x = seed = seed * 1664525u + 1013904223u;
    Buffer<unsigned> p(v);
    pieces<<<1, 64>>>(p.p, n);
    LAUNCHED();
    std::vector<unsigned> sorted = p.get();
    for (int i = 0; i < n; i += 64)
        std::sort(v.begin() + i, v.begin() + i + 64);
    EXPECT(sorted == v);

    const int turns = 3;
    std::vector<int> a(32);
    std::vector<double> b(16);
    std::vector<float> c(16);
    for (int i = 0; i < 32; i++)
        a[i] = i * 7 % 11 - 4;
    for (int i = 0; i < 16; i++) {
        b[i] = i * 0.5;
        c[i] = 3 - i * 0.25f;
    }
    Buffer<int> da(a);
    Buffer<double> db(b);
    Buffer<float> dc(c);
    Buffer<double> out(64);
    shared_values<<<1, 64>>>(da.p, db.p, dc.p, out.p, turns);
    LAUNCHED();
    std::vector<double> sum(64), next(64);
    std::vector<int> u(16);
    for (int i = 0; i < 16; i++)
        u[i] = a[i] * turns;
    for (int k = 0; k < turns; k++)
        for (int i = 0; i < 16; i++) {
            for (int t = 0; t < 64; t++)
                next[t] = sum[(t + 1) % 64] + u[i] * t + (b[15 - i] + turns) - c[i] * turns;
            sum = next;
            u[i] += a[16 + i];
        }
    EXPECT(out.get() == sum);
    return DONE();
}
