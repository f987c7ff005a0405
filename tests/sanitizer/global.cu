// SPDX-License-Identifier: Apache-2.0
// Planted races in global memory for racecheck, and programs beside them that are right. memory.cu has the words of the lines before each
// case.
#include "cases.h"
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda_runtime.h>

enum { N = 128 };
namespace cg = cooperative_groups;

// ---- between blocks
__global__ void last_wins(int *out)
{
    *out = blockIdx.x;
}
__global__ void in_place(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        a[i] = a[i - 1] + a[i + 1] + 1;
}
__global__ void from_other(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        out[i] = in[i - 1] + in[i + 1];
}
__global__ void counter_plain(int *count)
{
    if (threadIdx.x == 0)
        *count = *count + 1;
}
__global__ void counter_atomic(int *count)
{
    atomicAdd(count, 1);
}
__global__ void counter_read(int *count, int *out)
{
    if (threadIdx.x == 0) {
        out[blockIdx.x] = *count;
        atomicAdd(count, 1);
    }
}
__global__ void read_then_write(int *a, int *out)
{
    if (threadIdx.x == 0) {
        out[blockIdx.x] = a[0];
        if (blockIdx.x == gridDim.x - 1)
            a[0] = 17;
    }
}
__global__ void transpose_in_place(int *a, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int v = a[y * n + x] + 1;
    a[x * n + y] = v;
}
__global__ void rows_overlap(float *a)
{
    a[blockIdx.x * (blockDim.x - 1) + threadIdx.x] = blockIdx.x;
}
__global__ void vectors_overlap(float *a)
{
    *(float4 *)(a + 4 * ((blockIdx.x * blockDim.x + threadIdx.x) / 2)) = make_float4(blockIdx.x, threadIdx.x, 0, 1);
}
__global__ void histogram_plain(int *bins)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bins[i * 7 % 13]++;
}
__device__ int total;
__global__ void sum_variable()
{
    total += threadIdx.x;
}

// case blocks_write_one --tool racecheck
// > Error: Race reported between Write access at last_wins(int*)+0x* in global.cu:*
// > and Write access at last_wins(int*)+0x* in global.cu:* [* hazards]
// > thread (0,0,0) in block (*,0,0) and thread (0,0,0) in block (*,0,0)
// > Saved host backtrace up to driver entry point at kernel launch time
// errors 1
CASE(blocks_write_one)
{
    last_wins<<<4, 1>>>(device<int>(1));
}

// case stencil_in_place --tool racecheck
// > Error: Race reported between * access at in_place(int*, int)+0x*
// errors any
CASE(stencil_in_place)
{
    in_place<<<4, N>>>(device<int>(4 * N), 4 * N);
}

// case stencil_is_right --tool racecheck
CASE(stencil_is_right)
{
    int *a = device<int>(4 * N), *b = device<int>(4 * N);
    from_other<<<4, N>>>(a, b, 4 * N);
    from_other<<<4, N>>>(b, a, 4 * N);
}

// case counter_plain --tool racecheck
// > Error: Race reported between * access at counter_plain(int*)+0x*
// errors any
CASE(counter_plain)
{
    counter_plain<<<8, 32>>>(device<int>(1));
}

// case counter_is_right --tool racecheck
CASE(counter_is_right)
{
    counter_atomic<<<8, N>>>(device<int>(1));
}

// case counter_read --tool racecheck
// > Error: Race reported between * access at counter_read(int*, int*)+0x*
// errors any
CASE(counter_read)
{
    counter_read<<<8, 32>>>(device<int>(1), device<int>(8));
}

// case write_after_other_blocks --tool racecheck
// > Error: Race reported between * access at read_then_write(int*, int*)+0x*
// errors any
CASE(write_after_other_blocks)
{
    read_then_write<<<4, 32>>>(device<int>(1), device<int>(4));
}

