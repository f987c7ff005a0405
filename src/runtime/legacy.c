// SPDX-License-Identifier: Apache-2.0
// Names of versions before CUDA 12 that programs still use, each in terms of what replaced it.
#include "runtime/runtime.h"

cudaError_t cudaThreadExit(void)
{
    return cudaDeviceReset();
}

cudaError_t cudaThreadSynchronize(void)
{
    return cudaDeviceSynchronize();
}

cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value)
{
    return cudaDeviceSetLimit(limit, value);
}

cudaError_t cudaThreadGetLimit(size_t *pValue, enum cudaLimit limit)
{
    return cudaDeviceGetLimit(pValue, limit);
}

cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *pCacheConfig)
{
    return cudaDeviceGetCacheConfig(pCacheConfig);
}

cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache cacheConfig)
{
    return cudaDeviceSetCacheConfig(cacheConfig);
}

// For devices without double precision, of which there are none any more: the value stays as it is.
cudaError_t cudaSetDoubleForDevice(double *d)
{
    return d ? cudaSuccess : rt_fail(cudaErrorInvalidValue);
}

cudaError_t cudaSetDoubleForHost(double *d)
{
    return d ? cudaSuccess : rt_fail(cudaErrorInvalidValue);
}
