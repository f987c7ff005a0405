// SPDX-License-Identifier: Apache-2.0
// CUPTI: results and their texts.
#ifndef HEDDLE_INCLUDE_CUPTI_RESULT_H
#define HEDDLE_INCLUDE_CUPTI_RESULT_H
#include <heddle/cupti/result.h>
#if defined(__cplusplus)
extern "C" {
#endif
#include <heddle/cupti/result_functions.h>
#if defined(__cplusplus)
}
#endif
#endif
