// SPDX-License-Identifier: Apache-2.0
// Algorithms. There is one, of id 0: it takes every product that is supported, needs no workspace, and cuts the work by itself, so that
// nothing of it can be configured.
#include "cublaslt/matmul.h"
#include <string.h>

enum { ALGO_ID = 0, ALGO_MARK = 0x4c744865 };

static struct lt_algo algo_of(int32_t compute, int32_t scale, const cudaDataType type[4])
{
    struct lt_algo a = {.id = ALGO_ID, .splits = 1, .mark = ALGO_MARK};
    a.compute = (uint16_t)compute;
    a.scale = (uint16_t)scale;
    for (int i = 0; i < 4; i++)
        a.type[i] = (uint16_t)type[i];
    return a;
}

static void algo_write(cublasLtMatmulAlgo_t *to, const struct lt_algo *a)
{
    memset(to, 0, sizeof *to);
    memcpy(to, a, sizeof *a);
}

static struct lt_algo algo_read(const cublasLtMatmulAlgo_t *from)
{
    struct lt_algo a;
    memcpy(&a, from, sizeof a);
    return a;
}

static void types_of(cudaDataType type[4], cublasLtMatrixLayout_t A, cublasLtMatrixLayout_t B, cublasLtMatrixLayout_t C,
                     cublasLtMatrixLayout_t D)
{
    const void *const l[4] = {A, B, C, D};
    for (int i = 0; i < 4; i++)
        type[i] = (cudaDataType)((const struct lt_layout *)l[i])->type;
}

// The descriptors were checked before.
cublasStatus_t algo_check(const cublasLtMatmulAlgo_t *algo, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t A,
                          cublasLtMatrixLayout_t B, cublasLtMatrixLayout_t C, cublasLtMatrixLayout_t D)
{
    LT_CHECK(algo);
    const struct lt_desc *d = (const struct lt_desc *)desc;
    struct lt_algo a = algo_read(algo);
    cudaDataType type[4];
    types_of(type, A, B, C, D);
    LT_CHECK(a.mark == ALGO_MARK && a.id == ALGO_ID && a.compute == d->compute && a.scale == d->scale);
    for (int i = 0; i < 4; i++)
        LT_CHECK(a.type[i] == type[i]);
    LT_SUPPORT(!a.tile && !a.stages && !a.inner && !a.cluster && !a.custom && !a.swizzle && !a.reduction &&
               (a.splits == 0 || a.splits == 1));
    return CUBLAS_STATUS_SUCCESS;
}

// How many times all processors are busy with a product.
static float waves_of(struct matmul *g)
{
    int device = 0, processors = 1;
    if (!g->m || !g->n)
        return 0;
    if (cudaGetDevice(&device) || cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device))
        processors = 1;
    return (float)matmul_cut(g) / (float)(processors > 0 ? processors : 1);
}

static bool is_wanted(const struct lt_preference *p, const struct matmul *g, float waves)
{
    const struct lt_matrix *x[4] = {&g->a, &g->b, &g->c, &g->d};
    for (int i = 0; i < 4; i++)
        if (p->alignment[i] < lt_size(x[i]->type))
            return false;
    return (g->types.flags & ~p->flags) == 0 && (p->waves <= 0 || waves <= p->waves);
}

