// SPDX-License-Identifier: Apache-2.0
// The functions that follow from their row in api.def alone: those not supported, and the variants for programs with
// one default stream for each host thread.
#include "runtime/runtime.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static cudaError_t finish(cudaError_t e)
{
    return e ? e : cudaStreamSynchronize(cudaStreamPerThread);
}

#define BODY_FULL(ret, name, params)
#define BODY_NONE(ret, name, params)                                                                                   \
    ret name params                                                                                                    \
    {                                                                                                                  \
        return rt_fail(cudaErrorNotSupported);                                                                         \
    }
#define RT(ret, name, params, args, status) BODY_##status(ret, name, params)
#define RT_PTSZ(name, params, args)                                                                                    \
    cudaError_t name##_ptsz params                                                                                     \
    {                                                                                                                  \
        return name args;                                                                                              \
    }
#define RT_PTDS(name, params, args, call)                                                                              \
    cudaError_t name##_ptds params                                                                                     \
    {                                                                                                                  \
        return finish(call);                                                                                           \
    }
#include "runtime/api.def"
