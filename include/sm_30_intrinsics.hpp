// SPDX-License-Identifier: Apache-2.0
// The second half of sm_30_intrinsics.h elsewhere; here all is in that.
#ifndef HEDDLE_SM_30_INTRINSICS_HPP
#define HEDDLE_SM_30_INTRINSICS_HPP
#include "sm_30_intrinsics.h"
#endif
