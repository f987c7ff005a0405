// SPDX-License-Identifier: Apache-2.0
// The arithmetic of cuda_occupancy.h.
#ifndef HEDDLE_OCCUPANCY_H
#define HEDDLE_OCCUPANCY_H
#ifndef __cuda_occupancy_h__
#error "include cuda_occupancy.h"
#endif

// Programs call these too.
static __OCC_INLINE int __occMin(int __a, int __b)
{
    return __a < __b ? __a : __b;
}

static __OCC_INLINE int __occDivideRoundUp(int value, int unit)
{
    return (value - 1 + unit) / unit;
}

static __OCC_INLINE int __occRoundUp(int value, int unit)
{
    return __occDivideRoundUp(value, unit) * unit;
}

static __OCC_INLINE int heddle_occ_known(const cudaOccDeviceProp *device)
{
    return device->computeMajor == 3 || (device->computeMajor >= 5 && device->computeMajor <= 12);
}

static __OCC_INLINE cudaOccError heddle_occ_give(int *out, const cudaOccDeviceProp *device, int value)
{
    if (!heddle_occ_known(device))
        return CUDA_OCC_ERROR_UNKNOWN_DEVICE;
    *out = value;
    return CUDA_OCC_SUCCESS;
}

// Units and limits that the compute capability alone decides.

static __OCC_INLINE cudaOccError cudaOccSMemAllocationGranularity(int *__limit, const cudaOccDeviceProp *__properties)
{
    return heddle_occ_give(__limit, __properties, __properties->computeMajor < 8 ? 256 : 128);
}

static __OCC_INLINE cudaOccError cudaOccRegAllocationMaxPerThread(int *__limit, const cudaOccDeviceProp *__properties)
{
    return heddle_occ_give(__limit, __properties, __properties->computeMajor < 7 ? 255 : 256);
}

static __OCC_INLINE cudaOccError cudaOccRegAllocationGranularity(int *__limit, const cudaOccDeviceProp *__properties)
{
    return heddle_occ_give(__limit, __properties, 256);
}

static __OCC_INLINE cudaOccError cudaOccSubPartitionsPerMultiprocessor(int *__limit,
                                                                       const cudaOccDeviceProp *__properties)
{
    return heddle_occ_give(__limit, __properties,
                           __properties->computeMajor == 6 && __properties->computeMinor == 0 ? 2 : 4);
}

static __OCC_INLINE cudaOccError cudaOccMaxBlocksPerMultiprocessor(int *__limit, const cudaOccDeviceProp *__properties)
{
    int blocks = 32, minor = __properties->computeMinor;
    switch (__properties->computeMajor) {
    case 3:
        blocks = 16;
        break;
    case 7:
        blocks = minor == 5 ? 16 : 32;
        break;
    case 8:
        blocks = minor == 0 ? 32 : minor == 9 ? 24 : 16;
        break;
    case 10:
        blocks = minor == 1 ? 24 : 32;
        break;
    case 11:
    case 12:
        blocks = 24;
        break;
    default:
        break;
    }
    return heddle_occ_give(__limit, __properties, blocks);
}

// Partitioned global caching: the read-only caches of the sub-partition pairs of some Maxwell and Pascal devices.
static __OCC_INLINE cudaOccError cudaOccPartitionedGlobalCachingModeSupport(cudaOccPartitionedGCSupport *__limit,
                                                                            const cudaOccDeviceProp *__properties)
{
    int minor = __properties->computeMinor;
    int yes =
        (__properties->computeMajor == 5 && minor >= 2 && minor <= 3) || (__properties->computeMajor == 6 && minor);
    *__limit = yes ? PARTITIONED_GC_SUPPORTED : PARTITIONED_GC_NOT_SUPPORTED;
    return CUDA_OCC_SUCCESS;
}

