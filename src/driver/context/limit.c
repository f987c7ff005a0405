// SPDX-License-Identifier: Apache-2.0
// Limits of a context, and the access policies of its L2 cache, checked and rounded as CUDA's drivers do it.
//
// What they change here: the heap's limit holds for malloc in kernels. Output of printf is never lost, whatever the size of
// its buffer. A processor's caches manage themselves: how much of them is set aside, and for which addresses, is checked,
// kept and reported, and changes no result, as on a GPU.
#include "driver/driver.h"
#include "driver/context/device.h"

enum {
    STACK_LIMIT = 512 << 10, // local memory that a thread may have
    STACK_UNIT = 16,
    PRINTF_LEAST = 512 << 10,
    HEAP_LEAST = 4 << 20,
    HEAP_UNIT = 64 << 10,
    LAUNCHES_LEAST = 32,
    L2_FETCH_MOST = 128,
    L2_PARTS = 16,       // the cache is set aside by sixteenths,
    L2_PARTS_MOST = 10,  // so many at most,
    L2_PARTS_DEFAULT = 3 // and so many before anything is asked for
};
static const size_t PRINTF_MOST = (size_t)2 << 30, LAUNCHES_MOST = 599186;

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

static size_t clamp(size_t n, size_t least, size_t most)
{
    return n < least ? least : n > most ? most : n;
}

int device_l2_persisting(void)
{
    return device_l2_bytes() / L2_PARTS * L2_PARTS_MOST;
}

void limits_reset(struct context *c)
{
    static const size_t defaults[CU_LIMIT_MAX] = {[CU_LIMIT_STACK_SIZE] = 1024,
                                                  [CU_LIMIT_PRINTF_FIFO_SIZE] = 1 << 20,
                                                  [CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = 2048,
                                                  [CU_LIMIT_MAX_L2_FETCH_GRANULARITY] = 64,
                                                  [CU_LIMIT_SHMEM_SIZE] = SHARED_OPTIN};
    for (int i = 0; i < CU_LIMIT_MAX; i++)
        atomic_store(&c->limits[i], defaults[i]);
    atomic_store(&c->limits[CU_LIMIT_PERSISTING_L2_CACHE_SIZE],
                 (size_t)device_l2_bytes() / L2_PARTS * L2_PARTS_DEFAULT);
}

// The value that is kept for one that is asked for.
static CUresult limit_adjust(CUlimit limit, size_t *value)
{
    size_t free_bytes, total, part = (size_t)device_l2_bytes() / L2_PARTS;
    switch ((int)limit) {
    case CU_LIMIT_STACK_SIZE:
        if (*value >= STACK_LIMIT)
            return CUDA_ERROR_INVALID_VALUE;
        *value = round_up(*value, STACK_UNIT);
        return CUDA_SUCCESS;
    case CU_LIMIT_PRINTF_FIFO_SIZE:
        *value = clamp(*value, PRINTF_LEAST, PRINTF_MOST);
        return output_begun() ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    case CU_LIMIT_MALLOC_HEAP_SIZE:
        memory_usage(0, &free_bytes, &total);
        *value = clamp(*value, HEAP_LEAST, total / HEAP_UNIT * HEAP_UNIT);
        *value = round_up(*value, HEAP_UNIT);
        return heap_limit_set(*value) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT:
        *value = clamp(*value, LAUNCHES_LEAST, LAUNCHES_MOST);
        return CUDA_SUCCESS;
    case CU_LIMIT_MAX_L2_FETCH_GRANULARITY:
        return *value > L2_FETCH_MOST ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    case CU_LIMIT_PERSISTING_L2_CACHE_SIZE:
        if (*value > (size_t)device_l2_persisting())
            return CUDA_ERROR_INVALID_VALUE;
        *value = part ? round_up(*value, part) : 0;
        return CUDA_SUCCESS;
    case CU_LIMIT_SHMEM_SIZE:
        return CUDA_ERROR_NOT_PERMITTED; // of contexts that share a device with graphics
    default:
        return CUDA_ERROR_UNSUPPORTED_LIMIT;
    }
}

CUresult ctx_set_limit(CUlimit limit, size_t value)
{
    struct context *c;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if ((unsigned)limit >= CU_LIMIT_MAX)
        return CUDA_ERROR_INVALID_VALUE;
    r = limit_adjust(limit, &value);
    if (!r)
        atomic_store(&c->limits[limit], value);
    return r;
}

CUresult ctx_get_limit(size_t *value, CUlimit limit)
{
    struct context *c;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (!value || (unsigned)limit >= CU_LIMIT_MAX)
        return CUDA_ERROR_INVALID_VALUE;
    if (limit == CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH || limit > CU_LIMIT_SHMEM_SIZE)
        return CUDA_ERROR_UNSUPPORTED_LIMIT;
    *value = limit == CU_LIMIT_MALLOC_HEAP_SIZE ? heap_limit() : atomic_load(&c->limits[limit]);
    return CUDA_SUCCESS;
}

CUresult ctx_reset_l2(void)
{
    struct context *c;
    return context_enter(&c);
}

// The address is only a hint and need not be anybody's memory.
CUresult access_policy_check(const CUaccessPolicyWindow *w)
{
    if (w->num_bytes > ACCESS_WINDOW_MOST || w->hitRatio < 0 || w->hitRatio > 1)
        return CUDA_ERROR_INVALID_VALUE;
    return w->missProp == CU_ACCESS_PROPERTY_PERSISTING ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
