// SPDX-License-Identifier: Apache-2.0
// The occupancy calculator: how many blocks a multiprocessor holds, from figures alone. It calls nothing, so that it
// serves devices that are not there; C and C++, host and device.
//
// A block goes onto a multiprocessor when everything that it takes is free: warps, a place among the blocks, registers,
// shared memory, barriers. Each gives a limit of its own; the least of them is the answer, and each that equals it is a
// limiting factor. What the figures of a device leave open (units of allocation, places for blocks, sizes of shared
// memory that can be chosen) comes from its compute capability.
#ifndef __cuda_occupancy_h__
#define __cuda_occupancy_h__
#include <limits.h>
#include <stddef.h>
#include <string.h>

#if defined(__CUDACC__)
#define __OCC_INLINE inline __host__ __device__
#elif defined(__GNUC__)
#define __OCC_INLINE inline __attribute__((unused))
#else
#define __OCC_INLINE inline
#endif

#define __CUDA_OCC_MAJOR__ 12
#define __CUDA_OCC_MINOR__ 1

typedef enum cudaOccError_enum {
    CUDA_OCC_SUCCESS = 0,
    CUDA_OCC_ERROR_INVALID_INPUT = 1,
    CUDA_OCC_ERROR_UNKNOWN_DEVICE = 2
} cudaOccError;

typedef enum cudaOccPartitionedGCConfig_enum {
    PARTITIONED_GC_OFF,
    PARTITIONED_GC_ON,
    PARTITIONED_GC_ON_STRICT
} cudaOccPartitionedGCConfig;

typedef enum cudaOccFuncShmemConfig_enum {
    FUNC_SHMEM_LIMIT_DEFAULT, // a block has at most sharedMemPerBlock
    FUNC_SHMEM_LIMIT_OPTIN    // a block may have sharedMemPerBlockOptin
} cudaOccFuncShmemConfig;

typedef enum cudaOccCacheConfig_enum {
    CACHE_PREFER_NONE = 0,
    CACHE_PREFER_SHARED = 1,
    CACHE_PREFER_L1 = 2,
    CACHE_PREFER_EQUAL = 3
} cudaOccCacheConfig;

// Percent of the shared memory; any number from 0 to 100 is one.
typedef enum cudaOccCarveoutConfig_enum {
    SHAREDMEM_CARVEOUT_DEFAULT = -1,
    SHAREDMEM_CARVEOUT_MAX_SHARED = 100,
    SHAREDMEM_CARVEOUT_MAX_L1 = 0,
    SHAREDMEM_CARVEOUT_HALF = 50
} cudaOccCarveoutConfig;

typedef enum cudaOccLimitingFactor_enum {
    OCC_LIMIT_WARPS = 0x01,
    OCC_LIMIT_REGISTERS = 0x02,
    OCC_LIMIT_SHARED_MEMORY = 0x04,
    OCC_LIMIT_BLOCKS = 0x08,
    OCC_LIMIT_BARRIERS = 0x10,
    OCC_LIMIT_VIRTUAL_RESOURCES = 0x20
} cudaOccLimitingFactor;

typedef enum cudaOccPartitionedGCSupport_enum {
    PARTITIONED_GC_NOT_SUPPORTED,
    PARTITIONED_GC_SUPPORTED
} cudaOccPartitionedGCSupport;

// Made from a cudaDeviceProp, or anything with members of those names.
typedef struct cudaOccDeviceProp {
    int computeMajor, computeMinor;
    int maxThreadsPerBlock, maxThreadsPerMultiprocessor;
    int regsPerBlock, regsPerMultiprocessor;
    int warpSize;
    size_t sharedMemPerBlock, sharedMemPerMultiprocessor;
    int numSms;
    size_t sharedMemPerBlockOptin;
    size_t reservedSharedMemPerBlock;
#ifdef __cplusplus
    __OCC_INLINE cudaOccDeviceProp()
    {
        memset(static_cast<void *>(this), 0, sizeof *this);
    }
    template <typename DeviceProp>
    __OCC_INLINE cudaOccDeviceProp(const DeviceProp &__p)
        : computeMajor(__p.major), computeMinor(__p.minor), maxThreadsPerBlock(__p.maxThreadsPerBlock),
          maxThreadsPerMultiprocessor(__p.maxThreadsPerMultiProcessor), regsPerBlock(__p.regsPerBlock),
          regsPerMultiprocessor(__p.regsPerMultiprocessor), warpSize(__p.warpSize),
          sharedMemPerBlock(__p.sharedMemPerBlock), sharedMemPerMultiprocessor(__p.sharedMemPerMultiprocessor),
          numSms(__p.multiProcessorCount), sharedMemPerBlockOptin(__p.sharedMemPerBlockOptin),
          reservedSharedMemPerBlock(__p.reservedSharedMemPerBlock)
    {
    }
#endif
} cudaOccDeviceProp;

// Made from a cudaFuncAttributes. maxThreadsPerBlock may be INT_MAX for a kernel that sets no bound.
typedef struct cudaOccFuncAttributes {
    int maxThreadsPerBlock;
    int numRegs;
    size_t sharedSizeBytes;
    cudaOccPartitionedGCConfig partitionedGCConfig;
    cudaOccFuncShmemConfig shmemLimitConfig;
    size_t maxDynamicSharedSizeBytes;
    int numBlockBarriers;
    int virtualResourceCount;
#ifdef __cplusplus
    __OCC_INLINE cudaOccFuncAttributes()
    {
        memset(static_cast<void *>(this), 0, sizeof *this);
    }
    template <typename FuncAttributes>
    __OCC_INLINE cudaOccFuncAttributes(const FuncAttributes &__a)
        : maxThreadsPerBlock(__a.maxThreadsPerBlock), numRegs(__a.numRegs), sharedSizeBytes(__a.sharedSizeBytes),
          partitionedGCConfig(PARTITIONED_GC_OFF), shmemLimitConfig(FUNC_SHMEM_LIMIT_OPTIN),
          maxDynamicSharedSizeBytes(__a.maxDynamicSharedSizeBytes), numBlockBarriers(1), virtualResourceCount(0)
    {
    }
#endif
} cudaOccFuncAttributes;

typedef struct cudaOccDeviceState {
    cudaOccCacheConfig cacheConfig;
    int carveoutConfig;
#ifdef __cplusplus
    __OCC_INLINE cudaOccDeviceState() : cacheConfig(CACHE_PREFER_NONE), carveoutConfig(SHAREDMEM_CARVEOUT_DEFAULT) {}
#endif
} cudaOccDeviceState;

typedef struct cudaOccResult {
    int activeBlocksPerMultiprocessor;
    unsigned int limitingFactors;
    int blockLimitRegs, blockLimitSharedMem, blockLimitWarps, blockLimitBlocks, blockLimitBarriers, blockLimitVirtual;
    int allocatedRegistersPerBlock;
    size_t allocatedSharedMemPerBlock;
    cudaOccPartitionedGCConfig partitionedGCConfig;
} cudaOccResult;

#include "heddle/runtime/occupancy.h"
#endif
