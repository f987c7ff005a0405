// SPDX-License-Identifier: Apache-2.0
// The driver interface with a module in PTX text.
// nvcc: -lcuda
#include "check.h"
#include <cuda.h>

static const char text[] = R"(
.version 7.0
.target sm_52
.address_size 64
.global .align 4 .u32 total = 5;
.visible .entry scale(.param .u64 p, .param .f32 f, .param .u32 n)
{
    .reg .pred %p<2>;
    .reg .f32 %f<4>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [p];
    ld.param.f32 %f1, [f];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p1, %r5, %r1;
    @%p1 bra DONE;
    cvta.to.global.u64 %rd2, %rd1;
    mul.wide.u32 %rd3, %r5, 4;
    add.s64 %rd4, %rd2, %rd3;
    ld.global.f32 %f2, [%rd4];
    mul.rn.f32 %f3, %f2, %f1;
    st.global.f32 [%rd4], %f3;
DONE:
    ret;
}
)";

#define CU(call) EXPECT((call) == CUDA_SUCCESS)

int main()
{
    CUdevice dev;
    CUcontext ctx;
    CUmodule mod;
    CUfunction fn;
    CU(cuInit(0));
    CU(cuDeviceGet(&dev, 0));
    CU(cuDevicePrimaryCtxRetain(&ctx, dev));
    CU(cuCtxSetCurrent(ctx));
    CU(cuModuleLoadData(&mod, text));
    CU(cuModuleGetFunction(&fn, mod, "scale"));
    EXPECT(cuModuleGetFunction(&fn, mod, "none") == CUDA_ERROR_NOT_FOUND);
    CU(cuModuleGetFunction(&fn, mod, "scale"));
    CUdeviceptr total;
    size_t size;
    CU(cuModuleGetGlobal(&total, &size, mod, "total"));
    unsigned value = 0;
    CU(cuMemcpyDtoH(&value, total, 4));
    EXPECT(size == 4 && value == 5);
    CUdeviceptr p;
    unsigned n = 1000;
    float factor = 1.5f;
    std::vector<float> v(n);
    for (unsigned i = 0; i < n; i++)
        v[i] = i;
    CU(cuMemAlloc(&p, n * 4));
    CU(cuMemcpyHtoD(p, v.data(), n * 4));
    void *args[] = {&p, &factor, &n};
    CU(cuLaunchKernel(fn, 8, 1, 1, 128, 1, 1, 0, 0, args, 0));
    CU(cuCtxSynchronize());
    CU(cuMemcpyDtoH(v.data(), p, n * 4));
    bool right = true;
    for (unsigned i = 0; i < n; i++)
        right &= v[i] == i * 1.5f;
    EXPECT(right);
    struct {
        CUdeviceptr p;
        float f;
        unsigned n;
    } packed = {p, 2, n};
    size_t bytes = sizeof packed;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    CU(cuLaunchKernel(fn, 10, 1, 1, 100, 1, 1, 0, 0, 0, extra));
    CU(cuMemcpyDtoH(v.data(), p, n * 4));
    EXPECT(v[999] == 999 * 3.0f);
    char log[1024] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)sizeof log};
    CUmodule bad;
    EXPECT(cuModuleLoadDataEx(&bad, ".version 7.0\n.target sm_52\n.address_size 64\n.entry x() { bogus.u32 %r1; }", 2,
                              options, values) == CUDA_ERROR_INVALID_PTX);
    EXPECT(std::strstr(log, "4") != nullptr);
    CU(cuMemFree(p));
    CU(cuModuleUnload(mod));
    CU(cuDevicePrimaryCtxRelease(dev));
    return DONE();
}
