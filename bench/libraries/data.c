// SPDX-License-Identifier: Apache-2.0
// Numbers that all forms start from, and what they are compared by.
#include "libraries.h"
#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

static size_t number_bytes(const struct data *d)
{
    return d->n * (d->type == 'D' ? sizeof(double) : sizeof(float));
}

static bool data_get(struct data *d)
{
    enum { PAGE = 4096 };
    size_t bytes = (number_bytes(d) + PAGE - 1) / PAGE * PAGE;
    if (d->device)
        return !cudaMalloc(&d->at, bytes);
    return (d->at = aligned_alloc(PAGE, bytes)) != NULL;
}

static void data_copy(void *to, const void *from, size_t bytes, bool device)
{
    if (device)
        cudaMemcpy(to, from, bytes, cudaMemcpyDefault);
    else
        memcpy(to, from, bytes);
}

void data_fill(const struct data *d, const double *from)
{
    float *floats = d->type == 'D' ? NULL : malloc(d->n * sizeof *floats);
    for (size_t i = 0; floats && i < d->n; i++)
        floats[i] = (float)from[i];
    data_copy(d->at, floats ? (const void *)floats : from, number_bytes(d), d->device);
    free(floats);
}

bool data_make(struct data *d, bool device, char type, size_t n, unsigned seed)
{
    *d = (struct data){.n = n, .type = type, .device = device};
    double *x = calloc(n ? n : 1, sizeof *x);
    if (!x || !data_get(d)) {
        free(x);
        return false;
    }
    unsigned long long state = seed;
    for (size_t i = 0; seed && i < n; i++) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        x[i] = (double)(int)(state >> 40) / (1 << 23) - 1;
    }
    data_fill(d, x);
    free(x);
    return true;
}

void data_sample(const struct data *d, double *out)
{
    size_t size = number_bytes(d) / (d->n ? d->n : 1);
    for (size_t i = 0; i < SAMPLES; i++) {
        size_t at = i * d->n / SAMPLES;
        double number = 0;
        float single = 0;
        data_copy(d->type == 'D' ? (void *)&number : &single, (const char *)d->at + at * size, size, d->device);
        out[i] = d->type == 'D' ? number : single;
    }
}

void data_free(struct data *d)
{
    if (d->device)
        cudaFree(d->at);
    else
        free(d->at);
    d->at = NULL;
}
