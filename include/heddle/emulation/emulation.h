// SPDX-License-Identifier: Apache-2.0
// Device emulation (nvcc -deviceemu): what device code may use, as plain C++ for the host compiler. The compiler driver
// rewrites launches and shared variables; everything else of the language is here, over the C library and the few
// functions of emulation_api.h.
#ifndef HEDDLE_EMULATION_H
#define HEDDLE_EMULATION_H
#include "emulation_api.h"
#include "../math/math_host.h"
#include "../math/minmax.h"
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
#define HEDDLE_EMU_PLACE const char *__file = __builtin_FILE(), int __line = __builtin_LINE()

// Launches: f<<<grid, block, shared, stream>>>(a, b) becomes launch(config(grid, block, shared, stream), "f",
// [&](auto &&a, auto &&b) { f(a, b); }, a, b). Arguments are evaluated once; each thread copies them into its
// parameters.
namespace __heddle_emulation
{
HEDDLE_EMU __cudaEmulationLaunch config(dim3 __grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0)
{
    __cudaEmulationLaunch __l = {__grid, block, shared, stream, 0, 0, 0};
    return __l;
}
template <class __Body> void call(void *body)
{
    (*static_cast<__Body *>(body))();
}
template <class __Kernel, class... __Args>
cudaError_t launch(__cudaEmulationLaunch __l, const char *name, __Kernel kernel, __Args &&...args)
{
    auto body = [&] { kernel(args...); };
    __l.kernel = name;
    __l.call = call<decltype(body)>;
    __l.data = &body;
    return __cudaEmulationRun(&__l);
}
template <class __T> HEDDLE_EMU unsigned long long pack(__T value)
{
    static_assert(sizeof(__T) <= 8, "values of at most 8 bytes are exchanged");
    unsigned long long bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}
template <class __T> HEDDLE_EMU __T unpack(unsigned long long bits)
{
    __T value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
template <class __T, class __From> HEDDLE_EMU __T same_bits(__From from)
{
    static_assert(sizeof(__T) == sizeof(__From), "sizes differ");
    __T value;
    memcpy(&value, &from, sizeof value);
    return value;
}
} // namespace __heddle_emulation

// Barriers and fences.
HEDDLE_EMU void __syncthreads(HEDDLE_EMU_PLACE)
{
    __cudaEmulationBarrier(0, "__syncthreads()", __file, __line);
}
HEDDLE_EMU int __syncthreads_count(int __predicate, HEDDLE_EMU_PLACE)
{
    return __cudaEmulationBarrier(__predicate, "__syncthreads_count()", __file, __line);
}
HEDDLE_EMU int __syncthreads_or(int __predicate, HEDDLE_EMU_PLACE)
{
    return __cudaEmulationBarrier(__predicate, "__syncthreads_or()", __file, __line) != 0;
}
HEDDLE_EMU int __syncthreads_and(int __predicate, HEDDLE_EMU_PLACE)
{
    return __cudaEmulationBarrier(!__predicate, "__syncthreads_and()", __file, __line) == 0;
}
HEDDLE_EMU void __syncwarp(unsigned mask = 0xffffffffu, HEDDLE_EMU_PLACE)
{
    unsigned present;
    __cudaEmulationExchange(mask, 0, &present, "__syncwarp()", __file, __line);
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
    struct timespec __t;
    clock_gettime(CLOCK_MONOTONIC, &__t);
    return __t.tv_sec * 1000000000ll + __t.tv_nsec;
}

// Votes and shuffles. A thread alone is what is certain to be active.
HEDDLE_EMU unsigned __activemask()
{
    return 1u << __cudaEmulationNow.lane;
}
HEDDLE_EMU unsigned __ballot_sync(unsigned mask, int __predicate, HEDDLE_EMU_PLACE)
{
    unsigned present, bits = 0;
    const unsigned long long *all =
        __cudaEmulationExchange(mask, __predicate != 0, &present, "__ballot_sync()", __file, __line);
    for (int __i = 0; __i < 32; __i++)
        bits |= (present >> __i & 1 && all[__i]) ? 1u << __i : 0u;
    return bits;
}
HEDDLE_EMU int __any_sync(unsigned mask, int __predicate, HEDDLE_EMU_PLACE)
{
    return __ballot_sync(mask, __predicate, __file, __line) != 0;
}
HEDDLE_EMU int __all_sync(unsigned mask, int __predicate, HEDDLE_EMU_PLACE)
{
    return __ballot_sync(mask, !__predicate, __file, __line) == 0;
}
HEDDLE_EMU int __any(int __predicate, HEDDLE_EMU_PLACE)
{
    return __any_sync(0xffffffffu, __predicate, __file, __line);
}
HEDDLE_EMU int __all(int __predicate, HEDDLE_EMU_PLACE)
{
    return __all_sync(0xffffffffu, __predicate, __file, __line);
}
HEDDLE_EMU unsigned __ballot(int __predicate, HEDDLE_EMU_PLACE)
{
    return __ballot_sync(0xffffffffu, __predicate, __file, __line);
}
template <class __T> HEDDLE_EMU unsigned __match_any_sync(unsigned mask, __T value, HEDDLE_EMU_PLACE)
{
    unsigned present, bits = 0;
    unsigned long long own = __heddle_emulation::pack(value);
    const unsigned long long *all = __cudaEmulationExchange(mask, own, &present, "__match_any_sync()", __file, __line);
    for (int __i = 0; __i < 32; __i++)
        bits |= (present >> __i & 1 && all[__i] == own) ? 1u << __i : 0u;
    return bits;
}
template <class __T> HEDDLE_EMU unsigned __match_all_sync(unsigned mask, __T value, int *__predicate, HEDDLE_EMU_PLACE)
{
    unsigned same = __match_any_sync(mask, value, __file, __line);
    *__predicate = same == mask;
    return *__predicate ? mask : 0;
}
namespace __heddle_emulation
{
// The value of the lane, where that one takes part and the distance stays within the width.
template <class __T>
HEDDLE_EMU __T shuffle(unsigned mask, __T value, int source, bool inside, const char *name, const char *__file,
                       int __line)
{
    unsigned present;
    const unsigned long long *all = __cudaEmulationExchange(mask, pack(value), &present, name, __file, __line);
    return inside && present >> (source & 31) & 1 ? unpack<__T>(all[source & 31]) : value;
}
} // namespace __heddle_emulation
template <class __T> HEDDLE_EMU __T __shfl_sync(unsigned mask, __T value, int source, int width = 32, HEDDLE_EMU_PLACE)
{
    int first = (int)__cudaEmulationNow.lane & ~(width - 1);
    return __heddle_emulation::shuffle(mask, value, first + (source & (width - 1)), true, "__shfl_sync()", __file,
                                       __line);
}
template <class __T>
HEDDLE_EMU __T __shfl_up_sync(unsigned mask, __T value, unsigned delta, int width = 32, HEDDLE_EMU_PLACE)
{
    int lane = (int)__cudaEmulationNow.lane, source = lane - (int)delta;
    return __heddle_emulation::shuffle(mask, value, source, source >= (lane & ~(width - 1)), "__shfl_up_sync()", __file,
                                       __line);
}
template <class __T>
HEDDLE_EMU __T __shfl_down_sync(unsigned mask, __T value, unsigned delta, int width = 32, HEDDLE_EMU_PLACE)
{
    int lane = (int)__cudaEmulationNow.lane, source = lane + (int)delta;
    return __heddle_emulation::shuffle(mask, value, source, source <= (lane | (width - 1)), "__shfl_down_sync()",
                                       __file, __line);
}
template <class __T>
HEDDLE_EMU __T __shfl_xor_sync(unsigned mask, __T value, int bits, int width = 32, HEDDLE_EMU_PLACE)
{
    int lane = (int)__cudaEmulationNow.lane, source = lane ^ bits;
    return __heddle_emulation::shuffle(mask, value, source, source <= (lane | (width - 1)), "__shfl_xor_sync()", __file,
                                       __line);
}
template <class __T> HEDDLE_EMU __T __shfl(__T value, int source, int width = 32, HEDDLE_EMU_PLACE)
{
    return __shfl_sync(0xffffffffu, value, source, width, __file, __line);
}
template <class __T> HEDDLE_EMU __T __shfl_up(__T value, unsigned delta, int width = 32, HEDDLE_EMU_PLACE)
{
    return __shfl_up_sync(0xffffffffu, value, delta, width, __file, __line);
}
template <class __T> HEDDLE_EMU __T __shfl_down(__T value, unsigned delta, int width = 32, HEDDLE_EMU_PLACE)
{
    return __shfl_down_sync(0xffffffffu, value, delta, width, __file, __line);
}
template <class __T> HEDDLE_EMU __T __shfl_xor(__T value, int bits, int width = 32, HEDDLE_EMU_PLACE)
{
    return __shfl_xor_sync(0xffffffffu, value, bits, width, __file, __line);
}

// Atomics: only one thread runs at a time. One that failed lets the others run, so that locks are released.
namespace __heddle_emulation
{
template <class __T> struct identity {
    typedef __T type;
};
} // namespace __heddle_emulation
#define HEDDLE_EMU_VALUE(__T) typename __heddle_emulation::identity<__T>::type
#define HEDDLE_EMU_ATOMIC(name, expression)                                                                            \
    template <class __T> HEDDLE_EMU __T name(__T *address, HEDDLE_EMU_VALUE(__T) value)                                \
    {                                                                                                                  \
        __T old = *address;                                                                                            \
        *address = expression;                                                                                         \
        return old;                                                                                                    \
    }                                                                                                                  \
    template <class __T> HEDDLE_EMU __T name##_block(__T *address, HEDDLE_EMU_VALUE(__T) value)                        \
    {                                                                                                                  \
        return name(address, value);                                                                                   \
    }                                                                                                                  \
    template <class __T> HEDDLE_EMU __T name##_system(__T *address, HEDDLE_EMU_VALUE(__T) value)                       \
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
template <class __T> HEDDLE_EMU __T atomicExch(__T *address, HEDDLE_EMU_VALUE(__T) value)
{
    __T old = *address;
    *address = value;
    if (memcmp(&old, &value, sizeof old) == 0)
        __cudaEmulationYield();
    return old;
}
template <class __T> HEDDLE_EMU __T atomicCAS(__T *address, HEDDLE_EMU_VALUE(__T) compare, HEDDLE_EMU_VALUE(__T) value)
{
    __T old = *address;
    if (old == compare)
        *address = value;
    else
        __cudaEmulationYield();
    return old;
}
#undef HEDDLE_EMU_VALUE

// Loads with hints.
template <class __T> HEDDLE_EMU __T __ldg(const __T *__p)
{
    return *__p;
}
template <class __T> HEDDLE_EMU __T __ldca(const __T *__p)
{
    return *__p;
}
template <class __T> HEDDLE_EMU __T __ldcg(const __T *__p)
{
    return *__p;
}
template <class __T> HEDDLE_EMU __T __ldcs(const __T *__p)
{
    return *__p;
}
template <class __T> HEDDLE_EMU __T __ldlu(const __T *__p)
{
    return *__p;
}
template <class __T> HEDDLE_EMU __T __ldcv(const __T *__p)
{
    return *(const volatile __T *)__p;
}
template <class __T> HEDDLE_EMU void __stwb(__T *__p, __T value)
{
    *__p = value;
}
template <class __T> HEDDLE_EMU void __stcg(__T *__p, __T value)
{
    *__p = value;
}
template <class __T> HEDDLE_EMU void __stcs(__T *__p, __T value)
{
    *__p = value;
}
template <class __T> HEDDLE_EMU void __stwt(__T *__p, __T value)
{
    *__p = value;
}

// Integers.
HEDDLE_EMU int __mul24(int __a, int __b)
{
    return (int)((unsigned)(__a << 8 >> 8) * (unsigned)(__b << 8 >> 8));
}
HEDDLE_EMU unsigned __umul24(unsigned __a, unsigned __b)
{
    return (__a & 0xffffffu) * (__b & 0xffffffu);
}
HEDDLE_EMU int __mulhi(int __a, int __b)
{
    return (int)((long long)__a * __b >> 32);
}
HEDDLE_EMU unsigned __umulhi(unsigned __a, unsigned __b)
{
    return (unsigned)((unsigned long long)__a * __b >> 32);
}
HEDDLE_EMU long long __mul64hi(long long __a, long long __b)
{
    return (long long)((__int128)__a * __b >> 64);
}
HEDDLE_EMU unsigned long long __umul64hi(unsigned long long __a, unsigned long long __b)
{
    return (unsigned long long)((unsigned __int128)__a * __b >> 64);
}
HEDDLE_EMU unsigned __sad(int __a, int __b, unsigned __c)
{
    return __c + (__a > __b ? (unsigned)__a - (unsigned)__b : (unsigned)__b - (unsigned)__a);
}
HEDDLE_EMU unsigned __usad(unsigned __a, unsigned __b, unsigned __c)
{
    return __c + (__a > __b ? __a - __b : __b - __a);
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
    unsigned __r = 0;
    for (int __i = 0; __i < 32; __i++)
        __r |= (x >> __i & 1u) << (31 - __i);
    return __r;
}
HEDDLE_EMU unsigned long long __brevll(unsigned long long x)
{
    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
HEDDLE_EMU unsigned __byte_perm(unsigned __a, unsigned __b, unsigned __select)
{
    unsigned long long both = (unsigned long long)__b << 32 | __a;
    unsigned __r = 0;
    for (int __i = 0; __i < 4; __i++)
        __r |= (unsigned)(both >> 8 * (__select >> 4 * __i & 7) & 0xff) << 8 * __i;
    return __r;
}
HEDDLE_EMU unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}
HEDDLE_EMU unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
HEDDLE_EMU int __hadd(int __a, int __b)
{
    return (int)(((long long)__a + __b) >> 1);
}
HEDDLE_EMU int __rhadd(int __a, int __b)
{
    return (int)(((long long)__a + __b + 1) >> 1);
}
HEDDLE_EMU unsigned __uhadd(unsigned __a, unsigned __b)
{
    return (unsigned)(((unsigned long long)__a + __b) >> 1);
}
HEDDLE_EMU unsigned __urhadd(unsigned __a, unsigned __b)
{
    return (unsigned)(((unsigned long long)__a + __b + 1) >> 1);
}
HEDDLE_EMU int __dp4a(int __a, int __b, int __c)
{
    for (int __i = 0; __i < 32; __i += 8)
        __c += (int)(signed char)(__a >> __i) * (int)(signed char)(__b >> __i);
    return __c;
}
HEDDLE_EMU unsigned __dp4a(unsigned __a, unsigned __b, unsigned __c)
{
    for (int __i = 0; __i < 32; __i += 8)
        __c += (__a >> __i & 0xff) * (__b >> __i & 0xff);
    return __c;
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
template <class __T> HEDDLE_EMU __T clamp(double x, double low, double high, __T least, __T most)
{
    return x != x ? __T(0) : x <= low ? least : x >= high ? most : __T(x);
}
} // namespace __heddle_emulation
#define HEDDLE_EMU_TO_INTEGER(from, name, __mode, function)                                                            \
    HEDDLE_EMU int __##name##2int_##__mode(from x)                                                                     \
    {                                                                                                                  \
        return __heddle_emulation::clamp<int>(function((double)x), INT_MIN, INT_MAX, INT_MIN, INT_MAX);                \
    }                                                                                                                  \
    HEDDLE_EMU unsigned __##name##2uint_##__mode(from x)                                                               \
    {                                                                                                                  \
        return __heddle_emulation::clamp<unsigned>(function((double)x), 0, UINT_MAX, 0u, UINT_MAX);                    \
    }                                                                                                                  \
    HEDDLE_EMU long long __##name##2ll_##__mode(from x)                                                                \
    {                                                                                                                  \
        return __heddle_emulation::clamp<long long>(function((double)x), (double)LLONG_MIN, (double)LLONG_MAX,         \
                                                    LLONG_MIN, LLONG_MAX);                                             \
    }                                                                                                                  \
    HEDDLE_EMU unsigned long long __##name##2ull_##__mode(from x)                                                      \
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
#define HEDDLE_EMU_FROM(__to, name, from)                                                                              \
    HEDDLE_EMU __to name(from x)                                                                                       \
    {                                                                                                                  \
        return (__to)x;                                                                                                \
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
#define HEDDLE_EMU_ARITHMETIC(__T, add, sub, mul, div)                                                                 \
    HEDDLE_EMU __T add(__T __a, __T __b)                                                                               \
    {                                                                                                                  \
        return __a + __b;                                                                                              \
    }                                                                                                                  \
    HEDDLE_EMU __T sub(__T __a, __T __b)                                                                               \
    {                                                                                                                  \
        return __a - __b;                                                                                              \
    }                                                                                                                  \
    HEDDLE_EMU __T mul(__T __a, __T __b)                                                                               \
    {                                                                                                                  \
        return __a * __b;                                                                                              \
    }                                                                                                                  \
    HEDDLE_EMU __T div(__T __a, __T __b)                                                                               \
    {                                                                                                                  \
        return __a / __b;                                                                                              \
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
#define HEDDLE_EMU_SET(__T, __mode, expression)                                                                        \
    int before = fegetround();                                                                                         \
    fesetround(__mode);                                                                                                \
    volatile __T result = expression;                                                                                  \
    fesetround(before);                                                                                                \
    return result;
#define HEDDLE_EMU_ONE(__T, name, __From, __mode, expression)                                                          \
    HEDDLE_EMU __T name(__From value)                                                                                  \
    {                                                                                                                  \
        volatile __From x = value;                                                                                     \
        HEDDLE_EMU_SET(__T, __mode, expression)                                                                        \
    }
#define HEDDLE_EMU_TWO(__T, name, __mode, expression)                                                                  \
    HEDDLE_EMU __T name(__T first, __T second)                                                                         \
    {                                                                                                                  \
        volatile __T x = first, y = second;                                                                            \
        HEDDLE_EMU_SET(__T, __mode, expression)                                                                        \
    }
#define HEDDLE_EMU_THREE(__T, name, __mode, function)                                                                  \
    HEDDLE_EMU __T name(__T first, __T second, __T third)                                                              \
    {                                                                                                                  \
        volatile __T x = first, y = second, z = third;                                                                 \
        HEDDLE_EMU_SET(__T, __mode, function(x, y, z))                                                                 \
    }
#define HEDDLE_EMU_MODE(__rounding, __mode)                                                                            \
    HEDDLE_EMU_TWO(float, __fadd_##__rounding, __mode, x + y)                                                          \
    HEDDLE_EMU_TWO(float, __fsub_##__rounding, __mode, x - y)                                                          \
    HEDDLE_EMU_TWO(float, __fmul_##__rounding, __mode, x *y)                                                           \
    HEDDLE_EMU_TWO(float, __fdiv_##__rounding, __mode, x / y)                                                          \
    HEDDLE_EMU_TWO(double, __dadd_##__rounding, __mode, x + y)                                                         \
    HEDDLE_EMU_TWO(double, __dsub_##__rounding, __mode, x - y)                                                         \
    HEDDLE_EMU_TWO(double, __dmul_##__rounding, __mode, x *y)                                                          \
    HEDDLE_EMU_TWO(double, __ddiv_##__rounding, __mode, x / y)                                                         \
    HEDDLE_EMU_THREE(float, __fmaf_##__rounding, __mode, ::fmaf)                                                       \
    HEDDLE_EMU_THREE(double, __fma_##__rounding, __mode, ::fma)                                                        \
    HEDDLE_EMU_ONE(float, __frcp_##__rounding, float, __mode, 1.f / x)                                                 \
    HEDDLE_EMU_ONE(double, __drcp_##__rounding, double, __mode, 1. / x)                                                \
    HEDDLE_EMU_ONE(float, __fsqrt_##__rounding, float, __mode, ::sqrtf(x))                                             \
    HEDDLE_EMU_ONE(double, __dsqrt_##__rounding, double, __mode, ::sqrt(x))                                            \
    HEDDLE_EMU_ONE(float, __double2float_##__rounding, double, __mode, (float)x)                                       \
    HEDDLE_EMU_ONE(float, __int2float_##__rounding, int, __mode, (float)x)                                             \
    HEDDLE_EMU_ONE(float, __uint2float_##__rounding, unsigned, __mode, (float)x)                                       \
    HEDDLE_EMU_ONE(float, __ll2float_##__rounding, long long, __mode, (float)x)                                        \
    HEDDLE_EMU_ONE(float, __ull2float_##__rounding, unsigned long long, __mode, (float)x)                              \
    HEDDLE_EMU_ONE(double, __ll2double_##__rounding, long long, __mode, (double)x)                                     \
    HEDDLE_EMU_ONE(double, __ull2double_##__rounding, unsigned long long, __mode, (double)x)
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
HEDDLE_EMU float __fdividef(float __a, float __b)
{
    return __a / __b;
}
// The C library may have declared functions of these names.
#define __sinf(x)              (::sinf(x))
#define __cosf(x)              (::cosf(x))
#define __tanf(x)              (::tanf(x))
#define __tanhf(x)             (::tanhf(x))
#define __expf(x)              (::expf(x))
#define __exp10f(x)            (::powf(10.f, x))
#define __logf(x)              (::logf(x))
#define __log2f(x)             (::log2f(x))
#define __log10f(x)            (::log10f(x))
#define __powf(x, y)           (::powf(x, y))
#define __sincosf(x, __s, __c) (*(__s) = ::sinf(x), (void)(*(__c) = ::cosf(x)))
HEDDLE_EMU float __fmaf_rn(float __a, float __b, float __c)
{
    return ::fmaf(__a, __b, __c);
}
HEDDLE_EMU double __fma_rn(double __a, double __b, double __c)
{
    return ::fma(__a, __b, __c);
}

#include "emulation_texture.h"

// What the runtime knows of kernels and variables by registration is in the program itself.
template <class __T> HEDDLE_EMU cudaError_t cudaGetSymbolSize(size_t *size, const __T &)
{
    *size = sizeof(__T);
    return cudaSuccess;
}
namespace __heddle_emulation
{
template <unsigned... __I> struct numbers {
};
template <unsigned __N, unsigned... __I> struct count_up : count_up<__N - 1, __N - 1, __I...> {
};
template <unsigned... __I> struct count_up<0, __I...> {
    typedef numbers<__I...> type;
};
template <class... __A, unsigned... __I>
cudaError_t launch_packed(__cudaEmulationLaunch __l, void (*kernel)(__A...), void **args, numbers<__I...>)
{
    (void)args;
    auto body = [=] { kernel(*static_cast<typename std::remove_reference<__A>::type *>(args[__I])...); };
    __l.kernel = "kernel";
    __l.call = call<decltype(body)>;
    __l.data = (void *)&body;
    return __cudaEmulationRun(&__l);
}
} // namespace __heddle_emulation
template <class... __A>
HEDDLE_EMU cudaError_t cudaLaunchKernel(void (*kernel)(__A...), dim3 __grid, dim3 block, void **args, size_t shared = 0,
                                        cudaStream_t stream = 0)
{
    return __heddle_emulation::launch_packed(__heddle_emulation::config(__grid, block, shared, stream), kernel, args,
                                             typename __heddle_emulation::count_up<sizeof...(__A)>::type());
}
template <class __R, class... __A>
HEDDLE_EMU cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *out, __R (*)(__A...))
{
    memset(out, 0, sizeof *out);
    out->maxThreadsPerBlock = 1024;
    out->numRegs = 8;
    return cudaSuccess;
}
template <class __R, class... __A> HEDDLE_EMU cudaError_t cudaFuncSetAttribute(__R (*)(__A...), cudaFuncAttribute, int)
{
    return cudaSuccess;
}
template <class __R, class... __A> HEDDLE_EMU cudaError_t cudaFuncSetCacheConfig(__R (*)(__A...), cudaFuncCache)
{
    return cudaSuccess;
}
#undef HEDDLE_EMU_PLACE
#undef HEDDLE_EMU
#endif
