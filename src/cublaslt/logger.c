// SPDX-License-Identifier: Apache-2.0
// The logger. As in NVIDIA's library bits of the mask that nothing is told by are taken, and no name closes the file.
#include "library/logger.h"
#include "cublaslt/lt.h"

LIBRARY_LOGGER_BASE(cublasStatus_t, CUBLAS_STATUS_SUCCESS, CUBLAS_STATUS_INVALID_VALUE, lt_Logger,
                    cublasLtLoggerCallback_t)

cublasStatus_t lt_LoggerOpenFile(const char *name)
{
    bool done = name ? library_logger_open(name) : library_logger_file(NULL);
    return done ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t lt_LoggerSetMask(int mask)
{
    enum { KNOWN = 31 };
    return library_logger_mask(mask & KNOWN) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}
