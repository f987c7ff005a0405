// SPDX-License-Identifier: Apache-2.0
// Names and descriptions of errors, from error.def.
#include "driver/driver.h"
#include <errno.h>

CUresult error_name(CUresult error, const char **name)
{
    if (!name)
        return CUDA_ERROR_INVALID_VALUE;
    switch (error) {
    case CUDA_SUCCESS:
        *name = "CUDA_SUCCESS";
        return CUDA_SUCCESS;
#define ERROR(code, text)                                                                                              \
    case CUDA_ERROR_##code:                                                                                            \
        *name = "CUDA_ERROR_" #code;                                                                                   \
        return CUDA_SUCCESS;
#include "driver/context/error.def"
#undef ERROR
    }
    *name = NULL;
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult error_string(CUresult error, const char **text)
{
    if (!text)
        return CUDA_ERROR_INVALID_VALUE;
    switch (error) {
    case CUDA_SUCCESS:
        *text = "no error";
        return CUDA_SUCCESS;
#define ERROR(code, about)                                                                                             \
    case CUDA_ERROR_##code:                                                                                            \
        *text = about;                                                                                                 \
        return CUDA_SUCCESS;
#include "driver/context/error.def"
#undef ERROR
    }
    *text = NULL;
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult diag_result(const struct diag *d)
{
    static const CUresult results[] = {
        [DIAG_INPUT] = CUDA_ERROR_INVALID_PTX,
        [DIAG_UNSUPPORTED] = CUDA_ERROR_NOT_SUPPORTED,
        [DIAG_PROCESSOR] = CUDA_ERROR_NO_BINARY_FOR_GPU,
        [DIAG_COMPILER] = CUDA_ERROR_JIT_COMPILER_NOT_FOUND,
        [DIAG_INTERNAL] = CUDA_ERROR_UNKNOWN,
        [DIAG_MEMORY] = CUDA_ERROR_OUT_OF_MEMORY,
    };
    return d->errors ? results[d->cause] : CUDA_SUCCESS;
}

CUresult file_error(void)
{
    return errno == ENOENT   ? CUDA_ERROR_FILE_NOT_FOUND
           : errno == ENOMEM ? CUDA_ERROR_OUT_OF_MEMORY
                             : CUDA_ERROR_INVALID_VALUE;
}
