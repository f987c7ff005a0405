// SPDX-License-Identifier: Apache-2.0
// A prefix sum in one pass over the data: each block sums its tile, looks back at what the blocks before it have published, and goes on from there.
// A block waits for others that started before it, so each takes its tile by a counter rather than by blockIdx.
#include "../check.h"
#include <cuda/atomic>

constexpr int N = 1 << 20, THREADS = 256, EACH = 4, TILE = THREADS * EACH;
enum { NOTHING, SUM_OF_TILE, SUM_OF_ALL };

struct status { // of a tile
    int kind;
    int value;
};
using published = cuda::atomic<status, cuda::thread_scope_device>;

__device__ int block_scan(int v, int *shared, int &total)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(~0u, v, d);
        v += lane >= d ? other : 0;
    }
    if (lane == 31)
        shared[warp] = v;
    __syncthreads();
    int before = 0;
    total = 0;
    for (int w = 0; w < THREADS / 32; w++) {
        before += w < warp ? shared[w] : 0;
        total += shared[w];
    }
    return before + v;
}
__device__ int look_back(published *s, int tile, int total)
{
    int before = 0;
    if (tile)
        s[tile].store({SUM_OF_TILE, total}, cuda::memory_order_release);
    for (int t = tile - 1; t >= 0; t--) {
        status other;
        do
            other = s[t].load(cuda::memory_order_acquire);
        while (other.kind == NOTHING);
        before += other.value;
        if (other.kind == SUM_OF_ALL)
            break;
    }
    s[tile].store({SUM_OF_ALL, before + total}, cuda::memory_order_release);
    return before;
}
__global__ void scan(const int *in, int *out, published *s, int *next_tile)
{
    __shared__ int sums[THREADS / 32], tile, before;
    if (!threadIdx.x)
        tile = atomicAdd(next_tile, 1);
    __syncthreads();
    int v[EACH], mine = 0, total, first = tile * TILE + threadIdx.x * EACH;
    for (int k = 0; k < EACH; k++)
        mine += v[k] = in[first + k];
    int sum = block_scan(mine, sums, total) - mine;
    if (!threadIdx.x)
        before = look_back(s, tile, total);
    __syncthreads();
    sum += before;
    for (int k = 0; k < EACH; k++)
        out[first + k] = sum += v[k];
}

int main()
{
    int *in, *out, *next_tile;
    published *s;
    CHECK(cudaMallocManaged(&in, N * sizeof *in));
    CHECK(cudaMallocManaged(&out, N * sizeof *out));
    CHECK(cudaMalloc(&s, N / TILE * sizeof *s));
    CHECK(cudaMalloc(&next_tile, sizeof *next_tile));
    CHECK(cudaMemset(s, 0, N / TILE * sizeof *s));
    CHECK(cudaMemset(next_tile, 0, sizeof *next_tile));
    for (int i = 0; i < N; i++)
        in[i] = i % 11 - 4;
    scan<<<N / TILE, THREADS>>>(in, out, s, next_tile);
    CHECK(cudaDeviceSynchronize());
    int wrong = 0, sum = 0;
    for (int i = 0; i < N; i++)
        wrong += out[i] != (sum += in[i]);
    printf("%d tiles, the last sum is %d, %d wrong\n", N / TILE, out[N - 1], wrong);
    return verdict(!wrong);
}
