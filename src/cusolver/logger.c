// SPDX-License-Identifier: Apache-2.0
// The logger.
#include "cusolver/solver.h"
#include "library/logger.h"

static cusolverStatus_t status(bool good)
{
    return good ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}

cusolverStatus_t solver_DnLoggerSetCallback(cusolverDnLoggerCallback_t callback)
{
    return status(library_logger_callback(callback));
}

cusolverStatus_t solver_DnLoggerSetFile(FILE *file)
{
    return status(library_logger_file(file));
}

cusolverStatus_t solver_DnLoggerOpenFile(const char *name)
{
    return status(library_logger_open(name));
}

cusolverStatus_t solver_DnLoggerSetLevel(int level)
{
    return status(library_logger_level(level));
}

cusolverStatus_t solver_DnLoggerSetMask(int mask)
{
    return status(library_logger_mask(mask));
}

cusolverStatus_t solver_DnLoggerForceDisable(void)
{
    return status(library_logger_disable());
}
