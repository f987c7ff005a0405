// SPDX-License-Identifier: Apache-2.0
// A program with one default stream for each host thread, on our own driver: stream 0 is the thread's own in every function that takes
// or implies a stream.
#define CUDA_API_PER_THREAD_DEFAULT_STREAM
#include "test.h"
#include <cuda_runtime_api.h>
#include <stdatomic.h>
#include <string.h>
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define OK(call) CHECK_RESULT(call, cudaSuccess, cudaGetErrorName)

enum { W = 16, H = 4, BYTES = W * H };
static unsigned char from[BYTES], to[BYTES];
static atomic_int called;

static bool arrived(void)
{
    OK(cudaStreamSynchronize(0));
    bool same = !memcmp(from, to, BYTES);
    memset(to, 0, BYTES);
    return same;
}

static void streams(void)
{
    unsigned long long own, named, legacy;
    unsigned flags;
    int priority, device;
    OK(cudaStreamGetId(0, &own));
    OK(cudaStreamGetId(cudaStreamPerThread, &named));
    OK(cudaStreamGetId(cudaStreamLegacy, &legacy));
    CHECK(own == named && own != legacy);
    OK(cudaStreamGetFlags(0, &flags));
    OK(cudaStreamGetPriority(0, &priority));
    OK(cudaStreamGetDevice(0, &device));
    CHECK(flags == cudaStreamDefault && priority == 0 && device == 0);
    cudaLaunchAttributeValue v = {.syncPolicy = cudaSyncPolicySpin}, back = {0};
    OK(cudaStreamSetAttribute(0, cudaLaunchAttributeSynchronizationPolicy, &v));
    OK(cudaStreamGetAttribute(cudaStreamPerThread, cudaLaunchAttributeSynchronizationPolicy, &back));
    CHECK(back.syncPolicy == cudaSyncPolicySpin);
}

static void linear(unsigned char *d)
{
    OK(cudaMemcpy(d, from, BYTES, cudaMemcpyHostToDevice));
    OK(cudaMemcpyAsync(to, d, BYTES, cudaMemcpyDeviceToHost, 0));
    CHECK(arrived());
    OK(cudaMemset(d, 1, BYTES));
    OK(cudaMemset2D(d, W, 2, W / 2, H));
    OK(cudaMemsetAsync(d + W - 1, 3, 1, 0));
    OK(cudaMemset2DAsync(d + W, W, 4, 1, 2, 0));
    struct cudaPitchedPtr p = {d, W, W, H};
    OK(cudaMemset3D(p, 5, (struct cudaExtent){1, 1, 1}));
    p.ptr = d + 3 * W;
    OK(cudaMemset3DAsync(p, 6, (struct cudaExtent){1, 1, 1}, 0));
    OK(cudaMemcpy2D(to, W, d, W, W, H, cudaMemcpyDeviceToHost));
    CHECK(to[0] == 5 && to[1] == 2 && to[W / 2] == 1 && to[W - 1] == 3 && to[W] == 4 && to[2 * W] == 4 &&
          to[3 * W] == 6);
    memset(to, 0, BYTES);
    OK(cudaMemcpy2DAsync(d, W, from, W, W, H, cudaMemcpyHostToDevice, 0));
    OK(cudaMemcpy2DAsync(to, W, d, W, W, H, cudaMemcpyDeviceToHost, 0));
    CHECK(arrived());
}

static void arrays(unsigned char *d)
{
    struct cudaChannelFormatDesc bytes = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
    cudaArray_t a, b;
    OK(cudaMallocArray(&a, &bytes, W, H, 0));
    OK(cudaMallocArray(&b, &bytes, W, H, 0));
    OK(cudaMemcpy2DToArray(a, 0, 0, from, W, W, H, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, W, H, cudaMemcpyDeviceToDevice));
    OK(cudaMemcpy2DFromArray(to, W, b, 0, 0, W, H, cudaMemcpyDeviceToHost));
    CHECK(arrived());
    OK(cudaMemcpyToArray(b, 0, 0, from, BYTES, cudaMemcpyHostToDevice));
    OK(cudaMemcpyArrayToArray(a, 0, 0, b, 0, 0, BYTES, cudaMemcpyDeviceToDevice));
    OK(cudaMemcpyFromArray(to, a, 0, 0, BYTES, cudaMemcpyDeviceToHost));
    CHECK(arrived());
    OK(cudaMemcpy2DToArrayAsync(a, 0, 0, from, W, W, H, cudaMemcpyHostToDevice, 0));
    OK(cudaMemcpyFromArrayAsync(to, a, 0, 0, BYTES, cudaMemcpyDeviceToHost, 0));
    CHECK(arrived());
    OK(cudaMemcpyToArrayAsync(b, 0, 0, from, BYTES, cudaMemcpyHostToDevice, 0));
    OK(cudaMemcpy2DFromArrayAsync(to, W, b, 0, 0, W, H, cudaMemcpyDeviceToHost, 0));
    CHECK(arrived());
    struct cudaMemcpy3DParms copy = {
        .srcArray = b, .dstPtr = {to, W, W, H}, .extent = {W, H, 1}, .kind = cudaMemcpyDeviceToHost};
    OK(cudaMemcpy3D(&copy));
    CHECK(arrived());
    OK(cudaMemcpy3DAsync(&copy, 0));
    CHECK(arrived());
    struct cudaMemcpy3DPeerParms peer = {.srcArray = b, .dstPtr = {d, W, W, H}, .extent = copy.extent};
    for (int later = 0; later < 2; later++) {
        OK(cudaMemset(d, 0, BYTES));
        OK(later ? cudaMemcpy3DPeerAsync(&peer, 0) : cudaMemcpy3DPeer(&peer));
        OK(cudaMemcpy(to, d, BYTES, cudaMemcpyDeviceToHost));
        CHECK(arrived());
    }
    OK(cudaFreeArray(a));
    OK(cudaFreeArray(b));
}

