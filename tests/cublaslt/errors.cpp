// SPDX-License-Identifier: Apache-2.0
// Arguments that are wrong: the documented status, and D as it was. What is only not supported may be told otherwise by a GPU.
#include "product_test.h"

static job plain()
{
    job o("errors", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F);
    o.beta = 1;
    return o;
}

// D has its old bytes.
static bool untouched(product &p)
{
    return p.D.data.pull() == p.D.data.host;
}
template <class V>
static void layout_is_wrong(matrix product::*which, cublasLtMatrixLayoutAttribute_t attr, V value,
                            cublasStatus_t status)
{
    job o = plain();
    product p(o);
    OK(cublasLtMatrixLayoutSetAttribute((p.*which).layout, attr, &value, sizeof value));
    cublasStatus_t s = p.call();
    CHECK(is_refusal(s));
    if (!is_refusal(s))
        printf("  attribute %d\n", (int)attr);
    HEDDLE_ONLY(WANT(s, status));
    CHECK(untouched(p));
}
template <class V> static void desc_is_wrong(cublasLtMatmulDescAttributes_t attr, V value, cublasStatus_t status)
{
    job o = plain();
    product p(o);
    p.set(attr, value);
    cublasStatus_t s = p.call();
    CHECK(is_refusal(s));
    if (!is_refusal(s))
        printf("  attribute %d\n", (int)attr);
    HEDDLE_ONLY(WANT(s, status));
    CHECK(untouched(p));
}

static void layouts()
{
    const cublasStatus_t INVALID = CUBLAS_STATUS_INVALID_VALUE, NONE = CUBLAS_STATUS_NOT_SUPPORTED;
    for (matrix product::*x : {&product::A, &product::B, &product::C, &product::D}) {
        layout_is_wrong<int64_t>(x, CUBLASLT_MATRIX_LAYOUT_LD, 3, INVALID);
        layout_is_wrong<int64_t>(x, CUBLASLT_MATRIX_LAYOUT_LD, -64, INVALID);
        layout_is_wrong<uint64_t>(x, CUBLASLT_MATRIX_LAYOUT_COLS, 7, INVALID);
        layout_is_wrong<int32_t>(x, CUBLASLT_MATRIX_LAYOUT_ORDER, 77, INVALID);
        layout_is_wrong<int32_t>(x, CUBLASLT_MATRIX_LAYOUT_ORDER, -1, INVALID);
        layout_is_wrong<int32_t>(x, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, 2, INVALID);
        layout_is_wrong<int32_t>(x, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, -2, INVALID);
        layout_is_wrong<int32_t>(x, CUBLASLT_MATRIX_LAYOUT_TYPE, 999, NONE);
        layout_is_wrong<int32_t>(x, CUBLASLT_MATRIX_LAYOUT_TYPE, CUDA_R_64F, NONE);
        layout_is_wrong<int32_t>(x, CUBLASLT_MATRIX_LAYOUT_TYPE, CUDA_R_4I, NONE);
    }
    HEDDLE_ONLY(layout_is_wrong<uint32_t>(&product::A, CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, 9, INVALID);
                layout_is_wrong<int32_t>(&product::A, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, 0, INVALID);
                layout_is_wrong<int64_t>(&product::A, CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, 64, NONE);
                layout_is_wrong<uint64_t>(&product::A, CUBLASLT_MATRIX_LAYOUT_ROWS, 1ull << 40, NONE));
}

