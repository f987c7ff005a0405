// SPDX-License-Identifier: Apache-2.0
// The end of communicators: in order (finalize, destroy), or at once (abort, revoke).
#include "nccl/comm.h"

// All that was launched is over. Works wait for their streams and peers; a communicator that has failed has none.
static void drain(struct comm *c)
{
    pthread_mutex_lock(&c->lock);
    while (c->issued || c->active)
        pthread_cond_wait(&c->cond, &c->lock);
    pthread_mutex_unlock(&c->lock);
}

// The thread that makes the communicator is over.
static void settle(struct ncclComm *h)
{
    if (h->has_thread)
        pthread_join(h->thread, NULL);
    h->has_thread = false;
}

static void end(ncclComm_t h)
{
    struct comm *c = h->comm;
    comm_close(c);
    settle(h);
    library_handle_destroy(h);
    comm_release(c);
}

static void *finalize_thread(void *data)
{
    struct comm *c = data;
    drain(c);
    atomic_store(&c->state, ncclSuccess);
    return NULL;
}

ncclResult_t end_finalize(ncclComm_t comm)
{
    ncclResult_t r;
    struct comm *c = comm_any(comm);
    if (c && atomic_load(&c->finalized))
        return fail(ncclInvalidUsage, "CommFinalize: the communicator was finalized before");
    c = comm_get(comm, &r);
    if (!c)
        return r;
    atomic_store(&c->finalized, true);
    if (!c->blocking) {
        settle(comm);
        atomic_store(&c->state, ncclInProgress);
        if (!pthread_create(&comm->thread, NULL, finalize_thread, c)) {
            comm->has_thread = true;
            return ncclInProgress;
        }
        atomic_store(&c->state, ncclSuccess);
    }
    drain(c);
    return ncclSuccess;
}

ncclResult_t end_destroy(ncclComm_t comm)
{
    if (!comm)
        return ncclSuccess;
    struct comm *c = comm_any(comm);
    if (!c)
        return fail(ncclInvalidArgument, "CommDestroy: the communicator is none, or was destroyed");
    if (!atomic_load(&c->finalized))
        settle(comm);
    if (!atomic_load(&c->state) && !atomic_load(&c->ending))
        drain(c);
    end(comm);
    return ncclSuccess;
}

ncclResult_t end_abort(ncclComm_t comm)
{
    if (!comm)
        return ncclSuccess;
    struct comm *c = comm_any(comm);
    if (!c)
        return fail(ncclInvalidArgument, "CommAbort: the communicator is none, or was destroyed");
    atomic_store(&c->ending, true);
    if (!atomic_load(&c->finalized))
        settle(comm);
    end(comm);
    return ncclSuccess;
}

ncclResult_t end_revoke(ncclComm_t comm, int flags)
{
    struct comm *c = comm_any(comm);
    if (!c || flags != NCCL_REVOKE_DEFAULT)
        return fail(ncclInvalidArgument, "CommRevoke: %s not valid", c ? "the flags are" : "the communicator is");
    if (atomic_load(&c->state) == ncclInProgress)
        return fail(ncclInvalidArgument, "the communicator is used before it is ready");
    if (atomic_load(&c->ending) || atomic_load(&c->finalized))
        return fail(ncclInvalidUsage, "CommRevoke: the communicator was revoked or finalized before");
    atomic_store(&c->ending, true);
    engine_wake(&c->engines[ENGINE_DATA]);
    return ncclSuccess;
}
