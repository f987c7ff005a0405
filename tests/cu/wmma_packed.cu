// SPDX-License-Identifier: Apache-2.0
// wmma with elements of 4 bits and of 1 bit: against loops on the host.
// nvcc: -arch=sm_80
#include <climits>
#include <cstdio>
#include <mma.h>

using namespace nvcuda;
namespace ex = wmma::experimental;

template <typename T> __global__ void nibbles(const unsigned *a, const unsigned *b, const int *c, int *d, bool clamp)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 750
    wmma::fragment<wmma::matrix_a, 8, 8, 32, T, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 32, T, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 8, 8, 32, int> fc;
    wmma::load_matrix_sync(fa, a, 64); // every second row of words
    wmma::load_matrix_sync(fb, b, 32);
    wmma::load_matrix_sync(fc, c, 8, wmma::mem_row_major);
    wmma::mma_sync(fc, fa, fb, fc, clamp);
    wmma::store_matrix_sync(d, fc, 8, wmma::mem_row_major);
#endif
}

__global__ void bits(const unsigned *a, const unsigned *b, const int *c, int *d, bool both)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 750
    wmma::fragment<wmma::matrix_a, 8, 8, 128, ex::precision::b1, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 128, ex::precision::b1, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 8, 8, 128, int> fc;
    wmma::load_matrix_sync(fa, a, 256);
    wmma::load_matrix_sync(fb, b, 128);
    wmma::load_matrix_sync(fc, c, 8, wmma::mem_row_major);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    if (both)
        wmma::bmma_sync(fc, fa, fb, fc, ex::bmmaBitOpAND);
    else
#endif
        wmma::bmma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(d, fc, 8, wmma::mem_row_major);
#endif
}

static unsigned random_word()
{
    static unsigned s = 12345;
    s = s * 1664525u + 1013904223u;
    return s ^ s >> 15;
}

static long nibble(unsigned word, int i, bool is_signed)
{
    long v = word >> 4 * i & 15;
    return is_signed && v > 7 ? v - 16 : v;
}

int main()
{
    unsigned *a, *b;
    int *c, *d, failures = 0;
    cudaMallocManaged(&a, 64 * sizeof *a);
    cudaMallocManaged(&b, 32 * sizeof *b);
    cudaMallocManaged(&c, 64 * sizeof *c);
    cudaMallocManaged(&d, 64 * sizeof *d);
    for (int i = 0; i < 64; i++) {
        a[i] = random_word();
        b[i % 32] = random_word();
        c[i] = i % 5 == 0 ? INT_MAX - 3 : i % 7 == 0 ? INT_MIN + 3 : static_cast<int>(random_word() >> 20);
    }
    for (int kind = 0; kind < 6; kind++) { // u4, s4, each wrapping and clamped; xor, and
        bool clamp = kind & 1;
        if (kind < 2)
            nibbles<ex::precision::u4><<<1, 32>>>(a, b, c, d, clamp);
        else if (kind < 4)
            nibbles<ex::precision::s4><<<1, 32>>>(a, b, c, d, clamp);
        else
            bits<<<1, 32>>>(a, b, c, d, clamp);
        cudaError_t e = cudaGetLastError();
        e = e == cudaSuccess ? cudaDeviceSynchronize() : e;
        if (e != cudaSuccess) {
            printf("kind %d: %s\n", kind, cudaGetErrorString(e));
            return 1;
        }
        for (int row = 0; row < 8; row++)
            for (int column = 0; column < 8; column++) {
                long sum = c[row * 8 + column];
                for (int w = 0; w < 4; w++) {
                    unsigned x = a[row * 8 + w], y = b[column * 4 + w];
                    if (kind >= 4)
                        sum += __builtin_popcount(clamp ? x & y : x ^ y);
                    else
                        for (int i = 0; i < 8; i++)
                            sum += nibble(x, i, kind >= 2) * nibble(y, i, kind >= 2);
                }
                if (clamp && kind < 4)
                    sum = sum > INT_MAX ? INT_MAX : sum < INT_MIN ? INT_MIN : sum;
                int wanted = static_cast<int>(static_cast<unsigned>(sum)), got = d[row * 8 + column];
                if (got != wanted && ++failures < 10)
                    printf("kind %d, %d %d: %d, expected %d\n", kind, row, column, got, wanted);
            }
    }
    puts(failures ? "FAILED" : "passed");
    return failures != 0;
}