static void descriptors()
{
    const cublasStatus_t INVALID = CUBLAS_STATUS_INVALID_VALUE, NONE = CUBLAS_STATUS_NOT_SUPPORTED;
    desc_is_wrong<int32_t>(CUBLASLT_MATMUL_DESC_TRANSA, 9, INVALID);
    desc_is_wrong<int32_t>(CUBLASLT_MATMUL_DESC_TRANSB, -1, INVALID);
    desc_is_wrong<int32_t>(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T, INVALID); // the sizes do not fit then
    desc_is_wrong<int32_t>(CUBLASLT_MATMUL_DESC_TRANSC, CUBLAS_OP_T, NONE);
    desc_is_wrong<int32_t>(CUBLASLT_MATMUL_DESC_POINTER_MODE, 9, INVALID);
    desc_is_wrong<int32_t>(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, 999, NONE);
    desc_is_wrong<int32_t>(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, CUBLAS_COMPUTE_32I, NONE);
    desc_is_wrong<int32_t>(CUBLASLT_MATMUL_DESC_SCALE_TYPE, CUDA_R_64F, NONE);
    desc_is_wrong<int32_t>(CUBLASLT_MATMUL_DESC_SCALE_TYPE, 999, NONE);
    desc_is_wrong<uint32_t>(CUBLASLT_MATMUL_DESC_EPILOGUE, 0, INVALID);
    desc_is_wrong<uint32_t>(CUBLASLT_MATMUL_DESC_EPILOGUE, 9999, INVALID);
    HEDDLE_ONLY(
        desc_is_wrong<uint32_t>(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS, INVALID); // there is none
        desc_is_wrong<uint32_t>(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_RELU_AUX, INVALID);
        desc_is_wrong<uint32_t>(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BGRADB, INVALID);
        desc_is_wrong<int32_t>(CUBLASLT_MATMUL_DESC_FILL_MODE, CUBLAS_FILL_MODE_LOWER, NONE);
        desc_is_wrong<int32_t>(CUBLASLT_MATMUL_DESC_FILL_MODE, 9, INVALID);
        desc_is_wrong<int32_t>(CUBLASLT_MATMUL_DESC_A_SCALE_MODE, 99, INVALID);
        desc_is_wrong<const void *>(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, (const void *)256, INVALID);
        desc_is_wrong<const void *>(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, (const void *)256, INVALID);
        desc_is_wrong<void *>(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, (void *)256, INVALID));
}

// What lies beside D has its rules.
static void beside()
{
    job o = plain();
    o.epilogue = CUBLASLT_EPILOGUE_RELU_AUX_BIAS;
    for (int64_t ld : {int64_t(0), int64_t(100), int64_t(-128)}) {
        product p(o);
        p.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, ld);
        CHECK(is_refusal(p.call()));
        HEDDLE_ONLY(WANT(p.call(), CUBLAS_STATUS_INVALID_VALUE));
    }
    product stride(o), none(o), bias(o);
    stride.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, (int64_t)8);
    none.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, (void *)nullptr);
    bias.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, (void *)nullptr);
    HEDDLE_ONLY(WANT(stride.call(), CUBLAS_STATUS_INVALID_VALUE); WANT(none.call(), CUBLAS_STATUS_INVALID_VALUE);
                WANT(bias.call(), CUBLAS_STATUS_INVALID_VALUE));
    o.epilogue = CUBLASLT_EPILOGUE_GELU_AUX;
    product gelu_type(o);
    gelu_type.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, (int32_t)CUDA_C_32F);
    CHECK(is_refusal(gelu_type.call()));
    job c("complex", CUBLAS_COMPUTE_32F, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F);
    c.epilogue = CUBLASLT_EPILOGUE_RELU;
    product complex(c);
    CHECK(is_refusal(complex.call()));
    job f("fp8", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_8F_E4M3, CUDA_R_16BF);
    f.ta = CUBLAS_OP_T;
    product blocks(f);
    blocks.set(CUBLASLT_MATMUL_DESC_A_SCALE_MODE, (int32_t)CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0);
    blocks.set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, (const void *)blocks.factors.dev);
    HEDDLE_ONLY(WANT(blocks.call(), CUBLAS_STATUS_NOT_SUPPORTED));
    job e("fp8", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_8F_E5M2, CUDA_R_16BF);
    e.ta = CUBLAS_OP_T;
    product both(e);
    CHECK(is_refusal(both.call()));
}

