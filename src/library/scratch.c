// SPDX-License-Identifier: Apache-2.0
// Scratch memory, one buffer for each stream that a handle was used with. Work in a stream runs in order, so that its buffer is free
// when the next piece of work begins; it grows by being freed and allocated in the order of the stream. A piece of work is several
// launches, and threads may share a handle: the lock keeps the launches of two of them apart. A capture cannot use a buffer,
// since its graph may run beside anything: its memory is allocated and freed by nodes of the graph.
#include "library/library.h"
#include <stdlib.h>

struct library_buffer {
    struct library_buffer *next;
    unsigned long long stream; // its number: handles of streams are used again
    void *memory;
    size_t bytes;
};

void library_scratch_init(struct library_scratch *s)
{
    *s = (struct library_scratch){0};
    pthread_mutex_init(&s->lock, NULL);
}

void library_scratch_fini(struct library_scratch *s)
{
    for (struct library_buffer *b = s->buffers, *next; b; b = next) {
        next = b->next;
        if (b->memory)
            cudaFree(b->memory);
        free(b);
    }
    pthread_mutex_destroy(&s->lock);
}

void library_scratch_give(struct library_scratch *s, void *memory, size_t bytes)
{
    pthread_mutex_lock(&s->lock);
    s->given = memory;
    s->given_bytes = memory ? bytes : 0;
    pthread_mutex_unlock(&s->lock);
}

static bool is_captured(cudaStream_t stream)
{
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    return !cudaStreamIsCapturing(stream, &status) && status != cudaStreamCaptureStatusNone;
}

static struct library_buffer *of_stream(struct library_scratch *s, cudaStream_t stream)
{
    unsigned long long id;
    if (cudaStreamGetId(stream, &id))
        return NULL;
    struct library_buffer *b = s->buffers;
    while (b && b->stream != id)
        b = b->next;
    if (!b && (b = calloc(1, sizeof *b))) {
        b->stream = id;
        b->next = s->buffers;
        s->buffers = b;
    }
    return b;
}

static void *buffer_memory(struct library_scratch *s, cudaStream_t stream, size_t bytes)
{
    enum { LEAST = 64 << 10 };
    struct library_buffer *b = of_stream(s, stream);
    if (!b || b->bytes >= bytes)
        return b ? b->memory : NULL;
    if (b->memory)
        cudaFreeAsync(b->memory, stream);
    b->bytes = bytes > LEAST ? bytes : LEAST;
    b->memory = NULL;
    if (cudaMallocAsync(&b->memory, b->bytes, stream))
        b->bytes = 0;
    return b->memory;
}

void *library_scratch_begin(struct library_scratch *s, cudaStream_t stream, size_t bytes)
{
    void *memory = NULL;
    pthread_mutex_lock(&s->lock);
    if (s->given_bytes >= bytes)
        memory = s->given;
    else if (!is_captured(stream))
        memory = buffer_memory(s, stream, bytes);
    else if (cudaMallocAsync(&memory, bytes, stream))
        memory = NULL;
    if (!memory)
        pthread_mutex_unlock(&s->lock);
    return memory;
}

void library_scratch_end(struct library_scratch *s, cudaStream_t stream, void *memory)
{
    struct library_buffer *b = s->buffers;
    while (b && b->memory != memory)
        b = b->next;
    if (!b && memory != s->given)
        cudaFreeAsync(memory, stream);
    pthread_mutex_unlock(&s->lock);
}
