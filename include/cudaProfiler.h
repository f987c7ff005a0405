// cuProfilerStart and cuProfilerStop; they are declared in cuda.h.
#ifndef __cuda_cuda_profiler_h__
#define __cuda_cuda_profiler_h__
#include "cuda.h"
#endif
