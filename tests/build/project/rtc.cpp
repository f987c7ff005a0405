// SPDX-License-Identifier: Apache-2.0
#include <cuda.h>
#include <nvrtc.h>
#include <string>

int main()
{
    const char *source = "extern \"C\" __global__ void answer(int *p) { p[threadIdx.x] = threadIdx.x + 1; }";
    nvrtcProgram program;
    size_t size;
    if (nvrtcCreateProgram(&program, source, "answer.cu", 0, nullptr, nullptr) ||
        nvrtcCompileProgram(program, 0, nullptr) || nvrtcGetPTXSize(program, &size))
        return 1;
    std::string ptx(size, 0);
    if (nvrtcGetPTX(program, &ptx[0]) || nvrtcDestroyProgram(&program))
        return 2;
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction function;
    CUdeviceptr p;
    int values[8] = {};
    void *arguments[] = {&p};
    if (cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) ||
        cuCtxSetCurrent(context) || cuModuleLoadData(&module, ptx.c_str()) ||
        cuModuleGetFunction(&function, module, "answer") || cuMemAlloc(&p, sizeof values) ||
        cuLaunchKernel(function, 1, 1, 1, 8, 1, 1, 0, 0, arguments, 0) || cuMemcpyDtoH(values, p, sizeof values))
        return 3;
    return values[7] != 8;
}
