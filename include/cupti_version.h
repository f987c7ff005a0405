// SPDX-License-Identifier: Apache-2.0
// CUPTI: the version.
#ifndef HEDDLE_INCLUDE_CUPTI_VERSION_H
#define HEDDLE_INCLUDE_CUPTI_VERSION_H
#include <cupti_result.h>
#include <heddle/cupti/version.h>
#if defined(__cplusplus)
extern "C" {
#endif
#include <heddle/cupti/version_functions.h>
#if defined(__cplusplus)
}
#endif
#endif
