// SPDX-License-Identifier: Apache-2.0
// Sorting and dynamic programming as CUDA programmers write them. order_omp.c has the same work as plain loops.
#include "bench.h"

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

// Radix sort by four bits a pass: how often each digit occurs in each block, where each block's begin, then every key
// to its place.
__global__ void radix_count(const unsigned *key, unsigned *count, int shift)
{
    __shared__ unsigned bins[16];
    if (threadIdx.x < 16)
        bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[key[blockIdx.x * 256 + threadIdx.x] >> shift & 15], 1u);
    __syncthreads();
    if (threadIdx.x < 16)
        count[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}

__global__ void radix_place(unsigned *count, int n)
{
    __shared__ unsigned s[256];
    int t = threadIdx.x, each = n / 256;
    unsigned sum = 0;
    for (int i = 0; i < each; i++)
        sum += count[t * each + i];
    s[t] = sum;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        unsigned v = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    unsigned place = s[t] - sum;
    for (int i = 0; i < each; i++) {
        unsigned c = count[t * each + i];
        count[t * each + i] = place;
        place += c;
    }
}

__global__ void radix_move(const unsigned *key, unsigned *to, const unsigned *place, int shift)
{
    __shared__ unsigned before[8][16];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x < 128)
        before[threadIdx.x / 16][threadIdx.x % 16] = 0;
    __syncthreads();
    unsigned k = key[blockIdx.x * 256 + threadIdx.x], digit = k >> shift & 15, same = 0xffffffff;
    for (int b = 0; b < 4; b++) {
        unsigned ones = __ballot_sync(0xffffffff, digit >> b & 1);
        same &= digit >> b & 1 ? ones : ~ones;
    }
    int rank = __popc(same & ((1u << lane) - 1));
    if (rank == 0)
        before[warp][digit] = __popc(same);
    __syncthreads();
    if (threadIdx.x < 16) {
        unsigned sum = place[threadIdx.x * gridDim.x + blockIdx.x];
        for (int w = 0; w < 8; w++) {
            unsigned c = before[w][threadIdx.x];
            before[w][threadIdx.x] = sum;
            sum += c;
        }
    }
    __syncthreads();
    to[before[warp][digit] + rank] = k;
}

// Needleman-Wunsch: tiles of 16x16 along diagonals of the table, the diagonals of a tile one after the other.
__global__ void needle(int *score, const int *match, int n, int first, int diagonal, int gap)
{
    __shared__ int s[17][17], cost[16][16];
    int t = threadIdx.x, bx = first + blockIdx.x, by = diagonal - bx, stride = n + 1;
    int corner = by * 16 * stride + bx * 16;
    s[0][t + 1] = score[corner + t + 1];
    s[t + 1][0] = score[corner + (t + 1) * stride];
    if (t == 0)
        s[0][0] = score[corner];
    for (int y = 0; y < 16; y++)
        cost[y][t] = match[(by * 16 + y) * n + bx * 16 + t];
    __syncthreads();
    for (int d = 0; d < 31; d++) {
        int x = t + 1, y = d - t + 1;
        if (y >= 1 && y <= 16)
            s[y][x] = max(s[y - 1][x - 1] + cost[y - 1][x - 1], max(s[y - 1][x], s[y][x - 1]) - gap);
        __syncthreads();
    }
    for (int y = 1; y <= 16; y++)
        score[corner + y * stride + t + 1] = s[y][t + 1];
}

extern "C" {
void sort_cuda(const struct problem *p)
{
    sort<<<p->n / 512, 256>>>(p->a, p->out);
}
void radix_cuda(const struct problem *p)
{
    unsigned *spare = (unsigned *)p->out2, *count = spare + p->n, *out = (unsigned *)p->out;
    int blocks = p->n / 256;
    const unsigned *from = (const unsigned *)p->a;
    for (int shift = 0; shift < 32; shift += 4) {
        unsigned *to = shift / 4 % 2 ? out : spare;
        radix_count<<<blocks, 256>>>(from, count, shift);
        radix_place<<<1, 256>>>(count, 16 * blocks);
        radix_move<<<blocks, 256>>>(from, to, count, shift);
        from = to;
    }
}
void needle_cuda(const struct problem *p)
{
    int tiles = p->n / 16;
    for (int d = 0; d < 2 * tiles - 1; d++) {
        int first = d < tiles ? 0 : d - tiles + 1, count = d < tiles ? d + 1 : 2 * tiles - 1 - d;
        needle<<<count, 16>>>((int *)p->out, (const int *)p->a, p->n, first, d, p->m);
    }
}
}
