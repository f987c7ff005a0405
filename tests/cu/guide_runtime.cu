// SPDX-License-Identifier: Apache-2.0
// The runtime as the programming guides describe it: initialisation, devices and their properties, contexts, errors, limits.
// nvcc: -lcuda -lpthread
#include "check.h"
#include <algorithm>
#include <cuda.h>
#include <thread>

__global__ void nothing() {}
__global__ void setTo(int *p, int v)
{
    p[threadIdx.x] = v;
}
__global__ void bigStatic(int *p)
{
    __shared__ int s[12 * 1024]; // 48 KB, the most for static shared memory
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    p[threadIdx.x] = s[31 - threadIdx.x];
}

static void initialisation()
{
    // Nothing is initialised by these.
    // guide: error and version functions do not initialise
    int version = 0;
    EXPECT(cudaGetLastError() == cudaSuccess);
    EXPECT(cudaGetErrorString(cudaSuccess) != nullptr);
    OK(cudaRuntimeGetVersion(&version));
    EXPECT(version >= 12000);
    OK(cudaDriverGetVersion(&version));
    EXPECT(version >= 12000);
    OK(cudaGetDeviceCount(&version));
    CUcontext context = (CUcontext)1;
    unsigned flags;
    int active = -1;
    EXPECT(cuInit(0) == CUDA_SUCCESS);
    EXPECT(cuDevicePrimaryCtxGetState(0, &flags, &active) == CUDA_SUCCESS && active == 0);
    EXPECT(cuCtxGetCurrent(&context) == CUDA_SUCCESS && context == nullptr);
    // guide: cudaSetDevice initialises runtime and primary context (12.0) | cudaSetDevice | cudaGetDevice
    OK(cudaSetDevice(0));
    EXPECT(cuDevicePrimaryCtxGetState(0, &flags, &active) == CUDA_SUCCESS && active == 1);
    int device = -1;
    OK(cudaGetDevice(&device));
    EXPECT(device == 0);
    // guide: cudaInitDevice
    OK(cudaInitDevice(0, 0, 0));
    EXPECT(cudaInitDevice(9999, 0, 0) == cudaErrorInvalidDevice);
    cudaGetLastError();
    // guide: primary context shared with the driver API
    CUcontext primary;
    EXPECT(cuDevicePrimaryCtxRetain(&primary, 0) == CUDA_SUCCESS);
    EXPECT(cuCtxGetCurrent(&context) == CUDA_SUCCESS && context == primary);
    CUdeviceptr p;
    EXPECT(cuMemAlloc(&p, 128) == CUDA_SUCCESS);
    setTo<<<1, 32>>>((int *)p, 42);
    LAUNCHED();
    int v[32];
    EXPECT(cuMemcpyDtoH(v, p, 128) == CUDA_SUCCESS && v[31] == 42);
    // guide: runtime and driver API mutually exclusive (interoperable today)
    OK(cudaFree((void *)p));
    EXPECT(cuDevicePrimaryCtxRelease(0) == CUDA_SUCCESS);
    // guide: primary context shared by all host threads | implicit initialisation on device 0
    // guide: one device per host thread; resources not shared between host threads (1.1; lifted since 4.0)
    int *shared;
    OK(cudaMalloc(&shared, 128));
    CUcontext other = nullptr;
    std::thread([&] {
        setTo<<<1, 32>>>(shared, 43);
        OK(cudaDeviceSynchronize());
        cuCtxGetCurrent(&other);
    }).join();
    EXPECT(other == context);
    OK(cudaMemcpy(v, shared, 128, cudaMemcpyDeviceToHost));
    EXPECT(v[0] == 43);
    // guide: cudaDeviceReset destroys the primary context | next call after reset makes a new context | cudaDeviceReset at exit
    OK(cudaDeviceReset());
    EXPECT(cuDevicePrimaryCtxGetState(0, &flags, &active) == CUDA_SUCCESS && active == 0);
    EXPECT(cudaFree(shared) == cudaErrorInvalidValue);
    cudaGetLastError();
    OK(cudaMalloc(&shared, 128));
    EXPECT(cuDevicePrimaryCtxGetState(0, &flags, &active) == CUDA_SUCCESS && active == 1);
    OK(cudaFree(shared));
}

