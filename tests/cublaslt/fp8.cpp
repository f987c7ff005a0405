// SPDX-License-Identifier: Apache-2.0
// fp8: both formats, factors of matrices, the largest magnitude, epilogues; every value of both formats comes through a product.
#include "product_test.h"

static job base(const char *name, cudaDataType a, cudaDataType b, cudaDataType c, cudaDataType d)
{
    job o(name, CUBLAS_COMPUTE_32F, CUDA_R_32F, a, c);
    o.b = b;
    o.d = d;
    o.ta = CUBLAS_OP_T; // what GPUs have
    o.optional = true;  // from sm_89 on
    o.m = 64, o.n = 48, o.k = 96;
    return o;
}

static void types()
{
    const cudaDataType E4 = CUDA_R_8F_E4M3, E5 = CUDA_R_8F_E5M2;
    static const struct {
        cudaDataType a, b;
    } sources[] = {{E4, E4}, {E4, E5}, {E5, E4}};
    static const struct {
        cudaDataType c, d;
    } results[] = {{CUDA_R_16BF, CUDA_R_16BF}, {CUDA_R_16F, CUDA_R_16F}, {CUDA_R_32F, CUDA_R_32F}, {CUDA_R_16BF, E4},
                   {CUDA_R_16F, E4},           {CUDA_R_16BF, E5},        {CUDA_R_16F, E5}};
    for (auto &s : sources)
        for (auto &r : results) {
            if (r.d == E5 && s.a == E4 && s.b == E4)
                continue;
            job o = base("fp8", s.a, s.b, r.c, r.d);
            run(o);
            o.factor[0] = 0.5, o.factor[1] = 4;
            o.heuristic = true;
            if (is_fp8(r.d)) {
                o.factor[3] = 0.25;
                o.amax = true;
            }
            run(o);
            o.epilogue = CUBLASLT_EPILOGUE_RELU_BIAS;
            o.bias = r.c == CUDA_R_32F ? CUDA_R_16BF : r.c;
            run(o);
        }
}

static void more()
{
    // D that saturates, C, k beyond a panel, many tiles
    job o = base("fp8 saturates", CUDA_R_8F_E4M3, CUDA_R_8F_E4M3, CUDA_R_16BF, CUDA_R_8F_E4M3);
    o.factor[3] = 1000;
    run(o);
    job l = base("fp8, long", CUDA_R_8F_E4M3, CUDA_R_8F_E5M2, CUDA_R_16BF, CUDA_R_16BF);
    l.m = 416, l.n = 160, l.k = 528;
    l.beta = 1;
    run(l);
    // all transposes and orders, which a GPU has not
    for (int bits = 0; bits < 16; bits++) {
        job t = base("fp8, transposed", CUDA_R_8F_E4M3, CUDA_R_8F_E4M3, CUDA_R_32F, CUDA_R_32F);
        t.ta = bits & 1 ? CUBLAS_OP_T : CUBLAS_OP_N;
        t.tb = bits & 2 ? CUBLAS_OP_T : CUBLAS_OP_N;
        t.oa = bits & 4 ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
        t.ob = bits & 8 ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
        t.m = 33, t.n = 21, t.k = 270, t.count = 2;
        t.pad = 1;
        run(t);
    }
    job v = base("fp8, factors of rows and columns", CUDA_R_8F_E4M3, CUDA_R_8F_E4M3, CUDA_R_16BF, CUDA_R_16BF);
    v.outer = true;
    run(v);
    job g = base("fp8, GELU_AUX_BIAS", CUDA_R_8F_E4M3, CUDA_R_8F_E4M3, CUDA_R_16BF, CUDA_R_8F_E4M3);
    g.epilogue = CUBLASLT_EPILOGUE_GELU_AUX_BIAS;
    g.bias = CUDA_R_16BF;
    g.alpha = 0.125;
    g.factor[3] = 2;
    g.aux_factor = 0.5;
    g.amax = true;
    run(g);
}

// Each value of a format times 1, to float: exactly as the conversion functions of the toolkit have it.
static void values(cudaDataType type)
{
    const int m = 256, n = 16, k = 16;
    matrix a(type, k, m), b(CUDA_R_8F_E4M3, k, n), d(CUDA_R_32F, m, n);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < k; j++)
            a.data.host[(size_t)(j + i * k)] = (char)(j == 0 ? i : 0);
    for (int i = 0; i < k * n; i++)
        put(b.type, b.data.host.data(), (size_t)i, 1);
    a.data.push();
    b.data.push();
    float one = 1, zero = 0;
    int32_t t = CUBLAS_OP_T;
    cublasLtMatmulDesc_t desc;
    OK(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    OK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &t, sizeof t));
    cublasStatus_t s = cublasLtMatmul(handle, desc, &one, a.data.dev, a.layout, b.data.dev, b.layout, &zero, d.data.dev,
                                      d.layout, d.data.dev, d.layout, nullptr, nullptr, 0, nullptr);
    OK(cublasLtMatmulDescDestroy(desc));
    if (s && !is_heddle() && is_refusal(s))
        return;
    OK(s);
    std::vector<char> got = d.data.pull();
    int wrong = 0;
    for (int i = 0; i < m; i++) {
        double want = get(type, a.data.host.data(), (size_t)(i * k)).real(),
               have = get(CUDA_R_32F, got.data(), (size_t)i).real();
        wrong += !(have == want || (std::isnan(want) && std::isnan(have)));
    }
    CHECK(wrong == 0);
}

int main()
{
    OK(cublasLtCreate(&handle));
    types();
    more();
    values(CUDA_R_8F_E4M3);
    values(CUDA_R_8F_E5M2);
    OK(cublasLtDestroy(handle));
    return summary();
}
