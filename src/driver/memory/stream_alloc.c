// SPDX-License-Identifier: Apache-2.0
// Allocation in stream order gives memory at once, which is earlier than it need be, and frees it when the stream gets there.
#include "driver/context/tell.h"
#include "driver/graph/graph.h"
#include "driver/memory/mempool.h"

// ---- allocation in stream order
static CUresult alloc_capture(struct stream *s, CUdeviceptr *address, size_t bytes, int device)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC, .alloc = {.bytesize = bytes}};
    p.alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.alloc.poolProps.location = (CUmemLocation){CU_MEM_LOCATION_TYPE_DEVICE, device};
    CUresult r = capture_node(s, &p);
    *address = r ? 0 : p.alloc.dptr;
    return r;
}

// In checked processes: a place in the stream, and what comes to the memory without order is compared with it.
static void order_allocation(struct stream *s, void *base, size_t bytes)
{
    struct op *op = order_on() ? op_create(sizeof *op, NULL, NULL) : NULL;
    if (!op)
        return;
    op->flags |= OP_TOUCHES;
    stream_order(s, op, NULL);
    if (op->order)
        order_touched(op, ORDER_ALLOC, &(struct order_box){base, bytes, 1, 1, 0, 0}, NULL);
    op_release(op);
}

CUresult mem_alloc_pool(CUdeviceptr *address, size_t bytes, CUmemoryPool pool, CUstream stream)
{
    struct stream *s;
    struct mempool *p = handle_get(pool, HANDLE_POOL);
    CUresult r = stream_enter(stream, &s);
    if (r)
        return r;
    if (!address || !bytes || !p)
        return CUDA_ERROR_INVALID_VALUE;
    if (stream_captured(s))
        return alloc_capture(s, address, bytes, p->device);
    r = capture_guard(s);
    if (r)
        return r;
    if (p->imported)
        return CUDA_ERROR_INVALID_VALUE; // what is in it comes from the other process
    if (p->fd && bytes < MEMPOOL_SHARED_LEAST)
        bytes = MEMPOOL_SHARED_LEAST;
    void *m = mempool_reuse(p, bytes, s);
    *address = (CUdeviceptr)(uintptr_t)m;
    if (m) {
        check_allocated(m, bytes);
        order_allocation(s, m, bytes);
        tell_memory(s->context, s, m, bytes, MEMORY_DEVICE, true);
        return CUDA_SUCCESS;
    }
    m = memory_alloc(MEMORY_DEVICE, bytes, p->device, s->context, p->number);
    if (!m && mempools_release_all(p->device))
        m = memory_alloc(MEMORY_DEVICE, bytes, p->device, s->context, p->number);
    *address = (CUdeviceptr)(uintptr_t)m;
    if (!m)
        return CUDA_ERROR_OUT_OF_MEMORY;
    check_allocated(m, bytes);
    order_allocation(s, m, bytes);
    mempool_count(p->number, (int64_t)bytes);
    tell_memory(s->context, s, m, bytes, MEMORY_DEVICE, true);
    return CUDA_SUCCESS;
}

CUresult mem_alloc_async(CUdeviceptr *address, size_t bytes, CUstream stream)
{
    struct stream *s;
    CUmemoryPool pool;
    CUresult r = stream_enter(stream, &s);
    r = r ? r : device_get_pool(&pool, s->context->device);
    return r ? r : mem_alloc_pool(address, bytes, pool, stream);
}

struct free_op {
    struct op op;
    void *base;
    size_t bytes;
    unsigned pool;
    uint64_t ticket;
};

static void free_run(struct op *op)
{
    struct free_op *f = (struct free_op *)op;
    if (!mempool_take_freed(f->pool, f->base, f->bytes, f->ticket) &&
        memory_free(f->base, MEMORY_DEVICE | MEMORY_MANAGED) && f->pool)
        mempool_count(f->pool, -(int64_t)f->bytes);
}

// ---- memory of graphs
struct give_op {
    struct op op;
    struct graph_memory *memory;
};

static void give_run(struct op *op)
{
    graph_memory_give(((struct give_op *)op)->memory);
}

static CUresult graph_memory_free_async(struct stream *s, CUdeviceptr address)
{
    struct graph_memory *m = graph_memory_take(address);
    if (!m)
        return CUDA_ERROR_INVALID_VALUE;
    struct give_op *g = (struct give_op *)op_create(sizeof *g, give_run, NULL);
    if (!g) { // without memory for an operation it is given back at once
        stream_drain(s);
        graph_memory_give(m);
        return CUDA_SUCCESS;
    }
    g->memory = m;
    stream_submit(s, &g->op, NULL);
    op_release(&g->op);
    return CUDA_SUCCESS;
}

CUresult mem_free_async(CUdeviceptr address, CUstream stream)
{
    struct stream *s;
    struct memory_range range;
    CUresult r = stream_enter(stream, &s);
    if (r || !address)
        return r;
    if (!memory_find((void *)(uintptr_t)address, &range) || (CUdeviceptr)(uintptr_t)range.base != address ||
        !(range.kind & (MEMORY_DEVICE | MEMORY_MANAGED)))
        return CUDA_ERROR_INVALID_VALUE;
    if (stream_captured(s)) {
        CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .free = {address}};
        return capture_node(s, &p);
    }
    r = capture_guard(s);
    if (r)
        return r;
    if (range.kind == MEMORY_DEVICE && range.flags & RANGE_OF_GRAPH)
        return graph_memory_free_async(s, address);
    if (range.kind == MEMORY_DEVICE && range.flags & RANGE_MAPPED) { // imported
        stream_drain(s);
        return ipc_close(address);
    }
    if (!range_context(&range))
        return CUDA_ERROR_INVALID_VALUE;
    unsigned number = range.kind == MEMORY_DEVICE ? range.flags : 0;
    struct free_op *f = (struct free_op *)op_create(sizeof *f, free_run, NULL), now = {0}, *to = f ? f : &now;
    to->base = range.base;
    to->bytes = range.size;
    to->pool = number;
    bool ok = mempool_note_freed(number, &range, s, &to->ticket);
    if (ok)
        check_freed(range.base);
    if (ok && f && order_on()) {
        f->op.flags |= OP_TOUCHES;
        stream_order(s, &f->op, NULL);
        if (f->op.order)
            order_touched(&f->op, ORDER_FREE, &(struct order_box){range.base, range.size, 1, 1, 0, 0}, NULL);
    }
    if (ok && f) {
        stream_submit(s, &f->op, NULL);
    } else if (ok) { // without memory for an operation it is given back at once
        stream_drain(s);
        free_run(&now.op);
    }
    op_release(f ? &f->op : NULL);
    if (ok)
        tell_memory(s->context, s, range.base, range.size, range.kind, false);
    return ok ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