// What the structure says and what the attributes say are the same.
static void attributes(int device, const cudaDeviceProp &p)
{
    const struct {
        cudaDeviceAttr attribute;
        size_t property;
    } rows[] = {{cudaDevAttrComputeCapabilityMajor, (size_t)p.major},
                {cudaDevAttrComputeCapabilityMinor, (size_t)p.minor},
                {cudaDevAttrMultiProcessorCount, (size_t)p.multiProcessorCount},
                {cudaDevAttrL2CacheSize, (size_t)p.l2CacheSize},
                {cudaDevAttrGlobalMemoryBusWidth, (size_t)p.memoryBusWidth},
                {cudaDevAttrTotalConstantMemory, p.totalConstMem},
                {cudaDevAttrMaxTexture1DWidth, (size_t)p.maxTexture1D},
                {cudaDevAttrMaxTexture2DWidth, (size_t)p.maxTexture2D[0]},
                {cudaDevAttrMaxTexture2DHeight, (size_t)p.maxTexture2D[1]},
                {cudaDevAttrMaxTexture3DWidth, (size_t)p.maxTexture3D[0]},
                {cudaDevAttrMaxTexture3DHeight, (size_t)p.maxTexture3D[1]},
                {cudaDevAttrMaxTexture3DDepth, (size_t)p.maxTexture3D[2]},
                {cudaDevAttrMaxTexture1DLayeredWidth, (size_t)p.maxTexture1DLayered[0]},
                {cudaDevAttrMaxTexture1DLayeredLayers, (size_t)p.maxTexture1DLayered[1]},
                {cudaDevAttrMaxTexture2DLayeredWidth, (size_t)p.maxTexture2DLayered[0]},
                {cudaDevAttrMaxTexture2DLayeredHeight, (size_t)p.maxTexture2DLayered[1]},
                {cudaDevAttrMaxTexture2DLayeredLayers, (size_t)p.maxTexture2DLayered[2]},
                {cudaDevAttrMaxSharedMemoryPerBlock, p.sharedMemPerBlock},
                {cudaDevAttrMaxSharedMemoryPerMultiprocessor, p.sharedMemPerMultiprocessor},
                {cudaDevAttrMaxRegistersPerBlock, (size_t)p.regsPerBlock},
                {cudaDevAttrMaxRegistersPerMultiprocessor, (size_t)p.regsPerMultiprocessor},
                {cudaDevAttrWarpSize, (size_t)p.warpSize},
                {cudaDevAttrMaxThreadsPerMultiProcessor, (size_t)p.maxThreadsPerMultiProcessor},
                {cudaDevAttrMaxBlocksPerMultiprocessor, (size_t)p.maxBlocksPerMultiProcessor},
                {cudaDevAttrMaxThreadsPerBlock, (size_t)p.maxThreadsPerBlock},
                {cudaDevAttrMaxBlockDimX, (size_t)p.maxThreadsDim[0]},
                {cudaDevAttrMaxBlockDimY, (size_t)p.maxThreadsDim[1]},
                {cudaDevAttrMaxBlockDimZ, (size_t)p.maxThreadsDim[2]},
                {cudaDevAttrMaxGridDimX, (size_t)p.maxGridSize[0]},
                {cudaDevAttrMaxGridDimY, (size_t)p.maxGridSize[1]},
                {cudaDevAttrMaxGridDimZ, (size_t)p.maxGridSize[2]},
                {cudaDevAttrMaxPitch, p.memPitch},
                {cudaDevAttrTextureAlignment, p.textureAlignment},
                {cudaDevAttrSurfaceAlignment, p.surfaceAlignment},
                {cudaDevAttrAsyncEngineCount, (size_t)p.asyncEngineCount},
                {cudaDevAttrCanMapHostMemory, (size_t)p.canMapHostMemory},
                {cudaDevAttrIntegrated, (size_t)p.integrated},
                {cudaDevAttrEccEnabled, (size_t)p.ECCEnabled},
                {cudaDevAttrUnifiedAddressing, (size_t)p.unifiedAddressing},
                {cudaDevAttrPciDomainId, (size_t)p.pciDomainID},
                {cudaDevAttrPciBusId, (size_t)p.pciBusID},
                {cudaDevAttrPciDeviceId, (size_t)p.pciDeviceID}};
    for (auto &row : rows) {
        int value = -1;
        OK(cudaDeviceGetAttribute(&value, row.attribute, device));
        if ((size_t)value != row.property)
            fprintf(stderr, "attribute %d is %d, the property %zu\n", (int)row.attribute, value, row.property);
        EXPECT((size_t)value == row.property);
    }
}

