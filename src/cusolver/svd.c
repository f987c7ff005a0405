// SPDX-License-Identifier: Apache-2.0
// Singular values and vectors: all of them, by Jacobi's method, of arrays of matrices, the largest ones.
#include "cusolver/dense.h"

#define TEMPLATE "cusolver/kernel/svd.h"
#include "library/number.h"
#undef TEMPLATE
KERNELS(gesvd)
KERNELS(gesvdj)
KERNELS(gesvda)
KERNELS(gesvdr)

// ---- gesvd: m >= n, as NVIDIA's
cusolverStatus_t solver_Dn_gesvd_bufferSize(enum number t, cusolverDnHandle_t h, int m, int n, int *lwork)
{
    (void)t;
    DN_ENTER(h);
    SOLVER_CHECK(m >= 0 && n >= 0 && m >= n && lwork);
    *lwork = dense_room(la_max(m, n));
    return CUSOLVER_STATUS_SUCCESS;
}

static bool is_job(signed char job)
{
    return job == 'A' || job == 'S' || job == 'O' || job == 'N';
}

// w has the matrices and values.
cusolverStatus_t dense_gesvd(enum number t, cusolverDnHandle_t h, signed char jobu, signed char jobvt, struct work *w)
{
    DN_ENTER(h);
    SOLVER_CHECK(is_job(jobu) && is_job(jobvt) && !(jobu == 'O' && jobvt == 'O'));
    SOLVER_CHECK(w->m >= 0 && w->n >= 0 && w->m >= w->n && solver_is_ld(w->lda, w->m) && w->info);
    const bool u = jobu == 'A' || jobu == 'S', vt = jobvt == 'A' || jobvt == 'S';
    SOLVER_CHECK((!u || solver_is_ld(w->ldc, w->m)) && (!vt || solver_is_ld(w->ldd, w->n)));
    SOLVER_CHECK((w->a && w->b && (w->c || !u) && (w->d || !vt)) || !w->n);
    w->job = (char)jobu;
    w->job2 = (char)jobvt;
    w->ldc = u ? w->ldc : 1;
    w->ldd = vt ? w->ldd : 1;
    return dense_launch(h, &gesvd_kernels[t], 1, dense_cube(w->m, w->n, w->n) * 16, w);
}

cusolverStatus_t solver_Dn_gesvd(enum number t, cusolverDnHandle_t h, signed char jobu, signed char jobvt, int m, int n,
                                 void *A, int lda, void *S, void *U, int ldu, void *VT, int ldvt, void *work, int lwork,
                                 void *rwork, int *info)
{
    (void)work;
    struct work w = {.m = m, .n = n, .a = A, .lda = lda, .b = S, .c = U, .ldc = ldu, .d = VT, .ldd = ldvt, .e = rwork};
    w.info = info;
    SOLVER_CHECK(!solver_object_is(h, OBJECT_DN) || lwork >= dense_room(la_max(m, n)));
    return dense_gesvd(t, h, jobu, jobvt, &w);
}