// Where shared memory and the first cache share one memory, the least size of shared memory that can be chosen and
// holds bytes; the largest where none does.
static __OCC_INLINE size_t heddle_occ_shared_choice(const cudaOccDeviceProp *device, size_t bytes)
{
    const int sizes[] = {0, 8, 16, 32, 64, 96, 100, 132, 164, 196, 228};
    int major = device->computeMajor;
    size_t most = device->sharedMemPerMultiprocessor;
    for (size_t __i = 0; __i < sizeof sizes / sizeof *sizes; __i++) {
        size_t size = (size_t)sizes[__i] << 10;
        int there = major == 7 && device->computeMinor == 5 ? sizes[__i] == 32 || sizes[__i] == 64
                                                            : (sizes[__i] == 96 ? major == 7 : 1);
        if (there && size <= most && size >= bytes)
            return size;
    }
    return most;
}

// The size of shared memory that the state of the device asks for.
static __OCC_INLINE cudaOccError cudaOccSMemPreference(size_t *__limit, const cudaOccDeviceProp *__properties,
                                                       const cudaOccDeviceState *state)
{
    size_t most = __properties->sharedMemPerMultiprocessor;
    if (!heddle_occ_known(__properties))
        return CUDA_OCC_ERROR_UNKNOWN_DEVICE;
    if (__properties->computeMajor >= 7) {
        int percent = state->carveoutConfig;
        if (percent < SHAREDMEM_CARVEOUT_DEFAULT || percent > SHAREDMEM_CARVEOUT_MAX_SHARED)
            return CUDA_OCC_ERROR_INVALID_INPUT;
        if (percent == SHAREDMEM_CARVEOUT_DEFAULT)
            percent = state->cacheConfig == CACHE_PREFER_L1 ? 0 : state->cacheConfig == CACHE_PREFER_EQUAL ? 50 : 100;
        *__limit = heddle_occ_shared_choice(__properties, most * (size_t)percent / 100);
    } else if (__properties->computeMajor == 3 && state->cacheConfig == CACHE_PREFER_L1) {
        *__limit = most - (32 << 10); // 48, 32 or 16 KiB; 3.7 has 64 more in each case
    } else if (__properties->computeMajor == 3 && state->cacheConfig == CACHE_PREFER_EQUAL) {
        *__limit = most - (16 << 10);
    } else {
        *__limit = most; // a memory of its own
    }
    return CUDA_OCC_SUCCESS;
}

static __OCC_INLINE cudaOccError cudaOccSMemPerMultiprocessor(size_t *__limit, const cudaOccDeviceProp *__properties,
                                                              const cudaOccDeviceState *state)
{
    return cudaOccSMemPreference(__limit, __properties, state);
}

