// SPDX-License-Identifier: Apache-2.0
// The exported functions of cuSOLVER, from the tables.
#include "cusolver/solver.h"
#include "library/stub.h"

#define ROW(result, name, params, args, call, status)                                                                  \
    LIBRARY_STUB(result, name, params, args, call, CUSOLVER_STATUS_NOT_INITIALIZED)
#include "cusolver/api/each_common.h"
#include "cusolver/api/each_dn.h"
#include "cusolver/api/each_rf.h"
#include "cusolver/api/each_sp.h"
#include "cusolver/api/each_sp_low.h"
