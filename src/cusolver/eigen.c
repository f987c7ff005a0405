// SPDX-License-Identifier: Apache-2.0
// Eigenvalues and vectors: of Hermitian matrices, of pairs of them, by Jacobi's method, of arrays of matrices, of general ones.
#include "cusolver/dense.h"

#define TEMPLATE "cusolver/kernel/eigen.h"
#include "library/number.h"
#undef TEMPLATE
KERNELS(syevd)
KERNELS(syevj)
KERNELS(syevjBatched)
KERNELS(syevBatched)
KERNELS(geev)

static cusolverStatus_t check(cusolverDnHandle_t h, cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                              int64_t lda)
{
    DN_ENTER(h);
    SOLVER_CHECK(solver_is_job(jobz) && solver_is_uplo(uplo) && n >= 0 && solver_is_ld(lda, n));
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t room(int64_t n, int *lwork)
{
    SOLVER_CHECK(lwork);
    *lwork = dense_room(n);
    return CUSOLVER_STATUS_SUCCESS;
}

static bool is_range(const struct work *w)
{
    return w->range == CUSOLVER_EIG_RANGE_ALL || (w->range == CUSOLVER_EIG_RANGE_V && w->vl < w->vu) ||
           (w->range == CUSOLVER_EIG_RANGE_I && ((w->il >= 1 && w->iu >= w->il && w->iu <= w->n) || !w->n));
}

// w has the matrices, the values and the range. Where the number of values is known only in the end, the call waits for it.
cusolverStatus_t dense_syevd(enum number t, cusolverDnHandle_t h, struct work *w, cusolverEigMode_t jobz,
                             cublasFillMode_t uplo)
{
    SOLVER_CHECK(w->info && ((w->a && w->b) || !w->n) && is_range(w));
    w->job = jobz == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N';
    w->uplo = solver_uplo(uplo);
    int64_t *found = w->found;
    if (found && w->range != CUSOLVER_EIG_RANGE_V) {
        *found = w->range == CUSOLVER_EIG_RANGE_ALL || !w->n ? w->n : w->iu - w->il + 1;
        w->found = NULL;
    }
    cusolverStatus_t status = dense_launch(h, &syevd_kernels[t], 1, dense_cube(w->n, w->n, w->n) * 8, w);
    return w->found ? solver_wait(h->stream, status) : status;
}

// ---- one matrix
cusolverStatus_t solver_Dn_syevd_bufferSize(enum number t, cusolverDnHandle_t h, cusolverEigMode_t jobz,
                                            cublasFillMode_t uplo, int n, const void *A, int lda, const void *W,
                                            int *lwork)
{
    (void)t;
    (void)A;
    (void)W;
    SOLVER_TRY(check(h, jobz, uplo, n, lda));
    return room(n, lwork);
}

cusolverStatus_t solver_Dn_syevd(enum number t, cusolverDnHandle_t h, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                 int n, void *A, int lda, void *W, void *work, int lwork, int *info)
{
    (void)work;
    SOLVER_TRY(check(h, jobz, uplo, n, lda));
    SOLVER_CHECK(lwork >= dense_room(n) || !n);
    struct work w = {.n = n, .a = A, .lda = lda, .b = W, .info = info, .range = CUSOLVER_EIG_RANGE_ALL};
    return dense_syevd(t, h, &w, jobz, uplo);
}

cusolverStatus_t solver_Dn_syevdx_bufferSize(enum number t, cusolverDnHandle_t h, cusolverEigMode_t jobz,
                                             cusolverEigRange_t range, cublasFillMode_t uplo, int n, const void *A,
                                             int lda, double vl, double vu, int il, int iu, int *meig, const void *W,
                                             int *lwork)
{
    (void)t;
    (void)A;
    (void)W;
    (void)meig;
    SOLVER_TRY(check(h, jobz, uplo, n, lda));
    struct work w = {.n = n, .range = range, .vl = vl, .vu = vu, .il = il, .iu = iu};
    SOLVER_CHECK(is_range(&w));
    return room(n, lwork);
}

static cusolverStatus_t ranged(enum number t, cusolverDnHandle_t h, struct work *w, cusolverEigMode_t jobz,
                               cublasFillMode_t uplo, int *meig)
{
    int64_t found = 0;
    SOLVER_CHECK(meig);
    w->found = &found;
    SOLVER_TRY(dense_syevd(t, h, w, jobz, uplo));
    *meig = (int)found;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_Dn_syevdx(enum number t, cusolverDnHandle_t h, cusolverEigMode_t jobz, cusolverEigRange_t range,
                                  cublasFillMode_t uplo, int n, void *A, int lda, double vl, double vu, int il, int iu,
                                  int *meig, void *W, void *work, int lwork, int *info)
{
    (void)work;
    SOLVER_TRY(check(h, jobz, uplo, n, lda));
    SOLVER_CHECK(lwork >= dense_room(n) || !n);
    struct work w = {.n = n, .a = A, .lda = lda, .b = W, .info = info, .range = range, .vl = vl, .vu = vu};
    w.il = il;
    w.iu = iu;
    return ranged(t, h, &w, jobz, uplo, meig);
}

// ---- pairs of matrices
static cusolverStatus_t check_pair(cusolverDnHandle_t h, cusolverEigType_t type, cusolverEigMode_t jobz,
                                   cublasFillMode_t uplo, int64_t n, int64_t lda, int64_t ldb)
{
    SOLVER_TRY(check(h, jobz, uplo, n, lda));
    SOLVER_CHECK(type >= CUSOLVER_EIG_TYPE_1 && type <= CUSOLVER_EIG_TYPE_3 && solver_is_ld(ldb, n));
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_Dn_sygvd_bufferSize(enum number t, cusolverDnHandle_t h, cusolverEigType_t type,
                                            cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const void *A,
                                            int lda, const void *B, int ldb, const void *W, int *lwork)
{
    (void)t;
    (void)A;
    (void)B;
    (void)W;
    SOLVER_TRY(check_pair(h, type, jobz, uplo, n, lda, ldb));
    return room(n, lwork);
}

cusolverStatus_t solver_Dn_sygvd(enum number t, cusolverDnHandle_t h, cusolverEigType_t type, cusolverEigMode_t jobz,
                                 cublasFillMode_t uplo, int n, void *A, int lda, void *B, int ldb, void *W, void *work,
                                 int lwork, int *info)
{
    (void)work;
    SOLVER_TRY(check_pair(h, type, jobz, uplo, n, lda, ldb));
    SOLVER_CHECK((B && lwork >= dense_room(n)) || !n);
    struct work w = {.n = n, .a = A, .lda = lda, .b = W, .c = B, .ldc = ldb, .type = (int)type, .info = info};
    w.range = CUSOLVER_EIG_RANGE_ALL;
    return dense_syevd(t, h, &w, jobz, uplo);
}

cusolverStatus_t solver_Dn_sygvdx_bufferSize(enum number t, cusolverDnHandle_t h, cusolverEigType_t type,
                                             cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo,
                                             int n, const void *A, int lda, const void *B, int ldb, double vl,
                                             double vu, int il, int iu, int *meig, const void *W, int *lwork)
{
    (void)t;
    (void)A;
    (void)B;
    (void)W;
    (void)meig;
    SOLVER_TRY(check_pair(h, type, jobz, uplo, n, lda, ldb));
    struct work w = {.n = n, .range = range, .vl = vl, .vu = vu, .il = il, .iu = iu};
    SOLVER_CHECK(is_range(&w));
    return room(n, lwork);
}

cusolverStatus_t solver_Dn_sygvdx(enum number t, cusolverDnHandle_t h, cusolverEigType_t type, cusolverEigMode_t jobz,
                                  cusolverEigRange_t range, cublasFillMode_t uplo, int n, void *A, int lda, void *B,
                                  int ldb, double vl, double vu, int il, int iu, int *meig, void *W, void *work,
                                  int lwork, int *info)
{
    (void)work;
    SOLVER_TRY(check_pair(h, type, jobz, uplo, n, lda, ldb));
    SOLVER_CHECK((B && lwork >= dense_room(n)) || !n);
    struct work w = {.n = n, .a = A, .lda = lda, .b = W, .c = B, .ldc = ldb, .type = (int)type, .info = info};
    w.range = range;
    w.vl = vl;
    w.vu = vu;
    w.il = il;
    w.iu = iu;
    return ranged(t, h, &w, jobz, uplo, meig);
}

// ---- Jacobi's method
static bool is_jacobi(syevjInfo_t params)
{
    return solver_object_is(params, OBJECT_SYEVJ);
}

cusolverStatus_t solver_Dn_syevj_bufferSize(enum number t, cusolverDnHandle_t h, cusolverEigMode_t jobz,
                                            cublasFillMode_t uplo, int n, const void *A, int lda, const void *W,
                                            int *lwork, syevjInfo_t params)
{
    (void)t;
    (void)A;
    (void)W;
    SOLVER_TRY(check(h, jobz, uplo, n, lda));
    SOLVER_CHECK(is_jacobi(params));
    return room(n, lwork);
}

static cusolverStatus_t rotations(struct library_kernel *k, cusolverDnHandle_t h, cusolverEigMode_t jobz,
                                  cublasFillMode_t uplo, struct work *w, syevjInfo_t params, int64_t parts, int lwork)
{
    SOLVER_CHECK(is_jacobi(params) && ((w->info && w->a && w->b && lwork >= dense_room(w->n)) || !w->n || !parts));
    w->job = jobz == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N';
    w->uplo = solver_uplo(uplo);
    w->jacobi = (struct jacobi_info *)params;
    return dense_launch(h, k, parts, dense_cube(w->n, w->n, w->n) * 32, w);
}

cusolverStatus_t solver_Dn_syevj(enum number t, cusolverDnHandle_t h, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                 int n, void *A, int lda, void *W, void *work, int lwork, int *info, syevjInfo_t params)
{
    (void)work;
    SOLVER_TRY(check(h, jobz, uplo, n, lda));
    SOLVER_CHECK(info);
    struct work w = {.n = n, .a = A, .lda = lda, .b = W, .info = info};
    if (is_jacobi(params))
        ((struct jacobi_info *)params)->batched = false;
    return rotations(&syevj_kernels[t], h, jobz, uplo, &w, params, 1, lwork);
}

cusolverStatus_t solver_Dn_sygvj_bufferSize(enum number t, cusolverDnHandle_t h, cusolverEigType_t type,
                                            cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const void *A,
                                            int lda, const void *B, int ldb, const void *W, int *lwork,
                                            syevjInfo_t params)
{
    (void)t;
    (void)A;
    (void)B;
    (void)W;
    SOLVER_TRY(check_pair(h, type, jobz, uplo, n, lda, ldb));
    SOLVER_CHECK(is_jacobi(params));
    return room(n, lwork);
}

cusolverStatus_t solver_Dn_sygvj(enum number t, cusolverDnHandle_t h, cusolverEigType_t type, cusolverEigMode_t jobz,
                                 cublasFillMode_t uplo, int n, void *A, int lda, void *B, int ldb, void *W, void *work,
                                 int lwork, int *info, syevjInfo_t params)
{
    (void)work;
    SOLVER_TRY(check_pair(h, type, jobz, uplo, n, lda, ldb));
    SOLVER_CHECK(info && (B || !n));
    struct work w = {.n = n, .a = A, .lda = lda, .b = W, .c = B, .ldc = ldb, .type = (int)type, .info = info};
    if (is_jacobi(params))
        ((struct jacobi_info *)params)->batched = false;
    return rotations(&syevj_kernels[t], h, jobz, uplo, &w, params, 1, lwork);
}

cusolverStatus_t solver_Dn_syevjBatched_bufferSize(enum number t, cusolverDnHandle_t h, cusolverEigMode_t jobz,
                                                   cublasFillMode_t uplo, int n, const void *A, int lda, const void *W,
                                                   int *lwork, syevjInfo_t params, int count)
{
    SOLVER_TRY(solver_Dn_syevj_bufferSize(t, h, jobz, uplo, n, A, lda, W, lwork, params));
    SOLVER_CHECK(count >= 0);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_Dn_syevjBatched(enum number t, cusolverDnHandle_t h, cusolverEigMode_t jobz,
                                        cublasFillMode_t uplo, int n, void *A, int lda, void *W, void *work, int lwork,
                                        int *info, syevjInfo_t params, int count)
{
    (void)work;
    SOLVER_TRY(check(h, jobz, uplo, n, lda));
    SOLVER_CHECK(count >= 0);
    struct work w = {.n = n, .a = A, .lda = lda, .b = W, .info = info};
    if (is_jacobi(params))
        ((struct jacobi_info *)params)->batched = true;
    return rotations(&syevjBatched_kernels[t], h, jobz, uplo, &w, params, n ? count : 0, lwork);
}

// ---- functions for all types
static bool types_good(cudaDataType type, cudaDataType values, cudaDataType compute)
{
    const enum number t = number_of(type);
    return t != NUMBERS && number_of(values) == number_real(t) && compute == type;
}

cusolverStatus_t solver_DnXsyevd_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t params, cusolverEigMode_t jobz,
                                            cublasFillMode_t uplo, int64_t n, cudaDataType type, const void *A,
                                            int64_t lda, cudaDataType type_w, const void *W, cudaDataType compute,
                                            size_t *device, size_t *host)
{
    (void)params;
    (void)A;
    (void)W;
    SOLVER_TRY(check(h, jobz, uplo, n, lda));
    SOLVER_CHECK(types_good(type, type_w, compute));
    return dense_bytes(dense_room(n), number_of(type), device, host);
}

cusolverStatus_t solver_DnXsyevd(cusolverDnHandle_t h, cusolverDnParams_t params, cusolverEigMode_t jobz,
                                 cublasFillMode_t uplo, int64_t n, cudaDataType type, void *A, int64_t lda,
                                 cudaDataType type_w, void *W, cudaDataType compute, void *buffer, size_t bytes,
                                 void *host, size_t host_bytes, int *info)
{
    (void)params;
    (void)buffer;
    (void)bytes;
    (void)host;
    (void)host_bytes;
    SOLVER_TRY(check(h, jobz, uplo, n, lda));
    SOLVER_CHECK(types_good(type, type_w, compute));
    struct work w = {.n = n, .a = A, .lda = lda, .b = W, .info = info, .range = CUSOLVER_EIG_RANGE_ALL};
    return dense_syevd(number_of(type), h, &w, jobz, uplo);
}

// vl and vu are numbers of the host, of the type of the values.
static double number_at(cudaDataType type, const void *x)
{
    return !x ? 0 : number_of(type) == NUMBER_S ? (double)*(const float *)x : *(const double *)x;
}

cusolverStatus_t solver_DnXsyevdx_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t params, cusolverEigMode_t jobz,
                                             cusolverEigRange_t range, cublasFillMode_t uplo, int64_t n,
                                             cudaDataType type, const void *A, int64_t lda, void *vl, void *vu,
                                             int64_t il, int64_t iu, int64_t *meig, cudaDataType type_w, const void *W,
                                             cudaDataType compute, size_t *device, size_t *host)
{
    (void)params;
    (void)A;
    (void)W;
    (void)meig;
    SOLVER_TRY(check(h, jobz, uplo, n, lda));
    SOLVER_CHECK(types_good(type, type_w, compute) && (range != CUSOLVER_EIG_RANGE_V || (vl && vu)));
    struct work w = {.n = n, .range = range, .il = il, .iu = iu};
    w.vl = number_at(type_w, vl);
    w.vu = number_at(type_w, vu);
    SOLVER_CHECK(is_range(&w));
    return dense_bytes(dense_room(n), number_of(type), device, host);
}

cusolverStatus_t solver_DnXsyevdx(cusolverDnHandle_t h, cusolverDnParams_t params, cusolverEigMode_t jobz,
                                  cusolverEigRange_t range, cublasFillMode_t uplo, int64_t n, cudaDataType type,
                                  void *A, int64_t lda, void *vl, void *vu, int64_t il, int64_t iu, int64_t *meig,
                                  cudaDataType type_w, void *W, cudaDataType compute, void *buffer, size_t bytes,
                                  void *host, size_t host_bytes, int *info)
{
    (void)params;
    (void)buffer;
    (void)bytes;
    (void)host;
    (void)host_bytes;
    SOLVER_TRY(check(h, jobz, uplo, n, lda));
    SOLVER_CHECK(types_good(type, type_w, compute) && meig && (range != CUSOLVER_EIG_RANGE_V || (vl && vu)));
    struct work w = {.n = n, .a = A, .lda = lda, .b = W, .info = info, .range = range, .il = il, .iu = iu};
    w.vl = number_at(type_w, vl);
    w.vu = number_at(type_w, vu);
    w.found = meig;
    return dense_syevd(number_of(type), h, &w, jobz, uplo);
}

cusolverStatus_t solver_DnXsyevBatched_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t params,
                                                  cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                                  cudaDataType type, const void *A, int64_t lda, cudaDataType type_w,
                                                  const void *W, cudaDataType compute, size_t *device, size_t *host,
                                                  int64_t count)
{
    SOLVER_CHECK(count >= 0);
    return solver_DnXsyevd_bufferSize(h, params, jobz, uplo, n, type, A, lda, type_w, W, compute, device, host);
}

cusolverStatus_t solver_DnXsyevBatched(cusolverDnHandle_t h, cusolverDnParams_t params, cusolverEigMode_t jobz,
                                       cublasFillMode_t uplo, int64_t n, cudaDataType type, void *A, int64_t lda,
                                       cudaDataType type_w, void *W, cudaDataType compute, void *buffer, size_t bytes,
                                       void *host, size_t host_bytes, int *info, int64_t count)
{
    (void)params;
    (void)buffer;
    (void)bytes;
    (void)host;
    (void)host_bytes;
    SOLVER_TRY(check(h, jobz, uplo, n, lda));
    SOLVER_CHECK(types_good(type, type_w, compute) && count >= 0 && ((A && W && info) || !n || !count));
    struct work w = {.n = n, .a = A, .lda = lda, .b = W, .info = info};
    w.job = jobz == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N';
    w.uplo = solver_uplo(uplo);
    return dense_launch(h, &syevBatched_kernels[number_of(type)], n ? count : 0, dense_cube(n, n, n) * 8, &w);
}

// ---- general matrices. Left vectors are not computed, as by NVIDIA's.
static cusolverStatus_t geev_check(cusolverDnHandle_t h, cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, int64_t n,
                                   cudaDataType type, int64_t lda, cudaDataType type_w, cudaDataType type_vr,
                                   int64_t ldvr, cudaDataType compute)
{
    DN_ENTER(h);
    const enum number t = number_of(type), values = number_of(type_w);
    SOLVER_CHECK(solver_is_job(jobvl) && solver_is_job(jobvr) && n >= 0 && solver_is_ld(lda, n));
    SOLVER_CHECK(jobvr == CUSOLVER_EIG_MODE_NOVECTOR || solver_is_ld(ldvr, n));
    SOLVER_NEED(jobvl == CUSOLVER_EIG_MODE_NOVECTOR);
    SOLVER_NEED(t != NUMBERS && (values == t || values == number_complex(t)) && compute == type);
    SOLVER_NEED(jobvr == CUSOLVER_EIG_MODE_NOVECTOR || type_vr == type);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_DnXgeev_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t params, cusolverEigMode_t jobvl,
                                           cusolverEigMode_t jobvr, int64_t n, cudaDataType type, const void *A,
                                           int64_t lda, cudaDataType type_w, const void *W, cudaDataType type_vl,
                                           const void *VL, int64_t ldvl, cudaDataType type_vr, const void *VR,
                                           int64_t ldvr, cudaDataType compute, size_t *device, size_t *host)
{
    (void)params;
    (void)A;
    (void)W;
    (void)type_vl;
    (void)VL;
    (void)ldvl;
    (void)VR;
    SOLVER_TRY(geev_check(h, jobvl, jobvr, n, type, lda, type_w, type_vr, ldvr, compute));
    return dense_bytes(dense_room(n), number_of(type), device, host);
}

cusolverStatus_t solver_DnXgeev(cusolverDnHandle_t h, cusolverDnParams_t params, cusolverEigMode_t jobvl,
                                cusolverEigMode_t jobvr, int64_t n, cudaDataType type, void *A, int64_t lda,
                                cudaDataType type_w, void *W, cudaDataType type_vl, void *VL, int64_t ldvl,
                                cudaDataType type_vr, void *VR, int64_t ldvr, cudaDataType compute, void *buffer,
                                size_t bytes, void *host, size_t host_bytes, int *info)
{
    (void)params;
    (void)type_vl;
    (void)VL;
    (void)ldvl;
    (void)buffer;
    (void)bytes;
    (void)host;
    (void)host_bytes;
    SOLVER_TRY(geev_check(h, jobvl, jobvr, n, type, lda, type_w, type_vr, ldvr, compute));
    SOLVER_CHECK(info && ((A && W && (VR || jobvr == CUSOLVER_EIG_MODE_NOVECTOR)) || !n));
    struct work w = {.n = n, .a = A, .lda = lda, .b = W, .info = info};
    w.wide = number_is_complex(number_of(type_w));
    w.c = jobvr == CUSOLVER_EIG_MODE_VECTOR ? VR : NULL;
    w.ldc = ldvr;
    return dense_launch(h, &geev_kernels[number_of(type)], 1, dense_cube(n, n, n) * 20, &w);
}