// All lanes of every block read it, so that the last of them have to be told from those of other blocks.
__global__ void all_read_then_write(int *a, int *out, int value)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = a[0];
    __syncthreads();
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0)
        a[0] = value;
}
__global__ void shifted(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

// case write_after_all_lanes --tool racecheck
// > Error: Race reported between * access at all_read_then_write(int*, int*, int)+0x*
// errors 1
CASE(write_after_all_lanes)
{
    int *a = device<int>(1);
    cudaMemset(a, 0, sizeof *a);
    all_read_then_write<<<4, 64>>>(a, device<int>(4 * 64), 17);
}

// What an earlier launch has stored is no more what is there: a store of what others have read is compared with memory.
__global__ void warp_reads_warp_writes(int *a, int *out, int value)
{
    if (threadIdx.x < 32)
        out[threadIdx.x] = a[0];
    else if (threadIdx.x == 32)
        a[0] = value;
}

// case same_value_is_right --tool racecheck
CASE(same_value_is_right)
{
    int *a = device<int>(1), *out = device<int>(64);
    for (int i = 0; i < 3; i++) {
        all_read_then_write<<<1, 1>>>(a, out, i + 3);
        cudaMemset(a, 0, sizeof *a);
        warp_reads_warp_writes<<<1, 64>>>(a, out, 0);
    }
}

// Two pointers into one allocation: what one only reads, the other writes.
// case one_allocation --tool racecheck
// > Error: Race reported between * access at shifted(int const*, int*)+0x*
// errors any
CASE(one_allocation)
{
    int *a = device<int>(4 * N + 1);
    shifted<<<4, N>>>(a, a + 1);
}

// case two_allocations_are_right --tool racecheck
CASE(two_allocations_are_right)
{
    int *a = device<int>(4 * N), *b = device<int>(4 * N);
    for (int i = 0; i < 3; i++) {
        shifted<<<4, N>>>(a, b);
        shifted<<<4, N>>>(b, a);
    }
}

// case transpose_in_place --tool racecheck
// > Error: Race reported between * access at transpose_in_place(int*, int)+0x*
// errors any
CASE(transpose_in_place)
{
    transpose_in_place<<<dim3(4, 4), dim3(8, 8)>>>(device<int>(32 * 32), 32);
}

// case rows_overlap --tool racecheck
// > Error: Race reported between Write access at rows_overlap(float*)+0x*
// errors 1
CASE(rows_overlap)
{
    rows_overlap<<<4, N>>>(device<float>(4 * N));
}

// case vectors_overlap --tool racecheck
// > Race reported between Write access at vectors_overlap(float*)+0x*
// errors any
CASE(vectors_overlap)
{
    vectors_overlap<<<2, N>>>(device<float>(4 * N));
}

// case histogram_plain --tool racecheck
// > Error: Race reported between * access at histogram_plain(int*)+0x*
// errors any
CASE(histogram_plain)
{
    histogram_plain<<<4, N>>>(device<int>(13));
}

// case variable_sum --tool racecheck
// > Error: Race reported between * access at sum_variable()+0x*
// errors any
CASE(variable_sum)
{
    sum_variable<<<2, N>>>();
}

// case managed_memory --tool racecheck
// > Error: Race reported between Write access at last_wins(int*)+0x*
// errors 1
CASE(managed_memory)
{
    int *a;
    cudaMallocManaged(&a, 4);
    last_wins<<<4, 1>>>(a);
}

// case single_global_hazards --tool racecheck --racecheck-report hazard --print-limit 2
// > Error: Potential WAW hazard detected at __global__ 0x* :
// > Write Thread (0,0,0) in block (*,0,0) at last_wins(int*)+0x* in global.cu:*
// > Write Thread (0,0,0) in block (*,0,0) at last_wins(int*)+0x* in global.cu:*
// errors any
CASE(single_global_hazards)
{
    last_wins<<<4, 1>>>(device<int>(1));
}

// ---- within a block
__global__ void neighbours(int *scratch, int *out)
{
    scratch[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = scratch[N - 1 - threadIdx.x];
}
__global__ void neighbours_right(int *scratch, int *out)
{
    scratch += blockIdx.x * N;
    out += blockIdx.x * N;
    scratch[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = scratch[N - 1 - threadIdx.x];
}
__global__ void scan_in_place(int *a)
{
    for (int d = 1; d < N; d *= 2) {
        int x = threadIdx.x >= d ? a[threadIdx.x - d] : 0;
        a[threadIdx.x] += x + 1;
        __syncthreads();
    }
}
__global__ void scan_right(int *a)
{
    for (int d = 1; d < N; d *= 2) {
        int x = threadIdx.x >= d ? a[threadIdx.x - d] : 0;
        __syncthreads();
        a[threadIdx.x] += x + 1;
        __syncthreads();
    }
}
__global__ void all_write_one(int *out)
{
    *out = threadIdx.x;
}
__global__ void all_write_same(int *out)
{
    *out = 1;
}
__global__ void in_a_warp(int *scratch, int *out)
{
    scratch[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = scratch[31 - threadIdx.x];
}
__global__ void in_a_warp_right(int *scratch, int *out)
{
    scratch[threadIdx.x] = threadIdx.x;
    __syncwarp();
    out[threadIdx.x] = scratch[31 - threadIdx.x];
}
__global__ void syncwarp_only(int *scratch, int *out)
{
    scratch[threadIdx.x] = threadIdx.x;
    __syncwarp();
    out[threadIdx.x] = scratch[N - 1 - threadIdx.x];
}
__global__ void bytes_apart(char *a)
{
    a[threadIdx.x] = threadIdx.x;
}
__global__ void bytes_overlap(char *a)
{
    a[threadIdx.x] = 1;
    if (threadIdx.x % 40 == 7)
        *(short *)(a + ((threadIdx.x + 64) % N & ~1)) = 999;
}
__global__ void one_for_all(int *box, int *out)
{
    if (threadIdx.x == 0)
        box[blockIdx.x] = clock();
    out[blockIdx.x * N + threadIdx.x] = box[blockIdx.x];
}
__global__ void one_for_all_right(int *box, int *out)
{
    if (threadIdx.x == 0)
        box[blockIdx.x] = clock();
    __syncthreads();
    out[blockIdx.x * N + threadIdx.x] = box[blockIdx.x];
}
__global__ void heap_shared()
{
    __shared__ int *p;
    if (threadIdx.x == 0)
        p = (int *)malloc(4);
    __syncthreads();
    *p = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        free(p);
}
__global__ void heap_own()
{
    for (int i = 0; i < 3; i++) {
        volatile int *p = (volatile int *)malloc(40);
        int *q = (int *)p;
        q[i] = threadIdx.x;
        free(q);
    }
}

// case neighbours --tool racecheck
// > Error: Race reported between * access at neighbours(int*, int*)+0x* in global.cu:*
// errors 1
CASE(neighbours)
{
    neighbours<<<1, N>>>(device<int>(N), device<int>(N));
}

// case neighbours_are_right --tool racecheck
CASE(neighbours_are_right)
{
    neighbours_right<<<8, N>>>(device<int>(8 * N), device<int>(8 * N));
    one_for_all_right<<<8, N>>>(device<int>(8), device<int>(8 * N));
}

// case scan_in_place --tool racecheck
// > Race reported between * access at scan_in_place(int*)+0x*
// errors any
CASE(scan_in_place)
{
    scan_in_place<<<1, N>>>(device<int>(N));
}

// case scan_is_right --tool racecheck
CASE(scan_is_right)
{
    scan_right<<<1, N>>>(device<int>(N));
}

// case threads_write_one --tool racecheck
// > Race reported between Write access at all_write_one(int*)+0x*
// errors 1
CASE(threads_write_one)
{
    all_write_one<<<1, N>>>(device<int>(1));
}

// case same_value_global_is_right --tool racecheck
CASE(same_value_global_is_right)
{
    all_write_same<<<8, N>>>(device<int>(1));
}

// case in_a_warp --tool racecheck
// > Warning: Race reported between * access at in_a_warp(int*, int*)+0x*
// > RACECHECK SUMMARY: 1 hazard displayed (0 errors, 1 warning)
// errors 1
CASE(in_a_warp)
{
    in_a_warp<<<1, 32>>>(device<int>(32), device<int>(32));
}

// case in_a_warp_is_right --tool racecheck
CASE(in_a_warp_is_right)
{
    in_a_warp_right<<<1, 32>>>(device<int>(32), device<int>(32));
}

// case syncwarp_only --tool racecheck
// > Error: Race reported between * access at syncwarp_only(int*, int*)+0x*
// errors 1
CASE(syncwarp_only)
{
    syncwarp_only<<<1, N>>>(device<int>(N), device<int>(N));
}

// case bytes_overlap --tool racecheck
// > Error: Race reported between Write access at bytes_overlap(char*)+0x*
// errors any
CASE(bytes_overlap)
{
    bytes_overlap<<<1, N>>>(device<char>(N));
}

// case bytes_apart_is_right --tool racecheck
CASE(bytes_apart_is_right)
{
    bytes_apart<<<1, N>>>(device<char>(N));
}

// case one_for_all --tool racecheck
// > Race reported between * access at one_for_all(int*, int*)+0x*
// errors any
CASE(one_for_all)
{
    one_for_all<<<2, N>>>(device<int>(2), device<int>(2 * N));
}

// case heap_shared --tool racecheck
// > Error: Race reported between Write access at heap_shared()+0x*
// errors any
CASE(heap_shared)
{
    heap_shared<<<1, N>>>();
}

// case heap_own_is_right --tool racecheck
CASE(heap_own_is_right)
{
    heap_own<<<8, N>>>();
}

// ---- the last block, locks, flags
template <bool FENCE, bool LAST> __global__ void sum_up(const int *in, int *part, unsigned *done, int *out)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = in[blockIdx.x] + 1;
        if (FENCE)
            __threadfence();
        unsigned n = atomicInc(done, gridDim.x - 1);
        last = !LAST || n == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x < gridDim.x)
        atomicAdd(out, part[threadIdx.x]);
}

// case last_block_is_right --tool racecheck
CASE(last_block_is_right)
{
    sum_up<true, true><<<32, N>>>(device<int>(32), device<int>(32), device<unsigned>(1), device<int>(1));
}

// case last_block_without_fence --tool racecheck
// > Error: Race reported between Write access at void sum_up<*>(int const*, int*, unsigned int*, int*)+0x*
// errors any
CASE(last_block_without_fence)
{
    sum_up<false, true><<<32, N>>>(device<int>(32), device<int>(32), device<unsigned>(1), device<int>(1));
}

// case not_the_last_block --tool racecheck
// > Error: Race reported between * access at void sum_up<*>(int const*, int*, unsigned int*, int*)+0x*
// errors any
CASE(not_the_last_block)
{
    sum_up<true, false><<<32, N>>>(device<int>(32), device<int>(32), device<unsigned>(1), device<int>(1));
}

template <bool FENCES> __global__ void locked(int *lock, int *value)
{
    if (threadIdx.x)
        return;
    while (atomicCAS(lock, 0, 1))
        ;
    if (FENCES)
        __threadfence();
    *value = *value + 1;
    if (FENCES)
        __threadfence();
    atomicExch(lock, 0);
}

// case lock_is_right --tool racecheck
CASE(lock_is_right)
{
    int *lock = device<int>(1);
    cudaMemset(lock, 0, 4);
    locked<true><<<32, 32>>>(lock, device<int>(1));
}

// case lock_without_fences --tool racecheck
// > Error: Race reported between * access at void locked<*>(int*, int*)+0x*
// errors any
CASE(lock_without_fences)
{
    int *lock = device<int>(1);
    cudaMemset(lock, 0, 4);
    locked<false><<<32, 32>>>(lock, device<int>(1));
}

// How a flag is handed on: 0 by fence, 1 without, 2 by a fence of the block alone.
template <int HOW> __global__ void hand_on(int *data, volatile int *flag, int *out)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *data = 42 + clock() % 2;
        if (HOW == 0)
            __threadfence();
        if (HOW == 2)
            __threadfence_block();
        *flag = 1;
    } else {
        while (!*flag)
            ;
        if (HOW == 0)
            __threadfence();
        if (HOW == 2)
            __threadfence_block();
        out[blockIdx.x] = *data;
    }
}
static int *cleared(size_t n)
{
    int *p = device<int>(n);
    cudaMemset(p, 0, n * sizeof *p);
    return p;
}

