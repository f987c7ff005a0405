// SPDX-License-Identifier: Apache-2.0
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

QUALIFIERS uint4 curand_Philox4x32_10(uint4 __c, uint2 __k)
{
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (int round = 0; round < 10; round++) {
        unsigned long long __p = (unsigned long long)PHILOX_M4x32_0 * __c.x,
                           __q = (unsigned long long)PHILOX_M4x32_1 * __c.z;
        __c.x = (unsigned int)(__q >> 32) ^ __c.y ^ __k.x;
        __c.z = (unsigned int)(__p >> 32) ^ __c.w ^ __k.y;
        __c.y = (unsigned int)__q;
        __c.w = (unsigned int)__p;
        __k.x += PHILOX_W32_0;
        __k.y += PHILOX_W32_1;
    }
    return __c;
}
// The counter moves on by n and then by whole sequences.
QUALIFIERS void Philox_State_Incr_hi(curandStatePhilox4_32_10_t *__s, unsigned long long __n)
{
    unsigned long long high = (__s->ctr.z | (unsigned long long)__s->ctr.w << 32) + __n;
    __s->ctr.z = (unsigned int)high;
    __s->ctr.w = (unsigned int)(high >> 32);
}
QUALIFIERS void Philox_State_Incr(curandStatePhilox4_32_10_t *__s, unsigned long long __n)
{
    unsigned long long low = (__s->ctr.x | (unsigned long long)__s->ctr.y << 32) + __n;
    __s->ctr.x = (unsigned int)low;
    __s->ctr.y = (unsigned int)(low >> 32);
    if (low < __n)
        Philox_State_Incr_hi(__s, 1);
}
QUALIFIERS void Philox_State_Incr(curandStatePhilox4_32_10_t *__s)
{
    Philox_State_Incr(__s, 1);
}
QUALIFIERS void heddle_philox_fill(curandStatePhilox4_32_10_t *__s)
{
    __s->output = curand_Philox4x32_10(__s->ctr, __s->key);
}
QUALIFIERS unsigned int heddle_philox_word(const uint4 &__v, unsigned int __i)
{
    return __i == 0 ? __v.x : __i == 1 ? __v.y : __i == 2 ? __v.z : __v.w;
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
    uint4 before = state->output, __r = before;
    Philox_State_Incr(state);
    heddle_philox_fill(state);
    uint4 after = state->output;
    switch (state->STATE) {
    case 1:
        __r = make_uint4(before.y, before.z, before.w, after.x);
        break;
    case 2:
        __r = make_uint4(before.z, before.w, after.x, after.y);
        break;
    case 3:
        __r = make_uint4(before.w, after.x, after.y, after.z);
        break;
    default:
        break;
    }
    return __r;
}
QUALIFIERS void skipahead(unsigned long long __n, curandStatePhilox4_32_10_t *state)
{
    unsigned int used = state->STATE + ((unsigned int)__n & 3u);
    state->STATE = used & 3u;
    Philox_State_Incr(state, __n / 4 + used / 4);
    heddle_philox_fill(state);
}
QUALIFIERS void skipahead_sequence(unsigned long long __n, curandStatePhilox4_32_10_t *state)
{
    Philox_State_Incr_hi(state, __n);
    heddle_philox_fill(state);
}
QUALIFIERS void curand_init(unsigned long long seed, unsigned long long __subsequence, unsigned long long offset,
                            curandStatePhilox4_32_10_t *state)
{
    state->ctr = make_uint4(0, 0, 0, 0);
    state->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
    state->STATE = 0;
    state->boxmuller_flag = 0;
    state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
    Philox_State_Incr_hi(state, __subsequence);
    skipahead(offset, state);
}
#endif
