// SPDX-License-Identifier: Apache-2.0
// Faults of kernels: reported at the next synchronisation, sticky in their context, gone with it.
#include "common.h"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

// guarded(p, go): *p = 1 where go is not 0
#define PTX_GUARDED                                                                                                    \
    ".visible .entry guarded(.param .u64 p, .param .u32 go) { .reg .pred %p; .reg .b32 %r; .reg .b64 %d;\n"            \
    " ld.param.u64 %d, [p]; ld.param.u32 %r, [go]; setp.ne.u32 %p, %r, 0; @%p st.global.u64 [%d+8], 1; ret; }\n"

static const char text[] = PTX_HEAD PTX_BAD PTX_STOP PTX_PUT PTX_GUARDED;

static CUfunction load(CUmodule *m, const char *name)
{
    CUfunction f = NULL;
    OK(cuModuleLoadData(m, text));
    OK(cuModuleGetFunction(&f, *m, name));
    return f;
}

static void sticky(const char *kernel, CUresult wanted)
{
    CUcontext c, second;
    CUmodule m, m2;
    CUdeviceptr p;
    CUstream s;
    CUevent e;
    size_t size;
    OK(cuCtxCreate(&c, NULL, 0, 0));
    OK(cuMemAlloc(&p, 1024));
    OK(cuStreamCreate(&s, 0));
    OK(cuEventCreate(&e, 0));
    CUfunction f = load(&m, kernel);
    OK(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, s, NULL, NULL));
    EXPECT(cuStreamSynchronize(s), wanted);
    EXPECT(cuStreamQuery(s), wanted);
    EXPECT(cuCtxSynchronize(), wanted);
    EXPECT(cuMemAlloc(&p, 16), wanted);
    EXPECT(cuMemFree(p), wanted);
    EXPECT(cuMemsetD8(p, 0, 1), wanted);
    EXPECT(cuEventRecord(e, s), wanted);
    EXPECT(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, s, NULL, NULL), wanted);
    // the rest of the process goes on
    OK(cuCtxCreate(&second, NULL, 0, 0));
    unsigned v = 9;
    CUdeviceptr q;
    OK(cuMemAlloc(&q, 256));
    CUfunction put = load(&m2, "put");
    void *params[] = {&q, &v};
    OK(cuLaunchKernel(put, 1, 1, 1, 64, 1, 1, 0, 0, params, NULL));
    v = 0;
    OK(cuMemcpyDtoH(&v, q + 252, 4));
    CHECK(v == 9);
    OK(cuCtxDestroy(second));
    OK(cuCtxDestroy(c));
    EXPECT(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT(cuMemGetAddressRange(NULL, &size, p), CUDA_ERROR_INVALID_CONTEXT);
}

static void past_the_end(void)
{
    CUcontext c;
    CUmodule m;
    CUdeviceptr p;
    unsigned v = 1;
    OK(cuCtxCreate(&c, NULL, 0, 0));
    OK(cuMemAlloc(&p, 1 << 16));
    void *params[] = {&p, &v};
    OK(cuLaunchKernel(load(&m, "put"), 1 << 10, 1, 1, 256, 1, 1, 0, 0, params, NULL));
    EXPECT(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
    OK(cuCtxDestroy(c));
}

// The code that counts on aligned arguments and the one that checks them are chosen at each launch.
static void misaligned(void)
{
    CUcontext c;
    CUmodule m;
    CUdeviceptr p, odd;
    unsigned go = 0;
    OK(cuCtxCreate(&c, NULL, 0, 0));
    OK(cuMemAlloc(&p, 1 << 16));
    CUfunction f = load(&m, "guarded");
    odd = p + 4;
    for (int i = 0; i < 20; i++) { // also with the code for all shapes
        void *params[] = {i & 1 ? &p : &odd, &go};
        go = i & 1;
        OK(cuLaunchKernel(f, 1, 1, 1, 1 + (unsigned)i, 1, 1, 0, 0, params, NULL));
        OK(cuCtxSynchronize()); // what is not carried out is no fault
    }
    void *params[] = {&odd, &go};
    OK(cuLaunchKernel(f, 1, 1, 1, 8, 1, 1, 0, 0, params, NULL));
    EXPECT(cuCtxSynchronize(), CUDA_ERROR_MISALIGNED_ADDRESS);
    EXPECT(cuMemAlloc(&p, 16), CUDA_ERROR_MISALIGNED_ADDRESS);
    OK(cuCtxDestroy(c));
}

static void primary_reset(void)
{
    CUcontext c;
    CUmodule m;
    CUdeviceptr p;
    OK(cuDevicePrimaryCtxRetain(&c, 0));
    OK(cuCtxSetCurrent(c));
    OK(cuLaunchKernel(load(&m, "bad"), 1, 1, 1, 1, 1, 1, 0, 0, NULL, NULL));
    EXPECT(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
    OK(cuDevicePrimaryCtxReset(0));
    OK(cuCtxSynchronize());
    OK(cuMemAlloc(&p, 16));
    unsigned v = 3;
    void *params[] = {&p, &v};
    OK(cuLaunchKernel(load(&m, "put"), 1, 1, 1, 4, 1, 1, 0, 0, params, NULL));
    OK(cuCtxSynchronize());
    OK(cuDevicePrimaryCtxRelease(0));
}

// A signal that somebody sends is none of the driver's: it does what it would have done. Returns the status of a process that sends itself
// one behind a kernel.
static int signalled(void (*handler)(int))
{
    int status = 0;
    pid_t child = fork();
    if (!child) {
        CUcontext c;
        CUmodule m;
        signal(SIGSEGV, handler);
        OK(cuInit(0));
        OK(cuCtxCreate(&c, NULL, 0, 0));
        CUfunction bad = load(&m, "bad");
        if (handler == SIG_DFL) {
            OK(cuLaunchKernel(bad, 1, 1, 1, 1, 1, 1, 0, 0, NULL, NULL));
            EXPECT(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
        } else { // a kernel's fault is the driver's then as before
            raise(SIGSEGV);
            OK(cuLaunchKernel(bad, 1, 1, 1, 1, 1, 1, 0, 0, NULL, NULL));
            EXPECT(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
        }
        raise(SIGSEGV);
        _exit(5);
    }
    CHECK(waitpid(child, &status, 0) == child);
    return status;
}

int main(void)
{
    int status = signalled(SIG_DFL);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    status = signalled(SIG_IGN);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 5);
    OK(cuInit(0));
    sticky("bad", CUDA_ERROR_ILLEGAL_ADDRESS);
    sticky("stop", CUDA_ERROR_LAUNCH_FAILED);
    past_the_end();
    misaligned();
    primary_reset();
    return test_summary();
}
