// SPDX-License-Identifier: Apache-2.0
// Sparse matrices, graphs and clusters as CUDA programmers write them. sparse_omp.c has the same work as plain loops.
#include "bench.h"

// Rows with m values each, by columns: a thread a row.
__global__ void spmv(const float *value, const int *column, const float *x, float *y, int n, int m)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) {
        float sum = 0;
        for (int k = 0; k < m; k++)
            sum += value[row + k * n] * x[column[row + k * n]];
        y[row] = sum;
    }
}

// Rows of any length, one after the other: a warp a row.
__global__ void csr(const float *value, const int *first, const int *column, const float *x, float *y, int n)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= n)
        return;
    float sum = 0;
    for (int k = first[row] + lane; k < first[row + 1]; k += 32)
        sum += value[k] * x[column[k]];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0)
        y[row] = sum;
}

// One level of a breadth-first search: a thread a node.
__global__ void bfs(const int *first, const int *edge, int *level, int n, int now, int *more)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n && level[v] == now)
        for (int k = first[v]; k < first[v + 1]; k++) {
            int u = edge[k];
            if (level[u] < 0) {
                level[u] = now + 1;
                *more = 1;
            }
        }
}

// One step of k-means: points of four numbers to the nearest of 16 centres, sums by shared atomics, then new centres.
__global__ void kmeans_assign(const float *point, const float *centre, float *sum, int *label, int n)
{
    __shared__ float c[16][4], s[16][5];
    int t = threadIdx.x;
    if (t < 64)
        c[t / 4][t % 4] = centre[t];
    if (t < 80)
        s[t / 5][t % 5] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
        float x = point[i], y = point[i + n], z = point[i + 2 * n], w = point[i + 3 * n], least = 1e30f;
        int best = 0;
        for (int k = 0; k < 16; k++) {
            float dx = x - c[k][0], dy = y - c[k][1], dz = z - c[k][2], dw = w - c[k][3];
            float d = dx * dx + dy * dy + dz * dz + dw * dw;
            if (d < least) {
                least = d;
                best = k;
            }
        }
        label[i] = best;
        atomicAdd(&s[best][0], x);
        atomicAdd(&s[best][1], y);
        atomicAdd(&s[best][2], z);
        atomicAdd(&s[best][3], w);
        atomicAdd(&s[best][4], 1.0f);
    }
    __syncthreads();
    if (t < 80)
        atomicAdd(&sum[t], s[t / 5][t % 5]);
}

__global__ void kmeans_centre(const float *sum, float *centre)
{
    int t = threadIdx.x;
    centre[t] = sum[t / 4 * 5 + t % 4] / fmaxf(sum[t / 4 * 5 + 4], 1);
}

extern "C" {
void spmv_cuda(const struct problem *p)
{
    spmv<<<(p->n + 255) / 256, 256>>>(p->a, (const int *)p->b, p->c, p->out, p->n, p->m);
}
void csr_cuda(const struct problem *p)
{
    const int *first = (const int *)p->b;
    csr<<<(p->n + 7) / 8, 256>>>(p->a, first, first + p->n + 1, p->c, p->out, p->n);
}
void bfs_cuda(const struct problem *p)
{
    const int *first = (const int *)p->b;
    int *level = (int *)p->out, *more = (int *)p->out2, zero = 0, again = 1;
    cudaMemsetAsync(level, 0xff, sizeof(int) * p->n);
    cudaMemsetAsync(level, 0, sizeof(int));
    for (int now = 0; again; now++) {
        cudaMemcpyAsync(more, &zero, sizeof zero, cudaMemcpyHostToDevice);
        bfs<<<(p->n + 255) / 256, 256>>>(first, first + p->n + 1, level, p->n, now, more);
        cudaMemcpy(&again, more, sizeof again, cudaMemcpyDeviceToHost);
    }
}
void kmeans_cuda(const struct problem *p)
{
    float *sum = p->out2;
    cudaMemsetAsync(sum, 0, 80 * sizeof(float));
    kmeans_assign<<<p->n / 1024, 256>>>(p->a, p->b, sum, (int *)(sum + 80), p->n);
    kmeans_centre<<<1, 64>>>(sum, p->out);
}
}
