// SPDX-License-Identifier: Apache-2.0
// The functions that __half and __nv_bfloat16 have in common, once for each: the including header defines NARROW (the
// type), NARROW2 (the pair), NARROW_NAME (the word in function names), HEDDLE_FMA, HEDDLE_TANH and
// HEDDLE_TANH_ARCH (the instruction and its first architecture), heddle_as_gpu_*, and the conversions
// heddle_widen(NARROW) and heddle_narrow_NARROW(float). There is no include guard. Arithmetic is done in float and
// rounded once more, which for +, -, *, / and sqrt gives the correctly rounded result, since a float has more than
// twice the digits.
#define HEDDLE_NF                    static __host__ __device__ __forceinline__
#define HEDDLE_ND                    static __device__ __forceinline__
#define HEDDLE_PASTE2(__a, __b)      __a##__b
#define HEDDLE_PASTE(__a, __b)       HEDDLE_PASTE2(__a, __b)
#define HEDDLE_NAMED3(__a, __b, __c) __a##__b##__c
#define HEDDLE_NAMED2(__a, __b, __c) HEDDLE_NAMED3(__a, __b, __c)
#define HEDDLE_NAMED(__a, __c)       HEDDLE_NAMED2(__a, NARROW_NAME, __c)
#define HEDDLE_TO                    HEDDLE_PASTE(heddle_narrow_, NARROW)

// Pairs.
HEDDLE_NF NARROW2 HEDDLE_PASTE(heddle_pair_, NARROW)(NARROW __a, NARROW __b)
{
    NARROW2 __v;
    __v.x = __a;
    __v.y = __b;
    return __v;
}
#define HEDDLE_PAIR HEDDLE_PASTE(heddle_pair_, NARROW)
HEDDLE_NF NARROW HEDDLE_NAMED(__low2, )(NARROW2 __a)
{
    return __a.x;
}
HEDDLE_NF NARROW HEDDLE_NAMED(__high2, )(NARROW2 __a)
{
    return __a.y;
}
HEDDLE_NF NARROW2 HEDDLE_NAMED(__low2, 2)(NARROW2 __a)
{
    return HEDDLE_PAIR(__a.x, __a.x);
}
HEDDLE_NF NARROW2 HEDDLE_NAMED(__high2, 2)(NARROW2 __a)
{
    return HEDDLE_PAIR(__a.y, __a.y);
}
HEDDLE_NF NARROW2 HEDDLE_NAMED(__lows2, 2)(NARROW2 __a, NARROW2 __b)
{
    return HEDDLE_PAIR(__a.x, __b.x);
}
HEDDLE_NF NARROW2 HEDDLE_NAMED(__highs2, 2)(NARROW2 __a, NARROW2 __b)
{
    return HEDDLE_PAIR(__a.y, __b.y);
}
HEDDLE_NF NARROW2 __lowhigh2highlow(NARROW2 __a)
{
    return HEDDLE_PAIR(__a.y, __a.x);
}
HEDDLE_NF float __low2float(NARROW2 __a)
{
    return heddle_widen(__a.x);
}
HEDDLE_NF float __high2float(NARROW2 __a)
{
    return heddle_widen(__a.y);
}

