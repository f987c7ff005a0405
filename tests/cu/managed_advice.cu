// SPDX-License-Identifier: Apache-2.0
// What is said of managed memory is kept page by page and given back: advice, prefetches, attachment to streams.
#include "check.h"

static int ask(cudaMemRangeAttribute which, const void *p, size_t n)
{
    int v = -99;
    OK(cudaMemRangeGetAttribute(&v, sizeof v, which, p, n));
    return v;
}

int main()
{
    enum { N = 65536 };
    char *p, *dev;
    OK(cudaMallocManaged(&p, N));
    OK(cudaMalloc(&dev, N));
    cudaStream_t s;
    OK(cudaStreamCreate(&s));
    cudaMemLocation gpu = {cudaMemLocationTypeDevice, 0}, cpu = {cudaMemLocationTypeHost, 0};
    int list[4], v;

    EXPECT(ask(cudaMemRangeAttributeReadMostly, p, N) == 0);
    OK(cudaMemAdvise(p, N, cudaMemAdviseSetReadMostly, gpu));
    EXPECT(ask(cudaMemRangeAttributeReadMostly, p, N) == 1);
    OK(cudaMemAdvise(p + 8192, 4096, cudaMemAdviseUnsetReadMostly, gpu));
    EXPECT(ask(cudaMemRangeAttributeReadMostly, p, N) == 0 && ask(cudaMemRangeAttributeReadMostly, p, 8192) == 1);

    EXPECT(ask(cudaMemRangeAttributePreferredLocation, p, N) == cudaInvalidDeviceId);
    OK(cudaMemAdvise(p, 4096, cudaMemAdviseSetPreferredLocation, cpu));
    EXPECT(ask(cudaMemRangeAttributePreferredLocation, p, N) == cudaInvalidDeviceId);
    EXPECT(ask(cudaMemRangeAttributePreferredLocation, p, 4096) == cudaCpuDeviceId);
    EXPECT(ask(cudaMemRangeAttributePreferredLocationType, p, 4096) == cudaMemLocationTypeHost);
    char *q;
    OK(cudaMallocManaged(&q, N));
    OK(cudaMemAdvise(q, N, cudaMemAdviseSetPreferredLocation, gpu));
    EXPECT(ask(cudaMemRangeAttributePreferredLocation, q, N) == 0);
    OK(cudaMemAdvise(q, N, cudaMemAdviseUnsetPreferredLocation, gpu));
    EXPECT(ask(cudaMemRangeAttributePreferredLocation, q, N) == cudaInvalidDeviceId);

    OK(cudaMemAdvise(p, N, cudaMemAdviseSetAccessedBy, gpu));
    OK(cudaMemAdvise(p, N, cudaMemAdviseSetAccessedBy, cpu));
    OK(cudaMemRangeGetAttribute(list, sizeof list, cudaMemRangeAttributeAccessedBy, p, N));
    EXPECT(list[0] == 0 && list[1] == cudaCpuDeviceId && list[2] == cudaInvalidDeviceId);
    OK(cudaMemAdvise(p, N, cudaMemAdviseUnsetAccessedBy, gpu));
    OK(cudaMemRangeGetAttribute(list, sizeof list, cudaMemRangeAttributeAccessedBy, p, N));
    EXPECT(list[0] == cudaCpuDeviceId && list[1] == cudaInvalidDeviceId);

    OK(cudaMemPrefetchAsync(p, N, gpu, 0, s));
    OK(cudaStreamSynchronize(s));
    EXPECT(ask(cudaMemRangeAttributeLastPrefetchLocation, p, N) == 0);
    OK(cudaMemPrefetchAsync(p, N, cpu, 0, s));
    OK(cudaStreamSynchronize(s));
    EXPECT(ask(cudaMemRangeAttributeLastPrefetchLocation, p, N) == cudaCpuDeviceId);

    void *halves[] = {p, p + N / 2};
    size_t bytes[] = {N / 2, N / 2}, starts[] = {0, 1};
    cudaMemLocation to[] = {gpu, cpu};
    OK(cudaMemPrefetchBatchAsync(halves, bytes, 2, to, starts, 2, 0, s));
    OK(cudaStreamSynchronize(s));
    EXPECT(ask(cudaMemRangeAttributeLastPrefetchLocation, p, N / 2) == 0);
    EXPECT(ask(cudaMemRangeAttributeLastPrefetchLocation, p + N / 2, N / 2) == cudaCpuDeviceId);
    EXPECT(cudaMemPrefetchBatchAsync(halves, bytes, 2, to, starts, 3, 0, s) == cudaErrorInvalidValue);
    OK(cudaMemPrefetchBatchAsync(halves, bytes, 2, &cpu, starts, 1, 0, s));

    // What was discarded may be anything until it is written again.
    OK(cudaMemDiscardBatchAsync(halves, bytes, 2, 0, s));
    OK(cudaMemsetAsync(p, 3, N, s));
    OK(cudaStreamSynchronize(s));
    EXPECT(p[0] == 3 && p[N - 1] == 3);
    OK(cudaMemDiscardAndPrefetchBatchAsync(halves, bytes, 2, to, starts, 2, 0, s));
    OK(cudaMemsetAsync(p, 4, N, s));
    OK(cudaStreamSynchronize(s));
    EXPECT(p[0] == 4 && p[N - 1] == 4);
    EXPECT(ask(cudaMemRangeAttributeLastPrefetchLocation, p, N / 2) == 0);
    EXPECT(ask(cudaMemRangeAttributeLastPrefetchLocation, p + N / 2, N / 2) == cudaCpuDeviceId);
    EXPECT(cudaMemDiscardAndPrefetchBatchAsync(halves, bytes, 2, to, starts, 3, 0, s) == cudaErrorInvalidValue);
    OK(cudaMemPrefetchBatchAsync(halves, bytes, 2, &cpu, starts, 1, 0, s));
    EXPECT(cudaMemDiscardBatchAsync(halves, bytes, 0, 0, s) == cudaErrorInvalidValue);
    EXPECT(cudaMemDiscardBatchAsync(halves, bytes, 2, 0, cudaStreamLegacy) == cudaErrorInvalidValue);

    void *both[] = {&v, list};
    size_t sizes[] = {sizeof v, 2 * sizeof(int)};
    cudaMemRangeAttribute which[] = {cudaMemRangeAttributeLastPrefetchLocation, cudaMemRangeAttributeAccessedBy};
    OK(cudaMemRangeGetAttributes(both, sizes, which, 2, p, N));
    EXPECT(v == cudaCpuDeviceId && list[0] == cudaCpuDeviceId);

    EXPECT(cudaMemRangeGetAttribute(&v, 8, cudaMemRangeAttributeReadMostly, p, N) == cudaErrorInvalidValue);
    EXPECT(cudaMemRangeGetAttribute(&v, 4, cudaMemRangeAttributeReadMostly, p, 1 << 20) == cudaErrorInvalidValue);
    EXPECT(cudaMemRangeGetAttribute(&v, 4, cudaMemRangeAttributeReadMostly, dev, 64) == cudaErrorInvalidValue);
    EXPECT(cudaMemAdvise(dev, 64, cudaMemAdviseSetReadMostly, gpu) == cudaErrorInvalidValue);
    EXPECT(cudaMemAdvise(p, 0, cudaMemAdviseSetReadMostly, gpu) == cudaErrorInvalidValue);
    EXPECT(cudaMemPrefetchAsync(dev, 64, gpu, 0, s) == cudaErrorInvalidValue);
    EXPECT(cudaMemPrefetchAsync((void *)0x123456789000, 64, gpu, 0, s) == cudaErrorInvalidValue);
    EXPECT(cudaMemAdvise((void *)0x123456789000, 64, cudaMemAdviseSetReadMostly, gpu) == cudaErrorInvalidValue);

    OK(cudaStreamAttachMemAsync(s, p, 0, cudaMemAttachSingle));
    OK(cudaStreamAttachMemAsync(s, p, N, cudaMemAttachHost));
    OK(cudaStreamAttachMemAsync(s, p));
    EXPECT(cudaStreamAttachMemAsync(0, p, 0, cudaMemAttachSingle) == cudaErrorInvalidValue);
    EXPECT(cudaStreamAttachMemAsync(s, p, 100, cudaMemAttachSingle) == cudaErrorInvalidValue);
    EXPECT(cudaStreamAttachMemAsync(s, p + 4, 0, cudaMemAttachSingle) == cudaErrorInvalidValue);
    EXPECT(cudaStreamAttachMemAsync(s, dev, 0, cudaMemAttachSingle) == cudaErrorInvalidValue);
    EXPECT(cudaStreamAttachMemAsync(s, p, 0, 7) == cudaErrorInvalidValue);

    // freed and allocated again: nothing is left of the advice
    OK(cudaFree(p));
    OK(cudaMallocManaged(&p, N));
    EXPECT(ask(cudaMemRangeAttributeReadMostly, p, 4096) == 0);
    EXPECT(ask(cudaMemRangeAttributeLastPrefetchLocation, p, N) == cudaInvalidDeviceId);
    cudaGetLastError();
    return DONE();
}
