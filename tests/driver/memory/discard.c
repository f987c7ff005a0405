// SPDX-License-Identifier: Apache-2.0
// cuMemDiscardBatchAsync: whole pages go, in the order of the stream; the errors are those of an H200. cuMemDiscardAndPrefetchBatchAsync
// does that and what cuMemPrefetchBatchAsync does; it refuses what one of them refuses.
#include "common.h"
#include <unistd.h>

enum { COUNT = 3 };

static void errors(CUdeviceptr m, size_t page, CUstream s)
{
    CUdeviceptr list[COUNT] = {m, m + page, m + 2 * page}, device;
    size_t sizes[COUNT] = {page, page, page};
    CUgraph graph;
    OK(cuMemAlloc(&device, page));
    EXPECT(cuMemDiscardBatchAsync(NULL, sizes, COUNT, 0, s), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemDiscardBatchAsync(list, NULL, COUNT, 0, s), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemDiscardBatchAsync(list, sizes, 0, 0, s), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemDiscardBatchAsync(list, sizes, SIZE_MAX / 2, 0, s), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemDiscardBatchAsync(list, sizes, COUNT, 1, s), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemDiscardBatchAsync(list, sizes, COUNT, 0, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemDiscardBatchAsync(list, sizes, COUNT, 0, CU_STREAM_LEGACY), CUDA_ERROR_INVALID_VALUE);
    sizes[2] = 0;
    EXPECT(cuMemDiscardBatchAsync(list, sizes, COUNT, 0, s), CUDA_ERROR_INVALID_VALUE);
    sizes[2] = 2 * page; // beyond the end
    EXPECT(cuMemDiscardBatchAsync(list, sizes, COUNT, 0, s), CUDA_ERROR_INVALID_VALUE);
    sizes[2] = page;
    list[2] = 0;
    EXPECT(cuMemDiscardBatchAsync(list, sizes, COUNT, 0, s), CUDA_ERROR_INVALID_VALUE);
    list[2] = device; // not managed
    EXPECT(cuMemDiscardBatchAsync(list, sizes, COUNT, 0, s), CUDA_ERROR_INVALID_VALUE);
    list[2] = m + 2 * page;
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    EXPECT(cuMemDiscardBatchAsync(list, sizes, COUNT, 0, s), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    EXPECT(cuStreamEndCapture(s, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    OK(cuStreamSynchronize(s));
    OK(cuMemFree(device));
}

// A range of two pages that begins in the middle of one holds one whole page.
static void pages(CUdeviceptr m, size_t page, CUstream s)
{
    const char *p = (const char *)(uintptr_t)m;
    CUdeviceptr list[] = {m + page / 2}, word;
    size_t sizes[] = {2 * page};
    OK(cuMemAlloc(&word, 4));
    OK(cuMemsetD32(word, 0, 1));
    OK(cuStreamWaitValue32(s, word, 1, CU_STREAM_WAIT_VALUE_EQ));
    OK(cuMemDiscardBatchAsync(list, sizes, 1, 0, s));
    CHECK(p[page] == 5); // not before what the stream waits for
    OK(cuMemsetD32(word, 1, 1));
    OK(cuStreamSynchronize(s));
    CHECK(p[0] == 5 && p[page - 1] == 5 && p[2 * page] == 5 && p[3 * page - 1] == 5);
    CHECK(p[page] == 0 && p[2 * page - 1] == 0);
    OK(cuMemsetD8Async(m, 6, COUNT * page, s));
    OK(cuStreamSynchronize(s));
    CHECK(p[page] == 6 && p[2 * page - 1] == 6);
    sizes[0] = page; // no whole page
    OK(cuMemDiscardBatchAsync(list, sizes, 1, 0, CU_STREAM_PER_THREAD));
    OK(cuCtxSynchronize());
    CHECK(p[page / 2] == 6 && p[page] == 6);
    OK(cuMemFree(word));
}

static int prefetched_to(CUdeviceptr p, size_t page)
{
    int device = -99;
    OK(cuMemRangeGetAttribute(&device, sizeof device, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, p, page));
    return device;
}

static void both(CUdeviceptr m, size_t page, CUstream s)
{
    const char *p = (const char *)(uintptr_t)m;
    CUdeviceptr list[COUNT] = {m, m + page, m + 2 * page}, word, device;
    size_t sizes[COUNT] = {page, page, page}, starts[] = {0, 2}, late[] = {1, 2}, same[] = {0, 0}, far[] = {0, COUNT};
    CUmemLocation to[] = {{CU_MEM_LOCATION_TYPE_HOST, 0}, {CU_MEM_LOCATION_TYPE_DEVICE, 0}},
                  nowhere[] = {to[0], {CU_MEM_LOCATION_TYPE_DEVICE, 99}};
    CUgraph graph;
    OK(cuMemAlloc(&device, page));
    OK(cuMemsetD8(m, 7, COUNT * page));
    EXPECT(cuMemDiscardAndPrefetchBatchAsync(NULL, sizes, COUNT, to, starts, 2, 0, s), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemDiscardAndPrefetchBatchAsync(list, NULL, COUNT, to, starts, 2, 0, s), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemDiscardAndPrefetchBatchAsync(list, sizes, 0, to, starts, 2, 0, s), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemDiscardAndPrefetchBatchAsync(list, sizes, 1, to, starts, 2, 0, s), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemDiscardAndPrefetchBatchAsync(list, sizes, COUNT, NULL, starts, 2, 0, s), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemDiscardAndPrefetchBatchAsync(list, sizes, COUNT, to, NULL, 2, 0, s), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemDiscardAndPrefetchBatchAsync(list, sizes, COUNT, to, starts, 0, 0, s), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemDiscardAndPrefetchBatchAsync(list, sizes, COUNT, to, late, 2, 0, s), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemDiscardAndPrefetchBatchAsync(list, sizes, COUNT, to, same, 2, 0, s), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemDiscardAndPrefetchBatchAsync(list, sizes, COUNT, to, far, 2, 0, s), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemDiscardAndPrefetchBatchAsync(list, sizes, COUNT, nowhere, starts, 2, 0, s), CUDA_ERROR_INVALID_DEVICE);
    EXPECT(cuMemDiscardAndPrefetchBatchAsync(list, sizes, COUNT, to, starts, 2, 1, s), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemDiscardAndPrefetchBatchAsync(list, sizes, COUNT, to, starts, 2, 0, 0), CUDA_ERROR_INVALID_VALUE);
    list[2] = device; // not managed
    EXPECT(cuMemDiscardAndPrefetchBatchAsync(list, sizes, COUNT, to, starts, 2, 0, s), CUDA_ERROR_INVALID_VALUE);
    list[2] = m + 2 * page;
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    EXPECT(cuMemDiscardAndPrefetchBatchAsync(list, sizes, COUNT, to, starts, 2, 0, s),
           CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    EXPECT(cuStreamEndCapture(s, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    OK(cuStreamSynchronize(s));
    CHECK(p[0] == 7 && p[COUNT * page - 1] == 7 && prefetched_to(m, page) == CU_DEVICE_INVALID); // nothing was begun

    OK(cuMemAlloc(&word, 4));
    OK(cuMemsetD32(word, 0, 1));
    OK(cuStreamWaitValue32(s, word, 1, CU_STREAM_WAIT_VALUE_EQ));
    OK(cuMemDiscardAndPrefetchBatchAsync(list, sizes, COUNT, to, starts, 2, 0, s));
    CHECK(p[0] == 7); // not before what the stream waits for
    OK(cuMemsetD32(word, 1, 1));
    OK(cuStreamSynchronize(s));
    CHECK(p[0] == 0 && p[COUNT * page - 1] == 0);
    CHECK(prefetched_to(m, page) == CU_DEVICE_CPU && prefetched_to(m + page, page) == CU_DEVICE_CPU &&
          prefetched_to(m + 2 * page, page) == 0);
    OK(cuMemFree(word));
    OK(cuMemFree(device));
}

int main(void)
{
    CUcontext c = start();
    CUdeviceptr m;
    CUstream s;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuMemAllocManaged(&m, COUNT * page, CU_MEM_ATTACH_GLOBAL));
    memset((void *)(uintptr_t)m, 5, COUNT * page);
    errors(m, page, s);
    CHECK(*(const char *)(uintptr_t)m == 5); // nothing was begun
    pages(m, page, s);
    both(m, page, s);
    OK(cuMemFree(m));
    OK(cuCtxSetCurrent(NULL));
    EXPECT(cuMemDiscardBatchAsync(NULL, &page, 1, 0, CU_STREAM_PER_THREAD), CUDA_ERROR_INVALID_CONTEXT);
    OK(cuCtxDestroy(c));
    return test_summary();
}
