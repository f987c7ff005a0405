// SPDX-License-Identifier: Apache-2.0
// The handle of cuBLAS, scalars, and what bodies of functions begin and end with.
#ifndef HEDDLE_CUBLAS_HANDLE_H
#define HEDDLE_CUBLAS_HANDLE_H
#include "cublas/status.h"
#include "library/library.h"
#include <cublas_api.h>
#include <string.h>

// Types of elements. Those of half precision are computed in float; HS and BS have results in float too. I is
// int32_t, of scalars and sums.
enum blas_type { BLAS_S, BLAS_D, BLAS_C, BLAS_Z, BLAS_H, BLAS_B, BLAS_HS, BLAS_BS, BLAS_I, BLAS_TYPES };
// In a template of library/number.h, its type.
#define KIND NUMBER_CAT(BLAS, LETTER)
size_t blas_size(enum blas_type type); // of an element
// The type of real numbers of the same precision, and of scalars that a function of the type has.
enum blas_type blas_real(enum blas_type type);
enum blas_type blas_scalar(enum blas_type type);

// What is set in a handle and read again.
enum helper_setting {
    HELPER_POINTER_MODE,
    HELPER_ATOMICS_MODE,
    HELPER_MATH_MODE,
    HELPER_SM_COUNT,
    HELPER_STRATEGY,
    HELPER_SPECIAL_VALUES,
    HELPER_MANTISSA_CONTROL,
    HELPER_MANTISSA_BITS,
    HELPER_MANTISSA_OFFSET,
    HELPER_SETTINGS
};

struct cublasContext {
    struct library_handle base;
    cudaStream_t stream;
    int settings[HELPER_SETTINGS];
    int *bit_count;
    bool only_checks; // cublasXt: calls check their arguments and launch nothing
    struct library_scratch scratch;
};

// A scalar argument. `at` is in device memory, and read when the work runs; NULL: it is `value`, the host's of the time of the call.
struct scalar {
    const void *at;
    enum blas_type type;
    union {
        double number[2];
        char bytes[16];
    } value;
};

static inline bool blas_device_scalars(cublasHandle_t h)
{
    return h->settings[HELPER_POINTER_MODE] == CUBLAS_POINTER_MODE_DEVICE;
}
struct scalar scalar_of(cublasHandle_t h, enum blas_type type, const void *value);

// Launches for the handle's stream.
static inline cublasStatus_t blas_launch(cublasHandle_t h, struct library_kernel *k, uint64_t parts, double work,
                                         void *block)
{
    return h->only_checks ? CUBLAS_STATUS_SUCCESS : blas_status(library_launch(k, h->stream, parts, work, block));
}
// What a function does whose result goes to `result`: the host waits for it unless results are the device's.
cublasStatus_t blas_result_wait(cublasHandle_t h, cublasStatus_t status);
// See library_scratch_begin.
void *blas_scratch(cublasHandle_t h, size_t bytes);
void blas_scratch_end(cublasHandle_t h, void *memory);

// ---- checks, in the order in which NVIDIA's library makes them: the handle, then the arguments
#define BLAS_ENTER(h)                                                                                                  \
    do {                                                                                                               \
        if (!library_handle_alive(h))                                                                                  \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                                      \
    } while (0)
#define BLAS_CHECK(condition)                                                                                          \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return CUBLAS_STATUS_INVALID_VALUE;                                                                        \
    } while (0)

static inline bool blas_is_op(cublasOperation_t op)
{
    return (unsigned)op <= CUBLAS_OP_CONJG;
}
static inline bool blas_is_uplo(cublasFillMode_t uplo)
{
    return (unsigned)uplo <= CUBLAS_FILL_MODE_UPPER;
}
static inline bool blas_is_diag(cublasDiagType_t diag)
{
    return (unsigned)diag <= CUBLAS_DIAG_UNIT;
}
static inline bool blas_is_side(cublasSideMode_t side)
{
    return (unsigned)side <= CUBLAS_SIDE_RIGHT;
}
// Whether a matrix with so many rows may have this leading dimension.
static inline bool blas_is_ld(int64_t ld, int64_t rows)
{
    return ld >= (rows > 1 ? rows : 1);
}
static inline int64_t blas_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
static inline int64_t blas_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

// ---- helper.c: bodies
cublasStatus_t helper_create(cublasHandle_t *handle);
cublasStatus_t helper_destroy(cublasHandle_t h);
cublasStatus_t helper_version(cublasHandle_t h, int *version);
cublasStatus_t helper_property(libraryPropertyType type, int *value);
cublasStatus_t helper_set_workspace(cublasHandle_t h, void *workspace, size_t bytes);
cublasStatus_t helper_set_stream(cublasHandle_t h, cudaStream_t stream);
cublasStatus_t helper_get_stream(cublasHandle_t h, cudaStream_t *stream);
cublasStatus_t helper_get(cublasHandle_t h, enum helper_setting what, int *value);
cublasStatus_t helper_set(cublasHandle_t h, enum helper_setting what, int value);
cublasStatus_t helper_get_bit_count(cublasHandle_t h, int **count);
cublasStatus_t helper_set_bit_count(cublasHandle_t h, int *count);
const char *helper_status_name(cublasStatus_t status);
const char *helper_status_string(cublasStatus_t status);
cublasStatus_t helper_logger(int on, int to_stdout, int to_stderr, const char *file);
cublasStatus_t helper_set_callback(cublasLogCallback callback);
cublasStatus_t helper_get_callback(cublasLogCallback *callback);
void helper_xerbla(const char *name, int info);

// ---- transfer.c
cublasStatus_t transfer_vector(int64_t n, int64_t size, const void *x, int64_t incx, void *y, int64_t incy,
                               cudaStream_t stream, bool wait);
cublasStatus_t transfer_matrix(int64_t rows, int64_t cols, int64_t size, const void *A, int64_t lda, void *B,
                               int64_t ldb, cudaStream_t stream, bool wait);
#endif
