// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients for a large sparse system: Poisson's equation on a square. cuSPARSE multiplies the matrix with a vector, cuBLAS does the rest;
// numbers that only the device needs stay there.
// Options: -lcusparse -lcublas
#include "../check.h"
#include <cmath>
#include <cublas_v2.h>
#include <cusparse.h>
#include <vector>

constexpr int SIDE = 64, N = SIDE * SIDE, MOST = 400;
constexpr double PI = 3.14159265358979;

struct csr {
    std::vector<int> start, column;
    std::vector<double> value;
};
static csr poisson()
{
    csr a;
    for (int i = 0; i < N; i++) {
        int x = i % SIDE, y = i / SIDE;
        a.start.push_back((int)a.column.size());
        auto put = [&](bool there, int column, double value) {
            if (there)
                a.column.push_back(column), a.value.push_back(value);
        };
        put(y > 0, i - SIDE, -1);
        put(x > 0, i - 1, -1);
        put(true, i, 4);
        put(x < SIDE - 1, i + 1, -1);
        put(y < SIDE - 1, i + SIDE, -1);
    }
    a.start.push_back((int)a.column.size());
    return a;
}
template <class T> static T *to_device(const std::vector<T> &v)
{
    T *p;
    CHECK(cudaMalloc(&p, v.size() * sizeof(T)));
    CHECK(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}

int main()
{
    csr a = poisson();
    std::vector<double> exact(N), b(N), got(N);
    for (int i = 0; i < N; i++)
        exact[i] = std::sin(PI * (i % SIDE + 1) / (SIDE + 1)) + 0.01 * (i % 13);
    for (int i = 0; i < N; i++)
        for (int k = a.start[i]; k < a.start[i + 1]; k++)
            b[i] += a.value[k] * exact[a.column[k]];

    cusparseHandle_t sparse;
    cublasHandle_t blas;
    CHECK(cusparseCreate(&sparse));
    CHECK(cublasCreate(&blas));
    int *start = to_device(a.start), *column = to_device(a.column);
    double *value = to_device(a.value), *r = to_device(b), *p = to_device(b), *x = to_device(got), *ap = to_device(got);
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t in, out;
    CHECK(cusparseCreateCsr(&matrix, N, N, (int64_t)a.value.size(), start, column, value, CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
    CHECK(cusparseCreateDnVec(&in, N, p, CUDA_R_64F));
    CHECK(cusparseCreateDnVec(&out, N, ap, CUDA_R_64F));
    const double one = 1, zero = 0;
    size_t room;
    void *buffer;
    CHECK(cusparseSpMV_bufferSize(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, in, &zero, out, CUDA_R_64F,
                                  CUSPARSE_SPMV_ALG_DEFAULT, &room));
    CHECK(cudaMalloc(&buffer, room));

    double rr, before, pap;
    int steps = 0;
    CHECK(cublasDdot(blas, N, r, 1, r, 1, &rr));
    double first = rr;
    while (rr > 1e-20 * first && steps++ < MOST) {
        CHECK(cusparseSpMV(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, in, &zero, out, CUDA_R_64F,
                           CUSPARSE_SPMV_ALG_DEFAULT, buffer));
        CHECK(cublasDdot(blas, N, p, 1, ap, 1, &pap));
        double alpha = rr / pap, minus = -alpha;
        CHECK(cublasDaxpy(blas, N, &alpha, p, 1, x, 1));
        CHECK(cublasDaxpy(blas, N, &minus, ap, 1, r, 1));
        before = rr;
        CHECK(cublasDdot(blas, N, r, 1, r, 1, &rr));
        double beta = rr / before;
        CHECK(cublasDscal(blas, N, &beta, p, 1));
        CHECK(cublasDaxpy(blas, N, &one, r, 1, p, 1));
    }
    CHECK(cudaMemcpy(got.data(), x, N * sizeof(double), cudaMemcpyDeviceToHost));
    double worst = 0;
    for (int i = 0; i < N; i++)
        worst = std::fmax(worst, std::fabs(got[i] - exact[i]));
    printf("%d unknowns, %zu entries: %d steps, largest error %.1e\n", N, a.value.size(), steps, worst);
    CHECK(cusparseDestroySpMat(matrix));
    CHECK(cusparseDestroyDnVec(in));
    CHECK(cusparseDestroyDnVec(out));
    CHECK(cusparseDestroy(sparse));
    CHECK(cublasDestroy(blas));
    return verdict(worst < 1e-7 && steps < MOST);
}
