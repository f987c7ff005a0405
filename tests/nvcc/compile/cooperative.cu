// SPDX-License-Identifier: Apache-2.0
// Cooperative groups: blocks, tiles, coalesced lanes, the grid, and functions over them.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
using namespace cooperative_groups;
__device__ int sum(thread_group g, int *x, int v)
{
    int lane = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        x[lane] = v;
        g.sync();
        if (lane < i)
            v += x[lane + i];
        g.sync();
    }
    return v;
}
__global__ void k(int *p, float *f, double *d)
{
    auto b = cg::this_thread_block();
    cg::thread_block bb = cg::this_thread_block();
    auto t = cg::tiled_partition<32>(b);
    cg::thread_block_tile<16> t16 = cg::tiled_partition<16>(b);
    auto t4 = cg::tiled_partition<4>(t);
    cg::thread_block_tile<4> t4v = t4;
    p[t.thread_rank()] = cg::reduce(t, p[3], cg::plus<int>()) + t16.shfl_down(p[4], 2) + t4.meta_group_rank();
    f[0] = cg::reduce(t16, f[1], cg::greater<float>());
    d[0] = t.shfl_xor(d[1], 4) + cg::inclusive_scan(t, d[3]);
    cg::coalesced_group c = cg::coalesced_threads();
    p[1] = c.ballot(p[2]) + c.thread_rank() + c.shfl(p[3], 0) + cg::reduce(c, p[9], cg::plus<int>());
    __shared__ int s[64];
    p[8] = sum(b, s, p[7]);
    thread_group tg = tiled_partition(b, 32);
    p[6] = sum(tg, s, 3);
    cg::grid_group g = cg::this_grid();
    g.sync();
    cg::sync(b);
    sync(tg);
    p[2] = g.thread_rank() + b.group_index().x + group_size(g);
    cg::memcpy_async(b, s, p, sizeof s);
    cg::wait(b);
    p[5] = cg::reduce(b, p[5], cg::plus<int>());
    p[3] = s[4] + t.match_any(p[9]);
    auto lp = cg::labeled_partition(c, p[3]);
    auto bp = cg::binary_partition(t, p[3] > 0);
    p[4] = lp.size() + bp.num_threads();
}
int main()
{
    return 0;
}
