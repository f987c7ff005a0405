// SPDX-License-Identifier: Apache-2.0
// Lambdas in kernels, and lambdas of the host that kernels are given: captures by value, of arrays and of *this,
// generic and recursive ones.
// nvcc: --extended-lambda
#include "check.h"
#include <type_traits>
template <class F> __global__ void apply(F f, int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        f(p[i], i);
}
template <class F> void host_apply(F f, int *p, int n)
{
    for (int i = 0; i < n; i++)
        f(p[i], i);
}
template <class F> __host__ __device__ int twice(F f, int x)
{
    return f(f(x));
}
template <class F> __global__ void apply_twice(F f, int *p)
{
    p[threadIdx.x] = twice(f, (int)threadIdx.x);
}
struct S {
    int k;
    void run(int *p)
    {
        apply<<<1, 32>>>([*this] __device__(int &x, int i) { x = k * i; }, p, 32);
    }
    void run2(int *p)
    {
        int kk = k;
        auto f = [=] __device__(int &x, int i) { x = kk + i; };
        apply<<<1, 32>>>(f, p, 32);
    }
};
struct Big {
    int a[20];
    double d;
};
__device__ int dfun(int x)
{
    return x + 5;
}
__global__ void inner(int *p)
{
    int base = threadIdx.x;
    auto f = [&](int x) { return x + base; };
    auto g = [f](auto x) mutable { return f(int(x)) * 2; };
    auto rec = [](auto self, int n) -> int { return n < 2 ? n : self(self, n - 1) + self(self, n - 2); };
    p[threadIdx.x] = g(3.5) + rec(rec, 7);
}
int main()
{
    Buffer<int> p(64);
    int k = 3;
    float fl = 1.5f;
    apply<<<1, 64>>>([=] __device__(int &x, int i) { x = i * k + int(fl); }, p.p, 64);
    LAUNCHED();
    for (int i = 0; i < 64; i++)
        EXPECT(p.get()[i] == i * 3 + 1);
    auto hd = [=] __host__ __device__(int &x, int i) { x = i - k; };
    apply<<<1, 64>>>(hd, p.p, 64);
    LAUNCHED();
    std::vector<int> v(64);
    host_apply(hd, v.data(), 64);
    EXPECT(v == p.get());
    S{7}.run(p);
    LAUNCHED();
    EXPECT(p.get()[5] == 35);
    S{7}.run2(p);
    LAUNCHED();
    EXPECT(p.get()[5] == 12);
    Big b{};
    b.a[19] = 42;
    b.d = 0.5;
    apply<<<1, 1>>>([b] __device__(int &x, int) { x = b.a[19] + int(b.d * 2); }, p.p, 1);
    LAUNCHED();
    EXPECT(p.get()[0] == 43);
    int arr[3] = {4, 5, 6};
    apply<<<1, 3>>>([arr] __device__(int &x, int i) { x = arr[i]; }, p.p, 3);
    LAUNCHED();
    EXPECT(p.get()[2] == 6);
    apply_twice<<<1, 32>>>([] __device__(int x) { return dfun(x) * 2; }, p.p);
    LAUNCHED();
    EXPECT(p.get()[1] == 34);
    apply_twice<<<1, 32>>>([] __host__ __device__(int x) { return x + 1; }, p.p);
    LAUNCHED();
    EXPECT(p.get()[1] == 3);
    inner<<<1, 4>>>(p);
    LAUNCHED();
    EXPECT(p.get()[2] == (3 + 2) * 2 + 13);
    return DONE();
}
