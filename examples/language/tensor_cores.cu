// SPDX-License-Identifier: Apache-2.0
// A matrix product with tensor cores: warps multiply tiles of 16 x 16 halves and add them up in float, by the functions of <mma.h>. A second kernel
// does the same in plain CUDA C; their results must be near each other and near the exact one.
// Options: -arch=sm_80
#include "../check.h"
#include <cmath>
#include <cuda_fp16.h>
#include <mma.h>
#include <vector>

using namespace nvcuda;
constexpr int M = 128, N = 96, K = 160;

__global__ void by_tiles(const half *a, const half *b, float *c)
{
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, row = warp / (N / 16) * 16, column = warp % (N / 16) * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < K; k += 16) {
        wmma::load_matrix_sync(fa, a + row * K + k, K);
        wmma::load_matrix_sync(fb, b + column * K + k, K);
        wmma::mma_sync(sum, fa, fb, sum);
    }
    for (int i = 0; i < sum.num_elements; i++) // each thread has some of the elements
        sum.x[i] *= 0.5f;
    wmma::store_matrix_sync(c + row * N + column, sum, N, wmma::mem_row_major);
}
__global__ void by_threads(const half *a, const half *b, float *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, row = i / N, column = i % N;
    float sum = 0;
    for (int k = 0; k < K; k++)
        sum += __half2float(a[row * K + k]) * __half2float(b[column * K + k]);
    c[i] = 0.5f * sum;
}

int main()
{
    half *a, *b;
    float *tiles, *threads;
    CHECK(cudaMallocManaged(&a, M * K * sizeof *a));
    CHECK(cudaMallocManaged(&b, K * N * sizeof *b)); // by columns
    CHECK(cudaMallocManaged(&tiles, M * N * sizeof *tiles));
    CHECK(cudaMallocManaged(&threads, M * N * sizeof *threads));
    for (int i = 0; i < M * K; i++)
        a[i] = __float2half(std::sin(i * 0.37f));
    for (int i = 0; i < K * N; i++)
        b[i] = __float2half(std::cos(i * 0.11f));
    int warps = M / 16 * (N / 16);
    by_tiles<<<warps / 4, 4 * 32>>>(a, b, tiles);
    by_threads<<<M * N / 128, 128>>>(a, b, threads);
    CHECK(cudaDeviceSynchronize());
    double worst = 0, apart = 0;
    for (int r = 0; r < M; r++)
        for (int c = 0; c < N; c++) {
            double want = 0;
            for (int k = 0; k < K; k++)
                want += (double)__half2float(a[r * K + k]) * (double)__half2float(b[c * K + k]);
            worst = std::fmax(worst, std::fabs(tiles[r * N + c] - want / 2));
            apart = std::fmax(apart, std::fabs((double)tiles[r * N + c] - (double)threads[r * N + c]));
        }
    printf("%d tiles: largest error %.1e, from the plain kernel %.1e\n", warps, worst, apart);
    return verdict(worst < 1e-3 && apart < 1e-3);
}
