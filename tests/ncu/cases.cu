// SPDX-License-Identifier: Apache-2.0
// Accesses to memory whose sectors, transactions and bank conflicts are known by hand. Each case is one launch; before it stands what is
// expected (run.sh): "// case NAME", then "// METRIC VALUE", where METRIC is a whole name of a metric, or one of run.sh's short ones.
#include "case.h"

// ---- global memory. Two blocks of 64 threads: four warps.
__global__ void strided(const float *in, float *out, int step, int first)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * step + first];
}

// case coalesced
// ld.requests 4
// ld.sectors 16
// st.requests 4
// st.sectors 16
// cc10 16
// cc12 16
// cc20 8
// smsp__inst_executed_op_global_ld.sum 4
CASE(coalesced)
{
    strided<<<2, 64>>>(a.in, a.out, 1, 0);
}

// Every other word: 256 bytes for a warp; half a warp has 128 bytes, in one segment.
// case stride2
// ld.requests 4
// ld.sectors 32
// cc10 136
// cc12 16
// cc20 12
CASE(stride2)
{
    strided<<<2, 64>>>(a.in, a.out, 2, 0);
}

// A sector for each thread. Half a warp has 512 bytes: four segments.
// case stride8
// ld.requests 4
// ld.sectors 128
// cc10 136
// cc12 40
// cc20 36
CASE(stride8)
{
    strided<<<2, 64>>>(a.in, a.out, 8, 0);
}

// case stride32
// ld.sectors 128
// cc12 136
// cc20 132
CASE(stride32)
{
    strided<<<2, 64>>>(a.in, a.out, 32, 0);
}

// 4 bytes further: five sectors, two lines; the second half of a warp reaches into the next segment.
// case misaligned
// ld.requests 4
// ld.sectors 20
// cc10 136
// cc12 20
// cc20 12
CASE(misaligned)
{
    strided<<<2, 64>>>(a.in, a.out, 1, 1);
}

// case broadcast
// ld.requests 4
// ld.sectors 4
// cc10 136
// cc12 16
// cc20 8
CASE(broadcast)
{
    strided<<<2, 64>>>(a.in, a.out, 0, 5);
}

// In order for today's GPUs and for 1.2, not for 1.0.
// case reversed
// ld.requests 4
// ld.sectors 16
// cc10 136
// cc12 16
// cc20 8
CASE(reversed)
{
    strided<<<2, 64>>>(a.in, a.out, -1, 127);
}

// The last warp has 8 threads.
// case partial_warp
// ld.requests 2
// ld.sectors 5
// st.sectors 5
// smsp__warps_launched.sum 2
CASE(partial_warp)
{
    strided<<<1, 40>>>(a.in, a.out, 1, 0);
}

template <class T> __global__ void copy(const T *in, T *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

// One access of 16 bytes, whatever the compiler makes of structures.
__global__ void copy4(const float4 *in, float4 *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v;
    asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(in + i));
    asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(out + i), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w)
                 : "memory");
}

// case vector4
// ld.requests 4
// ld.sectors 64
// st.sectors 64
// cc10 32
// cc12 32
// cc20 32
CASE(vector4)
{
    copy4<<<2, 64>>>((const float4 *)a.in, (float4 *)a.out);
}

// case doubles
// ld.requests 4
// ld.sectors 32
// cc10 16
// cc12 16
// cc20 16
CASE(doubles)
{
    copy<<<2, 64>>>((const double *)a.in, (double *)a.out);
}

// case bytes
// ld.requests 4
// ld.sectors 4
// st.sectors 4
CASE(bytes)
{
    copy<<<2, 64>>>((const char *)a.in, (char *)a.out);
}

// case shorts
// ld.requests 4
// ld.sectors 8
CASE(shorts)
{
    copy<<<2, 64>>>((const short *)a.in, (short *)a.out);
}

// A warp is two rows of 16: two pieces of 64 bytes.
__global__ void rows(const float *in, float *out, int pitch)
{
    int x = threadIdx.x, y = threadIdx.y;
    out[y * 16 + x] = in[y * pitch + x];
}

