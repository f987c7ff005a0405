// SPDX-License-Identifier: Apache-2.0
// Dense linear algebra as CUDA programmers write it. dense_omp.c has the same work as plain loops.
#include "bench.h"

__global__ void saxpy(const float *x, float *y, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

__global__ void matmul(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[16][16], bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
    float sum = 0;
    for (int t = 0; t < n / 16; t++) {
        as[ty][tx] = a[row * n + t * 16 + tx];
        bs[ty][tx] = b[(t * 16 + ty) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

// A tile of 64x64 for each block of 16x16 threads, 4x4 of it in each thread's registers.
__global__ void sgemm(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[64][16], bs[16][64];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
    const float *rows = a + blockIdx.y * 64 * n, *columns = b + blockIdx.x * 64;
    float sum[4][4] = {};
    for (int k0 = 0; k0 < n; k0 += 16) {
        for (int i = 0; i < 4; i++) {
            as[ty + 16 * i][tx] = rows[(ty + 16 * i) * n + k0 + tx];
            bs[t / 64 + 4 * i][t % 64] = columns[(k0 + t / 64 + 4 * i) * n + t % 64];
        }
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            float x[4], y[4];
            for (int i = 0; i < 4; i++) {
                x[i] = as[ty * 4 + i][k];
                y[i] = bs[k][tx + 16 * i];
            }
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    sum[i][j] += x[i] * y[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            c[(blockIdx.y * 64 + ty * 4 + i) * n + blockIdx.x * 64 + tx + 16 * j] = sum[i][j];
}

__global__ void transpose(const float *in, float *out, int n)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

// LU without pivots in tiles of 16x16: the diagonal tile, the tiles beside and below it, then all others.
__global__ void lu_diagonal(float *a, int n, int d)
{
    __shared__ float s[16][17];
    int t = threadIdx.x;
    for (int i = 0; i < 16; i++)
        s[i][t] = a[(d + i) * n + d + t];
    __syncthreads();
    for (int k = 0; k < 15; k++) {
        if (t > k) {
            s[t][k] /= s[k][k];
            for (int j = k + 1; j < 16; j++)
                s[t][j] -= s[t][k] * s[k][j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 16; i++)
        a[(d + i) * n + d + t] = s[i][t];
}

__global__ void lu_panels(float *a, int n, int d)
{
    __shared__ float s[16][17], tile[16][17];
    int t = threadIdx.x, o = d + (blockIdx.x + 1) * 16, right = blockIdx.y;
    float *panel = right ? a + d * n + o : a + o * n + d;
    for (int i = 0; i < 16; i++) {
        s[i][t] = a[(d + i) * n + d + t];
        tile[i][t] = panel[i * n + t];
    }
    __syncthreads();
    if (right) // a thread a column: L x = b
        for (int k = 0; k < 15; k++)
            for (int i = k + 1; i < 16; i++)
                tile[i][t] -= s[i][k] * tile[k][t];
    else // a thread a row: x U = b
        for (int k = 0; k < 16; k++) {
            float x = tile[t][k] /= s[k][k];
            for (int j = k + 1; j < 16; j++)
                tile[t][j] -= x * s[k][j];
        }
    __syncthreads();
    for (int i = 0; i < 16; i++)
        panel[i * n + t] = tile[i][t];
}

__global__ void lu_rest(float *a, int n, int d)
{
    __shared__ float l[16][16], u[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, x = d + (blockIdx.x + 1) * 16 + tx, y = d + (blockIdx.y + 1) * 16 + ty;
    l[ty][tx] = a[y * n + d + tx];
    u[ty][tx] = a[(d + ty) * n + x];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 16; k++)
        sum += l[ty][k] * u[k][tx];
    a[y * n + x] -= sum;
}

extern "C" {
void saxpy_cuda(const struct problem *p)
{
    saxpy<<<(p->n + 255) / 256, 256>>>(p->a, p->out, p->f0, p->n);
}
void matmul_cuda(const struct problem *p)
{
    matmul<<<dim3(p->n / 16, p->n / 16), dim3(16, 16)>>>(p->a, p->b, p->out, p->n);
}
void sgemm_cuda(const struct problem *p)
{
    sgemm<<<dim3(p->n / 64, p->n / 64), dim3(16, 16)>>>(p->a, p->b, p->out, p->n);
}
void transpose_cuda(const struct problem *p)
{
    transpose<<<dim3(p->n / 32, p->n / 32), dim3(32, 8)>>>(p->a, p->out, p->n);
}
void lu_cuda(const struct problem *p)
{
    int n = p->n, tiles = n / 16;
    cudaMemcpyAsync(p->out, p->a, sizeof(float) * n * n, cudaMemcpyDeviceToDevice);
    for (int d = 0; d < tiles; d++) {
        int rest = tiles - d - 1;
        lu_diagonal<<<1, 16>>>(p->out, n, d * 16);
        if (rest) {
            lu_panels<<<dim3(rest, 2), 16>>>(p->out, n, d * 16);
            lu_rest<<<dim3(rest, rest), dim3(16, 16)>>>(p->out, n, d * 16);
        }
    }
}
}
