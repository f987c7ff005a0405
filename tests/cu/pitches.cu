// SPDX-License-Identifier: Apache-2.0
// The pitch of one row may be 0 or anything from the row's size on; of more rows it may not be less. Sizes beyond 64 bits are
// errors. Every call that has a pitch, of the runtime and of the driver; the numbers are an H200's answers (with `probe 1` as arguments
// the program prints those of the machine that it runs on). OURS: NVIDIA's library does not see that a product of sizes wraps
// around, and does nothing, or faults later, or ends the process.
// nvcc: -w
// widths: 8
#include "check.h"
#include <cuda.h>
#include <cstdint>

typedef size_t Z;
static const Z G = Z(1) << 40, H = Z(1) << 63, W = Z(1) << 32, M = ~Z(0);
static char *d, *d2;                         // 1 MiB each
static char h[1 << 20], h2[1 << 20];         // of the host
static cudaArray_t a, b, line, line2, solid; // 256 x 16, 256 x 16, 256 x 1, 256 x 1 bytes, 64 x 8 x 4 bytes
static cudaStream_t s;
static const cudaMemcpyKind HD = cudaMemcpyHostToDevice, DH = cudaMemcpyDeviceToHost, DD = cudaMemcpyDeviceToDevice,
                            HH = cudaMemcpyHostToHost, DF = cudaMemcpyDefault;

static bool probing;
static int probe_first;

