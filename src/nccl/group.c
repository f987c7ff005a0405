// SPDX-License-Identifier: Apache-2.0
// Groups: calls of this thread are kept until the outermost group ends, and then all of one communicator become one work.
#include "nccl/comm.h"
#include <stdlib.h>
#include <string.h>

static _Thread_local struct {
    int depth;
    ncclResult_t error;
    struct call *calls;
    size_t n, room;
    struct job *jobs, **jobs_end;
} group;

bool group_open(void)
{
    return group.depth;
}

ncclResult_t group_failed(ncclResult_t r)
{
    if (group.depth && !group.error)
        group.error = r;
    return r;
}

void group_job(struct job *job)
{
    if (!group.jobs)
        group.jobs_end = &group.jobs;
    *group.jobs_end = job;
    group.jobs_end = &job->next;
}

ncclResult_t group_call(const struct call *c)
{
    if (!group.depth)
        return work_launch(c, 1);
    if (group.n == group.room) {
        size_t room = group.room ? 2 * group.room : 16;
        struct call *wider = realloc(group.calls, room * sizeof *wider);
        if (!wider)
            return group_failed(fail(ncclSystemError, "out of memory"));
        group.calls = wider;
        group.room = room;
    }
    group.calls[group.n] = *c;
    comm_retain(c->comm);
    group.n++;
    return ncclSuccess;
}

ncclResult_t group_start(void)
{
    group.depth++;
    return ncclSuccess;
}

// The calls of each communicator, in their order.
static ncclResult_t launch_all(void)
{
    ncclResult_t r = ncclSuccess;
    struct call *some = malloc((group.n + 1) * sizeof *some);
    if (!some)
        return fail(ncclSystemError, "out of memory");
    for (size_t i = 0; i < group.n; i++) {
        struct comm *c = group.calls[i].comm;
        size_t m = 0;
        bool before = false;
        for (size_t k = 0; k < i; k++)
            before |= group.calls[k].comm == c;
        for (size_t k = i; k < group.n && !before; k++)
            if (group.calls[k].comm == c)
                some[m++] = group.calls[k];
        ncclResult_t one = m ? work_launch(some, m) : ncclSuccess;
        r = r ? r : one;
    }
    free(some);
    return r;
}

static void forget(void)
{
    for (size_t i = 0; i < group.n; i++)
        comm_release(group.calls[i].comm);
    free(group.calls);
    memset(&group, 0, sizeof group);
}

static ncclResult_t end(bool simulated)
{
    struct job *jobs = group.jobs;
    ncclResult_t r = group.error;
    group.jobs = NULL;
    group.depth = 0; // what follows is in no group
    if (r)
        jobs_drop(jobs, r);
    else if (jobs)
        r = jobs_run(jobs);
    if ((!r || r == ncclInProgress) && !simulated) {
        ncclResult_t launched = launch_all();
        r = launched ? launched : r;
    }
    forget();
    return r;
}

ncclResult_t group_end(void)
{
    if (!group.depth)
        return fail(ncclInvalidUsage, "GroupEnd: there is no group");
    return --group.depth ? ncclSuccess : end(false);
}

// Steps and bytes of the slowest link, with what a step and a byte take between processes of one machine (docs/nccl.md).
static float estimate(void)
{
    const double step_us = 3, byte_us = 1.0 / 8000;
    double us = 0;
    for (size_t i = 0; i < group.n; i++) {
        const struct call *c = &group.calls[i];
        double bytes = (double)c->count * (double)reduce_type_bytes((int)c->type);
        double share = c->kind == CALL_ALL_REDUCE                     ? 2.0 * (c->comm->n - 1) / c->comm->n
                       : c->kind == CALL_SEND || c->kind == CALL_RECV ? 1
                                                                      : c->comm->n - 1;
        us += step_us * (c->kind == CALL_ALL_REDUCE ? 2 : 1) + share * bytes * byte_us;
    }
    return (float)us;
}

ncclResult_t group_simulate_end(ncclSimInfo_t *info)
{
    if (info && (info->magic != 0x74685283 || info->size < sizeof *info))
        return fail(ncclInvalidArgument, "GroupSimulateEnd: the information was not made by NCCL_SIM_INFO_INITIALIZER");
    if (!group.depth)
        return fail(ncclInvalidUsage, "GroupSimulateEnd: there is no group");
    if (--group.depth)
        return ncclSuccess;
    if (info)
        info->estimatedTime = estimate();
    return end(true);
}
