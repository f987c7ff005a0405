// SPDX-License-Identifier: Apache-2.0
// Arrays: which descriptors are accepted, mipmapped arrays, and copies between arrays, device and host memory. The
// expectations are those of an H200.
#include "common.h"
#include <stdbool.h>

#define F CU_AD_FORMAT_FLOAT
enum {
    LAYERED = CUDA_ARRAY3D_LAYERED,
    SURFACE = CUDA_ARRAY3D_SURFACE_LDST,
    CUBE = CUDA_ARRAY3D_CUBEMAP,
    GATHER = CUDA_ARRAY3D_TEXTURE_GATHER
};

static const struct {
    CUDA_ARRAY3D_DESCRIPTOR desc;
    CUresult result;
} rows[] = {
    {{16, 0, 0, F, 1, 0}, CUDA_SUCCESS},
    {{16, 8, 0, F, 1, 0}, CUDA_SUCCESS},
    {{16, 8, 4, F, 1, 0}, CUDA_SUCCESS},
    {{0, 8, 4, F, 1, 0}, CUDA_ERROR_INVALID_VALUE},
    {{16, 0, 4, F, 1, 0}, CUDA_ERROR_INVALID_VALUE},
    {{SIZE_MAX, 0, 0, F, 1, 0}, CUDA_ERROR_INVALID_VALUE},
    {{16, SIZE_MAX, 0, F, 1, 0}, CUDA_ERROR_INVALID_VALUE},
    {{16, 16, SIZE_MAX, F, 1, 0}, CUDA_ERROR_INVALID_VALUE},
    // layers and cubes
    {{16, 0, 4, F, 1, LAYERED}, CUDA_SUCCESS},
    {{16, 8, 4, F, 1, LAYERED}, CUDA_SUCCESS},
    {{16, 8, 0, F, 1, LAYERED}, CUDA_ERROR_INVALID_VALUE},
    {{16, 0, 0, F, 1, LAYERED}, CUDA_ERROR_INVALID_VALUE},
    {{16, 16, 6, F, 1, CUBE}, CUDA_SUCCESS},
    {{16, 8, 6, F, 1, CUBE}, CUDA_ERROR_INVALID_VALUE},
    {{16, 16, 5, F, 1, CUBE}, CUDA_ERROR_INVALID_VALUE},
    {{16, 16, 12, F, 1, CUBE}, CUDA_ERROR_INVALID_VALUE},
    {{16, 16, 12, F, 1, CUBE | LAYERED}, CUDA_SUCCESS},
    {{16, 16, 7, F, 1, CUBE | LAYERED}, CUDA_ERROR_INVALID_VALUE},
    // uses
    {{16, 16, 0, F, 1, SURFACE}, CUDA_SUCCESS},
    {{16, 16, 0, F, 1, GATHER}, CUDA_SUCCESS},
    {{16, 0, 0, F, 1, GATHER}, CUDA_ERROR_INVALID_VALUE},
    {{16, 16, 4, F, 1, GATHER}, CUDA_ERROR_INVALID_VALUE},
    {{16, 16, 4, F, 1, GATHER | LAYERED}, CUDA_ERROR_INVALID_VALUE},
    {{16, 16, 0, F, 1, CUDA_ARRAY3D_DEPTH_TEXTURE}, CUDA_ERROR_INVALID_VALUE},
    {{16, 16, 0, F, 1, CUDA_ARRAY3D_COLOR_ATTACHMENT}, CUDA_ERROR_INVALID_VALUE},
    // limits
    {{131072, 0, 0, F, 1, 0}, CUDA_SUCCESS},
    {{131073, 0, 0, F, 1, 0}, CUDA_ERROR_INVALID_VALUE},
    {{131072, 1, 0, F, 1, 0}, CUDA_SUCCESS},
    {{4, 65536, 0, F, 1, 0}, CUDA_SUCCESS},
    {{4, 65537, 0, F, 1, 0}, CUDA_ERROR_INVALID_VALUE},
    {{32768, 0, 0, F, 1, SURFACE}, CUDA_SUCCESS},
    {{32769, 0, 0, F, 1, SURFACE}, CUDA_ERROR_INVALID_VALUE},
    {{131072, 2, 0, F, 1, SURFACE}, CUDA_SUCCESS},
    {{16384, 1, 1, F, 1, 0}, CUDA_SUCCESS},
    {{16385, 1, 1, F, 1, 0}, CUDA_ERROR_INVALID_VALUE},
    {{1, 16385, 1, F, 1, 0}, CUDA_ERROR_INVALID_VALUE},
    {{8, 8, 32768, F, 1, 0}, CUDA_SUCCESS},
    {{8, 8, 32769, F, 1, 0}, CUDA_ERROR_INVALID_VALUE},
    {{4, 4, 2048, F, 1, LAYERED}, CUDA_SUCCESS},
    {{4, 4, 2049, F, 1, LAYERED}, CUDA_ERROR_INVALID_VALUE},
    {{32769, 4, 2, F, 1, LAYERED}, CUDA_ERROR_INVALID_VALUE},
    {{4, 32769, 2, F, 1, LAYERED}, CUDA_ERROR_INVALID_VALUE},
    {{32769, 32769, 6, F, 1, CUBE}, CUDA_ERROR_INVALID_VALUE},
    {{4, 4, 2046, F, 1, CUBE | LAYERED}, CUDA_SUCCESS},
    {{4, 4, 2052, F, 1, CUBE | LAYERED}, CUDA_ERROR_INVALID_VALUE},
    {{32769, 4, 0, F, 1, GATHER}, CUDA_ERROR_INVALID_VALUE},
    {{16384, 16384, 16384, F, 4, 0}, CUDA_ERROR_OUT_OF_MEMORY},
    // formats
    {{16, 16, 0, F, 0, 0}, CUDA_ERROR_INVALID_VALUE},
    {{16, 16, 0, F, 3, 0}, CUDA_ERROR_INVALID_VALUE},
    {{16, 16, 0, F, 5, 0}, CUDA_ERROR_INVALID_VALUE},
    {{16, 16, 0, (CUarray_format)0, 1, 0}, CUDA_ERROR_INVALID_VALUE},
    {{16, 16, 0, (CUarray_format)0x77, 1, 0}, CUDA_ERROR_INVALID_VALUE},
    {{16, 16, 0, CU_AD_FORMAT_HALF, 4, 0}, CUDA_SUCCESS},
    {{16, 16, 0, CU_AD_FORMAT_SIGNED_INT16, 2, 0}, CUDA_SUCCESS},
    {{16, 16, 0, CU_AD_FORMAT_UNORM_INT8X4, 4, 0}, CUDA_SUCCESS},
    {{16, 16, 0, CU_AD_FORMAT_UNORM_INT8X4, 1, 0}, CUDA_ERROR_INVALID_VALUE},
    {{16, 16, 0, CU_AD_FORMAT_SNORM_INT16X1, 1, 0}, CUDA_SUCCESS},
};

