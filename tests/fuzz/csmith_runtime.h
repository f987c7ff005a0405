// SPDX-License-Identifier: Apache-2.0
// What programs of csmith stand on when they run as kernels. Each is a structure here, its global variables members and
// its functions member functions, so that each thread has one of its own; `salt`, another number in each thread, goes
// into the first values of whole numbers and makes the threads take different ways. The same structure runs on the host.
#include <cuda_runtime.h>
#include <new>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define HD __host__ __device__ static inline
#define SAFE(T, S, U)                                                                                                  \
    HD T safe_unary_minus_func_##T##_##S(T a)                                                                          \
    {                                                                                                                  \
        return (T)(0 - (U)a);                                                                                          \
    }                                                                                                                  \
    HD T safe_add_func_##T##_##S##_##S(T a, T b)                                                                       \
    {                                                                                                                  \
        return (T)((U)a + (U)b);                                                                                       \
    }                                                                                                                  \
    HD T safe_sub_func_##T##_##S##_##S(T a, T b)                                                                       \
    {                                                                                                                  \
        return (T)((U)a - (U)b);                                                                                       \
    }                                                                                                                  \
    HD T safe_mul_func_##T##_##S##_##S(T a, T b)                                                                       \
    {                                                                                                                  \
        return (T)((U)a * (U)b);                                                                                       \
    }                                                                                                                  \
    HD T safe_div_func_##T##_##S##_##S(T a, T b)                                                                       \
    {                                                                                                                  \
        return b == 0 || ((T) - 1 < 0 && b == (T) - 1) ? a : (T)(a / b);                                               \
    }                                                                                                                  \
    HD T safe_mod_func_##T##_##S##_##S(T a, T b)                                                                       \
    {                                                                                                                  \
        return b == 0 || ((T) - 1 < 0 && b == (T) - 1) ? a : (T)(a % b);                                               \
    }                                                                                                                  \
    HD T safe_lshift_func_##T##_##S##_s(T a, int n)                                                                    \
    {                                                                                                                  \
        return n < 0 || n >= (int)sizeof(T) * 8 ? a : (T)((U)a << n);                                                  \
    }                                                                                                                  \
    HD T safe_lshift_func_##T##_##S##_u(T a, unsigned n)                                                               \
    {                                                                                                                  \
        return n >= sizeof(T) * 8 ? a : (T)((U)a << n);                                                                \
    }                                                                                                                  \
    HD T safe_rshift_func_##T##_##S##_s(T a, int n)                                                                    \
    {                                                                                                                  \
        return n < 0 || n >= (int)sizeof(T) * 8 ? a : (T)(a >> n);                                                     \
    }                                                                                                                  \
    HD T safe_rshift_func_##T##_##S##_u(T a, unsigned n)                                                               \
    {                                                                                                                  \
        return n >= sizeof(T) * 8 ? a : (T)(a >> n);                                                                   \
    }
SAFE(int8_t, s, uint32_t)
SAFE(uint8_t, u, uint32_t)
SAFE(int16_t, s, uint32_t)
SAFE(uint16_t, u, uint32_t)
SAFE(int32_t, s, uint32_t)
SAFE(uint32_t, u, uint32_t)
SAFE(int64_t, s, uint64_t)
SAFE(uint64_t, u, uint64_t)

struct salted {
    unsigned salt, sum;
    __host__ __device__ salted(unsigned s) : salt(s), sum(0) {}
    __host__ __device__ void add(uint64_t v)
    {
        sum = (sum ^ (unsigned)v) * 0x9E3779B1u;
        sum = ((sum ^ sum >> 15) + (unsigned)(v >> 32)) * 0x85EBCA77u;
    }
};
#define transparent_crc(value, name, flag) add((uint64_t)(value))
#define platform_main_begin()              ((void)0)
#define platform_main_end(x, flag)         ((void)0)
#define crc32_gentab()                     ((void)0)
#define CSMITH_PRINT(...)                  ((void)0)

enum { THREADS = 40 };
struct program {
    const char *name;
    void (*device)(unsigned *, char *);
    unsigned (*host)(char *, unsigned);
    size_t size;
};
template <class P> __global__ void run_device(unsigned *out, char *memory)
{
    unsigned t = threadIdx.x;
    P *p = new (memory + t * sizeof(P)) P(t * t * 77u & 0xffu);
    p->entry();
    out[t] = p->sum;
}
template <class P> unsigned run_host(char *memory, unsigned t)
{
    P *p = new (memory) P(t * t * 77u & 0xffu);
    p->entry();
    return p->sum;
}

static sigjmp_buf too_long;
static void alarmed(int)
{
    siglongjmp(too_long, 1);
}

// What runs for more than two seconds, or faults, is no program to compare.
static bool host_sums(const struct program *p, unsigned *sums)
{
    struct itimerval on = {{0, 0}, {2, 0}}, off = {{0, 0}, {0, 0}};
    char *memory = (char *)aligned_alloc(64, (p->size + 63) & ~(size_t)63);
    signal(SIGVTALRM, alarmed);
    volatile bool fine = true;
    if (sigsetjmp(too_long, 1)) {
        fine = false;
    } else {
        setitimer(ITIMER_VIRTUAL, &on, NULL);
        for (unsigned t = 0; t < THREADS; t++)
            sums[t] = p->host(memory, t);
    }
    setitimer(ITIMER_VIRTUAL, &off, NULL);
    free(memory);
    return fine;
}

static int test(const struct program *p)
{
    unsigned right[THREADS], got[THREADS], *out;
    char *memory;
    if (!p->host || !host_sums(p, right)) {
        printf("%s: left out: %s\n", p->name, p->host ? "runs too long on the host" : "csmith made none");
        return 0;
    }
    cudaMalloc((void **)&out, sizeof got);
    cudaMalloc((void **)&memory, p->size * THREADS);
    p->device(out, memory);
    cudaError_t l = cudaGetLastError(), s = cudaDeviceSynchronize();
    if (l || s) {
        printf("%s: error %s\n", p->name, cudaGetErrorName(l ? l : s));
        fflush(stdout);
        return 2;
    }
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(out);
    cudaFree(memory);
    for (unsigned t = 0; t < THREADS; t++)
        if (got[t] != right[t]) {
            printf("%s: differs in thread %u: %08x, right %08x\n", p->name, t, got[t], right[t]);
            fflush(stdout);
            return 1;
        }
    return 0;
}
static int run_all(const struct program *p, int n, int argc, char **argv)
{
    int first = argc > 1 ? atoi(argv[1]) : 0, last = argc > 2 ? atoi(argv[2]) : n - 1, bad = 0;
    for (int i = first; i <= last && i < n; i++) {
        printf("#%d\n", i);
        fflush(stdout);
        int r = test(&p[i]);
        bad |= r;
        if (r == 2)
            return 1;
    }
    printf("done\n");
    return bad != 0;
}
