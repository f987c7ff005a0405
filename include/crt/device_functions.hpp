// SPDX-License-Identifier: Apache-2.0
// The second half of device_functions.h elsewhere; here all is in that.
#ifndef HEDDLE_CRT_DEVICE_FUNCTIONS_HPP
#define HEDDLE_CRT_DEVICE_FUNCTIONS_HPP
#include "device_functions.h"
#endif
