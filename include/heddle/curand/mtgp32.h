// MTGP32 (Saito and Matsumoto, "Variants of Mersenne Twister suitable for graphic processors", 2013): the threads of a
// block step one state of 351 words together, at most 256 numbers at once. All threads of the block must call.
#ifndef HEDDLE_CURAND_MTGP32_H
#define HEDDLE_CURAND_MTGP32_H
#include "../../curand_mtgp32.h"

#if !defined(__CUDA__) && !defined(__CUDACC_RTC__) && !defined(__DEVICE_EMULATION__)
extern const dim3 blockDim; // device code may be read by a host compiler
extern const uint3 threadIdx;
#endif

QUALIFIERS unsigned int para_rec(mtgp32_kernel_params_t *k, unsigned int X1, unsigned int X2, unsigned int Y, int bid)
{
    unsigned int x = (X1 & k->mask[0]) ^ X2;
    x ^= x << k->sh1_tbl[bid];
    unsigned int y = x ^ (Y >> k->sh2_tbl[bid]);
    return y ^ k->param_tbl[bid][y & 15u];
}
QUALIFIERS unsigned int heddle_mtgp_row(unsigned int t)
{
    t ^= t >> 16;
    return (t ^ (t >> 8)) & 15u;
}
QUALIFIERS unsigned int temper(mtgp32_kernel_params_t *k, unsigned int V, unsigned int T, int bid)
{
    return V ^ k->temper_tbl[bid][heddle_mtgp_row(T)];
}
QUALIFIERS unsigned int temper_single(mtgp32_kernel_params_t *k, unsigned int V, unsigned int T, int bid)
{
    return (V >> 9) ^ k->single_temper_tbl[bid][heddle_mtgp_row(T)];
}
QUALIFIERS unsigned int heddle_mtgp_at(const curandStateMtgp32_t *state, unsigned int i)
{
    return state->s[(i + (unsigned int)state->offset) & MTGP32_STATE_MASK];
}
// The next word for the place at t, and what tempers it.
QUALIFIERS unsigned int heddle_mtgp_step(const curandStateMtgp32_t *state, unsigned int t, unsigned int *tempering)
{
    unsigned int pos = state->k->pos_tbl[state->pIdx];
    *tempering = heddle_mtgp_at(state, t + pos - 1u);
    return para_rec(state->k, heddle_mtgp_at(state, t), heddle_mtgp_at(state, t + 1u), heddle_mtgp_at(state, t + pos),
                    state->pIdx);
}
// Every thread has read and written before the state moves on, and none goes on before it has.
QUALIFIERS void heddle_mtgp_advance(curandStateMtgp32_t *state, bool first, unsigned int n)
{
#if defined(__CUDA_ARCH__)
    __syncthreads();
#endif
    if (first)
        state->offset = (int)(((unsigned int)state->offset + n) & MTGP32_STATE_MASK);
#if defined(__CUDA_ARCH__)
    __syncthreads();
#endif
}
QUALIFIERS unsigned int heddle_mtgp_word(curandStateMtgp32_t *state, unsigned int t, unsigned int n)
{
    unsigned int tempering, word = heddle_mtgp_step(state, t, &tempering);
    state->s[(t + (unsigned int)state->offset + MTGPDC_N) & MTGP32_STATE_MASK] = word;
    unsigned int out = temper(state->k, word, tempering, state->pIdx);
    heddle_mtgp_advance(state, t == 0, n);
    return out;
}
QUALIFIERS unsigned int curand(curandStateMtgp32_t *state)
{
    unsigned int t = blockDim.z * blockDim.y * threadIdx.z + blockDim.x * threadIdx.y + threadIdx.x;
    return heddle_mtgp_word(state, t, blockDim.x * blockDim.y * blockDim.z);
}
// For threads that are numbered by index, n of them.
QUALIFIERS unsigned int curand_mtgp32_specific(curandStateMtgp32_t *state, unsigned char index, unsigned char n)
{
    return heddle_mtgp_word(state, index, n);
}
// Floats from 1 to 2.
QUALIFIERS float heddle_mtgp_single(curandStateMtgp32_t *state, unsigned int t, unsigned int n)
{
    unsigned int tempering, word = heddle_mtgp_step(state, t, &tempering);
    state->s[t] = word;
    unsigned int bits = temper_single(state->k, word, tempering, state->pIdx);
    float out;
    heddle_mtgp_advance(state, threadIdx.x == 0, n);
    memcpy(&out, &bits, sizeof(out));
    return out;
}
QUALIFIERS float curand_mtgp32_single(curandStateMtgp32_t *state)
{
    unsigned int rows = blockDim.z * blockDim.y;
    return heddle_mtgp_single(state, rows + threadIdx.x, rows * blockDim.x);
}
QUALIFIERS float curand_mtgp32_single_specific(curandStateMtgp32_t *state, unsigned char index, unsigned char n)
{
    return heddle_mtgp_single(state, index, n);
}
#endif
