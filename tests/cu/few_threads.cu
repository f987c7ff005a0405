// SPDX-License-Identifier: Apache-2.0
// nvcc: -fmad=false
// Work of one thread or of a few that the code names, behind `if (threadIdx.x == 0)`: loads of every size from places
// that the data name, from a local array, from shared memory; walks through a list.
#include "check.h"

enum { N = 500, BLOCK = 96 };

struct Record {
    double d;
    int next;
    short s;
    signed char c;
};

// What one thread makes of the records from `at` on.
__host__ __device__ static double walk(const Record *r, int at, int steps)
{
    double sum = 0;
    int own[16] = {0};
    unsigned char bytes[32] = {0};
    for (int i = 0; i < steps; i++) {
        own[r[at].next & 15] += r[at].s;
        bytes[(r[at].c & 31)]++;
        sum = sum * 0.5 + r[at].d + own[i & 15] + bytes[(at + i) & 31];
        at = r[at].next;
    }
    return sum;
}

__global__ void first(const Record *r, double *out, int steps)
{
    __shared__ int seen[BLOCK];
    seen[threadIdx.x] = r[(blockIdx.x * 7 + threadIdx.x) % N].s;
    __syncthreads();
    if (threadIdx.x == 0) {
        double sum = walk(r, blockIdx.x, steps);
        for (int i = 0; i < BLOCK; i++)
            sum += seen[r[i].next % BLOCK];
        out[blockIdx.x * 4] = sum;
    }
    if (threadIdx.x >= 37 && threadIdx.x < 39)
        out[blockIdx.x * 4 + threadIdx.x - 36] = walk(r, blockIdx.x + threadIdx.x, steps);
    if (threadIdx.x == BLOCK - 1)
        out[blockIdx.x * 4 + 3] = r[r[r[blockIdx.x].next].next].d + r[blockIdx.x].c;
}

int main()
{
    Record *r;
    double *out;
    const int blocks = 40, steps = 50;
    OK(cudaMallocManaged(&r, N * sizeof *r));
    OK(cudaMallocManaged(&out, blocks * 4 * sizeof *out));
    for (int i = 0; i < N; i++)
        r[i] = Record{i * 0.25, (i * 37 + 11) % N, (short)(i * 13 - 3000), (signed char)(i * 5)};
    first<<<blocks, BLOCK>>>(r, out, steps);
    LAUNCHED();
    for (int b = 0; b < blocks; b++) {
        double sum = walk(r, b, steps);
        for (int i = 0; i < BLOCK; i++)
            sum += r[(b * 7 + r[i].next % BLOCK) % N].s;
        EXPECT(out[b * 4] == sum);
        EXPECT(out[b * 4 + 1] == walk(r, b + 37, steps));
        EXPECT(out[b * 4 + 2] == walk(r, b + 38, steps));
        EXPECT(out[b * 4 + 3] == r[r[r[b].next].next].d + r[b].c);
    }
    return DONE();
}
