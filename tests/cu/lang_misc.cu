// SPDX-License-Identifier: Apache-2.0
// Attributes, pragmas and helpers of CUDA C++: bounds, unrolling, targets, address spaces, variable templates, new and
// delete.
// nvcc: --expt-relaxed-constexpr -arch=sm_90
#include "check.h"
#include <new>
#include <nv/target>
#include <array>
#include <tuple>
#include <limits>
#include <algorithm>
#pragma nv_diag_suppress 177
#pragma nv_diag_default 177
#pragma nv_diagnostic push
#pragma nv_diag_suppress 550
#pragma nv_diagnostic pop
#pragma nv_exec_check_disable
#pragma hd_warning_disable
template <class F> __host__ __device__ void call(F f)
{
    f();
}
template <class T> __device__ T pi_v = T(3.14159265358979323846);
template <int N> __constant__ int cv = N * 2;
template <int N> __device__ int dv = N * 3;
__device__ constexpr int primes[] = {2, 3, 5, 7, 11};
__device__ constexpr float log10_inverse() // of mathematics, which no kernel's compiler can evaluate
{
    return 1.f / ::log(10.f);
}
constexpr int table(int i)
{
    return primes[i] * 2;
} // constexpr without __device__
struct K {
    static constexpr int size = 12;
    static constexpr float vals[3] = {1.5f, 2.5f, 3.5f};
};
struct Params {
    int a[64];
    double d;
};
__global__ void __launch_bounds__(64, 2) bounds2(int *o, const __grid_constant__ Params p)
{
    const Params *q = &p;
    o[threadIdx.x] = q->a[threadIdx.x] + int(q->d);
}
__global__ __launch_bounds__(64, 2, 1) void bounds3(int *o)
{
    o[threadIdx.x] = 3;
}
__global__ void __maxnreg__(32) regs(int *o)
{
    o[threadIdx.x] = 4;
}
__noinline__ __device__ int far_away(int x)
{
    return x * 3;
}
__forceinline__ __device__ int near_by(int x)
{
    return x + 1;
}
__inline_hint__ __device__ int hinted(int x)
{
    return x + 2;
}
template <int N> __device__ int unrolled(const int *a)
{
    int s = 0;
#pragma unroll N
    for (int i = 0; i < 8; i++)
        s += a[i];
#pragma unroll(N + 1)
    for (int i = 0; i < 8; i++)
        s += a[i];
#pragma unroll 1
    for (int i = 0; i < 8; i++)
        s += a[i];
#pragma unroll
    for (int i = 0; i < 8; i++)
        s += a[i];
    constexpr int U = N * 2;
#pragma unroll U
    for (int i = 0; i < 8; i++)
        s += a[i];
#pragma unroll K::size
    for (int i = 0; i < 8; i++)
        s += a[i];
    return s;
}
__host__ __device__ int where()
{
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 2;
#endif
}
__host__ __device__ int where2()
{
    int r = 0;
    NV_IF_TARGET(NV_IS_DEVICE, (r = 1;), (r = 2;))
    NV_IF_ELSE_TARGET(NV_PROVIDES_SM_70, (r += 10;), (r += 20;)) return r;
}
int host_only()
{
    return 5;
}
template <bool H> __host__ __device__ int maybe()
{
    if constexpr (H)
        return host_only();
    else
        return 1;
}
template <class T> struct Holder {
    T v;
    __host__ __device__ Holder(T x) : v(x) {}
    __host__ __device__ int hostcall()
    {
        return host_only();
    }
    __host__ __device__ T get() const
    {
        return v;
    }
};
__global__ void k(int *o, const int *a)
{
    int n = 0;
    o[n++] = int(pi_v<float> * 100);
    o[n++] = cv<5> + dv<5>;
    o[n++] = table(threadIdx.x + 3);
    o[n++] = primes[threadIdx.x + 2] + K::size + int(K::vals[1]);
    o[n++] = far_away(near_by(hinted(1)));
    o[n++] = unrolled<2>(a);
    o[n++] = where();
    o[n++] = where2();
    o[n++] = maybe<false>();
    o[n++] = Holder<int>(4).get();
    int x = a[0] + 1;
    __builtin_assume(x > 0);
    o[n++] = __builtin_expect(x > 0, 1) ? 1 : 0;
    const int *al = (const int *)__builtin_assume_aligned(a, 16);
    o[n++] = al[1];
    __shared__ int sh;
    int loc = 3;
    sh = 2;
    o[n++] = __isGlobal(a) + __isShared(&sh) * 2 + __isLocal(&loc) * 4 + __isConstant(&cv<5>) * 8 + __isShared(a) * 16;
    o[n++] = *(int *)__cvta_shared_to_generic(__cvta_generic_to_shared(&sh));
    long long c0 = clock64();
    clock_t c1 = clock();
    __nanosleep(10);
    o[n++] = clock64() >= c0 && (int)((unsigned)clock() - (unsigned)c1) >= 0; // 32 bits wrap around
    unsigned long long g;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(g));
    o[n++] = g > 0;
    int *p = new int[10];
    p[9] = 4;
    o[n++] = p[9];
    delete[] p;
    alignas(8) char buf[16];
    Holder<double> *h = new (buf) Holder<double>(2.5);
    o[n++] = int(h->get() * 2);
    h->~Holder<double>();
    __prof_trigger(0);
    std::array<int, 4> ar{1, 2, 3, 4};
    o[n++] = ar[2] + int(ar.size());
    o[n++] = std::numeric_limits<int>::max() == 2147483647;
    auto tup = std::make_tuple(1, 2.5f);
    o[n++] = std::get<0>(tup);
    o[n++] = std::max(3, 4) + std::min(1, 2);
    call([&] { o[n++] = 6; });
    o[n++] = __builtin_popcount(7) + __builtin_clz(1) + __popc(3) + __ffs(8);
    o[n++] = int(__cosf(0.f)) + __float_as_int(1.0f) / 0x3f800000;
    if (x < 0)
        __trap();
    if (x < 0)
        __brkpt();
    o[n++] = int(log10_inverse() * 1000);
    o[n++] = n;
}
int main()
{
    Buffer<int> o(64), a(std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8});
    k<<<1, 1>>>(o, a);
    LAUNCHED();
    auto v = o.get();
    int want[] = {314, 25, 14, 19, 12, 216, 1, 11, 1, 4, 1, 2, 15, 2, 1, 1, 4, 5, 7, 1, 1, 5, 6, 3 + 31 + 2 + 4,
                  2,   434};
    for (unsigned i = 0; i < sizeof want / sizeof *want; i++) {
        if (v[i] != want[i])
            printf("%u: %d\n", i, v[i]);
        EXPECT(v[i] == want[i]);
    }
    Params p{};
    p.a[3] = 5;
    p.d = 2;
    bounds2<<<1, 64>>>(o, p);
    LAUNCHED();
    EXPECT(o.get()[3] == 7);
    bounds3<<<1, 64>>>(o);
    LAUNCHED();
    regs<<<1, 64>>>(o);
    LAUNCHED();
    EXPECT(o.get()[3] == 4);
    EXPECT(where() == 2 && where2() == 22 && maybe<true>() == 5);
    bounds2<<<{1, 1, 1}, {64, 1, 1}>>>(o, p);
    LAUNCHED();
    bounds2<<<{1}, {64}, 0, 0>>>(o, p);
    LAUNCHED();
    return DONE();
}
