// SPDX-License-Identifier: Apache-2.0
// The runtime interface of CUDA 13.0, as C functions. Names and types are CUDA's; where a function is not supported it
// says so with cudaErrorNotSupported. In C++ some arguments have defaults.
#ifndef __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_API_H__
#include "host_defines.h"
#include "builtin_types.h"
#include "cuda_device_runtime_api.h"

#define CUDART_VERSION       13000
#define __CUDART_API_VERSION CUDART_VERSION
#define CUDART_DEVICE        __device__

// With one default stream for each host thread, these names stand for functions that take stream 0 in that sense.
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) || defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define __CUDART_API_PER_THREAD_DEFAULT_STREAM
#define __CUDART_API_PTDS(name) name##_ptds
#define __CUDART_API_PTSZ(name) name##_ptsz
#include "heddle/runtime/per_thread.h"
#else
#define __CUDART_API_PTDS(name) name
#define __CUDART_API_PTSZ(name) name
#endif

#if defined(__cplusplus)
#define __dv(__v) = __v
extern "C" {
#else
#define __dv(__v)
#endif

typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *userData);
typedef void (*cudaLogsCallback_t)(void *data, cudaLogLevel logLevel, char *message, size_t length);
#include "heddle/runtime/functions.h"

#if defined(__cplusplus)
}
#endif
#endif
