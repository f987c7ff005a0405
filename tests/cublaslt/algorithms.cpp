// SPDX-License-Identifier: Apache-2.0
// Algorithms: those that heuristics and lists name run and give the product; what they can do; how they are configured and checked.
#include "product_test.h"

static const cublasComputeType_t F = CUBLAS_COMPUTE_32F;
static const cudaDataType S = CUDA_R_32F;

// Every algorithm of the list, as it is, multiplies.
static void lists()
{
    int ids[100], n = 0;
    OK(cublasLtMatmulAlgoGetIds(handle, F, S, S, S, S, S, 100, ids, &n));
    CHECK(n > 0 && n <= 100);
    job o("by id", F, S, S, S);
    for (int i = 0; i < n; i++) {
        product p(o);
        cublasLtMatmulAlgo_t algo;
        cublasLtMatmulHeuristicResult_t result;
        memset(&result, 0, sizeof result);
        OK(cublasLtMatmulAlgoInit(handle, F, S, S, S, S, S, ids[i], &algo));
        int32_t id = -1;
        OK(cublasLtMatmulAlgoConfigGetAttribute(&algo, CUBLASLT_ALGO_CONFIG_ID, &id, sizeof id, nullptr));
        CHECK(id == ids[i]);
        cublasStatus_t s =
            cublasLtMatmulAlgoCheck(handle, p.desc, p.A.layout, p.B.layout, p.C.layout, p.D.layout, &algo, &result);
        HEDDLE_ONLY(OK(s); CHECK(result.workspaceSize == 0 && result.wavesCount > 0));
        if (s)
            continue; // it wants to be configured
        float one = 1, zero = 0;
        OK(cublasLtMatmul(handle, p.desc, &one, p.A.data.dev, p.A.layout, p.B.data.dev, p.B.layout, &zero, p.C.data.dev,
                          p.C.layout, p.D.data.dev, p.D.layout, &algo, p.workspace.dev, p.workspace.host.size(),
                          nullptr));
        p.compare();
    }
    WANT(cublasLtMatmulAlgoGetIds(handle, F, S, S, S, S, S, 0, ids, &n), CUBLAS_STATUS_INVALID_VALUE);
    cublasLtMatmulAlgo_t algo;
    WANT(cublasLtMatmulAlgoInit(handle, F, S, S, S, S, S, ids[0], nullptr), CUBLAS_STATUS_INVALID_VALUE);
    WANT(cublasLtMatmulAlgoInit(handle, F, S, S, S, S, S, -1, &algo), CUBLAS_STATUS_INVALID_VALUE);
    WANT(cublasLtMatmulAlgoInit(handle, F, S, S, S, S, S, 1000000, &algo), CUBLAS_STATUS_INVALID_VALUE);
    HEDDLE_ONLY(
        WANT(cublasLtMatmulAlgoInit(handle, F, S, S, S, CUDA_R_64F, S, ids[0], &algo), CUBLAS_STATUS_NOT_SUPPORTED));
}

