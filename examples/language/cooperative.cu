// SPDX-License-Identifier: Apache-2.0
// Cooperative groups: one launch finds the shortest ways through a maze. Each round all blocks relax their cells, the whole grid synchronises, and a
// flag that any thread has raised says whether another round is due. Tiles of a warp reduce how many cells have changed.
#include "../check.h"
#include <algorithm>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <queue>
#include <vector>

namespace cg = cooperative_groups;
constexpr int W = 96, H = 64, FAR = 1 << 20;

__global__ void ways(const unsigned char *wall, int *distance, int *changed, int *rounds)
{
    cg::grid_group grid = cg::this_grid();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cg::this_thread_block());
    for (int round = 0;; round++) {
        int n = 0;
        for (int i = (int)grid.thread_rank(); i < W * H; i += (int)grid.size()) {
            int x = i % W, y = i / W, best = distance[i];
            if (wall[i])
                continue;
            if (x)
                best = min(best, distance[i - 1] + 1);
            if (x < W - 1)
                best = min(best, distance[i + 1] + 1);
            if (y)
                best = min(best, distance[i - W] + 1);
            if (y < H - 1)
                best = min(best, distance[i + W] + 1);
            if (best < distance[i])
                atomicMin(&distance[i], best), n++;
        }
        tile.sync();
        n = cg::reduce(tile, n, cg::plus<int>());
        if (!tile.thread_rank() && n)
            atomicAdd(&changed[round % 3], n);
        grid.sync();
        int again = changed[round % 3];
        if (!grid.thread_rank())
            changed[(round + 1) % 3] = 0, *rounds = round + 1;
        grid.sync();
        if (!again)
            return;
    }
}

static std::vector<int> by_queue(const unsigned char *wall)
{
    std::vector<int> d(W * H, FAR);
    std::queue<int> q;
    q.push(0);
    d[0] = 0;
    for (; !q.empty(); q.pop()) {
        int i = q.front(), x = i % W, y = i / W;
        const int next[4] = {x ? i - 1 : i, x < W - 1 ? i + 1 : i, y ? i - W : i, y < H - 1 ? i + W : i};
        for (int k : next)
            if (!wall[k] && d[k] == FAR)
                d[k] = d[i] + 1, q.push(k);
    }
    return d;
}

int main()
{
    unsigned char *wall;
    int *distance, *changed, *rounds;
    CHECK(cudaMallocManaged(&wall, W * H));
    CHECK(cudaMallocManaged(&distance, W * H * sizeof(int)));
    CHECK(cudaMallocManaged(&changed, 3 * sizeof(int)));
    CHECK(cudaMallocManaged(&rounds, sizeof(int)));
    for (int i = 0; i < W * H; i++) { // walls with a gap, above and below by turns
        int x = i % W, y = i / W;
        wall[i] = x % 8 == 4 && (x / 8 % 2 ? y > 3 : y < H - 3);
        distance[i] = i ? FAR : 0;
    }
    changed[0] = changed[1] = changed[2] = 0;
    int blocks = 0;
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, ways, 256, 0));
    blocks = std::min(blocks * p.multiProcessorCount, 8);
    void *arguments[] = {&wall, &distance, &changed, &rounds};
    CHECK(cudaLaunchCooperativeKernel((void *)ways, blocks, 256, arguments, 0, 0));
    CHECK(cudaDeviceSynchronize());
    std::vector<int> want = by_queue(wall);
    bool right = std::equal(want.begin(), want.end(), distance);
    printf("%d blocks, %d rounds, the way to the far corner has %d steps\n", blocks, *rounds, distance[W * H - 1]);
    return verdict(right);
}
