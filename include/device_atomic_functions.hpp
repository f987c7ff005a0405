// SPDX-License-Identifier: Apache-2.0
// The second half of device_atomic_functions.h elsewhere; here all is in that.
#ifndef HEDDLE_DEVICE_ATOMIC_FUNCTIONS_HPP
#define HEDDLE_DEVICE_ATOMIC_FUNCTIONS_HPP
#include "device_atomic_functions.h"
#endif
