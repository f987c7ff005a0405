// SPDX-License-Identifier: Apache-2.0
// A program that calls the runtime and the driver, with -lcuda: both are one driver, whichever libraries the loader finds.
// Prints the device's name by both; status 1: they are not of one driver.
#include <cstdio>
#include <cstring>
#include <cuda.h>

int main()
{
    char name[256] = "none";
    cudaDeviceProp p;
    CUcontext context = nullptr;
    CUdevice device = -1;
    CUdeviceptr memory = 0;
    int count = 0, version = 0, theirs = 0;
    CUresult first = cuInit(0);
    if (first) {
        printf("cuInit %d, cudaGetDeviceCount %d\n", (int)first, (int)cudaGetDeviceCount(&count));
        return 0;
    }
    bool same = !cudaFree(nullptr) && !cuCtxGetCurrent(&context) && context && !cuCtxGetDevice(&device) && device == 0;
    same = same && !cuDeviceGetName(name, sizeof name, 0) && !cudaGetDeviceProperties(&p, 0) && !strcmp(name, p.name);
    same = same && !cuDriverGetVersion(&version) && !cudaDriverGetVersion(&theirs) && version == theirs;
    same =
        same && !cuMemAlloc(&memory, 1 << 20) && !cudaMemset((void *)memory, 1, 1 << 20) && !cudaFree((void *)memory);
    printf("%s\n", name);
    return !same;
}
