// SPDX-License-Identifier: Apache-2.0
// Pointers to functions and members, in tables and from the host; virtual functions; recursion, mutual and with local
// arrays.
#include "check.h"
typedef int (*op)(int, int);
__device__ int add(int a, int b)
{
    return a + b;
}
__device__ int sub(int a, int b)
{
    return a - b;
}
__device__ int mul(int a, int b)
{
    return a * b;
}
__device__ op table[3] = {add, sub, mul};
__constant__ op ctable[2] = {mul, add};
__device__ op chosen = sub;
template <class T> __device__ T gen(T a, T b)
{
    return a * 10 + b;
}
__device__ int (*tgen)(int, int) = gen<int>;
struct Shape {
    __device__ virtual ~Shape() {}
    __device__ virtual float area() const = 0;
    __device__ virtual int id() const
    {
        return 0;
    }
};
struct Square : Shape {
    float s;
    __device__ Square(float x) : s(x) {}
    __device__ float area() const override
    {
        return s * s;
    }
    __device__ int id() const override
    {
        return 1;
    }
};
struct Rect : Shape {
    float a, b;
    __device__ Rect(float x, float y) : a(x), b(y) {}
    __device__ float area() const override
    {
        return a * b;
    }
};
struct A {
    virtual __host__ __device__ int fa()
    {
        return 1;
    }
    int x = 5;
};
struct B {
    virtual __host__ __device__ int fb()
    {
        return 2;
    }
    int y = 6;
};
struct C : A, virtual B {
    __host__ __device__ int fa() override
    {
        return 10 + y;
    }
    __host__ __device__ int fb() override
    {
        return 20 + x;
    }
};
struct M {
    int a, b;
    __host__ __device__ int get() const
    {
        return a * 100 + b;
    }
    __host__ __device__ int put(int v)
    {
        a = v;
        return b;
    }
};
__device__ int M::*field = &M::b;
__global__ void kernel(int *out, op from_host, int which)
{
    int t = threadIdx.x;
    out[t] = table[t % 3](t, 2);
    out[32 + t] = ctable[t % 2](t, 3);
    if (t == 0) {
        out[64] = chosen(7, 2);
        out[65] = tgen(4, 5);
        out[66] = from_host ? from_host(8, 9) : -1;
        op local[2] = {add, mul};
        out[67] = local[which](6, 7);
        Shape *s[2] = {new Square(3), new Rect(2, 5)};
        out[68] = int(s[0]->area() + s[1]->area()) + s[0]->id() * 100 + s[1]->id();
        delete s[0];
        delete s[1];
        C c;
        A *a = &c;
        B *b = &c;
        out[69] = a->fa();
        out[70] = b->fb();
        M m{3, 4};
        int (M::*get)() const = &M::get;
        int (M::*put)(int) = &M::put;
        out[71] = (m.*get)() + (m.*put)(9) + m.a;
        out[72] = m.*field;
        auto lam = [](int x, int y) { return x * 1000 + y; };
        op fp = lam;
        out[73] = fp(2, 3);
        int M::*pm[2] = {&M::a, &M::b};
        out[74] = m.*pm[which];
    }
}
__global__ void take(op *p, int k)
{
    *p = k == 0 ? add : k == 1 ? sub : mul;
}
__device__ int ack(int m, int n)
{
    return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1));
}
__device__ bool odd(int n);
__device__ bool even(int n)
{
    return n == 0 ? true : odd(n - 1);
}
__device__ bool odd(int n)
{
    return n == 0 ? false : even(n - 1);
}
__global__ void recursion(int *out)
{
    out[threadIdx.x] = ack(2, threadIdx.x % 4) * 2 + even(threadIdx.x);
}
__device__ int depth_sum(const int *a, int n)
{
    int local[4];
    for (int i = 0; i < 4; i++)
        local[i] = a[(n + i) % 8];
    return n == 0 ? 0 : local[n % 4] + depth_sum(a, n - 1);
}
__global__ void recursion2(int *out, const int *a)
{
    out[threadIdx.x] = depth_sum(a, threadIdx.x);
}
int main()
{
    Buffer<int> out(128);
    op h, *dp;
    OK(cudaMalloc(&dp, sizeof(op)));
    take<<<1, 1>>>(dp, 2);
    OK(cudaMemcpy(&h, dp, sizeof h, cudaMemcpyDeviceToHost));
    kernel<<<1, 32>>>(out, h, 1);
    LAUNCHED();
    std::vector<int> o = out.get();
    for (int t = 0; t < 32; t++) {
        EXPECT(o[t] == (t % 3 == 0 ? t + 2 : t % 3 == 1 ? t - 2 : t * 2));
        EXPECT(o[32 + t] == (t % 2 ? t + 3 : t * 3));
    }
    EXPECT(o[64] == 5 && o[65] == 45 && o[66] == 72 && o[67] == 42 && o[68] == 119);
    EXPECT(o[69] == 16 && o[70] == 25 && o[71] == 304 + 4 + 9 && o[72] == 4 && o[73] == 2003 && o[74] == 4);
    OK(cudaMemcpyFromSymbol(&h, chosen, sizeof h));
    kernel<<<1, 32>>>(out, h, 0);
    LAUNCHED();
    EXPECT(out.get()[66] == -1 && out.get()[67] == 13);
    recursion<<<1, 32>>>(out);
    LAUNCHED();
    o = out.get();
    for (int t = 0; t < 32; t++)
        EXPECT(o[t] == (2 * (t % 4) + 3) * 2 + (t % 2 == 0));
    std::vector<int> a{1, 2, 3, 4, 5, 6, 7, 8};
    Buffer<int> da(a);
    recursion2<<<1, 32>>>(out, da);
    LAUNCHED();
    o = out.get();
    for (int t = 0; t < 32; t++) {
        int s = 0;
        for (int n = t; n; n--)
            s += a[(n + n % 4) % 8];
        EXPECT(o[t] == s);
    }
    return DONE();
}
