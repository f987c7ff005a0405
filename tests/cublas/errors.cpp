// SPDX-License-Identifier: Apache-2.0
// Bad arguments: the documented status, and nothing is done. Bad pointers: the error that a kernel would leave.
#include "blas_test.h"

static const cublasStatus_t BAD = CUBLAS_STATUS_INVALID_VALUE, NONE = CUBLAS_STATUS_NOT_INITIALIZED;

static void handles()
{
    cublasHandle_t h = nullptr, gone;
    float alpha = 1, x[4] = {1, 2, 3, 4}, result = 7;
    int version = 0;
    WANT(cublasCreate(nullptr), BAD);
    OK(cublasCreate(&gone));
    OK(cublasGetVersion(gone, &version));
    CHECK(version >= 12000);
    OK(cublasDestroy(gone));
    if (!on_heddle()) // NVIDIA's library frees memory twice
        gone = nullptr;
    for (cublasHandle_t bad : {h, gone}) {
        WANT(cublasDestroy(bad), NONE);
        WANT(cublasSetStream(bad, 0), NONE);
        WANT(cublasSaxpy(bad, 4, &alpha, x, 1, x, 1), NONE);
        WANT(cublasSdot(bad, 4, x, 1, x, 1, &result), NONE);
        WANT(cublasSgemm(bad, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &alpha, x, 1, x, 1, &alpha, x, 1), NONE);
        WANT(cublasSetMathMode(bad, CUBLAS_DEFAULT_MATH), NONE);
    }
    CHECK(result == 7 && x[0] == 1);
}

