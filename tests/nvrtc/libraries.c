// SPDX-License-Identifier: Apache-2.0
// CUDA's C++ libraries in a source compiled at run time, where the SDK has them: they need no option.
#include "common.h"
#include "../driver/common.h"
#include <unistd.h>

static const char source[] =
    "#include <cub/block/block_reduce.cuh>\n#include <cub/block/block_scan.cuh>\n"
    "#include <cuda/std/complex>\n#include <cuda/std/tuple>\n#include <cuda/std/cstdint>\n"
    "template <int N> __global__ void k(int *p)\n{\n"
    "    typedef cub::BlockReduce<int, N> Reduce;\n    __shared__ typename Reduce::TempStorage t;\n"
    "    int sum = Reduce(t).Sum(threadIdx.x);\n"
    "    typedef cub::BlockScan<int, N> Scan;\n    __shared__ typename Scan::TempStorage u;\n"
    "    int before;\n    Scan(u).ExclusiveSum(1, before);\n"
    "    cuda::std::complex<float> c(1, 2);\n    c *= c;\n"
    "    auto pair = cuda::std::make_tuple(1, 2.0f);\n"
    "    if (threadIdx.x == 0)\n        p[0] = sum;\n"
    "    if (threadIdx.x == N - 1)\n        p[1] = before + (int)c.real() + cuda::std::get<0>(pair);\n}\n";

int main(void)
{
    if (access(SDK_INCLUDE "/cccl/cuda/std/complex", R_OK)) {
        puts("skipped: the SDK has no libcu++ (./dev setup brings it)");
        return 77;
    }
    const char *options[] = {"-arch=compute_80"}, *name = NULL;
    CUcontext context = start();
    CUmodule module;
    CUfunction function;
    CUdeviceptr d;
    nvrtcProgram p;
    int out[2] = {0};
    RTC_OK(nvrtcCreateProgram(&p, source, "libraries.cu", 0, NULL, NULL));
    RTC_OK(nvrtcAddNameExpression(p, "k<128>"));
    RTC_OK(nvrtcCompileProgram(p, 1, options));
    char *log = rtc_log(p), *ptx = rtc_ptx(p);
    CHECK(!*log);
    if (*log)
        fprintf(stderr, "%.2000s\n", log);
    RTC_OK(nvrtcGetLoweredName(p, "k<128>", &name));
    OK(cuModuleLoadData(&module, ptx));
    OK(cuModuleGetFunction(&function, module, name));
    OK(cuMemAlloc(&d, sizeof out));
    void *args[] = {&d};
    OK(cuLaunchKernel(function, 1, 1, 1, 128, 1, 1, 0, NULL, args, NULL));
    OK(cuMemcpyDtoH(out, d, sizeof out));
    CHECK_INT(out[0], 127 * 64);
    CHECK_INT(out[1], 127 - 3 + 1);
    free(log);
    free(ptx);
    RTC_OK(nvrtcDestroyProgram(&p));
    OK(cuCtxDestroy(context));
    return test_summary();
}