// case block2d
// ld.requests 2
// ld.sectors 8
// st.sectors 8
// cc10 8
// cc20 6
CASE(block2d)
{
    rows<<<1, dim3(16, 4)>>>(a.in, a.out, 100 * 32);
}

// Sixteen threads of each warp, every other one.
__global__ void half_of(const float *in, float *out)
{
    int i = threadIdx.x;
    if (i & 1)
        out[i] = in[i];
}

// case half_active
// ld.requests 2
// ld.sectors 8
// st.requests 2
// memory_l2_theoretical_sectors_global_ideal 8
CASE(half_active)
{
    half_of<<<1, 64>>>(a.in, a.out);
}

// Warps that end at once make no request.
__global__ void early(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    out[i] = in[i];
}

// case early_exit
// ld.requests 2
// ld.sectors 5
// st.sectors 5
CASE(early_exit)
{
    early<<<4, 64>>>(a.in, a.out, 40);
}

// Thread t makes t % 4 iterations, each at a sector of its own: the warp makes three.
__global__ void uneven(const float *in, float *out)
{
    float s = 0;
    for (int k = 0; k < (int)(threadIdx.x & 3); k++)
        s += in[(k * 32 + threadIdx.x) * 8];
    out[threadIdx.x] = s;
}

// case uneven_loop
// ld.requests 3
// ld.sectors 48
CASE(uneven_loop)
{
    uneven<<<1, 32>>>(a.in, a.out);
}

// Each block loads the same 2048 bytes twice: half of its loads hit, and the grid reaches as much once, beside what it stores.
__global__ void again(const float *in, float *out)
{
    float s = 0;
#pragma unroll 1
    for (int k = 0; k < 2; k++)
        for (int i = threadIdx.x; i < 512; i += 128)
            s += ((const volatile float *)in)[i];
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// case caches
// ld.sectors 512
// l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum 256
// l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum 256
// l1tex__t_sector_hit_rate.pct 50.00
// lts__t_sectors.sum 320
// lts__t_sectors_lookup_miss.sum 128
// lts__t_sectors_lookup_hit.sum 192
CASE(caches)
{
    again<<<4, 128>>>(a.in, a.out);
}

// ---- shared memory: a store and a load at i * step by each of 32 threads
__global__ void banked(float *out, int step)
{
    __shared__ float s[32 * 33];
    int i = threadIdx.x * step;
    s[i] = (float)i;
    __syncwarp();
    out[threadIdx.x] = ((volatile float *)s)[i];
}

// case bank1
// ls.requests 1
// ls.wavefronts 1
// ls.conflicts 0
// ss.conflicts 0
// banks16 4
CASE(bank1)
{
    banked<<<1, 32>>>(a.out, 1);
}

// case bank2
// ls.wavefronts 2
// ls.conflicts 1
// ss.conflicts 1
// banks16 8
CASE(bank2)
{
    banked<<<1, 32>>>(a.out, 2);
}

// case bank3
// ls.conflicts 0
// ss.conflicts 0
// banks16 4
CASE(bank3)
{
    banked<<<1, 32>>>(a.out, 3);
}

// case bank4
// ls.conflicts 3
// banks16 16
CASE(bank4)
{
    banked<<<1, 32>>>(a.out, 4);
}

// case bank8
// ls.conflicts 7
CASE(bank8)
{
    banked<<<1, 32>>>(a.out, 8);
}

// case bank16
// ls.conflicts 15
// banks16 64
CASE(bank16)
{
    banked<<<1, 32>>>(a.out, 16);
}

// case bank32
// ls.wavefronts 32
// ls.conflicts 31
// ss.conflicts 31
// banks16 64
CASE(bank32)
{
    banked<<<1, 32>>>(a.out, 32);
}

// A row and a column more: no two threads of a warp name one bank.
// case padded
// ls.conflicts 0
// ss.conflicts 0
CASE(padded)
{
    banked<<<1, 32>>>(a.out, 33);
}

// case shared_broadcast
// ls.wavefronts 1
// ls.conflicts 0
CASE(shared_broadcast)
{
    banked<<<1, 32>>>(a.out, 0);
}

template <int PITCH> __global__ void tiled(const float *in, float *out)
{
    __shared__ float tile[32][PITCH];
    int x = threadIdx.x, y = threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        tile[y + k][x] = in[(y + k) * 32 + x];
    __syncthreads();
    for (int k = 0; k < 32; k += 8)
        out[(y + k) * 32 + x] = tile[x][y + k];
}

// case transpose_plain
// ld.requests 32
// ld.sectors 128
// ss.conflicts 0
// ls.requests 32
// ls.conflicts 992
CASE(transpose_plain)
{
    tiled<32><<<1, dim3(32, 8)>>>(a.in, a.out);
}

// case transpose_padded
// ls.requests 32
// ls.conflicts 0
// ss.conflicts 0
CASE(transpose_padded)
{
    tiled<33><<<1, dim3(32, 8)>>>(a.in, a.out);
}

template <class T> __global__ void wide(T *out)
{
    __shared__ T s[64];
    s[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x ^ 32];
}

__global__ void wide4(float4 *out)
{
    __shared__ float4 s[64];
    s[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    float4 v;
    unsigned at = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x ^ 32]);
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "r"(at));
    out[threadIdx.x] = v;
}

