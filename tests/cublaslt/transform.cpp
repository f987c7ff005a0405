// SPDX-License-Identifier: Apache-2.0
// cublasLtMatrixTransform: from every order to every other and back, transposed, scaled and added, in all types.
#include "lt_test.h"

static cublasLtHandle_t handle;

struct wish {
    cudaDataType scale;
    X alpha, beta;
    cublasOperation_t ta, tb;
    bool device;
};

static cublasStatus_t transform(const wish &w, const matrix &a, const matrix *b, const matrix &c)
{
    cublasLtMatrixTransformDesc_t d;
    memory dev(32);
    int32_t ta = w.ta, tb = w.tb, mode = w.device ? CUBLASLT_POINTER_MODE_DEVICE : CUBLASLT_POINTER_MODE_HOST;
    put(w.scale, dev.host.data(), 0, w.alpha);
    put(w.scale, dev.host.data() + 16, 0, w.beta);
    dev.push();
    OK(cublasLtMatrixTransformDescCreate(&d, w.scale));
    OK(cublasLtMatrixTransformDescSetAttribute(d, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, &ta, sizeof ta));
    OK(cublasLtMatrixTransformDescSetAttribute(d, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB, &tb, sizeof tb));
    OK(cublasLtMatrixTransformDescSetAttribute(d, CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE, &mode, sizeof mode));
    const char *at = w.device ? dev.dev : dev.host.data();
    cublasStatus_t s = cublasLtMatrixTransform(handle, d, at, a.data.dev, a.layout, at + 16, b ? b->data.dev : nullptr,
                                               b ? b->layout : nullptr, c.data.dev, c.layout, nullptr);
    CUDA(cudaDeviceSynchronize());
    OK(cublasLtMatrixTransformDescDestroy(d));
    return s;
}

static void compare(const wish &w, const matrix &a, const matrix *b, const matrix &c, const char *what)
{
    std::vector<X> want;
    std::vector<double> bound;
    for (int64_t q = 0; q < c.count; q++)
        for (int64_t j = 0; j < c.cols; j++)
            for (int64_t i = 0; i < c.rows; i++) {
                X x = w.alpha * a.op_at(w.ta, q, i, j);
                if (b)
                    x += w.beta * b->op_at(w.tb, q, i, j);
                if (c.type == CUDA_R_8I)
                    x = (int8_t)(int32_t)x.real(); // as on an H200
                want.push_back(x);
                bound.push_back(std::abs(x) * precision(c.type) * 2 + (is_integer(c.type) ? 0 : 1e-7));
            }
    CHECK(agrees(c, want, bound, what));
}

static const cublasLtOrder_t orders[] = {CUBLASLT_ORDER_COL, CUBLASLT_ORDER_ROW, CUBLASLT_ORDER_COL32,
                                         CUBLASLT_ORDER_COL4_4R2_8C, CUBLASLT_ORDER_COL32_2R_4R4};

static void between_orders(cudaDataType type, cudaDataType scale)
{
    const wish same = {scale, 1, 0, CUBLAS_OP_N, CUBLAS_OP_N, false};
    for (cublasLtOrder_t from : orders)
        for (cublasLtOrder_t to : orders)
            for (int64_t rows : {64, 37}) {
                matrix a(type, rows, rows == 64 ? 96 : 45, 1, from), c(type, a.rows, a.cols, 1, to);
                cublasStatus_t s = transform(same, a, nullptr, c);
                bool plain = from <= CUBLASLT_ORDER_ROW && to <= CUBLASLT_ORDER_ROW;
                if (!is_heddle() && is_refusal(s) && (!plain || rows == 37))
                    continue;
                OK(s);
                compare(same, a, nullptr, c, "orders");
            }
}

static void sums(cudaDataType type, cudaDataType scale)
{
    static const cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
    for (cublasOperation_t ta : ops)
        for (cublasOperation_t tb : ops)
            for (bool device : {false, true}) {
                if (!is_complex(type) && (ta == CUBLAS_OP_C || tb == CUBLAS_OP_C))
                    continue;
                X alpha = is_integer(scale) ? X(2) : is_complex(scale) ? X(1, 0.5) : X(1.5);
                const wish w = {scale, alpha, is_integer(type) ? X(-1) : X(-0.5), ta, tb, device};
                int64_t m = 300, n = 70;
                if (type == CUDA_R_8I)
                    m = 64, n = 64;
                matrix a(type, ta == CUBLAS_OP_N ? m : n, ta == CUBLAS_OP_N ? n : m, 2), c(type, m, n, 2);
                matrix b(type, tb == CUBLAS_OP_N ? m : n, tb == CUBLAS_OP_N ? n : m, 2, CUBLASLT_ORDER_COL, 8);
                cublasStatus_t s = transform(w, a, &b, c);
                if (!is_heddle() && is_refusal(s) && (is_integer(type) || type == CUDA_R_16BF))
                    continue;
                OK(s);
                compare(w, a, &b, c, "sums");
            }
}

