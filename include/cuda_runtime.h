// The header that CUDA sources include, and that the compiler driver includes before each of them: the runtime
// interface, its C++ forms, and under a CUDA compiler all of the device language's functions.
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#if defined(__CUDA__) && defined(__clang__)
#include "heddle/device.h"
#endif

#include "host_config.h"
#include "host_defines.h"
#include "builtin_types.h"
#include "library_types.h"
#include "cuda_runtime_api.h"
#if __has_include("channel_descriptor.h")
#include "channel_descriptor.h"
#endif
#include "driver_functions.h"
#include "vector_functions.h"

#if defined(__CUDA__) && defined(__clang__)
// What a launch with <<<>>> becomes.
extern "C" {
unsigned int __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem = 0, void *stream = 0);
cudaError_t __cudaPopCallConfiguration(dim3 *gridDim, dim3 *blockDim, size_t *sharedMem, void *stream);
}
#endif

#if defined(__cplusplus)
#include "heddle/runtime_templates.h"
#endif
#endif
