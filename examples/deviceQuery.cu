// SPDX-License-Identifier: Apache-2.0
// What the devices are, in the lines that CUDA users know from the sample of this name.
#include <cstdio>
#include <cuda_runtime.h>

static const char *yes(int v)
{
    return v ? "Yes" : "No";
}

static int attribute(cudaDeviceAttr a, int device)
{
    int v = 0;
    cudaDeviceGetAttribute(&v, a, device);
    return v;
}

static const char *const compute_modes[] = {
    "Default (multiple host threads can use ::cudaSetDevice() with device simultaneously)",
    "Exclusive (only one host thread in one process is able to use ::cudaSetDevice() with this device)",
    "Prohibited (no host thread can use ::cudaSetDevice() with this device)",
    "Exclusive Process (many threads in one process is able to use ::cudaSetDevice() with this device)"};

int main(int, char **argv)
{
    int count = 0, driver = 0, runtime = 0;
    std::printf("%s Starting...\n\n CUDA Device Query (Runtime API) version (CUDART static linking)\n\n", argv[0]);
    cudaError_t e = cudaGetDeviceCount(&count);
    if (e != cudaSuccess) {
        std::printf("cudaGetDeviceCount returned %d\n-> %s\nResult = FAIL\n", (int)e, cudaGetErrorString(e));
        return 1;
    }
    std::printf(count ? "Detected %d CUDA Capable device(s)\n" : "There are no available device(s) that support CUDA\n",
                count);
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    for (int d = 0; d < count; d++) {
        cudaDeviceProp p;
        if (cudaGetDeviceProperties(&p, d) != cudaSuccess)
            return 1;
        int clock = attribute(cudaDevAttrClockRate, d), memory = attribute(cudaDevAttrMemoryClockRate, d);
        std::printf("\nDevice %d: \"%s\"\n", d, p.name);
        std::printf("  CUDA Driver Version / Runtime Version          %d.%d / %d.%d\n", driver / 1000,
                    driver % 100 / 10, runtime / 1000, runtime % 100 / 10);
        std::printf("  CUDA Capability Major/Minor version number:    %d.%d\n", p.major, p.minor);
        std::printf("  Total amount of global memory:                 %.0f MBytes (%llu bytes)\n",
                    p.totalGlobalMem / 1048576.0, (unsigned long long)p.totalGlobalMem);
        std::printf("  (%2d) Multiprocessors\n", p.multiProcessorCount);
        std::printf("  GPU Max Clock rate:                            %.0f MHz (%0.2f GHz)\n", clock * 1e-3,
                    clock * 1e-6);
        std::printf("  Memory Clock rate:                             %.0f Mhz\n", memory * 1e-3);
        std::printf("  Memory Bus Width:                              %d-bit\n", p.memoryBusWidth);
        std::printf("  L2 Cache Size:                                 %d bytes\n", p.l2CacheSize);
        std::printf("  Maximum Texture Dimension Size (x,y,z)         1D=(%d), 2D=(%d, %d), 3D=(%d, %d, %d)\n",
                    p.maxTexture1D, p.maxTexture2D[0], p.maxTexture2D[1], p.maxTexture3D[0], p.maxTexture3D[1],
                    p.maxTexture3D[2]);
        std::printf("  Maximum Layered 1D Texture Size, (num) layers  1D=(%d), %d layers\n", p.maxTexture1DLayered[0],
                    p.maxTexture1DLayered[1]);
        std::printf("  Maximum Layered 2D Texture Size, (num) layers  2D=(%d, %d), %d layers\n",
                    p.maxTexture2DLayered[0], p.maxTexture2DLayered[1], p.maxTexture2DLayered[2]);
        std::printf("  Total amount of constant memory:               %zu bytes\n", p.totalConstMem);
        std::printf("  Total amount of shared memory per block:       %zu bytes\n", p.sharedMemPerBlock);
        std::printf("  Total shared memory per multiprocessor:        %zu bytes\n", p.sharedMemPerMultiprocessor);
        std::printf("  Total number of registers available per block: %d\n", p.regsPerBlock);
        std::printf("  Warp size:                                     %d\n", p.warpSize);
        std::printf("  Maximum number of threads per multiprocessor:  %d\n", p.maxThreadsPerMultiProcessor);
        std::printf("  Maximum number of threads per block:           %d\n", p.maxThreadsPerBlock);
        std::printf("  Max dimension size of a thread block (x,y,z): (%d, %d, %d)\n", p.maxThreadsDim[0],
                    p.maxThreadsDim[1], p.maxThreadsDim[2]);
        std::printf("  Max dimension size of a grid size    (x,y,z): (%d, %d, %d)\n", p.maxGridSize[0],
                    p.maxGridSize[1], p.maxGridSize[2]);
        std::printf("  Maximum memory pitch:                          %zu bytes\n", p.memPitch);
        std::printf("  Texture alignment:                             %zu bytes\n", p.textureAlignment);
        std::printf("  Concurrent copy and kernel execution:          %s with %d copy engine(s)\n",
                    yes(p.asyncEngineCount), p.asyncEngineCount);
        std::printf("  Run time limit on kernels:                     %s\n",
                    yes(attribute(cudaDevAttrKernelExecTimeout, d)));
        std::printf("  Integrated GPU sharing Host Memory:            %s\n", yes(p.integrated));
        std::printf("  Support host page-locked memory mapping:       %s\n", yes(p.canMapHostMemory));
        std::printf("  Alignment requirement for Surfaces:            %s\n", yes(p.surfaceAlignment != 0));
        std::printf("  Device has ECC support:                        %s\n", p.ECCEnabled ? "Enabled" : "Disabled");
        std::printf("  Device supports Unified Addressing (UVA):      %s\n", yes(p.unifiedAddressing));
        std::printf("  Device supports Managed Memory:                %s\n", yes(p.managedMemory));
        std::printf("  Supports Cooperative Kernel Launch:            %s\n", yes(p.cooperativeLaunch));
        std::printf("  Device PCI Domain ID / Bus ID / location ID:   %d / %d / %d\n", p.pciDomainID, p.pciBusID,
                    p.pciDeviceID);
        std::printf("  Compute Mode:\n     < %s >\n", compute_modes[attribute(cudaDevAttrComputeMode, d) & 3]);
    }
    std::printf("\ndeviceQuery, CUDA Driver = CUDART, CUDA Driver Version = %d.%d, CUDA Runtime Version = %d.%d, "
                "NumDevs = %d\n",
                driver / 1000, driver % 100 / 10, runtime / 1000, runtime % 100 / 10, count);
    std::printf("Result = PASS\n");
    return 0;
}