static void heuristics()
{
    job o("heuristic", F, S, S, S);
    product p(o);
    cublasLtMatmulPreference_t wish;
    cublasLtMatmulHeuristicResult_t found[8];
    int n = 0;
    size_t room = p.workspace.host.size();
    OK(cublasLtMatmulPreferenceCreate(&wish));
    OK(cublasLtMatmulPreferenceSetAttribute(wish, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &room, sizeof room));
    auto ask = [&](cublasLtMatrixLayout_t b, int most) {
        return cublasLtMatmulAlgoGetHeuristic(handle, p.desc, p.A.layout, b, p.C.layout, p.D.layout, wish, most, found,
                                              &n);
    };
    OK(ask(p.B.layout, 8));
    CHECK(n >= 1 && n <= 8);
    for (int i = 0; i < n; i++) {
        CHECK(found[i].state == CUBLAS_STATUS_SUCCESS && found[i].workspaceSize <= room && found[i].wavesCount > 0);
        float one = 1, zero = 0;
        OK(cublasLtMatmul(handle, p.desc, &one, p.A.data.dev, p.A.layout, p.B.data.dev, p.B.layout, &zero, p.C.data.dev,
                          p.C.layout, p.D.data.dev, p.D.layout, &found[i].algo, p.workspace.dev, room, nullptr));
        p.compare();
    }
    WANT(ask(p.B.layout, 0), CUBLAS_STATUS_INVALID_VALUE);
    WANT(ask(p.B.layout, -3), CUBLAS_STATUS_INVALID_VALUE);
    matrix other(S, o.k + 1, o.n), wide(CUDA_R_64F, o.k, o.n);
    CHECK(is_refusal(ask(other.layout, 8)));
    CHECK(is_refusal(ask(wide.layout, 8)) && n == 0);
    HEDDLE_ONLY(WANT(ask(other.layout, 8), CUBLAS_STATUS_INVALID_VALUE);
                WANT(ask(wide.layout, 8), CUBLAS_STATUS_NOT_SUPPORTED));
    // wishes that no algorithm fulfils
    uint64_t none = 0, all = ~0ull;
    OK(cublasLtMatmulPreferenceSetAttribute(wish, CUBLASLT_MATMUL_PREF_IMPL_MASK, &none, sizeof none));
    WANT(ask(p.B.layout, 8), CUBLAS_STATUS_NOT_SUPPORTED);
    OK(cublasLtMatmulPreferenceSetAttribute(wish, CUBLASLT_MATMUL_PREF_IMPL_MASK, &all, sizeof all));
    OK(ask(p.B.layout, 1));
    // by id
    uint32_t limited = CUBLASLT_SEARCH_LIMITED_BY_ALGO_ID;
    OK(cublasLtMatmulPreferenceSetAttribute(wish, CUBLASLT_MATMUL_PREF_SEARCH_MODE, &limited, sizeof limited));
    OK(ask(p.B.layout, 1));
    OK(cublasLtMatmulPreferenceDestroy(wish));
}

// An algorithm is for its types; a copy of its bytes is it.
static void checks()
{
    job o("check", F, S, S, S), other("other", CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F);
    product p(o), q(other);
    int id = 0, n = 0;
    cublasLtMatmulAlgo_t algo, copy;
    cublasLtMatmulHeuristicResult_t result;
    OK(cublasLtMatmulAlgoGetIds(handle, F, S, S, S, S, S, 1, &id, &n));
    OK(cublasLtMatmulAlgoInit(handle, F, S, S, S, S, S, id, &algo));
    CHECK(is_refusal(
        cublasLtMatmulAlgoCheck(handle, q.desc, q.A.layout, q.B.layout, q.C.layout, q.D.layout, &algo, &result)));
    float one = 1, zero = 0;
    auto multiply = [&](const cublasLtMatmulAlgo_t *a, product &x) {
        return cublasLtMatmul(handle, x.desc, &one, x.A.data.dev, x.A.layout, x.B.data.dev, x.B.layout, &zero,
                              x.C.data.dev, x.C.layout, x.D.data.dev, x.D.layout, a, nullptr, 0, nullptr);
    };
    HEDDLE_ONLY(memcpy(&copy, &algo, sizeof copy); OK(multiply(&copy, p));
                WANT(multiply(&algo, q), CUBLAS_STATUS_INVALID_VALUE); memset(&copy, 0, sizeof copy);
                WANT(multiply(&copy, p), CUBLAS_STATUS_INVALID_VALUE); memset(&copy, 0x5a, sizeof copy);
                WANT(multiply(&copy, p), CUBLAS_STATUS_INVALID_VALUE));
    // what is set is kept, and refused by who cannot do it
    static const struct {
        cublasLtMatmulAlgoConfigAttributes_t attr;
        size_t bytes;
    } all[] = {{CUBLASLT_ALGO_CONFIG_TILE_ID, 4},          {CUBLASLT_ALGO_CONFIG_SPLITK_NUM, 4},
               {CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, 4}, {CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING, 4},
               {CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, 4},    {CUBLASLT_ALGO_CONFIG_STAGES_ID, 4},
               {CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID, 2},   {CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, 2}};
    for (auto &a : all) {
        uint32_t value = 3, got = 0;
        size_t written = 0;
        copy = algo;
        OK(cublasLtMatmulAlgoConfigSetAttribute(&copy, a.attr, &value, a.bytes));
        OK(cublasLtMatmulAlgoConfigGetAttribute(&copy, a.attr, &got, a.bytes, &written));
        CHECK(got == 3 && written == a.bytes);
        WANT(cublasLtMatmulAlgoConfigSetAttribute(&copy, a.attr, &value, a.bytes + 1), CUBLAS_STATUS_INVALID_VALUE);
        WANT(cublasLtMatmulAlgoConfigSetAttribute(&copy, a.attr, nullptr, a.bytes), CUBLAS_STATUS_INVALID_VALUE);
        WANT(cublasLtMatmulAlgoConfigGetAttribute(&copy, a.attr, &got, 1, nullptr), CUBLAS_STATUS_INVALID_VALUE);
        HEDDLE_ONLY(WANT(multiply(&copy, p), CUBLAS_STATUS_NOT_SUPPORTED));
    }
}

