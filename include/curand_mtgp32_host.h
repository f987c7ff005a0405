// SPDX-License-Identifier: Apache-2.0
// What a host does before kernels use MTGP32: the parameters in the layout of kernels, and seeded states.
#ifndef CURAND_MTGP32_HOST_H
#define CURAND_MTGP32_HOST_H
#include "cuda_runtime.h"
#include <stdlib.h>
#include <string.h>
#include "curand.h"
#include "curand_mtgp32.h"
#include "curand_mtgp32dc_p_11213.h"

// Fills a state with a byte that the parameters give.
static inline unsigned int heddle_mtgp_clear(unsigned int state[], const mtgp32_params_fast_t *__para)
{
    unsigned int hidden = __para->tbl[4] ^ __para->tbl[8] << 16, sum = hidden;
    sum += sum >> 16;
    sum += sum >> 8;
    memset(state, (int)(sum & 0xFF), sizeof(unsigned int) * (size_t)(__para->mexp / 32 + 1));
    return hidden;
}
static inline void mtgp32_init_state(unsigned int state[], const mtgp32_params_fast_t *__para, unsigned int seed)
{
    unsigned int hidden = heddle_mtgp_clear(state, __para);
    state[0] = seed;
    state[1] = hidden;
    for (unsigned int __i = 1; __i < (unsigned int)__para->mexp / 32 + 1; __i++)
        state[__i] ^= 1812433253u * (state[__i - 1] ^ state[__i - 1] >> 30) + __i;
}
// Seeds of several words or bytes, as Mersenne Twisters mix them: each key goes into three places of the ring.
template <typename __T>
static inline void heddle_mtgp_mix(unsigned int state[], const mtgp32_params_fast_t *__para, const __T *keys,
                                   int length)
{
    int size = __para->mexp / 32 + 1, lag = size >= 623 ? 11 : size >= 68 ? 7 : size >= 39 ? 5 : 3;
    int middle = (size - lag) / 2, count = length + 1 > size ? length + 1 : size, __i = 1;
    state[0] = heddle_mtgp_clear(state, __para);
    unsigned int __r = state[0] ^ state[middle] ^ state[size - 1];
    __r = (__r ^ __r >> 27) * 1664525u;
    state[middle] += __r;
    __r += (unsigned int)length;
    state[(middle + lag) % size] += __r;
    state[0] = __r;
    for (int __j = 0; __j < count - 1; __j++, __i = (__i + 1) % size) {
        __r = state[__i] ^ state[(__i + middle) % size] ^ state[(__i + size - 1) % size];
        __r = (__r ^ __r >> 27) * 1664525u;
        state[(__i + middle) % size] += __r;
        __r += (__j < length ? keys[__j] : 0u) + (unsigned int)__i;
        state[(__i + middle + lag) % size] += __r;
        state[__i] = __r;
    }
    for (int __j = 0; __j < size; __j++, __i = (__i + 1) % size) {
        __r = state[__i] + state[(__i + middle) % size] + state[(__i + size - 1) % size];
        __r = (__r ^ __r >> 27) * 1566083941u;
        state[(__i + middle) % size] ^= __r;
        __r -= (unsigned int)__i;
        state[(__i + middle + lag) % size] ^= __r;
        state[__i] = __r;
    }
    if (state[size - 1] == 0)
        state[size - 1] = 0x4D544750u;
}
static inline int mtgp32_init_by_array(unsigned int state[], const mtgp32_params_fast_t *__para, unsigned int *array,
                                       int length)
{
    heddle_mtgp_mix(state, __para, array, length);
    return 0;
}
static inline int mtgp32_init_by_str(unsigned int state[], const mtgp32_params_fast_t *__para, unsigned char *array)
{
    heddle_mtgp_mix(state, __para, array, (int)strlen((const char *)array));
    return 0;
}

// p points to device memory.
static inline curandStatus_t curandMakeMTGP32Constants(const mtgp32_params_fast_t params[], mtgp32_kernel_params_t *__p)
{
    mtgp32_kernel_params_t *__h = (mtgp32_kernel_params_t *)malloc(sizeof(*__h));
    if (!__h)
        return CURAND_STATUS_ALLOCATION_FAILED;
    for (int __i = 0; __i < CURAND_NUM_MTGP32_PARAMS; __i++) {
        __h->pos_tbl[__i] = (unsigned int)params[__i].pos;
        __h->sh1_tbl[__i] = (unsigned int)params[__i].sh1;
        __h->sh2_tbl[__i] = (unsigned int)params[__i].sh2;
        memcpy(__h->param_tbl[__i], params[__i].tbl, sizeof(__h->param_tbl[__i]));
        memcpy(__h->temper_tbl[__i], params[__i].tmp_tbl, sizeof(__h->temper_tbl[__i]));
        memcpy(__h->single_temper_tbl[__i], params[__i].flt_tmp_tbl, sizeof(__h->single_temper_tbl[__i]));
    }
    __h->mask[0] = params[0].mask;
    cudaError_t __e = cudaMemcpy(__p, __h, sizeof(*__h), cudaMemcpyHostToDevice);
    free(__h);
    return __e == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_INITIALIZATION_FAILED;
}
// n states at most for the n parameter sets, each with a seed of its own.
static inline curandStatus_t CURANDAPI curandMakeMTGP32KernelState(curandStateMtgp32_t *__s,
                                                                   mtgp32_params_fast_t params[],
                                                                   mtgp32_kernel_params_t *__k, int __n,
                                                                   unsigned long long seed)
{
    curandStateMtgp32_t *__h = (curandStateMtgp32_t *)calloc(__n > 0 ? (size_t)__n : 1, sizeof(*__h));
    if (!__h)
        return CURAND_STATUS_ALLOCATION_FAILED;
    for (int __i = 0; __i < __n; __i++) {
        mtgp32_init_state(__h[__i].__s, &params[__i], (unsigned int)(seed ^ seed >> 32) + (unsigned int)__i + 1u);
        __h[__i].pIdx = __i;
        __h[__i].__k = __k;
    }
    cudaError_t __e = cudaMemcpy(__s, __h, sizeof(*__h) * (size_t)(__n > 0 ? __n : 0), cudaMemcpyHostToDevice);
    free(__h);
    return __e == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_INITIALIZATION_FAILED;
}
#endif
