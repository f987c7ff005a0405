// SPDX-License-Identifier: Apache-2.0
// Device functions of this kind come with cuda_runtime.h.
#ifndef HEDDLE_SM_60_ATOMIC_FUNCTIONS_H
#define HEDDLE_SM_60_ATOMIC_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