static void arguments(cublasHandle_t h)
{
    array<double> a(100), b(100), c(100);
    array<cuComplex> z(100);
    double one = 1, result = 0;
    cuComplex cone = make_cuComplex(1, 0);
    const auto N = CUBLAS_OP_N, T = CUBLAS_OP_T;
    const auto U = CUBLAS_FILL_MODE_UPPER;
    const auto L = CUBLAS_SIDE_LEFT, R = CUBLAS_SIDE_RIGHT;
    const auto D = CUBLAS_DIAG_NON_UNIT;
    std::vector<double> before = c.host;
    // level 1, which is not said to check scalars and results
    HEDDLE_ONLY(WANT(cublasDaxpy(h, 4, nullptr, a.dev, 1, c.dev, 1), BAD),
                WANT(cublasDdot(h, 4, a.dev, 1, b.dev, 1, nullptr), BAD),
                WANT(cublasDnrm2(h, 4, a.dev, 1, nullptr), BAD), WANT(cublasIdamax(h, 4, a.dev, 1, nullptr), BAD));
    OK(cublasDaxpy(h, 0, &one, nullptr, 1, nullptr, 1));
    OK(cublasDscal(h, -3, &one, nullptr, 1));
    // level 2
    WANT(cublasDgemv(h, N, 5, 2, &one, a.dev, 4, b.dev, 1, &one, c.dev, 1), BAD);
    // the documentation has these statuses; the library of CUDA 13 succeeds
    HEDDLE_ONLY(WANT(cublasDgemv(h, N, -1, 2, &one, a.dev, 5, b.dev, 1, &one, c.dev, 1), BAD),
                WANT(cublasDgemv(h, N, 5, 2, &one, a.dev, 5, b.dev, 0, &one, c.dev, 1), BAD),
                WANT(cublasDgemv(h, N, 5, 2, &one, a.dev, 5, b.dev, 1, &one, c.dev, 0), BAD),
                WANT(cublasDgemv(h, (cublasOperation_t)9, 5, 2, &one, a.dev, 5, b.dev, 1, &one, c.dev, 1), BAD));
    WANT(cublasDgbmv(h, N, 5, 5, 2, 1, &one, a.dev, 3, b.dev, 1, &one, c.dev, 1), BAD);
    WANT(cublasDsymv(h, (cublasFillMode_t)5, 5, &one, a.dev, 5, b.dev, 1, &one, c.dev, 1), BAD);
    WANT(cublasDsymv(h, U, 5, &one, a.dev, 4, b.dev, 1, &one, c.dev, 1), BAD);
    WANT(cublasDsbmv(h, U, 5, 2, &one, a.dev, 2, b.dev, 1, &one, c.dev, 1), BAD);
    WANT(cublasDtrsv(h, U, N, (cublasDiagType_t)4, 5, a.dev, 5, c.dev, 1), BAD);
    WANT(cublasDtrsv(h, U, N, D, 5, a.dev, 5, c.dev, 0), BAD);
    WANT(cublasDtbmv(h, U, N, D, 5, -1, a.dev, 5, c.dev, 1), BAD);
    WANT(cublasDger(h, 5, 5, &one, a.dev, 1, b.dev, 1, c.dev, 4), BAD);
    WANT(cublasDsyr(h, U, -5, &one, a.dev, 1, c.dev, 5), BAD);
    // level 3
    WANT(cublasDgemm(h, N, N, -1, 2, 3, &one, a.dev, 5, b.dev, 5, &one, c.dev, 5), BAD);
    WANT(cublasDgemm(h, N, N, 4, 4, -1, &one, a.dev, 5, b.dev, 5, &one, c.dev, 5), BAD);
    WANT(cublasDgemm(h, N, N, 4, 4, 3, &one, a.dev, 3, b.dev, 5, &one, c.dev, 5), BAD);
    WANT(cublasDgemm(h, N, N, 4, 4, 3, &one, a.dev, 4, b.dev, 2, &one, c.dev, 5), BAD);
    WANT(cublasDgemm(h, N, N, 4, 4, 3, &one, a.dev, 4, b.dev, 3, &one, c.dev, 3), BAD);
    WANT(cublasDgemm(h, T, N, 4, 4, 3, &one, a.dev, 2, b.dev, 3, &one, c.dev, 4), BAD);
    WANT(cublasDgemm(h, N, T, 4, 4, 3, &one, a.dev, 4, b.dev, 3, &one, c.dev, 4), BAD);
    WANT(cublasDgemm(h, N, N, 4, 4, 3, nullptr, a.dev, 4, b.dev, 3, &one, c.dev, 4), BAD);
    WANT(cublasDgemmStridedBatched(h, N, N, 4, 4, 3, &one, a.dev, 4, 12, b.dev, 3, 12, &one, c.dev, 4, 16, -1), BAD);
    OK(cublasDgemm(h, N, N, 0, 4, 3, &one, a.dev, 4, b.dev, 3, &one, c.dev, 4));
    WANT(cublasDsymm(h, L, U, 4, 3, &one, a.dev, 3, b.dev, 4, &one, c.dev, 4), BAD);
    WANT(cublasDsymm(h, R, U, 4, 3, &one, a.dev, 3, b.dev, 3, &one, c.dev, 4), BAD);
    WANT(cublasDsymm(h, (cublasSideMode_t)7, U, 4, 3, &one, a.dev, 4, b.dev, 4, &one, c.dev, 4), BAD);
    WANT(cublasDsyrk(h, U, N, 4, 3, &one, a.dev, 3, &one, c.dev, 4), BAD);
    WANT(cublasDsyrk(h, U, T, 4, 3, &one, a.dev, 3, &one, c.dev, 3), BAD);
    HEDDLE_ONLY(WANT(cublasCsyrk(h, U, CUBLAS_OP_C, 4, 3, &cone, z.dev, 4, &cone, z.dev, 4), BAD)); // as of old
    WANT(cublasDtrmm(h, L, U, N, D, 4, 3, &one, a.dev, 3, b.dev, 4, c.dev, 4), BAD);
    WANT(cublasDtrsm(h, R, U, N, D, 4, 3, &one, a.dev, 2, c.dev, 4), BAD);
    HEDDLE_ONLY(WANT(cublasDtrsm(h, R, U, N, D, 4, 3, nullptr, a.dev, 3, c.dev, 4), BAD)); // not said to be checked
    // extensions
    WANT(cublasDgeam(h, N, N, 4, 4, &one, a.dev, 3, &one, b.dev, 4, c.dev, 4), BAD);
    WANT(cublasDgeam(h, T, N, 4, 4, &one, c.dev, 4, &one, b.dev, 4, c.dev, 4), BAD);
    WANT(cublasDdgmm(h, L, 4, 4, a.dev, 3, b.dev, 1, c.dev, 4), BAD);
    int info = 0, *pivots = (int *)c.dev;
    double **list = (double **)a.dev; // not looked at
    // a launch that fails, with NVIDIA's
    HEDDLE_ONLY(WANT(cublasDgetrsBatched(h, N, 4, 1, list, 4, pivots, list, 4, &info, -1), BAD), CHECK(info == -10));
    WANT(cublasDgetrsBatched(h, N, 4, 1, list, 3, pivots, list, 4, &info, 1), BAD);
    CHECK(on_heddle() ? info == -5 : info < 0); // which one is counted is not said
    WANT(cublasDmatinvBatched(h, 33, nullptr, 33, nullptr, 33, nullptr, 1), BAD);
    // transfers
    double host[4] = {0};
    WANT(cublasSetVector(4, sizeof(double), host, 0, a.dev, 1), BAD);
    WANT(cublasSetVector(4, 0, host, 1, a.dev, 1), BAD);
    WANT(cublasGetMatrix(4, 1, sizeof(double), a.dev, 0, host, 4), BAD);
    CHECK(result == 0);
    CHECK(c.equals(0));
}

// The context is lost: last.
static void pointers(cublasHandle_t h)
{
    double one = 1, *nowhere = (double *)16, result = 0;
    bool ours = on_heddle();
    cublasStatus_t lost = cublasDdot(h, 100, nowhere, 1, nowhere, 1, &result);
    CHECK(ours ? lost == CUBLAS_STATUS_EXECUTION_FAILED : lost != CUBLAS_STATUS_SUCCESS);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    lost = cublasDscal(h, 100, &one, nowhere, 1);
    CHECK(ours ? lost == CUBLAS_STATUS_EXECUTION_FAILED : lost != CUBLAS_STATUS_SUCCESS);
}

int main()
{
    cublasHandle_t h;
    handles();
    OK(cublasCreate(&h));
    arguments(h);
    pointers(h);
    cublasDestroy(h); // whatever it says: the context is lost
    return summary();
}
