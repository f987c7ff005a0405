// SPDX-License-Identifier: Apache-2.0
// CUPTI: hardware events of older GPUs.
#ifndef HEDDLE_INCLUDE_CUPTI_EVENTS_H
#define HEDDLE_INCLUDE_CUPTI_EVENTS_H
#include <cuda.h>
#include <cupti_result.h>
#include <cupti_common.h>
#include <heddle/cupti/events.h>
#if defined(__cplusplus)
extern "C" {
#endif
#include <heddle/cupti/events_functions.h>
#if defined(__cplusplus)
}
#endif
#endif