// Quarters of the warp, four passes for 512 bytes.
// case shared_vector4
// ls.requests 2
// ls.wavefronts 8
// ls.conflicts 0
CASE(shared_vector4)
{
    wide4<<<1, 64>>>((float4 *)a.out);
}

// case shared_doubles
// ls.requests 2
// ls.wavefronts 4
// ls.conflicts 0
CASE(shared_doubles)
{
    wide<<<1, 64>>>((double *)a.out);
}

// ---- 8 and 16 bytes a thread, of (thread >> shift & mask) * step. Parts of a warp go together where neighbours have one address.
template <class T> __global__ void pattern(float *out, int shift, int mask, int step);
template <> __global__ void pattern<float2>(float *out, int shift, int mask, int step)
{
    __shared__ __align__(8) float s[128];
    for (int i = threadIdx.x; i < 128; i += 32)
        s[i] = (float)i;
    __syncwarp();
    float2 v;
    unsigned at = (unsigned)__cvta_generic_to_shared(&s[(threadIdx.x >> shift & mask) * step * 2]);
    asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(v.x), "=f"(v.y) : "r"(at));
    out[threadIdx.x] = v.x + v.y;
}
template <> __global__ void pattern<float4>(float *out, int shift, int mask, int step)
{
    __shared__ __align__(16) float s[256];
    for (int i = threadIdx.x; i < 256; i += 32)
        s[i] = (float)i;
    __syncwarp();
    float4 v;
    unsigned at = (unsigned)__cvta_generic_to_shared(&s[(threadIdx.x >> shift & mask) * step * 4]);
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "r"(at));
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

// case one_float2
// ls.wavefronts 1
// ls.conflicts 0
CASE(one_float2)
{
    pattern<float2><<<1, 32>>>(a.out, 0, 0, 0);
}

// case one_float4
// ls.wavefronts 2
// ls.conflicts 0
CASE(one_float4)
{
    pattern<float4><<<1, 32>>>(a.out, 0, 0, 0);
}

// case pairs_float2
// ls.wavefronts 1
// ls.conflicts 0
CASE(pairs_float2)
{
    pattern<float2><<<1, 32>>>(a.out, 1, 31, 1);
}

// case pairs_float4
// ls.wavefronts 2
// ls.conflicts 0
CASE(pairs_float4)
{
    pattern<float4><<<1, 32>>>(a.out, 1, 31, 1);
}

// case fours_float2
// ls.wavefronts 1
// ls.conflicts 0
CASE(fours_float2)
{
    pattern<float2><<<1, 32>>>(a.out, 2, 31, 1);
}

// case fours_float4
// ls.wavefronts 2
// ls.conflicts 0
CASE(fours_float4)
{
    pattern<float4><<<1, 32>>>(a.out, 2, 31, 1);
}

// case halves_alike_float2
// ls.wavefronts 2
// ls.conflicts 0
CASE(halves_alike_float2)
{
    pattern<float2><<<1, 32>>>(a.out, 0, 15, 1);
}

// case halves_alike_float4
// ls.wavefronts 4
// ls.conflicts 0
CASE(halves_alike_float4)
{
    pattern<float4><<<1, 32>>>(a.out, 0, 15, 1);
}

