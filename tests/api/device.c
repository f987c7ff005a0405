// SPDX-License-Identifier: Apache-2.0
// libcudart on our own driver, from C: code loaded as PTX, every kind of memory and copy, streams from eight host
// threads at once, and the errors that CUDA documents for bad calls and for kernels that fail.
#include "test.h"
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char ptx[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                          ".visible .global .align 4 .b32 total;\n"
                          // scale(float *p, float k, int n): p[i] *= k, and counts its threads in total
                          ".visible .entry scale(.param .u64 P, .param .f32 K, .param .u32 N)\n{\n"
                          "  .reg .pred %p<2>; .reg .f32 %f<4>; .reg .b32 %r<8>; .reg .b64 %d<6>;\n"
                          "  ld.param.u64 %d1, [P]; ld.param.f32 %f1, [K]; ld.param.u32 %r1, [N];\n"
                          "  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"
                          "  mad.lo.s32 %r5, %r2, %r3, %r4; setp.ge.s32 %p1, %r5, %r1; @%p1 bra DONE;\n"
                          "  cvta.to.global.u64 %d2, %d1; mul.wide.s32 %d3, %r5, 4; add.s64 %d4, %d2, %d3;\n"
                          "  ld.global.f32 %f2, [%d4]; mul.f32 %f3, %f2, %f1; st.global.f32 [%d4], %f3;\n"
                          "  mov.u64 %d5, total; atom.global.add.u32 %r6, [%d5], 1;\n"
                          "DONE: ret;\n}\n"
                          // store(int *p): *p = 1, wherever p points
                          ".visible .entry store(.param .u64 P)\n{\n"
                          "  .reg .b32 %r<2>; .reg .b64 %d<3>;\n"
                          "  ld.param.u64 %d1, [P]; cvta.to.global.u64 %d2, %d1; mov.u32 %r1, 1;\n"
                          "  st.global.u32 [%d2], %r1; ret;\n}\n";

static cudaLibrary_t library;
static cudaKernel_t scale, store;
static const dim3 one = {1, 1, 1};

static void test_load(void)
{
    unsigned count = 0;
    cudaKernel_t none;
    CHECK(cudaLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0) == cudaSuccess);
    CHECK(cudaLibraryGetKernel(&scale, library, "scale") == cudaSuccess);
    CHECK(cudaLibraryGetKernel(&store, library, "store") == cudaSuccess);
    CHECK(cudaLibraryGetKernel(&none, library, "nothing") == cudaErrorSymbolNotFound);
    CHECK(cudaLibraryGetKernelCount(&count, library) == cudaSuccess && count == 2);
    cudaLibrary_t bad;
    CHECK(cudaLibraryLoadData(&bad, "not PTX at all", NULL, NULL, 0, NULL, NULL, 0) == cudaErrorInvalidKernelImage);
    cudaGetLastError();
}

static cudaError_t scale_launch(float *p, float k, int n, cudaStream_t stream)
{
    void *args[] = {&p, &k, &n};
    return cudaLaunchKernel(scale, (dim3){(unsigned)(n + 127) / 128, 1, 1}, (dim3){128, 1, 1}, args, 0, stream);
}

static bool all_equal(const float *p, int n, float value)
{
    for (int i = 0; i < n; i++)
        if (p[i] != value)
            return false;
    return true;
}