static void capabilities()
{
    int id = 0, n = 0;
    cublasLtMatmulAlgo_t algo;
    OK(cublasLtMatmulAlgoGetIds(handle, F, S, S, S, S, S, 1, &id, &n));
    OK(cublasLtMatmulAlgoInit(handle, F, S, S, S, S, S, id, &algo));
    for (int attr = 0; attr < 23; attr++) {
        uint64_t value = 0;
        size_t bytes = 0, written = 0;
        bool known = attr != 8 && attr != 9 && attr != 20, list = attr == 6 || attr == 13;
        auto a = (cublasLtMatmulAlgoCapAttributes_t)attr;
        cublasStatus_t s = cublasLtMatmulAlgoCapGetAttribute(&algo, a, nullptr, 0, &bytes);
        if (!known) {
            HEDDLE_ONLY(WANT(s, CUBLAS_STATUS_INVALID_VALUE));
            continue;
        }
        OK(s);
        if (list) {
            CHECK(bytes % 4 == 0);
            continue;
        }
        CHECK(bytes == (attr == CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS ? 8u : 4u));
        OK(cublasLtMatmulAlgoCapGetAttribute(&algo, a, &value, bytes, &written));
        CHECK(written == bytes);
        WANT(cublasLtMatmulAlgoCapGetAttribute(&algo, a, &value, 3, &written), CUBLAS_STATUS_INVALID_VALUE);
        WANT(cublasLtMatmulAlgoCapGetAttribute(&algo, a, nullptr, bytes, &written), CUBLAS_STATUS_INVALID_VALUE);
    }
    uint32_t mask = 0, alignment = 0;
    OK(cublasLtMatmulAlgoCapGetAttribute(&algo, CUBLASLT_ALGO_CAP_POINTER_MODE_MASK, &mask, sizeof mask, nullptr));
    CHECK((mask & 3) == 3);
    OK(cublasLtMatmulAlgoCapGetAttribute(&algo, CUBLASLT_ALGO_CAP_EPILOGUE_MASK, &mask, sizeof mask, nullptr));
    CHECK(mask & CUBLASLT_EPILOGUE_DEFAULT);
    OK(cublasLtMatmulAlgoCapGetAttribute(&algo, CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES, &alignment, sizeof alignment,
                                         nullptr));
    CHECK(alignment >= 4 && alignment <= 256);
}

int main()
{
    OK(cublasLtCreate(&handle));
    lists();
    heuristics();
    checks();
    capabilities();
    OK(cublasLtDestroy(handle));
    return summary();
}
