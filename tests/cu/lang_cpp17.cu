// SPDX-License-Identifier: Apache-2.0
// C++17 in device code: parameter packs, bindings, inline variables, static locals, 128-bit integers, the standard library.
// nvcc: --expt-relaxed-constexpr
#include "check.h"
#include <initializer_list>
#include <optional>
#include <variant>
#include <string_view>
#include <utility>
#include <tuple>
#include <array>
#include <functional>
#include <numeric>
static inline __device__ int inline_var = 31;
struct P3 {
    float x, y, z;
    P3() = default;
    constexpr __host__ __device__ P3(float a, float b, float c) : x(a), y(b), z(c) {}
};
__device__ P3 dpoint(1, 2, 3);
__constant__ P3 cpoint(4, 5, 6);
__device__ int counted()
{
    static int n = 100;
    return atomicAdd(&n, 1);
}
template <class T> __device__ T &slot()
{
    static __device__ T x = T(7);
    return x;
}
template <class... A> __global__ void variadic(int *o, A... a)
{
    o[0] = (0 + ... + int(a));
    o[1] = sizeof...(A);
    int i = 2;
    ((o[i++] = int(a)), ...);
}
template <int... I> __device__ int seq(std::integer_sequence<int, I...>)
{
    return (I + ... + 0);
}
struct NT {
    int v;
    __host__ __device__ NT(int x) : v(x) {}
    __host__ __device__ NT(const NT &o) : v(o.v + 1) {}
    __host__ __device__ ~NT() {}
};
__global__ void by_value(int *o, NT n)
{
    *o = n.v;
}
namespace ns
{
namespace
{
__global__ void hidden(int *o)
{
    *o = 55;
}
} // namespace
template <class T> __global__ void tk(int *o, T x)
{
    *o = int(x) * 2;
}
} // namespace ns
extern "C" __global__ void c_kernel(int *o)
{
    *o = 66;
}
static __global__ void static_kernel(int *o)
{
    *o = 67;
}
template <void (*K)(int *)> void launch(int *o)
{
    K<<<1, 1>>>(o);
}
template <int B> __global__ void __launch_bounds__(B) bounded(int *o)
{
    o[threadIdx.x] = B;
}
enum class E : char { a = 3, b };
struct Bits {
    unsigned a : 3, b : 7;
    int c : 22;
};
template <class D> struct Crtp {
    __device__ int call()
    {
        return static_cast<D *>(this)->impl();
    }
};
struct Crtp1 : Crtp<Crtp1> {
    __device__ int impl()
    {
        return 8;
    }
};
struct Pool {
    int x;
    static __device__ void *operator new(size_t n)
    {
        return malloc(n);
    }
    static __device__ void operator delete(void *p)
    {
        free(p);
    }
};
struct Ctor {
    int v;
    __device__ Ctor() : v(9) {}
    __device__ ~Ctor()
    {
        inline_var = 77;
    }
};
__device__ int sum_list(std::initializer_list<int> l)
{
    int s = 0;
    for (int x : l)
        s += x;
    return s;
}
template <class T> struct Guide {
    T v;
    __host__ __device__ Guide(T x) : v(x) {}
};
__device__ __int128 big(__int128 a, __int128 b)
{
    return a * b / (b - 1) + a % b;
}
__global__ void k(int *o, E e)
{
    int n = 0;
    o[n++] = int(dpoint.y) + int(cpoint.z);
    o[n++] = counted() + counted();
    o[n++] = slot<int>() + int(slot<float>());
    o[n++] = seq(std::make_integer_sequence<int, 5>{});
    o[n++] = int(e);
    Bits b;
    b.a = 5;
    b.b = 100;
    b.c = -3;
    o[n++] = b.a + b.b + b.c;
    o[n++] = Crtp1().call();
    Pool *p = new Pool{4};
    o[n++] = p->x;
    delete p;
    Ctor *c = new Ctor[3];
    o[n++] = c[2].v;
    delete[] c;
    o[n++] = inline_var;
    o[n++] = sum_list({1, 2, 3, 4});
    Guide g(2.5);
    o[n++] = int(g.v * 2);
    auto [x, y] = std::pair<int, float>(3, 4.5f);
    o[n++] = x + int(y);
    int arr[3] = {7, 8, 9};
    auto &[q, r, s] = arr;
    r = 1;
    o[n++] = arr[0] + arr[1] + arr[2] + q + s;
    __int128 v = big((__int128)1 << 70, 1000003);
    o[n++] = int(v >> 50);
    o[n++] = int((unsigned)v);
    unsigned __int128 u = ~(unsigned __int128)0;
    o[n++] = int(u / 3 >> 96 & 0xffff);
    std::optional<int> op = 5;
    o[n++] = op.value_or(1);
    const char *f = __func__;
    o[n++] = f[0] == 'k';
#if defined(__clang__) // NVIDIA's compiler takes it, and drops the code behind
    std::string_view sv("hello");
    o[n++] = int(sv.size()) + sv[1] + (sv == "hello") - 1;
#else
    o[n++] = 5 + 'e';
#endif
    int val = 3;
    switch (val) {
    case 1:
        o[n++] = 1;
        break;
    case 2:
    case 3:
        o[n++] = 24;
        break;
    default:
        o[n++] = 0;
    }
    char text[8];
    memcpy(text, "abcdefg", 8);
    memset(text, 'z', 2);
    o[n++] = text[1] + text[2];
    union {
        float f;
        unsigned u;
    } un;
    un.f = 1.0f;
    o[n++] = un.u >> 23;
    goto done;
    o[n++] = -1;
done:
    o[n++] = __builtin_bswap32(0x01020304) == 0x04030201;
    o[n++] = __builtin_ctzll(8) + __builtin_clzll(1) + __builtin_parity(7) + __builtin_ffs(4);
    o[n++] = int(__builtin_fma(2.0, 3.0, 4.0)) + int(__builtin_sqrtf(16.f)) + int(std::fmax(2.f, 3.f)) + std::abs(-3);
    constexpr auto lam = [](int a) constexpr { return a * a; };
    static_assert(lam(3) == 9);
    o[n++] = lam(4);
    std::array<int, 3> sa{3, 1, 2};
    o[n++] = std::get<1>(sa) + int(sa.size());
    long double ld = 1.5;
    o[n++] = int(ld * 2);
    struct Local {
        int a;
        __device__ int get() const
        {
            return a;
        }
    };
    o[n++] = Local{12}.get();
    o[n++] = std::is_same_v<decltype(threadIdx.x), unsigned> + (alignof(float4) == 16);
    auto t = threadIdx;
    uint3 t3 = blockIdx;
    dim3 d3 = blockDim;
    o[n++] = t.x + t3.x + d3.x;
    o[n++] = std::plus<>()(3, 4);
    o[n] = n;
}

