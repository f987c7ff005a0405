// SPDX-License-Identifier: Apache-2.0
// Barriers of a cluster: arrival and wait apart, in loops, beside block barriers and shuffles, in divided code, with threads
// and blocks that leave early; 1, 2 and 3 dimensions.
// nvcc: -arch=sm_90
#include "check.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

template <class... P, class... A>
static void run(void (*kernel)(P...), dim3 grid, dim3 block, dim3 cluster, size_t shared, A... args)
{
    cudaLaunchConfig_t c = {};
    c.gridDim = grid;
    c.blockDim = block;
    c.dynamicSmemBytes = shared;
    cudaLaunchAttribute a[1];
    a[0].id = cudaLaunchAttributeClusterDimension;
    a[0].val.clusterDim.x = cluster.x;
    a[0].val.clusterDim.y = cluster.y;
    a[0].val.clusterDim.z = cluster.z;
    c.attrs = a;
    c.numAttrs = 1;
    OK(cudaLaunchKernelEx(&c, kernel, P(args)...));
    LAUNCHED();
}

// Each block hands its values to the next one in the ring, several times.
__global__ void ring(int *out, int rounds)
{
    __shared__ int box[2][96];
    cg::cluster_group c = cg::this_cluster();
    unsigned r = c.block_rank(), n = c.num_blocks(), t = threadIdx.x;
    int x = (int)(blockIdx.x * blockDim.x + t);
    for (int i = 0; i < rounds; i++) {
        c.map_shared_rank(&box[i & 1][0], (r + 1) % n)[t] = x;
        c.sync();
        x = box[i & 1][t] + 1;
    }
    out[blockIdx.x * blockDim.x + t] = x;
    c.sync();
}

static void test_ring()
{
    const int grid = 24, block = 96, rounds = 7;
    for (int n : {1, 2, 3, 4, 8}) {
        Buffer<int> out(grid * block);
        run(ring, grid, block, n, 0, out.p, rounds);
        std::vector<int> got = out.get();
        bool good = true;
        for (int b = 0; b < grid; b++)
            for (int t = 0; t < block; t++) {
                int first = b / n * n, from = first + ((b - first - rounds) % n + n) % n;
                good &= got[b * block + t] == from * block + t + rounds;
            }
        EXPECT(good);
    }
}

// Work between arrival and wait; only what was written before the arrival is read after the wait.
__global__ void split(int *out, int rounds)
{
    __shared__ int mine[64];
    cg::cluster_group c = cg::this_cluster();
    unsigned r = c.block_rank(), n = c.num_blocks(), t = threadIdx.x;
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
        mine[t] = (int)(r * 100 + t) + i;
        cg::cluster_group::arrival_token token = c.barrier_arrive();
        int extra = 0;
        for (unsigned k = 0; k <= t % 5; k++)
            extra += (int)k;
        __syncthreads();
        int beside = mine[(t + 1) % 64];
        c.barrier_wait(static_cast<cg::cluster_group::arrival_token &&>(token));
        sum += beside + extra + c.map_shared_rank(mine, (int)((r + n - 1) % n))[63 - t];
        c.sync();
    }
    out[blockIdx.x * 64 + t] = sum;
}

static void test_split()
{
    const int grid = 8, rounds = 5;
    for (int n : {1, 4}) {
        Buffer<int> out(grid * 64);
        run(split, grid, 64, n, 0, out.p, rounds);
        std::vector<int> got = out.get();
        bool good = true;
        for (int b = 0; b < grid; b++)
            for (int t = 0; t < 64; t++) {
                int r = b % n, want = 0;
                for (int i = 0; i < rounds; i++)
                    want += r * 100 + (t + 1) % 64 + i + (t % 5) * (t % 5 + 1) / 2 + (r + n - 1) % n * 100 + 63 - t + i;
                good &= got[b * 64 + t] == want;
            }
        EXPECT(good);
    }
}

// The barrier in divided code: warps meet at it from different places (lanes of one warp must not, on a GPU). Some threads,
// and one block, leave before.
__global__ void divided(int *out, int leavers)
{
    __shared__ int count[4];
    cg::cluster_group c = cg::this_cluster();
    unsigned r = c.block_rank(), n = c.num_blocks(), t = threadIdx.x;
    if (t < 4)
        count[t] = 0;
    c.sync();
    if (r == 1 && n > 2 && leavers)
        return;
    if ((int)t % 7 < leavers)
        return;
    unsigned to = n > 2 && leavers ? (r ^ 2) & 2 : (r + 1) % n;
    if (t & 32) {
        atomicAdd(c.map_shared_rank(&count[0], to), 1);
        asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory");
        atomicAdd(c.map_shared_rank(&count[1], to), count[0]);
    } else {
        atomicAdd(c.map_shared_rank(&count[2], to), 2);
        asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
        atomicAdd(&count[3], 1);
        asm volatile("barrier.cluster.wait;" ::: "memory");
    }
    asm volatile("barrier.cluster.arrive;\n\tbarrier.cluster.wait;" ::: "memory");
    if (t == 13 || t == 12)
        for (int i = 0; i < 4; i++)
            out[(blockIdx.x * 2 + t % 2) * 4 + i] = count[i];
    asm volatile("barrier.cluster.arrive;\n\tbarrier.cluster.wait;" ::: "memory");
}

