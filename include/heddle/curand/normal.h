// SPDX-License-Identifier: Apache-2.0
// Normal and log-normal numbers: Box and Muller's method for XORWOW, Philox and MRG32k3a, the inverse of the
// distribution function for the others, whose dimensions must not be mixed.
#ifndef HEDDLE_CURAND_NORMAL_H
#define HEDDLE_CURAND_NORMAL_H

#define EXTRA_FLAG_NORMAL     0x00000001
#define EXTRA_FLAG_LOG_NORMAL 0x00000002

// (sin angle, cos angle) * sqrt(-2 log u); the double form counts angles in half turns.
QUALIFIERS float2 heddle_box_muller(float __u, float __angle)
{
    float __radius = sqrtf(-2.0f * logf(__u)), __s, __c;
#if defined(__CUDA_ARCH__)
    __sincosf(__angle, &__s, &__c);
#else
    __s = sinf(__angle);
    __c = cosf(__angle);
#endif
    return make_float2(__s * __radius, __c * __radius);
}
QUALIFIERS double2 heddle_box_muller(double __u, double half_turns)
{
    double __radius = sqrt(-2.0 * log(__u)), __s, __c;
#if defined(__CUDA_ARCH__)
    sincospi(half_turns, &__s, &__c);
#else
    __s = sin(half_turns * CURAND_PI_DOUBLE);
    __c = cos(half_turns * CURAND_PI_DOUBLE);
#endif
    return make_double2(__s * __radius, __c * __radius);
}
QUALIFIERS float2 _curand_box_muller(unsigned int x, unsigned int y)
{
    return heddle_box_muller(_curand_uniform(x), y * CURAND_2POW32_INV_2PI + CURAND_2POW32_INV_2PI / 2);
}
QUALIFIERS double2 _curand_box_muller_double(unsigned int __x0, unsigned int __x1, unsigned int y0, unsigned int y1)
{
    unsigned long long y = y0 ^ (unsigned long long)y1 << 21;
    return heddle_box_muller(_curand_uniform_double_hq(__x0, __x1),
                             y * (CURAND_2POW53_INV_DOUBLE * 2.0) + CURAND_2POW53_INV_DOUBLE);
}
template <typename __R> QUALIFIERS float2 curand_box_muller(__R *state)
{
    unsigned int x = curand(state), y = curand(state);
    return _curand_box_muller(x, y);
}
template <typename __R> QUALIFIERS double2 curand_box_muller_double(__R *state)
{
    unsigned int __x0 = curand(state), __x1 = curand(state), y0 = curand(state), y1 = curand(state);
    return _curand_box_muller_double(__x0, __x1, y0, y1);
}
template <typename __R> QUALIFIERS float4 curand_box_muller4(__R *state)
{
    uint4 x = curand4(state);
    float2 __a = _curand_box_muller(x.x, x.y), __b = _curand_box_muller(x.z, x.w);
    return make_float4(__a.x, __a.y, __b.x, __b.y);
}
template <typename __R> QUALIFIERS double2 curand_box_muller2_double(__R *state)
{
    uint4 x = curand4(state);
    return _curand_box_muller_double(x.x, x.y, x.z, x.w);
}
template <typename __R> QUALIFIERS double4 curand_box_muller4_double(__R *state)
{
    double2 __a = curand_box_muller2_double(state), __b = curand_box_muller2_double(state);
    return make_double4(__a.x, __a.y, __b.x, __b.y);
}
QUALIFIERS float2 curand_box_muller_mrg(curandStateMRG32k3a_t *state)
{
    float __u = curand_uniform(state), __angle = curand_uniform(state) * CURAND_2PI;
    return heddle_box_muller(__u, __angle);
}
QUALIFIERS double2 curand_box_muller_mrg_double(curandStateMRG32k3a_t *state)
{
    double __u = curand_uniform_double(state), half_turns = curand_uniform_double(state) * 2.0;
    return heddle_box_muller(__u, half_turns);
}

// The pair of each generator.
QUALIFIERS float2 curand_normal2(curandStateXORWOW_t *state)
{
    return curand_box_muller(state);
}
QUALIFIERS float2 curand_normal2(curandStatePhilox4_32_10_t *state)
{
    return curand_box_muller(state);
}
QUALIFIERS float2 curand_normal2(curandStateMRG32k3a_t *state)
{
    return curand_box_muller_mrg(state);
}
QUALIFIERS double2 curand_normal2_double(curandStateXORWOW_t *state)
{
    return curand_box_muller_double(state);
}
QUALIFIERS double2 curand_normal2_double(curandStatePhilox4_32_10_t *state)
{
    return curand_box_muller2_double(state);
}
QUALIFIERS double2 curand_normal2_double(curandStateMRG32k3a_t *state)
{
    return curand_box_muller_mrg_double(state);
}
QUALIFIERS float4 curand_normal4(curandStatePhilox4_32_10_t *state)
{
    return curand_box_muller4(state);
}
QUALIFIERS double4 curand_normal4_double(curandStatePhilox4_32_10_t *state)
{
    return curand_box_muller4_double(state);
}
QUALIFIERS float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean, float stddev)
{
    float4 __v = curand_normal4(state);
    return make_float4(expf(mean + stddev * __v.x), expf(mean + stddev * __v.y), expf(mean + stddev * __v.z),
                       expf(mean + stddev * __v.w));
}
QUALIFIERS double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *state, double mean, double stddev)
{
    double4 __v = curand_normal4_double(state);
    return make_double4(exp(mean + stddev * __v.x), exp(mean + stddev * __v.y), exp(mean + stddev * __v.z),
                        exp(mean + stddev * __v.w));
}

