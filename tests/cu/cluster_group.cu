// SPDX-License-Identifier: Apache-2.0
// The cluster as a group: sizes, ranks and indices in 1, 2 and 3 dimensions, by __cluster_dims__ and at launch; other blocks'
// shared memory, read, written and counted in.
// nvcc: -arch=sm_90
#include "check.h"
#include <algorithm>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

struct Place {
    unsigned threads, blocks, thread, block, dimb[3], dimt[3], bi[3], ti[3], clusters, cluster, ci[3], dimc[3], given;
};

__device__ void describe(Place *out)
{
    cg::cluster_group c = cg::this_cluster();
    cg::grid_group g = cg::this_grid();
    Place p;
    p.threads = c.num_threads();
    p.blocks = c.num_blocks();
    p.thread = c.thread_rank();
    p.block = c.block_rank();
    dim3 d[] = {c.dim_blocks(),   c.dim_threads(),   c.block_index(),
                c.thread_index(), g.cluster_index(), g.dim_clusters()};
    unsigned *to[] = {p.dimb, p.dimt, p.bi, p.ti, p.ci, p.dimc};
    for (int i = 0; i < 6; i++) {
        to[i][0] = d[i].x;
        to[i][1] = d[i].y;
        to[i][2] = d[i].z;
    }
    p.clusters = (unsigned)g.num_clusters();
    p.cluster = (unsigned)g.cluster_rank();
    p.given = __clusterDimIsSpecified();
    cg::thread_group any = c;
    if (any.size() != p.threads || any.thread_rank() != p.thread || cg::group_size(c) != p.threads ||
        c.size() != p.threads)
        p.threads = 0;
    any.sync();
    cg::sync(c);
    out[g.thread_rank()] = p;
}
__global__ void at_launch(Place *out)
{
    describe(out);
}
__global__ void __cluster_dims__(2, 2, 2) compiled(Place *out) // guide: __cluster_dims__(X,Y,Z) | 1D/2D/3D clusters
{
    describe(out);
}
__global__ void __cluster_dims__(4) line(Place *out)
{
    describe(out);
}

template <int N> __global__ void __launch_bounds__(64) __cluster_dims__(1, N * 2) templated(Place *out)
{
    describe(out);
}

static bool same(const unsigned *a, unsigned x, unsigned y, unsigned z)
{
    return a[0] == x && a[1] == y && a[2] == z;
}

// guide: cluster num_threads() | cluster num_blocks() | cluster dim_threads() | cluster dim_blocks()
// guide: cluster thread_rank() / block_rank() | cluster.block_rank() | cluster.dim_blocks() | cg::this_cluster()
static bool right(const std::vector<Place> &got, dim3 g, dim3 b, dim3 c, bool given)
{
    bool good = true;
    unsigned n = b.x * b.y * b.z, size = c.x * c.y * c.z;
    for (unsigned i = 0; i < got.size(); i++) {
        const Place &p = got[i];
        unsigned t = i % n, block = i / n, bx = block % g.x, by = block / g.x % g.y, bz = block / g.x / g.y;
        unsigned tx = t % b.x, ty = t / b.x % b.y, tz = t / b.x / b.y;
        unsigned rank = bx % c.x + c.x * (by % c.y + c.y * (bz % c.z));
        unsigned ngx = g.x / c.x, ngy = g.y / c.y, ngz = g.z / c.z;
        good &= p.threads == n * size && p.blocks == size && p.block == rank && p.thread == rank * n + t;
        good &= same(p.dimb, c.x, c.y, c.z) && same(p.dimt, c.x * b.x, c.y * b.y, c.z * b.z);
        good &= same(p.bi, bx % c.x, by % c.y, bz % c.z);
        good &= same(p.ti, bx % c.x * b.x + tx, by % c.y * b.y + ty, bz % c.z * b.z + tz);
        good &=
            p.clusters == ngx * ngy * ngz && same(p.ci, bx / c.x, by / c.y, bz / c.z) && same(p.dimc, ngx, ngy, ngz);
        good &= p.cluster == bx / c.x + ngx * (by / c.y + ngy * (bz / c.z));
        good &= p.given == (unsigned)given;
    }
    return good;
}

