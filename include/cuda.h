// SPDX-License-Identifier: Apache-2.0
// The driver API: types, values and functions with the names, numbers and layouts of CUDA 13.0, written anew.
//
// Functions have versions: a program that says cuMemAlloc is bound to cuMemAlloc_v2, by the macros of the last part. With
// CUDA_API_PER_THREAD_DEFAULT_STREAM the stream 0 is the calling thread's own (_ptsz and _ptds variants).
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__

#include <stdint.h>
#include <stdlib.h>

#define CUDA_VERSION 13000

#ifndef CUDAAPI
#define CUDAAPI
#endif
#ifndef CUDA_CB
#define CUDA_CB CUDAAPI
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;

#include "heddle/driver/device.h"
#include "heddle/driver/memory.h"
#include "heddle/driver/external.h"
#include "heddle/driver/work.h"
#include "heddle/driver/green.h"
#include "heddle/driver/service.h"
#include "heddle/driver/narrow.h"
#include "heddle/driver/functions.h"

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) || defined(__CUDA_API_VERSION_INTERNAL)
#define __CUDA_API_PER_THREAD_DEFAULT_STREAM
#define __CUDA_API_PTDS(api) api##_ptds
#define __CUDA_API_PTSZ(api) api##_ptsz
#else
#define __CUDA_API_PTDS(api) api
#define __CUDA_API_PTSZ(api) api
#endif

#include "heddle/driver/versions.h"
#include "heddle/driver/older.h"

#ifdef __cplusplus
}
#endif
#endif
