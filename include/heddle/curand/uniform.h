// SPDX-License-Identifier: Apache-2.0
// Uniform numbers, from just above 0 to 1 inclusive.
#ifndef HEDDLE_CURAND_UNIFORM_H
#define HEDDLE_CURAND_UNIFORM_H

QUALIFIERS float _curand_uniform(unsigned int x)
{
    return x * CURAND_2POW32_INV + CURAND_2POW32_INV / 2.0f;
}
QUALIFIERS float _curand_uniform(unsigned long long x)
{
    return _curand_uniform((unsigned int)(x >> 32));
}
QUALIFIERS float4 _curand_uniform4(uint4 x)
{
    return make_float4(_curand_uniform(x.x), _curand_uniform(x.y), _curand_uniform(x.z), _curand_uniform(x.w));
}
QUALIFIERS double _curand_uniform_double(unsigned int x)
{
    return x * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE;
}
QUALIFIERS double _curand_uniform_double(unsigned long long x)
{
    return (x >> 11) * CURAND_2POW53_INV_DOUBLE + CURAND_2POW53_INV_DOUBLE / 2.0;
}
// 53 bits of two words.
QUALIFIERS double _curand_uniform_double_hq(unsigned int x, unsigned int y)
{
    unsigned long long bits = x ^ (unsigned long long)y << 21;
    return bits * CURAND_2POW53_INV_DOUBLE + CURAND_2POW53_INV_DOUBLE / 2.0;
}

#define HEDDLE_UNIFORM(kind)                                                                                           \
    QUALIFIERS float curand_uniform(curandState##kind##_t *state)                                                      \
    {                                                                                                                  \
        return _curand_uniform(curand(state));                                                                         \
    }
HEDDLE_UNIFORM(Test)
HEDDLE_UNIFORM(XORWOW)
HEDDLE_UNIFORM(Philox4_32_10)
HEDDLE_UNIFORM(Mtgp32)
HEDDLE_UNIFORM(Sobol32)
HEDDLE_UNIFORM(ScrambledSobol32)
HEDDLE_UNIFORM(Sobol64)
HEDDLE_UNIFORM(ScrambledSobol64)
#undef HEDDLE_UNIFORM
#define HEDDLE_UNIFORM_DOUBLE(kind)                                                                                    \
    QUALIFIERS double curand_uniform_double(curandState##kind##_t *state)                                              \
    {                                                                                                                  \
        return _curand_uniform_double(curand(state));                                                                  \
    }
HEDDLE_UNIFORM_DOUBLE(Test)
HEDDLE_UNIFORM_DOUBLE(Philox4_32_10)
HEDDLE_UNIFORM_DOUBLE(Mtgp32)
HEDDLE_UNIFORM_DOUBLE(Sobol32)
HEDDLE_UNIFORM_DOUBLE(ScrambledSobol32)
HEDDLE_UNIFORM_DOUBLE(Sobol64)
HEDDLE_UNIFORM_DOUBLE(ScrambledSobol64)
#undef HEDDLE_UNIFORM_DOUBLE

QUALIFIERS double curand_uniform_double(curandStateXORWOW_t *state)
{
    unsigned int x = curand(state), y = curand(state);
    return _curand_uniform_double_hq(x, y);
}
QUALIFIERS float curand_uniform(curandStateMRG32k3a_t *state)
{
    return (float)(curand_MRG32k3a(state) * MRG32K3A_NORM);
}
QUALIFIERS double curand_uniform_double(curandStateMRG32k3a_t *state)
{
    return curand_MRG32k3a(state) * MRG32K3A_NORM;
}
QUALIFIERS float4 curand_uniform4(curandStatePhilox4_32_10_t *state)
{
    return _curand_uniform4(curand4(state));
}
QUALIFIERS double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state)
{
    uint4 x = curand4(state);
    return make_double2(_curand_uniform_double_hq(x.x, x.y), _curand_uniform_double_hq(x.z, x.w));
}
QUALIFIERS double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state)
{
    double2 __a = curand_uniform2_double(state), __b = curand_uniform2_double(state);
    return make_double4(__a.x, __a.y, __b.x, __b.y);
}
#endif
