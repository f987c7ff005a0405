// SPDX-License-Identifier: Apache-2.0
// Copies and fills that are large enough to be shared by threads or written past the caches: every byte arrives, and none
// beside them changes, whatever the alignment and the length; several threads of the program at once, and order in a stream.
#include "common.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { MB = 1 << 20, MARGIN = 256 };

static unsigned char expected(size_t i, unsigned seed)
{
    return (unsigned char)((i * 2654435761u >> 13) + seed);
}

static char *pattern(size_t n, unsigned seed)
{
    char *p = malloc(n);
    for (size_t i = 0; p && i < n; i++)
        p[i] = (char)expected(i, seed);
    return p;
}

static bool all_are(const char *p, size_t n, char v)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] != v)
            return false;
    return true;
}

static void line(size_t n, size_t to, size_t from, CUstream s)
{
    size_t room = n + 2 * MARGIN;
    char *src = pattern(room, (unsigned)n), *back = malloc(room);
    CUdeviceptr a, b;
    OK(cuMemAlloc(&a, room));
    OK(cuMemAlloc(&b, room));
    OK(cuMemsetD8(a, 0x5a, room));
    OK(cuMemsetD8(b, 0x5b, room));
    OK(cuMemcpyHtoD(a + to, src + from, n));
    OK(cuMemcpyDtoDAsync(b + from, a + to, n, s));
    OK(cuMemcpyDtoHAsync(back, b, room, s));
    OK(cuStreamSynchronize(s));
    CHECK(!memcmp(back + from, src + from, n));
    CHECK(all_are(back, from, 0x5b) && all_are(back + from + n, room - from - n, 0x5b));
    OK(cuMemcpyDtoH(back, a, room));
    CHECK(!memcmp(back + to, src + from, n));
    CHECK(all_are(back, to, 0x5a) && all_are(back + to + n, room - to - n, 0x5a));
    OK(cuMemFree(a));
    OK(cuMemFree(b));
    free(src);
    free(back);
}

static void plane(size_t width, size_t height)
{
    size_t pitch = width + 40, wide = width + 8;
    char *src = pattern(width * height, 7), *back = malloc(wide * height);
    CUdeviceptr a;
    bool same = true, clean = true;
    OK(cuMemAlloc(&a, pitch * height));
    OK(cuMemsetD8(a, 1, pitch * height));
    memset(back, 2, wide * height);
    CUDA_MEMCPY2D in = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                        .srcHost = src,
                        .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                        .dstDevice = a,
                        .dstPitch = pitch,
                        .WidthInBytes = width,
                        .Height = height};
    CUDA_MEMCPY2D out = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                         .srcDevice = a,
                         .srcPitch = pitch,
                         .dstPitch = wide,
                         .dstMemoryType = CU_MEMORYTYPE_HOST,
                         .dstHost = back,
                         .WidthInBytes = width,
                         .Height = height};
    OK(cuMemcpy2D(&in));
    OK(cuMemcpy2D(&out));
    for (size_t y = 0; y < height; y++) {
        same = same && !memcmp(back + y * wide, src + y * width, width);
        clean = clean && all_are(back + y * wide + width, wide - width, 2);
    }
    CHECK(same);
    CHECK(clean);
    OK(cuMemFree(a));
    free(src);
    free(back);
}

static void fills(size_t n)
{
    size_t room = (n + 16) * 4;
    CUdeviceptr a;
    char *back = malloc(room);
    OK(cuMemAlloc(&a, room));
    for (size_t skip = 0; skip < 3; skip++) {
        bool same = true;
        OK(cuMemsetD8(a, 9, room));
        OK(cuMemsetD16(a + skip * 2, 0x1234, n));
        OK(cuMemcpyDtoH(back, a, room));
        for (size_t i = 0; i < n; i++) {
            uint16_t v;
            memcpy(&v, back + skip * 2 + i * 2, 2);
            same = same && v == 0x1234;
        }
        CHECK(same && all_are(back, skip * 2, 9) && all_are(back + (skip + n) * 2, room - (skip + n) * 2, 9));
        OK(cuMemsetD32(a + skip * 4, 0x12345678, n));
        OK(cuMemcpyDtoH(back, a, room));
        for (size_t i = 0; i < n; i++) {
            uint32_t v;
            memcpy(&v, back + skip * 4 + i * 4, 4);
            same = same && v == 0x12345678;
        }
        CHECK(same && all_are(back + (skip + n) * 4, room - (skip + n) * 4, 9));
    }
    OK(cuMemFree(a));
    free(back);
}

// Copies there and back on the thread's own stream; returns the context when all went well.
static void *from_thread(void *context)
{
    size_t n = 3 * MB + 17;
    char *src = pattern(n, 3), *back = malloc(n);
    CUstream s;
    CUdeviceptr a = 0;
    bool ok = !cuCtxSetCurrent(context) && !cuStreamCreate(&s, CU_STREAM_NON_BLOCKING) && !cuMemAlloc(&a, n);
    for (int i = 0; i < 4 && ok; i++) {
        memset(back, 0, n);
        ok = !cuMemsetD8Async(a, (unsigned char)i, n, s) && !cuMemcpyHtoDAsync(a, src, n, s) &&
             !cuMemcpyDtoHAsync(back, a, n, s) && !cuStreamSynchronize(s) && !memcmp(src, back, n);
    }
    ok = ok && !cuMemFree(a) && !cuStreamDestroy(s);
    free(src);
    free(back);
    return ok ? context : NULL;
}

int main(void)
{
    enum { THREADS = 4 };
    CUcontext context = start();
    static const size_t sizes[] = {1, 63, 4097, 2 * MB - 1, 2 * MB, 2 * MB + 1, 5 * MB + 77, 16 * MB, 16 * MB + 12345};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        line(sizes[i], 0, 0, CU_STREAM_LEGACY);
        line(sizes[i], 1 + i, 17, CU_STREAM_PER_THREAD);
    }
    plane(4, 700000);
    plane(1 * MB + 3, 4);
    fills(1);
    fills(5);
    fills(1200001);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, from_thread, context);
    for (int i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        CHECK(result == context);
    }
    OK(cuCtxDestroy(context));
    return test_summary();
}
