// SPDX-License-Identifier: Apache-2.0
// CUPTI: the host side of the range profiler.
#ifndef HEDDLE_INCLUDE_CUPTI_PROFILER_HOST_H
#define HEDDLE_INCLUDE_CUPTI_PROFILER_HOST_H
#include <cupti_profiler_target.h>
#include <heddle/cupti/profiler_host.h>
#if defined(__cplusplus)
extern "C" {
#endif
#include <heddle/cupti/profiler_host_functions.h>
#if defined(__cplusplus)
}
#endif
#endif
