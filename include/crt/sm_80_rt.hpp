// SPDX-License-Identifier: Apache-2.0
// The second half of sm_80_rt.h elsewhere; here all is in that.
#ifndef HEDDLE_CRT_SM_80_RT_HPP
#define HEDDLE_CRT_SM_80_RT_HPP
#include "sm_80_rt.h"
#endif
