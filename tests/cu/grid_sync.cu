// SPDX-License-Identifier: Apache-2.0
// A cooperative launch: all blocks meet at a grid barrier, several times.
#include "check.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void relax(int *a, int *b, int n, int rounds)
{
    cg::grid_group grid = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 0; r < rounds; r++) {
        int *from = r & 1 ? b : a, *to = r & 1 ? a : b;
        to[i] = from[i] + from[(i + 1) % n];
        grid.sync();
    }
}

int main()
{
    const int blocks = 12, threads = 64, n = blocks * threads, rounds = 9;
    std::vector<int> v(n), w(n);
    for (int i = 0; i < n; i++)
        v[i] = i % 5;
    Buffer<int> a(v), b(n);
    int *pa = a, *pb = b, count = n, times = rounds;
    void *args[] = {&pa, &pb, &count, &times};
    OK(cudaLaunchCooperativeKernel((void *)relax, dim3(blocks), dim3(threads), args, 0, 0));
    LAUNCHED();
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < n; i++)
            w[i] = v[i] + v[(i + 1) % n];
        v = w;
    }
    EXPECT(b.get() == v);
    return DONE();
}
