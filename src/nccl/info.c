// SPDX-License-Identifier: Apache-2.0
// What can be asked: versions, errors, properties of a communicator. NCCL_DEBUG says what is told of.
#include "nccl/comm.h"
#include "nccl/link/link.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum debug { DEBUG_NONE, DEBUG_VERSION, DEBUG_WARN, DEBUG_INFO };

static _Thread_local char last[512];

static enum debug debug_level(void)
{
    static const struct {
        const char *name;
        enum debug level;
    } names[] = {{"VERSION", DEBUG_VERSION},
                 {"WARN", DEBUG_WARN},
                 {"INFO", DEBUG_INFO},
                 {"ABORT", DEBUG_INFO},
                 {"TRACE", DEBUG_INFO}};
    static atomic_int known; // level + 1
    int now = atomic_load(&known);
    if (now)
        return (enum debug)(now - 1);
    const char *v = secure_getenv("NCCL_DEBUG");
    enum debug level = DEBUG_NONE;
    for (size_t i = 0; v && i < sizeof names / sizeof *names; i++)
        if (!strcasecmp(v, names[i].name))
            level = names[i].level;
    if (!atomic_exchange(&known, (int)level + 1) && level >= DEBUG_VERSION) {
        printf("NCCL version %d.%d.%d+heddle\n", NCCL_MAJOR, NCCL_MINOR, NCCL_PATCH);
        fflush(stdout);
    }
    return level;
}

static void tell(const char *kind, const char *text)
{
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    printf("%s:%d NCCL %s %s\n", host, (int)getpid(), kind, text);
    fflush(stdout);
}

ncclResult_t fail(ncclResult_t r, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(last, sizeof last, fmt, ap);
    va_end(ap);
    if (debug_level() >= DEBUG_WARN)
        tell("WARN", last);
    return r;
}

void info_note(const char *fmt, ...)
{
    char text[512];
    va_list ap;
    if (debug_level() < DEBUG_INFO)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    tell("INFO", text);
}

ncclResult_t fail_cuda(cudaError_t e)
{
    return fail(ncclUnhandledCudaError, "CUDA: %s", cudaGetErrorString(e));
}

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
    return last;
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
