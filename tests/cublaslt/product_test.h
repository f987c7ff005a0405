// SPDX-License-Identifier: Apache-2.0
// A product with everything that its descriptor can say, beside a reference.
#ifndef HEDDLE_TEST_CUBLASLT_PRODUCT_TEST_H
#define HEDDLE_TEST_CUBLASLT_PRODUCT_TEST_H
#include "lt_test.h"

struct job {
    const char *name;
    cublasComputeType_t compute;
    cudaDataType scale, a, b, c, d;
    int64_t m = 48, n = 32, k = 64;
    int count = 1;
    cublasOperation_t ta = CUBLAS_OP_N, tb = CUBLAS_OP_N;
    cublasLtOrder_t oa = CUBLASLT_ORDER_COL, ob = CUBLASLT_ORDER_COL, oc = CUBLASLT_ORDER_COL, od = CUBLASLT_ORDER_COL;
    int64_t pad = 0;
    cublasLtPointerMode_t mode = CUBLASLT_POINTER_MODE_HOST;
    X alpha = 1, beta = 0;
    uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    cudaDataType bias = (cudaDataType)-1, aux = (cudaDataType)-1; // -1: D's
    bool in_place = false, optional = false, heuristic = false, amax = false, outer = false;
    double factor[4] = {0, 0, 0, 0}, aux_factor = 0; // 0: there is none
    job(const char *what, cublasComputeType_t ct, cudaDataType s, cudaDataType ab, cudaDataType cd)
        : name(what), compute(ct), scale(s), a(ab), b(ab), c(cd), d(cd)
    {
    }
};

static inline double gelu(double x)
{
    return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}
// The derivative, by the difference of two values.
static inline double gelu_slope(double x)
{
    const double h = 1e-5;
    return (gelu(x + h) - gelu(x - h)) / (2 * h);
}

static cublasLtHandle_t handle;
// One for all: calls of one program follow each other.
static inline memory &shared_workspace()
{
    static memory *all = new memory(4 << 20);
    return *all;
}

struct product {
    const job &o;
    bool relu, gelu_on, drelu, dgelu, with_bias, with_aux, grad;
    matrix A, B, C, D;
    int64_t vector; // length of the bias or of its gradient
    cudaDataType bias_type, aux_type;
    int64_t aux_ld, aux_stride, bias_stride;
    memory bias, aux, scalars, factors, largest;
    memory &workspace;
    cublasLtMatmulDesc_t desc = nullptr;

