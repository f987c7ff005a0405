// SPDX-License-Identifier: Apache-2.0
// cuda_occupancy.h: its figures are those of the runtime for kernels of several shapes, and known ones for known
// devices.
#include <cstdio>
#include <cuda_occupancy.h>
#include <cuda_runtime.h>

static int failures;

static void expect(const char *what, long got, long wanted)
{
    if (got != wanted) {
        printf("%s: %ld, expected %ld\n", what, got, wanted);
        failures++;
    }
}

__global__ void plain(float *x)
{
    x[threadIdx.x] *= 2;
}

__global__ void fixed_shared(float *x)
{
    __shared__ float tile[3000];
    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void __launch_bounds__(256) dynamic_shared(float *x)
{
    extern __shared__ float tile[];
    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

static size_t four_for_each(int threads)
{
    return 4 * static_cast<size_t>(threads);
}

struct for_each {
    size_t each;
    size_t operator()(int threads) const
    {
        return each * static_cast<size_t>(threads);
    }
};

template <typename Kernel> static void compare(const char *name, Kernel kernel, const cudaOccDeviceProp &device)
{
    cudaFuncAttributes raw;
    expect("cudaFuncGetAttributes", cudaFuncGetAttributes(&raw, kernel), cudaSuccess);
    cudaOccFuncAttributes attributes(raw);
    cudaOccDeviceState state;
    const int sizes[] = {1, 32, 33, 96, 128, 250, 256};
    const size_t bytes[] = {0, 1, 1000, 20000, 30000};
    for (int size : sizes)
        for (size_t shared : bytes) {
            int blocks = -1;
            cudaOccResult result;
            cudaOccError e =
                cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &attributes, &state, size, shared);
            expect("error", e, CUDA_OCC_SUCCESS);
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, size, shared);
            if (blocks != result.activeBlocksPerMultiprocessor)
                printf("%s, %d threads, %zu bytes, %d registers: ", name, size, shared, raw.numRegs);
            expect("blocks", result.activeBlocksPerMultiprocessor, blocks);
        }
    int grid = 0, block = 0, header_grid = 0, header_block = 0;
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 0);
    cudaOccMaxPotentialOccupancyBlockSize(&header_grid, &header_block, &device, &attributes, &state);
    expect("grid", header_grid, grid);
    expect("block", header_block, block);
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, kernel, four_for_each);
    cudaOccMaxPotentialOccupancyBlockSize(&header_grid, &header_block, &device, &attributes, &state, four_for_each, 0);
    expect("grid with a function", header_grid, grid);
    expect("block with a function", header_block, block);
    for_each functor = {4};
    cudaOccMaxPotentialOccupancyBlockSizeVariableSMem(&header_grid, &header_block, &device, &attributes, &state,
                                                      functor);
    expect("grid with a functor", header_grid, grid);
    expect("block with a functor", header_block, block);
}