// What an H200 makes of a byte and a factor: the fraction is lost, and then the upper bits.
static void bytes()
{
    static const struct {
        float factor;
        int from, to;
    } rows[] = {{0.75f, -127, -95}, {0.75f, -53, -39}, {0.75f, 21, 15}, {0.3f, 58, 17},  {1.9f, -127, 15},
                {1.9f, -90, 85},    {1.9f, -53, -100}, {1.9f, 58, 110}, {1.9f, 95, -76}, {1.9f, 99, -68}};
    for (const auto &r : rows) {
        matrix a(CUDA_R_8I, 32, 32), c(CUDA_R_8I, 32, 32);
        std::fill(a.data.host.begin(), a.data.host.end(), (char)r.from);
        a.data.push();
        OK(transform({CUDA_R_32F, r.factor, 0, CUBLAS_OP_N, CUBLAS_OP_N, false}, a, nullptr, c));
        c.data.host = c.data.pull();
        CHECK(c.get_at(0, 0, 0) == X(r.to) && c.get_at(0, 31, 31) == X(r.to));
    }
}

static void refusals()
{
    matrix a(CUDA_R_32F, 8, 8), b(CUDA_R_32F, 8, 9), c(CUDA_R_32F, 8, 8), d(CUDA_R_64F, 8, 8), e(CUDA_R_32F, 8, 8);
    const wish w = {CUDA_R_32F, 1, 1, CUBLAS_OP_N, CUBLAS_OP_N, false};
    CHECK(is_refusal(transform(w, b, &a, c)));
    CHECK(is_refusal(transform(w, a, &b, c)));
    CHECK(is_refusal(transform({(cudaDataType)999, 1, 1, CUBLAS_OP_N, CUBLAS_OP_N, false}, a, &a, c)));
    HEDDLE_ONLY(WANT(transform(w, b, &a, c), CUBLAS_STATUS_INVALID_VALUE);
                WANT(transform(w, d, &a, c), CUBLAS_STATUS_NOT_SUPPORTED);
                WANT(transform(w, a, nullptr, c), CUBLAS_STATUS_INVALID_VALUE));
    float one = 1;
    cublasLtMatrixTransformDesc_t t;
    OK(cublasLtMatrixTransformDescCreate(&t, CUDA_R_32F));
    auto call = [&](cublasLtHandle_t h, cublasLtMatrixTransformDesc_t desc, const void *alpha, void *to,
                    cublasLtMatrixLayout_t l) {
        return cublasLtMatrixTransform(h, desc, alpha, a.data.dev, a.layout, &one, e.data.dev, e.layout, to, l,
                                       nullptr);
    };
    OK(call(handle, t, &one, c.data.dev, c.layout));
    HEDDLE_ONLY(WANT(call(nullptr, t, &one, c.data.dev, c.layout), CUBLAS_STATUS_NOT_INITIALIZED);
                WANT(call(handle, nullptr, &one, c.data.dev, c.layout), CUBLAS_STATUS_INVALID_VALUE);
                WANT(call(handle, t, nullptr, c.data.dev, c.layout), CUBLAS_STATUS_INVALID_VALUE);
                WANT(call(handle, t, &one, nullptr, c.layout), CUBLAS_STATUS_INVALID_VALUE);
                WANT(call(handle, t, &one, c.data.dev, nullptr), CUBLAS_STATUS_INVALID_VALUE));
    OK(cublasLtMatrixTransformDescDestroy(t));
}

int main()
{
    OK(cublasLtCreate(&handle));
    between_orders(CUDA_R_8I, CUDA_R_32F);
    between_orders(CUDA_R_16F, CUDA_R_32F);
    between_orders(CUDA_R_32F, CUDA_R_32F);
    between_orders(CUDA_R_64F, CUDA_R_64F);
    sums(CUDA_R_32F, CUDA_R_32F);
    sums(CUDA_R_64F, CUDA_R_64F);
    sums(CUDA_C_32F, CUDA_C_32F);
    sums(CUDA_C_64F, CUDA_C_64F);
    sums(CUDA_R_16F, CUDA_R_32F);
    sums(CUDA_R_16F, CUDA_R_16F);
    sums(CUDA_R_16BF, CUDA_R_32F);
    sums(CUDA_R_8I, CUDA_R_32F);
    sums(CUDA_R_32I, CUDA_R_32I);
    bytes();
    refusals();
    OK(cublasLtDestroy(handle));
    return summary();
}