// Arithmetic of one value and of pairs, with the forms that clamp to 0 ... 1.
HEDDLE_NF NARROW heddle_saturate(NARROW __a)
{
    float f = heddle_widen(__a);
    return HEDDLE_TO(f > 0.0f ? f < 1.0f ? f : 1.0f : 0.0f);
}
#define HEDDLE_NARROW_BINARY(name, op)                                                                                 \
    HEDDLE_NF NARROW __h##name(NARROW __a, NARROW __b)                                                                 \
    {                                                                                                                  \
        return HEDDLE_TO(heddle_widen(__a) op heddle_widen(__b));                                                      \
    }                                                                                                                  \
    HEDDLE_NF NARROW __h##name##_rn(NARROW __a, NARROW __b)                                                            \
    {                                                                                                                  \
        return __h##name(__a, __b);                                                                                    \
    }                                                                                                                  \
    HEDDLE_NF NARROW __h##name##_sat(NARROW __a, NARROW __b)                                                           \
    {                                                                                                                  \
        return heddle_saturate(__h##name(__a, __b));                                                                   \
    }                                                                                                                  \
    HEDDLE_NF NARROW2 __h##name##2(NARROW2 __a, NARROW2 __b)                                                           \
    {                                                                                                                  \
        return HEDDLE_PAIR(__h##name(__a.x, __b.x), __h##name(__a.y, __b.y));                                          \
    }                                                                                                                  \
    HEDDLE_NF NARROW2 __h##name##2_rn(NARROW2 __a, NARROW2 __b)                                                        \
    {                                                                                                                  \
        return __h##name##2(__a, __b);                                                                                 \
    }                                                                                                                  \
    HEDDLE_NF NARROW2 __h##name##2_sat(NARROW2 __a, NARROW2 __b)                                                       \
    {                                                                                                                  \
        return HEDDLE_PAIR(__h##name##_sat(__a.x, __b.x), __h##name##_sat(__a.y, __b.y));                              \
    }
HEDDLE_NARROW_BINARY(add, +)
HEDDLE_NARROW_BINARY(sub, -)
HEDDLE_NARROW_BINARY(mul, *)
#undef HEDDLE_NARROW_BINARY
HEDDLE_NF NARROW __hdiv(NARROW __a, NARROW __b)
{
    return HEDDLE_TO(heddle_widen(__a) / heddle_widen(__b));
}
HEDDLE_NF NARROW2 __h2div(NARROW2 __a, NARROW2 __b)
{
    return HEDDLE_PAIR(__hdiv(__a.x, __b.x), __hdiv(__a.y, __b.y));
}
HEDDLE_NF NARROW __hfma(NARROW __a, NARROW __b, NARROW __c)
{
    return HEDDLE_FMA(__a, __b, __c);
}
HEDDLE_NF NARROW __hfma_sat(NARROW __a, NARROW __b, NARROW __c)
{
    return heddle_saturate(__hfma(__a, __b, __c));
}
HEDDLE_NF NARROW __hfma_relu(NARROW __a, NARROW __b, NARROW __c)
{
    float f = heddle_widen(__hfma(__a, __b, __c));
    return HEDDLE_TO(f > 0.0f || f != f ? f : 0.0f);
}
HEDDLE_NF NARROW2 __hfma2(NARROW2 __a, NARROW2 __b, NARROW2 __c)
{
    return HEDDLE_PAIR(__hfma(__a.x, __b.x, __c.x), __hfma(__a.y, __b.y, __c.y));
}
HEDDLE_NF NARROW2 __hfma2_sat(NARROW2 __a, NARROW2 __b, NARROW2 __c)
{
    return HEDDLE_PAIR(__hfma_sat(__a.x, __b.x, __c.x), __hfma_sat(__a.y, __b.y, __c.y));
}
HEDDLE_NF NARROW2 __hfma2_relu(NARROW2 __a, NARROW2 __b, NARROW2 __c)
{
    return HEDDLE_PAIR(__hfma_relu(__a.x, __b.x, __c.x), __hfma_relu(__a.y, __b.y, __c.y));
}
HEDDLE_NF NARROW __hneg(NARROW __a)
{
    __a.__x ^= 0x8000;
    return __a;
}
// Complex multiply and add, in two steps for each part.
HEDDLE_NF NARROW2 __hcmadd(NARROW2 __a, NARROW2 __b, NARROW2 __c)
{
    NARROW real = __hfma(__a.x, __b.x, __c.x), imaginary = __hfma(__a.x, __b.y, __c.y);
    return HEDDLE_PAIR(__hfma(__hneg(__a.y), __b.y, real), __hfma(__a.y, __b.x, imaginary));
}
HEDDLE_NF NARROW __habs(NARROW __a)
{
    __a.__x &= 0x7FFF;
    return __a;
}
HEDDLE_NF NARROW2 __hneg2(NARROW2 __a)
{
    return HEDDLE_PAIR(__hneg(__a.x), __hneg(__a.y));
}
HEDDLE_NF NARROW2 __habs2(NARROW2 __a)
{
    return HEDDLE_PAIR(__habs(__a.x), __habs(__a.y));
}

// Comparisons. The forms with u are true when an operand is not a number.
HEDDLE_NF bool __hisnan(NARROW __a)
{
    float f = heddle_widen(__a);
    return f != f;
}
HEDDLE_NF int __hisinf(NARROW __a)
{
    float f = heddle_widen(__a);
    return f == __builtin_inff() ? 1 : f == -__builtin_inff() ? -1 : 0;
}
HEDDLE_NF NARROW2 __hisnan2(NARROW2 __a)
{
    return HEDDLE_PAIR(HEDDLE_TO(__hisnan(__a.x)), HEDDLE_TO(__hisnan(__a.y)));
}
#define HEDDLE_NARROW_ONE_COMPARE(name, expression)                                                                    \
    HEDDLE_NF bool __h##name(NARROW x, NARROW y)                                                                       \
    {                                                                                                                  \
        float __a = heddle_widen(x), __b = heddle_widen(y);                                                            \
        return expression;                                                                                             \
    }                                                                                                                  \
    HEDDLE_NF NARROW2 __h##name##2(NARROW2 __a, NARROW2 __b)                                                           \
    {                                                                                                                  \
        return HEDDLE_PAIR(HEDDLE_TO(__h##name(__a.x, __b.x)), HEDDLE_TO(__h##name(__a.y, __b.y)));                    \
    }                                                                                                                  \
    HEDDLE_NF unsigned int __h##name##2_mask(NARROW2 __a, NARROW2 __b)                                                 \
    {                                                                                                                  \
        return (__h##name(__a.x, __b.x) ? 0xFFFFu : 0u) | (__h##name(__a.y, __b.y) ? 0xFFFF0000u : 0u);                \
    }                                                                                                                  \
    HEDDLE_NF bool __hb##name##2(NARROW2 __a, NARROW2 __b)                                                             \
    {                                                                                                                  \
        return __h##name(__a.x, __b.x) && __h##name(__a.y, __b.y);                                                     \
    }
#define HEDDLE_NARROW_COMPARE(name, op)                                                                                \
    HEDDLE_NARROW_ONE_COMPARE(name, __a op __b)                                                                        \
    HEDDLE_NARROW_ONE_COMPARE(name##u, __a op __b || __a != __a || __b != __b)
HEDDLE_NARROW_COMPARE(eq, ==)
HEDDLE_NARROW_COMPARE(lt, <)
HEDDLE_NARROW_COMPARE(le, <=)
HEDDLE_NARROW_COMPARE(gt, >)
HEDDLE_NARROW_COMPARE(ge, >=)
HEDDLE_NARROW_ONE_COMPARE(ne, __a<__b || __a> __b)
HEDDLE_NARROW_ONE_COMPARE(neu, __a != __b)
#undef HEDDLE_NARROW_COMPARE
#undef HEDDLE_NARROW_ONE_COMPARE

// Of two zeros the positive one is the larger; not-a-number has one form.
#define HEDDLE_NARROW_CHOOSE(name, op)                                                                                 \
    HEDDLE_NF NARROW __h##name##_nan(NARROW __a, NARROW __b)                                                           \
    {                                                                                                                  \
        float x = heddle_widen(__a), y = heddle_widen(__b);                                                            \
        bool first = x op y || (x == y && (short)__a.__x op(short) __b.__x);                                           \
        NARROW __r = first ? __a : __b;                                                                                \
        __r.__x = x != x || y != y ? (unsigned short)0x7FFF : __r.__x;                                                 \
        return __r;                                                                                                    \
    }                                                                                                                  \
    HEDDLE_NF NARROW __h##name(NARROW __a, NARROW __b)                                                                 \
    {                                                                                                                  \
        float x = heddle_widen(__a), y = heddle_widen(__b);                                                            \
        bool first = y != y || x op y || (x == y && (short)__a.__x op(short) __b.__x);                                 \
        NARROW __r = first ? __a : __b;                                                                                \
        __r.__x = x != x && y != y ? (unsigned short)0x7FFF : x != x ? __b.__x : __r.__x;                              \
        return __r;                                                                                                    \
    }                                                                                                                  \
    HEDDLE_NF NARROW2 __h##name##2(NARROW2 __a, NARROW2 __b)                                                           \
    {                                                                                                                  \
        return HEDDLE_PAIR(__h##name(__a.x, __b.x), __h##name(__a.y, __b.y));                                          \
    }                                                                                                                  \
    HEDDLE_NF NARROW2 __h##name##2_nan(NARROW2 __a, NARROW2 __b)                                                       \
    {                                                                                                                  \
        return HEDDLE_PAIR(__h##name##_nan(__a.x, __b.x), __h##name##_nan(__a.y, __b.y));                              \
    }
HEDDLE_NARROW_CHOOSE(max, >)
HEDDLE_NARROW_CHOOSE(min, <)
#undef HEDDLE_NARROW_CHOOSE

// Operators.
#define HEDDLE_NARROW_OPERATOR(op, one, two)                                                                           \
    HEDDLE_NF NARROW operator op(const NARROW &__a, const NARROW &__b)                                                 \
    {                                                                                                                  \
        return one(__a, __b);                                                                                          \
    }                                                                                                                  \
    HEDDLE_NF NARROW &operator op## = (NARROW & __a, const NARROW &__b)                                                \
    {                                                                                                                  \
        return __a = one(__a, __b);                                                                                    \
    }                                                                                                                  \
    HEDDLE_NF NARROW2 operator op(const NARROW2 &__a, const NARROW2 &__b)                                              \
    {                                                                                                                  \
        return two(__a, __b);                                                                                          \
    }                                                                                                                  \
    HEDDLE_NF NARROW2 &operator op## = (NARROW2 & __a, const NARROW2 &__b)                                             \
    {                                                                                                                  \
        return __a = two(__a, __b);                                                                                    \
    }
HEDDLE_NARROW_OPERATOR(+, __hadd, __hadd2)
HEDDLE_NARROW_OPERATOR(-, __hsub, __hsub2)
HEDDLE_NARROW_OPERATOR(*, __hmul, __hmul2)
HEDDLE_NARROW_OPERATOR(/, __hdiv, __h2div)
#undef HEDDLE_NARROW_OPERATOR
HEDDLE_NF NARROW operator+(const NARROW &__a)
{
    return __a;
}
HEDDLE_NF NARROW operator-(const NARROW &__a)
{
    return __hneg(__a);
}
HEDDLE_NF NARROW2 operator+(const NARROW2 &__a)
{
    return __a;
}
HEDDLE_NF NARROW2 operator-(const NARROW2 &__a)
{
    return __hneg2(__a);
}
// Of a pair, both parts.
#define HEDDLE_NARROW_STEPS(__T, __one)                                                                                \
    HEDDLE_NF __T &operator++(__T &__a)                                                                                \
    {                                                                                                                  \
        return __a += __one;                                                                                           \
    }                                                                                                                  \
    HEDDLE_NF __T &operator--(__T &__a)                                                                                \
    {                                                                                                                  \
        return __a -= __one;                                                                                           \
    }                                                                                                                  \
    HEDDLE_NF __T operator++(__T &__a, int)                                                                            \
    {                                                                                                                  \
        __T __old = __a;                                                                                               \
        ++__a;                                                                                                         \
        return __old;                                                                                                  \
    }                                                                                                                  \
    HEDDLE_NF __T operator--(__T &__a, int)                                                                            \
    {                                                                                                                  \
        __T __old = __a;                                                                                               \
        --__a;                                                                                                         \
        return __old;                                                                                                  \
    }
HEDDLE_NARROW_STEPS(NARROW, HEDDLE_TO(1.0f))
HEDDLE_NARROW_STEPS(NARROW2, HEDDLE_PAIR(HEDDLE_TO(1.0f), HEDDLE_TO(1.0f)))
#undef HEDDLE_NARROW_STEPS
#define HEDDLE_NARROW_RELATION(op, name)                                                                               \
    HEDDLE_NF bool operator op(const NARROW &__a, const NARROW &__b)                                                   \
    {                                                                                                                  \
        return __h##name(__a, __b);                                                                                    \
    }                                                                                                                  \
    HEDDLE_NF bool operator op(const NARROW2 &__a, const NARROW2 &__b)                                                 \
    {                                                                                                                  \
        return __hb##name##2(__a, __b);                                                                                \
    }
HEDDLE_NARROW_RELATION(==, eq)
HEDDLE_NARROW_RELATION(!=, neu)
HEDDLE_NARROW_RELATION(<, lt)
HEDDLE_NARROW_RELATION(<=, le)
HEDDLE_NARROW_RELATION(>, gt)
HEDDLE_NARROW_RELATION(>=, ge)
#undef HEDDLE_NARROW_RELATION

#if defined(__CUDACC__)
// Functions, by way of float.
#define HEDDLE_NARROW_FUNCTION(name, expression)                                                                       \
    HEDDLE_ND NARROW h##name(NARROW __a)                                                                               \
    {                                                                                                                  \
        float x = heddle_widen(__a);                                                                                   \
        return HEDDLE_TO(expression);                                                                                  \
    }                                                                                                                  \
    HEDDLE_ND NARROW2 h2##name(NARROW2 __a)                                                                            \
    {                                                                                                                  \
        return HEDDLE_PAIR(h##name(__a.x), h##name(__a.y));                                                            \
    }
// The few results that are not the nearest on a GPU: heddle_as_gpu_NAME has them.
#define HEDDLE_NARROW_NEAR(name, expression)                                                                           \
    HEDDLE_ND NARROW h##name(NARROW __a)                                                                               \
    {                                                                                                                  \
        float x = heddle_widen(__a);                                                                                   \
        NARROW __r = HEDDLE_TO(expression);                                                                            \
        __r.__x = heddle_as_gpu_##name(__a, __r.__x);                                                                  \
        return __r;                                                                                                    \
    }                                                                                                                  \
    HEDDLE_ND NARROW2 h2##name(NARROW2 __a)                                                                            \
    {                                                                                                                  \
        return HEDDLE_PAIR(h##name(__a.x), h##name(__a.y));                                                            \
    }
HEDDLE_NARROW_FUNCTION(sqrt, ::sqrtf(x))
HEDDLE_NARROW_FUNCTION(rsqrt, ::rsqrtf(x))
HEDDLE_NARROW_FUNCTION(rcp, 1.0f / x)
HEDDLE_NARROW_NEAR(sin, ::sinf(x))
HEDDLE_NARROW_NEAR(cos, ::cosf(x))
HEDDLE_NARROW_NEAR(exp, ::expf(x))
HEDDLE_NARROW_NEAR(exp2, ::exp2f(x))
HEDDLE_NARROW_NEAR(exp10, ::exp10f(x))
HEDDLE_NARROW_NEAR(log, ::logf(x))
HEDDLE_NARROW_FUNCTION(log2, ::log2f(x))
HEDDLE_NARROW_NEAR(log10, ::log10f(x))
HEDDLE_NARROW_FUNCTION(tanh, ::tanhf(x))
HEDDLE_NARROW_FUNCTION(ceil, ::ceilf(x))
HEDDLE_NARROW_FUNCTION(floor, ::floorf(x))
HEDDLE_NARROW_FUNCTION(trunc, ::truncf(x))
HEDDLE_NARROW_FUNCTION(rint, ::rintf(x))
#undef HEDDLE_NARROW_FUNCTION
#undef HEDDLE_NARROW_NEAR
// The hardware's approximation, where there is one.
HEDDLE_ND NARROW htanh_approx(NARROW __a)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= HEDDLE_TANH_ARCH
    asm(HEDDLE_TANH " %0, %1;" : "=h"(__a.__x) : "h"(__a.__x));
    return __a;
#else
    return htanh(__a);
#endif
}
HEDDLE_ND NARROW2 h2tanh_approx(NARROW2 __a)
{
    return HEDDLE_PAIR(htanh_approx(__a.x), htanh_approx(__a.y));
}

// Loads with cache hints, shuffles and atomic additions, on the bits.
HEDDLE_ND NARROW heddle_from_bits(NARROW __a, unsigned short bits)
{
    __a.__x = bits;
    return __a;
}
HEDDLE_ND NARROW2 heddle_from_bits(NARROW2 __a, unsigned int bits)
{
    memcpy((void *)&__a, &bits, 4);
    return __a;
}
HEDDLE_ND unsigned int heddle_to_bits(NARROW2 __a)
{
    unsigned int bits;
    memcpy(&bits, (const void *)&__a, 4);
    return bits;
}
#define HEDDLE_NARROW_LOAD(name)                                                                                       \
    HEDDLE_ND NARROW name(const NARROW *__p)                                                                           \
    {                                                                                                                  \
        return heddle_from_bits(NARROW(), name((const unsigned short *)__p));                                          \
    }                                                                                                                  \
    HEDDLE_ND NARROW2 name(const NARROW2 *__p)                                                                         \
    {                                                                                                                  \
        return heddle_from_bits(NARROW2(), name((const unsigned int *)__p));                                           \
    }
HEDDLE_NARROW_LOAD(__ldg)
HEDDLE_NARROW_LOAD(__ldcg)
HEDDLE_NARROW_LOAD(__ldca)
HEDDLE_NARROW_LOAD(__ldcs)
HEDDLE_NARROW_LOAD(__ldlu)
HEDDLE_NARROW_LOAD(__ldcv)
#undef HEDDLE_NARROW_LOAD
#define HEDDLE_NARROW_STORE(name)                                                                                      \
    HEDDLE_ND void name(NARROW *__p, NARROW value)                                                                     \
    {                                                                                                                  \
        *__p = value;                                                                                                  \
    }                                                                                                                  \
    HEDDLE_ND void name(NARROW2 *__p, NARROW2 value)                                                                   \
    {                                                                                                                  \
        *__p = value;                                                                                                  \
    }
HEDDLE_NARROW_STORE(__stwb)
HEDDLE_NARROW_STORE(__stcg)
HEDDLE_NARROW_STORE(__stcs)
HEDDLE_NARROW_STORE(__stwt)
#undef HEDDLE_NARROW_STORE
#define HEDDLE_NARROW_SHUFFLE(name, __T)                                                                               \
    HEDDLE_ND NARROW name(unsigned mask, NARROW value, __T __at, int width = 32)                                       \
    {                                                                                                                  \
        return heddle_from_bits(value, (unsigned short)name(mask, (unsigned int)value.__x, __at, width));              \
    }                                                                                                                  \
    HEDDLE_ND NARROW2 name(unsigned mask, NARROW2 value, __T __at, int width = 32)                                     \
    {                                                                                                                  \
        return heddle_from_bits(value, name(mask, heddle_to_bits(value), __at, width));                                \
    }
HEDDLE_NARROW_SHUFFLE(__shfl_sync, int)
HEDDLE_NARROW_SHUFFLE(__shfl_up_sync, unsigned int)
HEDDLE_NARROW_SHUFFLE(__shfl_down_sync, unsigned int)
HEDDLE_NARROW_SHUFFLE(__shfl_xor_sync, int)
#undef HEDDLE_NARROW_SHUFFLE
HEDDLE_ND NARROW2 atomicAdd(NARROW2 *address, NARROW2 value)
{
    unsigned int *word = (unsigned int *)address, seen = *(volatile unsigned int *)word, expected;
    do {
        expected = seen;
        seen = atomicCAS(word, expected, heddle_to_bits(__hadd2(heddle_from_bits(value, expected), value)));
    } while (seen != expected);
    return heddle_from_bits(value, seen);
}
// On the aligned word that holds the value.
HEDDLE_ND NARROW atomicAdd(NARROW *address, NARROW value)
{
    unsigned int *word = (unsigned int *)((size_t)address & ~(size_t)2), shift = ((size_t)address & 2) * 8;
    unsigned int seen = *(volatile unsigned int *)word, expected, sum;
    do {
        expected = seen;
        sum = __hadd(heddle_from_bits(value, (unsigned short)(expected >> shift)), value).__x;
        seen = atomicCAS(word, expected, (expected & ~(0xFFFFu << shift)) | sum << shift);
    } while (seen != expected);
    return heddle_from_bits(value, (unsigned short)(seen >> shift));
}
#endif

#undef HEDDLE_PAIR
#undef HEDDLE_NAMED
#undef HEDDLE_NAMED2
#undef HEDDLE_NAMED3
#undef HEDDLE_TO
#undef HEDDLE_PASTE
#undef HEDDLE_PASTE2
#undef HEDDLE_ND
#undef HEDDLE_NF
