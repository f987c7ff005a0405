// SPDX-License-Identifier: Apache-2.0
// Memory: device, pinned, registered and managed ranges, all of them memory of this process.
#include "driver/context/tell.h"
#include "driver/graph/graph.h"
#include <stdlib.h>

enum { PITCH_ALIGN = 512 };

static void *pointer_of(CUdeviceptr a)
{
    return (void *)(uintptr_t)a;
}

bool range_holds(const void *address, size_t bytes, struct memory_range *out)
{
    if (!memory_find(address, out)) {
        out->size = 0;
        return false;
    }
    return bytes <= out->size - (size_t)((const char *)address - out->base);
}

CUresult mem_info(size_t *free_bytes, size_t *total)
{
    struct context *c;
    size_t f, t;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    memory_usage(c->device, &f, &t);
    if (free_bytes)
        *free_bytes = f;
    if (total)
        *total = t;
    return CUDA_SUCCESS;
}

void *context_alloc(struct context *c, enum memory_kind kind, size_t bytes, void *owner, unsigned flags, bool low)
{
    return (low || c->narrow ? memory_alloc_low : memory_alloc)(kind, bytes, c->device, owner, flags);
}

static CUresult alloc(CUdeviceptr *address, size_t bytes, bool low)
{
    struct context *c;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (!address || !bytes)
        return CUDA_ERROR_INVALID_VALUE;
    r = capture_unsafe();
    if (r)
        return r;
    void *p = context_alloc(c, MEMORY_DEVICE, bytes, c, 0, low);
    if (!p && mempools_release_all(c->device))
        p = context_alloc(c, MEMORY_DEVICE, bytes, c, 0, low);
    *address = (CUdeviceptr)(uintptr_t)p;
    check_allocated(p, bytes);
    if (p)
        tell_memory(c, NULL, p, bytes, MEMORY_DEVICE, true);
    return p ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult mem_alloc(CUdeviceptr *address, size_t bytes)
{
    return alloc(address, bytes, false);
}

CUresult mem_alloc_low(CUdeviceptr *address, size_t bytes)
{
    return alloc(address, bytes, true);
}

static CUresult alloc_pitch(CUdeviceptr *address, size_t *pitch, size_t width, size_t height, unsigned element_size,
                            bool low)
{
    size_t row, bytes;
    if (!address || !pitch || !width || !height || (element_size != 4 && element_size != 8 && element_size != 16))
        return CUDA_ERROR_INVALID_VALUE;
    // More than 2^64 bytes are more than there are; where NVIDIA's driver, which does not look, is left with none, it says so.
    bool over = __builtin_add_overflow(width, PITCH_ALIGN - 1, &row);
    row = row / PITCH_ALIGN * PITCH_ALIGN;
    over |= __builtin_mul_overflow(row, height, &bytes);
    if (over)
        return bytes ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE;
    CUresult r = alloc(address, bytes, low);
    if (!r)
        *pitch = row;
    return r;
}

CUresult mem_alloc_pitch(CUdeviceptr *address, size_t *pitch, size_t width, size_t height, unsigned element_size)
{
    return alloc_pitch(address, pitch, width, height, element_size, false);
}

CUresult mem_alloc_pitch_low(CUdeviceptr *address, size_t *pitch, size_t width, size_t height, unsigned element_size)
{
    return alloc_pitch(address, pitch, width, height, element_size, true);
}

// Work that is under way may still use the memory.
static void range_wait(const struct memory_range *range)
{
    struct context *c = range_context(range);
    if (c)
        context_wait(c);
}

CUresult mem_free(CUdeviceptr address)
{
    struct context *c;
    struct memory_range range;
    CUresult r = context_enter(&c);
    r = r ? r : capture_unsafe();
    if (r || !address)
        return r;
    if (!memory_find(pointer_of(address), &range) || range.base != (char *)pointer_of(address) ||
        !(range.kind & (MEMORY_DEVICE | MEMORY_MANAGED)))
        return CUDA_ERROR_INVALID_VALUE;
    if (range.kind == MEMORY_DEVICE && range.flags & RANGE_OF_GRAPH) {
        context_wait(c);
        return graph_memory_free(address);
    }
    if (range.kind == MEMORY_DEVICE && range.flags & RANGE_MAPPED)
        return ipc_close(address); // imported from a pool of another process; else an error
    if (!range_context(&range))
        return CUDA_ERROR_INVALID_VALUE;
    range_wait(&range);
    if (!memory_free(range.base, MEMORY_DEVICE | MEMORY_MANAGED))
        return CUDA_ERROR_INVALID_VALUE;
    check_freed(range.base);
    tell_memory(c, NULL, range.base, range.size, range.kind, false);
    if (range.kind == MEMORY_DEVICE && range.flags)
        mempool_count(range.flags, -(int64_t)range.size);
    return context_fault(c);
}

CUresult mem_range(CUdeviceptr *base, size_t *size, CUdeviceptr address)
{
    struct context *c;
    struct memory_range range;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (!memory_find(pointer_of(address), &range))
        return CUDA_ERROR_NOT_FOUND;
    if (range.kind == MEMORY_DEVICE && range.flags & RANGE_MAPPED)
        vmm_mapping(pointer_of(address), &range.base, &range.size);
    if (base)
        *base = (CUdeviceptr)(uintptr_t)range.base;
    if (size)
        *size = range.size;
    return CUDA_SUCCESS;
}

// ---- host memory
CUresult mem_host_alloc(void **pointer, size_t bytes, unsigned flags)
{
    struct context *c;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (!pointer || !bytes ||
        flags & ~(unsigned)(CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED))
        return CUDA_ERROR_INVALID_VALUE;
    r = capture_unsafe();
    if (r)
        return r;
    *pointer = context_alloc(c, MEMORY_HOST, bytes, c, flags, false);
    if (*pointer)
        tell_memory(c, NULL, *pointer, bytes, MEMORY_HOST, true);
    return *pointer ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult mem_alloc_host(void **pointer, size_t bytes)
{
    if (pointer && !bytes) { // nothing of host memory is no error, unlike nothing of device memory
        struct context *c;
        *pointer = NULL;
        return context_enter(&c);
    }
    return mem_host_alloc(pointer, bytes, 0);
}

CUresult mem_free_host(void *pointer)
{
    struct context *c;
    struct memory_range range;
    CUresult r = context_enter(&c);
    if (r || !pointer)
        return r;
    if (!memory_find(pointer, &range) || range.base != pointer || range.kind != MEMORY_HOST)
        return CUDA_ERROR_INVALID_VALUE;
    r = capture_unsafe();
    if (r)
        return r;
    range_wait(&range);
    if (!memory_free(pointer, MEMORY_HOST))
        return CUDA_ERROR_INVALID_VALUE;
    tell_memory(c, NULL, pointer, range.size, MEMORY_HOST, false);
    return context_fault(c);
}

CUresult mem_host_device_pointer(CUdeviceptr *address, void *pointer, unsigned flags)
{
    struct context *c;
    struct memory_range range;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (!address || flags || !memory_find(pointer, &range) ||
        !(range.kind & (MEMORY_HOST | MEMORY_REGISTERED | MEMORY_MANAGED)))
        return CUDA_ERROR_INVALID_VALUE;
    *address = (CUdeviceptr)(uintptr_t)pointer;
    return CUDA_SUCCESS;
}

CUresult mem_host_flags(unsigned *flags, void *pointer)
{
    struct context *c;
    struct memory_range range;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (!flags || !memory_find(pointer, &range) || range.kind != MEMORY_HOST)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = range.flags | CU_MEMHOSTALLOC_DEVICEMAP;
    return CUDA_SUCCESS;
}

CUresult mem_host_register(void *pointer, size_t bytes, unsigned flags)
{
    struct context *c;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (!pointer || !bytes || flags > 0xf || (uintptr_t)pointer + bytes < (uintptr_t)pointer)
        return CUDA_ERROR_INVALID_VALUE;
    if (flags & CU_MEMHOSTREGISTER_IOMEMORY)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (!memory_register(pointer, bytes, c->device, c, flags))
        return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    return CUDA_SUCCESS;
}

CUresult mem_host_unregister(void *pointer)
{
    struct context *c;
    struct memory_range range;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (!pointer)
        return CUDA_ERROR_INVALID_VALUE;
    if (!memory_find(pointer, &range) || range.kind != MEMORY_REGISTERED || range.base != pointer)
        return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    range_wait(&range);
    return memory_unregister(pointer) ? CUDA_SUCCESS : CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
}
