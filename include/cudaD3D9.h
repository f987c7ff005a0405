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
#include "heddle/driver/d3d9_functions.h"
#ifdef __cplusplus
}
#endif
#endif
