// SPDX-License-Identifier: Apache-2.0
// The second half of cuda_bf16.h elsewhere; here all is in that.
#ifndef HEDDLE_CUDA_BF16_HPP
#define HEDDLE_CUDA_BF16_HPP
#include "cuda_bf16.h"
#endif
