// SPDX-License-Identifier: Apache-2.0
// The second half of cuda_fp4.h elsewhere; here all is in that.
#ifndef HEDDLE_CUDA_FP4_HPP
#define HEDDLE_CUDA_FP4_HPP
#include "cuda_fp4.h"
#endif
