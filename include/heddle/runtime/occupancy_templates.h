// SPDX-License-Identifier: Apache-2.0
// Occupancy: how many blocks of a kernel fit, and which block size keeps a multiprocessor fullest.
#ifndef HEDDLE_OCCUPANCY_TEMPLATES_H
#define HEDDLE_OCCUPANCY_TEMPLATES_H
#include "../../cuda_runtime_api.h"

template <class __T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, __T func,
                                                                                     int blockSize,
                                                                                     size_t dynamicSMemSize)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, (const void *)func, blockSize, dynamicSMemSize);
}
template <class __T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, __T func,
                                                                                              int blockSize,
                                                                                              size_t dynamicSMemSize,
                                                                                              unsigned int flags)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, (const void *)func, blockSize,
                                                                    dynamicSMemSize, flags);
}
template <class __T>
static __inline__ __host__ cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, __T func,
                                                                                 int numBlocks, int blockSize)
{
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, (const void *)func, numBlocks, blockSize);
}
template <class __T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxPotentialClusterSize(int *clusterSize, __T *func,
                                                                            const cudaLaunchConfig_t *config)
{
    return ::cudaOccupancyMaxPotentialClusterSize(clusterSize, (const void *)func, config);
}
template <class __T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxActiveClusters(int *numClusters, __T *func,
                                                                      const cudaLaunchConfig_t *config)
{
    return ::cudaOccupancyMaxActiveClusters(numClusters, (const void *)func, config);
}

// Tries block sizes from the largest down in steps of a warp; the one with most threads at work wins.
template <class __UnaryFunction, class __T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *minGridSize, int *blockSize, __T func, __UnaryFunction blockSizeToDynamicSMemSize, int blockSizeLimit = 0,
    unsigned int flags = 0)
{
    int device, processors, per_processor, warp, most;
    struct cudaFuncAttributes attr;
    cudaError_t __e;
    if (!minGridSize || !blockSize || !func)
        return cudaErrorInvalidValue;
    if ((__e = ::cudaGetDevice(&device)) ||
        (__e = ::cudaDeviceGetAttribute(&per_processor, cudaDevAttrMaxThreadsPerMultiProcessor, device)) ||
        (__e = ::cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device)) ||
        (__e = ::cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device)) ||
        (__e = ::cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerBlock, device)) ||
        (__e = ::cudaFuncGetAttributes(&attr, (const void *)func)))
        return __e;
    int __limit = attr.maxThreadsPerBlock < most ? attr.maxThreadsPerBlock : most;
    if (blockSizeLimit > 0 && blockSizeLimit < __limit)
        __limit = blockSizeLimit;
    int best_size = 0, best_blocks = 0, best_threads = 0;
    for (int size = (__limit + warp - 1) / warp * warp; size > 0 && best_threads < per_processor; size -= warp) {
        int tried = size < __limit ? size : __limit, blocks;
        __e = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, (const void *)func, tried,
                                                                       blockSizeToDynamicSMemSize(tried), flags);
        if (__e)
            return __e;
        if (blocks * tried > best_threads) {
            best_threads = blocks * tried;
            best_size = tried;
            best_blocks = blocks;
        }
    }
    *minGridSize = best_blocks * processors;
    *blockSize = best_size;
    return cudaSuccess;
}

struct __heddle_constant_size {
    size_t size;
    __host__ __device__ explicit __heddle_constant_size(size_t __s) : size(__s) {}
    __host__ __device__ size_t operator()(int) const
    {
        return size;
    }
};

template <class __UnaryFunction, class __T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *minGridSize, int *blockSize,
                                                                                      __T func,
                                                                                      __UnaryFunction sizeFunction,
                                                                                      int blockSizeLimit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(minGridSize, blockSize, func, sizeFunction,
                                                                   blockSizeLimit, cudaOccupancyDefault);
}
template <class __T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize,
                                                                                   __T func, size_t dynamicSMemSize = 0,
                                                                                   int blockSizeLimit = 0,
                                                                                   unsigned int flags = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        minGridSize, blockSize, func, __heddle_constant_size(dynamicSMemSize), blockSizeLimit, flags);
}
template <class __T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, __T func,
                                                                          size_t dynamicSMemSize = 0,
                                                                          int blockSizeLimit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func, dynamicSMemSize, blockSizeLimit,
                                                       cudaOccupancyDefault);
}
#endif