// One at a time: the second of a pair is kept for the next call.
#define HEDDLE_NORMAL(kind, __T, suffix, exponential)                                                                  \
    QUALIFIERS __T##2 curand_log_normal2##suffix(curandState##kind##_t *state, __T mean, __T stddev)                   \
    {                                                                                                                  \
        __T##2 __v = curand_normal2##suffix(state);                                                                    \
        return make_##__T##2(exponential(mean + stddev * __v.x), exponential(mean + stddev * __v.y));                  \
    }                                                                                                                  \
    QUALIFIERS __T curand_normal##suffix(curandState##kind##_t *state)                                                 \
    {                                                                                                                  \
        if (state->boxmuller_flag##suffix == EXTRA_FLAG_NORMAL) {                                                      \
            state->boxmuller_flag##suffix = 0;                                                                         \
            return state->boxmuller_extra##suffix;                                                                     \
        }                                                                                                              \
        __T##2 __v = curand_normal2##suffix(state);                                                                    \
        state->boxmuller_extra##suffix = __v.y;                                                                        \
        state->boxmuller_flag##suffix = EXTRA_FLAG_NORMAL;                                                             \
        return __v.x;                                                                                                  \
    }                                                                                                                  \
    QUALIFIERS __T curand_log_normal##suffix(curandState##kind##_t *state, __T mean, __T stddev)                       \
    {                                                                                                                  \
        if (state->boxmuller_flag##suffix == EXTRA_FLAG_LOG_NORMAL) {                                                  \
            state->boxmuller_flag##suffix = 0;                                                                         \
            return state->boxmuller_extra##suffix;                                                                     \
        }                                                                                                              \
        __T##2 __v = curand_log_normal2##suffix(state, mean, stddev);                                                  \
        state->boxmuller_extra##suffix = __v.y;                                                                        \
        state->boxmuller_flag##suffix = EXTRA_FLAG_LOG_NORMAL;                                                         \
        return __v.x;                                                                                                  \
    }
HEDDLE_NORMAL(XORWOW, float, , expf)
HEDDLE_NORMAL(Philox4_32_10, float, , expf)
HEDDLE_NORMAL(MRG32k3a, float, , expf)
HEDDLE_NORMAL(XORWOW, double, _double, exp)
HEDDLE_NORMAL(Philox4_32_10, double, _double, exp)
HEDDLE_NORMAL(MRG32k3a, double, _double, exp)
#undef HEDDLE_NORMAL

// The inverse: the upper half is mirrored, so that no digits are lost near 1.
QUALIFIERS float _curand_normal_icdf(unsigned int x)
{
    bool __upper = x > 0x80000000u;
    float half = _curand_uniform(__upper ? 0xFFFFFFFFu - x : x);
    return (__upper ? -CURAND_SQRT2 : CURAND_SQRT2) * erfcinvf(2.0f * half);
}
QUALIFIERS float _curand_normal_icdf(unsigned long long x)
{
    return _curand_normal_icdf((unsigned int)(x >> 32));
}
QUALIFIERS double _curand_normal_icdf_double(unsigned int x)
{
    bool __upper = x > 0x80000000u;
    double half = (__upper ? 0xFFFFFFFFu - x : x) * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE / 2.0;
    return (__upper ? -CURAND_SQRT2_DOUBLE : CURAND_SQRT2_DOUBLE) * erfcinv(2.0 * half);
}
QUALIFIERS double _curand_normal_icdf_double(unsigned long long x)
{
    x >>= 11;
    bool __upper = x > 0x10000000000000ull;
    double half = (__upper ? 0x1FFFFFFFFFFFFFull - x : x) * CURAND_2POW53_INV_DOUBLE + CURAND_2POW53_INV_DOUBLE / 2.0;
    return (__upper ? -CURAND_SQRT2_DOUBLE : CURAND_SQRT2_DOUBLE) * erfcinv(2.0 * half);
}
#define HEDDLE_NORMAL(kind)                                                                                            \
    QUALIFIERS float curand_normal(curandState##kind##_t *state)                                                       \
    {                                                                                                                  \
        return _curand_normal_icdf(curand(state));                                                                     \
    }                                                                                                                  \
    QUALIFIERS double curand_normal_double(curandState##kind##_t *state)                                               \
    {                                                                                                                  \
        return _curand_normal_icdf_double(curand(state));                                                              \
    }                                                                                                                  \
    QUALIFIERS float curand_log_normal(curandState##kind##_t *state, float mean, float stddev)                         \
    {                                                                                                                  \
        return expf(mean + stddev * curand_normal(state));                                                             \
    }                                                                                                                  \
    QUALIFIERS double curand_log_normal_double(curandState##kind##_t *state, double mean, double stddev)               \
    {                                                                                                                  \
        return exp(mean + stddev * curand_normal_double(state));                                                       \
    }
HEDDLE_NORMAL(Mtgp32)
HEDDLE_NORMAL(Sobol32)
HEDDLE_NORMAL(ScrambledSobol32)
HEDDLE_NORMAL(Sobol64)
HEDDLE_NORMAL(ScrambledSobol64)
#undef HEDDLE_NORMAL
#endif