// An A100, by figures alone; the expected numbers are the arithmetic done by hand.
static void by_hand()
{
    cudaOccDeviceProp device;
    device.computeMajor = 8;
    device.maxThreadsPerBlock = 1024;
    device.maxThreadsPerMultiprocessor = 2048;
    device.regsPerBlock = device.regsPerMultiprocessor = 65536;
    device.warpSize = 32;
    device.sharedMemPerBlock = 48 << 10;
    device.sharedMemPerMultiprocessor = 164 << 10;
    device.sharedMemPerBlockOptin = 163 << 10;
    device.reservedSharedMemPerBlock = 1 << 10;
    device.numSms = 108;
    cudaOccFuncAttributes f;
    f.maxThreadsPerBlock = 1024;
    f.numRegs = 40; // 1280 a warp, 12 warps in each quarter
    f.numBlockBarriers = 1;
    cudaOccDeviceState state;
    cudaOccResult r;
    int grid = 0, block = 0;
    size_t shared = 0;
    expect("registers", cudaOccMaxActiveBlocksPerMultiprocessor(&r, &device, &f, &state, 96, 0), CUDA_OCC_SUCCESS);
    expect("blocks by registers", r.activeBlocksPerMultiprocessor, 16);
    expect("registers of a block", r.allocatedRegistersPerBlock, 3840);
    expect("factor: registers", r.limitingFactors, OCC_LIMIT_REGISTERS);
    expect("limit of warps", r.blockLimitWarps, 21);
    f.numRegs = 32;
    cudaOccMaxActiveBlocksPerMultiprocessor(&r, &device, &f, &state, 64, 0);
    expect("factors of a full device", r.limitingFactors, OCC_LIMIT_WARPS | OCC_LIMIT_REGISTERS | OCC_LIMIT_BLOCKS);
    cudaOccMaxActiveBlocksPerMultiprocessor(&r, &device, &f, &state, 256, 40000);
    expect("blocks by shared memory", r.activeBlocksPerMultiprocessor, 4);
    expect("shared memory of a block", static_cast<long>(r.allocatedSharedMemPerBlock), 41088);
    expect("factor: shared memory", r.limitingFactors, OCC_LIMIT_SHARED_MEMORY);
    state.carveoutConfig = SHAREDMEM_CARVEOUT_HALF; // 82 KiB: 100 is the next size
    cudaOccMaxActiveBlocksPerMultiprocessor(&r, &device, &f, &state, 256, 40000);
    expect("blocks by half the shared memory", r.activeBlocksPerMultiprocessor, 2);
    state.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_L1; // 64 KiB hold one
    cudaOccMaxActiveBlocksPerMultiprocessor(&r, &device, &f, &state, 256, 40000);
    expect("blocks by the least shared memory", r.activeBlocksPerMultiprocessor, 1);
    state.carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT;
    cudaOccMaxActiveBlocksPerMultiprocessor(&r, &device, &f, &state, 256, 50000);
    expect("too much shared memory", r.activeBlocksPerMultiprocessor, 0);
    f.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    f.maxDynamicSharedSizeBytes = 163 << 10;
    cudaOccMaxActiveBlocksPerMultiprocessor(&r, &device, &f, &state, 256, 50000);
    expect("more shared memory by choice", r.activeBlocksPerMultiprocessor, 3);
    expect("size", cudaOccMaxPotentialOccupancyBlockSize(&grid, &block, &device, &f, &state), CUDA_OCC_SUCCESS);
    expect("size: block", block, 1024);
    expect("size: grid", grid, 216);
    cudaOccAvailableDynamicSMemPerBlock(&shared, &device, &f, &state, 2, 256);
    // CUDA's header leaves out what the driver reserves of the 82 KiB.
    expect("free shared memory", shared == 81 << 10 || shared == 82 << 10, true);
    f.maxDynamicSharedSizeBytes = 1000;
    cudaOccAvailableDynamicSMemPerBlock(&shared, &device, &f, &state, 2, 256);
    expect("free shared memory of a kernel with a bound", static_cast<long>(shared), 1000);
    expect("no blocks", cudaOccMaxActiveBlocksPerMultiprocessor(&r, &device, &f, &state, 0, 0),
           CUDA_OCC_ERROR_INVALID_INPUT);
    expect("rounding", __occRoundUp(9, 4) + 100 * __occDivideRoundUp(8, 4) + 1000 * __occMin(7, 5), 5212);
    device.computeMajor = 99;
    expect("device", cudaOccMaxActiveBlocksPerMultiprocessor(&r, &device, &f, &state, 1, 0),
           CUDA_OCC_ERROR_UNKNOWN_DEVICE);
}

int main()
{
    cudaDeviceProp raw;
    if (cudaGetDeviceProperties(&raw, 0) != cudaSuccess)
        return 1;
    cudaOccDeviceProp device(raw);
    compare("plain", plain, device);
    compare("fixed_shared", fixed_shared, device);
    compare("dynamic_shared", dynamic_shared, device);
    by_hand();
    puts(failures ? "FAILED" : "passed");
    return failures != 0;
}
