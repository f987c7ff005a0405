// Device emulation (nvcc -deviceemu): what device code may use, as plain C++ for the host compiler. The compiler driver
// rewrites launches and shared variables; everything else of the language is here, over the C library and the few
// functions of emulation_api.h.
#ifndef HEDDLE_EMULATION_H
#define HEDDLE_EMULATION_H
#include "emulation_api.h"
#include "math_host.h"
#include "minmax.h"
#include <assert.h>
#include <fenv.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <type_traits>

static const int __heddle_emulation_object = __cudaEmulationRegister();
static const uint3 &threadIdx __attribute__((used)) = __cudaEmulationNow.threadIdx;
static const uint3 &blockIdx __attribute__((used)) = __cudaEmulationNow.blockIdx;
static const dim3 &blockDim __attribute__((used)) = __cudaEmulationNow.blockDim;
static const dim3 &gridDim __attribute__((used)) = __cudaEmulationNow.gridDim;
static const int warpSize = 32;

#define HEDDLE_EMU       static inline
#define HEDDLE_EMU_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

// Launches: f<<<grid, block, shared, stream>>>(a, b) becomes launch(config(grid, block, shared, stream), "f",
// [&](auto &&a, auto &&b) { f(a, b); }, a, b). Arguments are evaluated once; each thread copies them into its
// parameters.
namespace __heddle_emulation
{
HEDDLE_EMU __cudaEmulationLaunch config(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0)
{
    __cudaEmulationLaunch l = {grid, block, shared, stream, 0, 0, 0};
    return l;
}
template <class Body> void call(void *body)
{
    (*static_cast<Body *>(body))();
}
template <class Kernel, class... Args>
cudaError_t launch(__cudaEmulationLaunch l, const char *name, Kernel kernel, Args &&...args)
{
    auto body = [&] { kernel(args...); };
    l.kernel = name;
    l.call = call<decltype(body)>;
    l.data = &body;
    return __cudaEmulationRun(&l);
}
template <class T> HEDDLE_EMU unsigned long long pack(T value)
{
    static_assert(sizeof(T) <= 8, "values of at most 8 bytes are exchanged");
    unsigned long long bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}
template <class T> HEDDLE_EMU T unpack(unsigned long long bits)
{
    T value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
template <class T, class From> HEDDLE_EMU T same_bits(From from)
{
    static_assert(sizeof(T) == sizeof(From), "sizes differ");
    T value;
    memcpy(&value, &from, sizeof value);
    return value;
}
} // namespace __heddle_emulation

// Barriers and fences.
HEDDLE_EMU void __syncthreads(HEDDLE_EMU_PLACE)
{
    __cudaEmulationBarrier(0, "__syncthreads()", file, line);
}
HEDDLE_EMU int __syncthreads_count(int predicate, HEDDLE_EMU_PLACE)
{
    return __cudaEmulationBarrier(predicate, "__syncthreads_count()", file, line);
}
HEDDLE_EMU int __syncthreads_or(int predicate, HEDDLE_EMU_PLACE)
{
    return __cudaEmulationBarrier(predicate, "__syncthreads_or()", file, line) != 0;
}
HEDDLE_EMU int __syncthreads_and(int predicate, HEDDLE_EMU_PLACE)
{
    return __cudaEmulationBarrier(!predicate, "__syncthreads_and()", file, line) == 0;
}
HEDDLE_EMU void __syncwarp(unsigned mask = 0xffffffffu, HEDDLE_EMU_PLACE)
{
    unsigned present;
    __cudaEmulationExchange(mask, 0, &present, "__syncwarp()", file, line);
}
HEDDLE_EMU void __threadfence() {}
HEDDLE_EMU void __threadfence_block() {}
HEDDLE_EMU void __threadfence_system() {}
HEDDLE_EMU void __nanosleep(unsigned)
{
    __cudaEmulationYield();
}
HEDDLE_EMU void __trap()
{
    abort();
}
HEDDLE_EMU void __brkpt() {}
HEDDLE_EMU long long clock64()
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

// Votes and shuffles. A thread alone is what is certain to be active.
HEDDLE_EMU unsigned __activemask()
{
    return 1u << __cudaEmulationNow.lane;
}
HEDDLE_EMU unsigned __ballot_sync(unsigned mask, int predicate, HEDDLE_EMU_PLACE)
{
    unsigned present, bits = 0;
    const unsigned long long *all =
        __cudaEmulationExchange(mask, predicate != 0, &present, "__ballot_sync()", file, line);
    for (int i = 0; i < 32; i++)
        bits |= (present >> i & 1 && all[i]) ? 1u << i : 0u;
    return bits;
}
HEDDLE_EMU int __any_sync(unsigned mask, int predicate, HEDDLE_EMU_PLACE)
{
    return __ballot_sync(mask, predicate, file, line) != 0;
}
HEDDLE_EMU int __all_sync(unsigned mask, int predicate, HEDDLE_EMU_PLACE)
{
    return __ballot_sync(mask, !predicate, file, line) == 0;
}
HEDDLE_EMU int __any(int predicate, HEDDLE_EMU_PLACE)
{
    return __any_sync(0xffffffffu, predicate, file, line);
}
HEDDLE_EMU int __all(int predicate, HEDDLE_EMU_PLACE)
{
    return __all_sync(0xffffffffu, predicate, file, line);
}
HEDDLE_EMU unsigned __ballot(int predicate, HEDDLE_EMU_PLACE)
{
    return __ballot_sync(0xffffffffu, predicate, file, line);
}
template <class T> HEDDLE_EMU unsigned __match_any_sync(unsigned mask, T value, HEDDLE_EMU_PLACE)
{
    unsigned present, bits = 0;
    unsigned long long own = __heddle_emulation::pack(value);
    const unsigned long long *all = __cudaEmulationExchange(mask, own, &present, "__match_any_sync()", file, line);
    for (int i = 0; i < 32; i++)
        bits |= (present >> i & 1 && all[i] == own) ? 1u << i : 0u;
    return bits;
}
template <class T> HEDDLE_EMU unsigned __match_all_sync(unsigned mask, T value, int *predicate, HEDDLE_EMU_PLACE)
{
    unsigned same = __match_any_sync(mask, value, file, line);
    *predicate = same == mask;
    return *predicate ? mask : 0;
}
namespace __heddle_emulation
{
// The value of the lane, where that one takes part and the distance stays within the width.
template <class T>
HEDDLE_EMU T shuffle(unsigned mask, T value, int source, bool inside, const char *name, const char *file, int line)
{
    unsigned present;
    const unsigned long long *all = __cudaEmulationExchange(mask, pack(value), &present, name, file, line);
    return inside && present >> (source & 31) & 1 ? unpack<T>(all[source & 31]) : value;
}
} // namespace __heddle_emulation
template <class T> HEDDLE_EMU T __shfl_sync(unsigned mask, T value, int source, int width = 32, HEDDLE_EMU_PLACE)
{
    int first = (int)__cudaEmulationNow.lane & ~(width - 1);
    return __heddle_emulation::shuffle(mask, value, first + (source & (width - 1)), true, "__shfl_sync()", file, line);
}
template <class T> HEDDLE_EMU T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, HEDDLE_EMU_PLACE)
{
    int lane = (int)__cudaEmulationNow.lane, source = lane - (int)delta;
    return __heddle_emulation::shuffle(mask, value, source, source >= (lane & ~(width - 1)), "__shfl_up_sync()", file,
                                       line);
}
template <class T>
HEDDLE_EMU T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, HEDDLE_EMU_PLACE)
{
    int lane = (int)__cudaEmulationNow.lane, source = lane + (int)delta;
    return __heddle_emulation::shuffle(mask, value, source, source <= (lane | (width - 1)), "__shfl_down_sync()", file,
                                       line);
}
template <class T> HEDDLE_EMU T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32, HEDDLE_EMU_PLACE)
{
    int lane = (int)__cudaEmulationNow.lane, source = lane ^ bits;
    return __heddle_emulation::shuffle(mask, value, source, source <= (lane | (width - 1)), "__shfl_xor_sync()", file,
                                       line);
}
template <class T> HEDDLE_EMU T __shfl(T value, int source, int width = 32, HEDDLE_EMU_PLACE)
{
    return __shfl_sync(0xffffffffu, value, source, width, file, line);
}
template <class T> HEDDLE_EMU T __shfl_up(T value, unsigned delta, int width = 32, HEDDLE_EMU_PLACE)
{
    return __shfl_up_sync(0xffffffffu, value, delta, width, file, line);
}
template <class T> HEDDLE_EMU T __shfl_down(T value, unsigned delta, int width = 32, HEDDLE_EMU_PLACE)
{
    return __shfl_down_sync(0xffffffffu, value, delta, width, file, line);
}
template <class T> HEDDLE_EMU T __shfl_xor(T value, int bits, int width = 32, HEDDLE_EMU_PLACE)
{
    return __shfl_xor_sync(0xffffffffu, value, bits, width, file, line);
}

