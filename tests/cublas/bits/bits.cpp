// SPDX-License-Identifier: Apache-2.0
// Prints sums over the bits of results, for bits.sh; and checks that a product in pieces has the bits of the whole where the argument says so.
#include "../blas_test.h"

static unsigned long long bits_of(const void *dev, size_t bytes)
{
    std::vector<unsigned char> host(bytes);
    CUDA(cudaMemcpy(host.data(), dev, bytes, cudaMemcpyDeviceToHost));
    unsigned long long sum = 14695981039346656037ull;
    for (unsigned char c : host)
        sum = (sum ^ c) * 1099511628211ull;
    return sum;
}

template <class T> static void all(cublasHandle_t h, char letter)
{
    typedef typename number<T>::real R;
    const int n = 300, k = 500, N = 200000;
    array<T> a((size_t)n * k), b((size_t)n * k), c((size_t)n * n), x(N), y(N);
    T alpha = random_number<T>(), beta = random_number<T>();
    R norm = 0;
    OK(CALL(gemm)(h, CUBLAS_OP_N, CUBLAS_OP_T, n, n, k, &alpha, a.dev, n, b.dev, n, &beta, c.dev, n));
    printf("%cgemm %llx\n", letter, bits_of(c.dev, c.host.size() * sizeof(T)));
    OK(CALL(syrk)(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, k, &alpha, a.dev, n, &beta, c.dev, n));
    printf("%csyrk %llx\n", letter, bits_of(c.dev, c.host.size() * sizeof(T)));
    for (int i = 0; i < n; i++)
        c.set((size_t)(i + i * n), X(n));
    c.push();
    OK(CALL(trsm)(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, n, k, &alpha, c.dev,
                  n, a.dev, n));
    printf("%ctrsm %llx\n", letter, bits_of(a.dev, a.host.size() * sizeof(T)));
    OK(CALL(gemv)(h, CUBLAS_OP_T, n, k, &alpha, b.dev, n, x.dev, 1, &beta, y.dev, 1));
    OK(CALL(gemv)(h, CUBLAS_OP_N, n, k, &alpha, b.dev, n, x.dev, 1, &beta, y.dev, 1));
    printf("%cgemv %llx\n", letter, bits_of(y.dev, y.host.size() * sizeof(T)));
    OK(pick<T>(cublasSnrm2, cublasDnrm2, cublasScnrm2, cublasDznrm2)(h, N, x.dev, 1, &norm));
    printf("%cnrm2 %.17g\n", letter, (double)norm);
    OK(pick<T>(cublasSasum, cublasDasum, cublasScasum, cublasDzasum)(h, N, x.dev, 1, &norm));
    printf("%casum %.17g\n", letter, (double)norm);
    T dot;
    OK(CALL2(dot, dotc)(h, N, x.dev, 1, y.dev, 1, &dot));
    printf("%cdot %.17Lg\n", letter, number<T>::of(dot).real());
}

static void pieces(cublasHandle_t h)
{
    const int m = 300, n = 260, k = 700;
    array<float> a((size_t)m * k), b((size_t)k * n), c((size_t)m * n), d((size_t)m * n);
    float one = 1, zero = 0;
    OK(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &one, a.dev, m, b.dev, n, &zero, c.dev, m));
    for (int i = 0; i < m; i += 77)
        for (int j = 0; j < n; j += 101)
            OK(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_T, std::min(77, m - i), std::min(101, n - j), k, &one, a.dev + i,
                           m, b.dev + j, n, &zero, d.dev + i + j * m, m));
    CUDA(cudaMemcpy(d.host.data(), c.dev, d.host.size() * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(d.equals(0));
}

int main(int argc, char **)
{
    cublasHandle_t h;
    OK(cublasCreate(&h));
    all<float>(h, 'S');
    all<double>(h, 'D');
    all<cuComplex>(h, 'C');
    all<cuDoubleComplex>(h, 'Z');
    if (argc > 1)
        pieces(h);
    OK(cublasDestroy(h));
    return summary();
}
