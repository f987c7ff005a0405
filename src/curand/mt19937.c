// SPDX-License-Identifier: Apache-2.0
// MT19937 as cuRAND has it: 8192 sequences, each 2^2048 steps behind the one before, of which eight numbers come from
// each in turn.
//
// The states lie in the order in which their numbers go out (word_place in kernels.cu), so that giving out numbers is
// reading them in order; when all 624 words of the sequences are used, a kernel makes the next ones in place. A
// sequence's state is a sum of words of the seed's sequence, which the polynomials of tools/mtgen.c name. One sum for
// each of 128 groups is made here; from it a kernel makes those of the 64 sequences of the group. Only sequences that
// are reached get their states: a program that asks for a thousand numbers does not wait for 8192 sums.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "curand/generator.h"

enum {
    N = 624,
    M = 397,
    DEGREE = 19937,
    EXPANDED = N + DEGREE, // words that a sum may need
    GROUP = 64,
    GROUPS = 128,
    SEQUENCES = GROUP * GROUPS,
    UNIT = 8,
    ROUND = SEQUENCES * UNIT, // numbers until it is the first sequence's turn again
    CYCLE = SEQUENCES * N,    // numbers of all states
    BATCH = 16,               // groups at a time
};
#define STATE_BYTES ((size_t)CYCLE * sizeof(uint32_t))

extern const uint32_t heddle_mt19937_steps[GROUP][N], heddle_mt19937_leaps[GROUPS][N];
__asm__(".section .rodata\n.balign 64\n"
        ".globl heddle_mt19937_steps\n.hidden heddle_mt19937_steps\n"
        ".globl heddle_mt19937_leaps\n.hidden heddle_mt19937_leaps\n"
        "heddle_mt19937_steps:\n.incbin \"" HEDDLE_MT19937_TABLE "\"\n"
        ".set heddle_mt19937_leaps, heddle_mt19937_steps + 64 * 624 * 4\n"
        ".previous\n");

static void expand(uint32_t x[EXPANDED])
{
    for (int i = 0; i < EXPANDED - N; i++) {
        uint32_t y = (x[i] & 0x80000000u) | (x[i + 1] & 0x7fffffffu);
        x[i + N] = x[i + M] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
    }
}
static void leap(uint32_t to[N], const uint32_t x[EXPANDED], const uint32_t poly[N])
{
    memset(to, 0, N * sizeof(*to));
    for (int j = 0; j < DEGREE; j++)
        if (poly[j / 32] >> (j % 32) & 1)
            for (int i = 0; i < N; i++)
                to[i] ^= x[i + j];
}
// The states of groups from first to last, by way of host memory for BATCH groups and device memory for them.
static curandStatus_t seed_groups(struct curandGenerator_st *g, unsigned int first, unsigned int last, uint32_t *x,
                                  uint32_t (*sums)[EXPANDED], void *device_sums, void *device_steps)
{
    for (int i = 0; i < N; i++)
        x[i] = i ? 1812433253u * (x[i - 1] ^ x[i - 1] >> 30) + (uint32_t)i : (uint32_t)g->seed;
    expand(x);
    for (unsigned int at = first; at < last; at += BATCH) {
        unsigned int count = last - at < BATCH ? last - at : BATCH;
        for (unsigned int i = 0; i < count; i++) {
            leap(sums[i], x, heddle_mt19937_leaps[at + i]);
            expand(sums[i]);
        }
        if (cudaMemcpyAsync(device_sums, sums, count * sizeof(*sums), cudaMemcpyHostToDevice, g->stream) ||
            cudaStreamSynchronize(g->stream))
            return CURAND_STATUS_INITIALIZATION_FAILED;
        unsigned int sequence = at * GROUP, end = (at + count) * GROUP;
        void *steps[] = {&g->states, &device_sums, &device_steps, &sequence};
        curandStatus_t status = heddle_curand_launch(g, "step", (dim3){GROUP, count, 1}, 160, steps);
        void *next[] = {&g->states, &sequence, &end};
        if (!status)
            status = heddle_curand_launch(g, "next", (dim3){(end - sequence) / 64, 1, 1}, 64, next);
        if (status)
            return status;
        if (cudaStreamSynchronize(g->stream)) // the sums are used again
            return CURAND_STATUS_LAUNCH_FAILURE;
        g->sequences = end;
    }
    return CURAND_STATUS_SUCCESS;
}
// Sees to the states of the first `needed` sequences.
static curandStatus_t seed(struct curandGenerator_st *g, unsigned int needed)
{
    if (!g->states && cudaMalloc(&g->states, STATE_BYTES))
        return CURAND_STATUS_ALLOCATION_FAILED;
    if (needed <= g->sequences)
        return CURAND_STATUS_SUCCESS;
    uint32_t *x = malloc(EXPANDED * sizeof(*x)), (*sums)[EXPANDED] = malloc(BATCH * sizeof(*sums));
    void *device_sums = NULL, *device_steps = NULL;
    curandStatus_t status = CURAND_STATUS_ALLOCATION_FAILED;
    if (x && sums && !cudaMalloc(&device_sums, BATCH * sizeof(*sums)) &&
        !cudaMalloc(&device_steps, sizeof(heddle_mt19937_steps)))
        status = cudaMemcpyAsync(device_steps, heddle_mt19937_steps, sizeof(heddle_mt19937_steps),
                                 cudaMemcpyHostToDevice, g->stream)
                     ? CURAND_STATUS_INITIALIZATION_FAILED
                     : seed_groups(g, g->sequences / GROUP, (needed + GROUP - 1) / GROUP, x, sums, device_sums,
                                   device_steps);
    cudaFree(device_sums);
    cudaFree(device_steps);
    free(sums);
    free(x);
    return status;
}
curandStatus_t heddle_mt19937_generate(struct curandGenerator_st *g, const char *what, char *out, size_t n, size_t size,
                                       struct shape shape)
{
    if (!g->seeded) {
        g->sequences = 0;
        g->done = 0;
        g->seeded = true;
    }
    while (n > 0) {
        unsigned long long at = g->done % CYCLE, count = CYCLE - at < n ? CYCLE - at : n;
        if (at == 0 && g->done) {
            unsigned int first = 0, end = SEQUENCES;
            void *next[] = {&g->states, &first, &end};
            curandStatus_t status = heddle_curand_launch(g, "next", (dim3){SEQUENCES / 64, 1, 1}, 64, next);
            if (status)
                return status;
        }
        unsigned long long units = (at + count + UNIT - 1) / UNIT;
        curandStatus_t status = seed(g, units < SEQUENCES ? (unsigned int)units : SEQUENCES);
        if (status)
            return status;
        uint32_t *from = (uint32_t *)g->states + at;
        void *arguments[] = {&from, &out, &count, &shape};
        unsigned long long blocks = (count + 255) / 256;
        status = heddle_curand_launch(g, what, (dim3){(unsigned int)(blocks < 16384 ? blocks : 16384), 1, 1}, 256,
                                      arguments);
        if (status)
            return status;
        g->done += count;
        n -= count;
        out += count * size;
    }
    return CURAND_STATUS_SUCCESS;
}
