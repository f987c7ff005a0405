// SPDX-License-Identifier: Apache-2.0
// cuSOLVER for dense matrices. Functions come from src/cusolver/api/dn.def, dn_typed.def and refined.def.
#ifndef CUSOLVERDN_H_
#define CUSOLVERDN_H_
#include <stdio.h>
#include "cuComplex.h"
#include "cublas_v2.h"
#include "cusolver_common.h"
#include "library_types.h"

struct cusolverDnContext;
struct syevjInfo;
struct gesvdjInfo;
struct cusolverDnIRSParams;
struct cusolverDnIRSInfos;
struct cusolverDnParams;
typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct syevjInfo *syevjInfo_t;
typedef struct gesvdjInfo *gesvdjInfo_t;
typedef struct cusolverDnIRSParams *cusolverDnIRSParams_t;
typedef struct cusolverDnIRSInfos *cusolverDnIRSInfos_t;
typedef struct cusolverDnParams *cusolverDnParams_t;

typedef enum { CUSOLVERDN_GETRF = 0, CUSOLVERDN_POTRF = 1, CUSOLVERDN_SYEVBATCHED = 2 } cusolverDnFunction_t;

#if defined(__cplusplus)
extern "C" {
#endif
typedef void (*cusolverDnLoggerCallback_t)(int __level, const char *__function, const char *__message);
#include "heddle/cusolver/dn_functions.h"
#if defined(__cplusplus)
}
#endif
#endif