// case two_float2
// ls.wavefronts 1
// ls.conflicts 0
CASE(two_float2)
{
    pattern<float2><<<1, 32>>>(a.out, 0, 1, 1);
}

// case two_float4
// ls.wavefronts 2
// ls.conflicts 0
CASE(two_float4)
{
    pattern<float4><<<1, 32>>>(a.out, 0, 1, 1);
}

// case gaps_float2
// ls.wavefronts 4
// ls.conflicts 2
CASE(gaps_float2)
{
    pattern<float2><<<1, 32>>>(a.out, 0, 31, 2);
}

// case gaps_float4
// ls.wavefronts 8
// ls.conflicts 4
CASE(gaps_float4)
{
    pattern<float4><<<1, 32>>>(a.out, 0, 31, 2);
}

// case sides_float2
// ls.wavefronts 1
// ls.conflicts 0
CASE(sides_float2)
{
    pattern<float2><<<1, 32>>>(a.out, 4, 1, 1);
}

// case sides_float4
// ls.wavefronts 2
// ls.conflicts 0
CASE(sides_float4)
{
    pattern<float4><<<1, 32>>>(a.out, 4, 1, 1);
}

// ---- atomics on shared memory: threads with one word take turns, but where they all add one constant
__global__ void shared_add(int *count, int mask, int step)
{
    __shared__ int s[1024];
    s[threadIdx.x] = 0;
    __syncwarp();
    atomicAdd(&s[(threadIdx.x & mask) * step], count[threadIdx.x]);
    __syncwarp();
    count[threadIdx.x] = s[threadIdx.x];
}
__global__ void shared_count(int *count, int mask, int step)
{
    __shared__ int s[1024];
    s[threadIdx.x] = 0;
    __syncwarp();
    atomicAdd(&s[(threadIdx.x & mask) * step], 1);
    __syncwarp();
    count[threadIdx.x] = s[threadIdx.x];
}

// case shared_add_one
// l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum 32
CASE(shared_add_one)
{
    shared_add<<<1, 32>>>(a.count + 2048, 0, 1);
}

// case shared_add_eight
// l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum 4
CASE(shared_add_eight)
{
    shared_add<<<1, 32>>>(a.count + 2048, 7, 1);
}

// case shared_add_each
// l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum 1
CASE(shared_add_each)
{
    shared_add<<<1, 32>>>(a.count + 2048, 31, 1);
}

// case shared_add_banks
// l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum 8
CASE(shared_add_banks)
{
    shared_add<<<1, 32>>>(a.count + 2048, 31, 8);
}

// case shared_count_one
// l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum 1
CASE(shared_count_one)
{
    shared_count<<<1, 32>>>(a.count + 2048, 0, 1);
}

// case shared_count_eight
// l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum 1
CASE(shared_count_eight)
{
    shared_count<<<1, 32>>>(a.count + 2048, 7, 1);
}

// case shared_count_each
// l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum 1
CASE(shared_count_each)
{
    shared_count<<<1, 32>>>(a.count + 2048, 31, 1);
}

// case shared_count_banks
// l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum 8
CASE(shared_count_banks)
{
    shared_count<<<1, 32>>>(a.count + 2048, 31, 8);
}

// ---- atomics on global memory
__global__ void add(int *count, int which)
{
    atomicAdd(&count[threadIdx.x * which], 1);
}

// Threads that name one word take turns.
// case reduction_one
// l1tex__t_requests_pipe_lsu_mem_global_op_red.sum 2
// l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum 64
// memory_l2_theoretical_sectors_global 2
CASE(reduction_one)
{
    add<<<1, 64>>>(a.count, 0);
}

// case reduction_each
// l1tex__t_requests_pipe_lsu_mem_global_op_red.sum 2
// l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum 8
CASE(reduction_each)
{
    add<<<1, 64>>>(a.count, 1);
}

__global__ void take(int *count, float *out)
{
    out[threadIdx.x] = (float)atomicAdd(&count[threadIdx.x & 7], 1);
}

// case atomic_old_value
// l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum 2
// l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum 8
// memory_l2_theoretical_sectors_global 10
CASE(atomic_old_value)
{
    take<<<1, 64>>>(a.count, a.out);
}

