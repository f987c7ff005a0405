// SPDX-License-Identifier: Apache-2.0
// Stencils and convolutions as CUDA programmers write them. grid_omp.c has the same work as plain loops.
#include "bench.h"

__global__ void stencil(const float *in, float *out, int nx, int ny, float c0, float c1)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
        int i = y * nx + x;
        out[i] = c0 * in[i] + c1 * ((in[i - 1] + in[i + 1]) + (in[i - nx] + in[i + nx]));
    }
}

__global__ void stencil3d(const float *in, float *out, int n, float c0, float c1)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || x >= n - 1 || y < 1 || y >= n - 1)
        return;
    int i = y * n + x, plane = n * n;
    for (int z = 1; z < n - 1; z++) {
        i += plane;
        out[i] = c0 * in[i] + c1 * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - plane] + in[i + plane]);
    }
}

__constant__ float weights[9][9];

__global__ void convolve(const float *in, float *out, int n, int m)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int j = 0; j < 9; j++)
        for (int i = 0; i < 9; i++) {
            int u = min(max(x + i - 4, 0), n - 1), v = min(max(y + j - 4, 0), m - 1);
            sum += weights[j][i] * in[v * n + u];
        }
    out[y * n + x] = sum;
}

// The same through a tile with its halo in shared memory.
__global__ void halo(const float *in, float *out, int n, int m)
{
    __shared__ float tile[16 + 8][32 + 8];
    int x0 = blockIdx.x * 32 - 4, y0 = blockIdx.y * 16 - 4;
    for (int t = threadIdx.y * 32 + threadIdx.x; t < 24 * 40; t += 32 * 16) {
        int u = min(max(x0 + t % 40, 0), n - 1), v = min(max(y0 + t / 40, 0), m - 1);
        tile[t / 40][t % 40] = in[v * n + u];
    }
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < 9; j++)
        for (int i = 0; i < 9; i++)
            sum += weights[j][i] * tile[threadIdx.y + j][threadIdx.x + i];
    out[(y0 + 4 + threadIdx.y) * n + x0 + 4 + threadIdx.x] = sum;
}

static void set_weights(const struct problem *p)
{
    static bool set;
    if (!set)
        cudaMemcpyToSymbol(weights, p->b, sizeof weights);
    set = true;
}

extern "C" {
void stencil_cuda(const struct problem *p)
{
    stencil<<<dim3(p->n / 32, p->m / 8), dim3(32, 8)>>>(p->a, p->out, p->n, p->m, p->f0, p->f1);
}
void stencil3d_cuda(const struct problem *p)
{
    stencil3d<<<dim3((p->n + 31) / 32, (p->n + 7) / 8), dim3(32, 8)>>>(p->a, p->out, p->n, p->f0, p->f1);
}
void convolve_cuda(const struct problem *p)
{
    set_weights(p);
    convolve<<<dim3(p->n / 32, p->m / 8), dim3(32, 8)>>>(p->a, p->out, p->n, p->m);
}
void halo_cuda(const struct problem *p)
{
    set_weights(p);
    halo<<<dim3(p->n / 32, p->m / 16), dim3(32, 16)>>>(p->a, p->out, p->n, p->m);
}
}
