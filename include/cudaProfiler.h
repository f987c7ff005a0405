// SPDX-License-Identifier: Apache-2.0
// Start and stop of profiling.
#ifndef __cuda_cuda_profiler_h__
#define __cuda_cuda_profiler_h__
#include "cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CUoutput_mode_enum { CU_OUT_KEY_VALUE_PAIR = 0, CU_OUT_CSV = 1 } CUoutput_mode;

// cuProfilerInitialize is not supported, as in CUDA from 12.0 on.
#include "heddle/driver/profiler_functions.h"

#ifdef __cplusplus
}
#endif
#endif