static __OCC_INLINE size_t heddle_occ_round_up(size_t value, size_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static __OCC_INLINE int heddle_occ_valid(const cudaOccDeviceProp *device, const cudaOccFuncAttributes *f,
                                         const cudaOccDeviceState *state)
{
    return device && f && state && device->maxThreadsPerBlock > 0 && device->maxThreadsPerMultiprocessor > 0 &&
           device->regsPerBlock > 0 && device->regsPerMultiprocessor > 0 && device->warpSize > 0 &&
           device->sharedMemPerBlock > 0 && device->sharedMemPerMultiprocessor > 0 && device->numSms > 0 &&
           f->maxThreadsPerBlock > 0 && f->numRegs >= 0;
}

// Registers are given to a warp in units, by the sub-partition on which it runs: what is left over in one is no use to
// the others.
static __OCC_INLINE cudaOccError heddle_occ_registers(cudaOccResult *__r, const cudaOccDeviceProp *device,
                                                      const cudaOccFuncAttributes *f, int warps)
{
    int unit, most, parts, gang;
    cudaOccError __e = cudaOccRegAllocationGranularity(&unit, device);
    if (__e || (__e = cudaOccRegAllocationMaxPerThread(&most, device)) != CUDA_OCC_SUCCESS ||
        (__e = cudaOccSubPartitionsPerMultiprocessor(&parts, device)) != CUDA_OCC_SUCCESS)
        return __e;
    __r->blockLimitRegs = INT_MAX;
    __r->allocatedRegistersPerBlock = 0;
    if (!f->numRegs)
        return CUDA_OCC_SUCCESS;
    if (f->numRegs > most) {
        __r->blockLimitRegs = 0;
        return CUDA_OCC_SUCCESS;
    }
    int warp = (int)heddle_occ_round_up((size_t)f->numRegs * (size_t)device->warpSize, (size_t)unit);
    int even = (int)heddle_occ_round_up((size_t)warps, (size_t)parts); // a block spreads evenly
    __r->allocatedRegistersPerBlock = warp * warps;
    // With partitioned caching a block stays within one half of the multiprocessor.
    gang = __r->partitionedGCConfig == PARTITIONED_GC_OFF ? 1 : 2;
    if (warp * even > device->regsPerBlock || warp * even > device->regsPerMultiprocessor)
        __r->blockLimitRegs = 0;
    else
        __r->blockLimitRegs = device->regsPerMultiprocessor / parts / warp * (parts / gang) / warps * gang;
    return CUDA_OCC_SUCCESS;
}

static __OCC_INLINE cudaOccError heddle_occ_shared(cudaOccResult *__r, const cudaOccDeviceProp *device,
                                                   const cudaOccFuncAttributes *f, const cudaOccDeviceState *state,
                                                   size_t dynamic)
{
    int unit;
    size_t have, wants = f->sharedSizeBytes + dynamic;
    size_t reserved = device->computeMajor >= 8 ? device->reservedSharedMemPerBlock : 0;
    size_t block = device->sharedMemPerBlock;
    cudaOccError __e = cudaOccSMemAllocationGranularity(&unit, device);
    if (__e || (__e = cudaOccSMemPreference(&have, device, state)) != CUDA_OCC_SUCCESS)
        return __e;
    if (device->computeMajor >= 7 && f->shmemLimitConfig == FUNC_SHMEM_LIMIT_OPTIN) { // what the kernel has chosen
        block = device->sharedMemPerBlockOptin;
        if (dynamic > f->maxDynamicSharedSizeBytes)
            block = 0;
    }
    __r->allocatedSharedMemPerBlock = heddle_occ_round_up(wants + reserved, (size_t)unit);
    if (wants < dynamic || wants > block) {
        __r->blockLimitSharedMem = 0;
        return CUDA_OCC_SUCCESS;
    }
    // A preference gives way to a block that needs more.
    if (__r->allocatedSharedMemPerBlock > have)
        have = device->computeMajor >= 7 ? heddle_occ_shared_choice(device, __r->allocatedSharedMemPerBlock)
                                         : device->sharedMemPerMultiprocessor;
    __r->blockLimitSharedMem =
        __r->allocatedSharedMemPerBlock ? (int)(have / __r->allocatedSharedMemPerBlock) : INT_MAX;
    return CUDA_OCC_SUCCESS;
}

// Twice as many barriers as places for blocks, or just as many. Before 9.0 they are not counted.
static __OCC_INLINE int heddle_occ_barriers(const cudaOccDeviceProp *device, int places)
{
    int major = device->computeMajor, minor = device->computeMinor;
    int single = (major == 10 && minor == 1) || (major == 11 && !minor) || major == 12;
    return single ? places : 2 * places;
}

static __OCC_INLINE cudaOccError cudaOccMaxActiveBlocksPerMultiprocessor(cudaOccResult *result,
                                                                         const cudaOccDeviceProp *__properties,
                                                                         const cudaOccFuncAttributes *attributes,
                                                                         const cudaOccDeviceState *state, int blockSize,
                                                                         size_t dynamicSmemSize)
{
    if (!result || blockSize <= 0 || !heddle_occ_valid(__properties, attributes, state))
        return CUDA_OCC_ERROR_INVALID_INPUT;
    memset((void *)result, 0, sizeof *result);
    cudaOccPartitionedGCSupport partitioned;
    cudaOccError __e = cudaOccMaxBlocksPerMultiprocessor(&result->blockLimitBlocks, __properties);
    if (__e || (__e = cudaOccPartitionedGlobalCachingModeSupport(&partitioned, __properties)) != CUDA_OCC_SUCCESS)
        return __e;
    result->partitionedGCConfig =
        partitioned == PARTITIONED_GC_SUPPORTED ? attributes->partitionedGCConfig : PARTITIONED_GC_OFF;

    int warps = (blockSize - 1) / __properties->warpSize + 1;
    int fits = blockSize <= __properties->maxThreadsPerBlock && blockSize <= attributes->maxThreadsPerBlock;
    result->blockLimitWarps = fits ? __properties->maxThreadsPerMultiprocessor / __properties->warpSize / warps : 0;
    __e = heddle_occ_registers(result, __properties, attributes, warps);
    // Caching that is only preferred is dropped where a block would not run with it.
    if (!__e && !result->blockLimitRegs && result->partitionedGCConfig == PARTITIONED_GC_ON) {
        result->partitionedGCConfig = PARTITIONED_GC_OFF;
        __e = heddle_occ_registers(result, __properties, attributes, warps);
    }
    if (__e || (__e = heddle_occ_shared(result, __properties, attributes, state, dynamicSmemSize)) != CUDA_OCC_SUCCESS)
        return __e;
    result->blockLimitBarriers = INT_MAX;
    if (__properties->computeMajor >= 9 && attributes->numBlockBarriers > 0)
        result->blockLimitBarriers =
            heddle_occ_barriers(__properties, result->blockLimitBlocks) / attributes->numBlockBarriers;
    result->blockLimitVirtual = INT_MAX;
    if (__properties->computeMajor >= 10 && attributes->virtualResourceCount > 0)
        result->blockLimitVirtual = 128 / attributes->virtualResourceCount;

    const int limits[] = {result->blockLimitWarps,  result->blockLimitRegs,     result->blockLimitSharedMem,
                          result->blockLimitBlocks, result->blockLimitBarriers, result->blockLimitVirtual};
    int least = limits[0];
    for (int __i = 1; __i < 6; __i++)
        least = limits[__i] < least ? limits[__i] : least;
    for (int __i = 0; __i < 6; __i++) // the bits of cudaOccLimitingFactor are in this order
        result->limitingFactors |= limits[__i] == least ? 1u << __i : 0u;
    result->activeBlocksPerMultiprocessor = least;
    return CUDA_OCC_SUCCESS;
}

static __OCC_INLINE cudaOccError cudaOccAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize,
                                                                     const cudaOccDeviceProp *__properties,
                                                                     const cudaOccFuncAttributes *attributes,
                                                                     const cudaOccDeviceState *state, int numBlocks,
                                                                     int blockSize)
{
    cudaOccResult result;
    int unit;
    if (!dynamicSmemSize || numBlocks <= 0)
        return CUDA_OCC_ERROR_INVALID_INPUT;
    cudaOccError __e = cudaOccMaxActiveBlocksPerMultiprocessor(&result, __properties, attributes, state, blockSize, 0);
    if (__e || (__e = cudaOccSMemAllocationGranularity(&unit, __properties)) != CUDA_OCC_SUCCESS)
        return __e;
    *dynamicSmemSize = 0;
    if (result.activeBlocksPerMultiprocessor < numBlocks)
        return CUDA_OCC_ERROR_INVALID_INPUT;
    size_t have;
    if ((__e = cudaOccSMemPreference(&have, __properties, state)) != CUDA_OCC_SUCCESS)
        return __e;
    size_t fixed = attributes->sharedSizeBytes;
    size_t reserved = __properties->computeMajor >= 8 ? __properties->reservedSharedMemPerBlock : 0;
    size_t block = __properties->sharedMemPerBlock;
    if (__properties->computeMajor >= 7 && attributes->shmemLimitConfig == FUNC_SHMEM_LIMIT_OPTIN &&
        __properties->sharedMemPerBlockOptin > block)
        block = __properties->sharedMemPerBlockOptin;
    size_t share = have / (size_t)numBlocks / (size_t)unit * (size_t)unit;
    share = share > reserved ? share - reserved : 0;
    share = share > block ? block : share;
    share = share > fixed ? share - fixed : 0;
    *dynamicSmemSize = share < attributes->maxDynamicSharedSizeBytes ? share : attributes->maxDynamicSharedSizeBytes;
    return CUDA_OCC_SUCCESS;
}

