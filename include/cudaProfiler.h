// SPDX-License-Identifier: Apache-2.0
// Start and stop of profiling: those are declared in cuda.h.
#ifndef __cuda_cuda_profiler_h__
#define __cuda_cuda_profiler_h__
#include "cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CUoutput_mode_enum { CU_OUT_KEY_VALUE_PAIR = 0, CU_OUT_CSV = 1 } CUoutput_mode;

// Not supported, as in CUDA from 12.0 on.
CUresult CUDAAPI cuProfilerInitialize(const char *config_file, const char *output_file, CUoutput_mode output_mode);

#ifdef __cplusplus
}
#endif
#endif
