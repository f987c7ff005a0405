// SPDX-License-Identifier: Apache-2.0
// What the other files of the bench need of the runtime.
#include "bench.h"
#include <stdlib.h>

static void check(cudaError_t e)
{
    if (e != cudaSuccess) {
        fprintf(stderr, "bench: %s\n", cudaGetErrorString(e));
        exit(1);
    }
}

__global__ void empty() {}

static struct {
    const float *at;
    unsigned long floats;
} allocated[64];
static int allocations;

extern "C" {
void empty_cuda(const struct problem *p)
{
    (void)p;
    empty<<<1, 32>>>();
}
void bench_sync(void)
{
    check(cudaDeviceSynchronize());
}
float *bench_alloc(unsigned long floats)
{
    float *p;
    check(cudaMalloc(&p, floats * sizeof(float)));
    if (allocations < 64) {
        allocated[allocations].at = p;
        allocated[allocations++].floats = floats;
    }
    return p;
}
void bench_copied(const float *p, unsigned long bytes)
{
    unsigned long most = p ? bench_extent(p) : 0;
    bytes = bytes < most ? bytes : most;
    void *copy = malloc(bytes + 1);
    check(cudaMemcpy(copy, p, bytes, cudaMemcpyDeviceToHost));
    check(cudaMemcpy((void *)p, copy, bytes, cudaMemcpyHostToDevice));
    free(copy);
}
unsigned long bench_extent(const float *p)
{
    for (int i = 0; i < allocations; i++)
        if (p >= allocated[i].at && p < allocated[i].at + allocated[i].floats)
            return (allocated[i].floats - (p - allocated[i].at)) * sizeof(float);
    return 0;
}
}
