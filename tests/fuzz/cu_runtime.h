// SPDX-License-Identifier: Apache-2.0
// What random CUDA kernels stand on. The kernels' text is read twice: in namespace dev it is device code, in namespace
// ref plain host code that runs the threads of a block as fibers, one at a time, so that both execute one source.
//
// A kernel's result must not depend on the schedule: memory that several threads touch is written before a barrier and
// read after it, or only by atomics of one commutative operation a cell; a collective's mask names the threads that
// really come. Arithmetic is defined for all operands; NaNs count as one value.
//
// PROGRAM [FIRST [LAST]] runs kernels FIRST to LAST and prints one line for each that is not right; it ends with status
// 1 after the first error of the device, since a fault stays with the context. Runs with NVIDIA's nvcc as well.
#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned u32;
typedef long long i64;
typedef unsigned long long u64;
typedef __int128 i128;
typedef unsigned __int128 u128;
typedef float f32;
typedef double f64;

#define HD __host__ __device__ static inline

// Arithmetic that is defined for all operands: it wraps, shifts by the count modulo the width, and keeps x where the
// divisor is 0.
template <class T> struct wide {
    typedef u32 t;
};
template <> struct wide<i64> {
    typedef u64 t;
};
template <> struct wide<u64> {
    typedef u64 t;
};
template <> struct wide<i128> {
    typedef u128 t;
};
template <> struct wide<u128> {
    typedef u128 t;
};
template <> struct wide<f32> {
    typedef f32 t;
};
template <> struct wide<f64> {
    typedef f64 t;
};
template <class T> HD T ADD(T a, T b)
{
    return (T)((typename wide<T>::t)a + (typename wide<T>::t)b);
}
template <class T> HD T SUB(T a, T b)
{
    return (T)((typename wide<T>::t)a - (typename wide<T>::t)b);
}
template <class T> HD T MUL(T a, T b)
{
    return (T)((typename wide<T>::t)a * (typename wide<T>::t)b);
}
template <class T> HD T NEG(T a)
{
    return (T)((typename wide<T>::t)0 - (typename wide<T>::t)a);
}
template <class T> HD T DIV(T a, T b)
{
    return b == 0 ? a : (T)-1 < 0 && b == (T)-1 ? NEG<T>(a) : (T)(a / b);
}
template <class T> HD T REM(T a, T b)
{
    return b == 0 ? a : (T)-1 < 0 && b == (T)-1 ? (T)0 : (T)(a % b);
}
template <class T> HD T SHL(T a, u32 n)
{
    return (T)((typename wide<T>::t)a << (n & (sizeof(T) * 8 - 1)));
}
template <class T> HD T SHR(T a, u32 n)
{
    return (T)(a >> (n & (sizeof(T) * 8 - 1)));
}
// Of two zeros the positive one: compilers take a selection with a zero for a minimum or maximum, which orders zeros, and know that no sum with
// 0.0 is needed where the selection cannot be negative. So it is the bits that are asked.
template <class T> HD T ZERO(T x)
{
    return x;
}
HD f32 ZERO(f32 x)
{
    u32 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits << 1 ? x : 0.0f;
}
HD f64 ZERO(f64 x)
{
    u64 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits << 1 ? x : 0.0;
}
template <class T> HD T MIN(T a, T b)
{
    return ZERO(b < a ? b : a);
}
template <class T> HD T MAX(T a, T b)
{
    return ZERO(a < b ? b : a);
}
// Conversions: of floats the whole part, within half of the range of T; NaN gives 3.
template <class T> struct is_float {
    static const bool value = false;
};
template <> struct is_float<f32> {
    static const bool value = true;
};
template <> struct is_float<f64> {
    static const bool value = true;
};
template <class T> HD T CV(f64 x)
{
    if constexpr (is_float<T>::value)
        return (T)x;
    else {
        // The limit is no conversion of a constant: NVIDIA's compiler gets 0x1p126 as 128 bits wrong.
        const f64 most = sizeof(T) > 8 ? 0x1p126 : (f64)((u64)1 << (sizeof(T) * 8 - 2) % 64);
        const T limit = (T)((T)1 << (sizeof(T) * 8 - 2));
        return x != x ? (T)3 : x >= most ? limit : x <= ((T)-1 < 0 ? -most : 0.0) ? (T)((T)-1 < 0 ? -limit : 0) : (T)x;
    }
}
template <class T> HD T CV(f32 x)
{
    if constexpr (is_float<T>::value)
        return (T)x;
    else
        return CV<T>((f64)x);
}
template <class T, class S> HD T CV(S x)
{
    return (T)x;
}
// The bits of a value, with one NaN for all. The test is one of integers: clang replaces no NaN by another.
HD u32 bits(f32 x)
{
    u32 r;
    memcpy(&r, &x, 4);
    return (r & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : r;
}
HD u64 bits(f64 x)
{
    u64 r;
    memcpy(&r, &x, 8);
    return (r & 0x7fffffffffffffffull) > 0x7ff0000000000000ull ? 0x7ff8000000000000ull : r;
}
// A float whose bits are defined: the one NaN of bits().
HD f32 CANON(f32 x)
{
    u32 r = bits(x);
    memcpy(&x, &r, 4);
    return x;
}
HD u32 mix(u32 h, u64 v)
{
    h = (h ^ (u32)v) * 0x9E3779B1u;
    h = ((h ^ h >> 15) + (u32)(v >> 32)) * 0x85EBCA77u;
    return h ^ h >> 13;
}
template <class T> HD u32 MIX(u32 h, T v)
{
    if constexpr (is_float<T>::value)
        return mix(h, bits(v));
    else if constexpr (sizeof(T) == 16)
        return mix(mix(h, (u64)v), (u64)((u128)v >> 64));
    else
        return mix(h, (u64)v);
}
HD u32 popcount(u32 x)
{
    u32 n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}
// The lane that is k-th of a mask.
HD u32 nth(u32 mask, u32 k)
{
    for (k %= popcount(mask); k; k--)
        mask &= mask - 1;
    u32 n = 0;
    while (!(mask >> n & 1))
        n++;
    return n;
}

union buf {
    u8 b[64];
    u16 h[32];
    u32 w[16];
    u64 d[8];
    f32 f[16];
};
enum { NIN = 1024, NACC = 32, THREADS = 1024, ALL = 2048 };
struct args {
    const u32 *in;
    u32 *out;
    union buf *own;
    u32 *acc;
    u64 *acc64;
    u32 p0, p1;
};

// ---------------------------------------------------------------------------------------------------------- device
namespace dev
{
#define DEV static __device__ __forceinline__
DEV u32 W_ballot(u32 m, bool p)
{
    return __ballot_sync(m, p);
}
DEV bool W_any(u32 m, bool p)
{
    return __any_sync(m, p);
}
DEV bool W_all(u32 m, bool p)
{
    return __all_sync(m, p);
}
template <class T> DEV T W_idx(u32 m, T v, u32 s)
{
    return __shfl_sync(m, v, s);
}
template <class T> DEV T W_up(u32 m, T v, u32 s, u32 w)
{
    return __shfl_up_sync(m, v, s, w);
}
template <class T> DEV T W_down(u32 m, T v, u32 s, u32 w)
{
    return __shfl_down_sync(m, v, s, w);
}
template <class T> DEV T W_xor(u32 m, T v, u32 s, u32 w)
{
    return __shfl_xor_sync(m, v, s, w);
}
DEV u32 W_match(u32 m, u32 v)
{
    return __match_any_sync(m, v);
}
DEV u32 W_match64(u32 m, u64 v)
{
    return __match_any_sync(m, v);
}
DEV u32 W_matchall(u32 m, u32 v)
{
    int p;
    u32 r = __match_all_sync(m, v, &p);
    return r + (u32)p * 3u;
}
DEV u32 W_add(u32 m, u32 v)
{
    return __reduce_add_sync(m, v);
}
DEV u32 W_min(u32 m, u32 v)
{
    return __reduce_min_sync(m, v);
}
DEV u32 W_max(u32 m, u32 v)
{
    return (u32)__reduce_max_sync(m, (i32)v);
}
DEV u32 W_and(u32 m, u32 v)
{
    return __reduce_and_sync(m, v);
}
DEV u32 W_or(u32 m, u32 v)
{
    return __reduce_or_sync(m, v);
}
DEV u32 W_xorr(u32 m, u32 v)
{
    return __reduce_xor_sync(m, v);
}
DEV void W_sync(u32 m)
{
    __syncwarp(m);
}
DEV void B_sync()
{
    __syncthreads();
}
DEV u32 B_count(bool p)
{
    return (u32)__syncthreads_count(p);
}
DEV bool B_and(bool p)
{
    return __syncthreads_and(p) != 0;
}
DEV bool B_or(bool p)
{
    return __syncthreads_or(p) != 0;
}
DEV void B_bar(u32 id)
{
    asm volatile("bar.sync %0;" ::"r"(id) : "memory");
}
DEV void B_barn(u32 id, u32 n)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory");
}
DEV void B_arrive(u32 id, u32 n)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory");
}
DEV u32 I_popc(u32 x)
{
    return (u32)__popc(x);
}
DEV u32 I_popcll(u64 x)
{
    return (u32)__popcll(x);
}
DEV u32 I_clz(u32 x)
{
    return (u32)__clz((int)x);
}
DEV u32 I_clzll(u64 x)
{
    return (u32)__clzll((long long)x);
}
DEV u32 I_ffs(u32 x)
{
    return (u32)__ffs((int)x);
}
DEV u32 I_brev(u32 x)
{
    return __brev(x);
}
DEV u64 I_brevll(u64 x)
{
    return __brevll(x);
}
DEV u32 I_umulhi(u32 a, u32 b)
{
    return __umulhi(a, b);
}
DEV i32 I_mulhi(i32 a, i32 b)
{
    return __mulhi(a, b);
}
DEV u64 I_umul64hi(u64 a, u64 b)
{
    return __umul64hi(a, b);
}
DEV u32 I_perm(u32 a, u32 b, u32 s)
{
    return __byte_perm(a, b, s);
}
DEV u32 I_funnel(u32 a, u32 b, u32 s)
{
    return __funnelshift_l(a, b, s);
}
DEV u32 I_sad(i32 a, i32 b, u32 c)
{
    return __sad(a, b, c);
}
DEV u32 A_add(u32 *p, u32 v)
{
    return atomicAdd(p, v);
}
DEV u64 A_add(u64 *p, u64 v)
{
    return atomicAdd(p, v);
}
DEV void A_addf(u32 *p, u32 v)
{
    atomicAdd((f32 *)p, (f32)(v & 63));
} // whole numbers: exact in any order
template <class T> DEV T A_xor(T *p, T v)
{
    return atomicXor(p, v);
}
template <class T> DEV T A_or(T *p, T v)
{
    return atomicOr(p, v);
}
template <class T> DEV T A_and(T *p, T v)
{
    return atomicAnd(p, v);
}
template <class T> DEV T A_min(T *p, T v)
{
    return atomicMin(p, v);
}
template <class T> DEV T A_max(T *p, T v)
{
    return atomicMax(p, v);
}
DEV void A_imax(u32 *p, u32 v)
{
    atomicMax((i32 *)p, (i32)v);
}
DEV void A_cas(u32 *p, u32 v) // x = x * 3 + ... would depend on the order; a sum does not
{
    u32 seen = *(volatile u32 *)p, old;
    do {
        old = seen;
        seen = atomicCAS(p, old, old + v);
    } while (seen != old);
}
DEV void A_ticket(u32 *counter, u32 *sum, u32 v)
{
    atomicAdd(sum, mix(atomicAdd(counter, 1u), 7u) ^ 0u * v);
}
#define SHARED __shared__
} // namespace dev

