// Numbers of a distribution that the host library has prepared: Marsaglia, Tsang and Wang's square histogram ("Fast
// generation of discrete random variables", 2004), or a rounded normal number.
#ifndef HEDDLE_CURAND_DISCRETE_H
#define HEDDLE_CURAND_DISCRETE_H

template <typename T> QUALIFIERS unsigned int _curand_M2_double(T x, curandDistributionM2Shift_t distribution)
{
    double u = _curand_uniform_double(x);
    int column = (int)floor(distribution->length * u);
    const curandHistogramM2_st *histogram = distribution->histogram;
    return distribution->shift + (u < histogram->V[column] ? (unsigned int)column : histogram->K[column]);
}
template <typename T> QUALIFIERS unsigned int _curand_discrete(T x, curandDiscreteDistribution_t distribution)
{
    if (distribution->method == CURAND_M2)
        return _curand_M2_double(x, distribution->M2);
    return (unsigned int)(distribution->stddev * _curand_normal_icdf_double(x) + distribution->mean + 0.5);
}
QUALIFIERS unsigned int heddle_discrete_round(double normal, curandDiscreteDistribution_t distribution)
{
    return (unsigned int)(distribution->stddev * normal + distribution->mean + 0.5);
}
#define HEDDLE_DISCRETE(kind)                                                                                          \
    QUALIFIERS unsigned int curand_discrete(curandState##kind##_t *state,                                              \
                                            curandDiscreteDistribution_t discrete_distribution)                        \
    {                                                                                                                  \
        if (discrete_distribution->method == CURAND_M2)                                                                \
            return _curand_M2_double(curand(state), discrete_distribution->M2);                                        \
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
        curandDistributionM2Shift_t m2 = discrete_distribution->M2;
        return make_uint4(_curand_M2_double(x.x, m2), _curand_M2_double(x.y, m2), _curand_M2_double(x.z, m2),
                          _curand_M2_double(x.w, m2));
    }
    double4 v = curand_normal4_double(state);
    return make_uint4(
        heddle_discrete_round(v.x, discrete_distribution), heddle_discrete_round(v.y, discrete_distribution),
        heddle_discrete_round(v.z, discrete_distribution), heddle_discrete_round(v.w, discrete_distribution));
}
#endif
