// SPDX-License-Identifier: Apache-2.0
// CUPTI: activity records, and the numbers that they have for objects.
#ifndef HEDDLE_INCLUDE_CUPTI_ACTIVITY_H
#define HEDDLE_INCLUDE_CUPTI_ACTIVITY_H
#include <cuda.h>
#include <cupti_callbacks.h>
#include <cupti_events.h>
#include <cupti_metrics.h>
#include <heddle/cupti/activity_kind.h>
#include <heddle/cupti/activity_record.h>
#if defined(__cplusplus)
extern "C" {
#endif
#include <heddle/cupti/activity_functions.h>
#if defined(__cplusplus)
}
#endif
#include <cupti_activity_deprecated.h>
#endif
