// SPDX-License-Identifier: Apache-2.0
// Bitonic sort: steps that reach beyond a block are a launch each, the others run in shared memory, all in one. The keys carry their places
// along, so that the result can be checked to be a permutation.
#include "../check.h"
#include <algorithm>
#include <vector>

constexpr unsigned N = 1 << 16, TILE = 1024;

struct item {
    unsigned key, from;
};
__device__ void order(item &a, item &b, bool up)
{
    if ((a.key > b.key) == up) {
        item t = a;
        a = b;
        b = t;
    }
}
// One step over the whole array: partners are `distance` apart, runs of `size` go up and down by turns.
__global__ void far_step(item *data, unsigned size, unsigned distance)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, low = (i / distance) * 2 * distance + i % distance;
    order(data[low], data[low + distance], !(low & size));
}
// All steps of sizes `first` to `last` with distances within a tile.
__global__ void near_steps(item *data, unsigned first, unsigned last)
{
    __shared__ item tile[TILE];
    unsigned t = threadIdx.x, base = blockIdx.x * TILE;
    tile[t] = data[base + t];
    tile[t + TILE / 2] = data[base + t + TILE / 2];
    for (unsigned size = first; size <= last; size *= 2)
        for (unsigned distance = min(size, TILE) / 2; distance; distance /= 2) {
            __syncthreads();
            unsigned low = (t / distance) * 2 * distance + t % distance;
            order(tile[low], tile[low + distance], !((base + low) & size));
        }
    __syncthreads();
    data[base + t] = tile[t];
    data[base + t + TILE / 2] = tile[t + TILE / 2];
}

int main()
{
    item *data;
    CHECK(cudaMallocManaged(&data, N * sizeof *data));
    std::vector<unsigned> keys(N);
    unsigned state = 1;
    for (unsigned i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        data[i] = {keys[i] = state >> 8, i};
    }
    near_steps<<<N / TILE, TILE / 2>>>(data, 2, TILE);
    int launches = 1;
    for (unsigned size = 2 * TILE; size <= N; size *= 2, launches++) {
        for (unsigned distance = size / 2; distance >= TILE; distance /= 2, launches++)
            far_step<<<N / 512, 256>>>(data, size, distance);
        near_steps<<<N / TILE, TILE / 2>>>(data, size, size);
    }
    CHECK(cudaDeviceSynchronize());

    std::vector<char> seen(N);
    bool right = true;
    for (unsigned i = 0; i < N; i++) {
        right = right && data[i].from < N && !seen[data[i].from] && keys[data[i].from] == data[i].key &&
                (!i || data[i - 1].key <= data[i].key);
        if (right)
            seen[data[i].from] = 1;
    }
    std::sort(keys.begin(), keys.end());
    for (unsigned i = 0; i < N; i++)
        right = right && keys[i] == data[i].key;
    printf("%u items in %d launches\n", N, launches);
    return verdict(right);
}