    template <class V> void set(cublasLtMatmulDescAttributes_t attr, V value)
    {
        OK(cublasLtMatmulDescSetAttribute(desc, attr, &value, sizeof value));
    }
    static int64_t vector_of(const job &o)
    {
        return o.epilogue == CUBLASLT_EPILOGUE_BGRADB ? o.n : o.m;
    }
    explicit product(const job &j)
        : o(j), relu(j.epilogue & 2), gelu_on(j.epilogue & 32), drelu(j.epilogue & 8), dgelu(j.epilogue & 64),
          with_bias(j.epilogue & 4), with_aux(j.epilogue & 128), grad(j.epilogue & (16 | 256 | 512)),
          A(j.a, j.ta == CUBLAS_OP_N ? j.m : j.k, j.ta == CUBLAS_OP_N ? j.k : j.m, j.count, j.oa, j.pad),
          B(j.b, j.tb == CUBLAS_OP_N ? j.k : j.n, j.tb == CUBLAS_OP_N ? j.n : j.k, j.count, j.ob, j.pad),
          C(j.c, j.m, j.n, j.count, j.oc, j.pad), D(j.d, j.m, j.n, j.count, j.od, j.pad), vector(vector_of(j)),
          bias_type(j.bias == (cudaDataType)-1 ? j.d : j.bias), aux_type(j.aux == (cudaDataType)-1 ? j.d : j.aux),
          aux_ld(up(j.m, relu || drelu ? 128
                         : is_heddle() ? 1
                                       : 8)),
          aux_stride(up(aux_ld * j.n, 128)), bias_stride(up(vector, 8)),
          bias((size_t)(bias_stride * j.count) * size_of(bias_type)),
          aux((size_t)(aux_stride * j.count) * (relu || drelu ? 1 : size_of(aux_type)) / (relu || drelu ? 8 : 1)),
          scalars((size_t)(2 * j.m) * 16), factors((size_t)(8 + j.m + j.n) * sizeof(float)), largest(2 * sizeof(float)),
          workspace(shared_workspace())
    {
        for (int64_t i = 0; i < bias_stride * o.count; i++)
            put(bias_type, bias.host.data(), (size_t)i, random_number(bias_type));
        bias.push();
        for (size_t i = 0; i < aux.host.size() / (relu || drelu ? 1 : size_of(aux_type)); i++)
            if (relu || drelu)
                aux.host[i] = (char)next_random();
            else
                put(aux_type, aux.host.data(), i, random_number(aux_type));
        aux.push();
        OK(cublasLtMatmulDescCreate(&desc, o.compute, o.scale));
        set(CUBLASLT_MATMUL_DESC_TRANSA, (int32_t)o.ta);
        set(CUBLASLT_MATMUL_DESC_TRANSB, (int32_t)o.tb);
        set(CUBLASLT_MATMUL_DESC_POINTER_MODE, (int32_t)o.mode);
        set(CUBLASLT_MATMUL_DESC_EPILOGUE, o.epilogue);
        if (with_bias || grad) {
            set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, (void *)bias.dev);
            set(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, bias_stride);
            if (o.bias != (cudaDataType)-1)
                set(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, (int32_t)o.bias);
        }
        if (with_aux) {
            set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, (void *)aux.dev);
            set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, aux_ld);
            set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, aux_stride);
            if (o.aux != (cudaDataType)-1)
                set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, (int32_t)o.aux);
        }
        set_factors();
    }
    ~product()
    {
        OK(cublasLtMatmulDescDestroy(desc));
    }
    product(const product &) = delete;

    // Factors of A, B, C and D, that of aux, then vectors for A and B.
    void set_factors()
    {
        static const cublasLtMatmulDescAttributes_t at[4] = {
            CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER,
            CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, CUBLASLT_MATMUL_DESC_D_SCALE_POINTER};
        float *f = (float *)factors.dev;
        for (int i = 0; i < 4; i++)
            put(CUDA_R_32F, factors.host.data(), (size_t)i, o.factor[i]);
        put(CUDA_R_32F, factors.host.data(), 4, o.aux_factor);
        for (int64_t i = 0; i < o.m + o.n; i++)
            put(CUDA_R_32F, factors.host.data(), (size_t)(8 + i), 0.5 + (double)(i % 5) / 4);
        factors.push();
        for (int i = 0; i < 4; i++)
            if (o.factor[i] != 0)
                set(at[i], (const void *)(f + i));
        if (o.outer) {
            set(CUBLASLT_MATMUL_DESC_A_SCALE_MODE, (int32_t)CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F);
            set(CUBLASLT_MATMUL_DESC_B_SCALE_MODE, (int32_t)CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F);
            set(at[0], (const void *)(f + 8));
            set(at[1], (const void *)(f + 8 + o.m));
        }
        if (o.aux_factor != 0)
            set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER, (const void *)(f + 4));
        put(CUDA_R_32F, largest.host.data(), 0, 1e30);
        put(CUDA_R_32F, largest.host.data(), 1, 1e30);
        largest.push();
        if (o.amax)
            set(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, (void *)largest.dev);
        if (o.amax && gelu_on && with_aux)
            set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER, (void *)(largest.dev + sizeof(float)));
    }
    double factor_at(int i) const
    {
        return o.factor[i] == 0 ? 1 : (double)(float)o.factor[i];
    }
    // alpha and beta of row i
    X alpha_at(int64_t i) const
    {
        bool vectors = o.mode >= CUBLASLT_POINTER_MODE_DEVICE_VECTOR;
        return vectors ? o.alpha + (is_integer(o.scale) ? (double)(i % 3) : (double)(i % 3) / 4) : o.alpha;
    }
    X beta_at(int64_t i) const
    {
        return o.mode == CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO ? X(0)
               : o.mode == CUBLASLT_POINTER_MODE_DEVICE_VECTOR               ? o.beta * (double)(i % 2)
                                                                             : o.beta;
    }
    cublasStatus_t call(cudaStream_t stream = nullptr)
    {
        size_t step = size_of(o.scale);
        for (int64_t i = 0; i < o.m; i++) {
            put(o.scale, scalars.host.data(), (size_t)i, alpha_at(i));
            put(o.scale, scalars.host.data(), (size_t)(o.m + i), beta_at(i));
        }
        scalars.push();
        const char *host = scalars.host.data(), *dev = scalars.dev;
        bool device = o.mode != CUBLASLT_POINTER_MODE_HOST;
        bool host_beta = !device || o.mode == CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST;
        const void *beta = o.mode == CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO
                               ? nullptr
                               : (host_beta ? host : dev) + (size_t)o.m * step;
        cublasLtMatmulHeuristicResult_t found;
        const cublasLtMatmulAlgo_t *algo = nullptr;
        const void *c = o.in_place ? D.data.dev : C.data.dev;
        cublasLtMatrixLayout_t cl = o.in_place ? D.layout : C.layout;
        if (o.heuristic) {
            cublasLtMatmulPreference_t p;
            size_t bytes = workspace.host.size();
            int n = 0;
            OK(cublasLtMatmulPreferenceCreate(&p));
            OK(cublasLtMatmulPreferenceSetAttribute(p, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof bytes));
            cublasStatus_t s =
                cublasLtMatmulAlgoGetHeuristic(handle, desc, A.layout, B.layout, cl, D.layout, p, 1, &found, &n);
            OK(cublasLtMatmulPreferenceDestroy(p));
            if (s)
                return s;
            CHECK(n == 1 && found.state == CUBLAS_STATUS_SUCCESS && found.workspaceSize <= bytes);
            algo = &found.algo;
        }
        return cublasLtMatmul(handle, desc, device ? dev : host, A.data.dev, A.layout, B.data.dev, B.layout, beta, c,
                              cl, D.data.dev, D.layout, algo, workspace.dev, workspace.host.size(), stream);
    }

    bool mask_at(int64_t b, int64_t i, int64_t j, const std::vector<char> &from) const
    {
        int64_t bit = b * aux_stride + j * aux_ld + i;
        return (unsigned char)from[(size_t)(bit / 8)] >> bit % 8 & 1;
    }
    // Rows of op(A), or columns of op(B), one after the other.
    std::vector<X> lines(const matrix &x, cublasOperation_t op, int64_t b, int64_t n, bool columns) const
    {
        std::vector<X> all;
        for (int64_t i = 0; i < n; i++)
            for (int64_t d = 0; d < o.k; d++)
                all.push_back(columns ? x.op_at(op, b, d, i) : x.op_at(op, b, i, d));
        return all;
    }
    // The sum of products, and of their magnitudes.
    double dot(const X *a, const X *b, X *sum) const
    {
        double re = 0, im = 0, size = 0;
        for (int64_t d = 0; d < o.k; d++) {
            double ar = a[d].real(), ai = a[d].imag(), br = b[d].real(), bi = b[d].imag();
            re += ar * br - ai * bi;
            im += ar * bi + ai * br;
            size += (std::fabs(ar) + std::fabs(ai)) * (std::fabs(br) + std::fabs(bi));
        }
        *sum = X(re, im);
        return size;
    }
    // Compares D, and what else was written.
    void compare()
    {
        std::vector<X> want, kept;
        std::vector<double> bound, kept_bound, sums((size_t)(bias_stride * o.count)), sums_bound(sums.size());
        std::vector<bool> positive, clear;
        double most = 0, aux_most = 0;
        const double sum_unit = o.compute == CUBLAS_COMPUTE_16F             ? precision(CUDA_R_16F)
                                : o.a == CUDA_R_64F || o.a == CUDA_C_64F    ? 1.2e-16
                                : is_integer(o.a)                           ? 0
                                : o.compute == CUBLAS_COMPUTE_32F_FAST_TF32 ? 1e-3
                                : o.compute == CUBLAS_COMPUTE_32F_FAST_16BF ? 8e-3
                                : o.compute == CUBLAS_COMPUTE_32F_FAST_16F  ? 1e-3
                                : is_fp8(o.a)                               ? 1e-4
                                                                            : 6e-8;
        for (int64_t b = 0; b < o.count; b++) {
            std::vector<X> a = lines(A, o.ta, b, o.m, false), y = lines(B, o.tb, b, o.n, true);
            for (int64_t j = 0; j < o.n; j++)
                for (int64_t i = 0; i < o.m; i++) {
                    X sum;
                    double size = dot(a.data() + i * o.k, y.data() + j * o.k, &sum);
                    X factor = alpha_at(i) * factor_at(0) * factor_at(1), beta = beta_at(i) * factor_at(2);
                    if (o.outer)
                        factor *= (0.5 + (double)(i % 5) / 4) * (0.5 + (double)((o.m + j) % 5) / 4);
                    X c = beta == X(0) ? X(0) : beta * (o.in_place ? D : C).get_at(b, i, j);
                    X x = factor * sum + c;
                    double wide = is_integer(o.d) || o.d == CUDA_R_64F || o.d == CUDA_C_64F ? 1.2e-16 : 6e-8;
                    double e =
                        std::abs(factor) * size * sum_unit * (double)(o.k + 4) + 8 * wide * (size + std::abs(c) + 2);
                    if (with_bias)
                        x += get(bias_type, bias.host.data(), (size_t)(b * bias_stride + i));
                    clear.push_back(std::abs(x.real()) > e);
                    positive.push_back(x.real() > 0);
                    kept.push_back(x * (o.aux_factor == 0 ? 1 : o.aux_factor));
                    kept_bound.push_back(e + std::abs(kept.back()) * precision(aux_type));
                    aux_most = std::max(aux_most, std::abs(x));
                    if (relu && x.real() < 0)
                        x = 0;
                    if (gelu_on) {
                        x = gelu(x.real());
                        e = 1.5 * e + 1e-3 * (o.d == CUDA_R_64F ? 1e-10 : o.d == CUDA_R_32F ? 1e-2 : 1);
                    }
                    if (drelu && !mask_at(b, i, j, aux.host))
                        x = 0;
                    if (dgelu) {
                        double at = get(aux_type, aux.host.data(), (size_t)(b * aux_stride + i + j * aux_ld)).real();
                        x *= gelu_slope(at);
                        e = 1.5 * e + 1e-3 *
                                          (o.d == CUDA_R_64F   ? 1e-5
                                           : o.d == CUDA_R_32F ? 1e-2
                                                               : 1) *
                                          (1 + std::abs(x));
                    }
                    if (o.epilogue & 16) {
                        sums[(size_t)(b * bias_stride + i)] += x.real();
                        sums_bound[(size_t)(b * bias_stride + i)] += e + std::abs(x) * precision(o.d);
                    }
                    most = std::max(most, std::abs(x));
                    if (!is_heddle()) // rounded before the epilogue too, and a hyperbolic tangent of float
                        e += std::abs(x) * (precision(o.d) + 1e-8 * (gelu_on || dgelu));
                    x *= factor_at(3);
                    e = e * factor_at(3) + (std::abs(x) + e) * precision(o.d) * 1.001;
                    e += o.d == CUDA_R_16F ? 4e-8 : o.d == CUDA_R_8F_E4M3 ? 1e-3 : o.d == CUDA_R_8F_E5M2 ? 1e-5 : 0;
                    if (o.d == CUDA_R_8I) {
                        x = std::min(127.0, std::max(-128.0, std::nearbyint(x.real())));
                        e = 1;
                    } else if (is_fp8(o.d)) {
                        double top = o.d == CUDA_R_8F_E4M3 ? 448 : 57344;
                        x = std::min(top, std::max(-top, x.real()));
                    } else if (is_integer(o.d)) {
                        e = 0;
                    }
                    want.push_back(x);
                    bound.push_back(e);
                }
        }
        CHECK(agrees(D, want, bound, o.name));
        if (with_aux && relu)
            compare_mask(positive, clear);
        if (with_aux && gelu_on)
            compare_aux(kept, kept_bound);
        if (grad)
            compare_sums(sums, sums_bound);
        if (o.amax)
            compare_largest(most, aux_most);
    }
    void compare_mask(const std::vector<bool> &positive, const std::vector<bool> &clear)
    {
        std::vector<char> got = aux.pull();
        size_t q = 0, wrong = 0;
        for (int64_t b = 0; b < o.count; b++)
            for (int64_t j = 0; j < o.n; j++)
                for (int64_t i = 0; i < o.m; i++, q++)
                    wrong += clear[q] && mask_at(b, i, j, got) != positive[q];
        CHECK(wrong == 0);
    }
    void compare_aux(const std::vector<X> &kept, const std::vector<double> &bound)
    {
        std::vector<char> got = aux.pull();
        size_t q = 0, wrong = 0;
        for (int64_t b = 0; b < o.count; b++)
            for (int64_t j = 0; j < o.n; j++)
                for (int64_t i = 0; i < o.m; i++, q++) {
                    X g = get(aux_type, got.data(), (size_t)(b * aux_stride + i + j * aux_ld));
                    wrong += !(std::abs(g - kept[q]) <= bound[q] + 1e-3 * is_fp8(aux_type));
                }
        CHECK(wrong == 0);
    }
    void compare_sums(std::vector<double> &sums, std::vector<double> &bound)
    {
        for (int64_t b = 0; b < o.count && o.epilogue & (256 | 512); b++)
            for (int64_t i = 0; i < vector; i++)
                for (int64_t d = 0; d < o.k; d++) {
                    X x = o.epilogue & 256 ? A.op_at(o.ta, b, i, d) : B.op_at(o.tb, b, d, i);
                    sums[(size_t)(b * bias_stride + i)] += x.real();
                    bound[(size_t)(b * bias_stride + i)] += std::abs(x) * 1e-6;
                }
        std::vector<char> got = bias.pull();
        size_t wrong = 0;
        for (int64_t b = 0; b < o.count; b++)
            for (int64_t i = 0; i < vector; i++) {
                size_t q = (size_t)(b * bias_stride + i);
                double g = get(bias_type, got.data(), q).real();
                if (!(std::abs(g - sums[q]) <= bound[q] + std::abs(sums[q]) * precision(bias_type) * 2)) {
                    if (!wrong++)
                        printf("%s: the gradient at %d is %g, not %g within %g\n", o.name, (int)i, g, sums[q],
                               bound[q]);
                }
            }
        CHECK(wrong == 0);
    }
    void compare_largest(double most, double aux_most)
    {
        std::vector<char> got = largest.pull();
        double d = get(CUDA_R_32F, got.data(), 0).real(), a = get(CUDA_R_32F, got.data(), 1).real();
        CHECK(std::abs(d - most) <= 1e-3 * most + 1e-3);
        CHECK(!(gelu_on && with_aux) || std::abs(a - aux_most) <= 1e-3 * aux_most + 1e-3);
    }
};

// Runs a job; a GPU may refuse what is optional.
static inline void run(const job &o)
{
    product p(o);
    cublasStatus_t s = p.call();
    if (o.optional && !is_heddle() && is_refusal(s))
        return;
    check_status((int)s, 0, o.name, __FILE__, __LINE__);
    CUDA(cudaDeviceSynchronize());
    if (!s)
        p.compare();
}
#endif
