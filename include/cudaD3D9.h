// SPDX-License-Identifier: Apache-2.0
// Direct3D 9 buffers in the driver interface, as in CUDA 1.1. There is no Direct3D on Linux: every function answers
// CUDA_ERROR_NOT_SUPPORTED.
#ifndef CUDAD3D9_H
#define CUDAD3D9_H
#include "cuda.h"

struct IDirect3DDevice9;
struct IDirect3DVertexBuffer9;

#ifdef __cplusplus
extern "C" {
#endif
CUresult CUDAAPI cuD3D9Begin(struct IDirect3DDevice9 *device);
CUresult CUDAAPI cuD3D9End(void);
CUresult CUDAAPI cuD3D9RegisterVertexBuffer(struct IDirect3DVertexBuffer9 *__buffer);
CUresult CUDAAPI cuD3D9MapVertexBuffer(CUdeviceptr *address, size_t *size, struct IDirect3DVertexBuffer9 *__buffer);
CUresult CUDAAPI cuD3D9UnmapVertexBuffer(struct IDirect3DVertexBuffer9 *__buffer);
CUresult CUDAAPI cuD3D9UnregisterVertexBuffer(struct IDirect3DVertexBuffer9 *__buffer);
CUresult CUDAAPI cuD3D9GetDevice(CUdevice *device, const char *__adapter);
#ifdef __cplusplus
}
#endif
#endif