// guide: CUarray | cuArrayCreate | cuArrayGetDescriptor | cuArrayDestroy
// guide: CUDA_ARRAY_DESCRIPTOR / CUarray_format
static void descriptors(void)
{
    CUDA_ARRAY_DESCRIPTOR d = {4, 4, F, 1};
    CUarray a = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CUDA_ARRAY3D_DESCRIPTOR back;
        CUDA_ARRAY_DESCRIPTOR flat;
        CUresult r = cuArray3DCreate(&a, &rows[i].desc);
        CHECK(r == rows[i].result);
        if (r != rows[i].result)
            fprintf(stderr, "row %zu gave %d\n", i, r);
        if (r)
            continue;
        OK(cuArray3DGetDescriptor(&back, a));
        OK(cuArrayGetDescriptor(&flat, a));
        CHECK(back.Width == rows[i].desc.Width && back.Height == rows[i].desc.Height);
        CHECK(back.Depth == rows[i].desc.Depth && back.Format == rows[i].desc.Format);
        CHECK(back.NumChannels == rows[i].desc.NumChannels && back.Flags == rows[i].desc.Flags);
        CHECK(flat.Width == back.Width && flat.Height == back.Height && flat.Format == back.Format);
        OK(cuArrayDestroy(a));
    }
    EXPECT(cuArrayCreate(NULL, &d), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuArrayCreate(&a, NULL), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuArray3DCreate(&a, NULL), CUDA_ERROR_INVALID_VALUE);
    OK(cuArrayCreate(&a, &d));
    CUDA_ARRAY_MEMORY_REQUIREMENTS need;
    CUDA_ARRAY_SPARSE_PROPERTIES sparse;
    CUarray plane;
    EXPECT(cuArrayGetDescriptor(NULL, a), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuArray3DGetDescriptor(NULL, a), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuArrayGetDescriptor(&d, NULL), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuArrayGetMemoryRequirements(&need, a, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuArrayGetSparseProperties(&sparse, a), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuArrayGetPlane(&plane, a, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuArrayDestroy(NULL), CUDA_ERROR_INVALID_HANDLE);
    OK(cuArrayDestroy(a));
#ifndef ORACLE // NVIDIA's driver follows such handles
    EXPECT(cuArrayDestroy(a), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuArrayGetDescriptor(&d, a), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuArrayDestroy(BAD(CUarray)), CUDA_ERROR_INVALID_HANDLE);
#endif
}

static void mipmaps(void)
{
    CUDA_ARRAY3D_DESCRIPTOR d = {64, 32, 0, F, 1, 0}, back;
    CUmipmappedArray m;
    CUarray l;
    OK(cuMipmappedArrayCreate(&m, &d, 0));
    OK(cuMipmappedArrayGetLevel(&l, m, 0));
    EXPECT(cuMipmappedArrayGetLevel(&l, m, 1), CUDA_ERROR_INVALID_VALUE);
    OK(cuMipmappedArrayDestroy(m));
    OK(cuMipmappedArrayCreate(&m, &d, 100));
    for (unsigned i = 0; i < 7; i++) {
        OK(cuMipmappedArrayGetLevel(&l, m, i));
        OK(cuArray3DGetDescriptor(&back, l));
        CHECK(back.Width == 64u >> i && back.Height == (i < 5 ? 32u >> i : 1) && !back.Depth);
    }
    EXPECT(cuMipmappedArrayGetLevel(&l, m, 7), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMipmappedArrayGetLevel(NULL, m, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMipmappedArrayGetLevel(&l, NULL, 0), CUDA_ERROR_INVALID_HANDLE);
    OK(cuMipmappedArrayGetLevel(&l, m, 0));
    OK(cuArrayDestroy(l)); // no effect
    OK(cuMipmappedArrayGetLevel(&l, m, 0));
    OK(cuMipmappedArrayDestroy(m));
    static const struct {
        CUDA_ARRAY3D_DESCRIPTOR whole;
        size_t width, height, depth; // of level 2
    } kinds[] = {
        {{16, 16, 16, F, 1, 0}, 4, 4, 4}, {{16, 16, 5, F, 1, LAYERED}, 4, 4, 5}, {{16, 0, 0, F, 1, 0}, 4, 0, 0}};
    for (size_t i = 0; i < 3; i++) {
        OK(cuMipmappedArrayCreate(&m, &kinds[i].whole, 3));
        OK(cuMipmappedArrayGetLevel(&l, m, 2));
        OK(cuArray3DGetDescriptor(&back, l));
        CHECK(back.Width == kinds[i].width && back.Height == kinds[i].height && back.Depth == kinds[i].depth);
        CHECK(back.Flags == kinds[i].whole.Flags);
        OK(cuMipmappedArrayDestroy(m));
    }
    d.Width = 32769;
    EXPECT(cuMipmappedArrayCreate(&m, &d, 3), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMipmappedArrayCreate(NULL, &d, 1), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMipmappedArrayCreate(&m, NULL, 1), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMipmappedArrayDestroy(NULL), CUDA_ERROR_INVALID_HANDLE);
#ifndef ORACLE
    CUDA_ARRAY_DESCRIPTOR flat = {4, 4, F, 1};
    OK(cuArrayCreate(&l, &flat));
    EXPECT(cuMipmappedArrayDestroy((CUmipmappedArray)l), CUDA_ERROR_INVALID_HANDLE); // another kind
    OK(cuArrayDestroy(l));
#endif
}

enum { W = 16, H = 8, D = 4, ROW = W * 4, PLANE = ROW * H };
static unsigned char host[PLANE * D], out[PLANE * D];

// guide: cuMemcpyDtoA | cuMemcpyAtoD | cuMemcpyAtoH | cuMemcpyHtoA | cuMemcpyAtoA | cuMemcpyAtoHAsync
// guide: cuMemcpyHtoAAsync
static void lines(void)
{
    CUDA_ARRAY_DESCRIPTOR d = {W, 0, F, 1}, d2 = {W, H, F, 1};
    CUarray a, b;
    CUdeviceptr p;
    CUstream s;
    OK(cuArrayCreate(&a, &d));
    OK(cuArrayCreate(&b, &d2));
    OK(cuMemAlloc(&p, PLANE));
    OK(cuStreamCreate(&s, 0));
    OK(cuMemcpyHtoA(a, 0, host, ROW));
    OK(cuMemcpyAtoH(out, a, 0, ROW));
    CHECK(!memcmp(out, host, ROW));
    OK(cuMemcpyAtoA(b, 0, a, 4, ROW - 4));
    OK(cuMemcpyAtoD(p, b, 0, ROW - 4));
    OK(cuMemcpyDtoH(out, p, ROW - 4));
    CHECK(!memcmp(out, host + 4, ROW - 4));
    OK(cuMemcpyHtoD(p, host + 100, ROW));
    OK(cuMemcpyDtoA(a, 0, p, ROW));
    OK(cuMemcpyAtoHAsync(out, a, 2, 3, s)); // elements need not be whole
    OK(cuStreamSynchronize(s));
    CHECK(!memcmp(out, host + 102, 3));
    OK(cuMemcpyHtoAAsync(a, 0, host, ROW, s));
    OK(cuMemcpyAtoHAsync(out, a, 0, ROW, s));
    OK(cuStreamSynchronize(s));
    CHECK(!memcmp(out, host, ROW));
    OK(cuMemcpyHtoA(a, 0, host, 0));
    EXPECT(cuMemcpyHtoA(a, 0, host, ROW + 1), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpyHtoA(a, 4, host, ROW), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpyHtoA(a, SIZE_MAX, host, 2), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpyHtoA(b, 0, host, PLANE), CUDA_ERROR_INVALID_VALUE); // one row only
    EXPECT(cuMemcpyHtoA(NULL, 0, host, 4), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpyHtoA(a, 0, NULL, 4), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpyAtoH(NULL, a, 0, 4), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpyAtoH(out, NULL, 0, 4), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpyDtoA(a, 0, 16, 4), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpyDtoA(a, 0, 0, 4), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpyAtoD(16, a, 0, 4), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpyAtoD((CUdeviceptr)(uintptr_t)out, a, 0, 4), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpyAtoA(a, 0, NULL, 0, 4), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpyAtoA(NULL, 0, a, 0, 4), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpyAtoA(a, 0, b, 0, ROW + 4), CUDA_ERROR_INVALID_VALUE);
#ifndef ORACLE
    EXPECT(cuMemcpyHtoAAsync(a, 0, host, 4, BAD(CUstream)), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuMemcpyHtoA(BAD(CUarray), 0, host, 4), CUDA_ERROR_INVALID_VALUE);
#endif
    OK(cuStreamDestroy(s));
    OK(cuMemFree(p));
    OK(cuArrayDestroy(b));
    OK(cuArrayDestroy(a));
}

// Every kind of source and destination of a box: 0 host, 1 device, 2 array, 3 either by address.
static void place(int kind, bool source, CUDA_MEMCPY3D *c, unsigned char *h, CUdeviceptr p, CUarray a)
{
    CUmemorytype type = kind == 0   ? CU_MEMORYTYPE_HOST
                        : kind == 1 ? CU_MEMORYTYPE_DEVICE
                        : kind == 2 ? CU_MEMORYTYPE_ARRAY
                                    : CU_MEMORYTYPE_UNIFIED;
    if (source) {
        c->srcMemoryType = type;
        c->srcHost = h;
        c->srcDevice = p;
        c->srcArray = a;
        c->srcPitch = ROW;
        c->srcHeight = H;
    } else {
        c->dstMemoryType = type;
        c->dstHost = h;
        c->dstDevice = p;
        c->dstArray = a;
        c->dstPitch = ROW;
        c->dstHeight = H;
    }
}

static void boxes(void)
{
    CUDA_ARRAY3D_DESCRIPTOR d = {W, H, D, F, 1, 0};
    CUarray a[2];
    CUdeviceptr p[2];
    static unsigned char h[2][PLANE * D], wanted[PLANE * D];
    CUDA_MEMCPY3D all = {.WidthInBytes = ROW, .Height = H, .Depth = D};
    for (int i = 0; i < 2; i++) {
        OK(cuArray3DCreate(&a[i], &d));
        OK(cuMemAlloc(&p[i], sizeof host));
    }
    for (int from = 0; from < 4; from++)
        for (int to = 0; to < 4; to++) {
            CUDA_MEMCPY3D c = all;
            // the source holds the pattern, the destination 0x55
            memcpy(h[0], host, sizeof host);
            OK(cuMemcpyHtoD(p[0], host, sizeof host));
            place(0, true, &c, host, 0, NULL);
            place(2, false, &c, NULL, 0, a[0]);
            OK(cuMemcpy3D(&c));
            memset(h[1], 0x55, sizeof host);
            OK(cuMemsetD8(p[1], 0x55, sizeof host));
            place(1, true, &c, NULL, p[1], NULL);
            place(2, false, &c, NULL, 0, a[1]);
            OK(cuMemcpy3D(&c));
            // a part of it, elsewhere
            c = all;
            place(from, true, &c, h[0], p[0], a[0]);
            place(to, false, &c, h[1], p[1], a[1]);
            c.srcXInBytes = 8;
            c.srcY = 1;
            c.srcZ = 2;
            c.dstXInBytes = 4;
            c.dstY = 3;
            c.dstZ = 1;
            c.WidthInBytes = 40;
            c.Height = 5;
            c.Depth = 2;
            OK(cuMemcpy3D(&c));
            memset(wanted, 0x55, sizeof wanted);
            for (int z = 0; z < 2; z++)
                for (int y = 0; y < 5; y++)
                    memcpy(wanted + (z + 1) * PLANE + (y + 3) * ROW + 4, host + (z + 2) * PLANE + (y + 1) * ROW + 8,
                           40);
            c = all;
            place(to, true, &c, h[1], p[1], a[1]);
            place(0, false, &c, out, 0, NULL);
            OK(cuMemcpy3D(&c));
            CHECK(!memcmp(out, wanted, sizeof wanted));
        }
    CUDA_MEMCPY3D good = all, c;
    place(0, true, &good, host, 0, NULL);
    place(2, false, &good, NULL, 0, a[0]);
#define WITH(change, result)                                                                                           \
    do {                                                                                                               \
        c = good;                                                                                                      \
        change;                                                                                                        \
        EXPECT(cuMemcpy3D(&c), result);                                                                                \
    } while (0)
    WITH(c.Depth = 5, CUDA_ERROR_INVALID_VALUE);
    WITH(c.dstZ = 1, CUDA_ERROR_INVALID_VALUE);
    WITH((c.dstZ = 1, c.Depth = 3), CUDA_SUCCESS);
    WITH(c.dstLOD = 1, CUDA_ERROR_INVALID_VALUE);
    WITH(c.srcHeight = 4, CUDA_ERROR_INVALID_VALUE);
    WITH(c.srcHeight = 0, CUDA_SUCCESS);
    WITH(c.Depth = 0, CUDA_SUCCESS);
    EXPECT(cuMemcpy3D(NULL), CUDA_ERROR_INVALID_VALUE);
#undef WITH
    CUDA_MEMCPY3D_PEER peer;
    memcpy(&peer, &good, sizeof peer);
    peer.srcContext = peer.dstContext = NULL;
    OK(cuMemcpy3DPeer(&peer));
    OK(cuCtxGetCurrent(&peer.srcContext));
    peer.dstContext = peer.srcContext;
    OK(cuMemcpy3DPeer(&peer));
    for (int i = 0; i < 2; i++) {
        OK(cuMemFree(p[i]));
        OK(cuArrayDestroy(a[i]));
    }
}

// guide: cuMemcpy2D / CUDA_MEMCPY2D | cuMemcpy2DUnaligned | cuMemcpy2DAsync
static void planes(void)
{
    CUDA_ARRAY_DESCRIPTOR d = {W, H, F, 1}, d1 = {W, 0, F, 1};
    CUarray a, line;
    CUdeviceptr p;
    OK(cuArrayCreate(&a, &d));
    OK(cuArrayCreate(&line, &d1));
    OK(cuMemAlloc(&p, PLANE));
    CUDA_MEMCPY2D good = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                          .srcHost = host,
                          .srcPitch = ROW,
                          .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                          .dstArray = a,
                          .WidthInBytes = ROW,
                          .Height = H},
                  c;
#define WITH(change, result)                                                                                           \
    do {                                                                                                               \
        c = good;                                                                                                      \
        change;                                                                                                        \
        EXPECT(cuMemcpy2D(&c), result);                                                                                \
    } while (0)
    WITH(, CUDA_SUCCESS);
    WITH(c.Height = 9, CUDA_ERROR_INVALID_VALUE);
    WITH((c.WidthInBytes = 68, c.srcPitch = 68), CUDA_ERROR_INVALID_VALUE);
    WITH(c.dstXInBytes = 4, CUDA_ERROR_INVALID_VALUE);
    WITH((c.dstXInBytes = 4, c.WidthInBytes = 60), CUDA_SUCCESS);
    WITH((c.dstXInBytes = 2, c.WidthInBytes = 3), CUDA_SUCCESS);
    WITH(c.dstY = 1, CUDA_ERROR_INVALID_VALUE);
    WITH((c.dstY = 1, c.Height = 7), CUDA_SUCCESS);
    WITH(c.dstXInBytes = SIZE_MAX - 3, CUDA_ERROR_INVALID_VALUE);
    WITH(c.dstY = SIZE_MAX, CUDA_ERROR_INVALID_VALUE);
    WITH(c.dstArray = NULL, CUDA_ERROR_INVALID_VALUE);
    WITH(c.srcHost = NULL, CUDA_ERROR_INVALID_VALUE);
    WITH(c.srcPitch = 32, CUDA_ERROR_INVALID_VALUE);
    WITH(c.srcPitch = 0, CUDA_SUCCESS);
    WITH(c.dstMemoryType = (CUmemorytype)0, CUDA_ERROR_INVALID_VALUE);
    WITH(c.dstMemoryType = (CUmemorytype)5, CUDA_ERROR_INVALID_VALUE);
    WITH(c.WidthInBytes = 0, CUDA_SUCCESS);
    WITH(c.Height = 0, CUDA_SUCCESS);
    WITH((c.srcMemoryType = CU_MEMORYTYPE_DEVICE, c.srcDevice = p), CUDA_SUCCESS);
    WITH((c.srcMemoryType = CU_MEMORYTYPE_DEVICE, c.srcDevice = 0), CUDA_ERROR_INVALID_VALUE);
    WITH((c.srcMemoryType = CU_MEMORYTYPE_ARRAY, c.srcArray = a), CUDA_SUCCESS);
    WITH((c.dstArray = line, c.Height = 1), CUDA_SUCCESS);
    WITH((c.dstArray = line, c.Height = 2), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpy2D(NULL), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemcpy2DUnaligned(&good));
    OK(cuMemcpy2DAsync(&good, 0));
    CUDA_MEMCPY2D back = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                          .srcArray = a,
                          .dstMemoryType = CU_MEMORYTYPE_HOST,
                          .dstHost = out,
                          .dstPitch = ROW,
                          .WidthInBytes = ROW,
                          .Height = H};
    OK(cuMemcpy2D(&back));
    CHECK(!memcmp(out, host, PLANE));
    OK(cuMemFree(p));
    OK(cuArrayDestroy(line));
    OK(cuArrayDestroy(a));
#ifndef ORACLE
    EXPECT(cuMemcpy2D(&good), CUDA_ERROR_INVALID_VALUE); // the array is gone
#endif
}

