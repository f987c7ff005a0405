// SPDX-License-Identifier: Apache-2.0
// Which cluster sizes can be launched, and what is told of a kernel's clusters.
// nvcc: -arch=sm_90
// widths: 8
#include "check.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void plain(int *out)
{
    if (out)
        *out = 1;
}
__global__ void __cluster_dims__(2, 1, 1) two(int *out)
{
    if (out)
        *out = (int)cg::this_cluster().num_blocks();
}
__global__ void __cluster_dims__(2, 2) four(int *out)
{
    if (out)
        *out = (int)cg::this_cluster().num_blocks();
}
__global__ void meets(int *out)
{
    cg::this_cluster().sync();
    if (out)
        *out = (int)cg::this_cluster().num_blocks();
}

typedef void kernel(int *);

static cudaError_t finish(cudaError_t e)
{
    cudaError_t s = cudaDeviceSynchronize();
    cudaGetLastError();
    return e ? e : s;
}
// A launch in clusters.
struct Clustered {
    cudaLaunchAttribute size;
    cudaLaunchConfig_t config = {};
    Clustered(dim3 grid, int threads, int x, int y, int z)
    {
        size.id = cudaLaunchAttributeClusterDimension;
        size.val.clusterDim.x = x;
        size.val.clusterDim.y = y;
        size.val.clusterDim.z = z;
        config.gridDim = grid;
        config.blockDim = threads;
        config.attrs = &size;
        config.numAttrs = 1;
    }
};
static cudaError_t with(kernel *k, dim3 grid, int x, int y = 1, int z = 1)
{
    Clustered c(grid, 32, x, y, z);
    return finish(cudaLaunchKernelEx(&c.config, k, (int *)nullptr));
}
static cudaError_t without(kernel *k, dim3 grid)
{
    k<<<grid, 32>>>(nullptr);
    return finish(cudaGetLastError());
}

static cudaError_t occupancy(kernel *k, int grid, int x, int *potential, int *active)
{
    Clustered c(grid, 128, x, 1, 1);
    c.config.numAttrs = x != 0;
    *potential = *active = -1;
    // guide: cudaOccupancyMaxPotentialClusterSize
    cudaError_t e = cudaOccupancyMaxPotentialClusterSize(potential, k, &c.config);
    cudaError_t f = cudaOccupancyMaxActiveClusters(active, k, &c.config);
    cudaGetLastError();
    return e == f ? e : cudaErrorUnknown;
}

static void told(kernel *k, int must, int x, int y, int z, int beyond)
{
    cudaFuncAttributes f;
    OK(cudaFuncGetAttributes(&f, k));
    EXPECT(f.clusterDimMustBeSet == must);
    EXPECT(f.requiredClusterWidth == x && f.requiredClusterHeight == y && f.requiredClusterDepth == z);
    EXPECT(f.nonPortableClusterSizeAllowed == beyond);
}

