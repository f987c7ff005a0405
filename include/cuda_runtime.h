// SPDX-License-Identifier: Apache-2.0
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
#if defined(__CUDACC_RTC__) // which has no host side
#define CUDART_VERSION 13000
#if defined(__CUDACC_RDC__)
#include "cuda_device_runtime_api.h"
#endif
#else
#include "cuda_runtime_api.h"
#include "channel_descriptor.h"
#include "driver_functions.h"
#endif
#include "vector_functions.h"
#include "texture_indirect_functions.h"
#include "surface_indirect_functions.h"

#if defined(__CUDA__) && defined(__clang__)
#include "heddle/lambda.h"
#include "heddle/asm_text.h"

// What the compiler driver puts around the bodies of host functions that device code names and must not reach.
#if defined(__CUDA_ARCH__)
#define __HEDDLE_HOST_BODY(...) __builtin_trap();
#else
#define __HEDDLE_HOST_BODY(...) __VA_ARGS__
#endif
// Every lambda without words of CUDA is one for both sides: there is nothing to tell those with both words apart by.
#define __nv_is_extended_host_device_lambda_closure_type(__T) false

// What a launch with <<<>>> becomes.
extern "C" {
unsigned int __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim = 1, size_t sharedMem = 0, void *stream = 0);
cudaError_t __cudaPopCallConfiguration(dim3 *gridDim, dim3 *blockDim, size_t *sharedMem, void *stream);
#if defined(__HEDDLE_SDK_LIB__) && !defined(__HEDDLE_SDK_ANYWHERE__)
// Where libcudart finds the driver when it is linked into the program itself, by whatever linker.
extern const char __heddle_sdk_lib[];
__attribute__((weak, used, visibility("hidden"))) const char __heddle_sdk_lib[] = __HEDDLE_SDK_LIB__;
#endif
}
#endif

#if defined(__cplusplus) && !defined(__CUDACC_RTC__)
#include "heddle/runtime/runtime_templates.h"
#if defined(__DEVICE_EMULATION__)
#include "heddle/emulation/emulation.h"
#elif defined(__CUDACC__)
#include "heddle/runtime/texture_binding.h"
#include "heddle/runtime/texture_references.h"
#endif
#endif
#if defined(__CUDACC_RTC__)
#include "heddle/rtc/builtin_std.h"
#include "heddle/rtc/forget.h"
#endif
#endif
