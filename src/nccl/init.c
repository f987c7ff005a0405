// SPDX-License-Identifier: Apache-2.0
// Making communicators. That waits for the other ranks, and so it is a job: done by the calling thread, by threads of their own at the end of
// a group, or in the background where the configuration says that calls do not block.
#include "nccl/comm.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>

// ---- jobs
static void job_free(struct job *job)
{
    comm_release(job->parent);
    free(job->excluded);
    free(job);
}

// The communicator of the job is ready, or is not to be.
static ncclResult_t job_run(struct job *job)
{
    ncclResult_t r = job->run(job);
    if (job->comm)
        atomic_store(&job->comm->state, r);
    return r;
}

static void *job_thread(void *data)
{
    struct job *job = data;
    ncclResult_t r = job_run(job);
    bool blocking = job->blocking;
    if (!blocking)
        job_free(job);
    return (void *)(uintptr_t)r;
}

static bool job_spawn(struct job *job, pthread_t *thread)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int e = pthread_create(thread, NULL, job_thread, job);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return !e;
}

// One that was waited for: what it made is the caller's, or nothing is.
static void job_end(struct job *job, ncclResult_t r)
{
    if (r && job->comm) {
        comm_close(job->comm);
        library_handle_destroy(job->handle);
        comm_release(job->comm);
        *job->out = NULL;
    }
    job_free(job);
}

static ncclResult_t job_background(struct job *job)
{
    struct ncclComm *h = job->handle;
    pthread_t thread;
    if (!job_spawn(job, &thread)) {
        job_end(job, ncclSystemError);
        return fail(ncclSystemError, "no thread can be started");
    }
    h->thread = thread;
    h->has_thread = true;
    return ncclInProgress;
}

ncclResult_t jobs_run(struct job *list)
{
    ncclResult_t first = ncclSuccess, r;
    bool later = false;
    size_t n = 0, i = 0;
    for (struct job *j = list; j; j = j->next)
        n++;
    struct {
        pthread_t thread;
        bool started;
    } *threads = calloc(n + 1, sizeof *threads);
    for (struct job *j = list, *next; j; j = next, i++) {
        next = j->next;
        if (!j->blocking) {
            r = job_background(j);
            later |= r == ncclInProgress;
            first = first || r == ncclInProgress ? first : r;
        } else if (threads) {
            threads[i].started = job_spawn(j, &threads[i].thread);
        }
    }
    i = 0;
    for (struct job *j = list, *next; j; j = next, i++) {
        next = j->next;
        if (!threads || !threads[i].started)
            continue;
        void *result = NULL;
        pthread_join(threads[i].thread, &result);
        r = (ncclResult_t)(uintptr_t)result;
        first = first ? first : r;
        job_end(j, r);
    }
    free(threads);
    return first ? first : later ? ncclInProgress : ncclSuccess;
}

void jobs_drop(struct job *list, ncclResult_t r)
{
    for (struct job *next; list; list = next) {
        next = list->next;
        job_end(list, r);
    }
}

ncclResult_t job_start(struct job *job)
{
    if (group_open()) {
        group_job(job);
        return job->blocking ? ncclSuccess : ncclInProgress;
    }
    if (!job->blocking)
        return job_background(job);
    ncclResult_t r = job_run(job);
    job_end(job, r);
    return r;
}

// ---- configurations
// Fields by place, with what they may be; a program that was built with an older header has fewer.
static const struct {
    size_t offset;
    int least, most;
    const char *name;
} fields[] = {
    {offsetof(ncclConfig_t, blocking), 0, 1, "blocking"},
    {offsetof(ncclConfig_t, cgaClusterSize), 0, 8, "cgaClusterSize"},
    {offsetof(ncclConfig_t, minCTAs), 1, INT_MAX, "minCTAs"},
    {offsetof(ncclConfig_t, maxCTAs), 1, INT_MAX, "maxCTAs"},
    {offsetof(ncclConfig_t, splitShare), 0, 1, "splitShare"},
    {offsetof(ncclConfig_t, trafficClass), 0, INT_MAX, "trafficClass"},
    {offsetof(ncclConfig_t, collnetEnable), 0, 1, "collnetEnable"},
    {offsetof(ncclConfig_t, CTAPolicy), 0, NCCL_CTA_POLICY_EFFICIENCY | NCCL_CTA_POLICY_ZERO, "CTAPolicy"},
    {offsetof(ncclConfig_t, shrinkShare), 0, 1, "shrinkShare"},
    {offsetof(ncclConfig_t, nvlsCTAs), 1, INT_MAX, "nvlsCTAs"},
    {offsetof(ncclConfig_t, nChannelsPerNetPeer), 1, INT_MAX, "nChannelsPerNetPeer"},
    {offsetof(ncclConfig_t, nvlinkCentricSched), 0, 1, "nvlinkCentricSched"},
};

