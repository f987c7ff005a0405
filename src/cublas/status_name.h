// SPDX-License-Identifier: Apache-2.0
// The names of statuses of cuBLAS and cuBLASLt, and what they say.
#ifndef HEDDLE_CUBLAS_STATUS_NAME_H
#define HEDDLE_CUBLAS_STATUS_NAME_H
#include <cublas_api.h>
#include <stddef.h>

static const struct status_row {
    cublasStatus_t status;
    const char *name, *text;
} status_rows[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE",
     "an unsupported value or parameter was passed to the function"},
    {CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH",
     "the function requires an architectural feature absent from the architecture of the device"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR", "an access to GPU memory space failed"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED", "the function failed to launch on the GPU"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED", "the functionality requested is not supported"},
    {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR", "the functionality requested requires some license"},
};

static inline const struct status_row *status_find(cublasStatus_t status)
{
    for (size_t i = 0; i < sizeof status_rows / sizeof *status_rows; i++)
        if (status_rows[i].status == status)
            return &status_rows[i];
    return NULL;
}

static inline const char *status_name(cublasStatus_t status, const char *otherwise)
{
    const struct status_row *r = status_find(status);
    return r ? r->name : otherwise;
}

static inline const char *status_text(cublasStatus_t status, const char *otherwise)
{
    const struct status_row *r = status_find(status);
    return r ? r->text : otherwise;
}
#endif
