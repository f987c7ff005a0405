// SPDX-License-Identifier: Apache-2.0
// A product: D = epilogue(alpha op(A) op(B) + beta C), as it is described and as parts of a grid read it.
#ifndef HEDDLE_CUBLASLT_MATMUL_H
#define HEDDLE_CUBLASLT_MATMUL_H
#include "cublas/compute/product.h"
#include "cublaslt/lt.h"

// Which types a product may have together. fp8 has rules of its own (problem.c).
struct lt_types {
    enum product_type product; // of A and B, or of the panels that they become
    enum lt_kind sums, kind;   // of the sums, and of what is done with them
    enum lt_type scale;        // of alpha and beta
    uint64_t flags;            // cublasLtNumericalImplFlags_t
};
// False: not supported.
bool lt_types_find(struct lt_types *t, int32_t compute, int32_t scale, const cudaDataType type[4]);

struct matmul {
    struct native_head head;
    struct lt_types types;
    int64_t m, n, k, count;
    struct lt_matrix a, b, c, d;
    bool strict; // the program asked for pedantic sums
    bool panels; // A and B are copied before they are multiplied
    struct lt_scalar alpha, beta;
    const float *factor[4]; // of A, B, C and D; NULL: 1
    bool outer[2];          // those of A and B are vectors, of rows and columns of D
    float *amax;
    struct {
        uint32_t what; // cublasLtEpilogue_t
        void *bias;
        int64_t bias_stride;
        enum lt_type bias_type;
        struct lt_matrix aux; // of GELU
        void *mask;           // of RELU, in bytes
        int64_t mask_ld, mask_stride;
        const float *aux_factor;
        float *aux_amax;
    } epilogue;
    struct product_tiles tiles;
    int64_t each; // matrices of one tile in a part
    bool strips;  // a part has whole rows of D, since it sums them up
};

static inline bool matmul_adds_bias(uint32_t what)
{
    return what & CUBLASLT_EPILOGUE_BIAS;
}
// Bits of cublasLtEpilogue_t; those that have a vector.
enum { EPILOGUE_DRELU = 8, EPILOGUE_BGRAD = 16, EPILOGUE_DGELU = 64, EPILOGUE_AUX = 128 };
enum {
    EPILOGUE_VECTOR = CUBLASLT_EPILOGUE_BIAS | EPILOGUE_BGRAD | CUBLASLT_EPILOGUE_BGRADA | CUBLASLT_EPILOGUE_BGRADB
};

// Everything but the pointers of a call. INVALID_VALUE or NOT_SUPPORTED: what cublasLtMatmul() answers.
cublasStatus_t matmul_of(struct matmul *g, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t A,
                         cublasLtMatrixLayout_t B, cublasLtMatrixLayout_t C, cublasLtMatrixLayout_t D);
// How the work is cut; parts of the grid.
int64_t matmul_cut(struct matmul *g);

// ---- algo.c: whether an algorithm is one of ours, for this product
cublasStatus_t algo_check(const cublasLtMatmulAlgo_t *algo, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t A,
                          cublasLtMatrixLayout_t B, cublasLtMatrixLayout_t C, cublasLtMatrixLayout_t D);

// ---- finish.c: what becomes of the sums of a tile, which are in columns of `rows` numbers
struct finish {
    int64_t index, i, j, rows, columns; // the matrix, and the tile in it
    const void *sums;
    double *row_sums; // of a strip, to which those of the tile are added; NULL: not wanted
};
void matmul_finish(const struct matmul *g, const struct finish *f);
#endif
