// SPDX-License-Identifier: Apache-2.0
// Cooperative groups: reductions and scans over tiles of every size, over coalesced, labelled and binary groups, and
// into atomic objects. nvcc: -std=c++17 -arch=sm_90
#include "check.h"
#include <algorithm>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
namespace cg = cooperative_groups;

struct Wide {
    long long sum, product;
    int count;
};
struct Join {
    __device__ Wide operator()(const Wide &a, const Wide &b) const
    {
        return {a.sum + b.sum, a.product ^ b.product, a.count + b.count};
    }
};

enum { T = 256, ROWS = 12 };

template <unsigned int Size> __device__ void tile(cg::thread_block &b, const int *in, int *out)
{
    auto g = cg::tiled_partition<Size>(b);
    int t = b.thread_rank(), v = in[t];
    out[0 * T + t] = cg::reduce(g, v, cg::plus<int>());
    out[1 * T + t] = cg::reduce(g, v, cg::less<int>());
    out[2 * T + t] = cg::reduce(g, v, cg::greater<int>());
    out[3 * T + t] = cg::reduce(g, v, cg::bit_and<int>());
    out[4 * T + t] = cg::reduce(g, v, cg::bit_or<int>());
    out[5 * T + t] = cg::reduce(g, v, cg::bit_xor<int>());
    out[6 * T + t] = cg::inclusive_scan(g, v);
    out[7 * T + t] = cg::exclusive_scan(g, v, cg::plus<int>());
    out[8 * T + t] = cg::inclusive_scan(g, v, cg::greater<int>());
    if constexpr (Size <= 32) { // larger tiles exchange at most 8 bytes
        Wide w = cg::reduce(g, Wide{v, 1ll << (v & 31), 1}, Join());
        out[9 * T + t] = (int)(w.sum + w.product) + w.count;
    }
    out[10 * T + t] = (int)(cg::reduce(g, (double)v, cg::plus<double>()) * 2);
    out[11 * T + t] = (int)g.meta_group_rank() * 1000 + (int)g.thread_rank();
}
template <unsigned int Size> __global__ void tiles(const int *in, int *out)
{
    __shared__ cg::block_tile_memory<T> memory;
    cg::thread_block b = cg::this_thread_block(memory);
    tile<Size>(b, in, out);
}

template <unsigned int Size> static void check_tiles(const std::vector<int> &in)
{
    Buffer<int> a(in), d(ROWS * T);
    tiles<Size><<<1, T>>>(a, d);
    LAUNCHED();
    std::vector<int> o = d.get();
    int wrong[ROWS] = {};
    for (int first = 0; first < T; first += (int)Size) {
        int all[6] = {0, in[first], in[first], -1, 0, 0}, running = 0, top = in[first];
        Wide w = {};
        for (int t = first; t < first + (int)Size; t++) {
            all[0] += in[t];
            all[1] = std::min(all[1], in[t]);
            all[2] = std::max(all[2], in[t]);
            all[3] &= in[t];
            all[4] |= in[t];
            all[5] ^= in[t];
            w = {w.sum + in[t], w.product ^ 1ll << (in[t] & 31), w.count + 1};
        }
        for (int t = first; t < first + (int)Size; t++) {
            for (int k = 0; k < 6; k++)
                wrong[k] += o[k * T + t] != all[k];
            wrong[7] += o[7 * T + t] != running;
            running += in[t];
            top = std::max(top, in[t]);
            wrong[6] += o[6 * T + t] != running;
            wrong[8] += o[8 * T + t] != top;
            wrong[9] += Size <= 32 && o[9 * T + t] != (int)(w.sum + w.product) + w.count;
            wrong[10] += o[10 * T + t] != 2 * all[0];
            wrong[11] += o[11 * T + t] != first / (int)Size * 1000 + t - first;
        }
    }
    for (int k = 0; k < ROWS; k++) {
        if (wrong[k])
            std::fprintf(stderr, "size %u, row %d: %d wrong\n", Size, k, wrong[k]);
        EXPECT(wrong[k] == 0);
    }
}

