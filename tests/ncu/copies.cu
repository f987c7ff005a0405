// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies: of threads (cp.async), in bulk, and of boxes of tensors.
#include "case.h"
#include <cuda.h>

__device__ unsigned at(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

// Each thread copies 16 bytes, which is a pass for each quarter of a warp, and reads one word of them back: four passes.
__global__ void copy_each(const float4 *in, float4 *out)
{
    __shared__ float4 s[64];
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at(&s[threadIdx.x])), "l"(in + threadIdx.x)
                 : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    out[threadIdx.x].x = s[threadIdx.x].x;
}

// case async_each
// smsp__inst_executed_op_ldgsts.sum 2
// ld.requests 0
// memory_l2_theoretical_sectors_global 64
// memory_l1_wavefronts_shared 16
CASE(async_each)
{
    copy_each<<<1, 64>>>((float4 *)a.in, (float4 *)a.out);
}

// ---- in bulk. Thread 0 of a block asks for so many bytes, from `first` on.
__device__ void arm(unsigned long long *bar, unsigned bytes)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(bar)));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(bar)), "r"(bytes) : "memory");
}

__device__ void wait(unsigned long long *bar)
{
    asm volatile(
        "{\n.reg .pred p;\nL:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra L;\n}" ::"r"(at(bar))
        : "memory");
}

__global__ void bulk_load(const char *in, unsigned bytes, unsigned first)
{
    __shared__ __align__(128) char s[4096];
    __shared__ __align__(8) unsigned long long bar;
    if (threadIdx.x == 0) {
        arm(&bar, bytes);
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(s)),
            "l"(in + first), "r"(bytes), "r"(at(&bar))
            : "memory");
        wait(&bar);
    }
}

// Two blocks read the same: half of the sectors hit the second cache.
// case bulk_load
// heddle__bulk_copies.sum 2
// heddle__bulk_bytes_global_ld.sum 2048
// heddle__bulk_sectors_global_ld.sum 64
// heddle__bulk_bytes_global_st.sum 0
// ld.requests 0
// lts__t_sectors.sum 64
// lts__t_sectors_lookup_miss.sum 32
// heddle__bytes_global.sum 2048
// heddle__bytes_used.sum 2048
// heddle__inst_mbarrier.sum 6
CASE(bulk_load)
{
    bulk_load<<<2, 64>>>((char *)a.in, 1024, 0);
}

// 16 bytes further: a sector more.
// case bulk_misaligned
// heddle__bulk_copies.sum 1
// heddle__bulk_bytes_global_ld.sum 1024
// heddle__bulk_sectors_global_ld.sum 33
CASE(bulk_misaligned)
{
    bulk_load<<<1, 64>>>((char *)a.in, 1024, 16);
}

// Every thread of a warp asks for 32 bytes of its own.
__global__ void bulk_store_each(char *out)
{
    __shared__ __align__(128) char s[1024];
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 32;" ::"l"(out + 32 * threadIdx.x),
                 "r"(at(s + 32 * threadIdx.x))
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
}

// case bulk_store_each
// heddle__bulk_copies.sum 32
// heddle__bulk_bytes_global_st.sum 1024
// heddle__bulk_sectors_global_st.sum 32
CASE(bulk_store_each)
{
    bulk_store_each<<<1, 32>>>((char *)a.out);
}

__global__ void bulk_add(unsigned *out)
{
    __shared__ __align__(128) unsigned s[64];
    s[threadIdx.x] = threadIdx.x;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 256;" ::"l"(out),
                     "r"(at(s))
                     : "memory");
        asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
    }
}

// case bulk_add
// heddle__bulk_copies.sum 3
// heddle__bulk_bytes_global_red.sum 768
// heddle__bulk_sectors_global_red.sum 24
// lts__t_sectors_lookup_hit.sum 16
CASE(bulk_add)
{
    bulk_add<<<3, 64>>>((unsigned *)a.count);
}

// Block 0 of a cluster of two reads once, for both.
__global__ void __cluster_dims__(2) multicast(const char *in)
{
    __shared__ __align__(128) char s[1024];
    __shared__ __align__(8) unsigned long long bar;
    if (threadIdx.x == 0)
        arm(&bar, 1024);
    asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
    if (threadIdx.x == 0 && blockIdx.x == 0)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], "
                     "1024, [%2], "
                     "%3;" ::"r"(at(s)),
                     "l"(in), "r"(at(&bar)), "h"((short)3)
                     : "memory");
    if (threadIdx.x == 0)
        wait(&bar);
}

