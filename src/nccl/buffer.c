// SPDX-License-Identifier: Apache-2.0
// Memory and operations that a program makes known beforehand. Every buffer is as good as a registered one here, so that a registration is
// checked and noted, and changes nothing.
#include "nccl/comm.h"
#include <stdlib.h>
#include <string.h>

ncclResult_t buffer_alloc(void **at, size_t size)
{
    if (!at || !size)
        return fail(ncclInvalidArgument, "MemAlloc: %s", at ? "the size is 0" : "ptr is NULL");
    cudaError_t e = cudaMalloc(at, size);
    return e ? fail_cuda(e) : ncclSuccess;
}

ncclResult_t buffer_free(void *at)
{
    cudaError_t e = cudaFree(at);
    return e ? fail_cuda(e) : ncclSuccess;
}

static ncclResult_t add(ncclComm_t comm, void *at, size_t size, void **handle, bool window)
{
    ncclResult_t r;
    struct comm *c = comm_get(comm, &r);
    if (!c)
        return r;
    if (!at || !size || !handle)
        return fail(ncclInvalidArgument, "registration: the buffer, its size or the handle is 0");
    struct buffer *b = calloc(1, sizeof *b);
    if (!b)
        return fail(ncclSystemError, "out of memory");
    *b = (struct buffer){.at = at, .size = size, .window = window};
    pthread_mutex_lock(&c->lock);
    b->next = c->buffers;
    c->buffers = b;
    pthread_mutex_unlock(&c->lock);
    *handle = b;
    return ncclSuccess;
}

static ncclResult_t take(ncclComm_t comm, void *handle, bool window)
{
    struct comm *c = comm_any(comm);
    if (!c)
        return fail(ncclInvalidArgument, "the communicator is none, or was destroyed");
    if (!handle)
        return ncclSuccess;
    pthread_mutex_lock(&c->lock);
    struct buffer **at = &c->buffers, *b;
    while ((b = *at) && (b != handle || b->window != window))
        at = &b->next;
    if (b)
        *at = b->next;
    pthread_mutex_unlock(&c->lock);
    free(b);
    return b ? ncclSuccess : fail(ncclInvalidArgument, "the handle is of no registration");
}

ncclResult_t buffer_register(ncclComm_t comm, void *at, size_t size, void **handle)
{
    return add(comm, at, size, handle, false);
}

ncclResult_t buffer_deregister(ncclComm_t comm, void *handle)
{
    return take(comm, handle, false);
}

ncclResult_t buffer_window(ncclComm_t comm, void *at, size_t size, ncclWindow_t *win, int flags)
{
    void *handle = NULL;
    if (flags & ~NCCL_WIN_COLL_SYMMETRIC)
        return fail(ncclInvalidArgument, "CommWindowRegister: flags %#x", (unsigned)flags);
    ncclResult_t r = add(comm, at, size, win ? &handle : NULL, true);
    if (!r)
        *win = handle;
    return r;
}

ncclResult_t buffer_window_end(ncclComm_t comm, ncclWindow_t win)
{
    return take(comm, win, true);
}

// ---- operations: sums of what was multiplied by a factor
static int redop_place(struct comm *c)
{
    for (unsigned i = 0; i < c->nredops; i++)
        if (!c->redops[i].used)
            return (int)i;
    struct redop *more = realloc(c->redops, (c->nredops + 8) * sizeof *more);
    if (!more)
        return -1;
    memset(more + c->nredops, 0, 8 * sizeof *more);
    c->redops = more;
    c->nredops += 8;
    return (int)c->nredops - 8;
}

ncclResult_t redop_create(ncclRedOp_t *op, const void *scalar, ncclDataType_t type, ncclScalarResidence_t where,
                          ncclComm_t comm)
{
    ncclResult_t r;
    struct comm *c = comm_get(comm, &r);
    if (!c)
        return r;
    if (!op || !scalar || (unsigned)type >= ncclNumTypes || (unsigned)where > ncclScalarHostImmediate)
        return fail(ncclInvalidArgument, "RedOpCreatePreMulSum: an argument is not valid");
    struct redop x = {.used = true, .type = type, .device = where == ncclScalarDevice ? scalar : NULL};
    if (where == ncclScalarHostImmediate)
        memcpy(&x.scalar, scalar, reduce_type_bytes((int)type));
    pthread_mutex_lock(&c->lock);
    int i = redop_place(c);
    if (i >= 0)
        c->redops[i] = x;
    pthread_mutex_unlock(&c->lock);
    if (i < 0)
        return fail(ncclSystemError, "out of memory");
    *op = (ncclRedOp_t)(ncclNumOps + i);
    return ncclSuccess;
}

ncclResult_t redop_destroy(ncclRedOp_t op, ncclComm_t comm)
{
    struct comm *c = comm_any(comm);
    unsigned i = (unsigned)op - ncclNumOps;
    if (!c || (unsigned)op < ncclNumOps || (unsigned)op > ncclMaxRedOp)
        return fail(ncclInvalidArgument, "RedOpDestroy: %s",
                    c ? "the operation is not the program's own" : "no communicator");
    pthread_mutex_lock(&c->lock);
    bool known = i < c->nredops && c->redops[i].used;
    if (known)
        c->redops[i].used = false;
    pthread_mutex_unlock(&c->lock);
    return known ? ncclSuccess : fail(ncclInvalidArgument, "RedOpDestroy: there is no operation %d", (int)op);
}
