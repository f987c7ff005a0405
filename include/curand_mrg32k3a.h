// SPDX-License-Identifier: Apache-2.0
// This part of cuRAND comes with curand_kernel.h.
#ifndef HEDDLE_CURAND_MRG32K3A_FORWARD_H
#define HEDDLE_CURAND_MRG32K3A_FORWARD_H
#include "curand_kernel.h"
#endif
