// SPDX-License-Identifier: Apache-2.0
// What run-time compilation has declared before a source begins.
#include "cuda_runtime.h"
#include "nv/target"
// A cuda_fp16.h that a program brings along is to bring its functions too: there is no library of them here.
#define __FORCE_INCLUDE_CUDA_FP16_HPP_FROM_FP16_H__
#define __FORCE_INCLUDE_CUDA_BF16_HPP_FROM_BF16_H__
