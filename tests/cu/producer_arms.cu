// SPDX-License-Identifier: Apache-2.0
// Additions to global memory that another thread of the block reads behind a barrier which stands in another arm of a branch:
// producers and consumers never pass the same instruction, so nothing that follows the addition in its own arm tells of the
// read. Additions of two types to one address, whose order matters.
#include "check.h"

enum { WARP = 32, CELLS = 32, EACH = 4 };

__global__ void counted_sync(int *cells, const int *index, int *out)
{
    int t = threadIdx.x;
    if (t < WARP) {
        for (int i = 0; i < EACH; i++)
            atomicAdd(&cells[index[t * EACH + i]], 1);
        asm volatile("bar.sync 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[t - WARP] = cells[t - WARP];
    }
}

__global__ void arrive(int *cells, const int *index, int *out)
{
    int t = threadIdx.x;
    if (t < WARP) {
        for (int i = 0; i < EACH; i++)
            atomicAdd(&cells[index[t * EACH + i]], 1);
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[t - WARP] = cells[t - WARP];
    }
}

__global__ void one_sum(int *cells, const int *index, int *out)
{
    int t = threadIdx.x;
    if (t < WARP) {
        for (int i = 0; i < EACH; i++)
            atomicAdd(cells, index[t * EACH + i]);
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[t - WARP] = *cells;
    }
}

__global__ void own_cell(int *cells, const int *index, int *out)
{
    int t = threadIdx.x;
    if (t < WARP) {
        atomicAdd(&cells[t], index[t]);
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[t - WARP] = cells[t - WARP];
    }
}

// The whole block, through the barrier that everyone uses.
__global__ void block_barrier(int *cells, const int *index, int *out)
{
    int t = threadIdx.x;
    if (t < WARP) {
        for (int i = 0; i < EACH; i++)
            atomicAdd(&cells[index[t * EACH + i]], 1);
        asm volatile("bar.sync 0;" ::: "memory");
        out[t + WARP] = 1;
    } else {
        asm volatile("bar.sync 0;" ::: "memory");
        out[t - WARP] = cells[t - WARP];
    }
}

// The lanes of a warp, by its own barrier.
__global__ void warp_barrier(int *cells, const int *index, int *out)
{
    int t = threadIdx.x;
    if (t < WARP / 2) {
        for (int i = 0; i < 2 * EACH; i++)
            atomicAdd(&cells[index[t * 2 * EACH + i]], 1);
        asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
    } else if (t < WARP) {
        asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
        out[t - WARP / 2] = cells[t - WARP / 2];
        out[t] = cells[t];
    }
}

// 0x3f800000 is 1.0f: adding 1.0f and then 1 differs from adding 1 and then 1.0f.
__global__ void two_types(int *cells)
{
    int t = threadIdx.x;
    atomicAdd(&cells[t], 0x3f000000);
    atomicAdd((float *)&cells[t], 1.0f);
    atomicAdd(&cells[t], 1);
}

int main()
{
    std::vector<int> index(WARP * EACH);
    for (int i = 0; i < WARP * EACH; i++)
        index[i] = i * 7 % CELLS;
    int total = 0;
    for (int x : index)
        total += x;
    Buffer<int> in(index);
    for (int kind = 0; kind < 6; kind++) {
        Buffer<int> cells(CELLS), out(64);
        auto kernel = kind == 0   ? counted_sync
                      : kind == 1 ? arrive
                      : kind == 2 ? one_sum
                      : kind == 3 ? own_cell
                      : kind == 4 ? block_barrier
                                  : warp_barrier;
        kernel<<<1, 64>>>(cells, in, out);
        LAUNCHED();
        std::vector<int> seen = out.get();
        for (int t = 0; t < CELLS; t++)
            EXPECT(seen[t] == (kind == 2 ? total : kind == 3 ? index[t] : EACH));
    }
    Buffer<int> cells(CELLS);
    two_types<<<1, CELLS>>>(cells);
    LAUNCHED();
    float f = 1.5f; // 0.5f + 1.0f
    int bits;
    memcpy(&bits, &f, sizeof bits);
    for (int x : cells.get())
        EXPECT(x == bits + 1);
    return DONE();
}
