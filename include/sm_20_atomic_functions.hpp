// SPDX-License-Identifier: Apache-2.0
// The second half of sm_20_atomic_functions.h elsewhere; here all is in that.
#ifndef HEDDLE_SM_20_ATOMIC_FUNCTIONS_HPP
#define HEDDLE_SM_20_ATOMIC_FUNCTIONS_HPP
#include "sm_20_atomic_functions.h"
#endif
