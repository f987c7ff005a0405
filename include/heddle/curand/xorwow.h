// SPDX-License-Identifier: Apache-2.0
// XORWOW (Marsaglia, "Xorshift RNGs", 2003): five words of xorshift and a counter that is added to the last of them.
#ifndef HEDDLE_CURAND_XORWOW_H
#define HEDDLE_CURAND_XORWOW_H

struct curandStateXORWOW {
    unsigned int __d, __v[5];
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

// A counter, for tests of programs.
struct curandStateTest {
    unsigned int __v;
};
typedef struct curandStateTest curandStateTest_t;

QUALIFIERS void curand_init(unsigned long long seed, unsigned long long __subsequence, unsigned long long offset,
                            curandStateTest_t *state)
{
    state->__v = (unsigned int)(3 * seed + 31337 * __subsequence + offset);
}
QUALIFIERS unsigned int curand(curandStateTest_t *state)
{
    return state->__v++;
}
QUALIFIERS void skipahead(unsigned long long __n, curandStateTest_t *state)
{
    state->__v += (unsigned int)__n;
}

// The word that follows five others.
QUALIFIERS unsigned int heddle_xorwow_next(unsigned int first, unsigned int last)
{
    unsigned int __t = first ^ (first >> 2);
    return last ^ (last << 4) ^ __t ^ (__t << 1);
}
QUALIFIERS unsigned int curand(curandStateXORWOW_t *state)
{
    unsigned int next = heddle_xorwow_next(state->__v[0], state->__v[4]);
    state->__v[0] = state->__v[1];
    state->__v[1] = state->__v[2];
    state->__v[2] = state->__v[3];
    state->__v[3] = state->__v[4];
    state->__v[4] = next;
    state->__d += 362437u;
    return state->__v[4] + state->__d;
}
// Moves the five words on by n steps, or by n times 2^67 steps with table 1: for each digit of n, the sum of the states
// that follow, taken by the coefficients of the digit's polynomial.
QUALIFIERS void heddle_xorwow_jump_by(unsigned long long __n, int table, curandStateXORWOW_t *state)
{
    unsigned int __a = state->__v[0], __b = state->__v[1], __c = state->__v[2], __d = state->__v[3],
                 __e = state->__v[4];
    for (int place = 16 * table; __n; place++, __n >>= 4) {
        unsigned int digit = (unsigned int)__n & 15u;
        if (!digit)
            continue;
        const unsigned int *__p = heddle_xorwow_jump[15 * place + (int)digit - 1];
        unsigned int __sa = 0, __sb = 0, __sc = 0, __sd = 0, __se = 0;
        for (int word = 0; word < 5; word++) {
            unsigned int coefficients = __p[word];
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
            for (int bit = 0; bit < 32; bit++) {
                unsigned int take = 0u - (coefficients & 1u), next = heddle_xorwow_next(__a, __e);
                coefficients >>= 1;
                __sa ^= __a & take;
                __sb ^= __b & take;
                __sc ^= __c & take;
                __sd ^= __d & take;
                __se ^= __e & take;
                __a = __b;
                __b = __c;
                __c = __d;
                __d = __e;
                __e = next;
            }
        }
        __a = __sa;
        __b = __sb;
        __c = __sc;
        __d = __sd;
        __e = __se;
    }
    state->__v[0] = __a;
    state->__v[1] = __b;
    state->__v[2] = __c;
    state->__v[3] = __d;
    state->__v[4] = __e;
}
QUALIFIERS void skipahead(unsigned long long __n, curandStateXORWOW_t *state)
{
    heddle_xorwow_jump_by(__n, 0, state);
    state->__d += 362437u * (unsigned int)__n;
}
// Sequences are 2^67 numbers apart, a multiple of the counter's period.
QUALIFIERS void skipahead_sequence(unsigned long long __n, curandStateXORWOW_t *state)
{
    heddle_xorwow_jump_by(__n, 1, state);
}
QUALIFIERS void curand_init(unsigned long long seed, unsigned long long __subsequence, unsigned long long offset,
                            curandStateXORWOW_t *state)
{
    unsigned int low = 1099087573u * ((unsigned int)seed ^ 0xAAD26B49u);
    unsigned int high = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xF7DCEFDDu);
    state->__d = 6615241u + high + low;
    state->__v[0] = 123456789u + low;
    state->__v[1] = 362436069u ^ low;
    state->__v[2] = 521288629u + high;
    state->__v[3] = 88675123u ^ high;
    state->__v[4] = 5783321u + low;
    skipahead_sequence(__subsequence, state);
    skipahead(offset, state);
    state->boxmuller_flag = 0;
    state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
}
#endif