static void test_divided()
{
    for (int n : {1, 2, 4})
        for (int leavers : {0, 2}) {
            Buffer<int> out(4 * 2 * 4);
            run(divided, 4, 70, n, 0, out.p, leavers);
            std::vector<int> got = out.get();
            int odd = 0, even = 0;
            for (int t = 0; t < 70; t++) {
                odd += t % 7 >= leavers && t / 32 % 2;
                even += t % 7 >= leavers && t / 32 % 2 == 0;
            }
            for (int b = 0; b < 4; b++) {
                if (n > 2 && leavers && (b == 1 || b == 3))
                    continue;                                   // block 1 has left; nobody adds to block 3
                int times = n > 2 && leavers && b == 0 ? 2 : 1; // 2 and 3 add to 0, 0 adds to 2
                int rest = times * odd;
                for (int k = 0; k < 2; k++) {
                    const int *g = &got[(b * 2 + k) * 4];
                    EXPECT(g[0] == rest);
                    EXPECT(g[2] == times * 2 * even);
                    EXPECT(g[3] == even);
                    if (!(n > 2 && leavers))
                        EXPECT(g[1] == odd * odd);
                }
            }
        }
}

// Shuffles and block barriers between the cluster's.
__global__ void reduce(const int *in, int *out)
{
    __shared__ int part[8], total;
    cg::cluster_group c = cg::this_cluster();
    int t = (int)threadIdx.x, x = in[c.thread_rank() + blockIdx.x / c.num_blocks() * c.num_threads()];
    for (int d = 16; d; d /= 2)
        x += __shfl_down_sync(0xffffffffu, x, d);
    if (t % 32 == 0)
        part[t / 32] = x;
    if (t == 0)
        total = 0;
    c.sync();
    if (t == 0) {
        int s = 0;
        for (int i = 0; i < (int)blockDim.x / 32; i++)
            s += part[i];
        atomicAdd(c.map_shared_rank(&total, 0), s);
    }
    c.sync();
    if (t == 0)
        out[blockIdx.x] = *c.map_shared_rank(&total, 0);
    c.sync();
}

static void test_reduce()
{
    std::vector<int> v(16 * 256);
    unsigned seed = 1;
    for (int &x : v)
        x = (int)(random_next(seed) % 1000);
    Buffer<int> in(v);
    for (int n : {1, 2, 8}) {
        Buffer<int> out(16);
        run(reduce, 16, 256, n, 0, (const int *)in.p, out.p);
        std::vector<int> got = out.get();
        for (int b = 0; b < 16; b++) {
            int want = 0;
            for (int i = b / n * n * 256; i < (b / n + 1) * n * 256; i++)
                want += v[i];
            EXPECT(got[b] == want);
        }
    }
}

// guide: cluster blocks are co-scheduled on one GPC
// A block waits in a loop for a flag that another block of the cluster sets in its shared memory, without a barrier.
__global__ void flags(int *out)
{
    __shared__ volatile int flag;
    __shared__ int data[32];
    cg::cluster_group c = cg::this_cluster();
    unsigned r = c.block_rank(), n = c.num_blocks(), t = threadIdx.x;
    if (t == 0)
        flag = 0;
    c.sync();
    if (r == 0) {
        data[t] = (int)t * 3;
    } else {
        if (t == 0)
            while (!flag)
                ;
        __syncthreads();
    }
    if (r + 1 < n) {
        c.map_shared_rank(data, (int)r + 1)[t] = data[t] + 1;
        __threadfence();
        __syncthreads();
        if (t == 0)
            *(volatile int *)c.map_shared_rank((int *)&flag, (int)r + 1) = 1;
    }
    out[blockIdx.x * 32 + t] = data[t];
    c.sync();
}

static void test_flags()
{
    Buffer<int> out(32 * 16);
    run(flags, 16, 32, 8, 0, out.p);
    std::vector<int> got = out.get();
    bool good = true;
    for (int b = 0; b < 16; b++)
        for (int t = 0; t < 32; t++)
            good &= got[b * 32 + t] == t * 3 + b % 8;
    EXPECT(good);
}

int main()
{
    test_ring();
    test_split();
    test_divided();
    test_reduce();
    test_flags();
    return DONE();
}
