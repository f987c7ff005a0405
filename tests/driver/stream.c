// SPDX-License-Identifier: Apache-2.0
// Streams and events: order, waiting, callbacks, the legacy stream and the per-thread one.
#include "common.h"
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int gate, order, called;

static void wait_gate(void *data)
{
    (void)data;
    while (!atomic_load(&gate))
        usleep(100);
}

static void note(void *data)
{
    *(int *)data = atomic_fetch_add(&order, 1) + 1;
}

static void callback(CUstream stream, CUresult status, void *data)
{
    (void)stream;
    if (status == CUDA_SUCCESS)
        atomic_store((atomic_int *)data, 1);
}

static void basics(CUcontext context)
{
    CUstream s, t;
    unsigned flags;
    int least, greatest, priority;
    unsigned long long a, b;
    CUcontext c;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuCtxGetStreamPriorityRange(&least, &greatest));
    CHECK(greatest <= least);
    OK(cuStreamCreateWithPriority(&t, CU_STREAM_DEFAULT, greatest));
    OK(cuStreamGetPriority(t, &priority));
    CHECK(priority == greatest);
    OK(cuStreamGetFlags(s, &flags));
    CHECK(flags == CU_STREAM_NON_BLOCKING);
    OK(cuStreamGetCtx(s, &c));
    CHECK(c == context);
    OK(cuStreamGetId(s, &a));
    OK(cuStreamGetId(t, &b));
    CHECK(a != b);
    OK(cuStreamQuery(s));
    OK(cuStreamSynchronize(s));
    OK(cuStreamSynchronize(CU_STREAM_LEGACY));
    OK(cuStreamSynchronize(CU_STREAM_PER_THREAD));
    EXPECT(cuStreamCreate(&s, 9), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuStreamCreate(NULL, 0), CUDA_ERROR_INVALID_VALUE);
    OK(cuStreamDestroy(s));
    EXPECT(cuStreamSynchronize(s), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuStreamDestroy(s), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuStreamDestroy(BAD(CUstream)), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuStreamDestroy(CU_STREAM_LEGACY), CUDA_ERROR_INVALID_HANDLE);
    CUstreamCaptureStatus status;
    OK(cuStreamIsCapturing(t, &status));
    CHECK(status == CU_STREAM_CAPTURE_STATUS_NONE);
    OK(cuStreamDestroy(t));
}

static void events(void)
{
    CUstream s, t;
    CUevent a, b, untimed;
    float ms = -1;
    int first = 0, second = 0;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&t, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&a, 0));
    OK(cuEventCreate(&b, CU_EVENT_BLOCKING_SYNC));
    OK(cuEventCreate(&untimed, CU_EVENT_DISABLE_TIMING));
    EXPECT(cuEventCreate(&a, 0x100), CUDA_ERROR_INVALID_VALUE);
    OK(cuEventQuery(a));
    OK(cuEventSynchronize(a));
    EXPECT(cuEventElapsedTime(&ms, a, b), CUDA_ERROR_INVALID_HANDLE);
    atomic_store(&gate, 0);
    atomic_store(&order, 0);
    OK(cuEventRecord(a, s));
    OK(cuLaunchHostFunc(s, wait_gate, NULL));
    OK(cuLaunchHostFunc(s, note, &first));
    OK(cuEventRecord(b, s));
    OK(cuStreamWaitEvent(t, b, 0));
    EXPECT(cuStreamQuery(s), CUDA_ERROR_NOT_READY);
    EXPECT(cuStreamQuery(t), CUDA_ERROR_NOT_READY);
    EXPECT(cuEventQuery(b), CUDA_ERROR_NOT_READY);
    EXPECT(cuEventElapsedTime(&ms, a, b), CUDA_ERROR_NOT_READY);
    OK(cuLaunchHostFunc(t, note, &second));
    usleep(20000);
    atomic_store(&gate, 1);
    OK(cuStreamSynchronize(t));
    CHECK(first == 1 && second == 2);
    OK(cuEventSynchronize(b));
    OK(cuEventElapsedTime(&ms, a, b));
    CHECK(ms >= 0);
    OK(cuEventRecord(untimed, s));
    OK(cuEventSynchronize(untimed));
    EXPECT(cuEventElapsedTime(&ms, a, untimed), CUDA_ERROR_INVALID_HANDLE);
    OK(cuEventRecordWithFlags(a, s, 0));
    EXPECT(cuEventRecord(BAD(CUevent), s), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuStreamWaitEvent(s, BAD(CUevent), 0), CUDA_ERROR_INVALID_HANDLE);
    OK(cuEventDestroy(a));
    EXPECT(cuEventDestroy(a), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuEventQuery(a), CUDA_ERROR_INVALID_HANDLE);
    OK(cuEventDestroy(b));
    OK(cuEventDestroy(untimed));
    OK(cuStreamDestroy(s));
    OK(cuStreamDestroy(t));
}

