// SPDX-License-Identifier: Apache-2.0
// NVTX: names for objects of the driver interface.
#ifndef NVTOOLSEXT_CUDA_V3
#define NVTOOLSEXT_CUDA_V3
#include "nvToolsExt.h"
#include "../cuda.h"

#define NVTX_RESOURCE_CLASS_CUDA 4
typedef enum nvtxResourceCUDAType_t {
    NVTX_RESOURCE_TYPE_CUDA_DEVICE = NVTX_RESOURCE_MAKE_TYPE(CUDA, 1),
    NVTX_RESOURCE_TYPE_CUDA_CONTEXT = NVTX_RESOURCE_MAKE_TYPE(CUDA, 2),
    NVTX_RESOURCE_TYPE_CUDA_STREAM = NVTX_RESOURCE_MAKE_TYPE(CUDA, 3),
    NVTX_RESOURCE_TYPE_CUDA_EVENT = NVTX_RESOURCE_MAKE_TYPE(CUDA, 4)
} nvtxResourceCUDAType_t;

#if defined(__cplusplus)
extern "C" {
#endif
HEDDLE_NVTX_NAMES(CUDA, NameCuDevice, CUdevice, device)
HEDDLE_NVTX_NAMES(CUDA, NameCuContext, CUcontext, __context)
HEDDLE_NVTX_NAMES(CUDA, NameCuStream, CUstream, stream)
HEDDLE_NVTX_NAMES(CUDA, NameCuEvent, CUevent, event)
#if defined(__cplusplus)
}
#endif

#if defined(UNICODE)
#define nvtxNameCuDevice  nvtxNameCuDeviceW
#define nvtxNameCuContext nvtxNameCuContextW
#define nvtxNameCuStream  nvtxNameCuStreamW
#define nvtxNameCuEvent   nvtxNameCuEventW
#else
#define nvtxNameCuDevice  nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream  nvtxNameCuStreamA
#define nvtxNameCuEvent   nvtxNameCuEventA
#endif
#endif
