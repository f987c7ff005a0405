// SPDX-License-Identifier: Apache-2.0
// What can be asked about a kernel and set for it, and occupancy.
#include "runtime/runtime.h"
#include <string.h>

static cudaError_t kernel_enter(const void *func, CUkernel *k)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_kernel(func, k);
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func)
{
    if (!attr)
        return rt_fail(cudaErrorInvalidValue);
    CUkernel k;
    cudaError_t e = kernel_enter(func, &k);
    if (e)
        return e;
    memset(attr, 0, sizeof *attr);
    CUdevice device = rt_device();
    CUfunction loaded;
    CUresult r = CUDA_SUCCESS;
    int value;
    // Programs ask for the attributes of a kernel that must be in place before another one waits for it. A driver that
    // has no such calls loads all kernels at once.
    if (!drv.cuKernelGetFunction(&loaded, k))
        drv.cuFuncLoad(loaded);
#define ATTRIBUTE(field, name)                                                                                         \
    if (!r && !(r = drv.cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_##name, k, device)))                            \
        attr->field = (__typeof__(attr->field))value;
#include "driver/module/func_attribute.def"
#undef ATTRIBUTE
    if (r)
        return rt_fail_driver(r);
    // Clusters are newer than some drivers; what they do not know stays 0.
#define ATTRIBUTE(field, name)                                                                                         \
    if (!drv.cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_##name, k, device))                                        \
        attr->field = value;
    ATTRIBUTE(clusterDimMustBeSet, CLUSTER_SIZE_MUST_BE_SET)
    ATTRIBUTE(requiredClusterWidth, REQUIRED_CLUSTER_WIDTH)
    ATTRIBUTE(requiredClusterHeight, REQUIRED_CLUSTER_HEIGHT)
    ATTRIBUTE(requiredClusterDepth, REQUIRED_CLUSTER_DEPTH)
    ATTRIBUTE(clusterSchedulingPolicyPreference, CLUSTER_SCHEDULING_POLICY_PREFERENCE)
    ATTRIBUTE(nonPortableClusterSizeAllowed, NON_PORTABLE_CLUSTER_SIZE_ALLOWED)
#undef ATTRIBUTE
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value)
{
    CUkernel k;
    cudaError_t e = kernel_enter(func, &k);
    return e ? e : rt_result(drv.cuKernelSetAttribute((CUfunction_attribute)attr, value, k, rt_device()));
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attr, int value, int device)
{
    cudaError_t e = rt_device_check(device);
    return e ? e : rt_result(drv.cuKernelSetAttribute((CUfunction_attribute)attr, value, (CUkernel)kernel, device));
}

cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache cacheConfig)
{
    CUkernel k;
    cudaError_t e = kernel_enter(func, &k);
    return e ? e : rt_result(drv.cuKernelSetCacheConfig(k, (CUfunc_cache)cacheConfig, rt_device()));
}

cudaError_t cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config)
{
    CUkernel k;
    if ((unsigned)config > cudaSharedMemBankSizeEightByte)
        return rt_fail(cudaErrorInvalidValue);
    return kernel_enter(func, &k);
}

cudaError_t cudaFuncGetName(const char **name, const void *func)
{
    CUkernel k;
    if (!name)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = kernel_enter(func, &k);
    if (e)
        return e;
    *name = rt_kernel_name(func);
    return *name ? cudaSuccess : rt_result(drv.cuKernelGetName(name, k));
}

cudaError_t cudaFuncGetParamInfo(const void *func, size_t paramIndex, size_t *paramOffset, size_t *paramSize)
{
    CUkernel k;
    cudaError_t e = kernel_enter(func, &k);
    return e ? e : rt_result(drv.cuKernelGetParamInfo(k, paramIndex, paramOffset, paramSize));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, const void *func, int blockSize,
                                                                   size_t dynamicSMemSize, unsigned int flags)
{
    CUkernel k;
    cudaError_t e = kernel_enter(func, &k);
    return e ? e
             : rt_result(drv.cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, (CUfunction)k, blockSize,
                                                                                  dynamicSMemSize, flags));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *func, int blockSize,
                                                          size_t dynamicSMemSize)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, func, blockSize, dynamicSMemSize,
                                                                  cudaOccupancyDefault);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, const void *func, int numBlocks,
                                                      int blockSize)
{
    CUkernel k;
    cudaError_t e = kernel_enter(func, &k);
    return e ? e
             : rt_result(
                   drv.cuOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, (CUfunction)k, numBlocks, blockSize));
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int *clusterSize, const void *func,
                                                 const cudaLaunchConfig_t *launchConfig)
{
    CUkernel k;
    if (!launchConfig)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = kernel_enter(func, &k);
    CUlaunchConfig c = rt_launch_config(launchConfig);
    return e ? e : rt_result(drv.cuOccupancyMaxPotentialClusterSize(clusterSize, (CUfunction)k, &c));
}

cudaError_t cudaOccupancyMaxActiveClusters(int *numClusters, const void *func, const cudaLaunchConfig_t *launchConfig)
{
    CUkernel k;
    if (!launchConfig)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = kernel_enter(func, &k);
    CUlaunchConfig c = rt_launch_config(launchConfig);
    return e ? e : rt_result(drv.cuOccupancyMaxActiveClusters(numClusters, (CUfunction)k, &c));
}
