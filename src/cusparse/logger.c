// SPDX-License-Identifier: Apache-2.0
// The logger.
#include "cusparse/sparse.h"
#include "library/logger.h"

LIBRARY_LOGGER(cusparseStatus_t, CUSPARSE_STATUS_SUCCESS, CUSPARSE_STATUS_INVALID_VALUE, sparse_Logger,
               cusparseLoggerCallback_t)
