// SPDX-License-Identifier: Apache-2.0
// Clusters beside other ways to launch: cooperative grids, captured graphs, several streams at once; a large cluster with much
// shared memory; and a block that traps while the others of its cluster wait for it.
// nvcc: -arch=sm_90
#include "check.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

template <class... P, class... A>
static cudaError_t launch(cudaStream_t stream, void (*kernel)(P...), int grid, int block, int cluster, size_t shared,
                          bool cooperative, A... args)
{
    cudaLaunchConfig_t c = {};
    c.gridDim = grid;
    c.blockDim = block;
    c.dynamicSmemBytes = shared;
    c.stream = stream;
    cudaLaunchAttribute a[2];
    a[0].id = cudaLaunchAttributeClusterDimension;
    a[0].val.clusterDim.x = cluster;
    a[0].val.clusterDim.y = a[0].val.clusterDim.z = 1;
    a[1].id = cudaLaunchAttributeCooperative;
    a[1].val.cooperative = 1;
    c.attrs = a;
    c.numAttrs = cooperative ? 2 : 1;
    return cudaLaunchKernelEx(&c, kernel, P(args)...);
}

// Barriers of the grid and of the cluster in turns: the sum over the grid of what the cluster's neighbours have.
__global__ void both(int *sums, int *out, int rounds)
{
    __shared__ int mine;
    cg::cluster_group c = cg::this_cluster();
    cg::grid_group g = cg::this_grid();
    int r = (int)c.block_rank(), n = (int)c.num_blocks();
    for (int i = 0; i < rounds; i++) {
        if (threadIdx.x == 0)
            mine = (int)blockIdx.x + i;
        c.sync();
        if (threadIdx.x == 0)
            atomicAdd(&sums[i], *c.map_shared_rank(&mine, (r + 1) % n));
        g.sync();
        if (threadIdx.x == 0)
            out[i * gridDim.x + blockIdx.x] = sums[i];
        c.sync();
    }
}

static void test_cooperative()
{
    const int grid = 8, rounds = 4;
    for (int n : {1, 2, 4}) {
        Buffer<int> sums(rounds), out(grid * rounds);
        OK(launch(0, both, grid, 64, n, 0, true, sums.p, out.p, rounds));
        LAUNCHED();
        std::vector<int> got = out.get();
        bool good = true;
        for (int i = 0; i < rounds; i++)
            for (int b = 0; b < grid; b++)
                good &= got[i * grid + b] == grid * (grid - 1) / 2 + grid * i;
        EXPECT(good);
    }
}

__global__ void rotate(int *data)
{
    __shared__ int box[64];
    cg::cluster_group c = cg::this_cluster();
    int i = (int)(blockIdx.x * 64 + threadIdx.x), r = (int)c.block_rank(), n = (int)c.num_blocks();
    c.sync();
    c.map_shared_rank(box, (r + 1) % n)[threadIdx.x] = data[i];
    c.sync();
    data[i] = box[threadIdx.x];
}

static void test_graph()
{
    std::vector<int> v(8 * 64), want(8 * 64);
    for (int i = 0; i < 8 * 64; i++) {
        v[i] = i;
        want[i] = i / 256 * 256 + (i - i / 256 * 256 + 4 * 64 - 3 * 64) % 256;
    }
    Buffer<int> d(v);
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(launch(s, rotate, 8, 64, 4, 0, false, d.p));
    OK(cudaStreamEndCapture(s, &graph));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 3; i++)
        OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    EXPECT(d.get() == want);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(s));
}

static void test_streams()
{
    cudaStream_t s[3];
    std::vector<int> v(8 * 64);
    for (int i = 0; i < 8 * 64; i++)
        v[i] = i * 3;
    Buffer<int> a(v), b(v), c(v);
    int *p[3] = {a.p, b.p, c.p};
    for (int k = 0; k < 3; k++)
        OK(cudaStreamCreate(&s[k]));
    for (int i = 0; i < 8; i++) // as many turns as a cluster has blocks, or a multiple
        for (int k = 0; k < 3; k++)
            OK(launch(s[k], rotate, 8, 64, 2 << k, 0, false, p[k]));
    for (int k = 0; k < 3; k++) {
        OK(cudaStreamSynchronize(s[k]));
        OK(cudaStreamDestroy(s[k]));
    }
    EXPECT(a.get() == v && b.get() == v && c.get() == v);
}

// 8 blocks with 100 KB each: one array of 800 KB, summed by every block.
__global__ void wide(long long *out)
{
    extern __shared__ int part[];
    const int each = 25600;
    cg::cluster_group c = cg::this_cluster();
    int r = (int)c.block_rank(), n = (int)c.num_blocks();
    for (int i = (int)threadIdx.x; i < each; i += (int)blockDim.x)
        part[i] = r * each + i;
    c.sync();
    long long sum = 0;
    for (int k = 0; k < n; k++) {
        const int *other = c.map_shared_rank(part, (r + k) % n);
        for (int i = (int)threadIdx.x; i < each; i += (int)blockDim.x)
            sum += other[i];
    }
    atomicAdd((unsigned long long *)&out[blockIdx.x], (unsigned long long)sum);
    c.sync();
}

static void test_wide()
{
    Buffer<long long> out(8);
    OK(cudaFuncSetAttribute(wide, cudaFuncAttributeMaxDynamicSharedMemorySize, 25600 * 4));
    OK(launch(0, wide, 8, 256, 8, 25600 * 4, false, out.p));
    LAUNCHED();
    long long n = 8 * 25600;
    EXPECT(out.get() == std::vector<long long>(8, n * (n - 1) / 2));
}

__global__ void traps(int *out)
{
    cg::cluster_group c = cg::this_cluster();
    c.sync();
    if (blockIdx.x == 5 && threadIdx.x == 3)
        __trap();
    c.sync();
    out[blockIdx.x] = 1;
}

static void test_trap() // the last one: the context is lost
{
    int *out;
    OK(cudaMalloc(&out, 64));
    OK(launch(0, traps, 16, 32, 8, 0, false, out));
    EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
    EXPECT(launch(0, traps, 16, 32, 8, 0, false, out) == cudaErrorLaunchFailure);
}

int main()
{
    test_cooperative();
    test_graph();
    test_streams();
    test_wide();
    test_trap();
    return DONE();
}
