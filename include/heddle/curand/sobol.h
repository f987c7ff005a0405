// SPDX-License-Identifier: Apache-2.0
// Sobol's sequences in Gray code order: number i + 1 differs from number i by the direction vector of the lowest zero
// bit of i. The scrambled kinds begin at a constant; their direction vectors are scrambled already.
#ifndef HEDDLE_CURAND_SOBOL_H
#define HEDDLE_CURAND_SOBOL_H

#define HEDDLE_SOBOL(kind, __T, bits)                                                                                  \
    struct curandState##kind {                                                                                         \
        __T __i, x, __c;                                                                                               \
        __T direction_vectors[bits];                                                                                   \
    };                                                                                                                 \
    typedef struct curandState##kind curandState##kind##_t;                                                            \
    QUALIFIERS __T curand(curandState##kind##_t *state)                                                                \
    {                                                                                                                  \
        __T now = state->x, one = 1;                                                                                   \
        int bit = 0;                                                                                                   \
        while (bit < bits - 1 && (state->__i & one << bit))                                                            \
            bit++;                                                                                                     \
        state->x ^= state->direction_vectors[bit];                                                                     \
        state->__i++;                                                                                                  \
        return now;                                                                                                    \
    }                                                                                                                  \
    QUALIFIERS void skipahead(__T __n, curandState##kind##_t *state)                                                   \
    {                                                                                                                  \
        state->__i += __n;                                                                                             \
        state->x = state->__c;                                                                                         \
        __T gray = state->__i ^ (state->__i >> 1);                                                                     \
        for (int bit = 0; gray; bit++, gray >>= 1)                                                                     \
            if (gray & 1)                                                                                              \
                state->x ^= state->direction_vectors[bit];                                                             \
    }                                                                                                                  \
    QUALIFIERS void heddle_sobol_init(const __T *direction_vectors, __T constant, __T offset,                          \
                                      curandState##kind##_t *state)                                                    \
    {                                                                                                                  \
        state->__i = 0;                                                                                                \
        state->__c = constant;                                                                                         \
        for (int bit = 0; bit < bits; bit++)                                                                           \
            state->direction_vectors[bit] = direction_vectors[bit];                                                    \
        skipahead(offset, state);                                                                                      \
    }
HEDDLE_SOBOL(Sobol32, unsigned int, 32)
HEDDLE_SOBOL(ScrambledSobol32, unsigned int, 32)
HEDDLE_SOBOL(Sobol64, unsigned long long, 64)
HEDDLE_SOBOL(ScrambledSobol64, unsigned long long, 64)
#undef HEDDLE_SOBOL

QUALIFIERS void curand_init(curandDirectionVectors32_t direction_vectors, unsigned int offset,
                            curandStateSobol32_t *state)
{
    heddle_sobol_init(direction_vectors, 0u, offset, state);
}
QUALIFIERS void curand_init(curandDirectionVectors32_t direction_vectors, unsigned int scramble_c, unsigned int offset,
                            curandStateScrambledSobol32_t *state)
{
    heddle_sobol_init(direction_vectors, scramble_c, offset, state);
}
QUALIFIERS void curand_init(curandDirectionVectors64_t direction_vectors, unsigned long long offset,
                            curandStateSobol64_t *state)
{
    heddle_sobol_init(direction_vectors, 0ull, offset, state);
}
QUALIFIERS void curand_init(curandDirectionVectors64_t direction_vectors, unsigned long long scramble_c,
                            unsigned long long offset, curandStateScrambledSobol64_t *state)
{
    heddle_sobol_init(direction_vectors, scramble_c, offset, state);
}
#endif