cublasStatus_t lt_MatmulAlgoGetHeuristic(cublasLtHandle_t h, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t A,
                                         cublasLtMatrixLayout_t B, cublasLtMatrixLayout_t C, cublasLtMatrixLayout_t D,
                                         cublasLtMatmulPreference_t preference, int requested,
                                         cublasLtMatmulHeuristicResult_t results[], int *count)
{
    struct matmul g;
    LT_ENTER(h);
    LT_CHECK(requested > 0 && results && count && preference);
    const struct lt_preference *p = (const struct lt_preference *)preference;
    *count = 0;
    LT_CHECK(p->search <= CUBLASLT_SEARCH_LIMITED_BY_ALGO_ID);
    cublasStatus_t s = matmul_of(&g, desc, A, B, C, D);
    if (s)
        return s;
    float waves = waves_of(&g);
    bool other = p->search == CUBLASLT_SEARCH_LIMITED_BY_ALGO_ID && algo_read(&results[0].algo).id != ALGO_ID;
    LT_SUPPORT(!other && is_wanted(p, &g, waves));
    const struct lt_desc *d = (const struct lt_desc *)desc;
    cudaDataType type[4];
    types_of(type, A, B, C, D);
    struct lt_algo a = algo_of(d->compute, d->scale, type);
    results[0] = (cublasLtMatmulHeuristicResult_t){.state = CUBLAS_STATUS_SUCCESS, .wavesCount = waves};
    algo_write(&results[0].algo, &a);
    *count = 1;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t lt_MatmulAlgoGetIds(cublasLtHandle_t h, cublasComputeType_t compute, cudaDataType_t scale,
                                   cudaDataType_t A, cudaDataType_t B, cudaDataType_t C, cudaDataType_t D,
                                   int requested, int ids[], int *count)
{
    struct lt_types t;
    LT_ENTER(h);
    LT_CHECK(requested > 0 && ids && count);
    *count = 0;
    LT_SUPPORT(lt_types_find(&t, (int32_t)compute, (int32_t)scale, (const cudaDataType[4]){A, B, C, D}));
    ids[0] = ALGO_ID;
    *count = 1;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t lt_MatmulAlgoInit(cublasLtHandle_t h, cublasComputeType_t compute, cudaDataType_t scale,
                                 cudaDataType_t A, cudaDataType_t B, cudaDataType_t C, cudaDataType_t D, int id,
                                 cublasLtMatmulAlgo_t *algo)
{
    struct lt_types t;
    const cudaDataType type[4] = {A, B, C, D};
    LT_ENTER(h);
    LT_CHECK(algo && id == ALGO_ID);
    LT_SUPPORT(lt_types_find(&t, (int32_t)compute, (int32_t)scale, type));
    struct lt_algo a = algo_of((int32_t)compute, (int32_t)scale, type);
    algo_write(algo, &a);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t lt_MatmulAlgoCheck(cublasLtHandle_t h, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t A,
                                  cublasLtMatrixLayout_t B, cublasLtMatrixLayout_t C, cublasLtMatrixLayout_t D,
                                  const cublasLtMatmulAlgo_t *algo, cublasLtMatmulHeuristicResult_t *result)
{
    struct matmul g;
    LT_ENTER(h);
    LT_CHECK(algo && result);
    cublasStatus_t s = matmul_of(&g, desc, A, B, C, D);
    s = s ? s : algo_check(algo, desc, A, B, C, D);
    if (s)
        return s;
    result->workspaceSize = 0;
    result->state = CUBLAS_STATUS_SUCCESS;
    result->wavesCount = waves_of(&g);
    return CUBLAS_STATUS_SUCCESS;
}

// ---- what it can do: numbers of 32 bits, but for the flags and two lists, which are empty
static const struct {
    unsigned char known;
    uint32_t value;
} capabilities[] = {
    [CUBLASLT_ALGO_CAP_SPLITK_SUPPORT] = {1, 0},
    [CUBLASLT_ALGO_CAP_REDUCTION_SCHEME_MASK] = {1, 0},
    [CUBLASLT_ALGO_CAP_CTA_SWIZZLING_SUPPORT] = {1, 0},
    [CUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT] = {1, 1},
    [CUBLASLT_ALGO_CAP_OUT_OF_PLACE_RESULT_SUPPORT] = {1, 1},
    [CUBLASLT_ALGO_CAP_UPLO_SUPPORT] = {1, 0},
    [CUBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX] = {1, 0},
    [CUBLASLT_ALGO_CAP_CUSTOM_MEMORY_ORDER] = {1, 1},
    [CUBLASLT_ALGO_CAP_POINTER_MODE_MASK] = {1, 31},
    [CUBLASLT_ALGO_CAP_EPILOGUE_MASK] = {1, 1023},
    [CUBLASLT_ALGO_CAP_LD_NEGATIVE] = {1, 0},
    [CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES] = {1, 0},
    [CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_B_BYTES] = {1, 0},
    [CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_C_BYTES] = {1, 0},
    [CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_D_BYTES] = {1, 0},
    [CUBLASLT_ALGO_CAP_POINTER_ARRAY_BATCH_SUPPORT] = {1, 1},
    [CUBLASLT_ALGO_CAP_FLOATING_POINT_EMULATION_SUPPORT] = {1, 0},
};

static cublasStatus_t answer(const void *value, size_t size, void *buf, size_t bytes, size_t *written)
{
    LT_CHECK((bytes || written) && (!bytes || (buf && bytes == size)));
    if (bytes)
        memcpy(buf, value, size);
    if (written)
        *written = size;
    return CUBLAS_STATUS_SUCCESS;
}

// Epilogues are for real numbers in floating point, and some for int8.
static uint32_t epilogues(const struct lt_types *t, enum lt_type result)
{
    const uint32_t FEW = CUBLASLT_EPILOGUE_DEFAULT | CUBLASLT_EPILOGUE_RELU_BIAS | CUBLASLT_EPILOGUE_GELU;
    if (t->kind != KIND_S && t->kind != KIND_D)
        return CUBLASLT_EPILOGUE_DEFAULT;
    return result == LT_J ? FEW : capabilities[CUBLASLT_ALGO_CAP_EPILOGUE_MASK].value;
}

cublasStatus_t lt_MatmulAlgoCapGetAttribute(const cublasLtMatmulAlgo_t *algo, cublasLtMatmulAlgoCapAttributes_t attr,
                                            void *buf, size_t bytes, size_t *written)
{
    LT_CHECK(algo && (unsigned)attr < sizeof capabilities / sizeof *capabilities);
    struct lt_algo a = algo_read(algo);
    struct lt_types t;
    cudaDataType type[4];
    for (int i = 0; i < 4; i++)
        type[i] = (cudaDataType)a.type[i];
    LT_CHECK(a.mark == ALGO_MARK && lt_types_find(&t, a.compute, a.scale, type));
    if (attr == CUBLASLT_ALGO_CAP_TILE_IDS || attr == CUBLASLT_ALGO_CAP_STAGES_IDS) {
        LT_CHECK(written && (!bytes || buf));
        *written = 0;
        return CUBLAS_STATUS_SUCCESS;
    }
    if (attr == CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS)
        return answer(&t.flags, sizeof t.flags, buf, bytes, written);
    LT_CHECK(capabilities[attr].known);
    uint32_t value = capabilities[attr].value;
    if (attr >= CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES && attr <= CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_D_BYTES)
        value = (uint32_t)lt_size(lt_type_of(type[attr - CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES]));
    if (attr == CUBLASLT_ALGO_CAP_EPILOGUE_MASK)
        value = epilogues(&t, lt_type_of(type[3]));
    return answer(&value, sizeof value, buf, bytes, written);
}
