// SPDX-License-Identifier: Apache-2.0
// What is told: why a call failed, and what NCCL_DEBUG asks for.
#include "nccl/comm.h"
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

void message_note(const char *fmt, ...)
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

const char *message_last(void)
{
    return last;
}
