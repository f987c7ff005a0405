// SPDX-License-Identifier: Apache-2.0
// Cooperative groups: blocks, tiles of every size, coalesced threads, and their collectives.
#include "check.h"
// As libcu++ declares groups that it knows, before their header.
namespace cooperative_groups
{
namespace __v1
{
class thread_block;
template <unsigned int Size, typename Parent> class thread_block_tile;
} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups
template <class Group> constexpr bool is_known_block = false;
template <> constexpr bool is_known_block<cooperative_groups::thread_block> = true;
template <class Group> constexpr bool is_known_warp = false;
template <class Parent> constexpr bool is_known_warp<cooperative_groups::thread_block_tile<32, Parent>> = true;
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

template <class Group> __device__ int tile_sum(Group g, int v)
{
    for (int d = g.size() / 2; d > 0; d /= 2)
        v += g.shfl_down(v, d);
    return g.shfl(v, 0);
}

__global__ void tiles(int *out)
{
    cg::thread_block b = cg::this_thread_block();
    int t = b.thread_rank();
    auto t32 = cg::tiled_partition<32>(b);
    auto t16 = cg::tiled_partition<16>(b);
    auto t4 = cg::tiled_partition<4>(b);
    out[t] = tile_sum(t32, t);
    out[128 + t] = tile_sum(t16, t);
    out[256 + t] = tile_sum(t4, t);
    out[384 + t] = t4.thread_rank() * 100 + t4.size();
    out[512 + t] = t16.any(t == 20) * 2 + t16.all(t >= 16);
    out[640 + t] = t32.ballot(t & 1);
    b.sync();
}

static_assert(is_known_block<decltype(cg::this_thread_block())>, "the class that was declared before");
static_assert(is_known_warp<decltype(cg::tiled_partition<32>(cg::this_thread_block()))>, "the template that was");

__global__ void coalesced(int *counter, int *out)
{
    int t = threadIdx.x;
    if (t % 3 == 0) {
        cg::coalesced_group g = cg::coalesced_threads();
        int base = 0;
        if (g.thread_rank() == 0)
            base = atomicAdd(counter, g.size());
        base = g.shfl(base, 0);
        out[base + g.thread_rank()] = t;
    }
}

int main()
{
    Buffer<int> d(768), counter(1), kept(64);
    tiles<<<1, 128>>>(d);
    coalesced<<<1, 128>>>(counter, kept);
    LAUNCHED();
    std::vector<int> o = d.get();
    bool right = true;
    for (int t = 0; t < 128; t++) {
        int w = t & ~31, h = t & ~15, q = t & ~3;
        right &= o[t] == 32 * w + 496;
        right &= o[128 + t] == 16 * h + 120;
        right &= o[256 + t] == 4 * q + 6;
        right &= o[384 + t] == (t & 3) * 100 + 4;
        right &= o[512 + t] == (h == 16 ? 2 : 0) + (t >= 16 ? 1 : 0);
        right &= (unsigned)o[640 + t] == 0xaaaaaaaau;
    }
    EXPECT(right);
    EXPECT(counter.get()[0] == 43);
    std::vector<int> k = kept.get();
    int seen[128] = {};
    for (int i = 0; i < 43; i++)
        seen[k[i]]++;
    right = true;
    for (int t = 0; t < 128; t++)
        right &= seen[t] == (t % 3 == 0);
    EXPECT(right);
    return DONE();
}