static void pointers()
{
    job o = plain();
    product p(o);
    float one = 1;
    const void *null = nullptr;
    auto call = [&](cublasLtHandle_t h, cublasLtMatmulDesc_t d, const void *alpha, const void *a, const void *b,
                    const void *beta, const void *c, void *to, void *work, size_t bytes) {
        return cublasLtMatmul(h, d, alpha, a, p.A.layout, b, p.B.layout, beta, c, p.C.layout, to, p.D.layout, nullptr,
                              work, bytes, nullptr);
    };
    const cublasStatus_t INVALID = CUBLAS_STATUS_INVALID_VALUE;
    char *a = p.A.data.dev, *b = p.B.data.dev, *c = p.C.data.dev, *d = p.D.data.dev, *w = p.workspace.dev;
    WANT(call(nullptr, p.desc, &one, a, b, &one, c, d, nullptr, 0), CUBLAS_STATUS_NOT_INITIALIZED);
    WANT(call(handle, nullptr, &one, a, b, &one, c, d, nullptr, 0), INVALID);
    WANT(call(handle, p.desc, null, a, b, &one, c, d, nullptr, 0), INVALID);
    WANT(call(handle, p.desc, &one, a, b, null, c, d, nullptr, 0), INVALID);
    WANT(call(handle, p.desc, &one, null, b, &one, c, d, nullptr, 0), INVALID);
    WANT(call(handle, p.desc, &one, a, null, &one, c, d, nullptr, 0), INVALID);
    WANT(call(handle, p.desc, &one, a, b, &one, null, d, nullptr, 0), INVALID);
    WANT(call(handle, p.desc, &one, a, b, &one, c, nullptr, nullptr, 0), INVALID);
    HEDDLE_ONLY(WANT(call(handle, p.desc, &one, a, b, &one, c, d, nullptr, 1024), INVALID);
                WANT(call(handle, p.desc, &one, a, b, &one, c, d, w + 1, 1024), INVALID));
    CHECK(untouched(p));
    OK(call(handle, p.desc, &one, a, b, &one, c, d, w, 1024));
    CUDA(cudaDeviceSynchronize());
    p.compare();
    WANT(cublasLtMatmul(handle, p.desc, &one, a, nullptr, b, p.B.layout, &one, c, p.C.layout, d, p.D.layout, nullptr,
                        nullptr, 0, nullptr),
         INVALID);
    WANT(cublasLtMatmul(handle, p.desc, &one, a, p.A.layout, b, p.B.layout, &one, c, p.C.layout, d, nullptr, nullptr,
                        nullptr, 0, nullptr),
         INVALID);
    // in place by another layout
    matrix rows(CUDA_R_32F, o.m, o.n, 1, CUBLASLT_ORDER_ROW);
    CHECK(is_refusal(cublasLtMatmul(handle, p.desc, &one, a, p.A.layout, b, p.B.layout, &one, d, rows.layout, d,
                                    p.D.layout, nullptr, nullptr, 0, nullptr)));
}

static void handles()
{
    cublasLtHandle_t h;
    WANT(cublasLtCreate(nullptr), CUBLAS_STATUS_INVALID_VALUE);
    WANT(cublasLtDestroy(nullptr), CUBLAS_STATUS_INVALID_VALUE);
    OK(cublasLtCreate(&h));
    OK(cublasLtDestroy(h));
    HEDDLE_ONLY(WANT(cublasLtDestroy(h), CUBLAS_STATUS_NOT_INITIALIZED); int n; int id;
                WANT(cublasLtMatmulAlgoGetIds(h, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F,
                                              CUDA_R_32F, 1, &id, &n),
                     CUBLAS_STATUS_NOT_INITIALIZED));
}

// An address that is nobody's: the error of the stream, not of the process.
static void sticky()
{
    job o = plain();
    product p(o);
    float one = 1;
    HEDDLE_ONLY(OK(cublasLtMatmul(handle, p.desc, &one, (const void *)64, p.A.layout, p.B.data.dev, p.B.layout, &one,
                                  p.C.data.dev, p.C.layout, p.D.data.dev, p.D.layout, nullptr, nullptr, 0, nullptr));
                CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
                printf("%d passed, %d failed\n", passed, failed); exit(failed != 0));
}

int main()
{
    OK(cublasLtCreate(&handle));
    layouts();
    descriptors();
    beside();
    pointers();
    handles();
    sticky();
    return summary();
}