// Sizes that are whole warps, the largest first: the smallest grid that fills the device with the most threads.
static __OCC_INLINE cudaOccError heddle_occ_try(int *__best, int *min_grid, int *block_size,
                                                const cudaOccDeviceProp *device, const cudaOccFuncAttributes *f,
                                                const cudaOccDeviceState *state, int size, size_t dynamic)
{
    cudaOccResult result;
    cudaOccError __e = cudaOccMaxActiveBlocksPerMultiprocessor(&result, device, f, state, size, dynamic);
    int threads = __e ? 0 : size * result.activeBlocksPerMultiprocessor;
    if (threads > *__best) {
        *__best = threads;
        *block_size = size;
        *min_grid = result.activeBlocksPerMultiprocessor * device->numSms;
    }
    return __e;
}

static __OCC_INLINE cudaOccError heddle_occ_most(int *most, const int *min_grid, const int *block_size,
                                                 const cudaOccDeviceProp *device, const cudaOccFuncAttributes *f,
                                                 const cudaOccDeviceState *state)
{
    if (!min_grid || !block_size || !heddle_occ_valid(device, f, state))
        return CUDA_OCC_ERROR_INVALID_INPUT;
    *most = device->maxThreadsPerBlock < f->maxThreadsPerBlock ? device->maxThreadsPerBlock : f->maxThreadsPerBlock;
    return CUDA_OCC_SUCCESS;
}

