// SPDX-License-Identifier: Apache-2.0
// CUPTI: the chip.
#ifndef HEDDLE_INCLUDE_CUPTI_TARGET_H
#define HEDDLE_INCLUDE_CUPTI_TARGET_H
#include <cupti_result.h>
#include <cupti_common.h>
#include <heddle/cupti/target.h>
#if defined(__cplusplus)
extern "C" {
#endif
#include <heddle/cupti/target_functions.h>
#if defined(__cplusplus)
}
#endif
#endif