static void launch(void (*kernel)(Place *), dim3 grid, dim3 block, dim3 cluster, bool attribute)
{
    Buffer<Place> out((size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z);
    if (attribute) {
        cudaLaunchConfig_t config = {}; // guide: cudaLaunchConfig_t | run-time cluster size with cudaLaunchKernelEx
        config.gridDim = grid;
        config.blockDim = block;
        cudaLaunchAttribute a[1]; // guide: cudaLaunchAttributeClusterDimension
        a[0].id = cudaLaunchAttributeClusterDimension;
        a[0].val.clusterDim.x = cluster.x;
        a[0].val.clusterDim.y = cluster.y;
        a[0].val.clusterDim.z = cluster.z;
        config.attrs = a;
        config.numAttrs = 1;
        OK(cudaLaunchKernelEx(&config, kernel, out.p)); // guide: cudaLaunchKernelEx with arguments
    } else {
        kernel<<<grid, block>>>(out.p); // guide: compile-time cluster launched with <<<>>>
    }
    LAUNCHED();
    EXPECT(right(out.get(), grid, block, cluster, attribute || cluster.x * cluster.y > 1));
}

// Everything that an address of another block's shared memory can be used for. Block r of n, thread t.
__global__ void reach(int *out)
{
    __shared__ int words[64], sum, most;
    __shared__ unsigned long long wide;
    __shared__ double real;
    cg::cluster_group c = cg::this_cluster();
    int r = (int)c.block_rank(), n = (int)c.num_blocks(), t = (int)threadIdx.x;
    words[t] = r * 1000 + t;
    if (t == 0) {
        sum = most = 0;
        wide = 0;
        real = 0;
    }
    c.sync();
    int read = 0;
    for (int k = 0; k < n; k++)
        read += c.map_shared_rank(words, k)[(t + k) % 64]; // guide: read of distributed shared memory
    int to = (t + r) % n;
    // guide: atomics on distributed shared memory | atomicAdd on distributed shared memory
    atomicAdd(c.map_shared_rank(&sum, to), t);
    atomicMax(c.map_shared_rank(&most, to), r * 64 + t);
    atomicAdd(c.map_shared_rank(&wide, 0), 1ull << 33);
    atomicAdd(c.map_shared_rank(&real, n - 1), 0.5);
    bool ranks = c.query_shared_rank(c.map_shared_rank(&words[t], to)) == (unsigned)to &&
                 c.query_shared_rank(words) == (unsigned)r;
    // a mapped address can be mapped again, and back
    int *there = c.map_shared_rank(&words[t], to);
    ranks = ranks && c.map_shared_rank(there, r) == &words[t] && c.map_shared_rank(&words[t], r) == &words[t];
    c.sync();
    c.map_shared_rank(words, (r + 1) % n)[63 - t] = read; // guide: write to distributed shared memory
    c.sync();
    int *o = out + (blockIdx.x * 64 + t) * 6;
    o[0] = words[t];
    o[1] = sum;
    o[2] = most;
    o[3] = (int)(*c.map_shared_rank(&wide, 0) >> 33);
    o[4] = (int)(*c.map_shared_rank(&real, n - 1) * 2);
    o[5] = ranks;
    c.sync();
}

static void test_reach()
{
    for (int n : {1, 2, 8}) {
        Buffer<int> out(8 * 64 * 6);
        cudaLaunchConfig_t config = {};
        config.gridDim = 8;
        config.blockDim = 64;
        cudaLaunchAttribute a[1];
        a[0].id = cudaLaunchAttributeClusterDimension;
        a[0].val.clusterDim.x = n;
        a[0].val.clusterDim.y = a[0].val.clusterDim.z = 1;
        config.attrs = a;
        config.numAttrs = 1;
        OK(cudaLaunchKernelEx(&config, reach, out.p));
        LAUNCHED();
        std::vector<int> got = out.get();
        bool good = true;
        for (int b = 0; b < 8; b++)
            for (int t = 0; t < 64; t++) {
                int r = b % n, read = 0, sum = 0, most = 0;
                for (int k = 0; k < n; k++)
                    read += k * 1000 + (63 - t + k) % 64;
                for (int q = 0; q < n; q++)
                    for (int k = 0; k < 64; k++)
                        if ((k + q) % n == r) {
                            sum += k;
                            most = std::max(most, q * 64 + k);
                        }
                const int *o = &got[(b * 64 + t) * 6];
                good &= o[0] == read && o[1] == sum && o[2] == most && o[3] == 64 * n && o[4] == 64 * n && o[5] == 1;
            }
        EXPECT(good);
    }
}

// A block reaches its own shared memory by the variable and by the address that its rank gives.
__global__ void __cluster_dims__(4) own(int *between, int *out)
{
    __shared__ int s[64];
    cg::cluster_group c = cg::this_cluster();
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = 3;
    int before = s[t], *self = c.map_shared_rank(s, c.block_rank());
    between[i] = before;
    self[t] = before + 4;
    between[i] += 1;
    int stored = s[t];
    atomicAdd(self + t, 1);
    between[i] += 1;
    out[i] = s[t] * 100 + stored * 10 + before;
    c.sync();
}

static void test_own()
{
    Buffer<int> between(512), out(512);
    own<<<8, 64>>>(between.p, out.p);
    LAUNCHED();
    std::vector<int> got = out.get();
    EXPECT(std::count(got.begin(), got.end(), 873) == 512);
}

int main()
{
    launch(at_launch, 12, 40, dim3(4), true);
    launch(at_launch, dim3(4, 6), dim3(8, 5), dim3(2, 3), true);
    launch(at_launch, dim3(2, 4, 6), dim3(4, 3, 2), dim3(1, 2, 3), true);
    launch(at_launch, 5, 33, dim3(1), true);
    launch(at_launch, 5, 33, dim3(1), false);
    launch(compiled, dim3(4, 2, 6), dim3(3, 5, 2), dim3(2, 2, 2), false);
    launch(compiled, dim3(4, 2, 6), dim3(3, 5, 2), dim3(2, 2, 2), true);
    launch(line, 8, 32, dim3(4), false);
    launch(templated<1>, dim3(2, 2), 32, dim3(1, 2), false);
    launch(templated<3>, dim3(2, 6), 32, dim3(1, 6), false);
    test_reach();
    test_own();
    return DONE();
}
