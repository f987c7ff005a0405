// SPDX-License-Identifier: Apache-2.0
// Bad arguments, handles and descriptors that were destroyed, what descriptors answer, versions, statuses, the logger.
#include "sparse_test.h"

static int told;
static char last[64];
static void tell(int level, const char *function, const char *)
{
    told += level == 5;
    snprintf(last, sizeof last, "%s", function);
}

static void helpers()
{
    cusparseHandle_t h = nullptr, gone;
    int version = 0, major = 0, minor = 0;
    WANT(cusparseCreate(nullptr), CUSPARSE_STATUS_INVALID_VALUE);
    OK(cusparseCreate(&h));
    OK(cusparseGetVersion(h, &version));
    OK(cusparseGetProperty(MAJOR_VERSION, &major));
    OK(cusparseGetProperty(MINOR_VERSION, &minor));
    CHECK(version >= 12000 && version / 1000 == major && version / 100 % 10 == minor);
    cusparsePointerMode_t mode;
    OK(cusparseGetPointerMode(h, &mode));
    CHECK(mode == CUSPARSE_POINTER_MODE_HOST);
    WANT(cusparseSetPointerMode(h, (cusparsePointerMode_t)5), CUSPARSE_STATUS_INVALID_VALUE);
    cudaStream_t s = nullptr, got;
    OK(cusparseSetStream(h, cudaStreamPerThread));
    OK(cusparseGetStream(h, &got));
    CHECK(got == cudaStreamPerThread);
    OK(cusparseSetStream(h, s));
    CHECK(!strcmp(cusparseGetErrorName(CUSPARSE_STATUS_ZERO_PIVOT), "CUSPARSE_STATUS_ZERO_PIVOT"));
    CHECK(!strcmp(cusparseGetErrorString(CUSPARSE_STATUS_SUCCESS), "success"));
    CHECK(cusparseGetErrorName((cusparseStatus_t)77) != nullptr);
    OK(cusparseLoggerSetCallback(tell));
    OK(cusparseLoggerSetLevel(5));
    OK(cusparseSetStream(h, s));
    CHECK(told && strstr(last, "cusparseSetStream"));
    OK(cusparseLoggerSetLevel(0));
    int before = told;
    OK(cusparseSetStream(h, s));
    CHECK(told == before);
    gone = h;
    OK(cusparseDestroy(h));
    WANT(cusparseSetStream(gone, s), CUSPARSE_STATUS_INVALID_VALUE);
    WANT(cusparseSetStream(nullptr, s), CUSPARSE_STATUS_INVALID_VALUE);
}

