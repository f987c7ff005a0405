// SPDX-License-Identifier: Apache-2.0
// Direct3D 9 buffers in the runtime interface, as in CUDA 1.1. There is no Direct3D on Linux: every function answers
// cudaErrorNotSupported.
#ifndef __CUDA_D3D9_INTEROP_H__
#define __CUDA_D3D9_INTEROP_H__
#include "cuda_runtime_api.h"

struct IDirect3DDevice9;
struct IDirect3DVertexBuffer9;

#if defined(__cplusplus)
extern "C" {
#endif
#include "heddle/runtime/d3d9_functions.h"
#if defined(__cplusplus)
}
#endif
#endif
