// SPDX-License-Identifier: Apache-2.0
// cuSOLVER for sparse matrices. Functions come from src/cusolver/api/sp.def and sp_typed.def.
#ifndef CUSOLVERSP_H_
#define CUSOLVERSP_H_
#include "cublas_v2.h"
#include "cusolver_common.h"
#include "cusparse.h"

#if defined(__cplusplus)
extern "C" {
#endif
struct cusolverSpContext;
struct csrqrInfo;
typedef struct cusolverSpContext *cusolverSpHandle_t;
typedef struct csrqrInfo *csrqrInfo_t;
#include "heddle/cusolver/sp_functions.h"
#if defined(__cplusplus)
}
#endif
#endif