// case flag_is_right --tool racecheck
CASE(flag_is_right)
{
    hand_on<0><<<4, 32>>>(device<int>(1), cleared(1), device<int>(4));
}

// case flag_without_fence --tool racecheck
// > Error: Race reported between Write access at void hand_on<*>(int*, int volatile*, int*)+0x*
// errors any
CASE(flag_without_fence)
{
    hand_on<1><<<4, 32>>>(device<int>(1), cleared(1), device<int>(4));
}

// case flag_with_block_fence --tool racecheck
// > Error: Race reported between Write access at void hand_on<*>(int*, int volatile*, int*)+0x*
// errors any
CASE(flag_with_block_fence)
{
    hand_on<2><<<4, 32>>>(device<int>(1), cleared(1), device<int>(4));
}

template <cuda::thread_scope SCOPE, bool RELEASE> __global__ void message(int *data, int *flag, int *out)
{
    cuda::atomic_ref<int, SCOPE> ready(*flag);
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *data = 42 + clock() % 2;
        ready.store(1, RELEASE ? cuda::std::memory_order_release : cuda::std::memory_order_relaxed);
    } else {
        while (!ready.load(RELEASE ? cuda::std::memory_order_acquire : cuda::std::memory_order_relaxed))
            ;
        out[blockIdx.x] = *data;
    }
}