// Atomics: only one thread runs at a time. One that failed lets the others run, so that locks are released.
namespace __heddle_emulation
{
template <class T> struct identity {
    typedef T type;
};
} // namespace __heddle_emulation
#define HEDDLE_EMU_VALUE(T) typename __heddle_emulation::identity<T>::type
#define HEDDLE_EMU_ATOMIC(name, expression)                                                                            \
    template <class T> HEDDLE_EMU T name(T *address, HEDDLE_EMU_VALUE(T) value)                                        \
    {                                                                                                                  \
        T old = *address;                                                                                              \
        *address = expression;                                                                                         \
        return old;                                                                                                    \
    }                                                                                                                  \
    template <class T> HEDDLE_EMU T name##_block(T *address, HEDDLE_EMU_VALUE(T) value)                                \
    {                                                                                                                  \
        return name(address, value);                                                                                   \
    }                                                                                                                  \
    template <class T> HEDDLE_EMU T name##_system(T *address, HEDDLE_EMU_VALUE(T) value)                               \
    {                                                                                                                  \
        return name(address, value);                                                                                   \
    }
HEDDLE_EMU_ATOMIC(atomicAdd, old + value)
HEDDLE_EMU_ATOMIC(atomicSub, old - value)
HEDDLE_EMU_ATOMIC(atomicMin, value < old ? value : old)
HEDDLE_EMU_ATOMIC(atomicMax, old < value ? value : old)
HEDDLE_EMU_ATOMIC(atomicAnd, old &value)
HEDDLE_EMU_ATOMIC(atomicOr, old | value)
HEDDLE_EMU_ATOMIC(atomicXor, old ^ value)
HEDDLE_EMU_ATOMIC(atomicInc, old >= value ? 0 : old + 1)
HEDDLE_EMU_ATOMIC(atomicDec, old == 0 || old > value ? value : old - 1)
#undef HEDDLE_EMU_ATOMIC
template <class T> HEDDLE_EMU T atomicExch(T *address, HEDDLE_EMU_VALUE(T) value)
{
    T old = *address;
    *address = value;
    if (memcmp(&old, &value, sizeof old) == 0)
        __cudaEmulationYield();
    return old;
}
template <class T> HEDDLE_EMU T atomicCAS(T *address, HEDDLE_EMU_VALUE(T) compare, HEDDLE_EMU_VALUE(T) value)
{
    T old = *address;
    if (old == compare)
        *address = value;
    else
        __cudaEmulationYield();
    return old;
}
#undef HEDDLE_EMU_VALUE

