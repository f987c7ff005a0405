// SPDX-License-Identifier: Apache-2.0
// What can be asked: versions, errors, properties of a communicator.
#include "nccl/comm.h"
#include <string.h>

ncclResult_t info_version(int *version)
{
    if (!version)
        return fail(ncclInvalidArgument, "GetVersion: version is NULL");
    *version = NCCL_VERSION_CODE;
    return ncclSuccess;
}

const char *info_error_string(ncclResult_t r)
{
    static const char *const texts[] = {
        [ncclSuccess] = "no error",
        [ncclUnhandledCudaError] = "a call of CUDA failed (NCCL_DEBUG=WARN tells which)",
        [ncclSystemError] = "a call of the system failed (NCCL_DEBUG=WARN tells which)",
        [ncclInternalError] = "internal error",
        [ncclInvalidArgument] = "invalid argument (NCCL_DEBUG=WARN tells which)",
        [ncclInvalidUsage] = "invalid usage (NCCL_DEBUG=WARN tells why)",
        [ncclRemoteError] = "another rank has ended, or the network has failed",
        [ncclInProgress] = "in progress",
    };
    return (unsigned)r < sizeof texts / sizeof *texts ? texts[r] : "unknown result code";
}

const char *info_last_error(ncclComm_t comm)
{
    (void)comm;
    return message_last();
}

ncclResult_t info_async_error(ncclComm_t comm, ncclResult_t *error)
{
    struct comm *c = comm_any(comm);
    if (!c || !error)
        return fail(ncclInvalidArgument, "CommGetAsyncError: %s is not valid", c ? "asyncError" : "the communicator");
    int state = atomic_load(&c->state), failed = atomic_load(&c->error);
    *error = failed ? (ncclResult_t)failed : (ncclResult_t)state;
    return ncclSuccess;
}

static ncclResult_t answer(ncclComm_t comm, int *out, size_t field)
{
    struct comm *c = comm_any(comm);
    if (!c || !out)
        return fail(ncclInvalidArgument, "%s is not valid", c ? "the result's address" : "the communicator");
    if (atomic_load(&c->state) == ncclInProgress)
        return fail(ncclInvalidArgument, "the communicator is used before it is ready");
    memcpy(out, (char *)c + field, sizeof *out);
    return ncclSuccess;
}

ncclResult_t info_count(ncclComm_t comm, int *count)
{
    return answer(comm, count, offsetof(struct comm, n));
}

ncclResult_t info_device(ncclComm_t comm, int *device)
{
    return answer(comm, device, offsetof(struct comm, device));
}

ncclResult_t info_rank(ncclComm_t comm, int *rank)
{
    return answer(comm, rank, offsetof(struct comm, rank));
}
