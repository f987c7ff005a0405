// SPDX-License-Identifier: Apache-2.0
// The second half of sm_32_intrinsics.h elsewhere; here all is in that.
#ifndef HEDDLE_SM_32_INTRINSICS_HPP
#define HEDDLE_SM_32_INTRINSICS_HPP
#include "sm_32_intrinsics.h"
#endif
