// SPDX-License-Identifier: Apache-2.0
// CUPTI: metrics of older GPUs.
#ifndef HEDDLE_INCLUDE_CUPTI_METRICS_H
#define HEDDLE_INCLUDE_CUPTI_METRICS_H
#include <cuda.h>
#include <cupti_events.h>
#include <heddle/cupti/metrics.h>
#if defined(__cplusplus)
extern "C" {
#endif
#include <heddle/cupti/metrics_functions.h>
#if defined(__cplusplus)
}
#endif
#endif
