// SPDX-License-Identifier: Apache-2.0
// These functions come with cuda_runtime.h.
#ifndef HEDDLE_CRT_HOST_RUNTIME_H
#define HEDDLE_CRT_HOST_RUNTIME_H
#include "../cuda_runtime.h"
#endif