// ---- local memory: words at one offset lie side by side
__global__ void local(const int *index, float *out)
{
    float v[16];
#pragma unroll 1
    for (int i = 0; i < 16; i++)
        v[(i * 7) & 15] = (float)i;
    out[threadIdx.x] = v[index[threadIdx.x] & 15];
}

// case local_array
// l1tex__t_requests_pipe_lsu_mem_local_op_st.sum 16
// l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum 64
// l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum 1
// l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum 4
CASE(local_array)
{
    local<<<1, 32>>>(a.count + 1024, a.out);
}

// ---- generic addresses: half of the threads reach shared memory, half global
__global__ void generic(const float *in, float *out)
{
    __shared__ float s[64];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    const float *p = threadIdx.x & 1 ? s : in;
    out[threadIdx.x] = ((const volatile float *)p)[threadIdx.x];
}

// case generic_address
// ld.requests 4
// ld.sectors 16
// ls.wavefronts 2
// ls.conflicts 0
CASE(generic_address)
{
    generic<<<1, 64>>>(a.in, a.out);
}

// ---- arithmetic
__global__ void arithmetic(float *f, double *d)
{
    int i = threadIdx.x;
    float x = f[i];
    double y = d[i];
    f[i] = __fmaf_rn(__fadd_rn(x, 1.5f), x, __fmul_rn(x, 2.5f));
    d[i] = __fma_rn(__dadd_rn(y, 1.5), y, __dmul_rn(y, 2.5));
}

// case flops
// smsp__sass_thread_inst_executed_op_fadd_pred_on.sum 64
// smsp__sass_thread_inst_executed_op_fmul_pred_on.sum 64
// smsp__sass_thread_inst_executed_op_ffma_pred_on.sum 64
// smsp__sass_thread_inst_executed_op_dadd_pred_on.sum 64
// smsp__sass_thread_inst_executed_op_dmul_pred_on.sum 64
// smsp__sass_thread_inst_executed_op_dfma_pred_on.sum 64
// heddle__flops_fp32.sum 256
// heddle__flops_fp64.sum 256
CASE(flops)
{
    arithmetic<<<1, 64>>>(a.in, (double *)a.out);
}

// ---- occupancy, as a GPU of compute capability 9.0 has it
__global__ void hoard(float *out)
{
    __shared__ float s[8192];
    s[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x ^ 1];
}

// case occupancy_shared
// launch__grid_size 3
// launch__block_size 128
// launch__thread_count 384
// launch__shared_mem_per_block_static 32768
// launch__shared_mem_per_block_dynamic 0
// launch__occupancy_limit_shared_mem 6
// launch__occupancy_limit_warps 16
// launch__occupancy_limit_blocks 32
// sm__maximum_warps_per_active_cycle_pct 37.50
CASE(occupancy_shared)
{
    hoard<<<3, 128>>>(a.out);
}

// ---- accesses of one instruction that are like each other, or nearly
__global__ void again(const float *in, float *out, int step, int rounds)
{
    __shared__ float s[1024];
    float sum = 0;
    int t = threadIdx.x;
    for (int i = t; i < 1024; i += 32)
        s[i] = 0;
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
        int first = i * step;
        sum += in[first + t];           // the same distances, at another address
        sum += in[first + t * (i & 1)]; // other distances
        sum += s[(first & 31) + t * (1 + (i & 1))];
    }
    out[t] = sum;
}

// 16 rounds, each from 8 words further on: 4 sectors; then 1 and 4 by turns. The last word is 151. In shared memory one pass and two by turns.
// case again
// ld.requests 32
// ld.sectors 104
// st.sectors 4
// ls.wavefronts 24
// ls.conflicts 8
// lts__t_sectors_lookup_miss.sum 23
CASE(again)
{
    again<<<1, 32>>>(a.in, a.out, 8, 16);
}

// A word further on: 4 sectors in rounds 0 and 8, else 5; then 1 and 5 by turns.
// case again_shifted
// ld.requests 32
// ld.sectors 126
// ls.wavefronts 24
CASE(again_shifted)
{
    again<<<1, 32>>>(a.in, a.out, 1, 16);
}
