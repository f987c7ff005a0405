// SPDX-License-Identifier: Apache-2.0
// Work inside a block of threads as CUDA programmers write it: sums, scans, rows of neural networks. block_omp.c has
// the same work as plain loops.
#include "bench.h"

__global__ void reduce(const float *in, float *out)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int k = 128; k > 0; k >>= 1) {
        if (t < k)
            s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

__global__ void shuffle(const float *in, float *out)
{
    __shared__ float s[8];
    float v = in[blockIdx.x * 256 + threadIdx.x];
    for (int d = 16; d > 0; d >>= 1)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0)
        s[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = threadIdx.x < 8 ? s[threadIdx.x] : 0;
        for (int d = 16; d > 0; d >>= 1)
            v += __shfl_down_sync(0xffffffff, v, d);
        if (threadIdx.x == 0)
            out[blockIdx.x] = v;
    }
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

__device__ float block_sum(float v)
{
    __shared__ float part[8];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffff, v, d);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
    __syncthreads();
    v = 0;
    for (int k = 0; k < 8; k++)
        v += part[k];
    return v;
}

// The same rows, brought to mean 0 and variance 1, then scaled and moved.
__global__ void layernorm(const float *in, const float *gamma, const float *beta, float *out)
{
    const float *row = in + blockIdx.x * 1024;
    float v[4], sum = 0, squares = 0;
    for (int k = 0; k < 4; k++)
        sum += v[k] = row[k * 256 + threadIdx.x];
    float mean = block_sum(sum) / 1024;
    for (int k = 0; k < 4; k++) {
        v[k] -= mean;
        squares += v[k] * v[k];
    }
    float scale = rsqrtf(block_sum(squares) / 1024 + 1e-5f);
    for (int k = 0; k < 4; k++) {
        int i = k * 256 + threadIdx.x;
        out[blockIdx.x * 1024 + i] = v[k] * scale * gamma[i] + beta[i];
    }
}

// Attention forward in one pass: a thread for each query, keys and values of 32 numbers in tiles of 32, sums rescaled
// when a larger score turns up.
__global__ void attention(const float *q, const float *k, const float *v, float *out, int n)
{
    __shared__ float keys[32][32], values[32][32];
    int head = blockIdx.y * n * 32, me = head + (blockIdx.x * 64 + threadIdx.x) * 32;
    float mine[32], sum[32] = {}, top = -1e30f, total = 0;
    for (int d = 0; d < 32; d++)
        mine[d] = q[me + d] * 0.1767767f;
    for (int tile = 0; tile < n; tile += 32) {
        __syncthreads();
        for (int i = threadIdx.x; i < 32 * 32; i += 64) {
            keys[i / 32][i % 32] = k[head + tile * 32 + i];
            values[i / 32][i % 32] = v[head + tile * 32 + i];
        }
        __syncthreads();
        for (int j = 0; j < 32; j++) {
            float score = 0;
            for (int d = 0; d < 32; d++)
                score += mine[d] * keys[j][d];
            if (score > top) {
                float keep = __expf(top - score);
                top = score;
                total *= keep;
                for (int d = 0; d < 32; d++)
                    sum[d] *= keep;
            }
            float weight = __expf(score - top);
            total += weight;
            for (int d = 0; d < 32; d++)
                sum[d] += weight * values[j][d];
        }
    }
    for (int d = 0; d < 32; d++)
        out[me + d] = sum[d] / total;
}

extern "C" {
void reduce_cuda(const struct problem *p)
{
    reduce<<<p->n / 256, 256>>>(p->a, p->out);
}
void shuffle_cuda(const struct problem *p)
{
    shuffle<<<p->n / 256, 256>>>(p->a, p->out);
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
void softmax_cuda(const struct problem *p)
{
    softmax<<<p->n / 1024, 256>>>(p->a, p->out);
}
void layernorm_cuda(const struct problem *p)
{
    layernorm<<<p->n / 1024, 256>>>(p->a, p->b, p->b + 1024, p->out);
}
void attention_cuda(const struct problem *p)
{
    attention<<<dim3(p->n / 64, p->m), 64>>>(p->a, p->b, p->c, p->out, p->n);
}
}