// ---- Jacobi's method
static cusolverStatus_t check(cusolverDnHandle_t h, cusolverEigMode_t jobz, struct work *w)
{
    DN_ENTER(h);
    SOLVER_CHECK(solver_is_job(jobz) && w->m >= 0 && w->n >= 0 && solver_is_ld(w->lda, w->m));
    const bool vectors = jobz == CUSOLVER_EIG_MODE_VECTOR;
    SOLVER_CHECK(!vectors || (solver_is_ld(w->ldc, w->m) && solver_is_ld(w->ldd, w->n)));
    w->job = vectors ? 'V' : 'N';
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t room(cusolverDnHandle_t h, cusolverEigMode_t jobz, struct work *w, int *lwork)
{
    SOLVER_TRY(check(h, jobz, w));
    SOLVER_CHECK(lwork);
    *lwork = dense_room(la_max(w->m, w->n));
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t launch(enum number t, cusolverDnHandle_t h, struct work *w, int64_t parts)
{
    const bool vectors = w->job == 'V';
    if (!w->m || !w->n || !parts)
        return CUSOLVER_STATUS_SUCCESS;
    SOLVER_CHECK(w->a && w->b && w->info && (!vectors || (w->c && w->d)));
    return dense_launch(h, &gesvdj_kernels[t], parts, dense_cube(w->m, w->n, la_min(w->m, w->n)) * 32, w);
}

cusolverStatus_t solver_Dn_gesvdj_bufferSize(enum number t, cusolverDnHandle_t h, cusolverEigMode_t jobz, int econ,
                                             int m, int n, const void *A, int lda, const void *S, const void *U,
                                             int ldu, const void *V, int ldv, int *lwork, gesvdjInfo_t params)
{
    (void)t;
    (void)econ;
    (void)A;
    (void)S;
    (void)U;
    (void)V;
    struct work w = {.m = m, .n = n, .lda = lda, .ldc = ldu, .ldd = ldv};
    SOLVER_TRY(room(h, jobz, &w, lwork));
    SOLVER_CHECK(solver_object_is(params, OBJECT_GESVDJ));
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_Dn_gesvdj(enum number t, cusolverDnHandle_t h, cusolverEigMode_t jobz, int econ, int m, int n,
                                  void *A, int lda, void *S, void *U, int ldu, void *V, int ldv, void *work, int lwork,
                                  int *info, gesvdjInfo_t params)
{
    (void)work;
    const int64_t k = la_min(m, n);
    struct work w = {.m = m, .n = n, .a = A, .lda = lda, .b = S, .c = U, .ldc = ldu, .d = V, .ldd = ldv, .info = info};
    SOLVER_TRY(check(h, jobz, &w));
    SOLVER_CHECK(solver_object_is(params, OBJECT_GESVDJ) && lwork >= dense_room(la_max(m, n)));
    w.k = econ ? k : m;
    w.p = econ ? k : n;
    w.jacobi = (struct jacobi_info *)params;
    w.jacobi->batched = false;
    return launch(t, h, &w, 1);
}

// Matrices of up to 32 rows and columns, as NVIDIA's.
enum { BATCHED_MOST = 32 };
cusolverStatus_t solver_Dn_gesvdjBatched_bufferSize(enum number t, cusolverDnHandle_t h, cusolverEigMode_t jobz, int m,
                                                    int n, const void *A, int lda, const void *S, const void *U,
                                                    int ldu, const void *V, int ldv, int *lwork, gesvdjInfo_t params,
                                                    int count)
{
    SOLVER_TRY(solver_Dn_gesvdj_bufferSize(t, h, jobz, 0, m, n, A, lda, S, U, ldu, V, ldv, lwork, params));
    SOLVER_CHECK(m <= BATCHED_MOST && n <= BATCHED_MOST && count >= 0);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_Dn_gesvdjBatched(enum number t, cusolverDnHandle_t h, cusolverEigMode_t jobz, int m, int n,
                                         void *A, int lda, void *S, void *U, int ldu, void *V, int ldv, void *work,
                                         int lwork, int *info, gesvdjInfo_t params, int count)
{
    (void)work;
    struct work w = {.m = m, .n = n, .a = A, .lda = lda, .b = S, .c = U, .ldc = ldu, .d = V, .ldd = ldv, .info = info};
    SOLVER_TRY(check(h, jobz, &w));
    SOLVER_CHECK(m <= BATCHED_MOST && n <= BATCHED_MOST && count >= 0 && solver_object_is(params, OBJECT_GESVDJ) &&
                 lwork >= dense_room(la_max(m, n)));
    w.k = m;
    w.p = n;
    w.a_step = (int64_t)lda * n;
    w.b_step = la_min(m, n);
    w.c_step = (int64_t)ldu * m;
    w.d_step = (int64_t)ldv * n;
    w.jacobi = (struct jacobi_info *)params;
    w.jacobi->batched = true;
    return launch(t, h, &w, count);
}

// ---- the largest values of tall matrices
static cusolverStatus_t gesvda_check(cusolverDnHandle_t h, cusolverEigMode_t jobz, int rank, struct work *w, int count)
{
    SOLVER_TRY(check(h, jobz, w));
    SOLVER_CHECK(w->m >= w->n && rank >= 0 && rank <= w->n && count >= 0);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_Dn_gesvdaStridedBatched_bufferSize(enum number t, cusolverDnHandle_t h, cusolverEigMode_t jobz,
                                                           int rank, int m, int n, const void *A, int lda,
                                                           long long int strideA, const void *S, long long int strideS,
                                                           const void *U, int ldu, long long int strideU, const void *V,
                                                           int ldv, long long int strideV, int *lwork, int count)
{
    (void)t;
    (void)A;
    (void)S;
    (void)U;
    (void)V;
    (void)strideA;
    (void)strideS;
    (void)strideU;
    (void)strideV;
    struct work w = {.m = m, .n = n, .lda = lda, .ldc = ldu, .ldd = ldv};
    SOLVER_TRY(gesvda_check(h, jobz, rank, &w, count));
    return room(h, jobz, &w, lwork);
}

// The norms go to the host: the call waits for them.
cusolverStatus_t solver_Dn_gesvdaStridedBatched(enum number t, cusolverDnHandle_t h, cusolverEigMode_t jobz, int rank,
                                                int m, int n, const void *A, int lda, long long int strideA, void *S,
                                                long long int strideS, void *U, int ldu, long long int strideU, void *V,
                                                int ldv, long long int strideV, void *work, int lwork, int *info,
                                                double *norms, int count)
{
    (void)work;
    struct work w = {.m = m, .n = n, .lda = lda, .b = S, .c = U, .ldc = ldu, .d = V, .ldd = ldv, .info = info};
    SOLVER_TRY(gesvda_check(h, jobz, rank, &w, count));
    SOLVER_CHECK(lwork >= dense_room(la_max(m, n)));
    w.a = (void *)(uintptr_t)A;
    w.a_step = strideA;
    w.b_step = strideS;
    w.c_step = strideU;
    w.d_step = strideV;
    w.count = rank;
    w.found = norms;
    if (!n || !count)
        return CUSOLVER_STATUS_SUCCESS;
    SOLVER_CHECK(A && S && info && (w.job == 'N' || (U && V)));
    cusolverStatus_t status = dense_launch(h, &gesvda_kernels[t], count, dense_cube(m, n, n) * 16, &w);
    return norms ? solver_wait(h->stream, status) : status;
}

// ---- functions for all types
static bool types_good(cudaDataType type, cudaDataType s, cudaDataType u, cudaDataType v, cudaDataType compute)
{
    const enum number t = number_of(type);
    return t != NUMBERS && number_of(s) == number_real(t) && u == type && v == type && compute == type;
}

cusolverStatus_t solver_DnXgesvd_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t params, signed char jobu,
                                            signed char jobvt, int64_t m, int64_t n, cudaDataType type, const void *A,
                                            int64_t lda, cudaDataType type_s, const void *S, cudaDataType type_u,
                                            const void *U, int64_t ldu, cudaDataType type_vt, const void *VT,
                                            int64_t ldvt, cudaDataType compute, size_t *device, size_t *host)
{
    (void)params;
    (void)A;
    (void)S;
    (void)U;
    (void)VT;
    (void)ldu;
    (void)ldvt;
    DN_ENTER(h);
    SOLVER_CHECK(is_job(jobu) && is_job(jobvt) && m >= 0 && n >= 0 && m >= n && solver_is_ld(lda, m));
    SOLVER_CHECK(types_good(type, type_s, type_u, type_vt, compute));
    return dense_bytes(dense_room(la_max(m, n)), number_of(type), device, host);
}

cusolverStatus_t solver_DnXgesvd(cusolverDnHandle_t h, cusolverDnParams_t params, signed char jobu, signed char jobvt,
                                 int64_t m, int64_t n, cudaDataType type, void *A, int64_t lda, cudaDataType type_s,
                                 void *S, cudaDataType type_u, void *U, int64_t ldu, cudaDataType type_vt, void *VT,
                                 int64_t ldvt, cudaDataType compute, void *buffer, size_t bytes, void *host,
                                 size_t host_bytes, int *info)
{
    (void)params;
    (void)buffer;
    (void)bytes;
    (void)host;
    (void)host_bytes;
    DN_ENTER(h);
    SOLVER_CHECK(types_good(type, type_s, type_u, type_vt, compute));
    struct work w = {.m = m, .n = n, .a = A, .lda = lda, .b = S, .c = U, .ldc = ldu, .d = VT, .ldd = ldvt};
    w.info = info;
    return dense_gesvd(number_of(type), h, jobu, jobvt, &w);
}

cusolverStatus_t solver_DnXgesvdp_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t params, cusolverEigMode_t jobz,
                                             int econ, int64_t m, int64_t n, cudaDataType type, const void *A,
                                             int64_t lda, cudaDataType type_s, const void *S, cudaDataType type_u,
                                             const void *U, int64_t ldu, cudaDataType type_v, const void *V,
                                             int64_t ldv, cudaDataType compute, size_t *device, size_t *host)
{
    (void)params;
    (void)econ;
    (void)A;
    (void)S;
    (void)U;
    (void)V;
    struct work w = {.m = m, .n = n, .lda = lda, .ldc = ldu, .ldd = ldv};
    SOLVER_TRY(check(h, jobz, &w));
    SOLVER_CHECK(types_good(type, type_s, type_u, type_v, compute));
    return dense_bytes(dense_room(la_max(m, n)), number_of(type), device, host);
}

// What is perturbed by NVIDIA's method of polar factors is not here: the error is 0.
cusolverStatus_t solver_DnXgesvdp(cusolverDnHandle_t h, cusolverDnParams_t params, cusolverEigMode_t jobz, int econ,
                                  int64_t m, int64_t n, cudaDataType type, void *A, int64_t lda, cudaDataType type_s,
                                  void *S, cudaDataType type_u, void *U, int64_t ldu, cudaDataType type_v, void *V,
                                  int64_t ldv, cudaDataType compute, void *buffer, size_t bytes, void *host,
                                  size_t host_bytes, int *info, double *error)
{
    (void)params;
    (void)buffer;
    (void)bytes;
    (void)host;
    (void)host_bytes;
    struct work w = {.m = m, .n = n, .a = A, .lda = lda, .b = S, .c = U, .ldc = ldu, .d = V, .ldd = ldv, .info = info};
    SOLVER_TRY(check(h, jobz, &w));
    SOLVER_CHECK(types_good(type, type_s, type_u, type_v, compute));
    w.k = econ ? la_min(m, n) : m;
    w.p = econ ? la_min(m, n) : n;
    if (error)
        *error = 0;
    return launch(number_of(type), h, &w, 1);
}

static cusolverStatus_t gesvdr_check(cusolverDnHandle_t h, signed char jobu, signed char jobv, int64_t m, int64_t n,
                                     int64_t k, int64_t p, int64_t steps, int64_t lda)
{
    DN_ENTER(h);
    SOLVER_CHECK((jobu == 'S' || jobu == 'N') && (jobv == 'S' || jobv == 'N') && m >= 0 && n >= 0 && k >= 0 && p >= 0);
    SOLVER_CHECK(k + p <= la_min(m, n) && steps >= 0 && solver_is_ld(lda, m));
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_DnXgesvdr_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t params, signed char jobu,
                                             signed char jobv, int64_t m, int64_t n, int64_t k, int64_t p,
                                             int64_t steps, cudaDataType type, const void *A, int64_t lda,
                                             cudaDataType type_s, const void *S, cudaDataType type_u, const void *U,
                                             int64_t ldu, cudaDataType type_v, const void *V, int64_t ldv,
                                             cudaDataType compute, size_t *device, size_t *host)
{
    (void)params;
    (void)A;
    (void)S;
    (void)U;
    (void)V;
    (void)ldu;
    (void)ldv;
    SOLVER_TRY(gesvdr_check(h, jobu, jobv, m, n, k, p, steps, lda));
    SOLVER_CHECK(types_good(type, type_s, type_u, type_v, compute));
    return dense_bytes(dense_room(la_max(m, n)), number_of(type), device, host);
}

cusolverStatus_t solver_DnXgesvdr(cusolverDnHandle_t h, cusolverDnParams_t params, signed char jobu, signed char jobv,
                                  int64_t m, int64_t n, int64_t k, int64_t p, int64_t steps, cudaDataType type, void *A,
                                  int64_t lda, cudaDataType type_s, void *S, cudaDataType type_u, void *U, int64_t ldu,
                                  cudaDataType type_v, void *V, int64_t ldv, cudaDataType compute, void *buffer,
                                  size_t bytes, void *host, size_t host_bytes, int *info)
{
    (void)params;
    (void)buffer;
    (void)bytes;
    (void)host;
    (void)host_bytes;
    SOLVER_TRY(gesvdr_check(h, jobu, jobv, m, n, k, p, steps, lda));
    SOLVER_CHECK(types_good(type, type_s, type_u, type_v, compute) && info);
    SOLVER_CHECK(
        (A && S && (jobu == 'N' || (U && solver_is_ld(ldu, m))) && (jobv == 'N' || (V && solver_is_ld(ldv, n)))) || !k);
    struct work w = {.m = m, .n = n, .k = k, .p = p, .step = steps, .a = A, .lda = lda, .b = S, .c = U, .ldc = ldu};
    w.d = V;
    w.ldd = ldv;
    w.info = info;
    w.job = (char)jobu;
    w.job2 = (char)jobv;
    return dense_launch(h, &gesvdr_kernels[number_of(type)], k ? 1 : 0, dense_cube(m, n, k + p) * 4, &w);
}
