// SPDX-License-Identifier: Apache-2.0
// Launches: the configuration that <<<>>> leaves for the stub it calls, and the calls to the driver.
#include "runtime/runtime.h"
#include <string.h>

#define MAX_NESTED 16   // configurations pushed and not yet popped: arguments of a launch may themselves launch
#define MAX_ARGS   4096 // bytes of arguments in the older way of launching, of all launches pending

struct configuration {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    size_t args, args_size; // in pending.args, where they were set up one by one
};

static _Thread_local struct {
    struct configuration nested[MAX_NESTED];
    unsigned depth;
    _Alignas(16) char args[MAX_ARGS];
} pending;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream)
{
    if (pending.depth == MAX_NESTED)
        return (unsigned)rt_fail(cudaErrorInvalidConfiguration);
    const struct configuration *c = pending.depth ? &pending.nested[pending.depth - 1] : NULL;
    size_t args = c ? (c->args + c->args_size + 15) / 16 * 16 : 0;
    pending.nested[pending.depth++] = (struct configuration){grid, block, shared, stream, args, 0};
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    if (!pending.depth)
        return rt_fail(cudaErrorMissingConfiguration);
    const struct configuration *c = &pending.nested[--pending.depth];
    *grid = c->grid;
    *block = c->block;
    *shared = c->shared;
    *(cudaStream_t *)stream = c->stream;
    return cudaSuccess;
}

static cudaError_t launch(CUkernel k, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream,
                          void **extra)
{
    CUresult r = drv.cuLaunchKernel((CUfunction)k, grid.x, grid.y, grid.z, block.x, block.y, block.z, (unsigned)shared,
                                    (CUstream)stream, args, extra);
    return __builtin_expect(!r, 1) ? cudaSuccess : rt_fail_driver(r);
}

cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                             cudaStream_t stream)
{
    CUkernel k;
    cudaError_t e = rt_enter();
    if (!e)
        e = rt_kernel(func, &k);
    return __builtin_expect(e, 0) ? e : launch(k, gridDim, blockDim, args, sharedMem, stream, NULL);
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared,
                               cudaStream_t stream)
{
    cudaError_t e = rt_enter();
    if (!e && !kernel)
        e = rt_fail(cudaErrorInvalidDeviceFunction);
    return __builtin_expect(e, 0) ? e : launch((CUkernel)kernel, grid, block, args, shared, stream, NULL);
}

cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared,
                                    cudaStream_t stream)
{
    return __cudaLaunchKernel(kernel, grid, block, args, shared, PT(stream));
}

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                                        cudaStream_t stream)
{
    CUkernel k;
    cudaError_t e = rt_enter();
    if (!e)
        e = rt_kernel(func, &k);
    if (e)
        return e;
    CUresult r = drv.cuLaunchCooperativeKernel((CUfunction)k, gridDim.x, gridDim.y, gridDim.z, blockDim.x, blockDim.y,
                                               blockDim.z, (unsigned)sharedMem, (CUstream)stream, args);
    return r ? rt_fail_driver(r) : cudaSuccess;
}

// The attributes of the two interfaces are the same objects under two names.
_Static_assert(sizeof(cudaLaunchAttribute) == sizeof(CUlaunchAttribute), "launch attributes");
_Static_assert(offsetof(cudaLaunchAttribute, val) == offsetof(CUlaunchAttribute, value), "launch attributes");

CUlaunchConfig rt_launch_config(const cudaLaunchConfig_t *c)
{
    return (CUlaunchConfig){.gridDimX = c->gridDim.x,
                            .gridDimY = c->gridDim.y,
                            .gridDimZ = c->gridDim.z,
                            .blockDimX = c->blockDim.x,
                            .blockDimY = c->blockDim.y,
                            .blockDimZ = c->blockDim.z,
                            .sharedMemBytes = (unsigned)c->dynamicSmemBytes,
                            .hStream = (CUstream)c->stream,
                            .attrs = (CUlaunchAttribute *)c->attrs,
                            .numAttrs = c->numAttrs};
}

static cudaError_t launch_ex(const cudaLaunchConfig_t *config, cudaStream_t stream, const void *func, void **args)
{
    CUkernel k;
    cudaError_t e = rt_enter();
    if (!e)
        e = rt_kernel(func, &k);
    if (e)
        return e;
    CUlaunchConfig c = rt_launch_config(config);
    c.hStream = (CUstream)stream;
    CUresult r = drv.cuLaunchKernelEx(&c, (CUfunction)k, args, NULL);
    return r ? rt_fail_driver(r) : cudaSuccess;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args)
{
    return config ? launch_ex(config, config->stream, func, args) : rt_fail(cudaErrorInvalidValue);
}

cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *config, const void *func, void **args)
{
    return config ? launch_ex(config, PT(config->stream), func, args) : rt_fail(cudaErrorInvalidValue);
}

// The way of launching before CUDA 7: configure, give the arguments one by one, launch. Configurations and their arguments
// are a stack.
cudaError_t cudaConfigureCall(dim3 gridDim, dim3 blockDim, size_t sharedMem, cudaStream_t stream)
{
    return (cudaError_t)__cudaPushCallConfiguration(gridDim, blockDim, sharedMem, stream);
}

cudaError_t cudaSetupArgument(const void *arg, size_t size, size_t offset)
{
    if (!pending.depth)
        return rt_fail(cudaErrorMissingConfiguration);
    struct configuration *c = &pending.nested[pending.depth - 1];
    if (!arg || c->args > MAX_ARGS || size > MAX_ARGS - c->args || offset > MAX_ARGS - c->args - size)
        return rt_fail(cudaErrorInvalidValue);
    memcpy(pending.args + c->args + offset, arg, size);
    if (c->args_size < offset + size)
        c->args_size = offset + size;
    return cudaSuccess;
}

cudaError_t cudaLaunch(const void *func)
{
    CUkernel k;
    if (!pending.depth)
        return rt_fail(cudaErrorMissingConfiguration);
    struct configuration *c = &pending.nested[--pending.depth];
    cudaError_t e = rt_enter();
    if (!e)
        e = rt_kernel(func, &k);
    if (e)
        return e;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, pending.args + c->args, CU_LAUNCH_PARAM_BUFFER_SIZE, &c->args_size,
                     CU_LAUNCH_PARAM_END};
    return launch(k, c->grid, c->block, NULL, c->shared, c->stream, extra);
}
