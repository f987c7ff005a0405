// SPDX-License-Identifier: Apache-2.0
// CUPTI: the range profiler.
#ifndef HEDDLE_INCLUDE_CUPTI_RANGE_PROFILER_H
#define HEDDLE_INCLUDE_CUPTI_RANGE_PROFILER_H
#include <cupti_profiler_target.h>
#include <heddle/cupti/range_profiler.h>
#if defined(__cplusplus)
extern "C" {
#endif
#include <heddle/cupti/range_profiler_functions.h>
#if defined(__cplusplus)
}
#endif
#endif
