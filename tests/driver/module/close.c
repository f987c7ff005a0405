// SPDX-License-Identifier: Apache-2.0
// A program that opens libcuda by its name, uses it and closes it, as media libraries and probes of devices do, goes on: the
// library's threads live as long as the process. Opened again it is the same library. argv[1]: where it is.
#include <cuda.h>
#include <dlfcn.h>
#include "test.h"
#include <unistd.h>

static const char text[] =
    ".version 7.8\n.target sm_80\n.address_size 64\n"
    ".visible .entry put(.param .u64 p, .param .u32 v) {\n"
    " .reg .b32 %r<6>; .reg .b64 %d<4>;\n"
    " mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.s32 %r4, %r1, %r2, %r3;\n"
    " ld.param.u64 %d1, [p]; ld.param.u32 %r5, [v]; mul.wide.u32 %d2, %r4, 4; add.s64 %d3, %d1, %d2;\n"
    " st.global.u32 [%d3], %r5; ret; }\n";

#define FIND(name, symbol) __typeof__(&name) name##_ = (__typeof__(&name))(uintptr_t)dlsym(library, symbol)

static void use(const char *path, unsigned value)
{
    enum { BLOCKS = 256, LANES = 256 };
    static unsigned got[BLOCKS * LANES];
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    CHECK(library != NULL);
    if (!library)
        return;
    FIND(cuInit, "cuInit");
    FIND(cuCtxCreate_v4, "cuCtxCreate_v4");
    FIND(cuCtxDestroy, "cuCtxDestroy_v2");
    FIND(cuModuleLoadData, "cuModuleLoadData");
    FIND(cuModuleGetFunction, "cuModuleGetFunction");
    FIND(cuMemAlloc, "cuMemAlloc_v2");
    FIND(cuMemcpyDtoH, "cuMemcpyDtoH_v2");
    FIND(cuLaunchKernel, "cuLaunchKernel");
    CUcontext context = NULL;
    CUmodule module = NULL;
    CUfunction put = NULL;
    CUdeviceptr p = 0;
    CHECK(!cuInit_(0) && !cuCtxCreate_v4_(&context, NULL, 0, 0) && !cuModuleLoadData_(&module, text));
    CHECK(!cuModuleGetFunction_(&put, module, "put") && !cuMemAlloc_(&p, sizeof got));
    void *args[] = {&p, &value};
    CHECK(!cuLaunchKernel_(put, BLOCKS, 1, 1, LANES, 1, 1, 0, NULL, args, NULL) && !cuMemcpyDtoH_(got, p, sizeof got));
    CHECK(got[0] == value && got[BLOCKS * LANES - 1] == value);
    CHECK(!cuCtxDestroy_(context));
    CHECK(!dlclose(library));
    usleep(20000); // its threads would fall asleep or wake meanwhile
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    for (unsigned i = 1; argc == 2 && i <= 3; i++)
        use(argv[1], i);
    return test_summary();
}
