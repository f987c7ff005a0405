// SPDX-License-Identifier: Apache-2.0
// Programs with a barrier too few that work on GPUs: a result that some threads read after the barrier while others go on
// to the next one, the same in a loop, and threads that all do the same work on the same memory.
// These are data races: part[0] and base are overwritten by one warp while another may still read them, and all warps store to marks[i].
// Width 1 is the plain schedule (docs/races.md), which shows them; the other widths yield where the program counts on it.
// widths: 8 16 32
#include "check.h"

__device__ float sum_of(const float *v, int n)
{
    __shared__ float part[32];
    float x = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        x += v[i];
    for (int o = 16; o; o /= 2)
        x += __shfl_down_sync(~0u, x, o);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = x;
    __syncthreads();
    x = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x % 32] : 0.0f;
    if (threadIdx.x < 32) {
        for (int o = 16; o; o /= 2)
            x += __shfl_down_sync(~0u, x, o);
        if (!threadIdx.x)
            part[0] = x;
    }
    __syncthreads();
    return part[0];
}

// Only threads with an element use the first sum; nothing separates its use from the second sum.
__global__ void normalise(float *v, int n, float *total)
{
    float first = sum_of(v, n);
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        v[i] = v[i] / first * 1000.0f;
    float second = sum_of(v, n);
    if (!threadIdx.x)
        *total = second;
}

// All threads walk along the marks, each for itself, and correct them until one is right.
__global__ void correct(int2 *marks, int n, int *steps)
{
    bool done = false;
    int value = marks[0].x, count = 0;
    for (int i = 1; i < n; i++) {
        if (!done) {
            value = value * 3 + 1;
            count++;
            int2 m = marks[i];
            if (m.x == value)
                done = true;
            else
                m = make_int2(value, i);
            marks[i] = m;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *steps = count;
}

// One thread takes the next part of a queue for all while others have still to read which part the last one was.
__global__ void drain(int *head, int n, int *visits)
{
    __shared__ int base;
    if (!threadIdx.x)
        base = atomicAdd(head, (int)blockDim.x);
    __syncthreads();
    int mine = base;
    while (mine < n) {
        if (mine + (int)threadIdx.x < n)
            visits[mine + threadIdx.x]++;
        if (!threadIdx.x)
            base = atomicAdd(head, (int)blockDim.x);
        __syncthreads();
        mine = base;
    }
}

int main()
{
    const int n = 200, m = 40;
    float *v, *total;
    int2 *marks;
    int *steps;
    OK(cudaMallocManaged(&v, n * sizeof *v));
    OK(cudaMallocManaged(&total, sizeof *total));
    OK(cudaMallocManaged(&marks, m * sizeof *marks));
    OK(cudaMallocManaged(&steps, sizeof *steps));
    for (int i = 0; i < n; i++)
        v[i] = (float)(i % 7 + 1);
    normalise<<<1, 256>>>(v, n, total);
    OK(cudaDeviceSynchronize());
    EXPECT(fabsf(*total - 1000.0f) < 0.01f);
    int value = 5;
    for (int i = 0; i < m; i++, value = value * 3 + 1)
        marks[i] = make_int2(i && i < 15 ? -1 : value, -1);
    correct<<<1, 128>>>(marks, m, steps);
    OK(cudaDeviceSynchronize());
    value = 5;
    for (int i = 0; i < m; i++, value = value * 3 + 1)
        EXPECT(marks[i].x == value && marks[i].y == (i && i < 15 ? i : -1));
    EXPECT(*steps == 15);
    int *head, *visits;
    OK(cudaMallocManaged(&head, sizeof *head));
    OK(cudaMallocManaged(&visits, 1000 * sizeof *visits));
    *head = 0;
    memset(visits, 0, 1000 * sizeof *visits);
    drain<<<2, 128>>>(head, 1000, visits);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 1000; i++)
        EXPECT(visits[i] == 1);
    return DONE();
}
