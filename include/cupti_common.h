// SPDX-License-Identifier: Apache-2.0
// CUPTI: what all its headers have.
#ifndef HEDDLE_INCLUDE_CUPTI_COMMON_H_
#define HEDDLE_INCLUDE_CUPTI_COMMON_H_
#include <heddle/cupti/common.h>
#endif
