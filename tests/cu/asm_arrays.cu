// SPDX-License-Identifier: Apache-2.0
// Inline PTX whose words come from constant arrays: constraint "C".
// clang: 20
#include "check.h"

template <class T> struct word;
template <> struct word<int> {
    static constexpr char suffix[] = ".s32";
};
template <> struct word<unsigned> {
    static constexpr char suffix[] = ".u32";
};
__device__ constexpr char operation[] = {'m', 'i', 'n', '\0'};

template <class T> __device__ T least(T a, T b)
{
    T r;
    asm("%3%4 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b), "C"(operation), "C"(word<T>::suffix));
    return r;
}
#define TWICE(r, a, name)                                                                                              \
    asm volatile("{ .reg .b32 t; mov.u32 t, %%laneid; add%2%3 %0, %1, %1; }"                                           \
                 : "=r"(r)                                                                                             \
                 : "r"(a), "C"(name), "C"(nothing)                                                                     \
                 : "memory")

__global__ void words(int *out)
{
    static constexpr char product[] = "mul.lo.s32", nothing[] = "";
    int r;
    out[0] = least<int>(-3, 4);
    out[1] = (int)least<unsigned>((unsigned)-3, 4u);
    asm volatile("%2 %0, %1, %3;" : "=r"(r) : "r"(out[0]), "C"(product), "n"(10) : "memory");
    out[2] = r;
    TWICE(r, out[2], word<int>::suffix);
    out[3] = r;
}

int main()
{
    int *p, host[4];
    OK(cudaMalloc(&p, sizeof host));
    words<<<1, 1>>>(p);
    OK(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT(host[0] == -3);
    EXPECT(host[1] == 4);
    EXPECT(host[2] == -30);
    EXPECT(host[3] == -60);
    OK(cudaFree(p));
    return DONE();
}