// case bulk_multicast
// heddle__bulk_copies.sum 1
// heddle__bulk_bytes_global_ld.sum 1024
// heddle__bulk_sectors_global_ld.sum 32
CASE(bulk_multicast)
{
    multicast<<<2, 32>>>((char *)a.in);
}

// Block 0 of a cluster sends to block 1, which is no access to global memory.
__global__ void __cluster_dims__(2) neighbour()
{
    __shared__ __align__(128) char s[512], from[512];
    __shared__ __align__(8) unsigned long long bar;
    if (threadIdx.x == 0)
        arm(&bar, blockIdx.x ? 512 : 0);
    asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
    if (threadIdx.x == 0 && blockIdx.x == 0)
        asm volatile(
            "{\n.reg .b32 to, done;\nmapa.shared::cluster.u32 to, %0, 1;\nmapa.shared::cluster.u32 done, %2, 1;\n"
            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [to], [%1], 512, [done];\n}" ::"r"(
                at(s)),
            "r"(at(from)), "r"(at(&bar))
            : "memory");
    if (threadIdx.x == 0)
        wait(&bar);
    asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
}

// case bulk_within_cluster
// heddle__bulk_copies.sum 1
// heddle__bulk_bytes_shared.sum 512
// heddle__bulk_bytes_global_ld.sum 0
// heddle__bulk_bytes_global_st.sum 0
// heddle__bytes_global.sum 0
// heddle__bytes_used.sum 0
CASE(bulk_within_cluster)
{
    neighbour<<<2, 32>>>();
}

// ---- boxes of 16 x 8 floats of a matrix of 64 x 64: a row of the box is 64 bytes, of the matrix 256
static CUtensorMap map_of(const float *p, unsigned columns)
{
    CUtensorMap map;
    cuuint64_t size[2] = {columns, 64}, stride[1] = {256};
    cuuint32_t box[2] = {16, 8}, step[2] = {1, 1};
    if (cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, (void *)p, size, stride, box, step,
                               CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                               CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE))
        printf("no map\n");
    return map;
}

__global__ void box_load(const __grid_constant__ CUtensorMap map, int x, int y)
{
    __shared__ __align__(128) float s[128];
    __shared__ __align__(8) unsigned long long bar;
    if (threadIdx.x == 0) {
        arm(&bar, 512);
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, "
                     "{%2, %3}], [%4];" ::"r"(at(s)),
                     "l"(&map), "r"(x), "r"(y), "r"(at(&bar))
                     : "memory");
        wait(&bar);
    }
}

// case box
// heddle__bulk_copies.sum 1
// heddle__bulk_bytes_global_ld.sum 512
// heddle__bulk_sectors_global_ld.sum 16
CASE(box)
{
    box_load<<<1, 32>>>(map_of(a.in, 64), 0, 0);
}

// From column 56 and row 60 on, 8 columns of 4 rows are there.
// case box_at_the_end
// heddle__bulk_copies.sum 1
// heddle__bulk_bytes_global_ld.sum 128
// heddle__bulk_sectors_global_ld.sum 4
CASE(box_at_the_end)
{
    box_load<<<1, 32>>>(map_of(a.in, 64), 56, 60);
}

// From column -12 and row -3 on: 4 columns of 5 rows.
// case box_before_the_start
// heddle__bulk_bytes_global_ld.sum 80
// heddle__bulk_sectors_global_ld.sum 5
CASE(box_before_the_start)
{
    box_load<<<1, 32>>>(map_of(a.in, 64), -12, -3);
}

// case box_outside
// heddle__bulk_copies.sum 1
// heddle__bulk_bytes_global_ld.sum 0
// heddle__bulk_sectors_global_ld.sum 0
CASE(box_outside)
{
    box_load<<<1, 32>>>(map_of(a.in, 64), 64, 0);
}

__global__ void box_store(const __grid_constant__ CUtensorMap map, int add)
{
    __shared__ __align__(128) float s[128];
    if (threadIdx.x == 0 && add)
        asm volatile(
            "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),
            "r"(16), "r"(8), "r"(at(s))
            : "memory");
    else if (threadIdx.x == 0)
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),
                     "r"(16), "r"(8), "r"(at(s))
                     : "memory");
    asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
}

// case box_store
// heddle__bulk_bytes_global_st.sum 512
// heddle__bulk_sectors_global_st.sum 16
// heddle__bulk_bytes_global_red.sum 0
CASE(box_store)
{
    box_store<<<1, 32>>>(map_of(a.out, 64), 0);
}

// case box_add
// heddle__bulk_bytes_global_st.sum 0
// heddle__bulk_bytes_global_red.sum 512
// heddle__bulk_sectors_global_red.sum 16
CASE(box_add)
{
    box_store<<<1, 32>>>(map_of(a.out, 64), 1);
}
