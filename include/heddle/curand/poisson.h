// SPDX-License-Identifier: Apache-2.0
// Poisson numbers. Small means by multiplying uniform numbers (Knuth), middle ones by rejection from an approximation
// of the distribution function, large ones by rounding a normal number; generators whose numbers must be used one for
// one invert the distribution function.
#ifndef HEDDLE_CURAND_POISSON_H
#define HEDDLE_CURAND_POISSON_H

// The approximate functions of the hardware.
QUALIFIERS float heddle_approx_rsqrt(float x)
{
#if defined(__CUDA_ARCH__)
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(x) : "f"(x));
    return x;
#else
    return 1.0f / sqrtf(x);
#endif
}
QUALIFIERS float heddle_approx_exp(float x)
{
#if defined(__CUDA_ARCH__)
    x = (float)(x * 1.4426950408889634);
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(x) : "f"(x));
    return x;
#else
    return expf(x);
#endif
}
QUALIFIERS float heddle_approx_log(float x)
{
#if defined(__CUDA_ARCH__)
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(x) : "f"(x));
    return (float)(x * 0.69314718055994530942);
#else
    return logf(x);
#endif
}
QUALIFIERS float heddle_approx_rcp(float x)
{
#if defined(__CUDA_ARCH__)
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(x) : "f"(x));
    return x;
#else
    return 1.0f / x;
#endif
}

// The incomplete gamma function's ratio as 1 / (1 + exp(slope * (a - x) - shift))^2, and its inverse.
QUALIFIERS float heddle_gamma_slope(float __a)
{
    return 1.43248035075540910f * heddle_approx_rsqrt(__a - 0.12400979329415655f) + 0.00025361074907033f;
}
QUALIFIERS float heddle_gamma_shift(float __a)
{
    return 0.21096734870196546f * heddle_approx_rsqrt(__a - 1.97381164089999420f) + 0.94201734077887530f;
}
QUALIFIERS float heddle_gamma_ratio(float __a, float slope, float shift, float x)
{
    float __t = 1.0f + heddle_approx_exp(slope * (__a - x) - shift);
    return heddle_approx_rcp(__t * __t);
}
QUALIFIERS float heddle_gamma_inverse(float __a, float slope, float shift, float y)
{
    float __t = shift + heddle_approx_log(heddle_approx_rsqrt(y) - 1.0f);
    return -__t * heddle_approx_rcp(slope) + __a;
}
// The logarithm of (n - 1)!: Stirling's series, its coefficients after Hart (5404).
QUALIFIERS double heddle_log_factorial_before(int __n)
{
    if (__n <= 8) {
        switch (__n) { // logarithms of 2, 6, 24, 120, 720 and 5040
        case 3:
            return 0.6931471805599453094;
        case 4:
            return 1.791759469228055001;
        case 5:
            return 3.178053830347945620;
        case 6:
            return 4.787491742782045994;
        case 7:
            return 6.579251212010100995;
        case 8:
            return 8.525161361065414300;
        default:
            return 0.0;
        }
    }
    double x = (double)(float)__n, __r = 1.0 / x, __s = __r * __r;
    double sum = -0.1633436431e-2;
    sum = sum * __s + 0.83645878922e-3;
    sum = sum * __s - 0.5951896861197e-3;
    sum = sum * __s + 0.793650576493454e-3;
    sum = sum * __s - 0.277777777735865004e-2;
    sum = sum * __s + 0.833333333333331018375e-1;
    sum = sum * __r + 0.918938533204672;
    double half = 0.5 * log(x), product = half * (x - 0.5);
    return (product - x) + (product + sum);
}
template <typename __T> QUALIFIERS unsigned int curand_poisson_gammainc(__T *state, float lambda)
{
    float logarithm = heddle_approx_log(lambda), slope = heddle_gamma_slope(lambda), shift = heddle_gamma_shift(lambda);
    for (;;) {
        float x = floorf(heddle_gamma_inverse(lambda, slope, shift, curand_uniform(state)));
        float z = curand_uniform(state);
        float __v =
            (heddle_gamma_ratio(lambda, slope, shift, x + 1.0f) - heddle_gamma_ratio(lambda, slope, shift, x)) * 1.3f;
        float __t = heddle_approx_exp(-lambda + x * logarithm - (float)heddle_log_factorial_before((int)(1.0f + x)));
        if (z * __v < __t && __v >= 1e-20)
            return (unsigned int)x;
    }
}
template <typename __T> QUALIFIERS unsigned int curand_poisson_knuth(__T *state, float lambda)
{
    float product = expf(lambda);
    for (unsigned int __k = 0;; __k++) {
        product *= curand_uniform(state);
        if (!(product > 1.0f))
            return __k;
    }
}
QUALIFIERS unsigned int heddle_poisson_round(double normal, double lambda)
{
    return (unsigned int)(sqrt(lambda) * normal + lambda + 0.5);
}
#define HEDDLE_POISSON(kind)                                                                                           \
    QUALIFIERS unsigned int curand_poisson(curandState##kind##_t *state, double lambda)                                \
    {                                                                                                                  \
        if (lambda < 64)                                                                                               \
            return curand_poisson_knuth(state, (float)lambda);                                                         \
        if (lambda > 4000)                                                                                             \
            return heddle_poisson_round(curand_normal_double(state), lambda);                                          \
        return curand_poisson_gammainc(state, (float)lambda);                                                          \
    }
HEDDLE_POISSON(XORWOW)
HEDDLE_POISSON(Philox4_32_10)
HEDDLE_POISSON(MRG32k3a)
#undef HEDDLE_POISSON
QUALIFIERS uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double lambda)
{
    uint4 __r;
    if (lambda > 4000) {
        double4 __v = curand_normal4_double(state);
        __r = make_uint4(heddle_poisson_round(__v.x, lambda), heddle_poisson_round(__v.y, lambda),
                         heddle_poisson_round(__v.z, lambda), heddle_poisson_round(__v.w, lambda));
    } else {
        __r.x = curand_poisson(state, lambda);
        __r.y = curand_poisson(state, lambda);
        __r.z = curand_poisson(state, lambda);
        __r.w = curand_poisson(state, lambda);
    }
    return __r;
}

