#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What NVIDIA's front end takes and clang refuses: the text is mended where clang's messages name it, in headers too.
. "$2/check.sh"
export HEDDLE_CACHE_DIR="$work/cache"

cat >apart.h <<'X'
#include <omp.h>
#define UNROLL #pragma unroll
static unsigned long __rdtsc() { return 9; }
struct box {
    template <int N> __host__ __device__ int get() const { return N; }
};
template <class T> __host__ __device__ int take(T t) { return t.get<3>(); }
template <class T> struct caster {
    template <int N> static __host__ __device__ T cast(T t) { return t + N; }
};
template <class T> __host__ __device__ T cast(T t) { return caster<T>::cast<5>(t) + caster<T>::template cast<0>(0); }
struct wide { typedef long number; };
template <class T> __host__ __device__ long count(long n) { long r; r = T::number(n != 5); return r; }
template <class T> struct never {
    int use(T t) { return missing_function(t, missing_constant); }
};
__device__ unsigned halves(unsigned a)
{
    unsigned r;
    asm("{\n\t.reg .u16 %low, %high;\n\tmov.b32 {%low, %high}, %1;\n\tmov.b32 %0, {%high, %low};\n\t}" : "=r"(r) : "r"(a));
    return r;
}
__device__ unsigned lane()
{
    unsigned r;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(r));
    return r;
}
// Called where no kernel comes, and by the host.
int twice(int n) { return 2 * n; }
class counter {
    int n;

public:
    counter(int n) : n(n) {}
    int next();
};
inline int counter::next() { return ++n; }
__host__ __device__ inline int either(int n) { return n > 100 ? twice(n) : n + 1; }
template <class T> __host__ __device__ T through(T n) { return counter(n).next() + either(n); }
#ifdef __CUDA_ARCH__
struct side { __device__ side(int n) : n(n + 1) {} int n; };
#else
struct side { __host__ side(int n) : n(n) {} int n; };
#endif
__device__ inline side make(int n) { return side(n); }
__global__ void kernel(int *p)
{
    int sum = 0;
    UNROLL
    for (int i = 0; i < 4; i++)
        sum += i;
    side s = make(4);
    p[0] = sum;
    p[1] = halves(0x10002);
    p[2] = take(box());
    p[3] = through(10);
    p[4] = s.n + lane();
    p[5] = either(200) + cast(1) + count<wide>(5);
}
#define HOST_SIDE __host__
template <class T> struct boxed {
    T v;
    __host__ __device__ boxed(T v, int n) : v(v + n) {}
};
template <class T> __host__ boxed(T, int) -> boxed<T>;
template <class T> HOST_SIDE
    boxed(T *, int) -> boxed<T>;
static inline void launch(int *p) { kernel<<<{1, 1, 1}, {1, 1}>>>(p); }
X
cat >m.cu <<'X'
#include <cstdio>
#include "apart.h"
int main()
{
    int *p;
    cudaMallocManaged(&p, 64);
    launch(p);
    cudaDeviceSynchronize();
    for (int i = 0; i < 6; i++)
        std::printf("%x ", p[i]);
    std::printf("%d %lu %d %d %d\n", twice(4), __rdtsc(), through(10), take(box()), boxed(30, 4).v);
}
X
says all "warning.*apart.h:15: use of undeclared identifier 'missing_constant', in a template that is not used" "$nvcc" m.cu -o m -lgomp
says all_run '^6 20001 3 16 5 196 8 9 22 3 34$' ./m
ok ptx "$nvcc" -ptx m.cu -o m.ptx

# Attributes behind CUDA's words in a namespace, where clang wants them first; and as a macro's.
cat >attribute.h <<'X'
#define BOTH __host__ __device__
#define USED [[nodiscard]]
#define QUIET __host__ __device__ [[nodiscard]]
#define ROUND(n) alignas(n)
#define SECTION
namespace lib {
// These words are no part of it, nor is the return of a line
__device__ alignas(64) int first;
SECTION
__constant__ ROUND(32) int second[2] = {3, 4};
#ifdef __CUDACC__
__device__ [[nodiscard]] inline int one() { return 1; }
#endif
BOTH USED
inline int two() { return 2; }
QUIET inline int three() { return 3; }
inline namespace v {
template <class T> BOTH [[nodiscard]] T four(T n) { return n + 4; }
__global__ __launch_bounds__(32) [[maybe_unused]] [[deprecated]] void kernel(int *p)
{
    p[0] = one() + two() * 10 + three() * 100 + four(0) * 1000;
    p[1] = (int)((unsigned long)&first % 64 + (unsigned long)&second % 32);
}
} // namespace v
} // namespace lib
X
cat >a.cu <<'X'
#include "attribute.h"
#include <cstdio>
int main()
{
    int *p;
    cudaMallocManaged(&p, 8);
    lib::kernel<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    std::printf("%d %d %d\n", p[0], p[1], lib::two() + lib::three());
}
X
ok attributes "$nvcc" -w a.cu -o a
says attributes_run '^4321 0 5$' ./a
cat >as.cu <<'X'
namespace lib {
static __device__ [[nodiscard]] int one() { return 1; }
} // namespace lib
X
fails attributes_static 'as.cu:2:.*attribute' "$nvcc" -c as.cu

