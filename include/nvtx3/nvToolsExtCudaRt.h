// SPDX-License-Identifier: Apache-2.0
// NVTX: names for objects of the runtime interface.
#ifndef NVTOOLSEXT_CUDART_V3
#define NVTOOLSEXT_CUDART_V3
#include "nvToolsExt.h"
#include "../cuda.h"
#include "../driver_types.h"

#define NVTX_RESOURCE_CLASS_CUDART 5
typedef enum nvtxResourceCUDARTType_t {
    NVTX_RESOURCE_TYPE_CUDART_DEVICE = NVTX_RESOURCE_MAKE_TYPE(CUDART, 0),
    NVTX_RESOURCE_TYPE_CUDART_STREAM = NVTX_RESOURCE_MAKE_TYPE(CUDART, 1),
    NVTX_RESOURCE_TYPE_CUDART_EVENT = NVTX_RESOURCE_MAKE_TYPE(CUDART, 2)
} nvtxResourceCUDARTType_t;

#if defined(__cplusplus)
extern "C" {
#endif
HEDDLE_NVTX_NAMES(CUDART, NameCudaDevice, int, device)
HEDDLE_NVTX_NAMES(CUDART, NameCudaStream, cudaStream_t, stream)
HEDDLE_NVTX_NAMES(CUDART, NameCudaEvent, cudaEvent_t, event)
#if defined(__cplusplus)
}
#endif

#if defined(UNICODE)
#define nvtxNameCudaDevice nvtxNameCudaDeviceW
#define nvtxNameCudaStream nvtxNameCudaStreamW
#define nvtxNameCudaEvent  nvtxNameCudaEventW
#else
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent  nvtxNameCudaEventA
#endif
#endif