// ------------------------------------------------------------------------------------------------------- reference
namespace ref
{
struct fiber {
    ucontext_t context;
    uint3 index;
    enum { RUN, BARRIER, GATHER, DONE } state;
    u32 id, count, mask, sum, waited;
    bool p;
    u64 v, got[32];
    char *stack;
};
static struct fiber fibers[THREADS];
static struct fiber *self;
static ucontext_t scheduler;
static uint3 threadIdx, blockIdx;
static dim3 blockDim, gridDim;
static u32 threads, arrived[16], expect[16];
static bool hung;
static void (*body)(struct args);
static struct args body_args;

static void give_way()
{
    swapcontext(&self->context, &scheduler);
    threadIdx = self->index;
}
static void start()
{
    body(body_args);
    self->state = fiber::DONE;
    swapcontext(&self->context, &scheduler);
}
static u32 barrier(u32 id, u32 count, bool p)
{
    self->id = id, self->count = count, self->p = p;
    self->state = fiber::BARRIER;
    give_way();
    return self->sum;
}
static const u64 *gather(u32 mask, u64 v)
{
    self->mask = mask, self->v = v;
    self->state = fiber::GATHER;
    give_way();
    return self->got;
}
// Lets go the threads whose barrier or collective is complete. A barrier without a count waits for all that live.
static bool release()
{
    bool any = false;
    u32 live = 0;
    for (u32 t = 0; t < threads; t++)
        live += fibers[t].state != fiber::DONE;
    for (u32 id = 0; id < 16; id++) {
        u32 n = arrived[id], sum = 0, want = expect[id] ? expect[id] : live;
        for (u32 t = 0; t < threads; t++)
            if (fibers[t].state == fiber::BARRIER && fibers[t].id == id)
                n++, sum += fibers[t].p, want = fibers[t].count ? fibers[t].count : want;
        if (!n || n != want)
            continue;
        arrived[id] = expect[id] = 0;
        for (u32 t = 0; t < threads; t++)
            if (fibers[t].state == fiber::BARRIER && fibers[t].id == id)
                fibers[t].sum = sum, fibers[t].waited = n, fibers[t].state = fiber::RUN, any = true;
    }
    for (u32 t = 0; t < threads; t++) {
        u32 mask = fibers[t].mask, base = t & ~31u;
        bool all = fibers[t].state == fiber::GATHER && mask >> (t & 31) & 1;
        for (u32 k = 0; k < 32 && all; k++)
            all = !(mask >> k & 1) ||
                  (base + k < threads && fibers[base + k].state == fiber::GATHER && fibers[base + k].mask == mask);
        if (!all)
            continue;
        u64 got[32] = {0};
        for (u32 k = 0; k < 32; k++)
            if (mask >> k & 1)
                got[k] = fibers[base + k].v;
        for (u32 k = 0; k < 32; k++)
            if (mask >> k & 1)
                memcpy(fibers[base + k].got, got, sizeof got), fibers[base + k].state = fiber::RUN;
        any = true;
    }
    return any;
}
static void run_block()
{
    memset(arrived, 0, sizeof arrived);
    memset(expect, 0, sizeof expect);
    for (u32 t = 0; t < threads; t++) {
        struct fiber *f = &fibers[t];
        if (!f->stack)
            f->stack = (char *)malloc(256 << 10);
        getcontext(&f->context);
        f->context.uc_stack.ss_sp = f->stack;
        f->context.uc_stack.ss_size = 256 << 10;
        f->context.uc_link = NULL;
        makecontext(&f->context, start, 0);
        f->state = fiber::RUN;
        f->index.x = t % blockDim.x, f->index.y = t / blockDim.x % blockDim.y, f->index.z = t / blockDim.x / blockDim.y;
    }
    for (bool more = true; more;) {
        for (u32 t = 0; t < threads; t++) {
            self = &fibers[t];
            if (self->state != fiber::RUN)
                continue;
            threadIdx = self->index;
            swapcontext(&scheduler, &self->context);
        }
        more = release();
    }
    for (u32 t = 0; t < threads; t++)
        hung |= fibers[t].state != fiber::DONE;
}
static void run(void (*f)(struct args), dim3 grid, dim3 block, struct args a)
{
    body = f, body_args = a, gridDim = grid, blockDim = block;
    threads = block.x * block.y * block.z;
    for (blockIdx.z = 0; blockIdx.z < grid.z; blockIdx.z++)
        for (blockIdx.y = 0; blockIdx.y < grid.y; blockIdx.y++)
            for (blockIdx.x = 0; blockIdx.x < grid.x; blockIdx.x++)
                run_block();
}

#define REF static inline
REF u32 my_lane()
{
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) & 31;
}
REF u32 W_ballot(u32 m, bool p)
{
    const u64 *g = gather(m, p);
    u32 r = 0;
    for (u32 k = 0; k < 32; k++)
        r |= (u32)(m >> k & 1 & g[k]) << k;
    return r;
}
REF bool W_any(u32 m, bool p)
{
    return W_ballot(m, p) != 0;
}
REF bool W_all(u32 m, bool p)
{
    return W_ballot(m, p) == m;
}
template <class T> REF T shuffle(u32 m, T v, u32 from)
{
    u64 raw = 0;
    memcpy(&raw, &v, sizeof v);
    raw = gather(m, raw)[from & 31];
    memcpy(&v, &raw, sizeof v);
    return v;
}
template <class T> REF T W_idx(u32 m, T v, u32 s)
{
    return shuffle(m, v, s);
}
template <class T> REF T W_up(u32 m, T v, u32 s, u32 w)
{
    u32 l = my_lane(), base = l & ~(w - 1);
    return shuffle(m, v, l - base < s ? l : l - s);
}
template <class T> REF T W_down(u32 m, T v, u32 s, u32 w)
{
    u32 l = my_lane(), base = l & ~(w - 1);
    return shuffle(m, v, l - base + s >= w ? l : l + s);
}
template <class T> REF T W_xor(u32 m, T v, u32 s, u32 w)
{
    u32 l = my_lane(), to = l ^ s;
    return shuffle(m, v, to >= (l & ~(w - 1)) + w ? l : to);
}
REF u32 W_match64(u32 m, u64 v)
{
    const u64 *g = gather(m, v);
    u32 r = 0;
    for (u32 k = 0; k < 32; k++)
        r |= (u32)((m >> k & 1) && g[k] == v) << k;
    return r;
}
REF u32 W_match(u32 m, u32 v)
{
    return W_match64(m, v);
}
REF u32 W_matchall(u32 m, u32 v)
{
    u32 r = W_match64(m, v);
    return r == m ? m + 3u : 0u;
}
template <class F> REF u32 reduce(u32 m, u32 v, F f)
{
    const u64 *g = gather(m, v);
    u32 r = 0;
    bool first = true;
    for (u32 k = 0; k < 32; k++)
        if (m >> k & 1)
            r = first ? (u32)g[k] : f(r, (u32)g[k]), first = false;
    return r;
}
REF u32 W_add(u32 m, u32 v)
{
    return reduce(m, v, [](u32 a, u32 b) { return a + b; });
}
REF u32 W_min(u32 m, u32 v)
{
    return reduce(m, v, [](u32 a, u32 b) { return a < b ? a : b; });
}
REF u32 W_max(u32 m, u32 v)
{
    return reduce(m, v, [](u32 a, u32 b) { return (i32)a > (i32)b ? a : b; });
}
REF u32 W_and(u32 m, u32 v)
{
    return reduce(m, v, [](u32 a, u32 b) { return a & b; });
}
REF u32 W_or(u32 m, u32 v)
{
    return reduce(m, v, [](u32 a, u32 b) { return a | b; });
}
REF u32 W_xorr(u32 m, u32 v)
{
    return reduce(m, v, [](u32 a, u32 b) { return a ^ b; });
}
REF void W_sync(u32 m)
{
    gather(m, 0);
}
REF void B_sync()
{
    barrier(0, 0, false);
}
REF u32 B_count(bool p)
{
    return barrier(0, 0, p);
}
REF bool B_or(bool p)
{
    return barrier(0, 0, p) != 0;
}
REF bool B_and(bool p)
{
    u32 yes = barrier(0, 0, p);
    return yes == self->waited;
}
REF void B_bar(u32 id)
{
    barrier(id, 0, false);
}
REF void B_barn(u32 id, u32 n)
{
    barrier(id, n, false);
}
REF void B_arrive(u32 id, u32 n)
{
    arrived[id]++, expect[id] = n;
}
REF u32 I_popc(u32 x)
{
    return popcount(x);
}
REF u32 I_popcll(u64 x)
{
    return popcount((u32)x) + popcount((u32)(x >> 32));
}
REF u32 I_clzll(u64 x)
{
    u32 n = 0;
    while (n < 64 && !(x >> (63 - n) & 1))
        n++;
    return n;
}
REF u32 I_clz(u32 x)
{
    return I_clzll(x) - 32;
}
REF u32 I_ffs(u32 x)
{
    u32 n = 0;
    while (x && !(x >> n & 1))
        n++;
    return x ? n + 1 : 0;
}
REF u64 I_brevll(u64 x)
{
    u64 r = 0;
    for (u32 k = 0; k < 64; k++)
        r |= (x >> k & 1) << (63 - k);
    return r;
}
REF u32 I_brev(u32 x)
{
    return (u32)(I_brevll(x) >> 32);
}
REF u32 I_umulhi(u32 a, u32 b)
{
    return (u32)((u64)a * b >> 32);
}
REF i32 I_mulhi(i32 a, i32 b)
{
    return (i32)((i64)a * b >> 32);
}
REF u64 I_umul64hi(u64 a, u64 b)
{
    return (u64)((u128)a * b >> 64);
}
REF u32 I_perm(u32 a, u32 b, u32 s)
{
    u64 x = a | (u64)b << 32;
    u32 r = 0;
    for (u32 k = 0; k < 4; k++) {
        u32 byte = (u32)(x >> 8 * (s >> 4 * k & 7)) & 0xff;
        r |= byte << 8 * k;
    }
    return r;
}
REF u32 I_funnel(u32 lo, u32 hi, u32 s)
{
    return (u32)((((u64)hi << 32 | lo) << (s & 31)) >> 32);
}
REF u32 I_sad(i32 a, i32 b, u32 c)
{
    return c + (a < b ? (u32)b - (u32)a : (u32)a - (u32)b);
}
template <class T> REF T A_add(T *p, T v)
{
    T old = *p;
    *p += v;
    return old;
}
REF void A_addf(u32 *p, u32 v)
{
    f32 f;
    memcpy(&f, p, 4);
    f += (f32)(v & 63);
    memcpy(p, &f, 4);
}
template <class T> REF void A_xor(T *p, T v)
{
    *p ^= v;
}
template <class T> REF void A_or(T *p, T v)
{
    *p |= v;
}
template <class T> REF void A_and(T *p, T v)
{
    *p &= v;
}
template <class T> REF void A_min(T *p, T v)
{
    *p = v < *p ? v : *p;
}
template <class T> REF void A_max(T *p, T v)
{
    *p = v > *p ? v : *p;
}
REF void A_imax(u32 *p, u32 v)
{
    *p = (i32)v > (i32)*p ? v : *p;
}
REF void A_cas(u32 *p, u32 v)
{
    *p += v;
}
REF void A_ticket(u32 *counter, u32 *sum, u32 v)
{
    *sum += mix(A_add(counter, 1u), 7u) ^ 0u * v;
}
} // namespace ref

