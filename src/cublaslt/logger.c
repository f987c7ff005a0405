// SPDX-License-Identifier: Apache-2.0
// The logger. As in NVIDIA's library bits of the mask that nothing is told by are taken, and no name closes the file.
#include "library/logger.h"
#include "cublaslt/lt.h"

static cublasStatus_t status(bool good)
{
    return good ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t lt_LoggerSetCallback(cublasLtLoggerCallback_t callback)
{
    return status(library_logger_callback(callback));
}

cublasStatus_t lt_LoggerSetFile(FILE *file)
{
    return status(library_logger_file(file));
}

cublasStatus_t lt_LoggerOpenFile(const char *name)
{
    return status(name ? library_logger_open(name) : library_logger_file(NULL));
}

cublasStatus_t lt_LoggerSetLevel(int level)
{
    return status(library_logger_level(level));
}

cublasStatus_t lt_LoggerSetMask(int mask)
{
    enum { KNOWN = 31 };
    return status(library_logger_mask(mask & KNOWN));
}

cublasStatus_t lt_LoggerForceDisable(void)
{
    return status(library_logger_disable());
}
