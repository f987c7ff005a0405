// SPDX-License-Identifier: Apache-2.0
// nvcuda::wmma: products of every type, shape and layout with small whole numbers, whose results are exact.
// nvcc: -std=c++17 -arch=sm_90
// widths: 8 32
#include "check.h"
#include <mma.h>
using namespace nvcuda;

template <int M, int N, int K, class T, class E, class S, class LA, class LB>
__global__ void product(const E *a, const E *b, const S *c, S *d, wmma::layout_t layout)
{
    constexpr bool ra = std::is_same<LA, wmma::row_major>::value, rb = std::is_same<LB, wmma::row_major>::value;
    wmma::fragment<wmma::matrix_a, M, N, K, T, LA> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb;
    wmma::fragment<wmma::accumulator, M, N, K, S> fc, fd;
    wmma::load_matrix_sync(fa, a, ra ? K : M);
    wmma::load_matrix_sync(fb, b, rb ? N : K);
    wmma::load_matrix_sync(fc, c, layout == wmma::mem_row_major ? N : M, layout);
    wmma::fill_fragment(fd, S(0.0f));
    wmma::mma_sync(fd, fa, fb, fc);
    for (int i = 0; i < fd.num_elements; i++)
        fd.x[i] = fd.x[i] + fd.x[i];
    wmma::store_matrix_sync(d, fd, layout == wmma::mem_row_major ? N : M, layout);
}

template <int M, int N, int K, class T, class E, class S, class LA, class LB> static void one(wmma::layout_t layout)
{
    constexpr bool ra = std::is_same<LA, wmma::row_major>::value, rb = std::is_same<LB, wmma::row_major>::value;
    bool row = layout == wmma::mem_row_major;
    std::vector<E> a(M * K), b(K * N);
    std::vector<S> c(M * N);
    unsigned seed = M * 100 + K;
    std::vector<int> va(M * K), vb(K * N), vc(M * N);
    for (int i = 0; i < M * K; i++)
        a[i] = E((float)(va[i] = (int)(random_next(seed) % 9)));
    for (int i = 0; i < K * N; i++)
        b[i] = E((float)(vb[i] = (int)(random_next(seed) % 7)));
    for (int i = 0; i < M * N; i++)
        c[i] = S((float)(vc[i] = (int)(random_next(seed) % 50)));
    Buffer<E> da(a), db(b);
    Buffer<S> dc(c), dd(M * N);
    product<M, N, K, T, E, S, LA, LB><<<1, 32>>>(da, db, dc, dd, layout);
    LAUNCHED();
    std::vector<S> d = dd.get();
    bool right = true;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            int s = vc[row ? i * N + j : j * M + i];
            for (int k = 0; k < K; k++)
                s += va[ra ? i * K + k : k * M + i] * vb[rb ? k * N + j : j * K + k];
            right &= (float)d[row ? i * N + j : j * M + i] == (float)(2 * s);
        }
    if (!right)
        std::fprintf(stderr, "%s\n", __PRETTY_FUNCTION__);
    EXPECT(right);
}
template <int M, int N, int K, class T, class E, class S> static void type()
{
    one<M, N, K, T, E, S, wmma::row_major, wmma::col_major>(wmma::mem_row_major);
    one<M, N, K, T, E, S, wmma::col_major, wmma::row_major>(wmma::mem_col_major);
}

int main()
{
    type<16, 16, 16, __half, __half, float>();
    type<16, 16, 16, __half, __half, __half>();
    type<32, 8, 16, __half, __half, float>();
    type<8, 32, 16, __half, __half, float>();
    type<16, 16, 16, __nv_bfloat16, __nv_bfloat16, float>();
    type<16, 16, 16, signed char, signed char, int>();
    type<32, 8, 16, unsigned char, unsigned char, int>();
    type<8, 32, 16, signed char, signed char, int>();
    type<16, 16, 8, wmma::precision::tf32, float, float>();
    type<8, 8, 4, double, double, double>();
    return DONE();
}
