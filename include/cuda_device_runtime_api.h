// What device code may call of the runtime interface. Launching kernels from kernels is not supported, so this is only
// the place that other headers include.
#ifndef __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDA_DEVICE_RUNTIME_API_H__
#include "host_defines.h"
#include "builtin_types.h"
#endif
