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
cudaError_t cudaD3D9Begin(struct IDirect3DDevice9 *device);
cudaError_t cudaD3D9End(void);
cudaError_t cudaD3D9RegisterVertexBuffer(struct IDirect3DVertexBuffer9 *__buffer);
cudaError_t cudaD3D9MapVertexBuffer(void **devPtr, struct IDirect3DVertexBuffer9 *__buffer);
cudaError_t cudaD3D9UnmapVertexBuffer(struct IDirect3DVertexBuffer9 *__buffer);
cudaError_t cudaD3D9UnregisterVertexBuffer(struct IDirect3DVertexBuffer9 *__buffer);
cudaError_t cudaD3D9GetDevice(int *device, const char *adapterName);
#if defined(__cplusplus)
}
#endif
#endif
