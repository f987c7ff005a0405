// SPDX-License-Identifier: Apache-2.0
// The handle and what is set in it; statuses; objects, scalars and memory that all bodies use.
#include "cusparse/sparse.h"
#include "library/stub.h"

const struct library library_self = {"cuSPARSE", "libcusparse.so.12", NULL, NULL};

static const struct {
    cudaDataType data_type;
    unsigned char bytes;
} types[SPARSE_TYPES] = {
    [SPARSE_S] = {CUDA_R_32F, 4},  [SPARSE_D] = {CUDA_R_64F, 8},  [SPARSE_C] = {CUDA_C_32F, 8},
    [SPARSE_Z] = {CUDA_C_64F, 16}, [SPARSE_H] = {CUDA_R_16F, 2},  [SPARSE_B] = {CUDA_R_16BF, 2},
    [SPARSE_K] = {CUDA_C_16F, 4},  [SPARSE_L] = {CUDA_C_16BF, 4}, [SPARSE_J] = {CUDA_R_8I, 1},
    [SPARSE_I] = {CUDA_R_32I, 4},
};

enum sparse_type sparse_type_of(cudaDataType type)
{
    enum sparse_type t = 0;
    while (t < SPARSE_TYPES && types[t].data_type != type)
        t++;
    return t;
}

size_t sparse_size(enum sparse_type type)
{
    return types[type].bytes;
}

void *sparse_object_create(enum sparse_kind kind)
{
    struct sparse_object *o = library_handle_create(SPARSE_OBJECT_BYTES);
    if (o)
        o->kind = kind;
    return o;
}
_Static_assert(sizeof(struct cusparseSpMatDescr) <= SPARSE_OBJECT_BYTES, "the largest object");

// Nothing is destroyed where there is nothing.
cusparseStatus_t sparse_object_destroy(const void *object, enum sparse_kind kind)
{
    if (!object)
        return CUSPARSE_STATUS_SUCCESS;
    SPARSE_CHECK(sparse_object_is(object, kind));
    library_handle_destroy((void *)(uintptr_t)object);
    return CUSPARSE_STATUS_SUCCESS;
}

struct scalar sparse_scalar(cusparseHandle_t h, enum sparse_type type, const void *value)
{
    struct scalar s = {0};
    if (h->mode == CUSPARSE_POINTER_MODE_DEVICE)
        s.at = value;
    else
        memcpy(s.value, value, sparse_size(type));
    return s;
}

cusparseStatus_t sparse_status(cudaError_t e)
{
    return e == cudaSuccess                 ? CUSPARSE_STATUS_SUCCESS
           : e == cudaErrorMemoryAllocation ? CUSPARSE_STATUS_ALLOC_FAILED
           : e == cudaErrorInvalidValue     ? CUSPARSE_STATUS_INVALID_VALUE
                                            : CUSPARSE_STATUS_EXECUTION_FAILED;
}

cusparseStatus_t sparse_wait(cusparseHandle_t h, cusparseStatus_t status)
{
    return status ? status : sparse_status(cudaStreamSynchronize(h->stream));
}

void *sparse_scratch(cusparseHandle_t h, size_t bytes)
{
    return library_scratch_begin(&h->scratch, h->stream, bytes);
}

void sparse_scratch_end(cusparseHandle_t h, void *memory)
{
    if (memory)
        library_scratch_end(&h->scratch, h->stream, memory);
}

// ---- the handle
cusparseStatus_t sparse_Create(cusparseHandle_t *handle)
{
    SPARSE_CHECK(handle);
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    cudaThreadExchangeStreamCaptureMode(&mode); // a handle may be made while a stream is captured
    cudaError_t e = cudaFree(NULL);             // makes the device's context
    cudaThreadExchangeStreamCaptureMode(&mode);
    if (e)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    *handle = sparse_object_create(OBJECT_CONTEXT);
    if (!*handle)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    library_scratch_init(&(*handle)->scratch);
    return CUSPARSE_STATUS_SUCCESS;
}

