// SPDX-License-Identifier: Apache-2.0
// The second half of sm_100_rt.h elsewhere; here all is in that.
#ifndef HEDDLE_CRT_SM_100_RT_HPP
#define HEDDLE_CRT_SM_100_RT_HPP
#include "sm_100_rt.h"
#endif
