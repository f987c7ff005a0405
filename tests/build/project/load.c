// SPDX-License-Identifier: Apache-2.0
#include <cuda.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction function;
    CUdeviceptr p;
    int value = 0;
    void *arguments[] = {&p};
    if (argc != 2 || cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) ||
        cuCtxSetCurrent(context) || cuModuleLoad(&module, argv[1]) ||
        cuModuleGetFunction(&function, module, "answer") || cuMemAlloc(&p, sizeof value) ||
        cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, arguments, 0) || cuMemcpyDtoH(&value, p, sizeof value))
        return 1;
    printf("%d\n", value);
    return value != 42;
}
