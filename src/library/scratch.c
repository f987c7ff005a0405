// SPDX-License-Identifier: Apache-2.0
// Scratch memory, one buffer for each stream that a handle was used with. Work in a stream runs in order, so that its buffer is free
// when the next piece of work begins; it grows by being freed and allocated in the order of the stream. A capture cannot use a
// buffer, since its graph may run beside anything: its memory is allocated and freed by nodes of the graph.
#include "library/library.h"
#include <stdlib.h>

struct library_scratch {
    struct library_scratch *next;
    cudaStream_t stream;
    void *memory;
    size_t bytes;
};

static bool is_captured(cudaStream_t stream)
{
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    return !cudaStreamIsCapturing(stream, &status) && status != cudaStreamCaptureStatusNone;
}

static struct library_scratch *of_stream(struct library_scratch **s, cudaStream_t stream)
{
    struct library_scratch *x = *s;
    while (x && x->stream != stream)
        x = x->next;
    if (!x && (x = calloc(1, sizeof *x))) {
        x->stream = stream;
        x->next = *s;
        *s = x;
    }
    return x;
}

void *library_scratch_begin(struct library_scratch **s, cudaStream_t stream, size_t bytes)
{
    enum { LEAST = 64 << 10 };
    void *memory = NULL;
    if (is_captured(stream))
        return cudaMallocAsync(&memory, bytes, stream) ? NULL : memory;
    struct library_scratch *x = of_stream(s, stream);
    if (!x || x->bytes >= bytes)
        return x ? x->memory : NULL;
    if (x->memory)
        cudaFreeAsync(x->memory, stream);
    x->bytes = bytes > LEAST ? bytes : LEAST;
    x->memory = NULL;
    if (cudaMallocAsync(&x->memory, x->bytes, stream))
        x->bytes = 0;
    return x->memory;
}

void library_scratch_end(struct library_scratch *s, cudaStream_t stream, void *memory)
{
    while (s && s->memory != memory)
        s = s->next;
    if (!s)
        cudaFreeAsync(memory, stream);
}

void library_scratch_free(struct library_scratch *s)
{
    for (struct library_scratch *next; s; s = next) {
        next = s->next;
        if (s->memory)
            cudaFree(s->memory);
        free(s);
    }
}