int main()
{
    Buffer<int> o(64);
    k<<<1, 1>>>(o, E::b);
    LAUNCHED();
    auto v = o.get();
    __int128 a = (__int128)1 << 70, b = 1000003, w = a * b / (b - 1) + a % b;
    int want[] = {8,
                  201,
                  14,
                  10,
                  4,
                  102,
                  8,
                  4,
                  9,
                  77,
                  10,
                  5,
                  7,
                  33,
                  int(w >> 50),
                  int((unsigned)w),
                  0x5555,
                  5,
                  1,
                  5 + 'e',
                  24,
                  'z' + 'c',
                  127,
                  1,
                  3 + 63 + 1 + 3,
                  10 + 4 + 3 + 3,
                  16,
                  4,
                  3,
                  12,
                  2,
                  1,
                  7,
                  33};
    for (unsigned i = 0; i < sizeof want / sizeof *want; i++) {
        if (v[i] != want[i])
            printf("%u: %d\n", i, v[i]);
        EXPECT(v[i] == want[i]);
    }
    variadic<<<1, 1>>>(o.p, 1, 2.5f, 'a', 4ll);
    LAUNCHED();
    EXPECT(o.get()[0] == 104 && o.get()[1] == 4 && o.get()[4] == 97);
    variadic<<<1, 1>>>(o.p);
    LAUNCHED();
    EXPECT(o.get()[0] == 0);
    by_value<<<1, 1>>>(o, NT(5));
    LAUNCHED();
    EXPECT(o.get()[0] >= 5);
    ns::hidden<<<1, 1>>>(o);
    LAUNCHED();
    EXPECT(o.get()[0] == 55);
    ns::tk<double><<<1, 1>>>(o, 4.5);
    LAUNCHED();
    EXPECT(o.get()[0] == 8);
    ns::tk<<<1, 1>>>(o, 5);
    LAUNCHED();
    EXPECT(o.get()[0] == 10);
    launch<c_kernel>(o);
    LAUNCHED();
    EXPECT(o.get()[0] == 66);
    launch<static_kernel>(o);
    LAUNCHED();
    EXPECT(o.get()[0] == 67);
    auto fp = bounded<64>;
    fp<<<1, 32>>>(o);
    LAUNCHED();
    EXPECT(o.get()[5] == 64);
    void (*fq)(int *) = c_kernel;
    (*fq)<<<dim3(1), dim3(1), 0, nullptr>>>(o);
    LAUNCHED();
    EXPECT(o.get()[0] == 66);
    return DONE();
}
