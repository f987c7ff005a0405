// SPDX-License-Identifier: Apache-2.0
// CUPTI: samples of program counters.
#ifndef HEDDLE_INCLUDE_CUPTI_PCSAMPLING_H
#define HEDDLE_INCLUDE_CUPTI_PCSAMPLING_H
#include <cupti_activity.h>
#include <heddle/cupti/pcsampling.h>
#if defined(__cplusplus)
extern "C" {
#endif
#include <heddle/cupti/pcsampling_functions.h>
#if defined(__cplusplus)
}
#endif
#endif