__global__ void groups(const int *in, int *out, int *counter)
{
    int t = threadIdx.x, v = in[t];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    if (t % 3 != 1) {
        cg::coalesced_group g = cg::coalesced_threads();
        out[t] = cg::reduce(g, v, cg::plus<int>());
        out[T + t] = cg::exclusive_scan(g, v);
    }
    warp.sync();
    auto label = cg::labeled_partition(warp, t % 5);
    out[2 * T + t] = cg::reduce(label, v, cg::greater<int>()) * 100 + label.size();
    auto half = cg::binary_partition(warp, t % 7 < 3);
    out[3 * T + t] = cg::reduce(half, 1, cg::plus<int>()) * 100 + half.thread_rank();
    cg::invoke_one(warp, [&] { atomicAdd(counter, 1); });
    out[4 * T + t] = cg::invoke_one_broadcast(warp, [&] { return v; });
}

__global__ void into_atomics(const int *in, cuda::atomic<int, cuda::thread_scope_device> *a, int *out)
{
    auto g = cg::tiled_partition<32>(cg::this_thread_block());
    int t = blockIdx.x * blockDim.x + threadIdx.x, v = in[t];
    cg::reduce_update_async(g, a[0], v, cg::plus<int>());
    cg::reduce_update_async(g, a[1], v, cg::greater<int>());
    cg::reduce_update_async(g, a[2], v, cg::bit_or<int>());
    if (t < 32)
        cg::reduce_store_async(g, a[3], v, cg::less<int>());
    // Every thread gets places of its own among 2 * T * 3.
    out[t] = cg::exclusive_scan_update(g, a[4], 3, cg::plus<int>());
    out[T + t] = cg::inclusive_scan_update(g, a[5], 1);
}

int main()
{
    std::vector<int> in(T);
    unsigned seed = 5;
    for (int &x : in)
        x = (int)(random_next(seed) % 100000) - 20000;
    check_tiles<1>(in);
    check_tiles<2>(in);
    check_tiles<8>(in);
    check_tiles<32>(in);
    check_tiles<64>(in);
    check_tiles<256>(in);

    Buffer<int> a(in), d(5 * T), counter(1);
    groups<<<1, T>>>(a, d, counter);
    LAUNCHED();
    std::vector<int> o = d.get();
    bool right = counter.get()[0] == T / 32;
    for (int t = 0; t < T; t++) {
        int sum = 0, before = 0, most = INT32_MIN, labels = 0, same = 0, rank = 0;
        for (int u = t & ~31; u < (t & ~31) + 32; u++) {
            if (u % 3 != 1) {
                sum += in[u];
                before += u < t ? in[u] : 0;
            }
            if (u % 5 == t % 5) {
                most = std::max(most, in[u]);
                labels++;
            }
            if ((u % 7 < 3) == (t % 7 < 3)) {
                same++;
                rank += u < t;
            }
        }
        right &= t % 3 == 1 || (o[t] == sum && o[T + t] == before);
        right &= o[2 * T + t] == most * 100 + labels && o[3 * T + t] == same * 100 + rank;
        right &= o[4 * T + t] == in[t & ~31];
    }
    EXPECT(right);

    Buffer<int> cells(6), places(2 * T);
    into_atomics<<<2, T / 2>>>(a, (cuda::atomic<int, cuda::thread_scope_device> *)cells.p, places);
    LAUNCHED();
    o = cells.get();
    int sum = 0, most = 0, bits = 0, least = in[0];
    for (int t = 0; t < T; t++) {
        sum += in[t];
        most = std::max(most, in[t]);
        bits |= in[t];
        least = t < 32 ? std::min(least, in[t]) : least;
    }
    EXPECT(o[0] == sum && o[1] == most && o[2] == bits && o[3] == least && o[4] == 3 * T && o[5] == T);
    std::vector<int> p = places.get();
    std::vector<bool> used(T), last(T + 1);
    right = true;
    for (int t = 0; t < T; t++) {
        right &= p[t] % 3 == 0 && !used[p[t] / 3] && !last[p[T + t]];
        used[p[t] / 3] = last[p[T + t]] = true;
    }
    EXPECT(right);
    return DONE();
}