int main()
{
    const cudaError_t bad = cudaErrorInvalidClusterSize;
    int value = 0, potential, active;
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrClusterLaunch, 0));
    EXPECT(value == 1);
    told(plain, 0, 0, 0, 0, 0);
    told(two, 1, 2, 1, 1, 0);
    told(four, 1, 2, 2, 1, 0);

    // guide: grid is counted in blocks, must be a multiple of the cluster size | portable cluster size 8
    EXPECT(with(plain, 8, 2) == cudaSuccess);
    EXPECT(with(plain, 7, 2) == bad);
    EXPECT(with(plain, 8, 8) == cudaSuccess);
    EXPECT(with(plain, 16, 16) == bad);
    EXPECT(with(plain, 64, 32) == bad);
    EXPECT(with(plain, 8, 0) == bad);
    EXPECT(with(plain, 8, 2, 0) == bad);
    EXPECT(with(plain, 8, 2, 2) == bad);
    EXPECT(with(plain, dim3(8, 2), 2, 2) == cudaSuccess);
    EXPECT(with(plain, dim3(8, 2, 3), 2, 1, 3) == cudaSuccess);
    EXPECT(with(plain, 27, 3) == cudaSuccess);
    EXPECT(with(plain, 36, 9) == bad);
    EXPECT(with(meets, 8, 8) == cudaSuccess);
    EXPECT(without(meets, 3) == cudaSuccess);

    // guide: compile-time cluster size cannot be changed at launch
    EXPECT(with(two, 8, 2) == cudaSuccess);
    EXPECT(with(two, 8, 4) == bad);
    EXPECT(with(two, 8, 1) == bad);
    EXPECT(without(two, 8) == cudaSuccess);
    EXPECT(without(two, 7) == bad);
    EXPECT(without(four, 8) == bad);
    EXPECT(without(four, dim3(4, 4)) == cudaSuccess);
    EXPECT(cudaFuncSetAttribute(two, cudaFuncAttributeRequiredClusterWidth, 4) == cudaErrorInvalidValue);
    cudaGetLastError();

    // A size by attributes of the kernel.
    EXPECT(cudaFuncSetAttribute(plain, cudaFuncAttributeRequiredClusterWidth, -1) == cudaErrorInvalidValue);
    EXPECT(cudaFuncSetAttribute(plain, cudaFuncAttributeClusterDimMustBeSet, 1) == cudaErrorInvalidValue);
    cudaGetLastError();
    OK(cudaFuncSetAttribute(plain, cudaFuncAttributeRequiredClusterWidth, 4));
    EXPECT(with(plain, 8, 2) == bad);
    EXPECT(with(plain, 8, 4) == cudaSuccess);
    EXPECT(without(plain, 8) == bad); // two of the three are still missing
    OK(cudaFuncSetAttribute(plain, cudaFuncAttributeRequiredClusterHeight, 1));
    OK(cudaFuncSetAttribute(plain, cudaFuncAttributeRequiredClusterDepth, 1));
    told(plain, 0, 4, 1, 1, 0);
    EXPECT(with(plain, 8, 2) == bad);
    EXPECT(without(plain, 8) == cudaSuccess);
    EXPECT(without(plain, 6) == bad);

    EXPECT(occupancy(meets, 8, 0, &potential, &active) == cudaSuccess && potential == 8 && active == 0);
    EXPECT(occupancy(meets, 8, 2, &potential, &active) == cudaSuccess && potential == 8 && active > 0);
    EXPECT(occupancy(meets, 16, 16, &potential, &active) == bad);
    EXPECT(occupancy(two, 4, 2, &potential, &active) == cudaSuccess && potential == 8 && active > 0);
    EXPECT(occupancy(two, 4, 4, &potential, &active) == bad);

    // Beyond the portable size, where the program allows it.
    EXPECT(with(meets, 16, 16) == bad);
    OK(cudaFuncSetAttribute(meets, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    told(meets, 0, 0, 0, 0, 1);
    EXPECT(with(meets, 16, 16) == cudaSuccess);
    EXPECT(with(meets, 32, 32) == bad);
    EXPECT(with(meets, 34, 17) == bad);
    EXPECT(occupancy(meets, 16, 0, &potential, &active) == cudaSuccess && potential == 16);
    EXPECT(occupancy(meets, 16, 16, &potential, &active) == cudaSuccess && potential == 16 && active > 0);
    EXPECT(occupancy(meets, 32, 32, &potential, &active) == cudaSuccess && potential == 16 && active == 0);
    EXPECT(cudaFuncSetAttribute(meets, cudaFuncAttributeClusterSchedulingPolicyPreference, 2) == cudaSuccess);
    EXPECT(cudaFuncSetAttribute(meets, cudaFuncAttributeClusterSchedulingPolicyPreference, 3) == cudaErrorInvalidValue);
    cudaGetLastError();
    return DONE();
}
