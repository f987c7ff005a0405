// SPDX-License-Identifier: Apache-2.0
// Planted faults for synccheck. memory.cu has the words of the lines before each case.
#include "cases.h"
#include <cuda_runtime.h>

__global__ void half_block(int *out)
{
    if (threadIdx.x < 32)
        __syncthreads();
    out[threadIdx.x] = 1;
}
__global__ void half_warp(int *out)
{
    if (threadIdx.x < 16)
        __syncthreads();
    out[threadIdx.x] = 1;
}
__global__ void left(int *out)
{
    if (threadIdx.x == 3)
        return;
    out[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] += 1;
}
__global__ void uneven_loop(int *out)
{
    for (int i = 0; i < (threadIdx.x == 7 ? 2 : 3); i++)
        __syncthreads();
    out[threadIdx.x] = 1;
}
__global__ void all(int *out)
{
    for (int i = 0; i < 3; i++) {
        out[threadIdx.x] += i;
        __syncthreads();
    }
    if (__syncthreads_or(threadIdx.x == 5))
        out[threadIdx.x] = 1;
}

// case half_block --tool synccheck
// > Barrier error detected. Divergent thread(s) in block
// > at half_block(int*)+0x* in sync.cu:*
// > by thread (32,0,0) in block (0,0,0)
// > Saved host backtrace up to driver entry point at kernel launch time
// > ERROR SUMMARY: 32 errors
// errors 32
CASE(half_block)
{
    half_block<<<1, 64>>>(device<int>(64));
}

// case half_warp --tool synccheck
// > Barrier error detected. Divergent thread(s) in block
// > by thread (16,0,0) in block (0,0,0)
// errors 16
CASE(half_warp)
{
    half_warp<<<1, 32>>>(device<int>(64));
}

// case left --tool synccheck
// > Barrier error detected. Divergent thread(s) in block
// > at left(int*)+0x* in sync.cu:*
// > by thread (3,0,0) in block (0,0,0)
// errors 1
CASE(left)
{
    left<<<1, 64>>>(device<int>(64));
}

// case uneven_loop --tool synccheck
// > by thread (7,0,0) in block (1,0,0)
// errors any
CASE(uneven_loop)
{
    uneven_loop<<<2, 64>>>(device<int>(64));
}

// case all_is_right --tool synccheck
// > ERROR SUMMARY: 0 errors
CASE(all_is_right)
{
    all<<<8, 96>>>(device<int>(96));
}

// ---- masks and counts
__global__ void not_a_member(int *out)
{
    if (threadIdx.x < 2)
        __syncwarp(1u << threadIdx.x & 1u ? 1u : 4u);
    out[threadIdx.x] = 1;
}
__global__ void odd_count(int *out)
{
    asm volatile("bar.arrive 1, %0;" ::"r"(out ? 48 : 64));
}
__global__ void partial(int *out)
{
    if (threadIdx.x < 64)
        asm volatile("bar.sync 1, 64;");
    unsigned mask = __ballot_sync(0xffffffff, threadIdx.x & 1);
    if (threadIdx.x & 1)
        __syncwarp(mask);
    out[threadIdx.x] = 1;
}

// case odd_count --tool synccheck
// > Barrier error detected. Invalid arguments
// > at odd_count(int*)+0x* in sync.cu:*
// errors 32
CASE(odd_count)
{
    odd_count<<<1, 32>>>(device<int>(1));
}

// case partial_is_right --tool synccheck
CASE(partial_is_right)
{
    partial<<<4, 128>>>(device<int>(128));
}

CASES