static void devices()
{
    // guide: cudaGetDeviceCount | cudaGetDeviceCount, ids 0..n-1
    int count = 0;
    OK(cudaGetDeviceCount(&count));
    EXPECT(count >= 1);
    for (int i = 0; i < count; i++) {
        // guide: cudaGetDeviceProperties and its 14 fields | compute capability major.minor | deviceQuery: capability major/minor
        cudaDeviceProp p;
        OK(cudaGetDeviceProperties(&p, i));
        EXPECT(p.name[0] && p.major >= 5 && p.minor >= 0);
        attributes(i, p);
        // guide: deviceQuery: total global memory | deviceQuery: multiprocessors | deviceQuery: L2 cache size
        size_t left, total;
        OK(cudaSetDevice(i));
        OK(cudaMemGetInfo(&left, &total));
        EXPECT(p.totalGlobalMem == total && left <= total && p.multiProcessorCount >= 1 && p.l2CacheSize > 0);
        // guide: deviceQuery: memory bus width | deviceQuery: total constant memory | 64 KB constant memory
        EXPECT(p.memoryBusWidth > 0 && p.totalConstMem == 65536);
        // guide: deviceQuery: max texture dimensions 1D/2D/3D | deviceQuery: max layered 1D texture | deviceQuery: max layered 2D texture
        // guide: texture 1D array width 2^13 | texture 2D array 2^16 x 2^15 | texture linear width 2^27
        EXPECT(p.maxTexture1D >= 1 << 13 && p.maxTexture2D[0] >= 1 << 16 && p.maxTexture2D[1] >= 1 << 15 &&
               p.maxTexture3D[0] >= 2048 && p.maxTexture3D[1] >= 2048 && p.maxTexture3D[2] >= 2048);
        EXPECT(p.maxTexture1DLayered[0] >= 1 << 13 && p.maxTexture1DLayered[1] >= 512 &&
               p.maxTexture2DLayered[0] >= 1 << 13 && p.maxTexture2DLayered[1] >= 1 << 13 &&
               p.maxTexture2DLayered[2] >= 512);
        int linear = 0;
        OK(cudaDeviceGetAttribute(&linear, cudaDevAttrMaxTexture1DLinearWidth, i));
        EXPECT(linear >= 1 << 27);
        // guide: deviceQuery: shared memory per block | 16 KB shared memory in 16 banks (48 KB+ today) | deviceQuery: registers per block | 8192 registers
        EXPECT(p.sharedMemPerBlock >= 48 << 10 && p.regsPerBlock >= 8192);
        // guide: deviceQuery: warp size | warp of 32 threads | deviceQuery: max threads per multiprocessor
        // guide: 8 active blocks / 24 warps / 768 threads per SM
        EXPECT(p.warpSize == 32 && p.maxThreadsPerMultiProcessor >= 768 && p.maxBlocksPerMultiProcessor >= 8);
        // guide: deviceQuery: max threads per block | deviceQuery: max block dimensions | deviceQuery: max grid dimensions
        // guide: block dims 512x512x64 | grid dims 65535
        EXPECT(p.maxThreadsPerBlock == 1024 && p.maxThreadsDim[0] == 1024 && p.maxThreadsDim[1] == 1024 &&
               p.maxThreadsDim[2] == 64);
        EXPECT(p.maxGridSize[0] == 0x7fffffff && p.maxGridSize[1] == 65535 && p.maxGridSize[2] == 65535);
        // guide: deviceQuery: max memory pitch | deviceQuery: texture alignment | deviceQuery: surface alignment
        EXPECT(p.memPitch >= 1 << 18 && p.textureAlignment >= 1 && p.surfaceAlignment >= 1);
        // guide: deviceQuery: concurrent copy and kernel execution | deviceQuery: host page-locked memory mapping
        EXPECT(p.asyncEngineCount >= 1 && p.canMapHostMemory == 1);
        // guide: deviceQuery: integrated GPU | deviceQuery: ECC | deviceQuery: unified addressing
        EXPECT((p.integrated == 0 || p.integrated == 1) && (p.ECCEnabled == 0 || p.ECCEnabled == 1) &&
               p.unifiedAddressing == 1);
        // guide: deviceQuery: PCI domain/bus/device id
        char bus[32], want[32];
        int back = -1;
        OK(cudaDeviceGetPCIBusId(bus, sizeof bus, i));
        snprintf(want, sizeof want, "%04X:%02X:%02X.0", p.pciDomainID, p.pciBusID, p.pciDeviceID);
        EXPECT(!strcmp(bus, want));
        OK(cudaDeviceGetByPCIBusId(&back, bus));
        EXPECT(back == i);
        // What CUDA 13 took out of the structure is still an attribute.
        // guide: cudaDeviceProp::clockRate (gone in 13.0) | deviceQuery: GPU clock rate | deviceQuery: memory clock rate
        // guide: deviceQuery: run time limit on kernels | deviceQuery: compute mode
        int clock = 0, memory = 0, limit = -1, mode = -1;
        OK(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, i));
        OK(cudaDeviceGetAttribute(&memory, cudaDevAttrMemoryClockRate, i));
        OK(cudaDeviceGetAttribute(&limit, cudaDevAttrKernelExecTimeout, i));
        OK(cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, i));
        EXPECT(clock > 0 && memory > 0 && limit == 0 && mode == cudaComputeModeDefault);
    }
    OK(cudaSetDevice(0));
    // guide: deviceQuery: driver / runtime version
    int driver, runtime;
    OK(cudaDriverGetVersion(&driver));
    OK(cudaRuntimeGetVersion(&runtime));
    EXPECT(driver >= runtime);
    // guide: cudaChooseDevice
    cudaDeviceProp want = {};
    int chosen = -1;
    want.major = 5;
    OK(cudaChooseDevice(&chosen, &want));
    EXPECT(chosen >= 0 && chosen < count);
    // guide: multi-GPU only of the same type; SLI must be off
    EXPECT(cudaSetDevice(count) == cudaErrorInvalidDevice);
    EXPECT(cudaSetDevice(-1) == cudaErrorInvalidDevice);
    cudaGetLastError();
}

