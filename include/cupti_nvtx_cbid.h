// SPDX-License-Identifier: Apache-2.0
// CUPTI: the numbers of NVTX functions.
#ifndef HEDDLE_INCLUDE_CUPTI_NVTX_CBID_H
#define HEDDLE_INCLUDE_CUPTI_NVTX_CBID_H
#include <heddle/cupti/nvtx_cbid.h>
#endif
