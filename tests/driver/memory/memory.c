// SPDX-License-Identifier: Apache-2.0
// Memory: allocation, copies of all shapes, fills, bounds, pinned and managed memory, pointer attributes, pools.
#include "common.h"

static void allocation(void)
{
    CUdeviceptr p, base, q;
    size_t size, pitch, free_bytes, total;
    int local;
    OK(cuMemGetInfo(&free_bytes, &total));
    CHECK(free_bytes && free_bytes <= total);
    OK(cuMemAlloc(&p, 1000));
    CHECK(p % 256 == 0);
    OK(cuMemGetAddressRange(&base, &size, p + 999));
    CHECK(base == p && size == 1000);
    EXPECT(cuMemGetAddressRange(&base, &size, p + 1000), CUDA_ERROR_NOT_FOUND);
    EXPECT(cuMemFree(p + 4), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemFree(p));
    EXPECT(cuMemFree(p), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemFree(0));
    EXPECT(cuMemFree((CUdeviceptr)(uintptr_t)&local), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemAlloc(&p, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemAlloc(NULL, 4), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemAlloc(&p, (size_t)1 << 50), CUDA_ERROR_OUT_OF_MEMORY);
    OK(cuMemAllocPitch(&q, &pitch, 100, 7, 4));
    CHECK(pitch >= 100 && pitch % 256 == 0);
    OK(cuMemFree(q));
    EXPECT(cuMemAllocPitch(&q, &pitch, 100, 7, 3), CUDA_ERROR_INVALID_VALUE);
}

static void lines(void)
{
    enum { N = 1 << 20 };
    CUdeviceptr a, b;
    unsigned char *x = malloc(N), *y = malloc(N);
    for (int i = 0; i < N; i++)
        x[i] = (unsigned char)(i * 7 + (i >> 9));
    OK(cuMemAlloc(&a, N));
    OK(cuMemAlloc(&b, N));
    OK(cuMemcpyHtoD(a, x, N));
    OK(cuMemcpyDtoD(b, a, N));
    memset(y, 0, N);
    OK(cuMemcpyDtoH(y, b, N));
    CHECK(!memcmp(x, y, N));
    OK(cuMemsetD8(b, 3, N));
    OK(cuMemcpy((CUdeviceptr)(uintptr_t)y, b, N));
    CHECK(y[0] == 3 && y[N - 1] == 3);
    OK(cuMemcpyAsync(b, a, N, 0));
    OK(cuMemcpyDtoHAsync(y, b, N, 0));
    CHECK(!memcmp(x, y, N)); // to pageable memory: over on return
    EXPECT(cuMemcpyHtoD(a + 1, x, N), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpyHtoD(a, NULL, N), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpyHtoD(0, x, N), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpyDtoH(y, a + N - 4, 5), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpyDtoD(b, (CUdeviceptr)(uintptr_t)x, N), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpyHtoDAsync(a, x, N, BAD(CUstream)), CUDA_ERROR_INVALID_HANDLE);
    OK(cuMemcpyHtoD(a, x, 0));
    OK(cuMemFree(a));
    EXPECT(cuMemcpyHtoD(a, x, N), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemsetD8(a, 0, 1), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemFree(b));
    free(x);
    free(y);
}

static void boxes(void)
{
    enum { W = 20, H = 6, D = 3 };
    unsigned char x[D][H][W], y[D][H][W];
    CUdeviceptr p;
    size_t pitch;
    CUDA_MEMCPY2D c = {0};
    CUDA_MEMCPY3D v = {0};
    for (size_t i = 0; i < sizeof x; i++)
        ((unsigned char *)x)[i] = (unsigned char)i;
    OK(cuMemAllocPitch(&p, &pitch, W, H * D, 4));
    c.srcMemoryType = CU_MEMORYTYPE_HOST;
    c.srcHost = x;
    c.srcPitch = W;
    c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    c.dstDevice = p;
    c.dstPitch = pitch;
    c.WidthInBytes = W;
    c.Height = H * D;
    OK(cuMemcpy2D(&c));
    memset(y, 0, sizeof y);
    // a part, back to the host: rows 1..2, columns 4..9 of slice 1
    v.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    v.srcDevice = p;
    v.srcPitch = pitch;
    v.srcHeight = H;
    v.srcXInBytes = 4;
    v.srcY = 1;
    v.srcZ = 1;
    v.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
    v.dstDevice = (CUdeviceptr)(uintptr_t)y;
    v.dstPitch = W;
    v.dstHeight = H;
    v.dstXInBytes = 2;
    v.dstY = 3;
    v.dstZ = 0;
    v.WidthInBytes = 6;
    v.Height = 2;
    v.Depth = 2;
    OK(cuMemcpy3D(&v));
    int wrong = 0;
    for (int z = 0; z < D; z++)
        for (int j = 0; j < H; j++)
            for (int i = 0; i < W; i++) {
                int in = z < 2 && j >= 3 && j < 5 && i >= 2 && i < 8;
                wrong += y[z][j][i] != (in ? x[z + 1][j - 2][i + 2] : 0);
            }
    CHECK(!wrong);
    v.srcZ = 2;
    EXPECT(cuMemcpy3D(&v), CUDA_ERROR_INVALID_VALUE); // past the end
    v.srcZ = 0;
    v.srcPitch = 8;
    EXPECT(cuMemcpy3D(&v), CUDA_ERROR_INVALID_VALUE); // pitch below the width
    c.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    EXPECT(cuMemcpy2D(&c), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpy2D(NULL), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemFree(p));
}

static void fills(void)
{
    CUdeviceptr p;
    unsigned short s[64];
    unsigned w[64];
    OK(cuMemAlloc(&p, 4096));
    OK(cuMemsetD16(p, 0xabcd, 64));
    OK(cuMemcpyDtoH(s, p, sizeof s));
    CHECK(s[0] == 0xabcd && s[63] == 0xabcd);
    OK(cuMemsetD32(p, 0, 1024));
    OK(cuMemsetD2D32(p + 64, 64, 7, 2, 3));
    OK(cuMemcpyDtoH(w, p, sizeof w));
    CHECK(w[16] == 7 && w[17] == 7 && w[18] == 0 && w[32] == 7 && w[48] == 7 && w[0] == 0);
    OK(cuMemsetD32Async(p, 5, 1024, 0));
    OK(cuMemcpyDtoH(w, p, sizeof w));
    CHECK(w[63] == 5);
    EXPECT(cuMemsetD32(p + 2, 0, 4), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemsetD16(p + 1, 0, 4), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemsetD32(p, 0, 1025), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemsetD2D8(p, 4, 0, 8, 2), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemFree(p));
}

static void host_memory(void)
{
    void *h, *r;
    CUdeviceptr d, m;
    unsigned flags;
    int v;
    OK(cuMemHostAlloc(&h, 5000, CU_MEMHOSTALLOC_PORTABLE));
    OK(cuMemHostGetDevicePointer(&d, h, 0));
    CHECK(d == (CUdeviceptr)(uintptr_t)h);
    OK(cuMemHostGetFlags(&flags, h));
    CHECK(flags & CU_MEMHOSTALLOC_PORTABLE);
    EXPECT(cuMemHostAlloc(&h, 10, 0x80), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemFreeHost(h));
    EXPECT(cuMemFreeHost(h), CUDA_ERROR_INVALID_VALUE);
    r = malloc(10000);
    OK(cuMemHostRegister(r, 10000, 0));
    EXPECT(cuMemHostRegister(r, 10000, 0), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    OK(cuPointerGetAttribute(&v, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(uintptr_t)r));
    CHECK(v == CU_MEMORYTYPE_HOST);
    OK(cuMemHostUnregister(r));
    EXPECT(cuMemHostUnregister(r), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
    free(r);
    OK(cuMemAllocManaged(&m, 100, CU_MEM_ATTACH_GLOBAL));
    ((char *)(uintptr_t)m)[99] = 1;
    OK(cuPointerGetAttribute(&v, CU_POINTER_ATTRIBUTE_IS_MANAGED, m));
    CHECK(v == 1);
    CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    OK(cuMemAdvise(m, 100, CU_MEM_ADVISE_SET_READ_MOSTLY, here));
    OK(cuMemPrefetchAsync(m, 100, here, 0, 0));
    EXPECT(cuMemAllocManaged(&m, 100, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemAllocManaged(&m, 0, CU_MEM_ATTACH_GLOBAL), CUDA_ERROR_INVALID_VALUE);
}

static int prefetched_to(CUdeviceptr p)
{
    int device = -99;
    OK(cuMemRangeGetAttribute(&device, sizeof device, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, p, 4096));
    return device;
}

static void prefetch_batch(void)
{
    enum { COUNT = 3, PAGE = 4096 };
    const CUstream own = CU_STREAM_PER_THREAD;
    CUdeviceptr m, list[COUNT];
    size_t sizes[COUNT] = {PAGE, PAGE, PAGE}, starts[] = {0, 2}, late[] = {1, 2}, same[] = {0, 0}, far[] = {0, COUNT};
    CUmemLocation to[] = {{CU_MEM_LOCATION_TYPE_HOST, 0}, {CU_MEM_LOCATION_TYPE_DEVICE, 0}},
                  nowhere[] = {to[0], {CU_MEM_LOCATION_TYPE_DEVICE, 99}};
    OK(cuMemAllocManaged(&m, COUNT * PAGE, CU_MEM_ATTACH_GLOBAL));
    for (int i = 0; i < COUNT; i++)
        list[i] = m + (CUdeviceptr)i * PAGE;
    EXPECT(cuMemPrefetchBatchAsync(NULL, sizes, COUNT, to, starts, 2, 0, own), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPrefetchBatchAsync(list, sizes, 0, to, starts, 2, 0, own), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPrefetchBatchAsync(list, sizes, 1, to, starts, 2, 0, own), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPrefetchBatchAsync(list, sizes, COUNT, to, starts, 0, 0, own), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPrefetchBatchAsync(list, sizes, COUNT, to, starts, 2, 1, own), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPrefetchBatchAsync(list, sizes, COUNT, to, late, 2, 0, own), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPrefetchBatchAsync(list, sizes, COUNT, to, same, 2, 0, own), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPrefetchBatchAsync(list, sizes, COUNT, to, far, 2, 0, own), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPrefetchBatchAsync(list, sizes, COUNT, nowhere, starts, 2, 0, own), CUDA_ERROR_INVALID_DEVICE);
    EXPECT(cuMemPrefetchBatchAsync(list, sizes, COUNT, to, starts, 2, 0, 0),
           CUDA_ERROR_INVALID_VALUE); // the legacy stream
    sizes[2] = 0;
    EXPECT(cuMemPrefetchBatchAsync(list, sizes, COUNT, to, starts, 2, 0, own), CUDA_ERROR_INVALID_VALUE);
    CHECK(prefetched_to(list[0]) == CU_DEVICE_INVALID); // nothing was begun
    sizes[2] = PAGE;
    OK(cuMemPrefetchBatchAsync(list, sizes, COUNT, to, starts, 2, 0, own));
    OK(cuCtxSynchronize());
    CHECK(prefetched_to(list[0]) == CU_DEVICE_CPU && prefetched_to(list[1]) == CU_DEVICE_CPU &&
          prefetched_to(list[2]) == 0);
    OK(cuMemFree(m));
}

static void pointers(CUcontext context)
{
    CUdeviceptr p, d = 0;
    CUcontext owner;
    unsigned type;
    size_t size;
    int ordinal = 7, local = 0;
    OK(cuMemAlloc(&p, 64));
    OK(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, p + 5));
    CHECK(owner == context);
    OK(cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, p));
    CHECK(size == 64);
    EXPECT(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(uintptr_t)&local),
           CUDA_ERROR_INVALID_VALUE);
    CUpointer_attribute which[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                   CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
    void *data[] = {&type, &d, &ordinal};
    OK(cuPointerGetAttributes(3, which, data, p));
    CHECK(type == CU_MEMORYTYPE_DEVICE && d == p && ordinal == 0);
    OK(cuPointerGetAttributes(3, which, data, (CUdeviceptr)(uintptr_t)&local));
    CHECK(type == 0 && d == 0);
    OK(cuMemFree(p));
}

static void pools(void)
{
    CUdeviceptr p, q;
    CUmemoryPool pool, own;
    CUstream s;
    cuuint64_t used = 0, threshold = 12345;
    int x = 5;
    OK(cuStreamCreate(&s, 0));
    OK(cuDeviceGetDefaultMemPool(&pool, 0));
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
    threshold = 0;
    OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
    CHECK(threshold == 12345);
    OK(cuMemAllocAsync(&p, 4000, s));
    OK(cuMemsetD32Async(p, 9, 1000, s));
    OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
    CHECK(used == 4000);
    OK(cuMemcpyDtoHAsync(&x, p + 3996, 4, s));
    CHECK(x == 9);
    OK(cuMemFreeAsync(p, s));
    OK(cuStreamSynchronize(s));
    EXPECT(cuMemFreeAsync(p, s), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
    CHECK(used == 0);
    // What is freed is kept up to the threshold and comes back, in the stream that frees it even before it gets there.
    cuuint64_t reserved = 0, all = UINT64_MAX, none = 0;
    CUdeviceptr a, b;
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &all));
    OK(cuMemAllocAsync(&a, 3 << 20, s));
    OK(cuMemsetD8Async(a, 1, 3 << 20, s));
    OK(cuMemFreeAsync(a, s));
    OK(cuMemAllocAsync(&b, 3 << 20, s));
    CHECK(a == b);
    OK(cuMemsetD8Async(b, 2, 3 << 20, s));
    OK(cuMemFreeAsync(b, s));
    OK(cuStreamSynchronize(s));
    EXPECT(cuMemFreeAsync(b, s), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemFree(b), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
    OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &reserved));
    CHECK(used == 0 && reserved == 3 << 20);
    OK(cuMemAllocAsync(&q, 3 << 20, CU_STREAM_PER_THREAD)); // another stream: the free is over
    CHECK(q == b);
    OK(cuMemAllocAsync(&a, 3 << 20, s));
    CHECK(a != q);
    OK(cuMemFreeAsync(q, CU_STREAM_PER_THREAD));
    OK(cuMemFreeAsync(a, s));
    OK(cuCtxSynchronize());
    OK(cuMemPoolTrimTo(pool, 3 << 20));
    OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &reserved));
    CHECK(reserved == 3 << 20);
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &none));
    OK(cuStreamSynchronize(s));
    OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &reserved));
    CHECK(reserved == 0);
    CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    OK(cuMemPoolCreate(&own, &props));
    OK(cuMemAllocFromPoolAsync(&q, 100, own, s));
    OK(cuMemFree(q));
    OK(cuMemPoolDestroy(own));
    EXPECT(cuMemPoolDestroy(own), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPoolDestroy(pool), CUDA_ERROR_INVALID_VALUE);
    OK(cuStreamDestroy(s));
}

int main(void)
{
    CUcontext c = start();
    size_t size;
    CUdeviceptr p;
    allocation();
    lines();
    boxes();
    fills();
    host_memory();
    prefetch_batch();
    pointers(c);
    pools();
    OK(cuMemAlloc(&p, 1 << 20));
    OK(cuCtxDestroy(c));
    c = start();
    EXPECT(cuMemGetAddressRange(NULL, &size, p), CUDA_ERROR_NOT_FOUND); // went with its context
    OK(cuCtxDestroy(c));
    return test_summary();
}
