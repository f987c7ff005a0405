// SPDX-License-Identifier: Apache-2.0
// Numbers of a distribution that the host library has prepared: Marsaglia, Tsang and Wang's square histogram ("Fast
// generation of discrete random variables", 2004), or a rounded normal number.
#ifndef HEDDLE_CURAND_DISCRETE_H
#define HEDDLE_CURAND_DISCRETE_H

template <typename __T> QUALIFIERS unsigned int _curand_M2_double(__T x, curandDistributionM2Shift_t __distribution)
{
    double __u = _curand_uniform_double(x);
    int column = (int)floor(__distribution->length * __u);
    const curandHistogramM2_st *histogram = __distribution->histogram;
    return __distribution->shift + (__u < histogram->__V[column] ? (unsigned int)column : histogram->__K[column]);
}
template <typename __T> QUALIFIERS unsigned int _curand_discrete(__T x, curandDiscreteDistribution_t __distribution)
{
    if (__distribution->method == CURAND_M2)
        return _curand_M2_double(x, __distribution->__M2);
    return (unsigned int)(__distribution->stddev * _curand_normal_icdf_double(x) + __distribution->mean + 0.5);
}
QUALIFIERS unsigned int heddle_discrete_round(double normal, curandDiscreteDistribution_t __distribution)
{
    return (unsigned int)(__distribution->stddev * normal + __distribution->mean + 0.5);
}
#define HEDDLE_DISCRETE(kind)                                                                                          \
    QUALIFIERS unsigned int curand_discrete(curandState##kind##_t *state,                                              \
                                            curandDiscreteDistribution_t discrete_distribution)                        \
    {                                                                                                                  \
        if (discrete_distribution->method == CURAND_M2)                                                                \
            return _curand_M2_double(curand(state), discrete_distribution->__M2);                                      \
        return heddle_discrete_round(curand_normal_double(state), discrete_distribution);                              \
    }
HEDDLE_DISCRETE(XORWOW)
HEDDLE_DISCRETE(Philox4_32_10)
HEDDLE_DISCRETE(MRG32k3a)
HEDDLE_DISCRETE(Mtgp32)
HEDDLE_DISCRETE(Sobol32)
HEDDLE_DISCRETE(ScrambledSobol32)
HEDDLE_DISCRETE(Sobol64)
HEDDLE_DISCRETE(ScrambledSobol64)
#undef HEDDLE_DISCRETE
QUALIFIERS uint4 curand_discrete4(curandStatePhilox4_32_10_t *state, curandDiscreteDistribution_t discrete_distribution)
{
    if (discrete_distribution->method == CURAND_M2) {
        uint4 x = curand4(state);
        curandDistributionM2Shift_t __m2 = discrete_distribution->__M2;
        return make_uint4(_curand_M2_double(x.x, __m2), _curand_M2_double(x.y, __m2), _curand_M2_double(x.z, __m2),
                          _curand_M2_double(x.w, __m2));
    }
    double4 __v = curand_normal4_double(state);
    return make_uint4(
        heddle_discrete_round(__v.x, discrete_distribution), heddle_discrete_round(__v.y, discrete_distribution),
        heddle_discrete_round(__v.z, discrete_distribution), heddle_discrete_round(__v.w, discrete_distribution));
}
#endif
