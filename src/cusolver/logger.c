// SPDX-License-Identifier: Apache-2.0
// The logger.
#include "cusolver/solver.h"
#include "library/logger.h"

LIBRARY_LOGGER(cusolverStatus_t, CUSOLVER_STATUS_SUCCESS, CUSOLVER_STATUS_INVALID_VALUE, solver_DnLogger,
               cusolverDnLoggerCallback_t)
