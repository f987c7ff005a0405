// Philox4x32-10 (Salmon and others, "Parallel random numbers: as easy as 1, 2, 3", 2011): a counter of 128 bits under a
// keyed bijection. The low half counts within a sequence, the high half counts sequences.
#ifndef HEDDLE_CURAND_PHILOX_H
#define HEDDLE_CURAND_PHILOX_H

#define PHILOX_W32_0   0x9E3779B9
#define PHILOX_W32_1   0xBB67AE85
#define PHILOX_M4x32_0 0xD2511F53
#define PHILOX_M4x32_1 0xCD9E8D57

struct curandStatePhilox4_32_10 {
    uint4 ctr;
    uint4 output;
    uint2 key;
    unsigned int STATE; // how many words of output are used up
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

QUALIFIERS uint4 curand_Philox4x32_10(uint4 c, uint2 k)
{
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (int round = 0; round < 10; round++) {
        unsigned long long p = (unsigned long long)PHILOX_M4x32_0 * c.x, q = (unsigned long long)PHILOX_M4x32_1 * c.z;
        c.x = (unsigned int)(q >> 32) ^ c.y ^ k.x;
        c.z = (unsigned int)(p >> 32) ^ c.w ^ k.y;
        c.y = (unsigned int)q;
        c.w = (unsigned int)p;
        k.x += PHILOX_W32_0;
        k.y += PHILOX_W32_1;
    }
    return c;
}
// The counter moves on by n and then by whole sequences.
QUALIFIERS void Philox_State_Incr_hi(curandStatePhilox4_32_10_t *s, unsigned long long n)
{
    unsigned long long high = (s->ctr.z | (unsigned long long)s->ctr.w << 32) + n;
    s->ctr.z = (unsigned int)high;
    s->ctr.w = (unsigned int)(high >> 32);
}
QUALIFIERS void Philox_State_Incr(curandStatePhilox4_32_10_t *s, unsigned long long n)
{
    unsigned long long low = (s->ctr.x | (unsigned long long)s->ctr.y << 32) + n;
    s->ctr.x = (unsigned int)low;
    s->ctr.y = (unsigned int)(low >> 32);
    if (low < n)
        Philox_State_Incr_hi(s, 1);
}
QUALIFIERS void Philox_State_Incr(curandStatePhilox4_32_10_t *s)
{
    Philox_State_Incr(s, 1);
}
QUALIFIERS void heddle_philox_fill(curandStatePhilox4_32_10_t *s)
{
    s->output = curand_Philox4x32_10(s->ctr, s->key);
}
QUALIFIERS unsigned int heddle_philox_word(const uint4 &v, unsigned int i)
{
    return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}
QUALIFIERS unsigned int curand(curandStatePhilox4_32_10_t *state)
{
    unsigned int word = heddle_philox_word(state->output, state->STATE++);
    if (state->STATE == 4) {
        Philox_State_Incr(state);
        heddle_philox_fill(state);
        state->STATE = 0;
    }
    return word;
}
// Four numbers: what is left of this output, and the rest from the next.
QUALIFIERS uint4 curand4(curandStatePhilox4_32_10_t *state)
{
    uint4 before = state->output, r = before;
    Philox_State_Incr(state);
    heddle_philox_fill(state);
    uint4 after = state->output;
    switch (state->STATE) {
    case 1:
        r = make_uint4(before.y, before.z, before.w, after.x);
        break;
    case 2:
        r = make_uint4(before.z, before.w, after.x, after.y);
        break;
    case 3:
        r = make_uint4(before.w, after.x, after.y, after.z);
        break;
    default:
        break;
    }
    return r;
}
QUALIFIERS void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
    unsigned int used = state->STATE + ((unsigned int)n & 3u);
    state->STATE = used & 3u;
    Philox_State_Incr(state, n / 4 + used / 4);
    heddle_philox_fill(state);
}
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
    Philox_State_Incr_hi(state, n);
    heddle_philox_fill(state);
}
QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                            curandStatePhilox4_32_10_t *state)
{
    state->ctr = make_uint4(0, 0, 0, 0);
    state->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
    state->STATE = 0;
    state->boxmuller_flag = 0;
    state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
    Philox_State_Incr_hi(state, subsequence);
    skipahead(offset, state);
}
#endif