// A wait is for the record before it, and not over with a later one that ends first: also where processes share the event.
static void recorded_again(unsigned flags)
{
    CUstream slow, quick, waits;
    CUevent e;
    int first = 0, second = 0;
    OK(cuStreamCreate(&slow, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&quick, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&waits, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, flags));
    atomic_store(&gate, 0);
    atomic_store(&order, 0);
    OK(cuLaunchHostFunc(slow, wait_gate, NULL));
    OK(cuLaunchHostFunc(slow, note, &first));
    OK(cuEventRecord(e, slow));
    OK(cuStreamWaitEvent(waits, e, 0));
    OK(cuEventRecord(e, quick));
    OK(cuEventSynchronize(e));
    OK(cuLaunchHostFunc(waits, note, &second));
    usleep(20000);
    EXPECT(cuStreamQuery(waits), CUDA_ERROR_NOT_READY);
    OK(cuEventQuery(e));
    atomic_store(&gate, 1);
    OK(cuStreamSynchronize(waits));
    CHECK(first == 1 && second == 2);
    OK(cuEventDestroy(e));
    OK(cuStreamDestroy(slow));
    OK(cuStreamDestroy(quick));
    OK(cuStreamDestroy(waits));
}

// Work in the legacy stream waits for blocking streams, theirs for it; a non-blocking stream goes its own way.
static void legacy(void)
{
    CUstream blocking, free_one;
    int a = 0, b = 0, c = 0, d = 0;
    OK(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
    OK(cuStreamCreate(&free_one, CU_STREAM_NON_BLOCKING));
    atomic_store(&gate, 0);
    atomic_store(&order, 0);
    OK(cuLaunchHostFunc(blocking, wait_gate, NULL));
    OK(cuLaunchHostFunc(blocking, note, &a));
    OK(cuLaunchHostFunc(0, note, &b));
    OK(cuLaunchHostFunc(CU_STREAM_PER_THREAD, note, &c));
    EXPECT(cuStreamQuery(0), CUDA_ERROR_NOT_READY);
    OK(cuStreamQuery(free_one));
    OK(cuStreamAddCallback(blocking, callback, &called, 0));
    atomic_store(&gate, 1);
    OK(cuStreamSynchronize(CU_STREAM_PER_THREAD));
    CHECK(a == 1 && b == 2 && c == 3);
    OK(cuCtxSynchronize());
    CHECK(atomic_load(&called) == 1);
    OK(cuLaunchHostFunc(free_one, note, &d));
    OK(cuStreamDestroy(free_one)); // its work still runs
    OK(cuCtxSynchronize());
    CHECK(d == 4);
    OK(cuStreamDestroy(blocking));
    EXPECT(cuLaunchHostFunc(0, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
}

// A prefetch, an attachment and a wait for an event that is there do nothing, but in the legacy stream they still stand
// between what is before and behind them.
static void legacy_places(void)
{
    CUstream first, second;
    CUdeviceptr p;
    CUevent there;
    const CUmemLocation host = {CU_MEM_LOCATION_TYPE_HOST, 0};
    OK(cuEventCreate(&there, 0));
    OK(cuEventRecord(there, CU_STREAM_PER_THREAD));
    OK(cuEventSynchronize(there));
    OK(cuStreamCreate(&first, CU_STREAM_DEFAULT));
    OK(cuStreamCreate(&second, CU_STREAM_DEFAULT));
    OK(cuMemAllocManaged(&p, 4096, CU_MEM_ATTACH_GLOBAL));
    for (int what = 0; what < 3; what++) {
        int a = 0, b = 0;
        atomic_store(&gate, 0);
        atomic_store(&order, 0);
        OK(cuLaunchHostFunc(first, wait_gate, NULL));
        OK(cuLaunchHostFunc(first, note, &a));
        if (what == 0)
            OK(cuMemPrefetchAsync(p, 4096, host, 0, 0));
        else if (what == 1)
            OK(cuStreamAttachMemAsync(0, p, 0, CU_MEM_ATTACH_GLOBAL));
        else
            OK(cuStreamWaitEvent(0, there, 0));
        OK(cuLaunchHostFunc(second, note, &b));
        usleep(20000);
        EXPECT(cuStreamQuery(second), CUDA_ERROR_NOT_READY);
        atomic_store(&gate, 1);
        OK(cuCtxSynchronize());
        CHECK(a == 1 && b == 2);
    }
    OK(cuEventDestroy(there));
    OK(cuMemFree(p));
    OK(cuStreamDestroy(first));
    OK(cuStreamDestroy(second));
}

static void *thread_stream(void *context)
{
    static _Thread_local int n;
    unsigned long long *id = malloc(sizeof *id);
    OK(cuCtxSetCurrent(context));
    OK(cuLaunchHostFunc(CU_STREAM_PER_THREAD, note, &n));
    OK(cuStreamSynchronize(CU_STREAM_PER_THREAD));
    OK(cuStreamGetId(CU_STREAM_PER_THREAD, id));
    return id;
}

static void per_thread(CUcontext context)
{
    unsigned long long mine, *other;
    pthread_t thread;
    OK(cuStreamGetId(CU_STREAM_PER_THREAD, &mine));
    pthread_create(&thread, NULL, thread_stream, context);
    pthread_join(thread, (void **)&other);
    CHECK(mine != *other);
    free(other);
}

int main(void)
{
    CUcontext c = start();
    basics(c);
    events();
    recorded_again(CU_EVENT_DISABLE_TIMING);
    recorded_again(CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS);
    legacy();
    legacy_places();
    per_thread(c);
    OK(cuCtxDestroy(c));
    return test_summary();
}