# Host code whose operators are for the device alone in the device pass: other ones do as well, and none better.
cat >o.h <<'X'
#include <cuda_fp16.h>
#include <cstdlib>
namespace lib {
struct number : __half_raw {
    __host__ __device__ number() {}
    __host__ __device__ explicit number(float f) : __half_raw(static_cast<__half_raw>(__float2half(f))) {}
    __host__ __device__ operator float() const { return __half2float(__half(static_cast<const __half_raw &>(*this))); }
};
#if defined(__CUDA_ARCH__)
__device__ inline number operator-(const number &a, const number &b) { return number(float(a) - float(b)); }
#define OTHER {
#else
__host__ __device__ inline number operator-(const number &a, const number &b) { return number(float(a) - float(b) + 100); }
#define OTHER {
#endif
template <class T> struct pick { static T of(const T &a, const T &b); };
template <> inline number pick<number>::of(const number &a, const number &b)
{
    const char *text = "} ) {"; // brackets in texts
    return std::rand() < 0 || !text[0] ? a : number(b - a);
}
} // namespace lib
X
cat >o.cu <<'X'
#include "o.h"
#include <cstdio>
__global__ void kernel(float *p) { *p = lib::number(9.0f) - lib::number(4.0f); }
int main()
{
    float *p;
    cudaMallocManaged(&p, 4);
    kernel<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    std::printf("%g %g\n", *p, (float)lib::pick<lib::number>::of(lib::number(1), lib::number(3)));
}
X
ok operators "$nvcc" -arch=sm_80 o.cu -o o
says operators_run '^5 102$' ./o

# Host functions of host functions: those further down have no bodies on the device.
cat >deep.cu <<'X'
#include <cstdio>
#include <string>
#include <vector>
inline std::string text(int n) { std::vector<int> v(3, n); return std::to_string(v[1] + n); } // it's the host's
inline int last(int n)
{
    std::string s = text(n); // "}" of no block
    /* Longer than what is compiled for the device at any depth: so far down this function has no body there, and what
       it calls is not looked at; programs for the device never come here, as they know that the library which text()
       uses is not for them. */
    return (int)s.size() + (s == "}" ? 1 : 0);
}
struct third { int n; int go() { return last(n) * 2; } };
inline int second(int n) { third t = {n}; return t.go(); }
template <class T> T first(T n) { return second(n) + 1; }
__host__ __device__ inline int either(int n) { return n > 100 ? first(n) : n + 1; }
__global__ void kernel(int *p) { *p = either(*p); }
int main()
{
    int *p;
    cudaMallocManaged(&p, 4);
    *p = 20;
    kernel<<<1, 1>>>(p);
    std::printf("%d %d %s\n", (cudaDeviceSynchronize(), *p), either(600), cudaGetErrorName(cudaGetLastError()));
    *p = 200; // what must not be reached
    kernel<<<1, 1>>>(p);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
X
ok deep "$nvcc" deep.cu -o deep
says deep_run '^21 9 cudaSuccess$' ./deep
says deep_reached '^cudaErrorLaunchFailure$' ./deep

# What cannot be mended is told as clang tells it, with the lines of the source.
cat >b.cu <<'X'
#include <string>
__host__ __device__ int size(const char *s) { return std::string(s).size(); }
__global__ void kernel(int *p, const char *s) { *p = size(s); }
X
fails library 'b.cu:2:.*reference to __host__ function' "$nvcc" -c b.cu
cat >n.cu <<'X'
template <class T> __device__ int f(T t) { return missing_function(t); }
__global__ void kernel(int *p) { *p = f(1); }
X
fails name 'n.cu:1:.*missing_function' "$nvcc" -c n.cu
cat >d.cu <<'X'
int host(int n) { return n; }
__global__ void kernel(int *p) { *p = host(*p); }
X
fails kernel 'd.cu:2:.*host' "$nvcc" -c d.cu
clean mend
finish
