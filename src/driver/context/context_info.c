// SPDX-License-Identifier: Apache-2.0
// What is asked of a context: device, flags, synchronisation, peers.
#include "driver/context/tell.h"
#include "driver/graph/graph.h"

// The context that a handle names; NULL stands for the current one.
static CUresult named_or_current(CUcontext handle, struct context **out)
{
    if (!handle)
        return context_peek(out);
    *out = context_get(handle);
    return *out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult ctx_get_device_of(CUdevice *device, CUcontext context)
{
    struct context *c;
    CUresult r = named_or_current(context, &c);
    if (r)
        return r;
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    *device = c->device;
    return CUDA_SUCCESS;
}

CUresult ctx_get_device(CUdevice *device)
{
    return ctx_get_device_of(device, NULL);
}

CUresult ctx_get_flags(unsigned *flags)
{
    struct context *c;
    CUresult r = context_peek(&c);
    if (r)
        return r;
    if (!flags)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = c->flags;
    return CUDA_SUCCESS;
}

CUresult ctx_set_flags(unsigned flags)
{
    struct context *c;
    CUresult r = context_peek(&c);
    if (r)
        return r;
    if (flags & ~(unsigned)CU_CTX_FLAGS_MASK)
        return CUDA_ERROR_INVALID_VALUE;
    c->flags = flags;
    return CUDA_SUCCESS;
}

CUresult ctx_get_id(CUcontext context, unsigned long long *id)
{
    struct context *c;
    CUresult r = named_or_current(context, &c);
    if (r)
        return r;
    if (!id)
        return CUDA_ERROR_INVALID_VALUE;
    *id = c->id;
    return CUDA_SUCCESS;
}

CUresult ctx_synchronize_of(CUcontext context)
{
    struct context *c;
    CUresult r = named_or_current(context, &c);
    r = r ? r : capture_wait_context(c);
    if (r)
        return r;
    uint64_t since = timeline_since(TIMELINE_SYNC);
    context_wait(c);
    tell_sync(SYNC_CONTEXT, c, NULL, 0, since);
    mempools_release();
    return context_fault(c);
}

CUresult ctx_synchronize(void)
{
    return ctx_synchronize_of(NULL);
}

CUresult ctx_get_cache(CUfunc_cache *config)
{
    struct context *c;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (!config)
        return CUDA_ERROR_INVALID_VALUE;
    *config = (CUfunc_cache)atomic_load(&c->cache_config);
    return CUDA_SUCCESS;
}

CUresult ctx_set_cache(CUfunc_cache config)
{
    struct context *c;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if ((unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL)
        return CUDA_ERROR_INVALID_VALUE;
    atomic_store(&c->cache_config, (int)config);
    return CUDA_SUCCESS;
}

CUresult ctx_get_banks(CUsharedconfig *config)
{
    struct context *c;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (!config)
        return CUDA_ERROR_INVALID_VALUE;
    *config = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
    return CUDA_SUCCESS;
}

CUresult ctx_set_banks(CUsharedconfig config)
{
    struct context *c;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    return (unsigned)config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult ctx_get_version(CUcontext context, unsigned *version)
{
    struct context *c;
    CUresult r = named_or_current(context, &c);
    if (r)
        return r;
    if (!version)
        return CUDA_ERROR_INVALID_VALUE;
    *version = c->narrow ? 3010 : 3020;
    return CUDA_SUCCESS;
}

CUresult ctx_priority_range(int *least, int *greatest)
{
    struct context *c;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (least)
        *least = 0;
    if (greatest)
        *greatest = PRIORITY_GREATEST;
    return CUDA_SUCCESS;
}

// Records in, and waits for, all the work of the context: through its legacy stream, which waits for the blocking ones.
CUresult ctx_record_event(CUcontext context, CUevent event)
{
    struct context *c;
    CUresult r = named_or_current(context, &c);
    return r ? r : event_record(event, c->legacy->handle);
}

CUresult ctx_wait_event(CUcontext context, CUevent event)
{
    struct context *c;
    CUresult r = named_or_current(context, &c);
    return r ? r : stream_wait_event(c->legacy->handle, event, 0);
}

// Every device's memory is this process's memory: kernels reach it without asking. What is enabled is kept for the errors
// that CUDA documents.
static CUresult peer_enter(CUcontext handle, struct context **c, struct context **peer)
{
    CUresult r = context_enter(c);
    if (r)
        return r;
    *peer = context_get(handle);
    return *peer ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

// The place of the peer in the context's list, or its length. Under the lock.
static size_t peer_find(const struct context *c, const struct context *peer)
{
    size_t i = 0;
    while (i < c->peers.len && c->peers.data[i] != peer->id)
        i++;
    return i;
}

CUresult ctx_enable_peer(CUcontext peer, unsigned flags)
{
    struct context *c, *p;
    if (flags)
        return driver_ready() ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_INITIALIZED;
    CUresult r = peer_enter(peer, &c, &p);
    if (r)
        return r;
    if (p->device == c->device)
        return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
    pthread_mutex_lock(&c->lock);
    if (peer_find(c, p) < c->peers.len)
        r = CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
    else
        vec_push(&c->peers, p->id);
    pthread_mutex_unlock(&c->lock);
    return r;
}

CUresult ctx_disable_peer(CUcontext peer)
{
    struct context *c, *p;
    CUresult r = peer_enter(peer, &c, &p);
    if (r)
        return r;
    pthread_mutex_lock(&c->lock);
    size_t i = peer_find(c, p);
    if (i < c->peers.len)
        c->peers.data[i] = c->peers.data[--c->peers.len];
    else
        r = CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
    pthread_mutex_unlock(&c->lock);
    return r;
}
