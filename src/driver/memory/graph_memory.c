// SPDX-License-Identifier: Apache-2.0
// Memory of graphs: allocation nodes have an address from the day they are made, so that other nodes can name it; the
// pages come with the first use and stay until they are trimmed, or until the nodes are gone and what a launch allocated is freed:
// the end of a graph frees nothing of it.
#include "driver/graph/graph.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static struct VEC(struct graph_memory *) all; // guarded by graphs_lock
static size_t high[DEVICE_LIMIT];             // of what was in use at once

static size_t in_use(int device, bool outstanding)
{
    size_t n = 0;
    for (size_t i = 0; i < all.len; i++)
        if (all.data[i]->device == device && (!outstanding || atomic_load(&all.data[i]->outstanding)))
            n += all.data[i]->bytes;
    return n;
}

CUresult graph_memory_make(CUDA_MEM_ALLOC_NODE_PARAMS *p, struct graph_memory **out)
{
    struct context *c;
    if (!p->bytesize || p->poolProps.allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
        p->poolProps.location.type != CU_MEM_LOCATION_TYPE_DEVICE || p->poolProps.handleTypes ||
        (p->accessDescCount && !p->accessDescs))
        return CUDA_ERROR_INVALID_VALUE;
    if (!device_valid(p->poolProps.location.id))
        return CUDA_ERROR_INVALID_DEVICE;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    struct graph_memory *m = xcalloc(1, sizeof *m);
    atomic_init(&m->refs, 1);
    m->bytes = p->bytesize;
    m->device = p->poolProps.location.id;
    m->context = c->id;
    m->base = memory_alloc(MEMORY_DEVICE, p->bytesize, m->device, m, RANGE_OF_GRAPH);
    if (!m->base) {
        free(m);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    vec_push(&all, m);
    size_t now = in_use(m->device, false);
    if (now > high[m->device])
        high[m->device] = now;
    p->dptr = (CUdeviceptr)(uintptr_t)m->base;
    *out = m;
    return CUDA_SUCCESS;
}

struct graph_memory *graph_memory_retain(struct graph_memory *m)
{
    atomic_fetch_add(&m->refs, 1);
    return m;
}

void graph_memory_release(struct graph_memory *m)
{
    if (!m || atomic_fetch_sub(&m->refs, 1) != 1)
        return;
    for (size_t i = 0; i < all.len; i++)
        if (all.data[i] == m) {
            all.data[i] = all.data[--all.len];
            break;
        }
    memory_free_owner(m);
    free(m);
}

struct graph_memory *graph_memory_find(CUdeviceptr address)
{
    for (size_t i = 0; i < all.len; i++)
        if ((CUdeviceptr)(uintptr_t)all.data[i]->base == address)
            return all.data[i];
    return NULL;
}

bool graph_memory_valid(const struct memory_range *r)
{
    return r->kind != MEMORY_DEVICE || !(r->flags & RANGE_OF_GRAPH) ||
           atomic_load(&((struct graph_memory *)r->owner)->outstanding);
}

void graph_memory_allocated(struct graph_memory *m)
{
    if (!atomic_exchange(&m->outstanding, true))
        graph_memory_retain(m);
}

bool graph_memory_freed(struct graph_memory *m)
{
    bool was = atomic_exchange(&m->outstanding, false);
    if (was)
        graph_memory_release(m);
    return was;
}

struct graph_memory *graph_memory_take(CUdeviceptr address)
{
    graphs_lock();
    struct graph_memory *m = graph_memory_find(address);
    if (m && atomic_exchange(&m->outstanding, false))
        atomic_fetch_add(&m->running, 1);
    else
        m = NULL;
    graphs_unlock();
    return m;
}

void graph_memory_give(struct graph_memory *m)
{
    graphs_lock();
    atomic_fetch_sub(&m->running, 1);
    graph_memory_release(m);
    graphs_unlock();
}

CUresult graph_memory_free(CUdeviceptr address)
{
    struct graph_memory *m = graph_memory_take(address);
    if (!m)
        return CUDA_ERROR_INVALID_VALUE;
    graph_memory_give(m);
    return CUDA_SUCCESS;
}

void graph_memory_clear(uint64_t context)
{
    graphs_lock();
    for (size_t i = all.len; i-- > 0;)
        if (all.data[i]->context == context)
            graph_memory_freed(all.data[i]);
    graphs_unlock();
}

static CUresult device_check(CUdevice device)
{
    if (!driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    return device_valid(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult graph_memory_trim(CUdevice device)
{
    CUresult r = device_check(device);
    if (r)
        return r;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    graphs_lock();
    for (size_t i = 0; i < all.len; i++) {
        struct graph_memory *m = all.data[i];
        uintptr_t from = ((uintptr_t)m->base + page - 1) / page * page,
                  to = ((uintptr_t)m->base + m->bytes) / page * page;
        if (m->device == device && !atomic_load(&m->outstanding) && !atomic_load(&m->running) && from < to)
            madvise((void *)from, to - from, MADV_DONTNEED);
    }
    graphs_unlock();
    return CUDA_SUCCESS;
}

CUresult graph_memory_get(CUdevice device, CUgraphMem_attribute attribute, void *value)
{
    CUresult r = device_check(device);
    if (r || !value)
        return r ? r : CUDA_ERROR_INVALID_VALUE;
    graphs_lock();
    switch ((int)attribute) {
    case CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT:
        *(cuuint64_t *)value = in_use(device, true);
        break;
    case CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT:
        *(cuuint64_t *)value = in_use(device, false);
        break;
    case CU_GRAPH_MEM_ATTR_USED_MEM_HIGH:
    case CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH:
        *(cuuint64_t *)value = high[device];
        break;
    default:
        r = CUDA_ERROR_INVALID_VALUE;
    }
    graphs_unlock();
    return r;
}

CUresult graph_memory_set(CUdevice device, CUgraphMem_attribute attribute, void *value)
{
    CUresult r = device_check(device);
    if (r)
        return r;
    if (!value || *(cuuint64_t *)value || // only to be reset
        (attribute != CU_GRAPH_MEM_ATTR_USED_MEM_HIGH && attribute != CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH))
        return CUDA_ERROR_INVALID_VALUE;
    graphs_lock();
    high[device] = in_use(device, false);
    graphs_unlock();
    return CUDA_SUCCESS;
}
