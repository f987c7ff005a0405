// SPDX-License-Identifier: Apache-2.0
// Local memory of a size that is known late: in kernels, in functions, in loops, in recursion, and across barriers.
#include "check.h"
#include <alloca.h>
__global__ void k(int *out, int n)
{
    int *a = (int *)alloca((n + threadIdx.x) * sizeof(int));
    for (int i = 0; i < n + (int)threadIdx.x; i++)
        a[i] = i * 2;
    int s = 0;
    for (int i = 0; i < n + (int)threadIdx.x; i++)
        s += a[i];
    out[threadIdx.x] = s;
}
__device__ int sum(int n)
{
    char *p = (char *)__builtin_alloca(n);
    for (int i = 0; i < n; i++)
        p[i] = (char)i;
    int s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}
__global__ void loop(int *out, int n)
{
    int s = 0;
    for (int i = 1; i < n; i++)
        s += sum(i % 50 + threadIdx.x % 3);
    out[threadIdx.x] = s;
}
__device__ int rec(int n)
{
    if (!n)
        return 0;
    int *a = (int *)alloca(n * 4);
    for (int i = 0; i < n; i++)
        a[i] = n;
    int r = rec(n - 1);
    return r + a[n - 1];
}
__global__ void recs(int *out)
{
    out[threadIdx.x] = rec(threadIdx.x % 10);
}
__global__ void bars(int *out, int n)
{
    int *a = (int *)alloca(n * sizeof(int));
    for (int i = 0; i < n; i++)
        a[i] = i + threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = a[n - 1];
    __syncthreads();
    out[threadIdx.x] += a[0];
}
int main()
{
    Buffer<int> o(64);
    k<<<1, 64>>>(o, 10);
    LAUNCHED();
    for (int t = 0; t < 64; t++)
        EXPECT(o.get()[t] == (10 + t) * (9 + t));
    loop<<<1, 64>>>(o, 200);
    LAUNCHED();
    for (int t = 0; t < 64; t++) {
        int s = 0;
        for (int i = 1; i < 200; i++) {
            int n = i % 50 + t % 3;
            s += n * (n - 1) / 2;
        }
        EXPECT(o.get()[t] == s);
    }
    recs<<<1, 64>>>(o);
    LAUNCHED();
    for (int t = 0; t < 64; t++)
        EXPECT(o.get()[t] == (t % 10) * (t % 10 + 1) / 2);
    bars<<<1, 64>>>(o, 7);
    LAUNCHED();
    for (int t = 0; t < 64; t++)
        EXPECT(o.get()[t] == 6 + 2 * t);
    return DONE();
}
