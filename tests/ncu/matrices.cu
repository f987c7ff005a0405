// SPDX-License-Identifier: Apache-2.0
// Matrix products and what moves matrices. A product of m x n x k is 2 m n k operations of a warp.
#include "case.h"
#include <mma.h>

#define PRODUCT_F16                                                                                                    \
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, {%0, %1, %2, "    \
    "%3};"

// Three of 4096 operations, by four warps.
__global__ void halves(float *out)
{
    float d[4] = {0, 0, 0, 0};
    for (int i = 0; i < 3; i++)
        asm volatile(PRODUCT_F16 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(0));
    out[blockIdx.x * blockDim.x + threadIdx.x] = d[0];
}

// case mma_f16
// sm__inst_executed_pipe_tensor.sum 12
// sm__inst_executed_pipe_tensor_op_hmma.sum 12
// sm__inst_executed_pipe_tensor_op_imma.sum 0
// heddle__ops_tensor.sum 49152
// heddle__ops_tensor_fp16.sum 49152
// heddle__flops_fp16.sum 0
CASE(mma_f16)
{
    halves<<<2, 64>>>(a.out);
}

// f16 and bf16 16 x 8 x 16: 4096; tf32 16 x 8 x 8: 2048; f64 8 x 8 x 4: 512; s8 and e4m3 16 x 8 x 32: 8192.
__global__ void types(float *out)
{
    float d[4] = {0, 0, 0, 0};
    double e[2] = {0, 0};
    int i[4] = {0, 0, 0, 0};
    asm volatile(PRODUCT_F16 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(0));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(0));
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(0));
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%2}, {%0, %1};"
                 : "+d"(e[0]), "+d"(e[1])
                 : "d"(0.0));
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, "
                 "{%0, %1, %2, %3};"
                 : "+r"(i[0]), "+r"(i[1]), "+r"(i[2]), "+r"(i[3])
                 : "r"(0));
    asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(0));
    out[threadIdx.x] = d[0] + (float)e[0] + (float)i[0];
}

// case mma_types
// sm__inst_executed_pipe_tensor.sum 6
// sm__inst_executed_pipe_tensor_op_hmma.sum 3
// sm__inst_executed_pipe_tensor_op_imma.sum 1
// sm__inst_executed_pipe_tensor_op_dmma.sum 1
// heddle__ops_tensor.sum 27136
// heddle__ops_tensor_fp16.sum 4096
// heddle__ops_tensor_bf16.sum 4096
// heddle__ops_tensor_tf32.sum 2048
// heddle__ops_tensor_fp64.sum 512
// heddle__ops_tensor_int8.sum 8192
// heddle__ops_tensor_fp8.sum 8192
CASE(mma_types)
{
    types<<<1, 32>>>(a.out);
}

// Of two warps one makes it.
__global__ void one_of_two(float *out)
{
    float d[4] = {0, 0, 0, 0};
    asm volatile("{\n.reg .pred p;\nsetp.ge.u32 p, %5, 32;\n@p " PRODUCT_F16 "\n}"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(0), "r"(threadIdx.x));
    out[threadIdx.x] = d[0];
}

// case mma_predicated
// sm__inst_executed_pipe_tensor.sum 2
// heddle__ops_tensor.sum 4096
CASE(mma_predicated)
{
    one_of_two<<<1, 64>>>(a.out);
}

// A product of 16 x 16 x 16 halves, of matrices with so many elements from one row, or column, to the next.
__global__ void whole(const half *in, float *out, int ld)
{
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, col_major> b;
    fragment<accumulator, 16, 16, 16, float> d;
    fill_fragment(d, 0.0f);
    load_matrix_sync(a, in, ld);
    load_matrix_sync(b, in + 4096, ld);
    mma_sync(d, a, b, d);
    store_matrix_sync(out, d, 16, mem_row_major);
}

// Two loads of 512 bytes, a store of 1024. 8192 operations, 2048 bytes.
// case wmma_dense
// ld.requests 2
// ld.sectors 32
// st.requests 1
// st.sectors 32
// memory_l2_theoretical_sectors_global_ideal 64
// heddle__bytes_used.sum 2048
// heddle__ops_tensor_fp16.sum 8192
// heddle__arithmetic_intensity 4.00
// lts__t_sectors_lookup_miss.sum 64
CASE(wmma_dense)
{
    whole<<<1, 32>>>((half *)a.in, a.out, 16);
}

// Rows of 32 bytes, 48 bytes apart: every other one lies in two sectors.
// case wmma_apart
// ld.requests 2
// ld.sectors 48
// st.sectors 32
// memory_l2_theoretical_sectors_global_ideal 64
// heddle__bytes_used.sum 2048
CASE(wmma_apart)
{
    whole<<<1, 32>>>((half *)a.in, a.out, 24);
}

