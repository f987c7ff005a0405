// SPDX-License-Identifier: Apache-2.0
// Memory pools. Mapping memory and touching its pages for the first time costs more than most kernels, so a
// pool keeps what is freed: an allocation of the same size takes it again. In the stream that frees it this needs no
// wait, since whatever uses the new allocation comes behind the free. What is kept beyond the pool's threshold goes back
// to the system when the program waits for a stream, an event or the device, as CUDA has it.
#include "driver/memory/mempool.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define SHARED_NAME "heddle-pool"
enum { POOL_LIMIT = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mempool *pools[POOL_LIMIT]; // by number
static struct mempool *defaults[DEVICE_LIMIT];
static CUmemoryPool current[DEVICE_LIMIT];
static atomic_int kept_count; // of all pools
static uint64_t tickets;

static struct mempool *mempool_new(int device)
{
    unsigned n = 1;
    while (n < POOL_LIMIT && pools[n])
        n++;
    if (n == POOL_LIMIT)
        return NULL;
    struct mempool *p = xcalloc(1, sizeof *p);
    p->number = n;
    p->device = device;
    for (int i = 0; i < 3; i++)
        atomic_init(&p->reuse[i], 1);
    p->handle = handle_create(HANDLE_POOL, p);
    if (!p->handle) {
        free(p);
        return NULL;
    }
    pools[n] = p;
    return p;
}

static void count(atomic_llong *now, atomic_llong *high, int64_t bytes)
{
    long long n = atomic_fetch_add(now, bytes) + bytes;
    if (n > atomic_load(high))
        atomic_store(high, n);
}

// Without a handle, and without anything that came from it.
static void mempool_free(struct mempool *p)
{
    pools[p->number] = NULL;
    vec_free(&p->kept);
    vec_free(&p->freed);
    if (p->fd)
        close(p->fd - 1);
    free(p);
}

void mempool_count(unsigned number, int64_t bytes)
{
    pthread_mutex_lock(&lock);
    struct mempool *p = number < POOL_LIMIT ? pools[number] : NULL;
    if (p) {
        count(&p->used, &p->high, bytes);
        count(&p->held, &p->held_high, bytes);
        if (p->gone && atomic_load(&p->used) <= 0)
            mempool_free(p);
    }
    pthread_mutex_unlock(&lock);
}

// ---- what pools keep; under the lock
static struct memory_kept *kept_take(struct mempool *p, size_t i)
{
    struct memory_kept *kept = p->kept.data[i];
    memmove(&p->kept.data[i], &p->kept.data[i + 1], (p->kept.len - 1 - i) * sizeof *p->kept.data);
    p->kept.len--;
    atomic_fetch_sub(&kept_count, 1);
    return kept;
}

static void mempool_shrink(struct mempool *p, unsigned long long keep)
{
    while (p->kept.len && (unsigned long long)atomic_load(&p->held) > keep) {
        struct memory_kept *kept = kept_take(p, 0);
        atomic_fetch_sub(&p->held, (long long)memory_kept_size(kept));
        memory_discard(kept);
    }
}

void mempools_release(void)
{
    if (!atomic_load(&kept_count))
        return;
    pthread_mutex_lock(&lock);
    for (unsigned i = 1; i < POOL_LIMIT; i++)
        if (pools[i])
            mempool_shrink(pools[i], atomic_load(&pools[i]->threshold));
    pthread_mutex_unlock(&lock);
}

bool mempools_release_all(int device)
{
    bool any = false;
    if (!atomic_load(&kept_count))
        return false;
    pthread_mutex_lock(&lock);
    for (unsigned i = 1; i < POOL_LIMIT; i++)
        if (pools[i] && pools[i]->device == device) {
            any |= pools[i]->kept.len > 0;
            mempool_shrink(pools[i], 0);
        }
    pthread_mutex_unlock(&lock);
    return any;
}

void mempools_forget(struct context *c)
{
    for (unsigned i = 1; i < POOL_LIMIT; i++) {
        pthread_mutex_lock(&lock);
        bool any = pools[i] && atomic_load(&pools[i]->used);
        pthread_mutex_unlock(&lock);
        if (any)
            mempool_count(i, -(int64_t)memory_owned(c, i));
    }
}

void *mempool_reuse(struct mempool *p, size_t bytes, struct stream *s)
{
    void *m = NULL;
    struct memory_range range;
    pthread_mutex_lock(&lock);
    for (size_t i = p->freed.len; !m && i-- > 0;)
        if (p->freed.data[i].stream == s->id && p->freed.data[i].bytes == bytes) {
            m = p->freed.data[i].base;
            p->freed.data[i] = p->freed.data[--p->freed.len];
            if (!memory_find(m, &range) || range.base != m || range.size != bytes) // its context was reset
                m = NULL;
        }
    for (size_t i = p->kept.len; !m && i-- > 0;) {
        long long old = (long long)memory_kept_size(p->kept.data[i]);
        m = memory_reuse(p->kept.data[i], bytes, s->context, p->number);
        if (m) {
            kept_take(p, i);
            count(&p->held, &p->held_high, (long long)bytes - old);
            count(&p->used, &p->high, (long long)bytes);
        }
    }
    pthread_mutex_unlock(&lock);
    return m;
}

CUresult device_default_pool(CUmemoryPool *pool, CUdevice device)
{
    if (!driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!pool)
        return CUDA_ERROR_INVALID_VALUE;
    if (!device_valid(device))
        return CUDA_ERROR_INVALID_DEVICE;
    pthread_mutex_lock(&lock);
    if (!defaults[device])
        defaults[device] = mempool_new(device);
    struct mempool *p = defaults[device];
    pthread_mutex_unlock(&lock);
    if (!p)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *pool = p->handle;
    return CUDA_SUCCESS;
}

CUresult device_get_pool(CUmemoryPool *pool, CUdevice device)
{
    CUresult r = device_default_pool(pool, device);
    if (r)
        return r;
    pthread_mutex_lock(&lock);
    if (handle_get(current[device], HANDLE_POOL))
        *pool = current[device];
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

CUresult device_set_pool(CUdevice device, CUmemoryPool pool)
{
    struct mempool *p = handle_get(pool, HANDLE_POOL);
    if (!driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!device_valid(device))
        return CUDA_ERROR_INVALID_DEVICE;
    if (!p || p->device != device)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    current[device] = pool;
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

// Pools by location: only devices have some.
static CUresult location_check(const CUmemLocation *location, CUmemAllocationType type)
{
    if (!location)
        return CUDA_ERROR_INVALID_VALUE;
    return location->type == CU_MEM_LOCATION_TYPE_DEVICE && type == CU_MEM_ALLOCATION_TYPE_PINNED
               ? CUDA_SUCCESS
               : CUDA_ERROR_NOT_SUPPORTED;
}

CUresult location_default_pool(CUmemoryPool *pool, CUmemLocation *location, CUmemAllocationType type)
{
    CUresult r = location_check(location, type);
    return r ? r : device_default_pool(pool, location->id);
}

CUresult location_get_pool(CUmemoryPool *pool, CUmemLocation *location, CUmemAllocationType type)
{
    CUresult r = location_check(location, type);
    return r ? r : device_get_pool(pool, location->id);
}

CUresult location_set_pool(CUmemLocation *location, CUmemAllocationType type, CUmemoryPool pool)
{
    CUresult r = location_check(location, type);
    return r ? r : device_set_pool(location->id, pool);
}

CUresult mempool_create(CUmemoryPool *pool, const CUmemPoolProps *properties)
{
    if (!driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!pool || !properties || properties->allocType != CU_MEM_ALLOCATION_TYPE_PINNED)
        return CUDA_ERROR_INVALID_VALUE;
    if (properties->handleTypes & ~(unsigned)CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR ||
        properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (!device_valid(properties->location.id))
        return CUDA_ERROR_INVALID_DEVICE;
    pthread_mutex_lock(&lock);
    struct mempool *p = mempool_new(properties->location.id);
    pthread_mutex_unlock(&lock);
    if (!p)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *pool = p->handle;
    if (properties->handleTypes) {
        p->fd = memfd_create(SHARED_NAME, MFD_CLOEXEC) + 1;
        if (!p->fd) {
            mempool_destroy(p->handle);
            return CUDA_ERROR_OUT_OF_MEMORY;
        }
    }
    return CUDA_SUCCESS;
}

CUresult mempool_export(void *shared, CUmemoryPool pool, CUmemAllocationHandleType type, unsigned long long flags)
{
    struct mempool *p = handle_get(pool, HANDLE_POOL);
    if (!p || !shared || flags || !p->fd || p->imported || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return CUDA_ERROR_INVALID_VALUE;
    int fd = fcntl(p->fd - 1, F_DUPFD_CLOEXEC, 0);
    if (fd < 0)
        return CUDA_ERROR_OPERATING_SYSTEM;
    *(int *)shared = fd;
    return CUDA_SUCCESS;
}

// Whether the descriptor is one that mempool_export gave out.
static bool fd_is_pool(int fd)
{
    char path[32], name[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(path, name, sizeof name - 1);
    name[n < 0 ? 0 : n] = 0;
    return strstr(name, SHARED_NAME);
}

CUresult mempool_import(CUmemoryPool *pool, void *shared, CUmemAllocationHandleType type, unsigned long long flags)
{
    int fd = (int)(uintptr_t)shared;
    if (!driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!pool || flags || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || !fd_is_pool(fd))
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    struct mempool *p = mempool_new(0);
    pthread_mutex_unlock(&lock);
    if (!p)
        return CUDA_ERROR_OUT_OF_MEMORY;
    p->imported = true;
    p->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0) + 1;
    *pool = p->handle;
    return CUDA_SUCCESS;
}

bool mempool_imported(CUmemoryPool pool)
{
    struct mempool *p = handle_get(pool, HANDLE_POOL);
    return p && p->imported;
}

bool mempool_shared_address(CUdeviceptr address)
{
    struct memory_range range;
    if (!memory_find((void *)(uintptr_t)address, &range) || range.kind != MEMORY_DEVICE)
        return false;
    pthread_mutex_lock(&lock);
    struct mempool *p = range.flags < POOL_LIMIT ? pools[range.flags] : NULL;
    bool shared = p && p->fd && !p->imported;
    pthread_mutex_unlock(&lock);
    return shared;
}

CUresult mempool_destroy(CUmemoryPool pool)
{
    struct mempool *p = handle_get(pool, HANDLE_POOL);
    CUresult r = CUDA_SUCCESS;
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    if (p == defaults[p->device] || !handle_take(pool, HANDLE_POOL))
        r = CUDA_ERROR_INVALID_VALUE;
    else
        mempool_shrink(p, 0);
    p->gone |= !r;
    if (!r && atomic_load(&p->used) <= 0)
        mempool_free(p);
    pthread_mutex_unlock(&lock);
    return r;
}

CUresult mempool_trim(CUmemoryPool pool, size_t keep)
{
    struct mempool *p = handle_get(pool, HANDLE_POOL);
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    mempool_shrink(p, keep);
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

CUresult mempool_set_attribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
    struct mempool *p = handle_get(pool, HANDLE_POOL);
    if (!p || !value)
        return CUDA_ERROR_INVALID_VALUE;
    switch ((int)attribute) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        atomic_store(&p->reuse[attribute - 1], *(int *)value);
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
        atomic_store(&p->threshold, *(cuuint64_t *)value);
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH: // only to be reset
        if (*(cuuint64_t *)value)
            return CUDA_ERROR_INVALID_VALUE;
        atomic_store(&p->held_high, atomic_load(&p->held));
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        if (*(cuuint64_t *)value)
            return CUDA_ERROR_INVALID_VALUE;
        atomic_store(&p->high, atomic_load(&p->used));
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult mempool_get_attribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
    struct mempool *p = handle_get(pool, HANDLE_POOL);
    if (!p || !value)
        return CUDA_ERROR_INVALID_VALUE;
    switch ((int)attribute) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        *(int *)value = atomic_load(&p->reuse[attribute - 1]);
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
        *(cuuint64_t *)value = atomic_load(&p->threshold);
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
        *(cuuint64_t *)value = (cuuint64_t)atomic_load(&p->held);
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
        *(cuuint64_t *)value = (cuuint64_t)atomic_load(&p->used);
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
        *(cuuint64_t *)value = (cuuint64_t)atomic_load(&p->held_high);
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        *(cuuint64_t *)value = (cuuint64_t)atomic_load(&p->high);
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

// Every device can always read and write.
CUresult mempool_set_access(CUmemoryPool pool, const CUmemAccessDesc *map, size_t count)
{
    struct mempool *p = handle_get(pool, HANDLE_POOL);
    if (!p || (count && !map))
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; i++) {
        if (map[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE || !device_valid(map[i].location.id))
            return CUDA_ERROR_INVALID_DEVICE;
        if (map[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE && map[i].location.id == p->device)
            return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

CUresult mempool_get_access(CUmemAccess_flags *flags, CUmemoryPool pool, CUmemLocation *location)
{
    if (!flags || !location || !handle_get(pool, HANDLE_POOL))
        return CUDA_ERROR_INVALID_VALUE;
    *flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    return CUDA_SUCCESS;
}

// The stream has got to the free. False: an allocation has taken the memory over.
static bool freed_settle(struct mempool *p, uint64_t ticket)
{
    for (size_t i = 0; i < p->freed.len; i++)
        if (p->freed.data[i].ticket == ticket) {
            p->freed.data[i] = p->freed.data[--p->freed.len];
            return true;
        }
    return false;
}

bool mempool_note_freed(unsigned number, const struct memory_range *range, struct stream *s, uint64_t *ticket)
{
    bool ok = true;
    *ticket = 0;
    pthread_mutex_lock(&lock);
    struct mempool *p = number && number < POOL_LIMIT ? pools[number] : NULL;
    for (size_t i = 0; p && i < p->freed.len; i++)
        ok &= p->freed.data[i].base != range->base;
    if (ok && p && !p->fd && vec_try_reserve(&p->freed, p->freed.len + 1)) {
        *ticket = ++tickets;
        vec_push(&p->freed, ((struct freed){*ticket, s->id, range->base, range->size}));
    }
    pthread_mutex_unlock(&lock);
    return ok;
}

bool mempool_take_freed(unsigned number, void *base, size_t bytes, uint64_t ticket)
{
    bool done = false;
    pthread_mutex_lock(&lock);
    struct mempool *p = number && number < POOL_LIMIT ? pools[number] : NULL;
    if (p && ticket) {
        done = !freed_settle(p, ticket);
        bool keep = !done && !p->fd && !p->gone && vec_try_reserve(&p->kept, p->kept.len + 1);
        struct memory_kept *kept = keep ? memory_keep(base) : NULL;
        if (kept) {
            vec_push(&p->kept, kept);
            atomic_fetch_add(&kept_count, 1);
            atomic_fetch_sub(&p->used, (long long)bytes);
            done = true;
        }
    }
    pthread_mutex_unlock(&lock);
    return done;
}