// ------------------------------------------------------------------------------------------------------------ main
struct kernel {
    const char *name;
    void (*device)(struct args);
    void (*reference)(struct args);
    dim3 grid, block;
    u32 p0, p1;
};
struct state {
    u32 in[NIN], out[ALL];
    union buf own[ALL];
    u32 acc[NACC];
    u64 acc64[NACC];
};
static struct state start_state, host_state, device_state, *device_memory;

static struct args args_of(struct state *s, const struct kernel *k)
{
    struct args a = {s->in, s->out, s->own, s->acc, s->acc64, k->p0, k->p1};
    return a;
}
static void fill()
{
    u32 r = 12345;
    u32 *w = (u32 *)&start_state;
    for (u32 i = 0; i < sizeof start_state / 4; i++) {
        r ^= r << 13, r ^= r >> 17, r ^= r << 5;
        u32 x = r * 2654435761u;
        switch (r >> 8 & 7) {
        case 0:
            w[i] = x & 15;
            break;
        case 1:
            w[i] = 0u - (x & 15);
            break;
        case 2:
            w[i] = x & 0xff;
            break;
        case 3: {
            f32 f = (f32)(i32)(x & 1023) / 8 - 20;
            memcpy(&w[i], &f, 4);
            break;
        }
        case 4:
            w[i] = x & 0x8000ffffu;
            break;
        case 5:
            w[i] = 0;
            break;
        default:
            w[i] = x;
        }
    }
    memset(start_state.acc, 0, sizeof start_state.acc);
    memset(start_state.acc64, 0, sizeof start_state.acc64);
}
static int test(const struct kernel *k)
{
    cudaMemcpy(device_memory, &start_state, sizeof start_state, cudaMemcpyHostToDevice);
    struct args a = args_of(device_memory, k);
    void *list[] = {&a};
    cudaError_t e = cudaLaunchKernel((const void *)k->device, k->grid, k->block, list, 0, 0);
    cudaError_t l = cudaGetLastError(), s = cudaDeviceSynchronize();
    e = e ? e : l ? l : s;
    if (e) {
        printf("%s: error %s\n", k->name, cudaGetErrorName(e));
        fflush(stdout);
        return 2;
    }
    cudaMemcpy(&device_state, device_memory, sizeof device_state, cudaMemcpyDeviceToHost);
    host_state = start_state;
    ref::hung = false;
    ref::run(k->reference, k->grid, k->block, args_of(&host_state, k));
    if (ref::hung) {
        printf("%s: invalid: a barrier or collective is not complete\n", k->name);
        fflush(stdout);
        return 1;
    }
    const u32 *d = (const u32 *)&device_state, *h = (const u32 *)&host_state;
    for (u32 i = 0; i < sizeof host_state / 4; i++)
        if (d[i] != h[i]) {
            u32 n = 0, at = i * 4;
            for (u32 j = i; j < sizeof host_state / 4; j++)
                n += d[j] != h[j];
            const char *part = at < offsetof(state, own) ? "out" : at < offsetof(state, acc) ? "own" : "acc";
            u32 base = at < offsetof(state, own)   ? (u32)offsetof(state, out)
                       : at < offsetof(state, acc) ? (u32)offsetof(state, own)
                                                   : (u32)offsetof(state, acc);
            printf("%s: differs in %u words, first %s[%u]: %08x, right %08x\n", k->name, n, part, (at - base) / 4, d[i],
                   h[i]);
            fflush(stdout);
            return 1;
        }
    return 0;
}
static int run_all(const struct kernel *k, int n, int argc, char **argv)
{
    int first = argc > 1 ? atoi(argv[1]) : 0, last = argc > 2 ? atoi(argv[2]) : n - 1, bad = 0;
    fill();
    if (cudaMalloc((void **)&device_memory, sizeof start_state))
        return 3;
    for (int i = first; i <= last && i < n; i++) {
        printf("#%d\n", i); // so that whoever reads knows where a crash was
        fflush(stdout);
        int r = test(&k[i]);
        bad |= r;
        if (r == 2)
            return 1;
    }
    printf("done\n");
    return bad != 0;
}