static void batches(void)
{
    CUDA_ARRAY3D_DESCRIPTOR d = {W, H, D, F, 1, 0};
    CUarray a, b;
    CUdeviceptr p;
    CUstream s;
    static unsigned char packed[3 * 4 * 2 * 4];
    OK(cuArray3DCreate(&a, &d));
    OK(cuArray3DCreate(&b, &d));
    OK(cuMemAlloc(&p, sizeof host));
    OK(cuMemcpyHtoD(p, host, sizeof host));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    CUDA_MEMCPY3D_BATCH_OP in = {.src.type = CU_MEMCPY_OPERAND_TYPE_POINTER,
                                 .src.op.ptr = {.ptr = p, .rowLength = W, .layerHeight = H},
                                 .dst.type = CU_MEMCPY_OPERAND_TYPE_ARRAY,
                                 .dst.op.array.array = a,
                                 .extent = {W, H, D},
                                 .srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM};
    CUDA_MEMCPY3D_BATCH_OP both[2] = {in, in}, bad;
    both[1].src.op.ptr.rowLength = both[1].src.op.ptr.layerHeight = 0; // the same, without gaps
    both[1].dst.op.array.array = b;
    OK(cuMemcpy3DBatchAsync(2, both, 0, s));
    CUDA_MEMCPY3D_BATCH_OP part = {.src.type = CU_MEMCPY_OPERAND_TYPE_ARRAY,
                                   .src.op.array = {b, {5, 2, 1}},
                                   .dst.type = CU_MEMCPY_OPERAND_TYPE_POINTER,
                                   .dst.op.ptr = {.ptr = p},
                                   .extent = {3, 4, 2},
                                   .srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM};
    OK(cuMemcpy3DBatchAsync(1, &part, 0, s));
    OK(cuStreamSynchronize(s));
    OK(cuMemcpyDtoH(packed, p, sizeof packed));
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 4; y++)
            CHECK(!memcmp(packed + (z * 4 + y) * 12, host + (z + 1) * PLANE + (y + 2) * ROW + 5 * 4, 12));
    EXPECT(cuMemcpy3DBatchAsync(0, &in, 0, s), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpy3DBatchAsync(1, NULL, 0, s), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpy3DBatchAsync(1, &in, 1, s), CUDA_ERROR_INVALID_VALUE);
