// SPDX-License-Identifier: Apache-2.0
// CUPTI: metrics of single instructions.
#ifndef HEDDLE_INCLUDE_CUPTI_SASS_METRICS_H
#define HEDDLE_INCLUDE_CUPTI_SASS_METRICS_H
#include <cupti_profiler_target.h>
#include <heddle/cupti/sass_metrics.h>
#if defined(__cplusplus)
extern "C" {
#endif
#include <heddle/cupti/sass_metrics_functions.h>
#if defined(__cplusplus)
}
#endif
#endif
