// SPDX-License-Identifier: Apache-2.0
// CUPTI: samples of performance counters.
#ifndef HEDDLE_INCLUDE_CUPTI_PMSAMPLING_H
#define HEDDLE_INCLUDE_CUPTI_PMSAMPLING_H
#include <cupti_profiler_target.h>
#include <heddle/cupti/pmsampling.h>
#if defined(__cplusplus)
extern "C" {
#endif
#include <heddle/cupti/pmsampling_functions.h>
#if defined(__cplusplus)
}
#endif
#endif
