// SPDX-License-Identifier: Apache-2.0
// The second half of sm_61_intrinsics.h elsewhere; here all is in that.
#ifndef HEDDLE_SM_61_INTRINSICS_HPP
#define HEDDLE_SM_61_INTRINSICS_HPP
#include "sm_61_intrinsics.h"
#endif
