// SPDX-License-Identifier: Apache-2.0
// Products of matrices by warps, as CUDA programs for tensor cores have them: C = A B with A by rows and B by columns, so that
// both are read along k. tensor_omp.c has the same work as plain loops.
#include "bench.h"
#include <mma.h>
using namespace nvcuda;

// wmma: a block of four warps makes 64 x 64 sums, a warp 32 x 32.
__global__ void tensor_bytes(const signed char *a, const signed char *b, int *c, int n)
{
    int w = threadIdx.x / 32, row = blockIdx.y * 64 + w / 2 * 32, column = blockIdx.x * 64 + w % 2 * 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum[2][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            wmma::fill_fragment(sum[i][j], 0);
    for (int k = 0; k < n; k += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa[2];
        wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> fb[2];
        for (int i = 0; i < 2; i++) {
            wmma::load_matrix_sync(fa[i], a + (row + 16 * i) * n + k, n);
            wmma::load_matrix_sync(fb[i], b + (column + 16 * i) * n + k, n);
        }
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                wmma::mma_sync(sum[i][j], fa[i], fb[j], sum[i][j]);
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            wmma::store_matrix_sync(c + (row + 16 * i) * n + column + 16 * j, sum[i][j], n, wmma::mem_row_major);
}

// The same tiles with halves, through shared memory, ldmatrix and mma.
__global__ void tensor_halves(const uint4 *a, const uint4 *b, float *c, int n)
{
    __shared__ uint4 sa[64][5], sb[64][5]; // 32 halves and a gap
    int t = threadIdx.x, l = t % 32, row = t / 64 * 32, column = t / 32 % 2 * 32;
    float sum[2][4][4] = {};
    for (int k = 0; k < n / 8; k += 4) {
        for (int i = t; i < 256; i += 128) {
            sa[i / 4][i % 4] = a[(blockIdx.y * 64 + i / 4) * (n / 8) + k + i % 4];
            sb[i / 4][i % 4] = b[(blockIdx.x * 64 + i / 4) * (n / 8) + k + i % 4];
        }
        __syncthreads();
        for (int q = 0; q < 4; q += 2) {
            unsigned x[2][4], y[4][2];
            for (int i = 0; i < 2; i++)
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                             : "=r"(x[i][0]), "=r"(x[i][1]), "=r"(x[i][2]), "=r"(x[i][3])
                             : "r"((unsigned)__cvta_generic_to_shared(&sa[row + 16 * i + l % 16][q + l / 16])));
            for (int j = 0; j < 4; j++)
                asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                             : "=r"(y[j][0]), "=r"(y[j][1])
                             : "r"((unsigned)__cvta_generic_to_shared(&sb[column + 8 * j + l % 8][q + l / 8 % 2])));
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 4; j++)
                    asm volatile(
                        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                        "{%8, %9}, {%0, %1, %2, %3};"
                        : "+f"(sum[i][j][0]), "+f"(sum[i][j][1]), "+f"(sum[i][j][2]), "+f"(sum[i][j][3])
                        : "r"(x[i][0]), "r"(x[i][1]), "r"(x[i][2]), "r"(x[i][3]), "r"(y[j][0]), "r"(y[j][1]));
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 4; j++)
            for (int h = 0; h < 2; h++) {
                int at =
                    (blockIdx.y * 64 + row + 16 * i + 8 * h + l / 4) * n + blockIdx.x * 64 + column + 8 * j + l % 4 * 2;
                *(float2 *)(c + at) = make_float2(sum[i][j][2 * h], sum[i][j][2 * h + 1]);
            }
}

extern "C" {
void bytes_cuda(const struct problem *p)
{
    tensor_bytes<<<dim3(p->n / 64, p->n / 64), 128>>>((const signed char *)p->a, (const signed char *)p->b,
                                                      (int *)p->out, p->n);
}
void halves_cuda(const struct problem *p)
{
    tensor_halves<<<dim3(p->n / 64, p->n / 64), 128>>>((const uint4 *)p->a, (const uint4 *)p->b, p->out, p->n);
}
}
