// SPDX-License-Identifier: Apache-2.0
// A histogram in three ways: atomics on global memory, on a copy of the bins in each block's shared memory, and with equal neighbours of a warp
// counted together first. All must give what the host counts.
#include "../check.h"
#include <vector>

constexpr int BINS = 64, N = 1 << 20, BLOCKS = 64, THREADS = 256;

__global__ void global_atomics(const unsigned char *data, int *bins)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[data[i]], 1);
}
__global__ void shared_atomics(const unsigned char *data, int *bins)
{
    __shared__ int mine[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        mine[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[data[i]], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        atomicAdd(&bins[b], mine[b]);
}
__global__ void matched(const unsigned char *data, int *bins)
{
    __shared__ int mine[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        mine[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) {
        unsigned same = __match_any_sync(~0u, data[i]); // the lanes that have this value
        if ((int)threadIdx.x % 32 == __ffs(same) - 1)
            atomicAdd(&mine[data[i]], __popc(same));
    }
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        atomicAdd(&bins[b], mine[b]);
}

int main()
{
    unsigned char *data;
    int *bins;
    CHECK(cudaMallocManaged(&data, N));
    CHECK(cudaMallocManaged(&bins, BINS * sizeof *bins));
    std::vector<int> want(BINS);
    unsigned state = 1;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        data[i] = (unsigned char)((state >> 27) + (state >> 22 & 31)); // two dice: a triangle
        want[data[i]]++;
    }
    const struct {
        const char *name;
        void (*kernel)(const unsigned char *, int *);
    } ways[] = {{"global atomics", global_atomics}, {"shared atomics", shared_atomics}, {"match_any", matched}};
    bool right = true;
    for (auto &w : ways) {
        CHECK(cudaMemset(bins, 0, BINS * sizeof *bins));
        w.kernel<<<BLOCKS, THREADS>>>(data, bins);
        CHECK(cudaDeviceSynchronize());
        int wrong = 0;
        for (int b = 0; b < BINS; b++)
            wrong += bins[b] != want[b];
        printf("%-15s %d of %d bins wrong\n", w.name, wrong, BINS);
        right = right && !wrong;
    }
    for (int b = 0; b < BINS - 1; b += 6)
        printf("%2d %.*s\n", b, want[b] / 600, "############################################################");
    return verdict(right);
}
