// SPDX-License-Identifier: Apache-2.0
// Communicators of ranks of another one. Its ranks tell each other, over links of their own, who takes part and how the new one is reached;
// each computes the same list of members from that.
#include "nccl/comm.h"
#include <stdlib.h>
#include <string.h>

struct member {
    int32_t color, key;
    struct peer peer; // rank: in the parent
};

static int by_key(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->peer.rank > y->peer.rank) - (x->peer.rank < y->peer.rank);
}

static bool exchange(struct comm *parent, const int *ranks, int n, const struct member *own, struct member *all)
{
    struct flows f = {0};
    struct engine *e = &parent->engines[ENGINE_CONTROL];
    bool ok = plan_exchange(&f, parent, ranks, n, (const char *)own, (char *)all, sizeof *own);
    ok = ok && engine_run(e, &f);
    if (!ok)
        engine_break(e);
    flows_free(&f);
    return ok;
}

// Members of the own color, in the order of keys; the number of this rank among them.
static int choose(struct member *all, int n, int color, int self, int *rank)
{
    int m = 0;
    for (int i = 0; i < n; i++)
        if (all[i].color == color)
            all[m++] = all[i];
    qsort(all, (size_t)m, sizeof *all, by_key);
    for (int i = 0; i < m; i++)
        if (all[i].peer.rank == self)
            *rank = i;
    return m;
}

static ncclResult_t open_child(struct job *job, struct member *all, int n, unsigned number)
{
    struct comm *parent = job->parent, *c = job->comm;
    int rank = 0, m = choose(all, n, job->color, parent->rank, &rank);
    struct peer *peers = malloc((size_t)m * sizeof *peers);
    if (!peers)
        return fail(ncclSystemError, "out of memory");
    for (int i = 0; i < m; i++) {
        peers[i] = all[i].peer;
        peers[i].rank = i;
    }
    c->rank = rank;
    c->n = m;
    c->nonce = (parent->nonce ^ ((uint64_t)number << 32 | (uint32_t)job->color)) * 0x9e3779b97f4a7c15 + 1;
    bool ok = comm_open(c, peers);
    free(peers);
    return ok ? ncclSuccess : fail(ncclSystemError, "out of memory or descriptors");
}

static ncclResult_t run(struct job *job)
{
    struct comm *parent = job->parent, *c = job->comm;
    int n = 0, *ranks = malloc((size_t)parent->n * sizeof *ranks);
    struct member *all = calloc((size_t)parent->n, sizeof *all), own;
    ncclResult_t r = ranks && all ? ncclSuccess : fail(ncclSystemError, "out of memory");
    for (int i = 0; i < parent->n && !r; i++) {
        bool out = false;
        for (int k = 0; k < job->nexcluded; k++)
            out |= job->excluded[k] == i;
        if (!out)
            ranks[n++] = i;
    }
    memset(&own, 0, sizeof own);
    own.color = job->color;
    own.key = job->key;
    if (c && !r) {
        r = n > 1 ? comm_listen(c) : ncclSuccess;
        comm_register(c);
        own.peer = comm_self(c);
    }
    own.peer.rank = parent->rank;
    pthread_mutex_lock(&parent->control);
    unsigned number = ++parent->children;
    if (!r && (parent->closed || !exchange(parent, ranks, n, &own, all)))
        r = fail(ncclRemoteError, "a rank of the communicator that is split has gone");
    pthread_mutex_unlock(&parent->control);
    if (!r && c)
        r = open_child(job, all, n, number);
    free(ranks);
    free(all);
    return r;
}

static ncclResult_t start(struct comm *parent, int color, int key, const int *excluded, int count, ncclComm_t *out,
                          bool blocking)
{
    struct job *job = calloc(1, sizeof *job);
    bool joins = color != NCCL_SPLIT_NOCOLOR;
    struct comm *c = job && joins ? comm_create(parent->rank, parent->n, parent->device) : NULL;
    ncclComm_t h = c ? comm_handle(c) : NULL;
    int *list = job && count ? malloc((size_t)count * sizeof *list) : NULL;
    if (!job || (joins && !h) || (count && !list)) {
        comm_release(c);
        free(list);
        free(job);
        return fail(ncclSystemError, "out of memory");
    }
    if (count)
        memcpy(list, excluded, (size_t)count * sizeof *list);
    if (c) {
        c->blocking = blocking;
        atomic_store(&c->state, ncclInProgress);
    }
    *job = (struct job){.run = run,
                        .handle = h,
                        .comm = c,
                        .parent = comm_retain(parent),
                        .out = out,
                        .blocking = blocking || !c,
                        .color = color,
                        .key = key,
                        .excluded = list,
                        .nexcluded = count};
    *out = h;
    return job_start(job);
}

ncclResult_t split_comm(ncclComm_t comm, int color, int key, ncclComm_t *out, ncclConfig_t *config)
{
    ncclResult_t r;
    if (out)
        *out = NULL;
    struct comm *c = comm_get(comm, &r);
    if (!c)
        return group_failed(r);
    bool blocking = c->blocking;
    if (!out || (color < 0 && color != NCCL_SPLIT_NOCOLOR))
        return group_failed(
            fail(ncclInvalidArgument, "CommSplit: %s", out ? "the color is negative" : "newcomm is NULL"));
    r = config_check(config, &blocking);
    r = r ? r : start(c, color, key, NULL, 0, out, blocking);
    return r == ncclInProgress ? r : group_failed(r);
}

static ncclResult_t shrink_check(const struct comm *c, const int *excluded, int count, int flags)
{
    if (!excluded || count < 1 || count >= c->n || (flags & ~NCCL_SHRINK_ABORT))
        return fail(ncclInvalidArgument, "CommShrink: the list of ranks or the flags are not valid");
    for (int i = 0; i < count; i++) {
        if (excluded[i] < 0 || excluded[i] >= c->n)
            return fail(ncclInvalidArgument, "CommShrink: there is no rank %d", excluded[i]);
        if (excluded[i] == c->rank)
            return fail(ncclInvalidUsage, "CommShrink: rank %d is called on leaves itself out", c->rank);
    }
    return ncclSuccess;
}

// What the parent has under way ends, and it takes nothing more; its control links stay.
static void abort_parent(struct comm *c)
{
    atomic_store(&c->ending, true);
    pthread_mutex_lock(&c->lock);
    while (c->active) {
        pthread_mutex_unlock(&c->lock);
        engine_wake(&c->engines[ENGINE_DATA]);
        sched_yield();
        pthread_mutex_lock(&c->lock);
    }
    pthread_mutex_unlock(&c->lock);
}

ncclResult_t split_shrink(ncclComm_t comm, const int *excluded, int count, ncclComm_t *out, ncclConfig_t *config,
                          int flags)
{
    struct comm *c = comm_any(comm);
    ncclResult_t r = ncclSuccess;
    if (out)
        *out = NULL;
    if (!c || !out)
        return group_failed(
            fail(ncclInvalidArgument, "CommShrink: %s is not valid", c ? "newcomm" : "the communicator"));
    if (flags == NCCL_SHRINK_DEFAULT && !comm_get(comm, &r))
        return group_failed(r);
    bool blocking = c->blocking;
    r = shrink_check(c, excluded, count, flags);
    r = r ? r : config_check(config, &blocking);
    if (r)
        return group_failed(r);
    if (flags & NCCL_SHRINK_ABORT)
        abort_parent(c);
    r = start(c, 0, c->rank, excluded, count, out, blocking);
    return r == ncclInProgress ? r : group_failed(r);
}
