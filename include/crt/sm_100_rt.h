// SPDX-License-Identifier: Apache-2.0
// These functions come with cuda_runtime.h.
#ifndef HEDDLE_CRT_SM_100_RT_H
#define HEDDLE_CRT_SM_100_RT_H
#include "../cuda_runtime.h"
#endif
