// SPDX-License-Identifier: Apache-2.0
// CUPTI: activity records of former versions.
#ifndef HEDDLE_INCLUDE_CUPTI_ACTIVITY_DEPRECATED_H
#define HEDDLE_INCLUDE_CUPTI_ACTIVITY_DEPRECATED_H
#include <cupti_activity.h>
#include <heddle/cupti/activity_former_1.h>
#include <heddle/cupti/activity_former_2.h>
#endif
