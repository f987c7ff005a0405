// SPDX-License-Identifier: Apache-2.0
// What the driver tests share: checks of results with the error's name, and a few kernels as PTX text.
#ifndef HEDDLE_TEST_DRIVER_COMMON_H
#define HEDDLE_TEST_DRIVER_COMMON_H
#include "test.h"
#include <cuda.h>
#include <stdlib.h>
#include <string.h>

static inline const char *result_name(CUresult result)
{
    const char *name = "?";
    cuGetErrorName(result, &name);
    return name;
}

#define EXPECT(call, wanted) CHECK_RESULT(call, wanted, result_name)
#define OK(call)             EXPECT(call, CUDA_SUCCESS)

#ifdef __SANITIZE_ADDRESS__
// The child of a fork has the sanitizer's list of threads, and neither the threads nor what they were about to unlock: it does not
// look for leaks.
#include <unistd.h>
static pid_t test_process;
__attribute__((constructor)) static void test_process_note(void)
{
    test_process = getpid();
}
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return getpid() != test_process;
}
#endif

#define BAD(type) ((type)(uintptr_t)0x1234560)

static inline CUcontext start(void)
{
    CUdevice device;
    CUcontext context = NULL;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuCtxCreate_v4(&context, NULL, 0, device)); // by its full name, for tests of the forms without a suffix too
    return context;
}

#define PTX_HEAD ".version 7.8\n.target sm_80\n.address_size 64\n"

// add(out, a, b, n): out[i] = a[i] + b[i]
#define PTX_ADD                                                                                                        \
    ".visible .entry add(.param .u64 o, .param .u64 a, .param .u64 b, .param .u32 n) {\n"                              \
    " .reg .pred %p; .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .b64 %d<8>;\n"                                             \
    " mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.s32 %r4, %r1, %r2, %r3;\n"              \
    " ld.param.u32 %r5, [n]; setp.ge.u32 %p, %r4, %r5; @%p bra done;\n"                                                \
    " ld.param.u64 %d1, [o]; ld.param.u64 %d2, [a]; ld.param.u64 %d3, [b]; mul.wide.u32 %d4, %r4, 4;\n"                \
    " add.s64 %d5, %d2, %d4; add.s64 %d6, %d3, %d4; add.s64 %d7, %d1, %d4;\n"                                          \
    " ld.global.f32 %f1, [%d5]; ld.global.f32 %f2, [%d6]; add.f32 %f3, %f1, %f2; st.global.f32 [%d7], %f3;\n"          \
    "done: ret; }\n"

// put(p, v): p[global thread] = v
#define PTX_PUT                                                                                                        \
    ".visible .entry put(.param .u64 p, .param .u32 v) {\n"                                                            \
    " .reg .b32 %r<6>; .reg .b64 %d<4>;\n"                                                                             \
    " mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.s32 %r4, %r1, %r2, %r3;\n"              \
    " ld.param.u64 %d1, [p]; ld.param.u32 %r5, [v]; mul.wide.u32 %d2, %r4, 4; add.s64 %d3, %d1, %d2;\n"                \
    " st.global.u32 [%d3], %r5; ret; }\n"

// count(p): adds 1 to *p, once for each thread
#define PTX_COUNT                                                                                                      \
    ".visible .entry count(.param .u64 p) {\n"                                                                         \
    " .reg .b64 %d<2>; ld.param.u64 %d1, [p]; red.global.add.u32 [%d1], 1; ret; }\n"

// bad(): writes to address 16; stop(): trap
#define PTX_BAD                                                                                                        \
    ".visible .entry bad() { .reg .b64 %d<2>; .reg .b32 %r<2>; mov.u64 %d1, 16; mov.u32 %r1, 7;\n"                     \
    " st.global.u32 [%d1], %r1; ret; }\n"
#define PTX_STOP  ".visible .entry stop() { trap; ret; }\n"
#define PTX_EMPTY ".visible .entry empty() { ret; }\n"
#endif