// Rows of 32 bytes, 128 bytes apart: a sector each, as many as without gaps.
// case wmma_rows
// ld.sectors 32
CASE(wmma_rows)
{
    whole<<<1, 32>>>((half *)a.in, a.out, 64);
}

// 8 x 32 x 16: A has 8 rows of 32 bytes, B by columns 32 of 32 bytes, C by columns 32 of 8 x 4 bytes; 64 bytes apart.
__global__ void wide(const half *in, float *out)
{
    using namespace nvcuda::wmma;
    fragment<matrix_a, 8, 32, 16, half, row_major> a;
    fragment<matrix_b, 8, 32, 16, half, col_major> b;
    fragment<accumulator, 8, 32, 16, float> d;
    fill_fragment(d, 0.0f);
    load_matrix_sync(a, in, 32);
    load_matrix_sync(b, in + 4096, 32);
    mma_sync(d, a, b, d);
    store_matrix_sync(out, d, 16, mem_col_major);
}

// case wmma_wide
// ld.sectors 40
// st.sectors 32
// heddle__ops_tensor.sum 8192
CASE(wmma_wide)
{
    wide<<<1, 32>>>((half *)a.in, a.out);
}

// Of shared memory nothing of global memory is counted but the store.
__global__ void staged(float *out)
{
    using namespace nvcuda::wmma;
    __shared__ __align__(32) half s[512];
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, col_major> b;
    fragment<accumulator, 16, 16, 16, float> d;
    for (int i = threadIdx.x; i < 512; i += 32)
        s[i] = half(0.0f);
    __syncwarp();
    fill_fragment(d, 0.0f);
    load_matrix_sync(a, s, 16);
    load_matrix_sync(b, s + 256, 16);
    mma_sync(d, a, b, d);
    store_matrix_sync(out, d, 16, mem_row_major);
}

// case wmma_shared
// ld.requests 0
// st.requests 1
// st.sectors 32
// ls.wavefronts 0
CASE(wmma_shared)
{
    staged<<<1, 32>>>(a.out);
}

// Rows of 16 bytes, at so many bytes from each other: 8 of a matrix are one pass where they name all 32 banks.
template <int N> __global__ void rows(float *out, int pitch)
{
    __shared__ __align__(128) float s[2048];
    unsigned at = (unsigned)__cvta_generic_to_shared(s) + threadIdx.x * pitch, r[4] = {0, 0, 0, 0};
    if (N == 1)
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(at));
    if (N == 2)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(at));
    if (N == 4)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(at));
    out[threadIdx.x] = __uint_as_float(r[0] + r[1] + r[2] + r[3]);
}

// case ldmatrix_x4
// smsp__inst_executed_op_ldsm.sum 1
// ls.wavefronts 4
// ls.conflicts 0
CASE(ldmatrix_x4)
{
    rows<4><<<1, 32>>>(a.out, 16);
}

// 128 bytes apart: the 8 rows of a matrix lie in the same banks.
// case ldmatrix_conflicts
// ls.wavefronts 32
// ls.conflicts 28
CASE(ldmatrix_conflicts)
{
    rows<4><<<1, 32>>>(a.out, 128);
}

// A pitch of 144 bytes takes them apart.
// case ldmatrix_pitch
// ls.wavefronts 4
// ls.conflicts 0
CASE(ldmatrix_pitch)
{
    rows<4><<<1, 32>>>(a.out, 144);
}

// case ldmatrix_x1
// ls.wavefronts 1
CASE(ldmatrix_x1)
{
    rows<1><<<1, 32>>>(a.out, 16);
}

// case ldmatrix_x2
// ls.wavefronts 2
CASE(ldmatrix_x2)
{
    rows<2><<<1, 32>>>(a.out, 16);
}

// Stores of matrices are as loads of them.
__global__ void store_rows(float *out, int pitch)
{
    __shared__ __align__(128) float s[2048];
    unsigned at = (unsigned)__cvta_generic_to_shared(s) + threadIdx.x * pitch;
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %1, %1, %1};" ::"r"(at), "r"(0) : "memory");
    out[threadIdx.x] = 0;
}

// case stmatrix_x4
// l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum 4
// ss.conflicts 0
// smsp__inst_executed_op_ldsm.sum 0
CASE(stmatrix_x4)
{
    store_rows<<<1, 32>>>(a.out, 16);
}

// case stmatrix_conflicts
// l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum 32
// ss.conflicts 28
CASE(stmatrix_conflicts)
{
    store_rows<<<1, 32>>>(a.out, 128);
}