// Waits for the device: work under way may use the handle's memory.
cusparseStatus_t sparse_Destroy(cusparseHandle_t h)
{
    SPARSE_ENTER(h);
    cudaDeviceSynchronize();
    library_scratch_fini(&h->scratch);
    library_handle_destroy(h);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_GetVersion(cusparseHandle_t h, int *version)
{
    SPARSE_ENTER(h);
    SPARSE_CHECK(version);
    *version = CUSPARSE_VERSION;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_GetProperty(libraryPropertyType type, int *value)
{
    static const int numbers[] = {CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR, CUSPARSE_VER_PATCH};
    SPARSE_CHECK(value && (unsigned)type <= PATCH_LEVEL);
    *value = numbers[type];
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_SetStream(cusparseHandle_t h, cudaStream_t stream)
{
    SPARSE_ENTER(h);
    h->stream = stream;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_GetStream(cusparseHandle_t h, cudaStream_t *stream)
{
    SPARSE_ENTER(h);
    SPARSE_CHECK(stream);
    *stream = h->stream;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_GetPointerMode(cusparseHandle_t h, cusparsePointerMode_t *mode)
{
    SPARSE_ENTER(h);
    SPARSE_CHECK(mode);
    *mode = h->mode;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_SetPointerMode(cusparseHandle_t h, cusparsePointerMode_t mode)
{
    SPARSE_ENTER(h);
    SPARSE_CHECK((unsigned)mode <= CUSPARSE_POINTER_MODE_DEVICE);
    h->mode = mode;
    return CUSPARSE_STATUS_SUCCESS;
}

// ---- statuses
static const struct {
    const char *name, *text;
} statuses[] = {
    [CUSPARSE_STATUS_SUCCESS] = {"CUSPARSE_STATUS_SUCCESS", "success"},
    [CUSPARSE_STATUS_NOT_INITIALIZED] = {"CUSPARSE_STATUS_NOT_INITIALIZED", "initialization error"},
    [CUSPARSE_STATUS_ALLOC_FAILED] = {"CUSPARSE_STATUS_ALLOC_FAILED", "out of memory"},
    [CUSPARSE_STATUS_INVALID_VALUE] = {"CUSPARSE_STATUS_INVALID_VALUE", "invalid value"},
    [CUSPARSE_STATUS_ARCH_MISMATCH] = {"CUSPARSE_STATUS_ARCH_MISMATCH", "architecture mismatch"},
    [CUSPARSE_STATUS_MAPPING_ERROR] = {"CUSPARSE_STATUS_MAPPING_ERROR", "mapping error"},
    [CUSPARSE_STATUS_EXECUTION_FAILED] = {"CUSPARSE_STATUS_EXECUTION_FAILED", "kernel launch failure"},
    [CUSPARSE_STATUS_INTERNAL_ERROR] = {"CUSPARSE_STATUS_INTERNAL_ERROR", "internal error"},
    [CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED] = {"CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED",
                                                   "matrix type not supported"},
    [CUSPARSE_STATUS_ZERO_PIVOT] = {"CUSPARSE_STATUS_ZERO_PIVOT", "zero pivot"},
    [CUSPARSE_STATUS_NOT_SUPPORTED] = {"CUSPARSE_STATUS_NOT_SUPPORTED", "operation not supported"},
    [CUSPARSE_STATUS_INSUFFICIENT_RESOURCES] = {"CUSPARSE_STATUS_INSUFFICIENT_RESOURCES", "insufficient resources"},
};

const char *sparse_GetErrorName(cusparseStatus_t status)
{
    return (unsigned)status < sizeof statuses / sizeof *statuses ? statuses[status].name : "unrecognized error code";
}

const char *sparse_GetErrorString(cusparseStatus_t status)
{
    return (unsigned)status < sizeof statuses / sizeof *statuses ? statuses[status].text : "unrecognized error code";
}
