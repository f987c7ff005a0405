// SPDX-License-Identifier: Apache-2.0
// The driver API in plain C, compiled by the host's C compiler: a context, a module from PTX, a launch, an event, and what is told about errors. The
// kernel is PTX written by hand; no nvcc takes part.
// Options: -lcuda -lm
#include "../check.h"
#include <cuda.h>
#include <math.h>
#include <string.h>

static const char ptx[] = ".version 7.0\n.target sm_50\n.address_size 64\n"
                          ".visible .entry hypotenuse(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)\n"
                          "{\n"
                          "    .reg .pred %p;\n"
                          "    .reg .b32 %r<5>;\n"
                          "    .reg .f32 %f<4>;\n"
                          "    .reg .b64 %d<8>;\n"
                          "    mov.u32 %r1, %ctaid.x;\n"
                          "    mov.u32 %r2, %ntid.x;\n"
                          "    mov.u32 %r3, %tid.x;\n"
                          "    mad.lo.u32 %r4, %r1, %r2, %r3; // the thread's number in the grid\n"
                          "    ld.param.u32 %r1, [n];\n"
                          "    setp.ge.u32 %p, %r4, %r1;\n"
                          "    @%p bra done;\n"
                          "    ld.param.u64 %d1, [a];\n"
                          "    ld.param.u64 %d2, [b];\n"
                          "    ld.param.u64 %d3, [c];\n"
                          "    mul.wide.u32 %d4, %r4, 4;\n"
                          "    add.s64 %d5, %d1, %d4;\n"
                          "    add.s64 %d6, %d2, %d4;\n"
                          "    add.s64 %d7, %d3, %d4;\n"
                          "    ld.global.f32 %f1, [%d5];\n"
                          "    ld.global.f32 %f2, [%d6];\n"
                          "    mul.f32 %f3, %f1, %f1;\n"
                          "    fma.rn.f32 %f3, %f2, %f2, %f3;\n"
                          "    sqrt.rn.f32 %f3, %f3;\n"
                          "    st.global.f32 [%d7], %f3;\n"
                          "done:\n"
                          "    ret;\n"
                          "}\n";

enum { N = 10000, THREADS = 128 };

int main(void)
{
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction kernel;
    CUevent begin, end;
    CUdeviceptr a, b, c;
    char name[128], log[1024] = "";
    static float ha[N], hb[N], hc[N];
    int version, major, minor;
    unsigned n = N;

    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDeviceGetName(name, sizeof name, device));
    CHECK(cuDriverGetVersion(&version));
    CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    CHECK(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
    printf("%s, compute capability %d.%d, CUDA %d.%d\n", name, major, minor, version / 1000, version % 1000 / 10);
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));

    // A module with a mistake: the assembler's messages come back.
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)sizeof log};
    CUresult r =
        cuModuleLoadDataEx(&module, ".version 7.0\n.target sm_50\n.entry x() { nonsense; }\n", 2, options, values);
    const char *text = "";
    cuGetErrorName(r, &text);
    printf("a wrong module: %s: %.*s\n", text, (int)strcspn(log, "\n"), log);
    int refused = r == CUDA_ERROR_INVALID_PTX && *log;

    CHECK(cuModuleLoadData(&module, ptx));
    CHECK(cuModuleGetFunction(&kernel, module, "hypotenuse"));
    CHECK(cuMemAlloc(&a, sizeof ha));
    CHECK(cuMemAlloc(&b, sizeof hb));
    CHECK(cuMemAlloc(&c, sizeof hc));
    for (int i = 0; i < N; i++) {
        ha[i] = (float)i * 0.5f;
        hb[i] = (float)(N - i);
    }
    CHECK(cuMemcpyHtoD(a, ha, sizeof ha));
    CHECK(cuMemcpyHtoD(b, hb, sizeof hb));
    CHECK(cuEventCreate(&begin, CU_EVENT_DEFAULT));
    CHECK(cuEventCreate(&end, CU_EVENT_DEFAULT));
    void *arguments[] = {&a, &b, &c, &n};
    CHECK(cuEventRecord(begin, 0));
    CHECK(cuLaunchKernel(kernel, (N + THREADS - 1) / THREADS, 1, 1, THREADS, 1, 1, 0, 0, arguments, NULL));
    CHECK(cuEventRecord(end, 0));
    CHECK(cuMemcpyDtoH(hc, c, sizeof hc));
    float ms;
    CHECK(cuEventElapsedTime(&ms, begin, end));
    double worst = 0;
    for (int i = 0; i < N; i++) {
        double want = sqrt((double)ha[i] * ha[i] + (double)hb[i] * hb[i]);
        worst = fmax(worst, fabs(hc[i] / want - 1));
    }
    printf("%d hypotenuses in %.3f ms, largest relative error %.1e\n", N, ms, worst);
    CHECK(cuMemFree(a));
    CHECK(cuMemFree(b));
    CHECK(cuMemFree(c));
    CHECK(cuModuleUnload(module));
    CHECK(cuDevicePrimaryCtxRelease(device));
    return verdict(worst < 3e-7 && refused);
}