static void row(int wanted, int got, int line, const char *text)
{
    if (probing) {
        std::printf("%d\n", got);
        std::fflush(stdout);
        if (cudaDeviceSynchronize()) // no call would succeed from here on
            std::exit(3);
    } else if (got == wanted) {
        check_passed++;
    } else if (check_failed++ < 60) {
        std::fprintf(stderr, "pitches.cu:%d: %s gave %d, wanted %d\n", line, text, got, wanted);
    }
    cudaGetLastError();
}
#define ROW(wanted, ...)                                                                                               \
    do {                                                                                                               \
        if (probing && __LINE__ >= probe_first)                                                                        \
            std::printf("%d ", __LINE__), std::fflush(stdout);                                                         \
        if (__LINE__ >= probe_first)                                                                                   \
            row(wanted, (int)(__VA_ARGS__), __LINE__, #__VA_ARGS__);                                                   \
    } while (0)

#if defined(__NVCC__) && !defined(__clang__)
#define OURS(wanted, ...)
#else
#define OURS(wanted, ...) ROW(wanted, __VA_ARGS__)
#endif

static cudaError_t over(cudaError_t e) // with what the stream has to say
{
    cudaError_t f = cudaStreamSynchronize(s);
    return e ? e : f;
}
static int over(CUresult e)
{
    cudaError_t f = cudaStreamSynchronize(s);
    return e ? (int)e : (int)f;
}

#define DRIVER_CALLS(X)                                                                                                \
    X(cuMemcpy2D)                                                                                                      \
    X(cuMemcpy2DUnaligned)                                                                                             \
    X(cuMemcpy2DAsync)                                                                                                 \
    X(cuMemcpy3D)                                                                                                      \
    X(cuMemcpy3DAsync)                                                                                                 \
    X(cuMemsetD2D8)                                                                                                    \
    X(cuMemsetD2D16)                                                                                                   \
    X(cuMemsetD2D32)                                                                                                   \
    X(cuMemsetD2D8Async)                                                                                               \
    X(cuMemsetD2D16Async)                                                                                              \
    X(cuMemsetD2D32Async)                                                                                              \
    X(cuMemAllocPitch)
static struct {
#define X(name) decltype(&name) p_##name;
    DRIVER_CALLS(X)
#undef X
} drv;
template <class F> static void entry(F &f, const char *name)
{
    void *p = nullptr;
    cudaDriverEntryPointQueryResult r;
    OK(cudaGetDriverEntryPointByVersion(name, &p, 12000, cudaEnableDefault, &r));
    f = (F)p;
}

static void rows_runtime()
{
    // One row.
    ROW(0, cudaMemcpy2D(d, 0, h, 0, 64, 1, HD));
    ROW(0, cudaMemcpy2D(d, 0, h, 64, 64, 1, HD));
    ROW(0, cudaMemcpy2D(d, 64, h, 0, 64, 1, HD));
    ROW(1, cudaMemcpy2D(d, 32, h, 32, 64, 1, HD));
    ROW(1, cudaMemcpy2D(d, 32, h, 32, 64, 1, DF));
    ROW(1, cudaMemcpy2D(h, 32, d, 32, 64, 1, DH));
    ROW(1, cudaMemcpy2D(d2, 32, d, 32, 64, 1, DD));
    ROW(1, cudaMemcpy2D(h2, 32, h, 32, 64, 1, HH));
    ROW(0, cudaMemcpy2D(h2, 0, h, 0, 64, 1, HH));
    ROW(0, cudaMemcpy2D(d, H, h, H, 64, 1, HD));
    ROW(0, cudaMemcpy2D(d, M, h, M, 64, 1, HD));
    ROW(0, cudaMemcpy2D(d, W, h, W, 64, 1, HD));
    ROW(0, over(cudaMemcpy2DAsync(d, 0, h, 0, 64, 1, HD, s)));
    ROW(1, over(cudaMemcpy2DAsync(d, 32, h, 32, 64, 1, HD, s)));
    ROW(1, over(cudaMemcpy2DAsync(h, 32, d, 0, 64, 1, DH, s)));
    ROW(0, cudaMemcpy2DToArray(a, 0, 0, h, 0, 64, 1, HD));
    ROW(1, cudaMemcpy2DToArray(a, 0, 3, h, 32, 64, 1, HD));
    ROW(0, cudaMemcpy2DToArray(line, 0, 0, h, 0, 256, 1, HD));
    ROW(1, cudaMemcpy2DToArray(line, 0, 0, d, 32, 256, 1, DD));
    ROW(0, cudaMemcpy2DToArray(line, 0, 0, h, H, 256, 1, HD));
    ROW(0, over(cudaMemcpy2DToArrayAsync(line, 0, 0, h, 0, 256, 1, HD, s)));
    ROW(1, over(cudaMemcpy2DToArrayAsync(line, 0, 0, h, 32, 256, 1, HD, s)));
    ROW(0, cudaMemcpy2DFromArray(h, 0, a, 0, 0, 64, 1, DH));
    ROW(1, cudaMemcpy2DFromArray(h, 32, a, 0, 3, 64, 1, DH));
    OURS(0, cudaMemcpy2DFromArray(d, 0, line, 0, 0, 256, 1, DD));
    ROW(0, over(cudaMemcpy2DFromArrayAsync(h, 0, line, 0, 0, 256, 1, DH, s)));
    ROW(1, over(cudaMemcpy2DFromArrayAsync(h, 32, line, 0, 0, 256, 1, DH, s)));
    ROW(0, cudaMemset2D(d, 0, 1, 64, 1));
    ROW(0, cudaMemset2D(d, 32, 1, 64, 1));
    ROW(0, cudaMemset2D(d, 64, 1, 64, 1));
    ROW(0, cudaMemset2D(d, H, 1, 64, 1));
    ROW(0, over(cudaMemset2DAsync(d, 0, 1, 64, 1, s)));
    ROW(0, over(cudaMemset2DAsync(d, 32, 1, 64, 1, s)));
    // More rows.
    ROW(12, cudaMemcpy2D(d, 0, h, 0, 64, 2, HD));
    ROW(12, cudaMemcpy2D(d, 64, h, 0, 64, 2, HD));
    ROW(12, cudaMemcpy2D(d, 0, h, 64, 64, 2, HD));
    ROW(12, cudaMemcpy2D(d, 32, h, 64, 64, 2, HD));
    ROW(12, cudaMemcpy2D(d2, 32, d, 64, 64, 2, DD));
    ROW(12, cudaMemcpy2D(h2, 32, h, 64, 64, 2, HH));
    ROW(12, over(cudaMemcpy2DAsync(d, 32, h, 64, 64, 2, HD, s)));
    ROW(12, cudaMemcpy2DToArray(a, 0, 0, h, 0, 64, 2, HD));
    ROW(12, cudaMemcpy2DToArray(a, 0, 0, h, 32, 64, 2, HD));
    ROW(12, cudaMemcpy2DFromArray(h, 0, a, 0, 0, 64, 2, DH));
    ROW(1, cudaMemset2D(d, 0, 1, 64, 2));
    ROW(1, cudaMemset2D(d, 32, 1, 64, 2));
    // Nothing at all.
    ROW(0, cudaMemcpy2D(d, 0, h, 0, 64, 0, HD));
    ROW(0, cudaMemcpy2D(d, 0, h, 0, 0, 2, HD));
    ROW(0, cudaMemset2D(d, 0, 1, 64, 0));
    ROW(0, cudaMemset2D(d, 0, 1, 0, 2));
    ROW(0, cudaMemcpy2DToArray(a, 0, 0, h, 0, 64, 0, HD));
}

static void sizes_runtime()
{
    void *p;
    Z pitch;
    cudaPitchedPtr pp;
    cudaArray_t made;
    cudaChannelFormatDesc bytes = cudaCreateChannelDesc<unsigned char>();
    ROW(1, cudaMemcpy2D(d, G, h, G, G, G, HD));
    ROW(1, cudaMemcpy2D(d, W, h, W, W, W, HD));
    ROW(1, cudaMemcpy2D(d, W, d2, W, W, W, DD));
    ROW(1, cudaMemcpy2D(h, W, d, W, W, W, DH));
    ROW(1, cudaMemcpy2D(d, W, h, W, W, W, DF));
    ROW(1, cudaMemcpy2D(d, H, h, H, H, 2, HD));
    OURS(1, cudaMemcpy2D(d, H, h, H, 64, 3, HD));
    OURS(1, cudaMemcpy2D(d, 64, h, H, 64, 3, HD));
    OURS(1, cudaMemcpy2D(d, H, h, 64, 64, 3, HD));
    ROW(1, cudaMemcpy2D(d, 64, h, 64, 64, M, HD));
    ROW(1, cudaMemcpy2D(d, 64, d2, 64, 64, Z(1) << 58, DD));
    ROW(1, cudaMemcpy2D(d, M, h, M, M, 1, HD));
    ROW(1, cudaMemcpy2D(d, M, d2, M, M, 1, DD));
    ROW(1, over(cudaMemcpy2DAsync(d, W, h, W, W, W, HD, s)));
    ROW(1, over(cudaMemcpy2DAsync(d, W, d2, W, W, W, DD, s)));
    ROW(1, cudaMemcpy2DToArray(a, M, 0, h, 64, 64, 2, HD));
    ROW(1, cudaMemcpy2DToArray(a, 0, M, h, 64, 64, 2, HD));
    ROW(1, cudaMemcpy2DToArray(a, 0, 0, h, 64, 64, M, HD));
    ROW(1, cudaMemcpy2DToArray(a, 0, 0, h, M, M, 2, HD));
    OURS(1, cudaMemcpy2DToArray(a, 0, 0, d, H, 64, 3, DD));
    ROW(1, cudaMemcpy2DFromArray(h, 64, a, M, 0, 64, 2, DH));
    ROW(1, cudaMemcpy2DFromArray(h, 64, a, 0, M, 64, 2, DH));
    ROW(1, cudaMemcpy2DFromArray(h, M, a, 0, 0, M, 2, DH));
    OURS(1, cudaMemcpy2DFromArray(d, H, a, 0, 0, 64, 3, DD));
    ROW(1, cudaMemcpy2DArrayToArray(a, M, 0, b, 0, 0, 64, 2, DD));
    ROW(1, cudaMemcpy2DArrayToArray(a, 0, M, b, 0, 0, 64, 2, DD));
    ROW(1, cudaMemcpy2DArrayToArray(a, 0, 0, b, M - 63, 0, 64, 2, DD));
    ROW(1, cudaMemcpy2DArrayToArray(a, 0, 0, b, 0, 0, M, M, DD));
    OURS(1, cudaMemset2D(d, W, 1, W, W));
    OURS(1, cudaMemset2D(d, G, 1, G, G));
    OURS(1, cudaMemset2D(d, H, 1, H, 2));
    OURS(1, cudaMemset2D(d, H, 1, 64, 3));
    OURS(1, cudaMemset2D(d, 64, 1, 64, M));
    OURS(1, cudaMemset2D(d, 64, 1, 64, Z(1) << 58));
    OURS(1, cudaMemset2D(d, M, 1, M, 1));
    OURS(1, over(cudaMemset2DAsync(d, W, 1, W, W, s)));
    OURS(1, over(cudaMemset2DAsync(d, H, 1, H, 2, s)));
    OURS(1, cudaMemset(d, 1, M));
    ROW(1, cudaMemcpy(d, h, M, HD));
    ROW(1, cudaMallocPitch(&p, &pitch, M, 1));
    ROW(1, cudaMallocPitch(&p, &pitch, M, 2));
    ROW(2, cudaMallocPitch(&p, &pitch, M - 600, 2));
    ROW(1, cudaMallocPitch(&p, &pitch, G, G));
    ROW(1, cudaMallocPitch(&p, &pitch, W, W));
    ROW(2, cudaMallocPitch(&p, &pitch, 1, M));
    ROW(1, cudaMallocPitch(&p, &pitch, 512, Z(1) << 55));
    ROW(1, cudaMalloc3D(&pp, make_cudaExtent(W, W, 1)));
    OURS(2, cudaMalloc3D(&pp, make_cudaExtent(1, W, W)));
    ROW(1, cudaMalloc3D(&pp, make_cudaExtent(M, 1, 1)));
    ROW(1, cudaMalloc3D(&pp, make_cudaExtent(512, 1 << 20, Z(1) << 35)));
    ROW(2, cudaMalloc3D(&pp, make_cudaExtent(1, M, 2)));
    ROW(1, cudaMallocArray(&made, &bytes, W, 2));
    OURS(1, cudaMallocArray(&made, &bytes, W + 64, 2));
    OURS(1, cudaMallocArray(&made, &bytes, 64, W + 2));
    ROW(1, cudaMallocArray(&made, &bytes, M, M));
    OURS(1, cudaMalloc3DArray(&made, &bytes, make_cudaExtent(64, 64, W + 1)));
    ROW(1, cudaMalloc3DArray(&made, &bytes, make_cudaExtent(M, M, M)));
}

static cudaMemcpy3DParms box(Z dpitch, Z dheight, Z spitch, Z sheight, Z width, Z height, Z depth,
                             cudaMemcpyKind kind = HD)
{
    cudaMemcpy3DParms p = {};
    p.dstPtr = make_cudaPitchedPtr(kind == DH ? h2 : d, dpitch, width, dheight);
    p.srcPtr = make_cudaPitchedPtr(kind == HD ? h : d2, spitch, width, sheight);
    p.extent = make_cudaExtent(width, height, depth);
    p.kind = kind;
    return p;
}
static cudaError_t copy(const cudaMemcpy3DParms &p)
{
    return cudaMemcpy3D(&p);
}
static cudaError_t copy_async(const cudaMemcpy3DParms &p)
{
    return over(cudaMemcpy3DAsync(&p, s));
}
static cudaError_t fill(Z pitch, Z ysize, Z width, Z height, Z depth)
{
    return cudaMemset3D(make_cudaPitchedPtr(d, pitch, width, ysize), 1, make_cudaExtent(width, height, depth));
}
static cudaMemcpy3DParms into(cudaArray_t array, Z spitch, Z sheight, Z width, Z height, Z depth)
{
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(h, spitch, width, sheight);
    p.dstArray = array;
    p.extent = make_cudaExtent(width, height, depth);
    p.kind = HD;
    return p;
}
static cudaMemcpy3DParms moved(cudaMemcpy3DParms p, Z sx, Z sy, Z sz, Z dx, Z dy, Z dz)
{
    p.srcPos = make_cudaPos(sx, sy, sz);
    p.dstPos = make_cudaPos(dx, dy, dz);
    return p;
}

static void boxes_runtime()
{
    // One row: pitches and heights.
    ROW(0, copy(box(0, 0, 0, 0, 64, 1, 1)));
    ROW(0, copy(box(0, 1, 0, 1, 64, 1, 1)));
    ROW(1, copy(box(32, 1, 64, 1, 64, 1, 1)));
    ROW(1, copy(box(64, 1, 32, 1, 64, 1, 1)));
    ROW(1, copy(box(32, 1, 32, 1, 64, 1, 1, DD)));
    ROW(1, copy(box(32, 1, 32, 1, 64, 1, 1, DH)));
    ROW(0, copy(box(H, 1, H, 1, 64, 1, 1)));
    ROW(0, copy(box(H, H, H, H, 64, 1, 1)));
    ROW(0, copy_async(box(0, 0, 0, 0, 64, 1, 1)));
    ROW(1, copy_async(box(32, 1, 32, 1, 64, 1, 1)));
    ROW(0, copy(into(line, 0, 0, 256, 0, 0)));
    ROW(0, copy(into(line, 0, 0, 256, 1, 1)));
    ROW(1, copy(into(line, 32, 0, 256, 1, 1)));
    ROW(1, copy(into(a, 32, 1, 256, 1, 1)));
    // One slice: the height does not matter, the pitch does.
    ROW(0, copy(box(64, 0, 64, 0, 64, 2, 1)));
    ROW(1, copy(box(64, 1, 64, 1, 64, 2, 1)));
    ROW(0, copy(box(64, H, 64, H, 64, 2, 1)));
    ROW(12, copy(box(0, 2, 0, 2, 64, 2, 1)));
    ROW(12, copy(box(32, 2, 64, 2, 64, 2, 1)));
    ROW(12, copy(box(64, 2, 32, 2, 64, 2, 1)));
    ROW(12, copy_async(box(64, 2, 32, 2, 64, 2, 1)));
    ROW(12, copy(into(a, 32, 2, 256, 2, 1)));
    // One row in each of several slices.
    ROW(12, copy(box(0, 1, 0, 1, 64, 1, 2)));
    ROW(12, copy(box(32, 1, 64, 1, 64, 1, 2)));
    ROW(12, copy(box(32, 4, 64, 1, 64, 1, 2)));
    ROW(12, copy(box(64, 0, 64, 0, 64, 1, 2)));
    ROW(0, copy(box(64, 1, 64, 1, 64, 1, 2)));
    // Several of each.
    ROW(12, copy(box(64, 1, 64, 2, 64, 2, 2)));
    ROW(12, copy(box(64, 2, 64, 1, 64, 2, 2)));
    ROW(12, copy(box(64, 0, 64, 0, 64, 2, 2)));
    ROW(0, copy(box(64, 2, 64, 2, 64, 2, 2)));
    ROW(0, copy(into(solid, 64, 8, 64, 8, 4)));
    ROW(12, copy(into(solid, 64, 4, 64, 8, 4)));
    ROW(12, copy(into(solid, 32, 8, 64, 8, 4)));
    // Beyond 64 bits.
    ROW(1, copy(box(W, W, W, W, W, W, 1)));
    ROW(1, copy(box(H, 2, H, 2, 64, 2, 1)));
    ROW(1, copy(box(H, 2, H, 2, 64, 2, 2)));
    OURS(1, copy(box(64, H, 64, H, 64, 2, 2)));
    ROW(1, copy(box(64, 1, 64, 1, 64, 1, M)));
    ROW(1, copy(box(M, 1, M, 1, M, 1, 1)));
    ROW(1, copy(box(W, W, W, W, W, W, 2, DD)));
    ROW(1, copy_async(box(W, W, W, W, W, W, 1)));
    ROW(1, copy(into(a, 64, 1, M, 1, 1)));
    ROW(1, copy(into(a, 64, 2, 64, M, 1)));
    ROW(1, copy(moved(box(64, 2, 64, 2, 64, 1, 1), M, 0, 0, 0, 0, 0)));
    ROW(1, copy(moved(box(64, 2, 64, 2, 64, 1, 1), 0, H, 0, 0, 0, 0)));
    OURS(1, copy(moved(box(64, 2, 64, 2, 64, 1, 1), 0, 0, H, 0, 0, 0)));
    ROW(1, copy(moved(box(64, 2, 64, 2, 64, 1, 1), 0, 0, 0, M, 0, 0)));
    ROW(1, copy(moved(box(64, 2, 64, 2, 64, 1, 1), 0, 0, 0, 0, H, 0)));
    OURS(1, copy(moved(box(64, 2, 64, 2, 64, 1, 1), 0, 0, 0, 0, 0, H)));
    ROW(1, copy(moved(into(a, 64, 2, 64, 1, 1), 0, 0, 0, M, 0, 0)));
    ROW(1, copy(moved(into(a, 64, 2, 64, 1, 1), 0, 0, 0, 0, M, 0)));
    // Fills.
    ROW(1, fill(0, 0, 64, 1, 1));
    ROW(0, fill(32, 1, 64, 1, 1));
    ROW(1, fill(64, 0, 64, 2, 1));
    ROW(1, fill(64, 1, 64, 2, 1));
    ROW(1, fill(32, 2, 64, 2, 1));
    ROW(1, fill(0, 1, 64, 1, 2));
    ROW(1, fill(32, 1, 64, 1, 2));
    ROW(0, fill(64, 1, 64, 1, 2));
    ROW(1, fill(64, 1, 64, 2, 2));
    ROW(1, fill(64, 0, 64, 2, 2));
    OURS(1, fill(W, W, W, W, 1));
    OURS(1, fill(64, W, 64, W, W));
    OURS(1, fill(64, 1, 64, 1, M));
    ROW(1, fill(H, 2, 64, 2, 2));
    OURS(1, fill(64, H, 64, 2, 2));
    OURS(1, fill(M, 1, M, 1, 1));
}

static CUDA_MEMCPY2D plane(Z dpitch, Z spitch, Z width, Z height, bool host = true)
{
    CUDA_MEMCPY2D c = {};
    c.srcMemoryType = host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    c.srcHost = h;
    c.srcDevice = (CUdeviceptr)(uintptr_t)d2;
    c.srcPitch = spitch;
    c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    c.dstDevice = (CUdeviceptr)(uintptr_t)d;
    c.dstPitch = dpitch;
    c.WidthInBytes = width;
    c.Height = height;
    return c;
}
static CUDA_MEMCPY2D from(CUDA_MEMCPY2D c, Z sx, Z sy, Z dx, Z dy)
{
    c.srcXInBytes = sx, c.srcY = sy, c.dstXInBytes = dx, c.dstY = dy;
    return c;
}
static int plane_copy(const CUDA_MEMCPY2D &c)
{
    return drv.p_cuMemcpy2D(&c);
}
static int plane_loose(const CUDA_MEMCPY2D &c)
{
    return drv.p_cuMemcpy2DUnaligned(&c);
}
static int plane_async(const CUDA_MEMCPY2D &c)
{
    return over(drv.p_cuMemcpy2DAsync(&c, s));
}
static CUDA_MEMCPY3D volume(Z dpitch, Z dheight, Z spitch, Z sheight, Z width, Z height, Z depth, bool host = true)
{
    CUDA_MEMCPY3D c = {};
    c.srcMemoryType = host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    c.srcHost = h;
    c.srcDevice = (CUdeviceptr)(uintptr_t)d2;
    c.srcPitch = spitch;
    c.srcHeight = sheight;
    c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    c.dstDevice = (CUdeviceptr)(uintptr_t)d;
    c.dstPitch = dpitch;
    c.dstHeight = dheight;
    c.WidthInBytes = width;
    c.Height = height;
    c.Depth = depth;
    return c;
}
static CUDA_MEMCPY3D from(CUDA_MEMCPY3D c, Z sx, Z sy, Z sz, Z dx, Z dy, Z dz)
{
    c.srcXInBytes = sx, c.srcY = sy, c.srcZ = sz, c.dstXInBytes = dx, c.dstY = dy, c.dstZ = dz;
    return c;
}
static int volume_copy(const CUDA_MEMCPY3D &c)
{
    return drv.p_cuMemcpy3D(&c);
}
static int volume_async(const CUDA_MEMCPY3D &c)
{
    return over(drv.p_cuMemcpy3DAsync(&c, s));
}

static void copies_driver()
{
    ROW(0, plane_copy(plane(0, 0, 64, 1)));
    ROW(1, plane_copy(plane(32, 64, 64, 1)));
    ROW(1, plane_copy(plane(64, 32, 64, 1)));
    ROW(1, plane_copy(plane(32, 32, 64, 1, false)));
    ROW(0, plane_copy(plane(H, H, 64, 1)));
    ROW(0, plane_copy(from(plane(0, 0, 64, 1), 8, 0, 8, 0)));
    ROW(1, plane_copy(from(plane(64, 64, 64, 1), 8, 0, 8, 0)));
    ROW(0, plane_copy(from(plane(0, 0, 64, 1), 0, 1, 0, 1)));
    ROW(1, plane_copy(from(plane(32, 32, 64, 1), 0, 1, 0, 1)));
    ROW(1, plane_copy(from(plane(64, 64, 64, 1), 8, 1, 8, 1)));
    ROW(0, plane_loose(plane(0, 0, 64, 1)));
    ROW(1, plane_loose(plane(32, 32, 64, 1)));
    ROW(0, plane_async(plane(0, 0, 64, 1)));
    ROW(1, plane_async(plane(32, 32, 64, 1)));
    ROW(0, plane_copy(plane(0, 0, 64, 2)));
    ROW(1, plane_copy(plane(32, 64, 64, 2)));
    ROW(1, plane_copy(plane(64, 32, 64, 2)));
    ROW(1, plane_copy(from(plane(64, 64, 64, 2), 8, 0, 0, 0)));
    ROW(1, plane_copy(from(plane(64, 64, 64, 2), 0, 0, 8, 0)));
    ROW(0, plane_loose(plane(0, 0, 64, 2)));
    ROW(1, plane_loose(plane(32, 64, 64, 2)));
    ROW(1, plane_async(plane(32, 64, 64, 2)));
    ROW(1, plane_copy(plane(W, W, W, W)));
    ROW(1, plane_copy(plane(0, 0, W, W)));
    ROW(1, plane_copy(plane(W, W, W, W, false)));
    ROW(1, plane_copy(plane(H, H, H, 2)));
    OURS(1, plane_copy(plane(H, H, 64, 3)));
    ROW(1, plane_copy(plane(M, M, M, 1)));
    ROW(1, plane_copy(plane(64, 64, 64, M)));
    ROW(1, plane_copy(plane(64, 64, 64, Z(1) << 58, false)));
    ROW(1, plane_copy(from(plane(64, 64, 64, 1), M, 0, 0, 0)));
    ROW(1, plane_copy(from(plane(64, 64, 64, 1), 0, 0, M, 0)));
    ROW(1, plane_copy(from(plane(64, 64, 64, 1), 0, M, 0, 0)));
    ROW(1, plane_copy(from(plane(64, 64, 64, 1), 0, 0, 0, M)));
    ROW(1, plane_async(plane(W, W, W, W)));
    ROW(1, plane_loose(plane(W, W, W, W)));
    ROW(0, volume_copy(volume(0, 0, 0, 0, 64, 1, 1)));
    ROW(1, volume_copy(volume(32, 1, 64, 1, 64, 1, 1)));
    ROW(1, volume_copy(volume(64, 1, 32, 1, 64, 1, 1)));
    ROW(1, volume_copy(volume(32, 1, 32, 1, 64, 1, 1, false)));
    ROW(0, volume_copy(volume(H, H, H, H, 64, 1, 1)));
    ROW(1, volume_async(volume(32, 1, 32, 1, 64, 1, 1)));
    ROW(0, volume_copy(volume(64, 0, 64, 0, 64, 2, 1)));
    ROW(1, volume_copy(volume(64, 1, 64, 1, 64, 2, 1)));
    ROW(0, volume_copy(volume(0, 0, 0, 0, 64, 2, 2)));
    ROW(1, volume_copy(volume(32, 2, 64, 2, 64, 2, 1)));
    ROW(1, volume_copy(volume(32, 1, 64, 1, 64, 1, 2)));
    ROW(1, volume_copy(volume(64, 1, 64, 2, 64, 2, 2)));
    ROW(1, volume_copy(volume(64, 2, 64, 1, 64, 2, 2)));
    ROW(1, volume_async(volume(64, 2, 64, 1, 64, 2, 2)));
    ROW(1, volume_copy(volume(W, W, W, W, W, W, 1)));
    ROW(1, volume_copy(volume(0, 0, 0, 0, W, W, 1)));
    ROW(1, volume_copy(volume(64, W, 64, W, 64, W, W)));
    ROW(1, volume_copy(volume(64, 1, 64, 1, 64, 1, M)));
    OURS(1, volume_copy(volume(64, H, 64, H, 64, 2, 2)));
    OURS(1, volume_copy(from(volume(64, 2, 64, 2, 64, 1, 1), 0, 0, H, 0, 0, 0)));
    OURS(1, volume_copy(from(volume(64, 2, 64, 2, 64, 1, 1), 0, 0, 0, 0, 0, H)));
    ROW(1, volume_copy(from(volume(64, 0, 64, 0, 64, 1, 1), 0, M, 0, 0, 0, 0)));
    ROW(1, volume_async(volume(W, W, W, W, W, W, 1)));
}

static void fills_driver()
{
    CUdeviceptr p = (CUdeviceptr)(uintptr_t)d, made;
    Z pitch;
    ROW(0, drv.p_cuMemsetD2D8(p, 0, 1, 64, 1));
    ROW(0, drv.p_cuMemsetD2D8(p, 32, 1, 64, 1));
    ROW(0, drv.p_cuMemsetD2D8(p, H, 1, 64, 1));
    ROW(0, drv.p_cuMemsetD2D16(p, 0, 1, 64, 1));
    ROW(0, drv.p_cuMemsetD2D16(p, 33, 1, 64, 1));
    ROW(0, drv.p_cuMemsetD2D32(p, 0, 1, 64, 1));
    ROW(0, drv.p_cuMemsetD2D32(p, 33, 1, 64, 1));
    ROW(0, over(drv.p_cuMemsetD2D8Async(p, 0, 1, 64, 1, s)));
    ROW(0, over(drv.p_cuMemsetD2D16Async(p, 0, 1, 64, 1, s)));
    ROW(0, over(drv.p_cuMemsetD2D32Async(p, 32, 1, 64, 1, s)));
    ROW(1, drv.p_cuMemsetD2D8(p, 0, 1, 64, 2));
    ROW(1, drv.p_cuMemsetD2D8(p, 32, 1, 64, 2));
    ROW(1, drv.p_cuMemsetD2D16(p, 64, 1, 64, 2));
    ROW(1, drv.p_cuMemsetD2D16(p, 129, 1, 64, 2));
    ROW(0, drv.p_cuMemsetD2D16(p, 130, 1, 64, 2));
    ROW(1, drv.p_cuMemsetD2D32(p, 128, 1, 64, 2));
    ROW(1, drv.p_cuMemsetD2D32(p, 258, 1, 64, 2));
    OURS(1, drv.p_cuMemsetD2D8(p, W, 1, W, W));
    OURS(1, drv.p_cuMemsetD2D8(p, H, 1, H, 2));
    OURS(1, drv.p_cuMemsetD2D8(p, H, 1, 64, 3));
    OURS(1, drv.p_cuMemsetD2D8(p, M, 1, M, 1));
    OURS(1, drv.p_cuMemsetD2D8(p, 64, 1, 64, M));
    OURS(1, drv.p_cuMemsetD2D16(p, 64, 1, H, 1));
    OURS(1, drv.p_cuMemsetD2D16(p, 64, 1, H + 8, 1));
    OURS(1, drv.p_cuMemsetD2D32(p, 64, 1, Z(1) << 62, 1));
    OURS(1, drv.p_cuMemsetD2D32(p, 64, 1, (Z(1) << 62) + 4, 1));
    OURS(1, drv.p_cuMemsetD2D32(p, 64, 1, (Z(1) << 62) + 4, 2));
    OURS(1, over(drv.p_cuMemsetD2D32Async(p, 64, 1, (Z(1) << 62) + 4, 1, s)));
    ROW(1, drv.p_cuMemAllocPitch(&made, &pitch, M, 1, 4));
    ROW(1, drv.p_cuMemAllocPitch(&made, &pitch, M, 2, 4));
    ROW(1, drv.p_cuMemAllocPitch(&made, &pitch, W, W, 4));
    ROW(1, drv.p_cuMemAllocPitch(&made, &pitch, 512, Z(1) << 55, 16));
}

// What one row carries is there, and no byte beside it.
static void values()
{
    for (int i = 0; i < 256; i++)
        h[i] = (char)(i * 7 + 1);
    for (Z pitch : {Z(0), Z(96), H}) {
        OK(cudaMemset(d, 0, 512));
        OK(cudaMemcpy2D(d + 16, pitch, h, pitch, 96, 1, HD));
        OK(cudaMemcpy2D(d2, pitch, d + 16, pitch, 96, 1, DD));
        OK(cudaMemcpy2DToArray(line, 8, 0, d2, pitch, 96, 1, DD));
        std::memset(h2, 0x5a, 512);
        OK(cudaMemcpy2DFromArray(h2 + 4, pitch, line, 8, 0, 96, 1, DH));
        EXPECT(!std::memcmp(h2 + 4, h, 96) && h2[3] == 0x5a && h2[100] == 0x5a);
        OK(cudaMemset2D(d + 16, pitch, 9, 96, 1));
        OK(cudaMemcpy(h2, d, 512, DH));
        bool right = true;
        for (int i = 0; i < 512; i++)
            right = right && h2[i] == (i >= 16 && i < 112 ? 9 : 0);
        EXPECT(right);
    }
    OK(cudaMemset(d, 0, 512)); // one row, which is the second or third
    EXPECT(plane_copy(from(plane(70, 70, 64, 1), 0, 1, 0, 2)) == 0);
    OK(cudaMemcpy(h2, d, 512, DH));
    EXPECT(!std::memcmp(h2 + 140, h + 70, 64) && !h2[139] && !h2[204]);
}

int main(int argc, char **argv)
{
    probing = argc > 2 && !std::strcmp(argv[1], "probe");
    probe_first = probing ? std::atoi(argv[2]) : 0;
    cudaChannelFormatDesc bytes = cudaCreateChannelDesc<unsigned char>();
    OK(cudaMalloc(&d, 1 << 20));
    OK(cudaMalloc(&d2, 1 << 20));
    OK(cudaStreamCreate(&s));
    OK(cudaMallocArray(&a, &bytes, 256, 16));
    OK(cudaMallocArray(&b, &bytes, 256, 16));
    OK(cudaMallocArray(&line, &bytes, 256, 1));
    OK(cudaMallocArray(&line2, &bytes, 256, 1));
    OK(cudaMalloc3DArray(&solid, &bytes, make_cudaExtent(64, 8, 4)));
#define X(name) entry(drv.p_##name, #name);
    DRIVER_CALLS(X)
#undef X
    rows_runtime();
    sizes_runtime();
    boxes_runtime();
    copies_driver();
    fills_driver();
    if (!probing)
        values();
    return probing ? 0 : DONE();
}
