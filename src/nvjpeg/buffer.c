// SPDX-License-Identifier: Apache-2.0
// Memory of the program's allocators or of CUDA's, and the buffers that are attached to states.
#include "nvjpeg/jpeg.h"

struct allocator allocator_pinned(const nvjpegPinnedAllocator_t *a)
{
    return a ? (struct allocator){.pinned_new = a->pinned_malloc, .pinned_free = a->pinned_free}
             : (struct allocator){0};
}

struct allocator allocator_device(const nvjpegDevAllocator_t *a)
{
    struct allocator to = {.device = true};
    if (a) {
        to.device_new = a->dev_malloc;
        to.device_free = a->dev_free;
    }
    return to;
}

struct allocator allocator_pinned_v2(const nvjpegPinnedAllocatorV2_t *a)
{
    struct allocator to = {0};
    if (a) {
        to.stream_new = a->pinned_malloc;
        to.stream_free = a->pinned_free;
        to.context = a->pinned_ctx;
    }
    return to;
}

struct allocator allocator_device_v2(const nvjpegDevAllocatorV2_t *a)
{
    struct allocator to = {.device = true};
    if (a) {
        to.stream_new = a->dev_malloc;
        to.stream_free = a->dev_free;
        to.context = a->dev_ctx;
    }
    return to;
}

static bool allocate(struct memory *m, size_t size, cudaStream_t stream)
{
    const struct allocator *a = &m->from;
    if (a->stream_new)
        return !a->stream_new(a->context, &m->at, size, stream);
    if (a->device_new)
        return !a->device_new(&m->at, size);
    if (a->pinned_new)
        return !a->pinned_new(&m->at, size, cudaHostAllocDefault);
    return !(a->device ? cudaMalloc(&m->at, size) : cudaHostAlloc(&m->at, size, cudaHostAllocDefault));
}

void jpeg_memory_free(struct memory *m)
{
    const struct allocator *a = &m->from;
    if (!m->at)
        return;
    if (a->stream_free)
        a->stream_free(a->context, m->at, m->size, m->stream);
    else if (a->device_free)
        a->device_free(m->at);
    else if (a->pinned_free)
        a->pinned_free(m->at);
    else if (a->device)
        cudaFree(m->at);
    else
        cudaFreeHost(m->at);
    m->at = NULL;
    m->size = 0;
}

// Work with what was there may still be queued.
nvjpegStatus_t jpeg_memory_reserve(struct memory *m, size_t bytes, size_t padding, cudaStream_t stream)
{
    if (m->at && m->size >= bytes)
        return NVJPEG_STATUS_SUCCESS;
    if (m->at && cudaDeviceSynchronize())
        return NVJPEG_STATUS_EXECUTION_FAILED;
    jpeg_memory_free(m);
    size_t size = bytes > padding ? bytes : padding;
    if (!allocate(m, size ? size : 1, stream)) {
        m->at = NULL;
        return NVJPEG_STATUS_ALLOCATOR_FAILURE;
    }
    m->size = size;
    m->stream = stream;
    return NVJPEG_STATUS_SUCCESS;
}

// ---- buffers. One without an allocator has the handle's.
static bool is_given(const struct allocator *a)
{
    return a->stream_new || a->device_new || a->pinned_new;
}

static nvjpegStatus_t pinned_create(nvjpegHandle_t h, struct allocator a, nvjpegBufferPinned_t *out)
{
    JPEG_ENTER(h);
    JPEG_CHECK(out);
    *out = object_new(KIND_PINNED, sizeof **out);
    if (!*out)
        return NVJPEG_STATUS_ALLOCATOR_FAILURE;
    (*out)->memory.from = is_given(&a) ? a : h->pinned;
    return NVJPEG_STATUS_SUCCESS;
}

static nvjpegStatus_t device_create(nvjpegHandle_t h, struct allocator a, nvjpegBufferDevice_t *out)
{
    JPEG_ENTER(h);
    JPEG_CHECK(out);
    *out = object_new(KIND_DEVICE, sizeof **out);
    if (!*out)
        return NVJPEG_STATUS_ALLOCATOR_FAILURE;
    (*out)->memory.from = is_given(&a) ? a : h->device;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t buffer_pinned_create(nvjpegHandle_t h, const nvjpegPinnedAllocator_t *a, nvjpegBufferPinned_t *out)
{
    return pinned_create(h, allocator_pinned(a), out);
}

nvjpegStatus_t buffer_pinned_create_v2(nvjpegHandle_t h, const nvjpegPinnedAllocatorV2_t *a, nvjpegBufferPinned_t *out)
{
    return pinned_create(h, allocator_pinned_v2(a), out);
}

nvjpegStatus_t buffer_device_create(nvjpegHandle_t h, const nvjpegDevAllocator_t *a, nvjpegBufferDevice_t *out)
{
    return device_create(h, allocator_device(a), out);
}

nvjpegStatus_t buffer_device_create_v2(nvjpegHandle_t h, const nvjpegDevAllocatorV2_t *a, nvjpegBufferDevice_t *out)
{
    return device_create(h, allocator_device_v2(a), out);
}

static struct memory *memory_of(void *buffer, enum object_kind kind)
{
    return kind == KIND_PINNED ? &((nvjpegBufferPinned_t)buffer)->memory : &((nvjpegBufferDevice_t)buffer)->memory;
}

nvjpegStatus_t buffer_resize(void *buffer, enum object_kind kind, size_t size, cudaStream_t stream)
{
    JPEG_CHECK(object_is(buffer, kind));
    return jpeg_memory_reserve(memory_of(buffer, kind), size, 0, stream);
}

nvjpegStatus_t buffer_destroy(void *buffer, enum object_kind kind)
{
    JPEG_CHECK(object_is(buffer, kind));
    struct memory *m = memory_of(buffer, kind);
    if (m->at)
        cudaDeviceSynchronize();
    jpeg_memory_free(m);
    object_destroy(buffer);
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t buffer_retrieve(void *buffer, enum object_kind kind, size_t *size, void **at)
{
    JPEG_CHECK(object_is(buffer, kind) && size && at);
    *size = memory_of(buffer, kind)->size;
    *at = memory_of(buffer, kind)->at;
    return NVJPEG_STATUS_SUCCESS;
}