// case message_is_right --tool racecheck
CASE(message_is_right)
{
    message<cuda::thread_scope_device, true><<<4, 32>>>(device<int>(1), cleared(1), device<int>(4));
    message<cuda::thread_scope_system, true><<<4, 32>>>(device<int>(1), cleared(1), device<int>(4));
}

// case message_relaxed --tool racecheck
// > Error: Race reported between Write access at void message<*
// errors any
CASE(message_relaxed)
{
    message<cuda::thread_scope_device, false><<<4, 32>>>(device<int>(1), cleared(1), device<int>(4));
}

// case message_of_the_block --tool racecheck
// > Error: Race reported between Write access at void message<*
// errors any
CASE(message_of_the_block)
{
    message<cuda::thread_scope_block, true><<<4, 32>>>(device<int>(1), cleared(1), device<int>(4));
}

// Each block waits for the one before it, as decoupled look-back does.
template <bool FENCE> __global__ void chain(int *sum, int *state, int *out)
{
    if (threadIdx.x == 0) {
        int before = 0;
        if (blockIdx.x) {
            while (!((volatile int *)state)[blockIdx.x - 1])
                ;
            __threadfence();
            before = sum[blockIdx.x - 1];
        }
        sum[blockIdx.x] = before + blockIdx.x;
        if (FENCE)
            __threadfence();
        ((volatile int *)state)[blockIdx.x] = 1;
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum[blockIdx.x] + threadIdx.x;
}

// case chain_is_right --tool racecheck
CASE(chain_is_right)
{
    chain<true><<<64, N>>>(device<int>(64), cleared(64), device<int>(64 * N));
}

// ---- the grid, clusters
template <bool SYNC> __global__ void steps(int *a, int n)
{
    cg::grid_group grid = cg::this_grid();
    int i = (int)grid.thread_rank();
    a[i] = i;
    if (SYNC)
        grid.sync();
    int x = a[n - 1 - i];
    if (SYNC)
        grid.sync();
    a[i] = x + 1;
}
template <bool SYNC> static void run_steps()
{
    int n = 4 * N, *a = device<int>(n);
    void *args[] = {&a, &n};
    cudaLaunchCooperativeKernel((void *)steps<SYNC>, 4, N, args, 0, 0);
}

// case grid_is_right --tool racecheck
CASE(grid_is_right)
{
    run_steps<true>();
}

// case grid_without_sync --tool racecheck
// > Error: Race reported between * access at void steps<*>(int*, int)+0x*
// errors any
CASE(grid_without_sync)
{
    run_steps<false>();
}

__global__ void block_barrier_only(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = i;
    __syncthreads();
    a[(i + n / 2) % n] += 1;
}
// case block_barrier_for_grid --tool racecheck
// > Error: Race reported between * access at block_barrier_only(int*, int)+0x*
// errors any
CASE(block_barrier_for_grid)
{
    block_barrier_only<<<4, N>>>(device<int>(4 * N), 4 * N);
}

template <bool SYNC> __global__ void __cluster_dims__(2) pairs(int *a, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = i;
    if (SYNC)
        cg::this_cluster().sync();
    else
        __syncthreads();
    out[i] = a[i ^ N];
}
// case cluster_is_right --tool racecheck
CASE(cluster_is_right)
{
    pairs<true><<<4, N>>>(device<int>(4 * N), device<int>(4 * N));
}

// case cluster_without_sync --tool racecheck
// > Error: Race reported between * access at void pairs<*>(int*, int*)+0x*
// errors any
CASE(cluster_without_sync)
{
    pairs<false><<<4, N>>>(device<int>(4 * N), device<int>(4 * N));
}

CASES
