// XORWOW (Marsaglia, "Xorshift RNGs", 2003): five words of xorshift and a counter that is added to the last of them.
#ifndef HEDDLE_CURAND_XORWOW_H
#define HEDDLE_CURAND_XORWOW_H

struct curandStateXORWOW {
    unsigned int d, v[5];
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
    unsigned int v;
};
typedef struct curandStateTest curandStateTest_t;

QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                            curandStateTest_t *state)
{
    state->v = (unsigned int)(3 * seed + 31337 * subsequence + offset);
}
QUALIFIERS unsigned int curand(curandStateTest_t *state)
{
    return state->v++;
}
QUALIFIERS void skipahead(unsigned long long n, curandStateTest_t *state)
{
    state->v += (unsigned int)n;
}

// The word that follows five others.
QUALIFIERS unsigned int heddle_xorwow_next(unsigned int first, unsigned int last)
{
    unsigned int t = first ^ (first >> 2);
    return last ^ (last << 4) ^ t ^ (t << 1);
}
QUALIFIERS unsigned int curand(curandStateXORWOW_t *state)
{
    unsigned int next = heddle_xorwow_next(state->v[0], state->v[4]);
    state->v[0] = state->v[1];
    state->v[1] = state->v[2];
    state->v[2] = state->v[3];
    state->v[3] = state->v[4];
    state->v[4] = next;
    state->d += 362437u;
    return state->v[4] + state->d;
}
// Moves the five words on by n steps, or by n times 2^67 steps with table 1: for each digit of n, the sum of the states
// that follow, taken by the coefficients of the digit's polynomial.
QUALIFIERS void heddle_xorwow_jump_by(unsigned long long n, int table, curandStateXORWOW_t *state)
{
    unsigned int a = state->v[0], b = state->v[1], c = state->v[2], d = state->v[3], e = state->v[4];
    for (int place = 16 * table; n; place++, n >>= 4) {
        unsigned int digit = (unsigned int)n & 15u;
        if (!digit)
            continue;
        const unsigned int *p = heddle_xorwow_jump[15 * place + (int)digit - 1];
        unsigned int sa = 0, sb = 0, sc = 0, sd = 0, se = 0;
        for (int word = 0; word < 5; word++) {
            unsigned int coefficients = p[word];
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
            for (int bit = 0; bit < 32; bit++) {
                unsigned int take = 0u - (coefficients & 1u), next = heddle_xorwow_next(a, e);
                coefficients >>= 1;
                sa ^= a & take;
                sb ^= b & take;
                sc ^= c & take;
                sd ^= d & take;
                se ^= e & take;
                a = b;
                b = c;
                c = d;
                d = e;
                e = next;
            }
        }
        a = sa;
        b = sb;
        c = sc;
        d = sd;
        e = se;
    }
    state->v[0] = a;
    state->v[1] = b;
    state->v[2] = c;
    state->v[3] = d;
    state->v[4] = e;
}
QUALIFIERS void skipahead(unsigned long long n, curandStateXORWOW_t *state)
{
    heddle_xorwow_jump_by(n, 0, state);
    state->d += 362437u * (unsigned int)n;
}
// Sequences are 2^67 numbers apart, a multiple of the counter's period.
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state)
{
    heddle_xorwow_jump_by(n, 1, state);
}
QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                            curandStateXORWOW_t *state)
{
    unsigned int low = 1099087573u * ((unsigned int)seed ^ 0xAAD26B49u);
    unsigned int high = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xF7DCEFDDu);
    state->d = 6615241u + high + low;
    state->v[0] = 123456789u + low;
    state->v[1] = 362436069u ^ low;
    state->v[2] = 521288629u + high;
    state->v[3] = 88675123u ^ high;
    state->v[4] = 5783321u + low;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
    state->boxmuller_flag = 0;
    state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
}
#endif
