// SPDX-License-Identifier: Apache-2.0
// Kernels for explore.sh, one by name: those that depend on the schedule, and those that do not.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

enum { N = 256, BLOCKS = 8 };
__device__ int result[N * BLOCKS];
__device__ float sum_of;
__device__ unsigned taken;

// No barrier between a store and a load of another thread's.
__global__ void no_barrier(int *out)
{
    __shared__ int s[N];
    s[threadIdx.x] = (int)threadIdx.x + 1;
    out[threadIdx.x] = s[(threadIdx.x + 37) % N];
}

__global__ void barrier(int *out)
{
    __shared__ int s[N];
    s[threadIdx.x] = (int)threadIdx.x + 1;
    __syncthreads();
    out[threadIdx.x] = s[(threadIdx.x + 37) % N];
}

// Blocks read what the block before them may have written.
__global__ void block_order(int *out)
{
    if (threadIdx.x == 0)
        out[blockIdx.x] = (blockIdx.x ? out[blockIdx.x - 1] : 1) + 1;
}

// An addition that is not atomic, by one thread of each block.
__global__ void lost_update(int *out)
{
    if (threadIdx.x == 0)
        out[0] += 1;
}

__global__ void atomic_update(int *out)
{
    atomicAdd(out, (int)(blockIdx.x * blockDim.x + threadIdx.x));
}

__global__ void float_sum(int *)
{
    atomicAdd(&sum_of, 1.0f / (float)(1 + blockIdx.x * blockDim.x + threadIdx.x));
}

// A place for each thread by a counter: who gets which is open.
__global__ void tickets(int *out)
{
    out[atomicAdd(&taken, 1)] = (int)(blockIdx.x * blockDim.x + threadIdx.x);
}

// Within one pair of blocks only.
__global__ void one_pair(int *out)
{
    if (threadIdx.x == 0 && blockIdx.x == 5)
        out[0] = 1;
    if (threadIdx.x == 0 && blockIdx.x == 6)
        out[1] = out[0];
}

// Divides by what the block before it may not have written yet: an illegal address under another order.
__global__ void address(int *out)
{
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0)
            out[1] = 64;
        if (blockIdx.x == 1)
            *(out + (out[1] ? out[1] : 1 << 30)) = 3;
    }
}

__global__ void variable(int *)
{
    result[threadIdx.x] = blockIdx.x;
}

__global__ void prints(int *out)
{
    if (threadIdx.x == 0)
        printf("block %d\n", (int)blockIdx.x);
    out[blockIdx.x] = 1;
}

__global__ void allocates(int *out)
{
    int *p = (int *)malloc(16);
    out[threadIdx.x] = p != 0;
    free(p);
}

struct row {
    const char *name;
    void (*kernel)(int *);
    int blocks;
};
static const struct row rows[] = {
    {"no_barrier", no_barrier, 1},
    {"barrier", barrier, BLOCKS},
    {"block_order", block_order, BLOCKS},
    {"lost_update", lost_update, BLOCKS},
    {"atomic_update", atomic_update, BLOCKS},
    {"float_sum", float_sum, BLOCKS},
    {"tickets", tickets, BLOCKS},
    {"one_pair", one_pair, BLOCKS},
    {"address", address, 2},
    {"variable", variable, BLOCKS},
    {"prints", prints, 2},
    {"allocates", allocates, 1},
};

int main(int argc, char **argv)
{
    int *out, host[N * BLOCKS], failed = 0;
    cudaMalloc(&out, sizeof host);
    for (int k = 1; k < argc; k++) {
        for (const struct row &r : rows) {
            if (strcmp(r.name, argv[k]))
                continue;
            cudaMemset(out, 0, sizeof host);
            r.kernel<<<r.blocks, N>>>(out);
            failed |= cudaDeviceSynchronize() != cudaSuccess;
            cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
            printf("%s: %d %d %d\n", r.name, host[0], host[1], host[BLOCKS - 1]);
        }
    }
    return failed;
}
