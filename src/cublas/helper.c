// SPDX-License-Identifier: Apache-2.0
// The handle and what is set in it; statuses; the logger.
#include "cublas/handle.h"
#include "cublas/status_name.h"
#include "library/stub.h"
#include <stdio.h>

const struct library library_self = {"cuBLAS", "libcublas.so.13", "CUBLAS_LOGINFO_DBG", "CUBLAS_LOGDEST_DBG"};

size_t blas_size(enum blas_type type)
{
    static const unsigned char sizes[BLAS_TYPES] = {4, 8, 8, 16, 2, 2, 2, 2, 4};
    return sizes[type];
}

enum blas_type blas_real(enum blas_type type)
{
    static const enum blas_type real[BLAS_TYPES] = {BLAS_S, BLAS_D, BLAS_S, BLAS_D, BLAS_H,
                                                    BLAS_B, BLAS_H, BLAS_B, BLAS_I};
    return real[type];
}

enum blas_type blas_scalar(enum blas_type type)
{
    static const enum blas_type scalar[BLAS_TYPES] = {BLAS_S, BLAS_D, BLAS_C, BLAS_Z, BLAS_S,
                                                      BLAS_S, BLAS_S, BLAS_S, BLAS_I};
    return scalar[type];
}

struct scalar scalar_of(cublasHandle_t h, enum blas_type type, const void *value)
{
    struct scalar s = {.type = type};
    if (blas_device_scalars(h))
        s.at = value;
    else
        memcpy(s.value.bytes, value, blas_size(type));
    return s;
}

cublasStatus_t blas_result_wait(cublasHandle_t h, cublasStatus_t status)
{
    return status || blas_device_scalars(h) ? status : blas_status(cudaStreamSynchronize(h->stream));
}

void *blas_scratch(cublasHandle_t h, size_t bytes)
{
    return library_scratch_begin(&h->scratch, h->stream, bytes);
}

void blas_scratch_end(cublasHandle_t h, void *memory)
{
    library_scratch_end(&h->scratch, h->stream, memory);
}

cublasStatus_t helper_create(cublasHandle_t *handle)
{
    if (!handle)
        return CUBLAS_STATUS_INVALID_VALUE;
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    cudaThreadExchangeStreamCaptureMode(&mode); // a handle may be made while a stream is captured
    cudaError_t e = cudaFree(NULL);             // makes the device's context
    cudaThreadExchangeStreamCaptureMode(&mode);
    if (e)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    *handle = library_handle_create(sizeof **handle);
    if (!*handle)
        return CUBLAS_STATUS_ALLOC_FAILED;
    library_scratch_init(&(*handle)->scratch);
    return CUBLAS_STATUS_SUCCESS;
}

// Waits for the device, as CUDA has it: work under way may use the handle's memory.
cublasStatus_t helper_destroy(cublasHandle_t h)
{
    BLAS_ENTER(h);
    cudaDeviceSynchronize();
    library_scratch_fini(&h->scratch);
    library_handle_destroy(h);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t helper_version(cublasHandle_t h, int *version)
{
    (void)h;
    BLAS_CHECK(version);
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t helper_property(libraryPropertyType type, int *value)
{
    static const int numbers[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
    BLAS_CHECK(value && (unsigned)type <= PATCH_LEVEL);
    *value = numbers[type];
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t helper_set_workspace(cublasHandle_t h, void *workspace, size_t bytes)
{
    BLAS_ENTER(h);
    BLAS_CHECK((uintptr_t)workspace % 256 == 0);
    library_scratch_give(&h->scratch, workspace, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

// A new stream has no workspace of the program's any more.
cublasStatus_t helper_set_stream(cublasHandle_t h, cudaStream_t stream)
{
    BLAS_ENTER(h);
    h->stream = stream;
    library_scratch_give(&h->scratch, NULL, 0);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t helper_get_stream(cublasHandle_t h, cudaStream_t *stream)
{
    BLAS_ENTER(h);
    BLAS_CHECK(stream);
    *stream = h->stream;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t helper_get(cublasHandle_t h, enum helper_setting what, int *value)
{
    BLAS_ENTER(h);
    BLAS_CHECK(value);
    *value = h->settings[what];
    return CUBLAS_STATUS_SUCCESS;
}

// The largest value of each; what has no limit but 0 is in the last rows.
cublasStatus_t helper_set(cublasHandle_t h, enum helper_setting what, int value)
{
    enum { MATH_MODES = 31 };
    static const int most[HELPER_SETTINGS] = {
        [HELPER_POINTER_MODE] = CUBLAS_POINTER_MODE_DEVICE,
        [HELPER_ATOMICS_MODE] = CUBLAS_ATOMICS_ALLOWED,
        [HELPER_MATH_MODE] = MATH_MODES,
        [HELPER_SM_COUNT] = INT32_MAX,
        [HELPER_STRATEGY] = CUBLAS_EMULATION_STRATEGY_EAGER,
        [HELPER_SPECIAL_VALUES] = INT32_MAX,
        [HELPER_MANTISSA_CONTROL] = 1,
        [HELPER_MANTISSA_BITS] = INT32_MAX,
        [HELPER_MANTISSA_OFFSET] = INT32_MAX,
    };
    BLAS_ENTER(h);
    BLAS_CHECK(value <= most[what] && (value >= 0 || what == HELPER_MANTISSA_OFFSET));
    h->settings[what] = value;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t helper_get_bit_count(cublasHandle_t h, int **count)
{
    BLAS_ENTER(h);
    BLAS_CHECK(count);
    *count = h->bit_count;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t helper_set_bit_count(cublasHandle_t h, int *count)
{
    BLAS_ENTER(h);
    h->bit_count = count;
    return CUBLAS_STATUS_SUCCESS;
}

// ---- statuses
const char *helper_status_name(cublasStatus_t status)
{
    return status_name(status, "unknown cublas status");
}

const char *helper_status_string(cublasStatus_t status)
{
    return status_text(status, "unknown cublas status");
}

// ---- the logger
cublasStatus_t helper_logger(int on, int to_stdout, int to_stderr, const char *file)
{
    return library_log_configure(&library_self, on, to_stdout, to_stderr, file) ? CUBLAS_STATUS_SUCCESS
                                                                                : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t helper_set_callback(cublasLogCallback callback)
{
    library_log_set(callback);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t helper_get_callback(cublasLogCallback *callback)
{
    BLAS_CHECK(callback);
    *callback = library_log_get();
    return CUBLAS_STATUS_SUCCESS;
}

void helper_xerbla(const char *name, int info)
{
    fprintf(stderr, "On entry to %s parameter number %d had an illegal value\n", name ? name : "?", info);
}
