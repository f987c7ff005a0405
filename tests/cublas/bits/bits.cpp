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

static unsigned short brain_of(float f) // of a float that is one
{
    unsigned bits;
    memcpy(&bits, &f, sizeof bits);
    return (unsigned short)(bits >> 16);
}

// Products of bfloat16 and int8, in whole and in pieces; pedantic sums of bfloat16 are those of a loop, since products are exact.
static void narrow(cublasHandle_t h)
{
    const int m = 150, n = 90, k = 200;
    std::vector<unsigned short> a((size_t)m * k), b((size_t)k * n);
    std::vector<float> fa(a.size()), fb(b.size()), loop((size_t)m * n), c(loop.size());
    for (size_t i = 0; i < a.size(); i++)
        a[i] = brain_of(fa[i] = (float)(i * 7919 % 251 + 1) / (i % 3 ? 64.0f : -1024.0f));
    for (size_t i = 0; i < b.size(); i++)
        b[i] = brain_of(fb[i] = (float)(i * 104729 % 241 + 1) / (i % 5 ? 32.0f : -4096.0f));
    for (int j = 0; j < n; j++)
        for (int d = 0; d < k; d++)
            for (int i = 0; i < m; i++)
                loop[(size_t)(i + j * m)] += fa[(size_t)(i + d * m)] * fb[(size_t)(d + j * k)];
    unsigned short *da, *db;
    float *dc, one = 1, zero = 0;
    int32_t *di, ione = 1, izero = 0;
    CUDA(cudaMalloc(&da, a.size() * 2));
    CUDA(cudaMalloc(&db, b.size() * 2));
    CUDA(cudaMalloc(&dc, c.size() * 4));
    CUDA(cudaMalloc(&di, c.size() * 4));
    CUDA(cudaMemcpy(da, a.data(), a.size() * 2, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(db, b.data(), b.size() * 2, cudaMemcpyHostToDevice));
    auto product = [&](int i, int j, int rows, int columns, cublasComputeType_t compute) {
        OK(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, rows, columns, k, &one, da + i, CUDA_R_16BF, m, db + j * k,
                        CUDA_R_16BF, k, &zero, dc + i + j * m, CUDA_R_32F, m, compute, CUBLAS_GEMM_DEFAULT));
        CUDA(cudaMemcpy(c.data(), dc, c.size() * 4, cudaMemcpyDeviceToHost));
    };
    product(0, 0, m, n, CUBLAS_COMPUTE_32F_PEDANTIC);
    CHECK(c == loop);
    OK(cublasSetMathMode(h, CUBLAS_PEDANTIC_MATH));
    product(0, 0, m, n, CUBLAS_COMPUTE_32F);
    CHECK(c == loop);
    OK(cublasSetMathMode(h, CUBLAS_DEFAULT_MATH));
    product(0, 0, m, n, CUBLAS_COMPUTE_32F);
    printf("bfloat16 %llx\n", bits_of(dc, c.size() * 4));
    const std::vector<float> whole = c;
    for (int i = 0; i < m; i += 37)
        for (int j = 0; j < n; j += 41)
            product(i, j, std::min(37, m - i), std::min(41, n - j), CUBLAS_COMPUTE_32F);
    CHECK(c == whole);
    OK(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &ione, da, CUDA_R_8I, m, db, CUDA_R_8I, n, &izero, di,
                    CUDA_R_32I, m, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT));
    printf("int8 %llx\n", bits_of(di, c.size() * 4));
}

int main(int argc, char **)
{
    cublasHandle_t h;
    OK(cublasCreate(&h));
    all<float>(h, 'S');
    all<double>(h, 'D');
    all<cuComplex>(h, 'C');
    all<cuDoubleComplex>(h, 'Z');
    narrow(h);
    if (argc > 1)
        pieces(h);
    OK(cublasDestroy(h));
    return summary();
}
