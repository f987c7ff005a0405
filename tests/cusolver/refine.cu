// SPDX-License-Identifier: Apache-2.0
// Solvers by iterative refinement: all pairs of types, matrices that are too hard for the lower one, parameters, singular matrices.
#include "solver_test.h"

static cusolverDnHandle_t h;

#define PAIR(pair, T)                                                                                                  \
    {                                                                                                                  \
        const int n = 40, m = 60;                                                                                      \
        matrix a = random_matrix<T>(n, n);                                                                             \
        for (int i = 0; i < n; i++)                                                                                    \
            a(i, i) += 8;                                                                                              \
        const matrix x = random_matrix<T>(n, 3), tall = random_matrix<T>(m, n), noise = random_matrix<T>(m, 3);        \
        device<T> d(a), b(a * x), r(n, 3), e(tall), c(noise), s(n, 3);                                                 \
        array<int> pivots(n), info(1);                                                                                 \
        int iterations = 99;                                                                                           \
        size_t bytes = 0;                                                                                              \
        OK(cusolverDn##pair##gesv_bufferSize(h, n, 3, d.p(), d.lda(), pivots.dev, b.p(), b.lda(), r.p(), r.lda(),      \
                                             nullptr, &bytes));                                                        \
        array<char> work(bytes);                                                                                       \
        OK(cusolverDn##pair##gesv(h, n, 3, d.p(), d.lda(), pivots.dev, b.p(), b.lda(), r.p(), r.lda(), work.dev,       \
                                  bytes, &iterations, info.dev));                                                      \
        CHECK(info.one() == 0 && iterations < 99);                                                                     \
        CHECK(close<T>(r.get(), x, 2000));                                                                             \
        OK(cusolverDn##pair##gels_bufferSize(h, m, n, 3, e.p(), e.lda(), c.p(), c.lda(), s.p(), s.lda(), nullptr,      \
                                             &bytes));                                                                 \
        array<char> work2(bytes);                                                                                      \
        OK(cusolverDn##pair##gels(h, m, n, 3, e.p(), e.lda(), c.p(), c.lda(), s.p(), s.lda(), work2.dev, bytes,        \
                                  &iterations, info.dev));                                                             \
        CHECK(info.one() == 0);                                                                                        \
        const matrix gradient = tall.adjoint() * (noise - tall * s.get());                                             \
        CHECK(gradient.norm() <= 2000 * eps<T>() * tall.norm() * tall.norm() * s.get().norm());                        \
    }

static void pairs()
{
    PAIR(ZZ, cuDoubleComplex)
    PAIR(ZC, cuDoubleComplex)
    PAIR(ZK, cuDoubleComplex)
    PAIR(ZE, cuDoubleComplex)
    PAIR(ZY, cuDoubleComplex)
    PAIR(CC, cuComplex)
    PAIR(CK, cuComplex)
    PAIR(CE, cuComplex)
    PAIR(CY, cuComplex)
    PAIR(DD, double)
    PAIR(DS, double)
    PAIR(DH, double)
    PAIR(DB, double)
    PAIR(DX, double)
    PAIR(SS, float)
    PAIR(SH, float)
    PAIR(SB, float)
    PAIR(SX, float)
}

static void hard()
{
    const int n = 12; // Hilbert's matrix: no lower factors will do
    matrix a(n, n), x(n, 1);
    for (int j = 0; j < n; j++) {
        x(j, 0) = 1;
        for (int i = 0; i < n; i++)
            a(i, j) = 1.0 / (i + j + 1);
    }
    const matrix right = a * x;
    device<double> d(a), b(right), r(n, 1);
    array<int> pivots(n), info(1);
    int iterations = 0;
    size_t bytes = 0;
    OK(cusolverDnDSgesv_bufferSize(h, n, 1, d.p(), d.lda(), pivots.dev, b.p(), b.lda(), r.p(), r.lda(), nullptr,
                                   &bytes));
    array<char> work(bytes);
    OK(cusolverDnDSgesv(h, n, 1, d.p(), d.lda(), pivots.dev, b.p(), b.lda(), r.p(), r.lda(), work.dev, bytes,
                        &iterations, info.dev));
    CHECK(info.one() == 0);
    CHECK((a * r.get() - right).norm() <= 1e-13 * right.norm());
    WANT(cusolverDnDSgesv(h, n, 1, d.p(), d.lda(), pivots.dev, b.p(), b.lda(), r.p(), r.lda(), work.dev, 0, &iterations,
                          info.dev),
         CUSOLVER_STATUS_INVALID_WORKSPACE);
    matrix singular = matrix::unit(n);
    singular(4, 4) = 0;
    d.put(singular);
    OK(cusolverDnDSgesv(h, n, 1, d.p(), d.lda(), pivots.dev, b.p(), b.lda(), r.p(), r.lda(), work.dev, bytes,
                        &iterations, info.dev));
    CHECK(info.one() == 5 || !on_heddle()); // NVIDIA's of 13.0 says 0
}

