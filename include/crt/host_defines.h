// SPDX-License-Identifier: Apache-2.0
// The same as host_defines.h.
#ifndef HEDDLE_CRT_HOST_DEFINES_H
#define HEDDLE_CRT_HOST_DEFINES_H
#include "../host_defines.h"
#endif
