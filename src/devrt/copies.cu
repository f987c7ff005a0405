// SPDX-License-Identifier: Apache-2.0
// Copies and fills that kernels ask for, on a GPU: kernels of their own, launched where the copy stands in its stream.
#include "call.h"

struct transfer {
    char *to;
    const char *from; // NULL: `to` is filled with `value`
    size_t to_pitch, to_slice, from_pitch, from_slice;
    size_t width, height, depth; // bytes, rows, slices
    int value;
};

enum { THREADS = 256, BLOCKS = 1024 };

// A row of one slice after the other; bytes of a row side by side.
extern "C" __global__ void __launch_bounds__(THREADS) __heddle_devrt_transfer(transfer t)
{
    size_t all = t.width * t.height * t.depth;
    for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < all; i += gridDim.x * (size_t)THREADS) {
        size_t x = i % t.width, row = i / t.width, y = row % t.height, z = row / t.height;
        t.to[x + y * t.to_pitch + z * t.to_slice] =
            t.from ? t.from[x + y * t.from_pitch + z * t.from_slice] : (char)t.value;
    }
}

// Its address, in PTX: clang takes the name of a kernel in device code since version 22 only.
static __device__ void *transfer_kernel()
{
    void *address;
    asm("mov.u64 %0, __heddle_devrt_transfer;" : "=l"(address));
    return address;
}

// From the first byte to the last there are less than 2^64.
static __device__ bool side_fits(const transfer &t, size_t pitch, size_t slice)
{
    size_t rows = (t.height - 1) * pitch, slices = (t.depth - 1) * slice, all = rows + slices;
    return !__umul64hi(t.height - 1, pitch) && !__umul64hi(t.depth - 1, slice) && all >= rows && all + t.width >= all;
}

static __device__ cudaError_t transferred(const transfer &t, cudaStream_t stream)
{
    if (!t.width || !t.height || !t.depth)
        return cudaSuccess;
    if (!t.to || !side_fits(t, t.to_pitch, t.to_slice) || (t.from && !side_fits(t, t.from_pitch, t.from_slice)))
        return keep(cudaErrorInvalidValue);
    if ((t.height > 1 || t.depth > 1) && (t.to_pitch < t.width || (t.from && t.from_pitch < t.width)))
        return keep(cudaErrorInvalidPitchValue);
    size_t blocks = (t.width * t.height * t.depth + THREADS - 1) / THREADS;
    dim3 grid(blocks < BLOCKS ? (unsigned)blocks : BLOCKS);
    transfer *buffer = (transfer *)cudaGetParameterBufferV2(transfer_kernel(), grid, dim3(THREADS), 0);
    if (!buffer)
        return keep(cudaErrorMemoryAllocation);
    *buffer = t;
    return cudaLaunchDeviceV2(buffer, stream);
}

static __device__ cudaError_t copied(const transfer &t, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return keep(cudaErrorInvalidMemcpyDirection);
    if (!t.from && t.width && t.height && t.depth)
        return keep(cudaErrorInvalidValue);
    return transferred(t, stream);
}

extern "C" {
__device__ cudaError_t __cudaCDP2MemcpyAsync(void *to, const void *from, size_t count, enum cudaMemcpyKind kind,
                                             cudaStream_t stream)
{
    return copied(transfer{(char *)to, (const char *)from, count, count, count, count, count, 1, 1, 0}, kind, stream);
}

__device__ cudaError_t __cudaCDP2Memcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                               size_t width, size_t height, enum cudaMemcpyKind kind,
                                               cudaStream_t stream)
{
    return copied(transfer{(char *)to, (const char *)from, to_pitch, to_pitch * height, from_pitch, from_pitch * height,
                           width, height, 1, 0},
                  kind, stream);
}

// Between linear memory; there is no way to name an array in a kernel.
__device__ cudaError_t __cudaCDP2Memcpy3DAsync(const struct cudaMemcpy3DParms *copy, cudaStream_t stream)
{
    if (!copy || copy->srcArray || copy->dstArray)
        return keep(cudaErrorInvalidValue);
    const struct cudaPitchedPtr &d = copy->dstPtr, &s = copy->srcPtr;
    transfer t = {(char *)d.ptr,
                  (const char *)s.ptr,
                  d.pitch,
                  d.pitch * d.ysize,
                  s.pitch,
                  s.pitch * s.ysize,
                  copy->extent.width,
                  copy->extent.height,
                  copy->extent.depth,
                  0};
    if (t.to)
        t.to += copy->dstPos.x + copy->dstPos.y * t.to_pitch + copy->dstPos.z * t.to_slice;
    if (t.from)
        t.from += copy->srcPos.x + copy->srcPos.y * t.from_pitch + copy->srcPos.z * t.from_slice;
    return copied(t, copy->kind, stream);
}

__device__ cudaError_t __cudaCDP2MemsetAsync(void *to, int value, size_t count, cudaStream_t stream)
{
    return transferred(transfer{(char *)to, nullptr, count, count, 0, 0, count, 1, 1, value}, stream);
}

__device__ cudaError_t __cudaCDP2Memset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                                               cudaStream_t stream)
{
    return transferred(transfer{(char *)to, nullptr, pitch, pitch * height, 0, 0, width, height, 1, value}, stream);
}

__device__ cudaError_t __cudaCDP2Memset3DAsync(struct cudaPitchedPtr to, int value, struct cudaExtent extent,
                                               cudaStream_t stream)
{
    return transferred(transfer{(char *)to.ptr, nullptr, to.pitch, to.pitch * to.ysize, 0, 0, extent.width,
                                extent.height, extent.depth, value},
                       stream);
}
}