static void expert()
{
    const int n = 30;
    matrix a = random_matrix<double>(n, n);
    for (int i = 0; i < n; i++)
        a(i, i) += 9;
    const matrix x = random_matrix<double>(n, 2);
    device<double> d(a), b(a * x), r(n, 2);
    array<int> info(1);
    cusolverDnIRSParams_t params;
    cusolverDnIRSInfos_t infos;
    size_t bytes = 0;
    int iterations = 99, most = 0, again = 0;
    OK(cusolverDnIRSParamsCreate(&params));
    OK(cusolverDnIRSInfosCreate(&infos));
    // Setters take anything; what does not go together is told when a solver is asked for.
    WANT(cusolverDnIRSXgesv_bufferSize(h, params, n, 2, &bytes), CUSOLVER_STATUS_IRS_PARAMS_INVALID);
    WANT(cusolverDnIRSParamsSetTol(params, 1e-15), CUSOLVER_STATUS_INVALID_VALUE);
    OK(cusolverDnIRSParamsSetSolverMainPrecision(params, CUSOLVER_R_8I));
    WANT(cusolverDnIRSXgesv_bufferSize(h, params, n, 2, &bytes), CUSOLVER_STATUS_IRS_PARAMS_INVALID);
    OK(cusolverDnIRSParamsSetSolverMainPrecision(params, CUSOLVER_R_64F));
    OK(cusolverDnIRSParamsSetSolverLowestPrecision(params, CUSOLVER_R_AP));
    OK(cusolverDnIRSParamsSetRefinementSolver(params, CUSOLVER_IRS_REFINE_CLASSICAL));
    WANT(cusolverDnIRSXgesv_bufferSize(h, params, n, 2, &bytes), CUSOLVER_STATUS_IRS_NOT_SUPPORTED);
    OK(cusolverDnIRSParamsSetSolverLowestPrecision(params, CUSOLVER_C_16F));
    OK(cusolverDnIRSXgesv_bufferSize(h, params, n, 2, &bytes));
    OK(cusolverDnIRSParamsSetRefinementSolver(params, CUSOLVER_IRS_REFINE_GMRES_NOPCOND));
    WANT(cusolverDnIRSXgesv_bufferSize(h, params, n, 2, &bytes), CUSOLVER_STATUS_IRS_NOT_SUPPORTED);
    OK(cusolverDnIRSParamsSetRefinementSolver(params, (cusolverIRSRefinement_t)99));
    if (on_heddle())
        WANT(cusolverDnIRSXgesv_bufferSize(h, params, n, 2, &bytes), CUSOLVER_STATUS_IRS_PARAMS_INVALID_REFINE);
    OK(cusolverDnIRSParamsSetMaxIters(params, -4));
    OK(cusolverDnIRSParamsGetMaxIters(params, &most));
    CHECK(most == -4);
    OK(cusolverDnIRSParamsSetSolverPrecisions(params, CUSOLVER_R_64F, CUSOLVER_R_32F));
    OK(cusolverDnIRSParamsSetRefinementSolver(params, CUSOLVER_IRS_REFINE_CLASSICAL));
    OK(cusolverDnIRSParamsSetMaxIters(params, 20));
    OK(cusolverDnIRSParamsGetMaxIters(params, &most));
    CHECK(most == 20);
    OK(cusolverDnIRSParamsSetTol(params, 1e-15));
    OK(cusolverDnIRSParamsEnableFallback(params));
    OK(cusolverDnIRSInfosRequestResidual(infos));
    OK(cusolverDnIRSXgesv_bufferSize(h, params, n, 2, &bytes));
    array<char> work(bytes);
    OK(cusolverDnIRSXgesv(h, params, infos, n, 2, d.p(), d.lda(), b.p(), b.lda(), r.p(), r.lda(), work.dev, bytes,
                          &iterations, info.dev));
    CHECK(info.one() == 0 && iterations < 99);
    CHECK(close<double>(r.get(), x, 1000));
    OK(cusolverDnIRSInfosGetNiters(infos, &again));
    CHECK(again == iterations);
    void *history = nullptr;
    OK(cusolverDnIRSInfosGetResidualHistory(infos, &history));
    CHECK(history != nullptr);
    WANT(cusolverDnIRSXgesv_bufferSize(h, nullptr, n, 2, &bytes), CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED);
    OK(cusolverDnIRSXgels_bufferSize(h, params, n, n, 2, &bytes));
    array<char> work2(bytes);
    d.put(a);
    OK(cusolverDnIRSXgels(h, params, infos, n, n, 2, d.p(), d.lda(), b.p(), b.lda(), r.p(), r.lda(), work2.dev, bytes,
                          &iterations, info.dev));
    CHECK(close<double>(r.get(), x, 1000));
    OK(cusolverDnIRSInfosDestroy(infos));
    OK(cusolverDnIRSParamsDestroy(params));
}

int main()
{
    OK(cusolverDnCreate(&h));
    pairs();
    hard();
    expert();
    OK(cusolverDnDestroy(h));
    return summary();
}
