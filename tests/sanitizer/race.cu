// SPDX-License-Identifier: Apache-2.0
// Planted hazards for racecheck, and programs beside them that are right. memory.cu has the words of the lines before each case.
#include "cases.h"
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda_runtime.h>

enum { N = 128 };

// ---- hazards between warps
__global__ void no_barrier(int *out)
{
    __shared__ int s[N];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = s[N - 1 - threadIdx.x];
}
__global__ void with_barrier(int *out)
{
    __shared__ int s[N];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[N - 1 - threadIdx.x];
}

// case read_after_write --tool racecheck
// > Error: Race reported between * access at no_barrier(int*)+0x* in race.cu:*
// > and * access at no_barrier(int*)+0x* in race.cu:* [* hazards]
// > Saved host backtrace up to driver entry point at kernel launch time
// > RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)
// errors 1
CASE(read_after_write)
{
    no_barrier<<<1, N>>>(device<int>(N));
}

// case barrier_is_right --tool racecheck
// > RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)
CASE(barrier_is_right)
{
    with_barrier<<<4, N>>>(device<int>(N));
}

// case single_hazards --tool racecheck --racecheck-report hazard --print-limit 2
// > Error: Potential * hazard detected at __shared__ 0x* in block (0,0,0) :
// > Thread (*,0,0) at no_barrier(int*)+0x* in race.cu:*
// errors any
CASE(single_hazards)
{
    no_barrier<<<1, N>>>(device<int>(N));
}

__global__ void all_write(int *out)
{
    __shared__ int s;
    s = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s;
}
__global__ void all_write_same(int *out)
{
    __shared__ int s;
    s = 5;
    __syncthreads();
    out[threadIdx.x] = s;
}
__global__ void one_writes(int *out)
{
    __shared__ int s;
    if (threadIdx.x == 0)
        s = 5;
    __syncthreads();
    out[threadIdx.x] = s;
}

// case write_after_write --tool racecheck
// > Race reported between Write access at all_write(int*)+0x*
// > and Write access at all_write(int*)+0x*
// errors 1
CASE(write_after_write)
{
    all_write<<<1, N>>>(device<int>(N));
}

// case same_value_is_right --tool racecheck
CASE(same_value_is_right)
{
    all_write_same<<<1, N>>>(device<int>(N));
    one_writes<<<1, N>>>(device<int>(N));
}

__global__ void second_round(int *out)
{
    __shared__ int s[N];
    for (int i = 0; i < 3; i++) {
        s[threadIdx.x] = i;
        __syncthreads();
        out[threadIdx.x] += s[(threadIdx.x + 40) % N];
    }
}
__global__ void both_barriers(int *out)
{
    out += blockIdx.x * blockDim.x;
    __shared__ int s[N];
    for (int i = 0; i < 3; i++) {
        s[threadIdx.x] = i;
        __syncthreads();
        out[threadIdx.x] += s[(threadIdx.x + 40) % N];
        __syncthreads();
    }
}

// case write_after_read --tool racecheck
// > Race reported between Read access at second_round(int*)+0x* in race.cu:*
// > and Write access at second_round(int*)+0x* in race.cu:*
// errors any
CASE(write_after_read)
{
    second_round<<<1, N>>>(device<int>(N));
}

// case both_barriers_is_right --tool racecheck
CASE(both_barriers_is_right)
{
    both_barriers<<<2, N>>>(device<int>(2 * N));
}

// ---- trees
template <bool SYNC> __global__ void tree(int *out)
{
    __shared__ int s[N];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    for (int n = N / 2; n; n /= 2) {
        if (threadIdx.x < n)
            s[threadIdx.x] += s[threadIdx.x + n];
        if (SYNC || n > 64)
            __syncthreads();
    }
    if (threadIdx.x == 0)
        *out = s[0];
}

// case tree_is_right --tool racecheck
CASE(tree_is_right)
{
    tree<true><<<2, N>>>(device<int>(1));
}

// case tree_without_barrier --tool racecheck
// > Race reported between
// errors any
CASE(tree_without_barrier)
{
    tree<false><<<1, N>>>(device<int>(1));
}

