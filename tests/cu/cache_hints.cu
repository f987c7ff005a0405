// SPDX-License-Identifier: Apache-2.0
// Loads with cache hints see the stores before them, also of their own thread, and those past the caches read anew: a
// loop waits by them for another block.
#include "check.h"

template <class T> struct make {
    static __device__ T of(int x)
    {
        return (T)x;
    }
    static __device__ int value(T x)
    {
        return (int)x;
    }
};
#define VECTOR2(T)                                                                                                     \
    template <> struct make<T> {                                                                                       \
        static __device__ T of(int x)                                                                                  \
        {                                                                                                              \
            return make_##T(x, x + 1);                                                                                 \
        }                                                                                                              \
        static __device__ int value(T v)                                                                               \
        {                                                                                                              \
            return (int)v.y - 1 == (int)v.x ? (int)v.x : -1;                                                           \
        }                                                                                                              \
    };
#define VECTOR4(T)                                                                                                     \
    template <> struct make<T> {                                                                                       \
        static __device__ T of(int x)                                                                                  \
        {                                                                                                              \
            return make_##T(x, x + 1, x + 2, x + 3);                                                                   \
        }                                                                                                              \
        static __device__ int value(T v)                                                                               \
        {                                                                                                              \
            return (int)v.y - 1 == (int)v.x && (int)v.w - (int)v.z == 1 ? (int)v.x : -1;                               \
        }                                                                                                              \
    };
VECTOR2(char2)
VECTOR4(uchar4)
VECTOR2(short2)
VECTOR4(ushort4)
VECTOR2(int2)
VECTOR4(uint4)
VECTOR2(longlong2)
VECTOR2(float2)
VECTOR4(float4)
VECTOR2(double2)

#define SEES(load, store)                                                                                              \
    store(p, make<T>::of(7));                                                                                          \
    first = make<T>::value(load(p));                                                                                   \
    store(p, make<T>::of(first + 5));                                                                                  \
    second = make<T>::value(load(p));                                                                                  \
    *p = make<T>::of(second + 1);                                                                                      \
    if (first != 7 || second != 12 || make<T>::value(load(p)) != 13)                                                   \
        atomicAdd(wrong, 1);

template <class T> __global__ void sees_stores(T *p, int *wrong)
{
    int first, second;
    p += threadIdx.x;
    SEES(__ldcg, __stcg)
    SEES(__ldca, __stwb)
    SEES(__ldcs, __stcs)
    SEES(__ldlu, __stwb)
    SEES(__ldcv, __stwt)
}

template <class T> static void see()
{
    Buffer<T> p(64);
    Buffer<int> wrong(1);
    sees_stores<T><<<1, 64>>>(p, wrong);
    LAUNCHED();
    EXPECT(wrong.get()[0] == 0);
}

// The block that waits has the lower number.
__global__ void wait_cg(int *flag, int *data)
{
    if (blockIdx.x == 1) {
        data[1] = 42;
        __threadfence();
        atomicExch(flag, 1);
        return;
    }
    while (__ldcg(flag) == 0)
        ;
    __threadfence();
    data[0] = __ldcg(data + 1);
}
__global__ void wait_cv(long long *flag, int *data)
{
    if (blockIdx.x == 1) {
        data[1] = 43;
        __threadfence();
        __stwt(flag, 1ll);
        return;
    }
    while (__ldcv(flag) == 0)
        ;
    __threadfence();
    data[0] = __ldcv(data + 1);
}
__global__ void wait_asm(int *flag, int *data)
{
    if (blockIdx.x == 1) {
        data[1] = 44;
        __threadfence();
        asm volatile("st.global.cg.b32 [%0], 1;" ::"l"(flag) : "memory");
        return;
    }
    int seen;
    do {
        asm volatile("ld.global.cg.b32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
    } while (!seen);
    __threadfence();
    data[0] = data[1];
}

int main()
{
    see<char>();
    see<signed char>();
    see<unsigned char>();
    see<short>();
    see<unsigned short>();
    see<int>();
    see<unsigned int>();
    see<long>();
    see<unsigned long>();
    see<long long>();
    see<unsigned long long>();
    see<float>();
    see<double>();
    see<char2>();
    see<uchar4>();
    see<short2>();
    see<ushort4>();
    see<int2>();
    see<uint4>();
    see<longlong2>();
    see<float2>();
    see<float4>();
    see<double2>();
    Buffer<int> flag(4), data(2);
    wait_cg<<<2, 1>>>(flag, data);
    LAUNCHED();
    EXPECT(data.get()[0] == 42);
    wait_cv<<<2, 1>>>((long long *)(flag + 2), data);
    LAUNCHED();
    EXPECT(data.get()[0] == 43);
    OK(cudaMemset(flag, 0, 4));
    wait_asm<<<2, 1>>>(flag, data);
    LAUNCHED();
    EXPECT(data.get()[0] == 44);
    return DONE();
}
