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
static inline unsigned int heddle_mtgp_clear(unsigned int state[], const mtgp32_params_fast_t *para)
{
    unsigned int hidden = para->tbl[4] ^ para->tbl[8] << 16, sum = hidden;
    sum += sum >> 16;
    sum += sum >> 8;
    memset(state, (int)(sum & 0xFF), sizeof(unsigned int) * (size_t)(para->mexp / 32 + 1));
    return hidden;
}
static inline void mtgp32_init_state(unsigned int state[], const mtgp32_params_fast_t *para, unsigned int seed)
{
    unsigned int hidden = heddle_mtgp_clear(state, para);
    state[0] = seed;
    state[1] = hidden;
    for (unsigned int i = 1; i < (unsigned int)para->mexp / 32 + 1; i++)
        state[i] ^= 1812433253u * (state[i - 1] ^ state[i - 1] >> 30) + i;
}
// Seeds of several words or bytes, as Mersenne Twisters mix them: each key goes into three places of the ring.
template <typename T>
static inline void heddle_mtgp_mix(unsigned int state[], const mtgp32_params_fast_t *para, const T *keys, int length)
{
    int size = para->mexp / 32 + 1, lag = size >= 623 ? 11 : size >= 68 ? 7 : size >= 39 ? 5 : 3;
    int middle = (size - lag) / 2, count = length + 1 > size ? length + 1 : size, i = 1;
    state[0] = heddle_mtgp_clear(state, para);
    unsigned int r = state[0] ^ state[middle] ^ state[size - 1];
    r = (r ^ r >> 27) * 1664525u;
    state[middle] += r;
    r += (unsigned int)length;
    state[(middle + lag) % size] += r;
    state[0] = r;
    for (int j = 0; j < count - 1; j++, i = (i + 1) % size) {
        r = state[i] ^ state[(i + middle) % size] ^ state[(i + size - 1) % size];
        r = (r ^ r >> 27) * 1664525u;
        state[(i + middle) % size] += r;
        r += (j < length ? keys[j] : 0u) + (unsigned int)i;
        state[(i + middle + lag) % size] += r;
        state[i] = r;
    }
    for (int j = 0; j < size; j++, i = (i + 1) % size) {
        r = state[i] + state[(i + middle) % size] + state[(i + size - 1) % size];
        r = (r ^ r >> 27) * 1566083941u;
        state[(i + middle) % size] ^= r;
        r -= (unsigned int)i;
        state[(i + middle + lag) % size] ^= r;
        state[i] = r;
    }
    if (state[size - 1] == 0)
        state[size - 1] = 0x4D544750u;
}
static inline int mtgp32_init_by_array(unsigned int state[], const mtgp32_params_fast_t *para, unsigned int *array,
                                       int length)
{
    heddle_mtgp_mix(state, para, array, length);
    return 0;
}
static inline int mtgp32_init_by_str(unsigned int state[], const mtgp32_params_fast_t *para, unsigned char *array)
{
    heddle_mtgp_mix(state, para, array, (int)strlen((const char *)array));
    return 0;
}

// p points to device memory.
static inline curandStatus_t curandMakeMTGP32Constants(const mtgp32_params_fast_t params[], mtgp32_kernel_params_t *p)
{
    mtgp32_kernel_params_t *h = (mtgp32_kernel_params_t *)malloc(sizeof(*h));
    if (!h)
        return CURAND_STATUS_ALLOCATION_FAILED;
    for (int i = 0; i < CURAND_NUM_MTGP32_PARAMS; i++) {
        h->pos_tbl[i] = (unsigned int)params[i].pos;
        h->sh1_tbl[i] = (unsigned int)params[i].sh1;
        h->sh2_tbl[i] = (unsigned int)params[i].sh2;
        memcpy(h->param_tbl[i], params[i].tbl, sizeof(h->param_tbl[i]));
        memcpy(h->temper_tbl[i], params[i].tmp_tbl, sizeof(h->temper_tbl[i]));
        memcpy(h->single_temper_tbl[i], params[i].flt_tmp_tbl, sizeof(h->single_temper_tbl[i]));
    }
    h->mask[0] = params[0].mask;
    cudaError_t e = cudaMemcpy(p, h, sizeof(*h), cudaMemcpyHostToDevice);
    free(h);
    return e == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_INITIALIZATION_FAILED;
}
// n states at most for the n parameter sets, each with a seed of its own.
static inline curandStatus_t CURANDAPI curandMakeMTGP32KernelState(curandStateMtgp32_t *s,
                                                                   mtgp32_params_fast_t params[],
                                                                   mtgp32_kernel_params_t *k, int n,
                                                                   unsigned long long seed)
{
    curandStateMtgp32_t *h = (curandStateMtgp32_t *)calloc(n > 0 ? (size_t)n : 1, sizeof(*h));
    if (!h)
        return CURAND_STATUS_ALLOCATION_FAILED;
    for (int i = 0; i < n; i++) {
        mtgp32_init_state(h[i].s, &params[i], (unsigned int)(seed ^ seed >> 32) + (unsigned int)i + 1u);
        h[i].pIdx = i;
        h[i].k = k;
    }
    cudaError_t e = cudaMemcpy(s, h, sizeof(*h) * (size_t)(n > 0 ? n : 0), cudaMemcpyHostToDevice);
    free(h);
    return e == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_INITIALIZATION_FAILED;
}
#endif
