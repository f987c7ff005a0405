// More kernels as CUDA programmers write them: what the nine of kernels.cu do not have. Each has a form in plain C with
// OpenMP beside it (more_omp.c).
#include "bench.h"

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

// Sums of all values before and with each one, in each block of 256.
__global__ void scan(const float *in, float *out)
{
    __shared__ float s[2][256];
    int t = threadIdx.x, now = 0;
    s[0][t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        s[1 - now][t] = t >= d ? s[now][t] + s[now][t - d] : s[now][t];
        now = 1 - now;
        __syncthreads();
    }
    out[blockIdx.x * 256 + t] = s[now][t];
}

__global__ void histogram(const float *in, int *out, int n)
{
    __shared__ int bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[(int)(in[i] * 256) & 255], 1);
    __syncthreads();
    atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

// Rows of a sparse matrix with m values each, a thread a row.
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

__global__ void stencil3d(const float *in, float *out, int n, float c0, float c1)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || x >= n - 1 || y < 1 || y >= n - 1)
        return;
    int i = y * n + x, plane = n * n;
    for (int z = 1; z < n - 1; z++) {
        i += plane;
        out[i] = c0 * in[i] +
                 c1 * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - plane] + in[i + plane]);
    }
}

// A row of 1024 values for each block of 256 threads.
__global__ void softmax(const float *in, float *out)
{
    __shared__ float part[8];
    const float *row = in + blockIdx.x * 1024;
    float v[4], top = -1e30f, sum = 0;
    for (int k = 0; k < 4; k++)
        top = fmaxf(top, v[k] = row[k * 256 + threadIdx.x]);
    for (int d = 16; d > 0; d /= 2)
        top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, d));
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = top;
    __syncthreads();
    for (int k = 0; k < 8; k++)
        top = fmaxf(top, part[k]);
    __syncthreads();
    for (int k = 0; k < 4; k++)
        sum += v[k] = __expf(v[k] - top);
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < 8; k++)
        sum += part[k];
    for (int k = 0; k < 4; k++)
        out[blockIdx.x * 1024 + k * 256 + threadIdx.x] = v[k] / sum;
}

// Sorts each block of 512 values.
__global__ void sort(const float *in, float *out)
{
    __shared__ float s[512];
    int t = threadIdx.x;
    for (int k = t; k < 512; k += 256)
        s[k] = in[blockIdx.x * 512 + k];
    for (int size = 2; size <= 512; size *= 2)
        for (int d = size / 2; d > 0; d /= 2) {
            __syncthreads();
            int i = 2 * t - (t & (d - 1));
            bool up = (i & size) == 0;
            float a = s[i], b = s[i + d];
            if ((a > b) == up) {
                s[i] = b;
                s[i + d] = a;
            }
        }
    __syncthreads();
    for (int k = t; k < 512; k += 256)
        out[blockIdx.x * 512 + k] = s[k];
}

extern "C" {
void transpose_cuda(const struct problem *p)
{
    transpose<<<dim3(p->n / 32, p->n / 32), dim3(32, 8)>>>(p->a, p->out, p->n);
}
void scan_cuda(const struct problem *p)
{
    scan<<<p->n / 256, 256>>>(p->a, p->out);
}
void histogram_cuda(const struct problem *p)
{
    cudaMemsetAsync(p->out, 0, 256 * sizeof(int));
    histogram<<<64, 256>>>(p->a, (int *)p->out, p->n);
}
void spmv_cuda(const struct problem *p)
{
    spmv<<<(p->n + 255) / 256, 256>>>(p->a, (const int *)p->b, p->c, p->out, p->n, p->m);
}
void convolve_cuda(const struct problem *p)
{
    static bool set;
    if (!set)
        cudaMemcpyToSymbol(weights, p->b, sizeof weights);
    set = true;
    convolve<<<dim3(p->n / 32, p->m / 8), dim3(32, 8)>>>(p->a, p->out, p->n, p->m);
}
void stencil3d_cuda(const struct problem *p)
{
    stencil3d<<<dim3(p->n / 32, p->n / 8), dim3(32, 8)>>>(p->a, p->out, p->n, p->f0, p->f1);
}
void softmax_cuda(const struct problem *p)
{
    softmax<<<p->n / 1024, 256>>>(p->a, p->out);
}
void sort_cuda(const struct problem *p)
{
    sort<<<p->n / 512, 256>>>(p->a, p->out);
}
}
