// SPDX-License-Identifier: Apache-2.0
// C++20 in device code: concepts, spaceship, consteval, designated initialisers, structured bindings, template lambdas.
// nvcc: -std=c++20 --expt-relaxed-constexpr
#include "check.h"
#include <compare>
#include <concepts>
#include <type_traits>
#include <utility>
template <class T>
concept Number = std::is_arithmetic_v<T>;
template <Number T> __host__ __device__ T square(T x)
{
    return x * x;
}
struct V {
    int a, b;
    auto operator<=>(const V &) const = default;
};
consteval int cube(int x)
{
    return x * x * x;
}
constexpr __host__ __device__ int fact(int n)
{
    int r = 1;
    for (int i = 2; i <= n; i++)
        r *= i;
    return r;
}
struct Opt {
    int x = 1;
    float y = 2;
    int z[2] = {3, 4};
};
template <auto N> __device__ int nontype()
{
    return int(N);
}
struct Lit {
    int v;
};
template <Lit L> __device__ int lit()
{
    return L.v;
}
__global__ void k(int *o)
{
    int t = threadIdx.x;
    o[t] = square(t) + cube(2);
    V u{1, t}, v{1, 2};
    o[32 + t] = u < v ? -1 : u == v ? 0 : 1;
    Opt p{.x = 5, .y = 6.5f};
    auto [a, b, c] = p;
    o[64 + t] = a + int(b) + c[1];
    constexpr int f = fact(6);
    o[96 + t] = f + nontype<7u>() + lit<Lit{9}>();
    auto g = []<class T>(T x) { return x + T(1); };
    o[128 + t] = g(t) + int(g(1.5));
    if constexpr (requires(V w) { w.a; })
        o[160 + t] = 1;
    int sum = 0;
    for (int arr[] = {1, 2, 3}; int x : arr)
        sum += x;
    o[192 + t] = sum + 9 + std::pair<int, int>(1, 2).second;
    if (int q = t; q % 2 == 0) [[likely]]
        o[224 + t] = q;
    else
        o[224 + t] = -q;
}

enum class Color { red, green };
__global__ void e(int *o)
{
    using enum Color;
    Color c = threadIdx.x ? green : red;
    switch (c) {
    case red:
        o[threadIdx.x] = 10;
        break;
    case green:
        o[threadIdx.x] = 20;
    }
}
int main()
{
    Buffer<int> o(256);
    k<<<1, 32>>>(o);
    LAUNCHED();
    auto v = o.get();
    for (int t = 0; t < 32; t++) {
        EXPECT(v[t] == t * t + 8);
        EXPECT(v[32 + t] == (t < 2 ? -1 : t == 2 ? 0 : 1));
        EXPECT(v[64 + t] == 15);
        EXPECT(v[96 + t] == 736);
        EXPECT(v[128 + t] == t + 3);
        EXPECT(v[160 + t] == 1);
        EXPECT(v[192 + t] == 17);
        EXPECT(v[224 + t] == (t % 2 ? -t : t));
    }
    e<<<1, 2>>>(o);
    LAUNCHED();
    EXPECT(o.get()[1] == 20);
    return DONE();
}
