// SPDX-License-Identifier: Apache-2.0
// CUPTI: the older range profiler.
#ifndef HEDDLE_INCLUDE_CUPTI_PROFILER_TARGET_H
#define HEDDLE_INCLUDE_CUPTI_PROFILER_TARGET_H
#include <cuda.h>
#include <cupti_result.h>
#include <cupti_common.h>
#include <cupti_target.h>
#include <heddle/cupti/profiler_target.h>
#if defined(__cplusplus)
extern "C" {
#endif
#include <heddle/cupti/profiler_target_functions.h>
#if defined(__cplusplus)
}
#endif
#endif