// Uniform without 1, where the loop below would never end.
QUALIFIERS double _curand_uniform_double_excluding_one(unsigned int x)
{
    return x * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE / 2.0;
}
QUALIFIERS double _curand_uniform_double_excluding_one(unsigned long long x)
{
    return (x >> 11) * CURAND_2POW53_INV_DOUBLE + CURAND_2POW53_INV_DOUBLE / 4.0;
}
// Adds up probabilities until they exceed u. exp(-lambda) comes in factors of exp(-500), which doubles hold.
template <typename __T> QUALIFIERS unsigned int _curand_poisson_ITR_double(__T x, double lambda)
{
    double __u = _curand_uniform_double_excluding_one(x), term = 1.0, sum = 1.0;
    unsigned int __k = 0;
    for (int done = 0; done == 0 || (double)done < lambda; done += 500) {
        double factor = exp(lambda > done + 500.0 ? -500.0 : done - lambda);
        term *= factor;
        sum *= factor;
        while (__u > sum) {
            __k++;
            term *= lambda / (double)__k;
            sum += term;
        }
    }
    return __k;
}
template <typename __T> QUALIFIERS unsigned int _curand_poisson(__T x, double lambda)
{
    if (lambda < 1000)
        return _curand_poisson_ITR_double(x, lambda);
    return heddle_poisson_round(_curand_normal_icdf_double(x), lambda);
}
#define HEDDLE_POISSON(kind)                                                                                           \
    QUALIFIERS unsigned int curand_poisson(curandState##kind##_t *state, double lambda)                                \
    {                                                                                                                  \
        return _curand_poisson(curand(state), lambda);                                                                 \
    }
HEDDLE_POISSON(Mtgp32)
HEDDLE_POISSON(Sobol32)
HEDDLE_POISSON(ScrambledSobol32)
HEDDLE_POISSON(Sobol64)
HEDDLE_POISSON(ScrambledSobol64)
#undef HEDDLE_POISSON
#endif
