// SPDX-License-Identifier: Apache-2.0
// What the bodies of cuBLASLt share: the handle, what descriptors hold, launches and checks. The prototypes of the bodies come from the
// table.
#ifndef HEDDLE_CUBLASLT_LT_H
#define HEDDLE_CUBLASLT_LT_H
#include "cublas/status.h"
#include "cublaslt/matrix.h"
#include "library/library.h"
#include <cublasLt.h>

struct cublasLtContext {
    struct library_handle base;
};
// Of this library, or of libcublas: a handle of cuBLAS is one of cuBLASLt too.
bool lt_handle_alive(cublasLtHandle_t h);

#define LT_ENTER(h)                                                                                                    \
    do {                                                                                                               \
        if (!lt_handle_alive(h))                                                                                       \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                                      \
    } while (0)
#define LT_CHECK(condition)                                                                                            \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return CUBLAS_STATUS_INVALID_VALUE;                                                                        \
    } while (0)
#define LT_SUPPORT(condition)                                                                                          \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return CUBLAS_STATUS_NOT_SUPPORTED;                                                                        \
    } while (0)

// ---- what the opaque structs hold; attributes are fields of the same size (descriptor.c)
struct lt_layout {
    int32_t type, order;
    uint64_t rows, columns;
    int64_t ld, stride, plane;
    int32_t count;
    uint32_t mode;
};
struct lt_desc {
    int32_t compute, scale, pointer_mode, op[3], fill;
    uint32_t epilogue;
    int32_t sm_count, aux_type, bias_type, mode[4], aux_mode, out_mode; // mode: of A, B, C and D
    int8_t fast;
    const void *factor[4]; // of A, B, C and D
    void *bias, *aux, *amax, *aux_amax, *out_factor;
    const void *aux_factor, *emulation;
    int64_t bias_stride, aux_ld, aux_stride, alpha_stride;
};
struct lt_transform_desc {
    int32_t scale, pointer_mode, op[2];
};
struct lt_preference {
    uint32_t search;
    uint32_t reductions;
    uint64_t workspace;
    uint32_t alignment[4];
    float waves;
    uint64_t flags;
};
struct lt_emulation {
    int32_t strategy, special_values, mantissa_control, mantissa_bits, mantissa_offset;
    int32_t *bit_count;
};
// An algorithm: what is set of it, and the types that it is for. There is one, which knows how to cut a product by itself.
struct lt_algo {
    int32_t id;
    uint32_t tile;
    int32_t splits;
    uint32_t reduction, swizzle, custom, stages;
    uint16_t inner, cluster;
    uint32_t mark;
    uint16_t compute, scale, type[4];
};
_Static_assert(sizeof(struct lt_layout) <= sizeof(cublasLtMatrixLayoutOpaque_t) &&
                   sizeof(struct lt_desc) <= sizeof(cublasLtMatmulDescOpaque_t) &&
                   sizeof(struct lt_transform_desc) <= sizeof(cublasLtMatrixTransformDescOpaque_t) &&
                   sizeof(struct lt_preference) <= sizeof(cublasLtMatmulPreferenceOpaque_t) &&
                   sizeof(struct lt_emulation) <= sizeof(cublasLtEmulationDescOpaque_t) &&
                   sizeof(struct lt_algo) <= sizeof(cublasLtMatmulAlgo_t),
               "what NVIDIA's structs have room for");

// A matrix by its layout, with op; INVALID_VALUE or NOT_SUPPORTED where there is none such. `at` is left to the caller.
cublasStatus_t lt_matrix_of(struct lt_matrix *x, const struct lt_layout *l, int32_t op);

// ---- scalars. `at` is in device memory, and read when the work runs; NULL: it is `value`, the host's of the time of the call.
struct lt_scalar {
    const void *at;
    int64_t stride; // of a vector: elements to that of the next matrix
    bool vector;    // one number for each row
    enum lt_type type;
    char value[16];
};
struct lt_scalar lt_scalar_of(enum lt_type type, bool device, const void *value);
// Those of rows i ... i + n - 1 of matrix number `index`, as numbers.
void lt_scalars(const struct lt_scalar *s, enum lt_kind kind, int64_t index, int64_t i, int64_t n, void *to);

// ---- bodies
#define FULL(result, name, params, args) result lt_##name params;
#include "cublaslt/api.def"
#undef FULL
#endif