// Loads with hints.
template <class T> HEDDLE_EMU T __ldg(const T *p)
{
    return *p;
}
template <class T> HEDDLE_EMU T __ldca(const T *p)
{
    return *p;
}
template <class T> HEDDLE_EMU T __ldcg(const T *p)
{
    return *p;
}
template <class T> HEDDLE_EMU T __ldcs(const T *p)
{
    return *p;
}
template <class T> HEDDLE_EMU T __ldlu(const T *p)
{
    return *p;
}
template <class T> HEDDLE_EMU T __ldcv(const T *p)
{
    return *(const volatile T *)p;
}
template <class T> HEDDLE_EMU void __stwb(T *p, T value)
{
    *p = value;
}
template <class T> HEDDLE_EMU void __stcg(T *p, T value)
{
    *p = value;
}
template <class T> HEDDLE_EMU void __stcs(T *p, T value)
{
    *p = value;
}
template <class T> HEDDLE_EMU void __stwt(T *p, T value)
{
    *p = value;
}

// Integers.
HEDDLE_EMU int __mul24(int a, int b)
{
    return (int)((unsigned)(a << 8 >> 8) * (unsigned)(b << 8 >> 8));
}
HEDDLE_EMU unsigned __umul24(unsigned a, unsigned b)
{
    return (a & 0xffffffu) * (b & 0xffffffu);
}
HEDDLE_EMU int __mulhi(int a, int b)
{
    return (int)((long long)a * b >> 32);
}
HEDDLE_EMU unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned)((unsigned long long)a * b >> 32);
}
HEDDLE_EMU long long __mul64hi(long long a, long long b)
{
    return (long long)((__int128)a * b >> 64);
}
HEDDLE_EMU unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
HEDDLE_EMU unsigned __sad(int a, int b, unsigned c)
{
    return c + (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a);
}
HEDDLE_EMU unsigned __usad(unsigned a, unsigned b, unsigned c)
{
    return c + (a > b ? a - b : b - a);
}
HEDDLE_EMU int __popc(unsigned x)
{
    return __builtin_popcount(x);
}
HEDDLE_EMU int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}
HEDDLE_EMU int __clz(int x)
{
    return x ? __builtin_clz((unsigned)x) : 32;
}
HEDDLE_EMU int __clzll(long long x)
{
    return x ? __builtin_clzll((unsigned long long)x) : 64;
}
HEDDLE_EMU int __ffs(int x)
{
    return __builtin_ffs(x);
}
HEDDLE_EMU int __ffsll(long long x)
{
    return __builtin_ffsll(x);
}
HEDDLE_EMU unsigned __brev(unsigned x)
{
    unsigned r = 0;
    for (int i = 0; i < 32; i++)
        r |= (x >> i & 1u) << (31 - i);
    return r;
}
HEDDLE_EMU unsigned long long __brevll(unsigned long long x)
{
    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
HEDDLE_EMU unsigned __byte_perm(unsigned a, unsigned b, unsigned select)
{
    unsigned long long both = (unsigned long long)b << 32 | a;
    unsigned r = 0;
    for (int i = 0; i < 4; i++)
        r |= (unsigned)(both >> 8 * (select >> 4 * i & 7) & 0xff) << 8 * i;
    return r;
}
HEDDLE_EMU unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}
HEDDLE_EMU unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
HEDDLE_EMU int __hadd(int a, int b)
{
    return (int)(((long long)a + b) >> 1);
}
HEDDLE_EMU int __rhadd(int a, int b)
{
    return (int)(((long long)a + b + 1) >> 1);
}
HEDDLE_EMU unsigned __uhadd(unsigned a, unsigned b)
{
    return (unsigned)(((unsigned long long)a + b) >> 1);
}
HEDDLE_EMU unsigned __urhadd(unsigned a, unsigned b)
{
    return (unsigned)(((unsigned long long)a + b + 1) >> 1);
}
HEDDLE_EMU int __dp4a(int a, int b, int c)
{
    for (int i = 0; i < 32; i += 8)
        c += (int)(signed char)(a >> i) * (int)(signed char)(b >> i);
    return c;
}
HEDDLE_EMU unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    for (int i = 0; i < 32; i += 8)
        c += (a >> i & 0xff) * (b >> i & 0xff);
    return c;
}

