// SPDX-License-Identifier: Apache-2.0
// The logger.
#include "cusparse/sparse.h"
#include "library/logger.h"

static cusparseStatus_t status(bool good)
{
    return good ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE;
}

cusparseStatus_t sparse_LoggerSetCallback(cusparseLoggerCallback_t callback)
{
    return status(library_logger_callback(callback));
}

cusparseStatus_t sparse_LoggerSetFile(FILE *file)
{
    return status(library_logger_file(file));
}

cusparseStatus_t sparse_LoggerOpenFile(const char *name)
{
    return status(library_logger_open(name));
}

cusparseStatus_t sparse_LoggerSetLevel(int level)
{
    return status(library_logger_level(level));
}

cusparseStatus_t sparse_LoggerSetMask(int mask)
{
    return status(library_logger_mask(mask));
}

cusparseStatus_t sparse_LoggerForceDisable(void)
{
    return status(library_logger_disable());
}
