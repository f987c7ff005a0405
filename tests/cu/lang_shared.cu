// SPDX-License-Identifier: Apache-2.0
// Shared variables of classes with empty constructors, in templates, and dynamic shared memory under several types.
#include "check.h"
struct Empty {
    __device__ Empty() {}
    int x;
};
struct Def {
    int a, b;
    Def() = default;
};
struct Pair {
    float x, y;
    __device__ Pair() {}
    __device__ Pair(float a, float b) : x(a), y(b) {}
};
template <class T, int N> struct Arr {
    T v[N];
    __device__ T &operator[](int i)
    {
        return v[i];
    }
};
template <class T> struct Sum {
    static __device__ T run(T x)
    {
        __shared__ T part[32];
        part[threadIdx.x] = x;
        __syncthreads();
        T s = 0;
        for (int i = 0; i < 32; i++)
            s += part[i];
        __syncthreads();
        return s;
    }
};
template <class T> struct SharedMemory {
    __device__ operator T *()
    {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
};
template <> struct SharedMemory<double> {
    __device__ operator double *()
    {
        extern __shared__ double __smem_d[];
        return __smem_d;
    }
};
union Storage {
    int i[32];
    double d[16];
    __device__ Storage() {}
};
__global__ void k(int *o)
{
    __shared__ Empty e;
    __shared__ Def d;
    __shared__ Pair p[4];
    __shared__ Arr<int, 32> a;
    __shared__ Storage st;
    __shared__ struct {
        int q, r;
    } anon;
    __shared__ alignas(16) unsigned char raw[64];
    if (threadIdx.x == 0) {
        e.x = 1;
        d.a = 2;
        p[3] = Pair(1, 2);
        anon.q = 9;
        st.i[5] = 6;
        new (raw) Pair(3, 4);
    }
    a[threadIdx.x] = threadIdx.x;
    __syncthreads();
    o[threadIdx.x] = e.x + d.a + int(p[3].y) + anon.q + st.i[5] + a[31 - threadIdx.x] + int(((Pair *)raw)->y);
    o[32 + threadIdx.x] = Sum<int>::run(threadIdx.x) + int(Sum<float>::run(0.5f));
}
extern __shared__ char dynamic[];
template <class T> __global__ void dyn(T *o)
{
    T *s = SharedMemory<T>();
    s[threadIdx.x] = T(threadIdx.x * 2);
    __syncthreads();
    o[threadIdx.x] = s[31 - threadIdx.x];
}
__global__ void parts(int *o)
{
    int *a = (int *)dynamic;
    double *b = (double *)(dynamic + 128);
    a[threadIdx.x] = 1;
    b[threadIdx.x] = 2;
    __syncthreads();
    o[threadIdx.x] = a[threadIdx.x ^ 1] + int(b[threadIdx.x ^ 2]);
}
int main()
{
    Buffer<int> o(64);
    Buffer<double> d(32);
    Buffer<float> f(32);
    k<<<1, 32>>>(o);
    LAUNCHED();
    for (int t = 0; t < 32; t++)
        EXPECT(o.get()[t] == 1 + 2 + 2 + 9 + 6 + 31 - t + 4 && o.get()[32 + t] == 496 + 16);
    dyn<int><<<1, 32, 32 * 8>>>(o);
    LAUNCHED();
    EXPECT(o.get()[0] == 62);
    dyn<double><<<1, 32, 32 * 8>>>(d);
    LAUNCHED();
    EXPECT(d.get()[1] == 60);
    dyn<float><<<1, 32, 32 * 8>>>(f);
    LAUNCHED();
    EXPECT(f.get()[1] == 60);
    parts<<<1, 32, 1024>>>(o);
    LAUNCHED();
    EXPECT(o.get()[3] == 3);
    return DONE();
}
