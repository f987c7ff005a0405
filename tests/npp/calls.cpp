// SPDX-License-Identifier: Apache-2.0
// Bad arguments, streams, captures, memory, and the names without a context.
#define HEDDLE_NPP_PLAIN_NAMES
#include "image.h"

static const NppStreamContext C = context();

static void bad_arguments()
{
    image<Npp8u> a(16, 4, 1), d(16, 4, 1, false);
    NppiSize s = d.size();
    WANT(nppiAdd_8u_C1RSfs_Ctx(nullptr, a.step, a.device, a.step, d.device, d.step, s, 0, C), NPP_NULL_POINTER_ERROR);
    WANT(nppiAdd_8u_C1RSfs_Ctx(a.device, a.step, nullptr, a.step, d.device, d.step, s, 0, C), NPP_NULL_POINTER_ERROR);
    WANT(nppiAdd_8u_C1RSfs_Ctx(a.device, a.step, a.device, a.step, nullptr, d.step, {-1, 0}, 0, C),
         NPP_NULL_POINTER_ERROR);
    WANT(nppiAdd_8u_C1RSfs_Ctx(a.device, a.step, a.device, a.step, d.device, d.step, {4, -1}, 0, C), NPP_SIZE_ERROR);
    WANT(nppiAdd_8u_C1RSfs_Ctx(a.device, a.step, a.device, a.step, d.device, d.step, {0, 4}, 0, C), NPP_NO_ERROR);
    compare("nothing", d, [](int, int, int) { return 77; });
    OK(nppiAdd_8u_C1RSfs_Ctx(a.device, a.step, a.device, a.step, d.device, d.step, s, 40, C));
    compare("far", d, [](int, int, int) { return 0; });
    size_t bytes;
    WANT(nppiSumGetBufferHostSize_8u_C1R_Ctx(s, nullptr, C), NPP_NULL_POINTER_ERROR);
    OK(nppiSumGetBufferHostSize_8u_C1R_Ctx(s, &bytes, C));
    CHECK(bytes > 0);
    int order[3] = {0, 3, 1};
    image<Npp8u> q(4, 4, 3), r(4, 4, 3);
    WANT(nppiSwapChannels_8u_C3R_Ctx(q.device, q.step, r.device, r.step, r.size(), order, C), NPP_CHANNEL_ORDER_ERROR);
    WANT(nppiFilterBox_8u_C1R_Ctx(a.device, a.step, d.device, d.step, {4, 2}, {0, 1}, {0, 0}, C), NPP_MASK_SIZE_ERROR);
    WANT(nppiFilterBox_8u_C1R_Ctx(a.device, a.step, d.device, d.step, {4, 2}, {3, 1}, {3, 0}, C), NPP_ANCHOR_ERROR);
}
// Work in two streams, and one that waits for the other by an event.
static void streams()
{
    cudaStream_t s, t;
    cudaEvent_t e;
    CUDA(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CUDA(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    CUDA(cudaEventCreate(&e));
    NppStreamContext S = context(s), T = context(t);
    image<Npp16u> a(500, 400, 3), d(500, 400, 3, false);
    Npp16u k[3] = {1, 2, 3};
    OK(nppiSet_16u_C3R_Ctx(k, d.device, d.step, d.size(), S));
    for (int i = 0; i < 20; i++)
        OK(nppiAddC_16u_C3IRSfs_Ctx(k, d.device, d.step, d.size(), 0, S));
    CUDA(cudaEventRecord(e, s));
    CUDA(cudaStreamWaitEvent(t, e, 0));
    for (int i = 0; i < 20; i++)
        OK(nppiSubC_16u_C3IRSfs_Ctx(k, d.device, d.step, d.size(), 0, T));
    CUDA(cudaStreamSynchronize(t));
    compare("streams", d, [&](int, int, int c) { return k[c]; });
    // a capture: two grids of a statistic and an operation, which is launched with other numbers in the memory
    cudaGraph_t g;
    cudaGraphExec_t x;
    image<Npp8u> b(300, 200, 1), f(300, 200, 1, false);
    size_t bytes = 0;
    OK(nppiSumGetBufferHostSize_8u_C1R_Ctx(b.size(), &bytes, S));
    Npp8u *buffer;
    CUDA(cudaMalloc((void **)&buffer, bytes));
    result<Npp64f> sum(1);
    CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(nppiAddC_8u_C1RSfs_Ctx(b.device, b.step, 10, f.device, f.step, f.size(), 0, S));
    OK(nppiSum_8u_C1R_Ctx(f.device, f.step, f.size(), buffer, sum.device, S));
    CUDA(cudaStreamEndCapture(s, &g));
    compare("captured", f, [&](int, int, int) { return 77; });
    CUDA(cudaGraphInstantiate(&x, g, 0));
    for (int round = 0; round < 2; round++) {
        for (auto &v : b.host)
            v = number<Npp8u>();
        b.put();
        CUDA(cudaGraphLaunch(x, s));
        CUDA(cudaStreamSynchronize(s));
        double want = 0;
        for (int y = 0; y < b.height; y++)
            for (int v = 0; v < b.width; v++)
                want += std::min(b(v, y) + 10, 255);
        compare("graph", f, [&](int v, int y, int) { return std::min(b(v, y) + 10, 255); });
        CHECK(sum[0] == want);
    }
    cudaGraphExecDestroy(x);
    cudaGraphDestroy(g);
    cudaFree(buffer);
    cudaEventDestroy(e);
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
}
static void memory()
{
    int step = 0;
    Npp32f *p = nppiMalloc_32f_C3(100, 50, &step);
    CHECK(p && step >= 1200 && step % 64 == 0);
    Npp32f k[3] = {1, 2, 3}, got[3] = {};
    OK(nppiSet_32f_C3R_Ctx(k, p, step, {100, 50}, C));
    cudaDeviceSynchronize();
    cudaMemcpy(got, (char *)p + 49 * step + 99 * 12, 12, cudaMemcpyDeviceToHost);
    CHECK(got[0] == 1 && got[2] == 3);
    nppiFree(p);
    CHECK(nppiMalloc_8u_C1(0, 5, &step) == nullptr);
}
static void version()
{
    const NppLibraryVersion *v = nppGetLibVersion();
    CHECK(v && v->major == 13);
}
// Names of CUDA 12: NVIDIA's library of CUDA 13 has no functions without a context.
static void plain_names()
{
#ifdef HEDDLE_NPP_PLAIN_H
    cudaStream_t s;
    NppStreamContext c;
    image<Npp8u> a(30, 20, 1), d(30, 20, 1, false);
    CUDA(cudaStreamCreate(&s));
    OK(nppSetStream(s));
    CHECK(nppGetStream() == s);
    OK(nppGetStreamContext(&c));
    CHECK(c.hStream == s && c.nMultiProcessorCount == nppGetGpuNumSMs() && c.nMaxThreadsPerBlock > 0);
    OK(nppiAddC_8u_C1RSfs(a.device, a.step, 3, d.device, d.step, d.size(), 1));
    CUDA(cudaStreamSynchronize(s));
    compare("plain", d, [&](int x, int y, int) { return nearest<Npp8u>((a(x, y) + 3) / 2.0); });
    OK(nppSetStream(0));
    cudaStreamDestroy(s);
#endif
}

int main()
{
    bad_arguments();
    streams();
    memory();
    version();
    plain_names();
    return summary();
}
