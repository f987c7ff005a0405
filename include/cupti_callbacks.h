// SPDX-License-Identifier: Apache-2.0
// CUPTI: callbacks: calls of the interfaces, and what becomes of their objects.
#ifndef HEDDLE_INCLUDE_CUPTI_CALLBACKS_H
#define HEDDLE_INCLUDE_CUPTI_CALLBACKS_H
#include <cuda.h>
#include <cupti_common.h>
#include <cupti_result.h>
#include <heddle/cupti/callbacks.h>
#if defined(__cplusplus)
extern "C" {
#endif
#include <heddle/cupti/callbacks_functions.h>
#if defined(__cplusplus)
}
#endif
#endif