ncclResult_t config_check(const ncclConfig_t *config, bool *blocking)
{
    if (!config)
        return ncclSuccess;
    if (config->magic != 0xcafebeef || config->size < offsetof(ncclConfig_t, cgaClusterSize))
        return fail(ncclInvalidArgument, "the configuration was not made by NCCL_CONFIG_INITIALIZER");
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        int v;
        if (fields[i].offset + sizeof v > config->size)
            continue;
        memcpy(&v, (const char *)config + fields[i].offset, sizeof v);
        if (v != NCCL_CONFIG_UNDEF_INT && (v < fields[i].least || v > fields[i].most))
            return fail(ncclInvalidArgument, "the configuration's %s cannot be %d", fields[i].name, v);
    }
    if (config->size >= offsetof(ncclConfig_t, netName) && config->minCTAs != NCCL_CONFIG_UNDEF_INT &&
        config->maxCTAs != NCCL_CONFIG_UNDEF_INT && config->minCTAs > config->maxCTAs)
        return fail(ncclInvalidArgument, "the configuration's minCTAs is more than its maxCTAs");
    if (config->blocking != NCCL_CONFIG_UNDEF_INT)
        *blocking = config->blocking;
    return ncclSuccess;
}

// ---- one rank
static ncclResult_t join(struct job *job)
{
    struct comm *c = job->comm;
    struct peer *peers = NULL;
    ncclResult_t r = ncclSuccess;
    if (c->n > 1) {
        r = comm_listen(c);
        comm_register(c);
        r = r ? r : bootstrap_join(c, &job->id, &peers);
    } else if ((peers = malloc(sizeof *peers))) {
        *peers = comm_self(c);
        c->nonce = comm_random();
        comm_register(c);
    } else {
        r = fail(ncclSystemError, "out of memory");
    }
    if (!r && !comm_open(c, peers))
        r = fail(ncclSystemError, "out of memory or descriptors");
    free(peers);
    message_note("rank %d of %d is %s", c->rank, c->n, r ? info_error_string(r) : "ready");
    return r;
}

ncclResult_t init_rank(ncclComm_t *out, int n, int nids, const ncclUniqueId *ids, int rank, ncclConfig_t *config,
                       bool configured)
{
    int device = 0;
    bool blocking = true;
    if (out)
        *out = NULL;
    if (!out || !ids || nids < 1 || nids > n)
        return group_failed(
            fail(ncclInvalidArgument, "CommInitRank: the communicator's address or the ids are not valid"));
    if (n < 1 || rank < 0 || rank >= n)
        return group_failed(fail(ncclInvalidArgument, "CommInitRank: there is no rank %d of %d", rank, n));
    ncclResult_t r = configured ? config_check(config, &blocking) : ncclSuccess;
    if (r)
        return group_failed(r);
    cudaError_t e = cudaGetDevice(&device);
    if (e)
        return group_failed(fail_cuda(e));
    struct job *job = calloc(1, sizeof *job);
    struct comm *c = job ? comm_create(rank, n, device) : NULL;
    ncclComm_t h = c ? comm_handle(c) : NULL;
    if (!h) {
        comm_release(c);
        free(job);
        return group_failed(fail(ncclSystemError, "out of memory"));
    }
    c->blocking = blocking;
    atomic_store(&c->state, ncclInProgress);
    // Ranks meet at the first id; the others are there for implementations whose ranks meet in several places.
    *job = (struct job){.run = join, .handle = h, .comm = c, .out = out, .blocking = blocking, .id = ids[0]};
    *out = h;
    return job_start(job);
}

// ---- all devices of this process: nobody else is asked
static ncclResult_t all_check(int n, const int *devices)
{
    int there = 0;
    cudaError_t e = cudaGetDeviceCount(&there);
    if (e)
        return fail_cuda(e);
    if (n < 1 || (!devices && n > there))
        return fail(ncclInvalidArgument, "CommInitAll: %d devices of %d", n, there);
    for (int i = 0; devices && i < n; i++) {
        if (devices[i] < 0 || devices[i] >= there)
            return fail(ncclInvalidArgument, "CommInitAll: there is no device %d", devices[i]);
        for (int k = 0; k < i; k++)
            if (devices[k] == devices[i])
                return fail(ncclInvalidUsage, "CommInitAll: device %d comes twice", devices[i]);
    }
    return ncclSuccess;
}

ncclResult_t init_all(ncclComm_t *out, int n, const int *devices)
{
    if (!out)
        return fail(ncclInvalidArgument, "CommInitAll: comm is NULL");
    ncclResult_t r = all_check(n, devices);
    if (r)
        return r;
    struct peer *peers = calloc((size_t)n, sizeof *peers);
    uint64_t nonce = comm_random();
    r = peers ? ncclSuccess : ncclSystemError;
    for (int i = 0; i < n; i++) {
        struct comm *c = r ? NULL : comm_create(i, n, devices ? devices[i] : i);
        out[i] = c ? comm_handle(c) : NULL;
        if (!out[i]) {
            comm_release(c);
            r = ncclSystemError;
            continue;
        }
        c->nonce = nonce;
        peers[i] = comm_self(c);
        comm_register(c);
    }
    for (int i = 0; i < n && !r; i++)
        r = comm_open(out[i]->comm, peers) ? ncclSuccess : ncclSystemError;
    free(peers);
    for (int i = 0; i < n && r; i++)
        if (out[i]) {
            end_abort(out[i]);
            out[i] = NULL;
        }
    return r ? fail(r, "CommInitAll: out of memory") : ncclSuccess;
}
