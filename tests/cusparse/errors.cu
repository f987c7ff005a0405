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

int main()
{
    helpers();
    descriptors();
    return summary() != 0;
}
