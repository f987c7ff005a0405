// SPDX-License-Identifier: Apache-2.0
// NCCL in one process: a communicator over four devices, whose vectors are summed by an all-reduce, and a ring in which each device hands its data on
// to the next one until everybody has seen everything. HEDDLE_DEVICES=4 has four devices on any machine.
// Options: -lnccl
// Environment: HEDDLE_DEVICES=4
#include "../check.h"
#include <nccl.h>
#include <utility>
#include <vector>

constexpr int N = 50000;

__global__ void fill(float *x, int rank)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        x[i] = (float)((i + 1) % 100 * (rank + 1));
}
__global__ void add(float *sum, const float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        sum[i] += x[i];
}

struct rank {
    float *mine, *sum, *next, *ring;
    cudaStream_t stream;
};

int main()
{
    int n = 0;
    CHECK(cudaGetDeviceCount(&n));
    std::vector<ncclComm_t> comm(n);
    std::vector<rank> all(n);
    CHECK(ncclCommInitAll(comm.data(), n, nullptr));
    for (int r = 0; r < n; r++) {
        CHECK(cudaSetDevice(r));
        CHECK(cudaStreamCreate(&all[r].stream));
        for (float **p : {&all[r].mine, &all[r].sum, &all[r].next, &all[r].ring})
            CHECK(cudaMalloc(p, N * sizeof(float)));
        fill<<<(N + 255) / 256, 256, 0, all[r].stream>>>(all[r].mine, r);
        CHECK(cudaMemsetAsync(all[r].ring, 0, N * sizeof(float), all[r].stream));
    }
    CHECK(ncclGroupStart());
    for (int r = 0; r < n; r++)
        CHECK(ncclAllReduce(all[r].mine, all[r].sum, N, ncclFloat, ncclSum, comm[r], all[r].stream));
    CHECK(ncclGroupEnd());
    for (int step = 0; step < n; step++) { // what I hold goes into my sum, and on to my neighbour
        for (int r = 0; r < n; r++) {
            CHECK(cudaSetDevice(r));
            add<<<(N + 255) / 256, 256, 0, all[r].stream>>>(all[r].ring, all[r].mine);
        }
        CHECK(ncclGroupStart());
        for (int r = 0; r < n; r++) {
            CHECK(ncclSend(all[r].mine, N, ncclFloat, (r + 1) % n, comm[r], all[r].stream));
            CHECK(ncclRecv(all[r].next, N, ncclFloat, (r + n - 1) % n, comm[r], all[r].stream));
        }
        CHECK(ncclGroupEnd());
        for (int r = 0; r < n; r++)
            std::swap(all[r].mine, all[r].next);
    }
    int wrong = 0;
    std::vector<float> sum(N), ring(N);
    for (int r = 0; r < n; r++) {
        CHECK(cudaSetDevice(r));
        CHECK(cudaStreamSynchronize(all[r].stream));
        CHECK(cudaMemcpy(sum.data(), all[r].sum, N * sizeof(float), cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(ring.data(), all[r].ring, N * sizeof(float), cudaMemcpyDeviceToHost));
        for (int i = 0; i < N; i++) {
            float want = (float)((i + 1) % 100 * n * (n + 1) / 2);
            wrong += sum[i] != want || ring[i] != want;
        }
    }
    for (ncclComm_t c : comm)
        CHECK(ncclCommDestroy(c));
    printf("%d devices, %d numbers each, %d wrong\n", n, N, wrong);
    return verdict(!wrong && n > 0);
}
