// SPDX-License-Identifier: Apache-2.0
// Compilation at run time, in C++ that a plain compiler takes: a formula of the command line becomes a kernel, which is a template whose instance is
// asked for by name.
// Options: -lnvrtc -lcuda
#include "../check.h"
#include <cmath>
#include <cuda.h>
#include <nvrtc.h>
#include <string>
#include <vector>

static std::string compile(const std::string &source, const char *instance, std::string &mangled)
{
    nvrtcProgram program;
    CHECK(nvrtcCreateProgram(&program, source.c_str(), "formula.cu", 0, nullptr, nullptr));
    CHECK(nvrtcAddNameExpression(program, instance));
    const char *options[] = {"--gpu-architecture=compute_75", "--std=c++17"};
    nvrtcResult r = nvrtcCompileProgram(program, 2, options);
    size_t size;
    CHECK(nvrtcGetProgramLogSize(program, &size));
    std::string log(size, 0), ptx;
    CHECK(nvrtcGetProgramLog(program, &log[0]));
    if (r == NVRTC_SUCCESS) {
        const char *name;
        CHECK(nvrtcGetLoweredName(program, instance, &name));
        mangled = name;
        CHECK(nvrtcGetPTXSize(program, &size));
        ptx.resize(size);
        CHECK(nvrtcGetPTX(program, &ptx[0]));
    } else {
        printf("%s:\n%s", nvrtcGetErrorString(r), log.c_str());
    }
    CHECK(nvrtcDestroyProgram(&program));
    return ptx;
}
static std::string kernel_of(const std::string &formula)
{
    return "template <class T> __device__ T f(T x) { return " + formula + "; }\n" +
           "template <class T> __global__ void trapezes(T a, T step, int n, T *sum)\n"
           "{\n"
           "    T mine = 0;\n"
           "    for (int i = threadIdx.x; i < n; i += blockDim.x)\n"
           "        mine += step * (f(a + i * step) + f(a + (i + 1) * step)) / 2;\n"
           "    atomicAdd(sum, mine);\n"
           "}\n";
}

int main(int argc, char **argv)
{
    const std::string formula = argc > 1 ? argv[1] : "sin(x) * exp(-x)";
    std::string name, other;
    bool refused = compile(kernel_of("sin(y)"), "trapezes<double>", other).empty(); // there is no y: the log says so
    std::string ptx = compile(kernel_of(formula), "trapezes<double>", name);
    if (ptx.empty())
        return verdict(0);

    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction kernel;
    CUdeviceptr sum;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuModuleLoadData(&module, ptx.c_str()));
    CHECK(cuModuleGetFunction(&kernel, module, name.c_str()));
    CHECK(cuMemAlloc(&sum, sizeof(double)));
    CHECK(cuMemsetD8(sum, 0, sizeof(double)));
    double from = 0, to = 3, got;
    int n = 100000;
    double step = (to - from) / n;
    void *arguments[] = {&from, &step, &n, &sum};
    CHECK(cuLaunchKernel(kernel, 1, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(cuMemcpyDtoH(&got, sum, sizeof got));
    printf("%s: the integral of %s from 0 to 3 is %.9f\n", name.c_str(), formula.c_str(), got);
    double want = (1 - std::exp(-3.0) * (std::sin(3.0) + std::cos(3.0))) / 2;
    CHECK(cuMemFree(sum));
    CHECK(cuModuleUnload(module));
    CHECK(cuDevicePrimaryCtxRelease(device));
    return verdict(refused && (argc > 1 || std::fabs(got - want) < 1e-9));
}
