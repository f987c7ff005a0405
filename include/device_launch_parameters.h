// SPDX-License-Identifier: Apache-2.0
// threadIdx, blockIdx, blockDim, gridDim and warpSize; only device code has them.
#ifndef __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#include "vector_types.h"
#if (defined(__CUDA__) && defined(__clang__)) || defined(__CUDACC_RTC__)
#include "cuda_runtime.h"
#endif
#endif