static void descriptors()
{
    array<int> o(8), i(8);
    array<float> v(64);
    cusparseSpMatDescr_t m;
    cusparseDnVecDescr_t x;
    cusparseDnMatDescr_t d;
    cusparseSpVecDescr_t s;
    const cusparseIndexType_t it = CUSPARSE_INDEX_32I;
    const cusparseIndexBase_t zero = CUSPARSE_INDEX_BASE_ZERO;
    WANT(cusparseCreateCsr(nullptr, 2, 3, 4, o.dev, i.dev, v.dev, it, it, zero, CUDA_R_32F),
         CUSPARSE_STATUS_INVALID_VALUE);
    WANT(cusparseCreateCsr(&m, -2, 3, 4, o.dev, i.dev, v.dev, it, it, zero, CUDA_R_32F), CUSPARSE_STATUS_INVALID_VALUE);
    WANT(cusparseCreateDnVec(&x, -1, v.dev, CUDA_R_32F), CUSPARSE_STATUS_INVALID_VALUE);
    WANT(cusparseCreateDnMat(&d, 4, 4, 3, v.dev, CUDA_R_32F, CUSPARSE_ORDER_COL), CUSPARSE_STATUS_INVALID_VALUE);
    WANT(cusparseCreateSpVec(&s, 3, 4, i.dev, v.dev, it, zero, CUDA_R_32F), CUSPARSE_STATUS_INVALID_VALUE);
    OK(cusparseCreateCsr(&m, 2, 3, 4, o.dev, i.dev, v.dev, it, it, CUSPARSE_INDEX_BASE_ONE, CUDA_R_32F));
    int64_t rows, cols, nnz, ld, size;
    void *po, *pi, *pv;
    cusparseIndexType_t ot, ct;
    cusparseIndexBase_t base;
    cudaDataType type;
    cusparseFormat_t format;
    cusparseOrder_t order;
    OK(cusparseCsrGet(m, &rows, &cols, &nnz, &po, &pi, &pv, &ot, &ct, &base, &type));
    CHECK(rows == 2 && cols == 3 && nnz == 4 && po == o.dev && pi == i.dev && pv == v.dev && ot == it && ct == it &&
          base == CUSPARSE_INDEX_BASE_ONE && type == CUDA_R_32F);
    OK(cusparseSpMatGetFormat(m, &format));
    CHECK(format == CUSPARSE_FORMAT_CSR);
    cusparseFillMode_t fill = CUSPARSE_FILL_MODE_UPPER, fill_got = CUSPARSE_FILL_MODE_LOWER;
    OK(cusparseSpMatSetAttribute(m, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
    OK(cusparseSpMatGetAttribute(m, CUSPARSE_SPMAT_FILL_MODE, &fill_got, sizeof fill_got));
    CHECK(fill_got == fill);
    OK(cusparseSpMatSetValues(m, v.dev + 4));
    OK(cusparseSpMatGetValues(m, &pv));
    CHECK(pv == v.dev + 4);
    int batches = 0;
    OK(cusparseCsrSetStridedBatch(m, 2, 3, 4));
    OK(cusparseSpMatGetStridedBatch(m, &batches));
    CHECK(batches == 2);
    WANT(cusparseCooSetStridedBatch(m, 2, 4), CUSPARSE_STATUS_INVALID_VALUE);
    OK(cusparseCreateDnMat(&d, 4, 5, 6, v.dev, CUDA_R_32F, CUSPARSE_ORDER_COL));
    OK(cusparseDnMatGet(d, &rows, &cols, &ld, &pv, &type, &order));
    CHECK(rows == 4 && cols == 5 && ld == 6 && pv == v.dev && type == CUDA_R_32F && order == CUSPARSE_ORDER_COL);
    OK(cusparseCreateDnVec(&x, 3, v.dev, CUDA_R_32F));
    OK(cusparseDnVecGet(x, &size, &pv, &type));
    CHECK(size == 3 && pv == v.dev);
    OK(cusparseCreateSpVec(&s, 8, 2, i.dev, v.dev, it, zero, CUDA_R_32F));
    OK(cusparseSpVecGet(s, &size, &nnz, &pi, &pv, &ct, &base, &type));
    CHECK(size == 8 && nnz == 2 && pi == i.dev && pv == v.dev);
    // arguments of products
    cusparseHandle_t h;
    OK(cusparseCreate(&h));
    float one = 1;
    const cusparseOperation_t n = CUSPARSE_OPERATION_NON_TRANSPOSE;
    const cusparseSpMVAlg_t a = CUSPARSE_SPMV_ALG_DEFAULT;
    size_t bytes;
    WANT(cusparseSpMV(nullptr, n, &one, m, x, &one, x, CUDA_R_32F, a, nullptr), CUSPARSE_STATUS_INVALID_VALUE);
    WANT(cusparseSpMV(h, n, nullptr, m, x, &one, x, CUDA_R_32F, a, nullptr), CUSPARSE_STATUS_INVALID_VALUE);
    WANT(cusparseSpMV(h, n, &one, nullptr, x, &one, x, CUDA_R_32F, a, nullptr), CUSPARSE_STATUS_INVALID_VALUE);
    WANT(cusparseSpMV_bufferSize(h, n, &one, m, nullptr, &one, x, CUDA_R_32F, a, &bytes),
         CUSPARSE_STATUS_INVALID_VALUE);
    OK(cusparseDestroyDnVec(x));
    WANT(cusparseDestroyDnVec(x), CUSPARSE_STATUS_INVALID_VALUE);
    OK(cusparseDestroySpMat(m));
    WANT(cusparseSpMatGetFormat(m, &format), CUSPARSE_STATUS_INVALID_VALUE);
    OK(cusparseDestroyDnMat(d));
    OK(cusparseDestroySpVec(s));
    OK(cusparseDestroy(h));
    cusparseMatDescr_t legacy;
    OK(cusparseCreateMatDescr(&legacy));
    CHECK(cusparseGetMatType(legacy) == CUSPARSE_MATRIX_TYPE_GENERAL && cusparseGetMatIndexBase(legacy) == zero);
    OK(cusparseSetMatDiagType(legacy, CUSPARSE_DIAG_TYPE_UNIT));
    CHECK(cusparseGetMatDiagType(legacy) == CUSPARSE_DIAG_TYPE_UNIT);
    OK(cusparseSetMatFillMode(legacy, CUSPARSE_FILL_MODE_UPPER));
    CHECK(cusparseGetMatFillMode(legacy) == CUSPARSE_FILL_MODE_UPPER);
    OK(cusparseDestroyMatDescr(legacy));
}

// The documentation does not say with which status: it is printed, for comparing libraries.
static void tell_refusal(const char *what, cusparseStatus_t s)
{
    CHECK(refused(s));
    printf("%s: refused with %d\n", what, (int)s);
}

static void refusals()
{
    const cusparseOperation_t N = CUSPARSE_OPERATION_NON_TRANSPOSE, C = CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
    const cudaDataType t = CUDA_R_32F;
    dense d = random_sparse<float>(8, 8, 40, true);
    sparse<float, int, int> csr(d, CUSPARSE_FORMAT_CSR, 0), csc(d, CUSPARSE_FORMAT_CSC, 0),
        coo(d, CUSPARSE_FORMAT_COO, 0);
    sparse<__half, int, int> half(d, CUSPARSE_FORMAT_CSR, 0);
    array<float> memory(64), more(64 * 3);
    array<int> places(std::vector<int>{1, 3, 5});
    cusparseHandle_t h;
    cusparseDnVecDescr_t x, y;
    cusparseDnMatDescr_t b, c, b3, c3;
    cusparseSpVecDescr_t v;
    cusparseSpSVDescr_t sv;
    cusparseSpSMDescr_t sm;
    cusparseSpGEMMDescr_t g;
    OK(cusparseCreate(&h));
    OK(cusparseCreateDnVec(&x, 8, memory.dev, t));
    OK(cusparseCreateDnVec(&y, 8, more.dev, t));
    OK(cusparseCreateDnMat(&b, 8, 8, 8, memory.dev, t, CUSPARSE_ORDER_COL));
    OK(cusparseCreateDnMat(&c, 8, 8, 8, more.dev, t, CUSPARSE_ORDER_COL));
    OK(cusparseCreateDnMat(&b3, 8, 2, 8, memory.dev, t, CUSPARSE_ORDER_COL));
    OK(cusparseCreateDnMat(&c3, 8, 2, 8, more.dev, t, CUSPARSE_ORDER_COL));
    OK(cusparseDnMatSetStridedBatch(b3, 3, 16));
    OK(cusparseDnMatSetStridedBatch(c3, 3, 16));
    OK(cusparseCreateSpVec(&v, 8, 3, places.dev, memory.dev, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, t));
    OK(cusparseSpSV_createDescr(&sv));
    OK(cusparseSpSM_createDescr(&sm));
    OK(cusparseSpGEMM_createDescr(&g));
    float one = 1, result = 0;
    size_t n = 0;
    const cusparseSpMMAlg_t mm = CUSPARSE_SPMM_ALG_DEFAULT;
    const cusparseSpSVAlg_t ssv = CUSPARSE_SPSV_ALG_DEFAULT;
    const cusparseSpSMAlg_t ssm = CUSPARSE_SPSM_ALG_DEFAULT;
    tell_refusal("SpMV, conjugate of reals",
                 cusparseSpMV_bufferSize(h, C, &one, csr.m, x, &one, y, t, CUSPARSE_SPMV_ALG_DEFAULT, &n));
    tell_refusal("SpMM, conjugate of A", cusparseSpMM_bufferSize(h, C, N, &one, csr.m, b, &one, c, t, mm, &n));
    tell_refusal("SpMM, conjugate of B", cusparseSpMM_bufferSize(h, N, C, &one, csr.m, b, &one, c, t, mm, &n));
    tell_refusal("SpMM, 1 and 3 batches", cusparseSpMM_bufferSize(h, N, N, &one, csr.m, b3, &one, c3, t, mm, &n));
    tell_refusal("SDDMM, conjugate of reals",
                 cusparseSDDMM_bufferSize(h, C, N, &one, b, c, &one, csr.m, t, CUSPARSE_SDDMM_ALG_DEFAULT, &n));
    tell_refusal("SpVV, conjugate of reals", cusparseSpVV_bufferSize(h, C, v, x, &result, t, &n));
    tell_refusal("SpSV, conjugate of reals", cusparseSpSV_bufferSize(h, C, &one, csr.m, x, y, t, ssv, sv, &n));
    tell_refusal("SpSV, CSC", cusparseSpSV_bufferSize(h, N, &one, csc.m, x, y, t, ssv, sv, &n));
    tell_refusal("SpSM, conjugate of A", cusparseSpSM_bufferSize(h, C, N, &one, csr.m, b, c, t, ssm, sm, &n));
    tell_refusal("SpSM, conjugate of B", cusparseSpSM_bufferSize(h, N, C, &one, csr.m, b, c, t, ssm, sm, &n));
    tell_refusal("SpSM, CSC", cusparseSpSM_bufferSize(h, N, N, &one, csc.m, b, c, t, ssm, sm, &n));
    tell_refusal("SpGEMM, half precision", cusparseSpGEMM_workEstimation(h, N, N, &one, half.m, half.m, &one, half.m, t,
                                                                         CUSPARSE_SPGEMM_DEFAULT, g, &n, nullptr));
    cusparseConstSpMatDescr_t all[] = {csr.m, csc.m, coo.m};
    for (int i = 0; i < 3; i++) {
        size_t mv = 0, to = 0, mul = 0;
        OK(cusparseSpMV_bufferSize(h, N, &one, all[i], x, &one, y, t, CUSPARSE_SPMV_ALG_DEFAULT, &mv));
        OK(cusparseSpMM_bufferSize(h, N, N, &one, all[i], b, &one, c, t, mm, &mul));
        OK(cusparseSparseToDense_bufferSize(h, all[i], b, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &to));
        printf("%s: buffers of %zu (SpMV), %zu (SpMM), %zu bytes (to dense)\n",
               i == 0   ? "CSR"
               : i == 1 ? "CSC"
                        : "COO",
               mv, mul, to);
    }
    OK(cusparseSpSV_destroyDescr(sv));
    OK(cusparseSpSM_destroyDescr(sm));
    OK(cusparseSpGEMM_destroyDescr(g));
    for (cusparseDnVecDescr_t e : {x, y})
        OK(cusparseDestroyDnVec(e));
    for (cusparseDnMatDescr_t e : {b, c, b3, c3})
        OK(cusparseDestroyDnMat(e));
    OK(cusparseDestroySpVec(v));
    OK(cusparseDestroy(h));
}

int main()
{
    helpers();
    descriptors();
    refusals();
    return summary() != 0;
}
