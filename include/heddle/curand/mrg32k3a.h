// SPDX-License-Identifier: Apache-2.0
// MRG32k3a (L'Ecuyer, "Good parameters and implementations for combined multiple recursive random number generators",
// 1999): the difference of two recurrences modulo primes just below 2^32. All arithmetic is in integers here and exact.
#ifndef HEDDLE_CURAND_MRG32K3A_H
#define HEDDLE_CURAND_MRG32K3A_H

#define MRG32K3A_MOD1      4294967087.
#define MRG32K3A_MOD2      4294944443.
#define MRG32K3A_A12       1403580.
#define MRG32K3A_A13N      810728.
#define MRG32K3A_A21       527612.
#define MRG32K3A_A23N      1370589.
#define MRG32K3A_NORM      2.3283065498378288e-10
#define MRG32K3A_BITS_NORM 1.000000048662

struct curandStateMRG32k3a {
    unsigned int __s1[3];
    unsigned int __s2[3];
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

// x modulo 2^32 - distance, for distances below 2^15: each fold replaces 2^32 by the distance.
QUALIFIERS unsigned int heddle_mrg_reduce(unsigned long long x, unsigned int distance)
{
    unsigned int prime = 0u - distance;
    x = (x >> 32) * distance + (unsigned int)x;
    x = (x >> 32) * distance + (unsigned int)x;
    x = (x >> 32) * distance + (unsigned int)x;
    return (unsigned int)(x >= prime ? x - prime : x);
}
QUALIFIERS unsigned int heddle_mrg_next1(unsigned int __s0, unsigned int __s1)
{
    return heddle_mrg_reduce(1403580ull * __s1 + 810728ull * (4294967087u - __s0), 209u);
}
QUALIFIERS unsigned int heddle_mrg_next2(unsigned int __s0, unsigned int __s2)
{
    return heddle_mrg_reduce(527612ull * __s2 + 1370589ull * (4294944443u - __s0), 22853u);
}
// From 1 to the first prime, which is how the library counts.
QUALIFIERS double curand_MRG32k3a(curandStateMRG32k3a_t *state)
{
    unsigned int __p = heddle_mrg_next1(state->__s1[0], state->__s1[1]),
                 __q = heddle_mrg_next2(state->__s2[0], state->__s2[2]);
    state->__s1[0] = state->__s1[1];
    state->__s1[1] = state->__s1[2];
    state->__s1[2] = __p;
    state->__s2[0] = state->__s2[1];
    state->__s2[1] = state->__s2[2];
    state->__s2[2] = __q;
    return (double)(__p <= __q ? __p - __q + 4294967087u : __p - __q);
}
QUALIFIERS unsigned int curand(curandStateMRG32k3a_t *state)
{
    return (unsigned int)(curand_MRG32k3a(state) * MRG32K3A_BITS_NORM);
}

QUALIFIERS unsigned int heddle_mrg_sum(const unsigned int *__c, unsigned int __a, unsigned int __b, unsigned int __d,
                                       unsigned int distance)
{
    unsigned long long sum = heddle_mrg_reduce((unsigned long long)__c[0] * __a, distance);
    sum += heddle_mrg_reduce((unsigned long long)__c[1] * __b, distance);
    sum += heddle_mrg_reduce((unsigned long long)__c[2] * __d, distance);
    return heddle_mrg_reduce(sum, distance);
}
// Each bit of n has its polynomial of three coefficients, applied to the terms of the recurrence from here on.
QUALIFIERS void heddle_mrg_jump_by(unsigned long long __n, int table, curandStateMRG32k3a_t *state)
{
    unsigned int __a = state->__s1[0], __b = state->__s1[1], __c = state->__s1[2];
    unsigned int __e = state->__s2[0], f = state->__s2[1], __g = state->__s2[2];
    for (int bit = 64 * table; __n; bit++, __n >>= 1) {
        if (!(__n & 1))
            continue;
        const unsigned int *__p = heddle_mrg_jump[bit][0], *__q = heddle_mrg_jump[bit][1];
        unsigned int fourth = heddle_mrg_next1(__a, __b), fifth = heddle_mrg_next1(__b, __c);
        __a = heddle_mrg_sum(__p, __a, __b, __c, 209u);
        __b = heddle_mrg_sum(__p, __b, __c, fourth, 209u);
        __c = heddle_mrg_sum(__p, __c, fourth, fifth, 209u);
        fourth = heddle_mrg_next2(__e, __g);
        fifth = heddle_mrg_next2(f, fourth);
        __e = heddle_mrg_sum(__q, __e, f, __g, 22853u);
        f = heddle_mrg_sum(__q, f, __g, fourth, 22853u);
        __g = heddle_mrg_sum(__q, __g, fourth, fifth, 22853u);
    }
    state->__s1[0] = __a;
    state->__s1[1] = __b;
    state->__s1[2] = __c;
    state->__s2[0] = __e;
    state->__s2[1] = f;
    state->__s2[2] = __g;
}
QUALIFIERS void skipahead(unsigned long long __n, curandStateMRG32k3a_t *state)
{
    heddle_mrg_jump_by(__n, 0, state);
}
// 2^76 numbers apart.
QUALIFIERS void skipahead_subsequence(unsigned long long __n, curandStateMRG32k3a_t *state)
{
    heddle_mrg_jump_by(__n, 1, state);
}
// 2^127 numbers apart.
QUALIFIERS void skipahead_sequence(unsigned long long __n, curandStateMRG32k3a_t *state)
{
    heddle_mrg_jump_by(__n, 2, state);
}
QUALIFIERS void curand_init(unsigned long long seed, unsigned long long __subsequence, unsigned long long offset,
                            curandStateMRG32k3a_t *state)
{
    unsigned long long low = 1, high = 1;
    if (seed) {
        low = (unsigned int)seed ^ 0x55555555u;
        high = (unsigned int)(seed >> 32) ^ 0xAAAAAAAAu;
    }
    state->__s1[0] = state->__s1[2] = heddle_mrg_reduce(12345u * low, 209u);
    state->__s1[1] = heddle_mrg_reduce(12345u * high, 209u);
    state->__s2[0] = state->__s2[2] = heddle_mrg_reduce(12345u * high, 22853u);
    state->__s2[1] = heddle_mrg_reduce(12345u * low, 22853u);
    skipahead_subsequence(__subsequence, state);
    skipahead(offset, state);
    state->boxmuller_flag = 0;
    state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
}
#endif
