// SPDX-License-Identifier: Apache-2.0
// The second half of cuda_fp8.h elsewhere; here all is in that.
#ifndef HEDDLE_CUDA_FP8_HPP
#define HEDDLE_CUDA_FP8_HPP
#include "cuda_fp8.h"
#endif
