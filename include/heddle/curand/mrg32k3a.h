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
    unsigned int s1[3];
    unsigned int s2[3];
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
QUALIFIERS unsigned int heddle_mrg_next1(unsigned int s0, unsigned int s1)
{
    return heddle_mrg_reduce(1403580ull * s1 + 810728ull * (4294967087u - s0), 209u);
}
QUALIFIERS unsigned int heddle_mrg_next2(unsigned int s0, unsigned int s2)
{
    return heddle_mrg_reduce(527612ull * s2 + 1370589ull * (4294944443u - s0), 22853u);
}
// From 1 to the first prime, which is how the library counts.
QUALIFIERS double curand_MRG32k3a(curandStateMRG32k3a_t *state)
{
    unsigned int p = heddle_mrg_next1(state->s1[0], state->s1[1]), q = heddle_mrg_next2(state->s2[0], state->s2[2]);
    state->s1[0] = state->s1[1];
    state->s1[1] = state->s1[2];
    state->s1[2] = p;
    state->s2[0] = state->s2[1];
    state->s2[1] = state->s2[2];
    state->s2[2] = q;
    return (double)(p <= q ? p - q + 4294967087u : p - q);
}
QUALIFIERS unsigned int curand(curandStateMRG32k3a_t *state)
{
    return (unsigned int)(curand_MRG32k3a(state) * MRG32K3A_BITS_NORM);
}

QUALIFIERS unsigned int heddle_mrg_sum(const unsigned int *c, unsigned int a, unsigned int b, unsigned int d,
                                       unsigned int distance)
{
    unsigned long long sum = heddle_mrg_reduce((unsigned long long)c[0] * a, distance);
    sum += heddle_mrg_reduce((unsigned long long)c[1] * b, distance);
    sum += heddle_mrg_reduce((unsigned long long)c[2] * d, distance);
    return heddle_mrg_reduce(sum, distance);
}
// Each bit of n has its polynomial of three coefficients, applied to the terms of the recurrence from here on.
QUALIFIERS void heddle_mrg_jump_by(unsigned long long n, int table, curandStateMRG32k3a_t *state)
{
    unsigned int a = state->s1[0], b = state->s1[1], c = state->s1[2];
    unsigned int e = state->s2[0], f = state->s2[1], g = state->s2[2];
    for (int bit = 64 * table; n; bit++, n >>= 1) {
        if (!(n & 1))
            continue;
        const unsigned int *p = heddle_mrg_jump[bit][0], *q = heddle_mrg_jump[bit][1];
        unsigned int fourth = heddle_mrg_next1(a, b), fifth = heddle_mrg_next1(b, c);
        a = heddle_mrg_sum(p, a, b, c, 209u);
        b = heddle_mrg_sum(p, b, c, fourth, 209u);
        c = heddle_mrg_sum(p, c, fourth, fifth, 209u);
        fourth = heddle_mrg_next2(e, g);
        fifth = heddle_mrg_next2(f, fourth);
        e = heddle_mrg_sum(q, e, f, g, 22853u);
        f = heddle_mrg_sum(q, f, g, fourth, 22853u);
        g = heddle_mrg_sum(q, g, fourth, fifth, 22853u);
    }
    state->s1[0] = a;
    state->s1[1] = b;
    state->s1[2] = c;
    state->s2[0] = e;
    state->s2[1] = f;
    state->s2[2] = g;
}
QUALIFIERS void skipahead(unsigned long long n, curandStateMRG32k3a_t *state)
{
    heddle_mrg_jump_by(n, 0, state);
}
// 2^76 numbers apart.
QUALIFIERS void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *state)
{
    heddle_mrg_jump_by(n, 1, state);
}
// 2^127 numbers apart.
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t *state)
{
    heddle_mrg_jump_by(n, 2, state);
}
QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                            curandStateMRG32k3a_t *state)
{
    unsigned long long low = 1, high = 1;
    if (seed) {
        low = (unsigned int)seed ^ 0x55555555u;
        high = (unsigned int)(seed >> 32) ^ 0xAAAAAAAAu;
    }
    state->s1[0] = state->s1[2] = heddle_mrg_reduce(12345u * low, 209u);
    state->s1[1] = heddle_mrg_reduce(12345u * high, 209u);
    state->s2[0] = state->s2[2] = heddle_mrg_reduce(12345u * high, 22853u);
    state->s2[1] = heddle_mrg_reduce(12345u * low, 22853u);
    skipahead_subsequence(subsequence, state);
    skipahead(offset, state);
    state->boxmuller_flag = 0;
    state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
}
#endif
