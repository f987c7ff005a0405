// The arithmetic of cuda_occupancy.h.
#ifndef HEDDLE_OCCUPANCY_H
#define HEDDLE_OCCUPANCY_H
#ifndef __cuda_occupancy_h__
#error "include cuda_occupancy.h"
#endif

// Programs call these too.
static __OCC_INLINE int __occMin(int a, int b)
{
    return a < b ? a : b;
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

static __OCC_INLINE cudaOccError cudaOccSMemAllocationGranularity(int *limit, const cudaOccDeviceProp *properties)
{
    return heddle_occ_give(limit, properties, properties->computeMajor < 8 ? 256 : 128);
}

static __OCC_INLINE cudaOccError cudaOccRegAllocationMaxPerThread(int *limit, const cudaOccDeviceProp *properties)
{
    return heddle_occ_give(limit, properties, properties->computeMajor < 7 ? 255 : 256);
}

static __OCC_INLINE cudaOccError cudaOccRegAllocationGranularity(int *limit, const cudaOccDeviceProp *properties)
{
    return heddle_occ_give(limit, properties, 256);
}

static __OCC_INLINE cudaOccError cudaOccSubPartitionsPerMultiprocessor(int *limit, const cudaOccDeviceProp *properties)
{
    return heddle_occ_give(limit, properties, properties->computeMajor == 6 && properties->computeMinor == 0 ? 2 : 4);
}

static __OCC_INLINE cudaOccError cudaOccMaxBlocksPerMultiprocessor(int *limit, const cudaOccDeviceProp *properties)
{
    int blocks = 32, minor = properties->computeMinor;
    switch (properties->computeMajor) {
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
    return heddle_occ_give(limit, properties, blocks);
}

// Partitioned global caching: the read-only caches of the sub-partition pairs of some Maxwell and Pascal devices.
static __OCC_INLINE cudaOccError cudaOccPartitionedGlobalCachingModeSupport(cudaOccPartitionedGCSupport *limit,
                                                                            const cudaOccDeviceProp *properties)
{
    int minor = properties->computeMinor;
    int yes = (properties->computeMajor == 5 && minor >= 2 && minor <= 3) || (properties->computeMajor == 6 && minor);
    *limit = yes ? PARTITIONED_GC_SUPPORTED : PARTITIONED_GC_NOT_SUPPORTED;
    return CUDA_OCC_SUCCESS;
}

// Where shared memory and the first cache share one memory, the least size of shared memory that can be chosen and
// holds bytes; the largest where none does.
static __OCC_INLINE size_t heddle_occ_shared_choice(const cudaOccDeviceProp *device, size_t bytes)
{
    const int sizes[] = {0, 8, 16, 32, 64, 96, 100, 132, 164, 196, 228};
    int major = device->computeMajor;
    size_t most = device->sharedMemPerMultiprocessor;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t size = (size_t)sizes[i] << 10;
        int there = major == 7 && device->computeMinor == 5 ? sizes[i] == 32 || sizes[i] == 64
                                                            : (sizes[i] == 96 ? major == 7 : 1);
        if (there && size <= most && size >= bytes)
            return size;
    }
    return most;
}

// The size of shared memory that the state of the device asks for.
static __OCC_INLINE cudaOccError cudaOccSMemPreference(size_t *limit, const cudaOccDeviceProp *properties,
                                                       const cudaOccDeviceState *state)
{
    size_t most = properties->sharedMemPerMultiprocessor;
    if (!heddle_occ_known(properties))
        return CUDA_OCC_ERROR_UNKNOWN_DEVICE;
    if (properties->computeMajor >= 7) {
        int percent = state->carveoutConfig;
        if (percent < SHAREDMEM_CARVEOUT_DEFAULT || percent > SHAREDMEM_CARVEOUT_MAX_SHARED)
            return CUDA_OCC_ERROR_INVALID_INPUT;
        if (percent == SHAREDMEM_CARVEOUT_DEFAULT)
            percent = state->cacheConfig == CACHE_PREFER_L1 ? 0 : state->cacheConfig == CACHE_PREFER_EQUAL ? 50 : 100;
        *limit = heddle_occ_shared_choice(properties, most * (size_t)percent / 100);
    } else if (properties->computeMajor == 3 && state->cacheConfig == CACHE_PREFER_L1) {
        *limit = most - (32 << 10); // 48, 32 or 16 KiB; 3.7 has 64 more in each case
    } else if (properties->computeMajor == 3 && state->cacheConfig == CACHE_PREFER_EQUAL) {
        *limit = most - (16 << 10);
    } else {
        *limit = most; // a memory of its own
    }
    return CUDA_OCC_SUCCESS;
}

static __OCC_INLINE cudaOccError cudaOccSMemPerMultiprocessor(size_t *limit, const cudaOccDeviceProp *properties,
                                                              const cudaOccDeviceState *state)
{
    return cudaOccSMemPreference(limit, properties, state);
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
static __OCC_INLINE cudaOccError heddle_occ_registers(cudaOccResult *r, const cudaOccDeviceProp *device,
                                                      const cudaOccFuncAttributes *f, int warps)
{
    int unit, most, parts, gang;
    cudaOccError e = cudaOccRegAllocationGranularity(&unit, device);
    if (e || (e = cudaOccRegAllocationMaxPerThread(&most, device)) != CUDA_OCC_SUCCESS ||
        (e = cudaOccSubPartitionsPerMultiprocessor(&parts, device)) != CUDA_OCC_SUCCESS)
        return e;
    r->blockLimitRegs = INT_MAX;
    r->allocatedRegistersPerBlock = 0;
    if (!f->numRegs)
        return CUDA_OCC_SUCCESS;
    if (f->numRegs > most) {
        r->blockLimitRegs = 0;
        return CUDA_OCC_SUCCESS;
    }
    int warp = (int)heddle_occ_round_up((size_t)f->numRegs * (size_t)device->warpSize, (size_t)unit);
    int even = (int)heddle_occ_round_up((size_t)warps, (size_t)parts); // a block spreads evenly
    r->allocatedRegistersPerBlock = warp * warps;
    // With partitioned caching a block stays within one half of the multiprocessor.
    gang = r->partitionedGCConfig == PARTITIONED_GC_OFF ? 1 : 2;
    if (warp * even > device->regsPerBlock || warp * even > device->regsPerMultiprocessor)
        r->blockLimitRegs = 0;
    else
        r->blockLimitRegs = device->regsPerMultiprocessor / parts / warp * (parts / gang) / warps * gang;
    return CUDA_OCC_SUCCESS;
}

static __OCC_INLINE cudaOccError heddle_occ_shared(cudaOccResult *r, const cudaOccDeviceProp *device,
                                                   const cudaOccFuncAttributes *f, const cudaOccDeviceState *state,
                                                   size_t dynamic)
{
    int unit;
    size_t have, wants = f->sharedSizeBytes + dynamic;
    size_t reserved = device->computeMajor >= 8 ? device->reservedSharedMemPerBlock : 0;
    size_t block = device->sharedMemPerBlock;
    cudaOccError e = cudaOccSMemAllocationGranularity(&unit, device);
    if (e || (e = cudaOccSMemPreference(&have, device, state)) != CUDA_OCC_SUCCESS)
        return e;
    if (device->computeMajor >= 7 && f->shmemLimitConfig == FUNC_SHMEM_LIMIT_OPTIN) { // what the kernel has chosen
        block = device->sharedMemPerBlockOptin;
        if (dynamic > f->maxDynamicSharedSizeBytes)
            block = 0;
    }
    r->allocatedSharedMemPerBlock = heddle_occ_round_up(wants + reserved, (size_t)unit);
    if (wants < dynamic || wants > block) {
        r->blockLimitSharedMem = 0;
        return CUDA_OCC_SUCCESS;
    }
    // A preference gives way to a block that needs more.
    if (r->allocatedSharedMemPerBlock > have)
        have = device->computeMajor >= 7 ? heddle_occ_shared_choice(device, r->allocatedSharedMemPerBlock)
                                         : device->sharedMemPerMultiprocessor;
    r->blockLimitSharedMem = r->allocatedSharedMemPerBlock ? (int)(have / r->allocatedSharedMemPerBlock) : INT_MAX;
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
                                                                         const cudaOccDeviceProp *properties,
                                                                         const cudaOccFuncAttributes *attributes,
                                                                         const cudaOccDeviceState *state, int blockSize,
                                                                         size_t dynamicSmemSize)
{
    if (!result || blockSize <= 0 || !heddle_occ_valid(properties, attributes, state))
        return CUDA_OCC_ERROR_INVALID_INPUT;
    memset((void *)result, 0, sizeof *result);
    cudaOccPartitionedGCSupport partitioned;
    cudaOccError e = cudaOccMaxBlocksPerMultiprocessor(&result->blockLimitBlocks, properties);
    if (e || (e = cudaOccPartitionedGlobalCachingModeSupport(&partitioned, properties)) != CUDA_OCC_SUCCESS)
        return e;
    result->partitionedGCConfig =
        partitioned == PARTITIONED_GC_SUPPORTED ? attributes->partitionedGCConfig : PARTITIONED_GC_OFF;

    int warps = (blockSize - 1) / properties->warpSize + 1;
    int fits = blockSize <= properties->maxThreadsPerBlock && blockSize <= attributes->maxThreadsPerBlock;
    result->blockLimitWarps = fits ? properties->maxThreadsPerMultiprocessor / properties->warpSize / warps : 0;
    e = heddle_occ_registers(result, properties, attributes, warps);
    // Caching that is only preferred is dropped where a block would not run with it.
    if (!e && !result->blockLimitRegs && result->partitionedGCConfig == PARTITIONED_GC_ON) {
        result->partitionedGCConfig = PARTITIONED_GC_OFF;
        e = heddle_occ_registers(result, properties, attributes, warps);
    }
    if (e || (e = heddle_occ_shared(result, properties, attributes, state, dynamicSmemSize)) != CUDA_OCC_SUCCESS)
        return e;
    result->blockLimitBarriers = INT_MAX;
    if (properties->computeMajor >= 9 && attributes->numBlockBarriers > 0)
        result->blockLimitBarriers =
            heddle_occ_barriers(properties, result->blockLimitBlocks) / attributes->numBlockBarriers;
    result->blockLimitVirtual = INT_MAX;
    if (properties->computeMajor >= 10 && attributes->virtualResourceCount > 0)
        result->blockLimitVirtual = 128 / attributes->virtualResourceCount;

    const int limits[] = {result->blockLimitWarps,  result->blockLimitRegs,     result->blockLimitSharedMem,
                          result->blockLimitBlocks, result->blockLimitBarriers, result->blockLimitVirtual};
    int least = limits[0];
    for (int i = 1; i < 6; i++)
        least = limits[i] < least ? limits[i] : least;
    for (int i = 0; i < 6; i++) // the bits of cudaOccLimitingFactor are in this order
        result->limitingFactors |= limits[i] == least ? 1u << i : 0u;
    result->activeBlocksPerMultiprocessor = least;
    return CUDA_OCC_SUCCESS;
}

static __OCC_INLINE cudaOccError cudaOccAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize,
                                                                     const cudaOccDeviceProp *properties,
                                                                     const cudaOccFuncAttributes *attributes,
                                                                     const cudaOccDeviceState *state, int numBlocks,
                                                                     int blockSize)
{
    cudaOccResult result;
    int unit;
    if (!dynamicSmemSize || numBlocks <= 0)
        return CUDA_OCC_ERROR_INVALID_INPUT;
    cudaOccError e = cudaOccMaxActiveBlocksPerMultiprocessor(&result, properties, attributes, state, blockSize, 0);
    if (e || (e = cudaOccSMemAllocationGranularity(&unit, properties)) != CUDA_OCC_SUCCESS)
        return e;
    *dynamicSmemSize = 0;
    if (result.activeBlocksPerMultiprocessor < numBlocks)
        return CUDA_OCC_ERROR_INVALID_INPUT;
    size_t have;
    if ((e = cudaOccSMemPreference(&have, properties, state)) != CUDA_OCC_SUCCESS)
        return e;
    size_t fixed = attributes->sharedSizeBytes;
    size_t reserved = properties->computeMajor >= 8 ? properties->reservedSharedMemPerBlock : 0;
    size_t block = properties->sharedMemPerBlock;
    if (properties->computeMajor >= 7 && attributes->shmemLimitConfig == FUNC_SHMEM_LIMIT_OPTIN &&
        properties->sharedMemPerBlockOptin > block)
        block = properties->sharedMemPerBlockOptin;
    size_t share = have / (size_t)numBlocks / (size_t)unit * (size_t)unit;
    share = share > reserved ? share - reserved : 0;
    share = share > block ? block : share;
    share = share > fixed ? share - fixed : 0;
    *dynamicSmemSize = share < attributes->maxDynamicSharedSizeBytes ? share : attributes->maxDynamicSharedSizeBytes;
    return CUDA_OCC_SUCCESS;
}

// Sizes that are whole warps, the largest first: the smallest grid that fills the device with the most threads.
static __OCC_INLINE cudaOccError heddle_occ_try(int *best, int *min_grid, int *block_size,
                                                const cudaOccDeviceProp *device, const cudaOccFuncAttributes *f,
                                                const cudaOccDeviceState *state, int size, size_t dynamic)
{
    cudaOccResult result;
    cudaOccError e = cudaOccMaxActiveBlocksPerMultiprocessor(&result, device, f, state, size, dynamic);
    int threads = e ? 0 : size * result.activeBlocksPerMultiprocessor;
    if (threads > *best) {
        *best = threads;
        *block_size = size;
        *min_grid = result.activeBlocksPerMultiprocessor * device->numSms;
    }
    return e;
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
    int most, best = 0;                                                                                                \
    cudaOccError e = heddle_occ_most(&most, minGridSize, blockSize, properties, attributes, state);                    \
    if (e)                                                                                                             \
        return e;                                                                                                      \
    *minGridSize = *blockSize = 0;                                                                                     \
    for (int size = (most - 1) / properties->warpSize * properties->warpSize + properties->warpSize;                   \
         !e && size > 0 && best < properties->maxThreadsPerMultiprocessor; size -= properties->warpSize) {             \
        int threads = size < most ? size : most;                                                                       \
        e = heddle_occ_try(&best, minGridSize, blockSize, properties, attributes, state, threads, SHARED(threads));    \
    }                                                                                                                  \
    return e;

#define HEDDLE_OCC_CALL(size) (blockSizeToDynamicSMemSize ? blockSizeToDynamicSMemSize(size) : dynamicSMemSize)
static __OCC_INLINE cudaOccError cudaOccMaxPotentialOccupancyBlockSize(
    int *minGridSize, int *blockSize, const cudaOccDeviceProp *properties, const cudaOccFuncAttributes *attributes,
    const cudaOccDeviceState *state, size_t (*blockSizeToDynamicSMemSize)(int), size_t dynamicSMemSize)
{
    HEDDLE_OCC_SEARCH(HEDDLE_OCC_CALL)
}
#undef HEDDLE_OCC_CALL

#ifdef __cplusplus
namespace
{
template <typename UnaryFunction>
__OCC_INLINE cudaOccError cudaOccMaxPotentialOccupancyBlockSizeVariableSMem(
    int *minGridSize, int *blockSize, const cudaOccDeviceProp *properties, const cudaOccFuncAttributes *attributes,
    const cudaOccDeviceState *state,
    UnaryFunction blockSizeToDynamicSMemSize){HEDDLE_OCC_SEARCH(blockSizeToDynamicSMemSize)}

__OCC_INLINE cudaOccError
    cudaOccMaxPotentialOccupancyBlockSize(int *minGridSize, int *blockSize, const cudaOccDeviceProp *properties,
                                          const cudaOccFuncAttributes *attributes, const cudaOccDeviceState *state,
                                          size_t dynamicSMemSize = 0)
{
    return cudaOccMaxPotentialOccupancyBlockSize(minGridSize, blockSize, properties, attributes, state, NULL,
                                                 dynamicSMemSize);
}
} // namespace
#endif
#undef HEDDLE_OCC_SEARCH
#endif