// Conversions.
HEDDLE_EMU int __float_as_int(float x)
{
    return __heddle_emulation::same_bits<int>(x);
}
HEDDLE_EMU unsigned __float_as_uint(float x)
{
    return __heddle_emulation::same_bits<unsigned>(x);
}
HEDDLE_EMU float __int_as_float(int x)
{
    return __heddle_emulation::same_bits<float>(x);
}
HEDDLE_EMU float __uint_as_float(unsigned x)
{
    return __heddle_emulation::same_bits<float>(x);
}
HEDDLE_EMU long long __double_as_longlong(double x)
{
    return __heddle_emulation::same_bits<long long>(x);
}
HEDDLE_EMU double __longlong_as_double(long long x)
{
    return __heddle_emulation::same_bits<double>(x);
}
HEDDLE_EMU int __double2hiint(double x)
{
    return (int)(__double_as_longlong(x) >> 32);
}
HEDDLE_EMU int __double2loint(double x)
{
    return (int)__double_as_longlong(x);
}
HEDDLE_EMU double __hiloint2double(int high, int low)
{
    return __longlong_as_double((long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}
namespace __heddle_emulation
{
// As a device converts: to the nearest number that the type has.
template <class T> HEDDLE_EMU T clamp(double x, double low, double high, T least, T most)
{
    return x != x ? T(0) : x <= low ? least : x >= high ? most : T(x);
}
} // namespace __heddle_emulation
#define HEDDLE_EMU_TO_INTEGER(from, name, mode, function)                                                              \
    HEDDLE_EMU int __##name##2int_##mode(from x)                                                                       \
    {                                                                                                                  \
        return __heddle_emulation::clamp<int>(function((double)x), INT_MIN, INT_MAX, INT_MIN, INT_MAX);                \
    }                                                                                                                  \
    HEDDLE_EMU unsigned __##name##2uint_##mode(from x)                                                                 \
    {                                                                                                                  \
        return __heddle_emulation::clamp<unsigned>(function((double)x), 0, UINT_MAX, 0u, UINT_MAX);                    \
    }                                                                                                                  \
    HEDDLE_EMU long long __##name##2ll_##mode(from x)                                                                  \
    {                                                                                                                  \
        return __heddle_emulation::clamp<long long>(function((double)x), (double)LLONG_MIN, (double)LLONG_MAX,         \
                                                    LLONG_MIN, LLONG_MAX);                                             \
    }                                                                                                                  \
    HEDDLE_EMU unsigned long long __##name##2ull_##mode(from x)                                                        \
    {                                                                                                                  \
        return __heddle_emulation::clamp<unsigned long long>(function((double)x), 0, (double)ULLONG_MAX, 0ull,         \
                                                             ULLONG_MAX);                                              \
    }
#define HEDDLE_EMU_ROUNDINGS(from, name)                                                                               \
    HEDDLE_EMU_TO_INTEGER(from, name, rn, ::rint)                                                                      \
    HEDDLE_EMU_TO_INTEGER(from, name, rz, ::trunc)                                                                     \
    HEDDLE_EMU_TO_INTEGER(from, name, ru, ::ceil)                                                                      \
    HEDDLE_EMU_TO_INTEGER(from, name, rd, ::floor)
HEDDLE_EMU_ROUNDINGS(float, float)
HEDDLE_EMU_ROUNDINGS(double, double)
#undef HEDDLE_EMU_ROUNDINGS
#undef HEDDLE_EMU_TO_INTEGER
#define HEDDLE_EMU_FROM(to, name, from)                                                                                \
    HEDDLE_EMU to name(from x)                                                                                         \
    {                                                                                                                  \
        return (to)x;                                                                                                  \
    }
HEDDLE_EMU_FROM(float, __int2float_rn, int)
HEDDLE_EMU_FROM(float, __uint2float_rn, unsigned)
HEDDLE_EMU_FROM(float, __ll2float_rn, long long)
HEDDLE_EMU_FROM(float, __ull2float_rn, unsigned long long)
HEDDLE_EMU_FROM(float, __double2float_rn, double)
HEDDLE_EMU_FROM(double, __int2double_rn, int)
HEDDLE_EMU_FROM(double, __uint2double_rn, unsigned)
HEDDLE_EMU_FROM(double, __ll2double_rn, long long)
HEDDLE_EMU_FROM(double, __ull2double_rn, unsigned long long)
#undef HEDDLE_EMU_FROM

// Arithmetic with a named rounding, to the nearest; and the fast functions, which are exact enough here.
#define HEDDLE_EMU_ARITHMETIC(T, add, sub, mul, div)                                                                   \
    HEDDLE_EMU T add(T a, T b)                                                                                         \
    {                                                                                                                  \
        return a + b;                                                                                                  \
    }                                                                                                                  \
    HEDDLE_EMU T sub(T a, T b)                                                                                         \
    {                                                                                                                  \
        return a - b;                                                                                                  \
    }                                                                                                                  \
    HEDDLE_EMU T mul(T a, T b)                                                                                         \
    {                                                                                                                  \
        return a * b;                                                                                                  \
    }                                                                                                                  \
    HEDDLE_EMU T div(T a, T b)                                                                                         \
    {                                                                                                                  \
        return a / b;                                                                                                  \
    }
HEDDLE_EMU_ARITHMETIC(float, __fadd_rn, __fsub_rn, __fmul_rn, __fdiv_rn)
HEDDLE_EMU_ARITHMETIC(double, __dadd_rn, __dsub_rn, __dmul_rn, __ddiv_rn)
#undef HEDDLE_EMU_ARITHMETIC
#define HEDDLE_EMU_UNARY(name, expression)                                                                             \
    HEDDLE_EMU float name(float x)                                                                                     \
    {                                                                                                                  \
        return expression;                                                                                             \
    }
HEDDLE_EMU_UNARY(__frcp_rn, 1.f / x)
HEDDLE_EMU_UNARY(__fsqrt_rn, ::sqrtf(x))
HEDDLE_EMU_UNARY(__frsqrt_rn, (float)(1.0 / ::sqrt((double)x)))
HEDDLE_EMU_UNARY(__saturatef, x > 0.f ? (x < 1.f ? x : 1.f) : 0.f)
#undef HEDDLE_EMU_UNARY
// The other roundings, by the processor's mode. Operands and results pass through memory, so that nothing is computed
// before the mode is set or after it is restored.
#define HEDDLE_EMU_SET(T, mode, expression)                                                                            \
    int before = fegetround();                                                                                         \
    fesetround(mode);                                                                                                  \
    volatile T result = expression;                                                                                    \
    fesetround(before);                                                                                                \
    return result;
#define HEDDLE_EMU_ONE(T, name, From, mode, expression)                                                                \
    HEDDLE_EMU T name(From value)                                                                                      \
    {                                                                                                                  \
        volatile From x = value;                                                                                       \
        HEDDLE_EMU_SET(T, mode, expression)                                                                            \
    }
#define HEDDLE_EMU_TWO(T, name, mode, expression)                                                                      \
    HEDDLE_EMU T name(T first, T second)                                                                               \
    {                                                                                                                  \
        volatile T x = first, y = second;                                                                              \
        HEDDLE_EMU_SET(T, mode, expression)                                                                            \
    }
#define HEDDLE_EMU_THREE(T, name, mode, function)                                                                      \
    HEDDLE_EMU T name(T first, T second, T third)                                                                      \
    {                                                                                                                  \
        volatile T x = first, y = second, z = third;                                                                   \
        HEDDLE_EMU_SET(T, mode, function(x, y, z))                                                                     \
    }
#define HEDDLE_EMU_MODE(rounding, mode)                                                                                \
    HEDDLE_EMU_TWO(float, __fadd_##rounding, mode, x + y)                                                              \
    HEDDLE_EMU_TWO(float, __fsub_##rounding, mode, x - y)                                                              \
    HEDDLE_EMU_TWO(float, __fmul_##rounding, mode, x *y)                                                               \
    HEDDLE_EMU_TWO(float, __fdiv_##rounding, mode, x / y)                                                              \
    HEDDLE_EMU_TWO(double, __dadd_##rounding, mode, x + y)                                                             \
    HEDDLE_EMU_TWO(double, __dsub_##rounding, mode, x - y)                                                             \
    HEDDLE_EMU_TWO(double, __dmul_##rounding, mode, x *y)                                                              \
    HEDDLE_EMU_TWO(double, __ddiv_##rounding, mode, x / y)                                                             \
    HEDDLE_EMU_THREE(float, __fmaf_##rounding, mode, ::fmaf)                                                           \
    HEDDLE_EMU_THREE(double, __fma_##rounding, mode, ::fma)                                                            \
    HEDDLE_EMU_ONE(float, __frcp_##rounding, float, mode, 1.f / x)                                                     \
    HEDDLE_EMU_ONE(double, __drcp_##rounding, double, mode, 1. / x)                                                    \
    HEDDLE_EMU_ONE(float, __fsqrt_##rounding, float, mode, ::sqrtf(x))                                                 \
    HEDDLE_EMU_ONE(double, __dsqrt_##rounding, double, mode, ::sqrt(x))                                                \
    HEDDLE_EMU_ONE(float, __double2float_##rounding, double, mode, (float)x)                                           \
    HEDDLE_EMU_ONE(float, __int2float_##rounding, int, mode, (float)x)                                                 \
    HEDDLE_EMU_ONE(float, __uint2float_##rounding, unsigned, mode, (float)x)                                           \
    HEDDLE_EMU_ONE(float, __ll2float_##rounding, long long, mode, (float)x)                                            \
    HEDDLE_EMU_ONE(float, __ull2float_##rounding, unsigned long long, mode, (float)x)                                  \
    HEDDLE_EMU_ONE(double, __ll2double_##rounding, long long, mode, (double)x)                                         \
    HEDDLE_EMU_ONE(double, __ull2double_##rounding, unsigned long long, mode, (double)x)
HEDDLE_EMU_MODE(rz, FE_TOWARDZERO)
HEDDLE_EMU_MODE(ru, FE_UPWARD)
HEDDLE_EMU_MODE(rd, FE_DOWNWARD)
#undef HEDDLE_EMU_MODE
#undef HEDDLE_EMU_THREE
#undef HEDDLE_EMU_TWO
#undef HEDDLE_EMU_ONE
#undef HEDDLE_EMU_SET
HEDDLE_EMU double __drcp_rn(double x)
{
    return 1. / x;
}
HEDDLE_EMU double __dsqrt_rn(double x)
{
    return ::sqrt(x);
}
HEDDLE_EMU float __fdividef(float a, float b)
{
    return a / b;
}
// The C library may have declared functions of these names.
#define __sinf(x)          (::sinf(x))
#define __cosf(x)          (::cosf(x))
#define __tanf(x)          (::tanf(x))
#define __expf(x)          (::expf(x))
#define __exp10f(x)        (::powf(10.f, x))
#define __logf(x)          (::logf(x))
#define __log2f(x)         (::log2f(x))
#define __log10f(x)        (::log10f(x))
#define __powf(x, y)       (::powf(x, y))
#define __sincosf(x, s, c) (*(s) = ::sinf(x), (void)(*(c) = ::cosf(x)))
HEDDLE_EMU float __fmaf_rn(float a, float b, float c)
{
    return ::fmaf(a, b, c);
}
HEDDLE_EMU double __fma_rn(double a, double b, double c)
{
    return ::fma(a, b, c);
}

#include "emulation_texture.h"

// What the runtime knows of kernels and variables by registration is in the program itself.
template <class T> HEDDLE_EMU cudaError_t cudaGetSymbolSize(size_t *size, const T &)
{
    *size = sizeof(T);
    return cudaSuccess;
}
namespace __heddle_emulation
{
template <unsigned... I> struct numbers {
};
template <unsigned N, unsigned... I> struct count_up : count_up<N - 1, N - 1, I...> {
};
template <unsigned... I> struct count_up<0, I...> {
    typedef numbers<I...> type;
};
template <class... A, unsigned... I>
cudaError_t launch_packed(__cudaEmulationLaunch l, void (*kernel)(A...), void **args, numbers<I...>)
{
    (void)args;
    auto body = [=] { kernel(*static_cast<typename std::remove_reference<A>::type *>(args[I])...); };
    l.kernel = "kernel";
    l.call = call<decltype(body)>;
    l.data = (void *)&body;
    return __cudaEmulationRun(&l);
}
} // namespace __heddle_emulation
template <class... A>
HEDDLE_EMU cudaError_t cudaLaunchKernel(void (*kernel)(A...), dim3 grid, dim3 block, void **args, size_t shared = 0,
                                        cudaStream_t stream = 0)
{
    return __heddle_emulation::launch_packed(__heddle_emulation::config(grid, block, shared, stream), kernel, args,
                                             typename __heddle_emulation::count_up<sizeof...(A)>::type());
}
template <class R, class... A> HEDDLE_EMU cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *out, R (*)(A...))
{
    memset(out, 0, sizeof *out);
    out->maxThreadsPerBlock = 1024;
    out->numRegs = 8;
    return cudaSuccess;
}
template <class R, class... A> HEDDLE_EMU cudaError_t cudaFuncSetAttribute(R (*)(A...), cudaFuncAttribute, int)
{
    return cudaSuccess;
}
template <class R, class... A> HEDDLE_EMU cudaError_t cudaFuncSetCacheConfig(R (*)(A...), cudaFuncCache)
{
    return cudaSuccess;
}
#undef HEDDLE_EMU_PLACE
#undef HEDDLE_EMU
#endif
