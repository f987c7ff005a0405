// SPDX-License-Identifier: Apache-2.0
// Bad arguments, handles and objects that were destroyed, what is set and read again, versions, the logger.
#include "solver_test.h"
#include <cusolverRf.h>
#include <cusolverSp.h>

#define BAD(call) WANT(call, CUSOLVER_STATUS_INVALID_VALUE)

static void helpers()
{
    cusolverDnHandle_t h = nullptr;
    int version = 0, major = 0, minor = 0, patch = 0;
    OK(cusolverGetVersion(&version));
    OK(cusolverGetProperty(MAJOR_VERSION, &major));
    OK(cusolverGetProperty(MINOR_VERSION, &minor));
    OK(cusolverGetProperty(PATCH_LEVEL, &patch));
    CHECK(version == major * 1000 + minor * 100 + patch && major >= 11);
    BAD(cusolverGetProperty((libraryPropertyType)9, &major));
    OK(cusolverDnCreate(&h));
    cudaStream_t s = nullptr, got = nullptr;
    CUDA(cudaStreamCreate(&s));
    OK(cusolverDnSetStream(h, s));
    OK(cusolverDnGetStream(h, &got));
    CHECK(got == s);
    OK(cusolverDnSetStream(h, nullptr));
    CUDA(cudaStreamDestroy(s));
    cusolverDeterministicMode_t mode;
    OK(cusolverDnGetDeterministicMode(h, &mode));
    CHECK(mode == CUSOLVER_DETERMINISTIC_RESULTS);
    OK(cusolverDnSetDeterministicMode(h, CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS));
    OK(cusolverDnGetDeterministicMode(h, &mode));
    CHECK(mode == CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS);
    cusolverMathMode_t math;
    OK(cusolverDnGetMathMode(h, &math));
    CHECK(math == CUSOLVER_DEFAULT_MATH);
    cusolverDnParams_t params;
    OK(cusolverDnCreateParams(&params));
    OK(cusolverDnSetAdvOptions(params, CUSOLVERDN_GETRF, CUSOLVER_ALG_0));
    OK(cusolverDnSetAdvOptions(params, CUSOLVERDN_GETRF, CUSOLVER_ALG_1));
    OK(cusolverDnDestroyParams(params));
    cusolverSpHandle_t sp;
    OK(cusolverSpCreate(&sp));
    OK(cusolverSpSetStream(sp, nullptr));
    OK(cusolverSpGetStream(sp, &got));
    CHECK(got == nullptr);
    OK(cusolverSpDestroy(sp));
    cusolverRfHandle_t rf;
    OK(cusolverRfCreate(&rf));
    double zero = -1, boost = -1;
    OK(cusolverRfSetNumericProperties(rf, 1e-9, 1e-3));
    OK(cusolverRfGetNumericProperties(rf, &zero, &boost));
    CHECK(zero == 1e-9 && boost == 1e-3);
    cusolverRfMatrixFormat_t format;
    cusolverRfUnitDiagonal_t diag;
    OK(cusolverRfGetMatrixFormat(rf, &format, &diag));
    CHECK(format == CUSOLVERRF_MATRIX_FORMAT_CSR && diag == CUSOLVERRF_UNIT_DIAGONAL_STORED_L);
    OK(cusolverRfDestroy(rf));
    OK(cusolverDnDestroy(h));
    WANT(cusolverDnSetStream(nullptr, nullptr), CUSOLVER_STATUS_NOT_INITIALIZED);
    WANT(cusolverDnDestroy(nullptr), CUSOLVER_STATUS_NOT_INITIALIZED);
    WANT(cusolverSpDestroy(nullptr), CUSOLVER_STATUS_NOT_INITIALIZED);
}