// More blocks, and more work a thread, than the limit that 1.x had on instructions: no such limit is left.
// guide: 2 million instructions per kernel
__global__ void longRunning(unsigned *out, int n)
{
    unsigned v = threadIdx.x;
    for (int i = 0; i < n; i++)
        v = v * 1664525u + 1013904223u;
    out[threadIdx.x] = v;
}

static void errors()
{
    // guide: cudaGetLastError resets to cudaSuccess | cudaGetErrorString | last error is per host thread
    nothing<<<1, 4096>>>();
    cudaError_t elsewhere = cudaErrorUnknown;
    std::thread([&] { elsewhere = cudaGetLastError(); }).join();
    EXPECT(elsewhere == cudaSuccess);
    EXPECT(cudaPeekAtLastError() == cudaErrorInvalidValue);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue && cudaGetLastError() == cudaSuccess);
    EXPECT(strlen(cudaGetErrorString(cudaErrorInvalidValue)) > 3 &&
           strcmp(cudaGetErrorString(cudaErrorInvalidValue), cudaGetErrorString(cudaErrorMemoryAllocation)));
    // guide: kernel that needs too much shared memory does not launch
    Buffer<int> b(32);
    bigStatic<<<1, 32>>>(b);
    LAUNCHED();
    EXPECT(b.get()[0] == 31);
    bigStatic<<<1, 32, 1 << 20>>>(b);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    Buffer<unsigned> u(32);
    longRunning<<<1, 32>>>(u, 3000000);
    LAUNCHED();
    unsigned v = 7;
    for (int i = 0; i < 3000000; i++)
        v = v * 1664525u + 1013904223u;
    EXPECT(u.get()[7] == v);
    // guide: cudaDeviceSynchronize | every __global__ call needs a configuration
    setTo<<<1, 32>>>(b, 5);
    OK(cudaDeviceSynchronize());
    EXPECT(b.get()[3] == 5);
    // guide: occupancy | registers per thread formula | block size multiple of 64 | register dependencies, 192 threads
    // The blocks of a multiprocessor are limited by its threads, its blocks, its shared memory and its registers, which come
    // in units of 256 for a warp.
    cudaDeviceProp p;
    OK(cudaGetDeviceProperties(&p, 0));
    for (int threads : {64, 192, 256, 1024}) {
        cudaFuncAttributes few, much;
        OK(cudaFuncGetAttributes(&few, nothing));
        OK(cudaFuncGetAttributes(&much, bigStatic));
        EXPECT(few.sharedSizeBytes == 0 && much.sharedSizeBytes == 48 << 10 && much.numRegs >= few.numRegs &&
               few.numRegs > 0);
        int most = std::min(p.maxThreadsPerMultiProcessor / threads, p.maxBlocksPerMultiProcessor), blocks = 0;
        int registers = p.regsPerMultiprocessor / ((much.numRegs * 32 + 255) / 256 * 256 * (threads / 32));
        int shared = (int)(p.sharedMemPerMultiprocessor / (much.sharedSizeBytes + p.reservedSharedMemPerBlock));
        OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, threads, 0));
        EXPECT(blocks == most);
        OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bigStatic, threads, 0));
        EXPECT(blocks == std::min(most, std::min(registers, shared)));
    }
    // guide: dereferencing a wrong-space pointer fails | synchronise returns the error of an earlier task
    void *none;
    setTo<<<1, 1>>>((int *)16, 1);
    cudaError_t e = cudaDeviceSynchronize();
    EXPECT(e == cudaErrorIllegalAddress);
    EXPECT(cudaMalloc(&none, 4) == cudaErrorIllegalAddress); // the context is gone until the process ends
}

int main()
{
    initialisation();
    devices();
    errors();
    return DONE();
}
