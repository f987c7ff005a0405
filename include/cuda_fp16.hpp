// SPDX-License-Identifier: Apache-2.0
// The second half of cuda_fp16.h elsewhere; here all is in that.
#ifndef HEDDLE_CUDA_FP16_HPP
#define HEDDLE_CUDA_FP16_HPP
#include "cuda_fp16.h"
#endif