static void count(void *data)
{
    atomic_fetch_add(&called, *(int *)data);
}

static void count_stream(cudaStream_t stream, cudaError_t status, void *data)
{
    (void)stream;
    if (!status)
        count(data);
}

static void order(void)
{
    static int one = 1, ten = 10;
    cudaEvent_t e;
    void *p, *q, *managed;
    cudaMemPool_t pool;
    OK(cudaLaunchHostFunc(0, count, &one));
    OK(cudaStreamAddCallback(0, count_stream, &ten, 0));
    OK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    OK(cudaEventRecord(e, 0));
    OK(cudaEventRecordWithFlags(e, 0, 0));
    OK(cudaStreamWaitEvent(0, e, 0));
    OK(cudaEventSynchronize(e));
    OK(cudaStreamSynchronize(0));
    OK(cudaStreamQuery(0));
    CHECK(atomic_load(&called) == 11);
    OK(cudaEventDestroy(e));
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    OK(cudaMallocAsync(&p, BYTES, 0));
    OK(cudaMallocFromPoolAsync(&q, BYTES, pool, 0));
    OK(cudaMemcpyAsync(p, from, BYTES, cudaMemcpyHostToDevice, 0));
    OK(cudaMemcpyAsync(q, p, BYTES, cudaMemcpyDeviceToDevice, 0));
    OK(cudaMemcpyAsync(to, q, BYTES, cudaMemcpyDeviceToHost, 0));
    OK(cudaFreeAsync(p, 0));
    OK(cudaFreeAsync(q, 0));
    CHECK(arrived());
    struct cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
    size_t size = BYTES, start = 0;
    OK(cudaMallocManaged(&managed, BYTES, cudaMemAttachGlobal));
    OK(cudaMemPrefetchAsync(managed, BYTES, here, 0, 0));
    OK(cudaMemPrefetchBatchAsync(&managed, &size, 1, &here, &start, 1, 0, 0));
    OK(cudaMemDiscardAndPrefetchBatchAsync(&managed, &size, 1, &here, &start, 1, 0, 0));
    OK(cudaStreamAttachMemAsync(0, managed, 0, cudaMemAttachSingle)); // refused for the stream that all threads share
    OK(cudaFree(managed));
}

// The stream that all threads share cannot be captured; a thread's own can.
static void capture(unsigned char *d)
{
    cudaGraph_t g;
    cudaGraphExec_t x;
    enum cudaStreamCaptureStatus status;
    cudaGraphInstantiateParams params = {0};
    OK(cudaStreamBeginCapture(0, cudaStreamCaptureModeThreadLocal));
    OK(cudaMemcpyAsync(d, from, BYTES, cudaMemcpyHostToDevice, 0));
    OK(cudaStreamIsCapturing(0, &status));
    CHECK(status == cudaStreamCaptureStatusActive);
    size_t waits = 0;
    OK(cudaStreamGetCaptureInfo(0, &status, NULL, &g, NULL, NULL, &waits));
    CHECK(waits == 1);
    OK(cudaStreamUpdateCaptureDependencies(0, NULL, NULL, 0, cudaStreamSetCaptureDependencies));
    OK(cudaStreamGetCaptureInfo(0, &status, NULL, &g, NULL, NULL, &waits));
    CHECK(waits == 0);
    OK(cudaStreamEndCapture(0, &g));
    OK(cudaStreamBeginCaptureToGraph(0, g, NULL, NULL, 0, cudaStreamCaptureModeThreadLocal));
    OK(cudaStreamEndCapture(0, &g));
    OK(cudaGraphInstantiateWithParams(&x, g, &params));
    OK(cudaGraphUpload(x, 0));
    OK(cudaMemset(d, 0, BYTES));
    OK(cudaGraphLaunch(x, 0));
    OK(cudaMemcpyAsync(to, d, BYTES, cudaMemcpyDeviceToHost, 0));
    CHECK(arrived());
    OK(cudaGraphExecDestroy(x));
    OK(cudaGraphDestroy(g));
}

int main(void)
{
    unsigned char *d;
    for (int i = 0; i < BYTES; i++)
        from[i] = (unsigned char)(i * 7 + 1);
    OK(cudaMalloc((void **)&d, BYTES));
    streams();
    linear(d);
    arrays(d);
    order();
    capture(d);
    OK(cudaFree(d));
    return test_summary();
}