static void test_memory(void)
{
    enum { N = 3000 };
    float *device, *pinned, *managed, *mapped, *pooled, host[N];
    for (int i = 0; i < N; i++)
        host[i] = 1;
    CHECK(cudaMalloc((void **)&device, sizeof host) == cudaSuccess);
    CHECK(cudaMallocHost((void **)&pinned, sizeof host) == cudaSuccess);
    CHECK(cudaMallocManaged((void **)&managed, sizeof host, cudaMemAttachGlobal) == cudaSuccess);
    CHECK(cudaMallocAsync((void **)&pooled, sizeof host, NULL) == cudaSuccess);
    CHECK(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaMemcpy(pooled, device, sizeof host, cudaMemcpyDeviceToDevice) == cudaSuccess);
    CHECK(cudaMemcpy(managed, pooled, sizeof host, cudaMemcpyDefault) == cudaSuccess);
    CHECK(scale_launch(device, 2, N, NULL) == cudaSuccess && scale_launch(pooled, 3, N, NULL) == cudaSuccess);
    CHECK(scale_launch(managed, 4, N, NULL) == cudaSuccess);
    CHECK(cudaMemcpy(pinned, device, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess && all_equal(pinned, N, 2));
    CHECK(cudaMemcpy(host, pooled, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess && all_equal(host, N, 3));
    CHECK(cudaDeviceSynchronize() == cudaSuccess && all_equal(managed, N, 4));
    CHECK(cudaHostGetDevicePointer((void **)&mapped, pinned, 0) == cudaSuccess);
    CHECK(scale_launch(mapped, 5, N, NULL) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess);
    CHECK(all_equal(pinned, N, 10));

    struct cudaPointerAttributes a;
    CHECK(cudaPointerGetAttributes(&a, device + 5) == cudaSuccess && a.type == cudaMemoryTypeDevice && a.device == 0);
    CHECK(cudaPointerGetAttributes(&a, pinned) == cudaSuccess && a.type == cudaMemoryTypeHost);
    CHECK(cudaPointerGetAttributes(&a, managed) == cudaSuccess && a.type == cudaMemoryTypeManaged);
    CHECK(cudaPointerGetAttributes(&a, host) == cudaSuccess && a.type == cudaMemoryTypeUnregistered);
    size_t unused, all;
    CHECK(cudaMemGetInfo(&unused, &all) == cudaSuccess && unused && all >= unused);

    uint32_t *total, seen = 0;
    CHECK(cudaLibraryGetGlobal((void **)&total, NULL, library, "total") == cudaSuccess);
    CHECK(cudaMemcpy(&seen, total, 4, cudaMemcpyDeviceToHost) == cudaSuccess && seen == 4 * N);
    CHECK(cudaFree(device) == cudaSuccess && cudaFree(managed) == cudaSuccess && cudaFreeHost(pinned) == cudaSuccess);
    CHECK(cudaFreeAsync(pooled, NULL) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess);
}

static void test_boxes(void)
{
    enum { W = 20, H = 7, D = 3 };
    unsigned char in[D][H][W], out[D][H][W];
    struct cudaExtent extent = {W, H, D};
    struct cudaPitchedPtr p;
    for (int i = 0; i < D * H * W; i++)
        (&in[0][0][0])[i] = (unsigned char)i;
    CHECK(cudaMalloc3D(&p, extent) == cudaSuccess && p.pitch >= W);
    struct cudaMemcpy3DParms to = {
        .srcPtr = {in, W, W, H}, .dstPtr = p, .extent = extent, .kind = cudaMemcpyHostToDevice};
    struct cudaMemcpy3DParms from = {
        .srcPtr = p, .dstPtr = {out, W, W, H}, .extent = extent, .kind = cudaMemcpyDeviceToHost};
    CHECK(cudaMemcpy3D(&to) == cudaSuccess && cudaMemcpy3D(&from) == cudaSuccess && !memcmp(in, out, sizeof in));
    struct cudaExtent part = {5, 2, 2};
    CHECK(cudaMemset3D(p, 255, part) == cudaSuccess && cudaMemcpy3D(&from) == cudaSuccess);
    CHECK(out[0][1][4] == 255 && out[1][1][0] == 255 && out[0][1][5] == in[0][1][5] && out[2][0][0] == in[2][0][0]);
    CHECK(cudaMemcpy2D(out, W, p.ptr, p.pitch, W, H, cudaMemcpyDefault) == cudaSuccess && out[0][0][0] == 255);
    CHECK(cudaMemset2D(p.ptr, p.pitch, 9, W, H) == cudaSuccess);
    CHECK(cudaMemcpy2D(out, W, p.ptr, p.pitch, W, H, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(out[0][0][0] == 9 && out[0][H - 1][W - 1] == 9 && cudaFree(p.ptr) == cudaSuccess);
}

static void host_note(void *data)
{
    __atomic_fetch_add((int *)data, 1, __ATOMIC_SEQ_CST);
}

static void *thread_work(void *arg)
{
    enum { N = 2000, ROUNDS = 30 };
    uintptr_t bad = 0;
    float *p, *host = malloc(N * sizeof *host);
    int notes = 0;
    cudaStream_t s;
    cudaEvent_t event;
    bool own = (uintptr_t)arg % 2;
    for (int i = 0; i < N; i++)
        host[i] = 1;
    bad += cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking) != cudaSuccess;
    bad += cudaEventCreateWithFlags(&event, cudaEventDisableTiming) != cudaSuccess;
    bad += cudaMalloc((void **)&p, N * sizeof *p) != cudaSuccess;
    cudaStream_t stream = own ? s : cudaStreamPerThread;
    bad += cudaMemcpyAsync(p, host, N * sizeof *p, cudaMemcpyHostToDevice, stream) != cudaSuccess;
    for (int i = 0; i < ROUNDS; i++) {
        bad += scale_launch(p, i % 2 ? 0.5f : 2, N, stream) != cudaSuccess;
        bad += cudaLaunchHostFunc(stream, host_note, &notes) != cudaSuccess;
        bad += cudaGetLastError() != cudaSuccess;
    }
    bad += cudaMemcpyAsync(host, p, N * sizeof *p, cudaMemcpyDeviceToHost, stream) != cudaSuccess;
    bad += cudaEventRecord(event, stream) != cudaSuccess || cudaEventSynchronize(event) != cudaSuccess;
    bad += cudaEventQuery(event) != cudaSuccess || cudaStreamSynchronize(stream) != cudaSuccess;
    bad += !all_equal(host, N, 1) || notes != ROUNDS;
    bad += cudaFree(p) != cudaSuccess || cudaStreamDestroy(s) != cudaSuccess || cudaEventDestroy(event) != cudaSuccess;
    free(host);
    return (void *)bad;
}

static void test_threads(void)
{
    pthread_t t[8];
    uintptr_t bad = 0;
    for (uintptr_t i = 0; i < 8; i++)
        pthread_create(&t[i], NULL, thread_work, (void *)i);
    for (int i = 0; i < 8; i++) {
        void *r;
        pthread_join(t[i], &r);
        bad += (uintptr_t)r;
    }
    CHECK(!bad);
}

static void test_bad_calls(void)
{
    float *p, *huge;
    int n = 1, unknown = 0;
    CHECK(cudaMalloc((void **)&p, 64) == cudaSuccess);
    void *args[] = {&p, &(float){1}, &n};
    CHECK(cudaLaunchKernel(scale, one, (dim3){2048, 1, 1}, args, 0, NULL) == cudaErrorInvalidValue);
    CHECK(cudaLaunchKernel(scale, (dim3){1, 0, 1}, one, args, 0, NULL) == cudaErrorInvalidValue);
    CHECK(cudaLaunchKernel(scale, one, one, args, 1 << 28, NULL) == cudaErrorInvalidValue);
    CHECK(cudaLaunchKernel(&unknown, one, one, args, 0, NULL) == cudaErrorInvalidDeviceFunction);
    CHECK(cudaStreamSynchronize((cudaStream_t)&unknown) == cudaErrorInvalidResourceHandle);
    CHECK(cudaEventRecord((cudaEvent_t)&unknown, NULL) == cudaErrorInvalidResourceHandle);
    CHECK(cudaMalloc((void **)&huge, (size_t)1 << 60) == cudaErrorMemoryAllocation);
    CHECK(cudaGetLastError() == cudaErrorMemoryAllocation && cudaGetLastError() == cudaSuccess);
    CHECK(cudaFree(p) == cudaSuccess && cudaFree(p) == cudaErrorInvalidValue);
    CHECK(cudaFree(&unknown) == cudaErrorInvalidValue);
    CHECK(cudaSetDevice(99) == cudaErrorInvalidDevice &&
          cudaMemcpy(NULL, &n, 4, cudaMemcpyDefault) == cudaErrorInvalidValue);
    cudaGetLastError();
}

static void test_fault(void)
{
    int *p = (int *)16;
    void *args[] = {&p};
    CHECK(cudaLaunchKernel(store, one, one, args, 0, NULL) == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    CHECK(cudaMalloc((void **)&p, 64) == cudaErrorIllegalAddress);                             // the context is lost
    CHECK(cudaGetLastError() == cudaErrorIllegalAddress && cudaGetLastError() == cudaSuccess); // as on an H200
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress && cudaGetLastError() == cudaErrorIllegalAddress);
    CHECK(cudaDeviceReset() == cudaSuccess && cudaGetLastError() == cudaSuccess);
    CHECK(cudaMalloc((void **)&p, 64) == cudaSuccess); // and replaced
    CHECK(cudaLaunchKernel(store, one, one, args, 0, NULL) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess);
    int value = 0;
    CHECK(cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost) == cudaSuccess && value == 1 && cudaFree(p) == cudaSuccess);
}

int main(void)
{
    test_load();
    test_memory();
    test_boxes();
    test_threads();
    test_bad_calls();
    test_fault();
    CHECK(cudaLibraryUnload(library) == cudaSuccess);
    return test_summary();
}
