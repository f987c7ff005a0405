// SPDX-License-Identifier: Apache-2.0
// The second half of sm_20_intrinsics.h elsewhere; here all is in that.
#ifndef HEDDLE_SM_20_INTRINSICS_HPP
#define HEDDLE_SM_20_INTRINSICS_HPP
#include "sm_20_intrinsics.h"
#endif
