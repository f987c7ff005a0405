// SPDX-License-Identifier: Apache-2.0
// Calls are checked, in NCCL's order: the communicator, root or peer, type, operation, then memory.
#include "nccl/comm.h"
#include <stdlib.h>
#include <string.h>

// What a call reads and writes, in numbers of `count`: 1, n, none; rooted ones only at the root.
enum extent { NONE, ONE, ALL };
static const struct {
    const char *name;
    bool rooted, reduces;
    enum extent send, recv, send_root, recv_root; // on other ranks, and on the root
} kinds[] = {
    [CALL_REDUCE] = {"Reduce", true, true, ONE, NONE, ONE, ONE},
    [CALL_BROADCAST] = {"Broadcast", true, false, NONE, ONE, ONE, ONE},
    [CALL_ALL_REDUCE] = {"AllReduce", false, true, ONE, ONE, ONE, ONE},
    [CALL_REDUCE_SCATTER] = {"ReduceScatter", false, true, ALL, ONE, ALL, ONE},
    [CALL_ALL_GATHER] = {"AllGather", false, false, ONE, ALL, ONE, ALL},
    [CALL_ALL_TO_ALL] = {"AlltoAll", false, false, ALL, ALL, ALL, ALL},
    [CALL_GATHER] = {"Gather", true, false, ONE, NONE, ONE, ALL},
    [CALL_SCATTER] = {"Scatter", true, false, NONE, ONE, ALL, ONE},
    [CALL_SEND] = {"Send", true, false, ONE, NONE, ONE, NONE},
    [CALL_RECV] = {"Recv", true, false, NONE, ONE, NONE, ONE},
};

// Memory of an allocation that is known is checked to its end; other memory is looked at when the work runs, and a bad address is then the
// context's error.
static ncclResult_t memory_check(const char *name, const void *at, size_t bytes)
{
    struct cudaPointerAttributes a;
    if (!at)
        return fail(ncclInvalidArgument, "%s: a buffer is NULL", name);
    if (bytes > SIZE_MAX - (uintptr_t)at)
        return fail(ncclInvalidArgument, "%s: the count is too large", name);
    if (cudaPointerGetAttributes(&a, at) || a.type == cudaMemoryTypeUnregistered)
        return ncclSuccess;
    struct cudaPointerAttributes z;
    if (bytes && !cudaPointerGetAttributes(&z, (const char *)at + bytes - 1) && z.type == cudaMemoryTypeUnregistered)
        return fail(ncclInvalidArgument, "%s: a buffer ends before its %zu bytes", name, bytes);
    return ncclSuccess;
}

static ncclResult_t extent_check(const struct call *c, const void *at, enum extent x, size_t bytes)
{
    size_t times = x == ALL ? (size_t)c->comm->n : 1, all;
    if (x == NONE)
        return ncclSuccess;
    if (__builtin_mul_overflow(bytes, times, &all))
        return fail(ncclInvalidArgument, "%s: the count is too large", kinds[c->kind].name);
    return memory_check(kinds[c->kind].name, at, all);
}

static ncclResult_t op_check(struct call *c)
{
    if (!kinds[c->kind].reduces)
        return ncclSuccess;
    if ((unsigned)c->op < ncclNumOps)
        return ncclSuccess;
    unsigned i = (unsigned)c->op - ncclNumOps;
    pthread_mutex_lock(&c->comm->lock);
    bool known = (unsigned)c->op <= ncclMaxRedOp && i < c->comm->nredops && c->comm->redops[i].used;
    if (known)
        c->redop = c->comm->redops[i];
    pthread_mutex_unlock(&c->comm->lock);
    if (!known)
        return fail(ncclInvalidArgument, "%s: there is no operation %d", kinds[c->kind].name, (int)c->op);
    return c->redop.type == c->type
               ? ncclSuccess
               : fail(ncclInvalidArgument, "%s: the operation is one of another type", kinds[c->kind].name);
}

static ncclResult_t check(struct call *c)
{
    const char *name = kinds[c->kind].name;
    size_t bytes;
    if (kinds[c->kind].rooted && (c->root < 0 || c->root >= c->comm->n))
        return fail(ncclInvalidArgument, "%s: there is no rank %d of %d", name, c->root, c->comm->n);
    if ((unsigned)c->type >= ncclNumTypes)
        return fail(ncclInvalidArgument, "%s: there is no type %d", name, (int)c->type);
    ncclResult_t r = op_check(c);
    if (r || !c->count)
        return r;
    if (__builtin_mul_overflow(c->count, reduce_type_bytes((int)c->type), &bytes))
        return fail(ncclInvalidArgument, "%s: the count is too large", name);
    bool root = c->comm->rank == c->root && c->kind != CALL_SEND && c->kind != CALL_RECV;
    r = extent_check(c, c->send, root ? kinds[c->kind].send_root : kinds[c->kind].send, bytes);
    return r ? r : extent_check(c, c->recv, root ? kinds[c->kind].recv_root : kinds[c->kind].recv, bytes);
}

ncclResult_t call_enqueue(enum call_kind kind, const void *send, void *recv, size_t count, ncclDataType_t type,
                          ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream)
{
    ncclResult_t r;
    struct call c = {.kind = kind,
                     .send = send,
                     .recv = recv,
                     .count = count,
                     .type = type,
                     .op = op,
                     .root = root,
                     .stream = stream};
    c.comm = comm_get(comm, &r);
    r = r ? r : check(&c);
    if (r)
        return group_failed(r);
    return count ? group_call(&c) : ncclSuccess;
}
