// SPDX-License-Identifier: Apache-2.0
// CUPTI: the version.
#ifndef HEDDLE_CUPTI_VERSION_H
#define HEDDLE_CUPTI_VERSION_H
#include "common.h"

#define CUPTI_API_VERSION 130001
#endif