// The loop over sizes, with SHARED(size) as its dynamic shared memory: a text, as C passes a pointer and C++ any
// functor.
#define HEDDLE_OCC_SEARCH(SHARED)                                                                                      \
    int most, __best = 0;                                                                                              \
    cudaOccError __e = heddle_occ_most(&most, minGridSize, blockSize, __properties, attributes, state);                \
    if (__e)                                                                                                           \
        return __e;                                                                                                    \
    *minGridSize = *blockSize = 0;                                                                                     \
    for (int size = (most - 1) / __properties->warpSize * __properties->warpSize + __properties->warpSize;             \
         !__e && size > 0 && __best < __properties->maxThreadsPerMultiprocessor; size -= __properties->warpSize) {     \
        int threads = size < most ? size : most;                                                                       \
        __e = heddle_occ_try(&__best, minGridSize, blockSize, __properties, attributes, state, threads,                \
                             SHARED(threads));                                                                         \
    }                                                                                                                  \
    return __e;

#define HEDDLE_OCC_CALL(size) (blockSizeToDynamicSMemSize ? blockSizeToDynamicSMemSize(size) : dynamicSMemSize)
static __OCC_INLINE cudaOccError cudaOccMaxPotentialOccupancyBlockSize(
    int *minGridSize, int *blockSize, const cudaOccDeviceProp *__properties, const cudaOccFuncAttributes *attributes,
    const cudaOccDeviceState *state, size_t (*blockSizeToDynamicSMemSize)(int), size_t dynamicSMemSize)
{
    HEDDLE_OCC_SEARCH(HEDDLE_OCC_CALL)
}
#undef HEDDLE_OCC_CALL

#ifdef __cplusplus
namespace
{
template <typename __UnaryFunction>
__OCC_INLINE cudaOccError cudaOccMaxPotentialOccupancyBlockSizeVariableSMem(
    int *minGridSize, int *blockSize, const cudaOccDeviceProp *__properties, const cudaOccFuncAttributes *attributes,
    const cudaOccDeviceState *state,
    __UnaryFunction blockSizeToDynamicSMemSize){HEDDLE_OCC_SEARCH(blockSizeToDynamicSMemSize)}

__OCC_INLINE cudaOccError
    cudaOccMaxPotentialOccupancyBlockSize(int *minGridSize, int *blockSize, const cudaOccDeviceProp *__properties,
                                          const cudaOccFuncAttributes *attributes, const cudaOccDeviceState *state,
                                          size_t dynamicSMemSize = 0)
{
    return cudaOccMaxPotentialOccupancyBlockSize(minGridSize, blockSize, __properties, attributes, state, NULL,
                                                 dynamicSMemSize);
}
} // namespace
#endif
#undef HEDDLE_OCC_SEARCH
#endif