// ---- within a warp
__global__ void warp_without(int *out)
{
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = s[31 - threadIdx.x];
}
__global__ void warp_with(int *out)
{
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;
    __syncwarp();
    int x = s[31 - threadIdx.x];
    __syncwarp();
    s[threadIdx.x] = x + 1;
    __syncwarp(0xffffffff);
    out[threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void half_warps(int *out)
{
    __shared__ int s[32];
    unsigned half = threadIdx.x < 16 ? 0xffff : 0xffff0000;
    s[threadIdx.x] = threadIdx.x;
    for (int i = 0; i < (threadIdx.x < 16 ? 1 : 3); i++) {
        __syncwarp(half);
        int x = s[threadIdx.x ^ 1];
        __syncwarp(half);
        s[threadIdx.x] = x + i;
    }
    __syncwarp();
    out[threadIdx.x] = s[31 - threadIdx.x];
}

// case warp_without --tool racecheck
// > Warning: Race reported between Write access at warp_without(int*)+0x*
// > RACECHECK SUMMARY: 1 hazard displayed (0 errors, 1 warning)
// errors 1
CASE(warp_without)
{
    warp_without<<<1, 32>>>(device<int>(32));
}

// case warp_without_low --tool racecheck --print-level error
// > RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)
CASE(warp_without_low)
{
    warp_without<<<1, 32>>>(device<int>(32));
}

// case warp_with_is_right --tool racecheck
CASE(warp_with_is_right)
{
    warp_with<<<2, 32>>>(device<int>(32));
    half_warps<<<2, 32>>>(device<int>(32));
}

// case syncwarp_between_warps --tool racecheck
// > Error: Race reported between
// errors 1
__global__ void syncwarp_only(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncwarp();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
CASE(syncwarp_between_warps)
{
    syncwarp_only<<<1, 64>>>(device<int>(64));
}

// ---- atomics, flags, fences
__global__ void histogram(const int *in, int *out)
{
    __shared__ int s[16];
    if (threadIdx.x < 16)
        s[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&s[in[threadIdx.x] & 15], 1);
    __syncthreads();
    if (threadIdx.x < 16)
        out[threadIdx.x] = s[threadIdx.x];
}
__global__ void histogram_early(const int *in, int *out)
{
    __shared__ int s[16];
    if (threadIdx.x < 16)
        s[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&s[threadIdx.x & 15], 1);
    out[threadIdx.x] = s[in[threadIdx.x] & 15];
}
__global__ void flag(int *out)
{
    __shared__ int value;
    __shared__ cuda::atomic<int, cuda::thread_scope_block> ready;
    if (threadIdx.x == 0)
        ready.store(0, cuda::std::memory_order_relaxed);
    __syncthreads();
    if (threadIdx.x == 0) {
        value = 42;
        ready.store(1, cuda::std::memory_order_release);
    } else if (threadIdx.x == 64) {
        while (!ready.load(cuda::std::memory_order_acquire))
            ;
        *out = value;
    }
}
__global__ void fenced(int *out)
{
    __shared__ int value, ready;
    if (threadIdx.x == 0)
        ready = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        value = 42;
        __threadfence_block();
        atomicExch(&ready, 1);
    } else if (threadIdx.x == 64) {
        while (!atomicAdd(&ready, 0))
            ;
        __threadfence_block();
        *out = value;
    }
}

// case atomics_are_right --tool racecheck
CASE(atomics_are_right)
{
    histogram<<<4, N>>>(device<int>(N), device<int>(16));
    flag<<<2, N>>>(device<int>(1));
    fenced<<<2, N>>>(device<int>(1));
}

// The loop of the programming guide: a plain load, and compare and exchange until nobody came between.
__global__ void largest(int *out)
{
    __shared__ int most;
    if (threadIdx.x == 0)
        most = 0;
    __syncthreads();
    int old = most, seen;
    do {
        seen = old;
        old = atomicCAS(&most, seen, max(seen, (int)threadIdx.x * 7 % 50));
    } while (old != seen);
    __syncthreads();
    *out = most;
}
// case exchange_is_right --tool racecheck
CASE(exchange_is_right)
{
    largest<<<2, N>>>(device<int>(1));
}

// Blocks that a worker runs one after the other: the race is in one of them alone, and memory keeps what the others did.
__global__ void one_block_races(int *out)
{
    __shared__ int s[N];
    s[threadIdx.x] = blockIdx.x;
    if (blockIdx.x != 37)
        __syncthreads();
    out[blockIdx.x * N + threadIdx.x] = s[N - 1 - threadIdx.x];
}
// Several reads of a line.
template <bool WAIT> __global__ void sums(int *out)
{
    __shared__ int s[4][N];
    for (int i = 0; i < 4; i++)
        s[i][threadIdx.x] = i + threadIdx.x;
    if (WAIT)
        __syncthreads();
    out[blockIdx.x * N + threadIdx.x] =
        s[0][threadIdx.x] + s[1][N - 1 - threadIdx.x] + s[2][threadIdx.x / 8 * 8] + s[3][5];
    __syncthreads();
    s[0][threadIdx.x] = 0;
}

// case one_block_races --tool racecheck
// > Error: Race reported between * access at one_block_races(int*)+0x* in race.cu:*
// > and * access at one_block_races(int*)+0x* in race.cu:*
// > in block (37,0,0) and thread
// errors 1
CASE(one_block_races)
{
    one_block_races<<<64, N>>>(device<int>(64 * N));
}

// case reads_of_a_line --tool racecheck
// > Error: Race reported between * access at void sums<*>(int*)+0x* in race.cu:3*
// > and * access at void sums<*>(int*)+0x* in race.cu:3*
// errors any
CASE(reads_of_a_line)
{
    sums<false><<<2, N>>>(device<int>(2 * N));
}

// case reads_of_a_line_are_right --tool racecheck
CASE(reads_of_a_line_are_right)
{
    sums<true><<<8, N>>>(device<int>(8 * N));
}

// case atomic_and_read --tool racecheck
// > Race reported between * access at histogram_early(int const*, int*)+0x*
// errors 1
CASE(atomic_and_read)
{
    histogram_early<<<1, N>>>(device<int>(N), device<int>(N));
}

// ---- barriers of some threads, and objects
__global__ void producers(int *out)
{
    out += blockIdx.x * blockDim.x;
    __shared__ int s[64];
    for (int i = 0; i < 3; i++) {
        if (threadIdx.x < 64) {
            s[threadIdx.x] = i;
            asm volatile("bar.arrive 1, 128;" ::: "memory");
            asm volatile("bar.sync 2, 128;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 128;" ::: "memory");
            out[threadIdx.x] += s[127 - threadIdx.x];
            asm volatile("bar.arrive 2, 128;" ::: "memory");
        }
    }
}
__global__ void barrier_object(int *out)
{
    out += blockIdx.x * blockDim.x;
    __shared__ int s[N];
    __shared__ cuda::barrier<cuda::thread_scope_block> b;
    if (threadIdx.x == 0)
        init(&b, blockDim.x);
    __syncthreads();
    for (int i = 0; i < 2; i++) {
        s[threadIdx.x] = i;
        b.arrive_and_wait();
        out[threadIdx.x] += s[N - 1 - threadIdx.x];
        b.arrive_and_wait();
    }
}
__global__ void after_arrival(int *out)
{
    __shared__ int s[128];
    if (threadIdx.x < 64) {
        asm volatile("bar.arrive 1, 128;" ::: "memory");
        s[threadIdx.x] = 1;
    } else {
        asm volatile("bar.sync 1, 128;" ::: "memory");
        out[threadIdx.x] = s[127 - threadIdx.x];
    }
}

// case partial_barriers_are_right --tool racecheck
CASE(partial_barriers_are_right)
{
    producers<<<2, 128>>>(device<int>(256));
    barrier_object<<<2, N>>>(device<int>(2 * N));
}

// case write_after_arrival --tool racecheck
// > Error: Race reported between
// errors 1
CASE(write_after_arrival)
{
    after_arrival<<<1, 128>>>(device<int>(128));
}

// ---- bytes, and dynamic memory
__global__ void bytes(char *out)
{
    extern __shared__ char c[];
    c[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = c[N - 1 - threadIdx.x];
}
__global__ void bytes_early(char *out)
{
    extern __shared__ char c[];
    c[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = c[N - 1 - threadIdx.x];
}

// case bytes_are_right --tool racecheck
CASE(bytes_are_right)
{
    bytes<<<2, N, N>>>(device<char>(N));
}

// case bytes_early --tool racecheck
// > Error: Race reported between * access at bytes_early(char*)+0x*
// errors 1
CASE(bytes_early)
{
    bytes_early<<<1, N, N>>>(device<char>(N));
}

// ---- exits, loops of different length, votes
__global__ void leaves_early(int *out)
{
    __shared__ int s[N];
    s[threadIdx.x] = 1;
    if (threadIdx.x >= 64)
        return;
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void voted(int *out)
{
    __shared__ int s[4];
    unsigned all = __ballot_sync(0xffffffff, threadIdx.x & 1);
    if ((threadIdx.x & 31) == 0)
        s[threadIdx.x / 32] = __popc(all);
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += s[i];
    out[threadIdx.x] = sum + __shfl_sync(0xffffffff, sum, 0) + __syncthreads_count(sum);
}

// case others_are_right --tool racecheck
CASE(others_are_right)
{
    leaves_early<<<2, N>>>(device<int>(N));
    voted<<<2, N>>>(device<int>(N));
}

CASES
