// SPDX-License-Identifier: Apache-2.0
// The second half of cuda_fp6.h elsewhere; here all is in that.
#ifndef HEDDLE_CUDA_FP6_HPP
#define HEDDLE_CUDA_FP6_HPP
#include "cuda_fp6.h"
#endif
