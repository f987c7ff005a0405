// SPDX-License-Identifier: Apache-2.0
// The second half of sm_90_rt.h elsewhere; here all is in that.
#ifndef HEDDLE_CRT_SM_90_RT_HPP
#define HEDDLE_CRT_SM_90_RT_HPP
#include "sm_90_rt.h"
#endif
