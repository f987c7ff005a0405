// SPDX-License-Identifier: Apache-2.0
// Memory operations in stream order: words that are written, or waited for. A wait looks at its word, and when the word
// is not there yet goes to the end of the line, so that other work goes on.
#include "driver/graph/graph.h"
#include <stdlib.h>
#include <time.h>

enum { LOOKS = 100, NAP_NS = 20000, BATCH_LIMIT = 256 };

struct memop_op {
    struct op op;
    unsigned count, at; // at: the one that is next
    CUstreamBatchMemOpParams list[];
};

void poll_again(struct op *op)
{
    nanosleep(&(struct timespec){0, NAP_NS}, NULL);
    op_again(op);
}

static bool satisfied(const CUstreamBatchMemOpParams *p)
{
    bool wide = p->operation == CU_STREAM_MEM_OP_WAIT_VALUE_64;
    const void *address = (const void *)(uintptr_t)p->waitValue.address;
    uint64_t now = wide ? __atomic_load_n((const uint64_t *)address, __ATOMIC_SEQ_CST)
                        : __atomic_load_n((const uint32_t *)address, __ATOMIC_SEQ_CST);
    uint64_t value = wide ? p->waitValue.value64 : p->waitValue.value;
    uint64_t all = wide ? UINT64_MAX : UINT32_MAX;
    switch (p->waitValue.flags & 3) {
    case CU_STREAM_WAIT_VALUE_GEQ: // around the circle
        return wide ? (int64_t)(now - value) >= 0 : (int32_t)((uint32_t)now - (uint32_t)value) >= 0;
    case CU_STREAM_WAIT_VALUE_EQ:
        return now == value;
    case CU_STREAM_WAIT_VALUE_AND:
        return now & value;
    default:
        return ~(now | value) & all;
    }
}

// False: it waits.
static bool carry_out(const struct op *op, const CUstreamBatchMemOpParams *p)
{
    void *address = (void *)(uintptr_t)p->writeValue.address;
    switch (p->operation) {
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
        order_released(op, address);
        __atomic_store_n((uint32_t *)address, p->writeValue.value, __ATOMIC_SEQ_CST);
        return true;
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
        order_released(op, address);
        __atomic_store_n((uint64_t *)address, p->writeValue.value64, __ATOMIC_SEQ_CST);
        return true;
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
        for (int i = 0; i < LOOKS; i++)
            if (satisfied(p))
                return true;
        return false;
    default: // barriers: operations of a stream are ordered as it is
        return true;
    }
}

static void memop_run(struct op *op)
{
    struct memop_op *m = (struct memop_op *)op;
    while (m->at < m->count && carry_out(op, &m->list[m->at]))
        m->at++;
    if (m->at < m->count) {
        poll_again(op);
        return;
    }
    m->at = 0;
    order_learns_all(op); // whoever has written what it waited for
    op_finish(op);
}

static uint64_t memop_estimate(struct op *op)
{
    (void)op;
    return UINT64_MAX;
}

static CUresult memop_check(const CUstreamBatchMemOpParams *p)
{
    struct memory_range range;
    size_t bytes = 8;
    switch (p->operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
        bytes = 4;
        break;
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
        break;
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
    case CU_STREAM_MEM_OP_BARRIER:
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
    bool wait = p->operation == CU_STREAM_MEM_OP_WAIT_VALUE_32 || p->operation == CU_STREAM_MEM_OP_WAIT_VALUE_64;
    unsigned known = wait ? 3u | CU_STREAM_WAIT_VALUE_FLUSH : CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER;
    CUdeviceptr address = p->waitValue.address;
    if (p->waitValue.flags & ~known || address % bytes || !range_holds((void *)(uintptr_t)address, bytes, &range) ||
        (!wait && range_read_only(&range)))
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

CUresult memop_op_make(const CUstreamBatchMemOpParams *list, unsigned count, struct op **out)
{
    if (!list || !count || count > BATCH_LIMIT)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++) {
        CUresult r = memop_check(&list[i]);
        if (r)
            return r;
    }
    struct memop_op *m = (struct memop_op *)op_create(sizeof *m + count * sizeof *list, memop_run, NULL);
    if (!m)
        return CUDA_ERROR_OUT_OF_MEMORY;
    m->op.flags = OP_ASYNC;
    m->op.estimate = memop_estimate;
    m->count = count;
    memcpy(m->list, list, count * sizeof *list);
    *out = &m->op;
    return CUDA_SUCCESS;
}

CUresult stream_batch(CUstream stream, unsigned count, CUstreamBatchMemOpParams *list, unsigned flags)
{
    struct stream *s;
    struct op *op;
    CUresult r = stream_enter(stream, &s);
    if (r)
        return r;
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    if (stream_captured(s)) {
        CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP,
                               .memOp = {.ctx = s->context->handle, .count = count, .paramArray = list}};
        return capture_node(s, &p);
    }
    r = capture_guard(s);
    r = r ? r : memop_op_make(list, count, &op);
    if (r)
        return r;
    stream_submit(s, op, NULL);
    op_release(op);
    return CUDA_SUCCESS;
}

static CUresult one(CUstream stream, CUstreamBatchMemOpType type, CUdeviceptr address, uint64_t value, unsigned flags)
{
    CUstreamBatchMemOpParams p = {0};
    p.operation = type;
    p.waitValue.address = address; // both kinds have one layout
    p.waitValue.value64 = value;
    p.waitValue.flags = flags;
    return stream_batch(stream, 1, &p, 0);
}

CUresult stream_wait_32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags)
{
    return one(stream, CU_STREAM_MEM_OP_WAIT_VALUE_32, address, value, flags);
}

CUresult stream_wait_64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags)
{
    return one(stream, CU_STREAM_MEM_OP_WAIT_VALUE_64, address, value, flags);
}

CUresult stream_write_32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags)
{
    return one(stream, CU_STREAM_MEM_OP_WRITE_VALUE_32, address, value, flags);
}

CUresult stream_write_64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags)
{
    return one(stream, CU_STREAM_MEM_OP_WRITE_VALUE_64, address, value, flags);
}
