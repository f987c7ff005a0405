// SPDX-License-Identifier: Apache-2.0
// The matrix functions are in mma.h.
#ifndef HEDDLE_CRT_MMA_H
#define HEDDLE_CRT_MMA_H
#include "../mma.h"
#endif
