// SPDX-License-Identifier: Apache-2.0
// Planted faults for memcheck in copies of tensors and in matrix instructions, and programs beside them that are right. memory.cu has the words
// of the lines before each case.
#include "cases.h"
#include <cstdint>
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

namespace wmma = nvcuda::wmma;

__device__ static unsigned at(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

// ---- wmma
__global__ void product(const half *a, const half *b, float *c, int lda, int ldc)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    wmma::load_matrix_sync(fa, a, lda);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, ldc, wmma::mem_row_major);
}
__global__ void product_shared(float *c, int rows)
{
    extern __shared__ half s[];
    for (int i = threadIdx.x; i < rows * 16; i += 32)
        s[i] = __float2half(1.0f);
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fill_fragment(fc, 0.0f);
    wmma::fill_fragment(fb, __float2half(1.0f));
    wmma::load_matrix_sync(fa, s, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
__global__ void load_matrix(int *out, int row)
{
    __shared__ alignas(16) half s[8 * 8];
    s[threadIdx.x] = s[threadIdx.x + 32] = __float2half(1.0f);
    __syncwarp();
    unsigned r, p = at(s + (threadIdx.x % 8 + row) * 8);
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(p));
    out[threadIdx.x] = r;
}

// case product_is_right
CASE(product_is_right)
{
    product<<<1, 32>>>(device<half>(256), device<half>(256), device<float>(256), 16, 16);
    product_shared<<<1, 32, 512>>>(device<float>(256), 16);
    load_matrix<<<1, 32>>>(device<int>(32), 0);
}

// case product_reads_after
// > Invalid __global__ read of size 16 bytes
// > at product(__half const*, __half const*, float*, int, int)+0x* in *
// > after the nearest allocation at 0x* of size 480 bytes
// errors any
CASE(product_reads_after)
{
    product<<<1, 32>>>(device<half>(240), device<half>(256), device<float>(256), 16, 16);
}

// case product_stride
// > Invalid __global__ read of size 16 bytes
// errors any
CASE(product_stride)
{
    product<<<1, 32>>>(device<half>(256), device<half>(256), device<float>(256), 24, 16);
}

// case product_writes_after
// > Invalid __global__ write of size 16 bytes
// errors any
CASE(product_writes_after)
{
    product<<<1, 32>>>(device<half>(256), device<half>(256), device<float>(250), 16, 16);
}

// case product_freed
// > Invalid __global__ read of size 16 bytes
// > freed before
// errors any
CASE(product_freed)
{
    half *a = device<half>(256);
    cudaFree(a);
    product<<<1, 32>>>(a, device<half>(256), device<float>(256), 16, 16);
}

// case product_shared_after
// > Invalid __shared__ read of size 16 bytes
// errors any
CASE(product_shared_after)
{
    product_shared<<<1, 32, 15 * 32>>>(device<float>(256), 15);
}

// case load_matrix_after
// > Invalid __shared__ read of size 16 bytes
// errors any
CASE(load_matrix_after)
{
    load_matrix<<<1, 32>>>(device<int>(32), 1);
}

// ---- copies of boxes
template <bool STORE> __global__ void box(const __grid_constant__ CUtensorMap map, float *out, int x, int y, int offset)
{
    extern __shared__ __align__(128) float room[];
    float *s = room;
    __shared__ uint64_t b;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&b)) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    for (int i = threadIdx.x; i < 64 && STORE; i += 32)
        s[i] = i;
    __syncthreads();
    if (threadIdx.x == 0 && STORE) {
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map), "r"(x),
                     "r"(y), "r"(at(s + offset))
                     : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    } else if (threadIdx.x == 0) {
        asm volatile("{.reg .b64 t; mbarrier.arrive.expect_tx.shared.b64 t, [%0], 256;}" ::"r"(at(&b)) : "memory");
        asm volatile(
            "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
            "[%4];" ::"r"(at(s + offset)),
            "l"(&map), "r"(x), "r"(y), "r"(at(&b))
            : "memory");
    }
    __syncthreads();
    if (!STORE) {
        asm volatile(
            "{.reg .pred p; again: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra again;}" ::"r"(at(&b))
            : "memory");
        out[threadIdx.x] = s[threadIdx.x];
    }
}
static CUtensorMap map_of(float *p, unsigned width, unsigned height)
{
    CUtensorMap map;
    cuuint64_t size[] = {width, height}, stride[] = {width * sizeof(float)};
    cuuint32_t box[] = {8, 8}, steps[] = {1, 1};
    void *f;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &f, 12000, cudaEnableDefault, &found);
    ((decltype(&cuTensorMapEncodeTiled))f)(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, p, size, stride, box, steps,
                                           CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                           CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return map;
}

// case box_is_right
CASE(box_is_right)
{
    float *p = device<float>(32 * 32), *out = device<float>(32);
    box<false><<<1, 32, 256>>>(map_of(p, 32, 32), out, 28, -4, 0);
    box<true><<<1, 32, 256>>>(map_of(p, 32, 32), out, 28, 28, 0);
}

// case box_of_less_memory
// > Invalid __global__ read of size * bytes
// > at void box<*
// > after the nearest allocation at 0x* of size 3968 bytes
// errors any
CASE(box_of_less_memory)
{
    box<false><<<1, 32, 256>>>(map_of(device<float>(31 * 32), 32, 32), device<float>(32), 0, 24, 0);
}

// case box_to_less_memory
// > Invalid __global__ write of size * bytes
// errors any
CASE(box_to_less_memory)
{
    box<true><<<1, 32, 256>>>(map_of(device<float>(31 * 32), 32, 32), device<float>(32), 0, 24, 0);
}

// case box_of_freed_memory
// > Invalid __global__ read of size * bytes
// > freed before
// errors any
CASE(box_of_freed_memory)
{
    float *p = device<float>(32 * 32);
    cudaFree(p);
    box<false><<<1, 32, 256>>>(map_of(p, 32, 32), device<float>(32), 0, 0, 0);
}

// case box_to_less_shared
// > Invalid __shared__ write of size * bytes
// errors any
CASE(box_to_less_shared)
{
    float *p = device<float>(32 * 32);
    box<false><<<1, 32, 256>>>(map_of(p, 32, 32), device<float>(32), 0, 0, 32);
}

// case box_of_less_shared
// > Invalid __shared__ read of size * bytes
// errors any
CASE(box_of_less_shared)
{
    float *p = device<float>(32 * 32);
    box<true><<<1, 32, 256>>>(map_of(p, 32, 32), device<float>(32), 0, 0, 32);
}

CASES
