// SPDX-License-Identifier: Apache-2.0
// These functions come with cuda_runtime.h.
#ifndef HEDDLE_DEVICE_ATOMIC_FUNCTIONS_H
#define HEDDLE_DEVICE_ATOMIC_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
