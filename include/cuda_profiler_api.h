// SPDX-License-Identifier: Apache-2.0
// Start and stop of profiling.
#ifndef __CUDA_PROFILER_API_H__
#define __CUDA_PROFILER_API_H__
#include "cuda_runtime_api.h"
#endif
