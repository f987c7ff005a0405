// SPDX-License-Identifier: Apache-2.0
// Memory for images, whose rows begin at multiples of 512 bytes, and for signals.
#include "npp/body.h"

void *npp_malloc_image(const struct npp_call *c)
{
    void *memory = NULL;
    size_t pitch = 0, row;
    if (c->size.width <= 0 || c->size.height <= 0 || !c->out[0])
        return NULL;
    row = (size_t)c->size.width * npp_size(c->form->s) * c->form->channels;
    if (row > INT32_MAX - 1024 || cudaMallocPitch(&memory, &pitch, row, (size_t)c->size.height))
        return NULL;
    *(int *)c->out[0] = (int)pitch;
    return memory;
}

void *npp_malloc_signal(const struct npp_call *c)
{
    void *memory = NULL;
    size_t size = npp_size(c->form->s);
    return !c->length || c->length > SIZE_MAX / size || cudaMalloc(&memory, c->length * size) ? NULL : memory;
}

void npp_free(const struct npp_call *c)
{
    cudaFree(c->out[0]);
}