template <class T> static void arguments()
{
    typedef typename number<T>::real R;
    cusolverDnHandle_t h = nullptr;
    OK(cusolverDnCreate(&h));
    array<T> a(400), b(400), tau(20), work(4000);
    array<R> w(20), e(20);
    array<int> pivots(20), info(1);
    int lwork = 0, found = 0;
    const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER, none = (cublasFillMode_t)9;
    const cusolverEigMode_t vectors = CUSOLVER_EIG_MODE_VECTOR;
    WANT(CALL(getrf_bufferSize)(nullptr, 4, 4, a.dev, 4, &lwork), CUSOLVER_STATUS_NOT_INITIALIZED);
    BAD(CALL(getrf_bufferSize)(h, -1, 4, a.dev, 4, &lwork));
    BAD(CALL(getrf_bufferSize)(h, 4, 4, a.dev, 3, &lwork));
    BAD(CALL(getrf)(h, 4, -4, a.dev, 4, work.dev, pivots.dev, info.dev));
    BAD(CALL(getrf)(h, 4, 4, a.dev, 3, work.dev, pivots.dev, info.dev));
    WANT(CALL(getrf)(nullptr, 4, 4, a.dev, 4, work.dev, pivots.dev, info.dev), CUSOLVER_STATUS_NOT_INITIALIZED);
    BAD(CALL(getrs)(h, CUBLAS_OP_N, -4, 1, a.dev, 4, pivots.dev, b.dev, 4, info.dev));
    BAD(CALL(getrs)(h, CUBLAS_OP_N, 4, 1, a.dev, 4, pivots.dev, b.dev, 3, info.dev));
    BAD(CALL(getrs)(h, (cublasOperation_t)7, 4, 1, a.dev, 4, pivots.dev, b.dev, 4, info.dev));
    BAD(CALL(potrf_bufferSize)(h, lower, -1, a.dev, 4, &lwork));
    BAD(CALL(potrf_bufferSize)(h, lower, 4, a.dev, 2, &lwork));
    BAD(CALL(potrf)(h, none, 4, a.dev, 4, work.dev, 4000, info.dev));
    BAD(CALL(potrf)(h, lower, 4, a.dev, 3, work.dev, 4000, info.dev));
    BAD(CALL(potrs)(h, lower, 4, -1, a.dev, 4, b.dev, 4, info.dev));
    BAD(CALL(potrs)(h, lower, 4, 1, a.dev, 3, b.dev, 4, info.dev));
    BAD(CALL(geqrf_bufferSize)(h, 4, -1, a.dev, 4, &lwork));
    BAD(CALL(geqrf)(h, 4, 4, a.dev, 3, tau.dev, work.dev, 4000, info.dev));
    BAD(CALL2(orgqr, ungqr)(h, 4, 5, 4, a.dev, 4, tau.dev, work.dev, 4000, info.dev));
    BAD(CALL2(orgqr, ungqr)(h, 5, 4, 5, a.dev, 5, tau.dev, work.dev, 4000, info.dev));
    BAD(CALL2(ormqr, unmqr)(h, CUBLAS_SIDE_LEFT, CUBLAS_OP_N, 4, 4, 5, a.dev, 4, tau.dev, b.dev, 4, work.dev, 4000,
                            info.dev));
    BAD(CALL2(ormqr, unmqr)(h, CUBLAS_SIDE_LEFT, CUBLAS_OP_N, 4, 4, 4, a.dev, 3, tau.dev, b.dev, 4, work.dev, 4000,
                            info.dev));
    BAD(CALL2(ormqr, unmqr)(h, CUBLAS_SIDE_LEFT, CUBLAS_OP_N, 4, 4, 4, a.dev, 4, tau.dev, b.dev, 3, work.dev, 4000,
                            info.dev));
    BAD(CALL(sytrf)(h, lower, -1, a.dev, 4, pivots.dev, work.dev, 4000, info.dev));
    BAD(CALL(sytrf)(h, lower, 4, a.dev, 3, pivots.dev, work.dev, 4000, info.dev));
    BAD(CALL(gebrd)(h, 3, 4, a.dev, 4, w.dev, e.dev, tau.dev, tau.dev, work.dev, 4000, info.dev));
    BAD(CALL2(syevd, heevd)(h, vectors, lower, 4, a.dev, 3, w.dev, work.dev, 4000, info.dev));
    BAD(CALL2(syevd, heevd)(h, vectors, lower, -4, a.dev, 4, w.dev, work.dev, 4000, info.dev));
    BAD(CALL2(syevd, heevd)(h, (cusolverEigMode_t)5, lower, 4, a.dev, 4, w.dev, work.dev, 4000, info.dev));
    BAD(CALL2(syevdx, heevdx)(h, vectors, CUSOLVER_EIG_RANGE_I, lower, 4, a.dev, 4, 0, 0, 3, 2, &found, w.dev, work.dev,
                              4000, info.dev));
    BAD(CALL2(syevdx, heevdx)(h, vectors, CUSOLVER_EIG_RANGE_V, lower, 4, a.dev, 4, 1, 0, 1, 2, &found, w.dev, work.dev,
                              4000, info.dev));
    BAD(CALL2(sygvd, hegvd)(h, (cusolverEigType_t)4, vectors, lower, 4, a.dev, 4, b.dev, 4, w.dev, work.dev, 4000,
                            info.dev));
    BAD(CALL2(sygvd, hegvd)(h, CUSOLVER_EIG_TYPE_1, vectors, lower, 4, a.dev, 4, b.dev, 3, w.dev, work.dev, 4000,
                            info.dev));
    BAD(CALL(gesvd_bufferSize)(h, 3, 4, &lwork));
    BAD(CALL(gesvd)(h, 'A', 'A', 3, 4, a.dev, 4, w.dev, b.dev, 4, b.dev, 4, work.dev, 4000, nullptr, info.dev));
    BAD(CALL(gesvd)(h, 'X', 'A', 4, 4, a.dev, 4, w.dev, b.dev, 4, b.dev, 4, work.dev, 4000, nullptr, info.dev));
    BAD(CALL(gesvd)(h, 'O', 'O', 4, 4, a.dev, 4, w.dev, b.dev, 4, b.dev, 4, work.dev, 4000, nullptr, info.dev));
    BAD(CALL(gesvd)(h, 'A', 'A', 4, 4, a.dev, 3, w.dev, b.dev, 4, b.dev, 4, work.dev, 4000, nullptr, info.dev));
    const cudaDataType t = data_type<T>();
    size_t bytes = 0, host = 0;
    BAD(cusolverDnXgetrf_bufferSize(h, nullptr, 4, -1, t, a.dev, 4, t, &bytes, &host));
    BAD(cusolverDnXpotrf_bufferSize(h, nullptr, lower, 4, t, a.dev, 3, t, &bytes, &host));
    WANT(cusolverDnXgeqrf_bufferSize(nullptr, nullptr, 4, 4, t, a.dev, 4, t, tau.dev, t, &bytes, &host),
         CUSOLVER_STATUS_NOT_INITIALIZED);
    // nothing to do is no error
    OK(CALL(getrf)(h, 0, 0, a.dev, 1, work.dev, pivots.dev, info.dev));
    OK(CALL(getrs)(h, CUBLAS_OP_N, 4, 0, a.dev, 4, pivots.dev, b.dev, 4, info.dev));
    OK(CALL(potrf)(h, lower, 0, a.dev, 1, work.dev, 0, info.dev));
    CUDA(cudaDeviceSynchronize());
    OK(cusolverDnDestroy(h));
}

int main()
{
    helpers();
    arguments<float>();
    arguments<double>();
    arguments<cuComplex>();
    arguments<cuDoubleComplex>();
    return summary();
}
