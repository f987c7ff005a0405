// SPDX-License-Identifier: Apache-2.0
// The exported functions of libcudart, from the table. Each looks at one word of the driver's (base/timeline/timeline.h): where nobody listens
// it goes on to its body, else it tells of the call. Until the driver is known that word is one of our own; with a tool to be
// loaded (CUDA_INJECTION64_PATH) the first call finds the driver, so that it is told already.
#include "base/timeline/params.h"
#include "base/timeline/timeline.h"
#include "runtime/told_watch.h"
#include <cuda_d3d9_interop.h>
#include <cuda_runtime_api.h>
#include <heddle/emulation/emulation_api.h>
#include <heddle/runtime/gl.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

// The first call, or one that is to be told.
static const struct timeline_access *find(void)
{
    const char *tool = secure_getenv("CUDA_INJECTION64_PATH");
    if (atomic_load(&rt_watched) == &rt_watch_unknown) {
        if (tool && *tool)
            rt_watch_begin();
        rt_watch_nobody();
    }
    return atomic_load(&rt_timeline);
}

static inline bool is_quiet(void)
{
    const atomic_uint *word = atomic_load_explicit(&rt_watched, memory_order_relaxed);
    return __builtin_expect((atomic_load_explicit(word, memory_order_relaxed) & ~TIMELINE_COUNTED) == 0, 1);
}

enum {
#define CBID(name, version, number) CBID_##name = number,
#define FORMER(name, version, number)
#include "runtime/cbid.def"
};

// The kernel that a launch names, for those that do.
static const char *symbol_of(unsigned number, const void *params)
{
    const void *function = NULL;
    if (number == CBID_cudaLaunchKernel || number == CBID_cudaLaunchKernel_ptsz ||
        number == CBID_cudaLaunchCooperativeKernel || number == CBID_cudaLaunchCooperativeKernel_ptsz)
        function = ((const void *const *)params)[0];
    else if (number == CBID_cudaLaunchKernelExC || number == CBID_cudaLaunchKernelExC_ptsz)
        function = ((const void *const *)params)[1];
    return function ? rt_watch_kernel(function) : NULL;
}

static const struct timeline_access *enter(struct timeline_call *c, unsigned number, const char *name,
                                           const void *params, void *result)
{
    const struct timeline_access *t = find();
    *c = (struct timeline_call){
        .kind = TIMELINE_RUNTIME_CALL, .number = number, .name = name, .params = params, .result = result};
    if (!t)
        return NULL;
    if (atomic_load_explicit(t->wanted, memory_order_relaxed) & TIMELINE_CALLED)
        c->symbol = symbol_of(number, params);
    t->enter(c);
    return t;
}

// An error code; functions with other results do not fail.
static int32_t code_of(const void *result, size_t size)
{
    int32_t code = 0;
    if (size == sizeof code)
        memcpy(&code, result, sizeof code);
    return code;
}

#define EXPORT __attribute__((visibility("default")))
#define TOLD(ret, name, params, args)                                                                                  \
    extern ret rt_call_##name params;                                                                                  \
    __attribute__((noinline, cold)) static ret told_##name params                                                      \
    {                                                                                                                  \
        struct timeline_call call_told;                                                                                \
        ret call_result;                                                                                               \
        memset(&call_result, 0, sizeof call_result);                                                                   \
        PARAMS_DECLARE(call_params, args)                                                                              \
        const struct timeline_access *t = enter(&call_told, CBID_##name, #name, call_params, &call_result);            \
        call_result = rt_call_##name args;                                                                             \
        if (t)                                                                                                         \
            t->leave(&call_told, code_of(&call_result, sizeof call_result));                                           \
        return call_result;                                                                                            \
    }                                                                                                                  \
    EXPORT ret name params;                                                                                            \
    ret name params                                                                                                    \
    {                                                                                                                  \
        return is_quiet() ? rt_call_##name args : told_##name args;                                                    \
    }

#define RT(ret, name, params, args, status) TOLD(ret, name, params, args)
#define PT(stream)                          stream // the arguments as they are
#define RT_PTSZ(name, params, args)         TOLD(cudaError_t, name##_ptsz, params, args)
#define RT_PTDS(name, params, args, call)   TOLD(cudaError_t, name##_ptds, params, args)
#include "runtime/api.def"
#define LAUNCH_PARAMS (cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream)
TOLD(cudaError_t, __cudaLaunchKernel, LAUNCH_PARAMS, (kernel, grid, block, args, shared, stream))
TOLD(cudaError_t, __cudaLaunchKernel_ptsz, LAUNCH_PARAMS, (kernel, grid, block, args, shared, stream))
