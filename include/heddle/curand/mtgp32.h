// SPDX-License-Identifier: Apache-2.0
// MTGP32 (Saito and Matsumoto, "Variants of Mersenne Twister suitable for graphic processors", 2013): the threads of a
// block step one state of 351 words together, at most 256 numbers at once. All threads of the block must call.
#ifndef HEDDLE_CURAND_MTGP32_H
#define HEDDLE_CURAND_MTGP32_H
#include "../../curand_mtgp32.h"

#if !defined(__CUDA__) && !defined(__CUDACC_RTC__) && !defined(__DEVICE_EMULATION__)
extern const dim3 blockDim; // device code may be read by a host compiler
extern const uint3 threadIdx;
#endif

QUALIFIERS unsigned int para_rec(mtgp32_kernel_params_t *__k, unsigned int __X1, unsigned int __X2, unsigned int __Y,
                                 int __bid)
{
    unsigned int x = (__X1 & __k->mask[0]) ^ __X2;
    x ^= x << __k->sh1_tbl[__bid];
    unsigned int y = x ^ (__Y >> __k->sh2_tbl[__bid]);
    return y ^ __k->param_tbl[__bid][y & 15u];
}
QUALIFIERS unsigned int heddle_mtgp_row(unsigned int __t)
{
    __t ^= __t >> 16;
    return (__t ^ (__t >> 8)) & 15u;
}
QUALIFIERS unsigned int temper(mtgp32_kernel_params_t *__k, unsigned int __V, unsigned int __T, int __bid)
{
    return __V ^ __k->temper_tbl[__bid][heddle_mtgp_row(__T)];
}
QUALIFIERS unsigned int temper_single(mtgp32_kernel_params_t *__k, unsigned int __V, unsigned int __T, int __bid)
{
    return (__V >> 9) ^ __k->single_temper_tbl[__bid][heddle_mtgp_row(__T)];
}
QUALIFIERS unsigned int heddle_mtgp_at(const curandStateMtgp32_t *state, unsigned int __i)
{
    return state->__s[(__i + (unsigned int)state->offset) & MTGP32_STATE_MASK];
}
// The next word for the place at t, and what tempers it.
QUALIFIERS unsigned int heddle_mtgp_step(const curandStateMtgp32_t *state, unsigned int __t, unsigned int *__tempering)
{
    unsigned int pos = state->__k->pos_tbl[state->pIdx];
    *__tempering = heddle_mtgp_at(state, __t + pos - 1u);
    return para_rec(state->__k, heddle_mtgp_at(state, __t), heddle_mtgp_at(state, __t + 1u),
                    heddle_mtgp_at(state, __t + pos), state->pIdx);
}
// Every thread has read and written before the state moves on, and none goes on before it has.
QUALIFIERS void heddle_mtgp_advance(curandStateMtgp32_t *state, bool first, unsigned int __n)
{
#if defined(__CUDA_ARCH__)
    __syncthreads();
#endif
    if (first)
        state->offset = (int)(((unsigned int)state->offset + __n) & MTGP32_STATE_MASK);
#if defined(__CUDA_ARCH__)
    __syncthreads();
#endif
}
QUALIFIERS unsigned int heddle_mtgp_word(curandStateMtgp32_t *state, unsigned int __t, unsigned int __n)
{
    unsigned int __tempering, word = heddle_mtgp_step(state, __t, &__tempering);
    state->__s[(__t + (unsigned int)state->offset + MTGPDC_N) & MTGP32_STATE_MASK] = word;
    unsigned int out = temper(state->__k, word, __tempering, state->pIdx);
    heddle_mtgp_advance(state, __t == 0, __n);
    return out;
}
QUALIFIERS unsigned int curand(curandStateMtgp32_t *state)
{
    unsigned int __t = blockDim.z * blockDim.y * threadIdx.z + blockDim.x * threadIdx.y + threadIdx.x;
    return heddle_mtgp_word(state, __t, blockDim.x * blockDim.y * blockDim.z);
}
// For threads that are numbered by index, n of them.
QUALIFIERS unsigned int curand_mtgp32_specific(curandStateMtgp32_t *state, unsigned char __index, unsigned char __n)
{
    return heddle_mtgp_word(state, __index, __n);
}
// Floats from 1 to 2.
QUALIFIERS float heddle_mtgp_single(curandStateMtgp32_t *state, unsigned int __t, unsigned int __n)
{
    unsigned int __tempering, word = heddle_mtgp_step(state, __t, &__tempering);
    state->__s[__t] = word;
    unsigned int bits = temper_single(state->__k, word, __tempering, state->pIdx);
    float out;
    heddle_mtgp_advance(state, threadIdx.x == 0, __n);
    memcpy(&out, &bits, sizeof(out));
    return out;
}
QUALIFIERS float curand_mtgp32_single(curandStateMtgp32_t *state)
{
    unsigned int rows = blockDim.z * blockDim.y;
    return heddle_mtgp_single(state, rows + threadIdx.x, rows * blockDim.x);
}
QUALIFIERS float curand_mtgp32_single_specific(curandStateMtgp32_t *state, unsigned char __index, unsigned char __n)
{
    return heddle_mtgp_single(state, __index, __n);
}
#endif
