// SPDX-License-Identifier: Apache-2.0
// cuSOLVER for sparse matrices, step by step: analysis, factors, solutions. Functions come from src/cusolver/api/sp_low.def and sp_low_typed.def.
#ifndef CUSOLVERSP_LOWLEVEL_PREVIEW_H_
#define CUSOLVERSP_LOWLEVEL_PREVIEW_H_
#include "cusolverSp.h"

#if defined(__cplusplus)
extern "C" {
#endif
struct csrluInfoHost;
struct csrqrInfoHost;
struct csrcholInfoHost;
struct csrcholInfo;
typedef struct csrluInfoHost *csrluInfoHost_t;
typedef struct csrqrInfoHost *csrqrInfoHost_t;
typedef struct csrcholInfoHost *csrcholInfoHost_t;
typedef struct csrcholInfo *csrcholInfo_t;
#include "heddle/cusolver/sp_low_functions.h"
#if defined(__cplusplus)
}
#endif
#endif