#define WRONG(change)                                                                                                  \
    do {                                                                                                               \
        bad = in;                                                                                                      \
        change;                                                                                                        \
        EXPECT(cuMemcpy3DBatchAsync(1, &bad, 0, s), CUDA_ERROR_INVALID_VALUE);                                         \
    } while (0)
    WRONG(bad.extent.width = 0);
    WRONG(bad.extent.depth = D + 1);
    WRONG(bad.dst.op.array.offset.x = 1);
    WRONG(bad.src.op.ptr.rowLength = W - 1);
    WRONG(bad.src.op.ptr.ptr = 0);
    WRONG(bad.src.type = (CUmemcpy3DOperandType)7);
    OK(cuStreamDestroy(s));
    OK(cuMemFree(p));
    OK(cuArrayDestroy(a));
    OK(cuArrayDestroy(b));
}

// Memory is given back, also by a context that goes with arrays and textures in it.
static void leaks(CUcontext context)
{
    CUDA_ARRAY_DESCRIPTOR d = {1024, 1024, F, 1};
    CUDA_ARRAY3D_DESCRIPTOR m = {1024, 1024, 0, F, 1, 0};
    size_t before, after, total;
    CUcontext other;
    CUdevice device;
    OK(cuMemGetInfo(&before, &total));
    OK(cuCtxGetDevice(&device));
    OK(cuCtxCreate(&other, NULL, 0, device));
    for (int i = 0; i < 4; i++) {
        CUarray a;
        CUmipmappedArray mip;
        CUtexref ref;
        CUtexObject t;
        OK(cuArrayCreate(&a, &d));
        OK(cuMipmappedArrayCreate(&mip, &m, 5));
        OK(cuTexRefCreate(&ref));
        CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = a};
        CUDA_TEXTURE_DESC x = {0};
        OK(cuTexObjectCreate(&t, &r, &x, NULL));
    }
    OK(cuCtxDestroy(other));
    OK(cuCtxSetCurrent(context));
    OK(cuMemGetInfo(&after, &total));
#ifndef ORACLE
    CHECK(before == after);
#endif
}

int main(void)
{
    CUarray a;
    CUDA_ARRAY_DESCRIPTOR d = {4, 4, F, 1};
    EXPECT(cuArrayCreate(&a, &d), CUDA_ERROR_NOT_INITIALIZED);
    OK(cuInit(0));
    EXPECT(cuArrayCreate(&a, &d), CUDA_ERROR_INVALID_CONTEXT);
    CUcontext context = start();
    for (size_t i = 0; i < sizeof host; i++)
        host[i] = (unsigned char)(i * 7 + (i >> 8));
    descriptors();
    mipmaps();
    lines();
    planes();
    boxes();
    batches();
    leaks(context);
    OK(cuCtxDestroy(context));
    return test_summary();
}
