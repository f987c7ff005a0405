// SPDX-License-Identifier: Apache-2.0
// Everything that CUDA device code may use without including it, for the clang front end. cuda_runtime.h includes this
// first of all. Clang's own resource headers give the bulk (functions over the __nv_* names of the device math library,
// shuffles, votes, loads); what they leave to a toolkit's headers is in the headers beside this one. The order matters:
// the forward declarations stand before any standard header, the definitions after it.
#ifndef HEDDLE_DEVICE_H
#define HEDDLE_DEVICE_H

#if defined(__CUDACC_RTC__)
#include "heddle/rtc/stddef_types.h"
#endif
// Traits ask whether and how something may be called, and nothing of theirs is run: as functions of both sides they see device functions as
// well as host functions, as under nvcc. (std::is_invocable of a functor whose operator() is __device__.) The second header defines the
// functions that the first declares.
#if !defined(__CUDACC_RTC__) && defined(__cplusplus) && __cplusplus >= 201103L
#include <cstddef> // the library's configuration, which declares functions of the host
#pragma clang force_cuda_host_device begin
#include <type_traits>
#if __has_include(<bits/move.h>)
#include <bits/move.h>
#endif
#pragma clang force_cuda_host_device end
#endif
#include <__clang_cuda_math_forward_declares.h>
#include <assert.h>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <time.h>

#include "../host_defines.h"
#include "../vector_types.h"
#include "builtin_vars.h"

// Clang's headers ask for the version of the toolkit, which users see only with cuda.h.
#ifndef CUDA_VERSION
#define CUDA_VERSION 13000
#define HEDDLE_CUDA_VERSION_BORROWED
#endif
typedef unsigned int cuuint32_t;

#include "memory_space.h"
// As version 9.1 these two take the packed-integer functions from the device math library, which has them in plain
// code; later they are inline assembly, which neither the compiler nor the engine can see through.
#pragma push_macro("CUDA_VERSION")
#undef CUDA_VERSION
#define CUDA_VERSION 9010
#include <__clang_cuda_libdevice_declares.h>
#define __all    __heddle_clang_all
#define __any    __heddle_clang_any
#define __ballot __heddle_clang_ballot
#define clock    __heddle_clang_clock
#include <__clang_cuda_device_functions.h>
#undef __all
#undef __any
#undef __ballot
#undef clock
#pragma pop_macro("CUDA_VERSION")
// As wide as clock_t is on the host: the counter does not come round.
static __device__ __forceinline__ long clock()
{
    return (long)__nvvm_read_ptx_sreg_clock64();
}

#if defined(__USE_FAST_MATH__)
#define exp10f __heddle_exact_exp10f
#define expf   __heddle_exact_expf
#define log10f __heddle_exact_log10f
#define powf   __heddle_exact_powf
#define tanf   __heddle_exact_tanf
#endif
#include <__clang_cuda_math.h>
#if defined(__USE_FAST_MATH__)
#undef exp10f
#undef expf
#undef log10f
#undef powf
#undef tanf
static __device__ __forceinline__ float exp10f(float x)
{
    return __exp10f(x);
}
static __device__ __forceinline__ float expf(float x)
{
    return __expf(x);
}
static __device__ __forceinline__ float log10f(float x)
{
    return __log10f(x);
}
static __device__ __forceinline__ float powf(float x, float y)
{
    return __powf(x, y);
}
static __device__ __forceinline__ float tanf(float x)
{
    return __tanf(x);
}
#endif

#include "device_library.h"
#include <new>
#include <__clang_cuda_cmath.h>
#if defined(__CUDACC_RTC__)
#undef numeric_limits
#endif
#include "math/math_overloads.h"
#include "math/minmax.h"
#include "../vector_functions.h"
#define __shfl            __heddle_clang_shfl
#define __shfl_up         __heddle_clang_shfl_up
#define __shfl_down       __heddle_clang_shfl_down
#define __shfl_xor        __heddle_clang_shfl_xor
#define __reduce_add_sync __heddle_clang_reduce_add
#define __reduce_min_sync __heddle_clang_reduce_min
#define __reduce_max_sync __heddle_clang_reduce_max
#define __reduce_and_sync __heddle_clang_reduce_and
#define __reduce_or_sync  __heddle_clang_reduce_or
#define __reduce_xor_sync __heddle_clang_reduce_xor
#define __ldcg            __heddle_clang_ldcg
#define __ldcs            __heddle_clang_ldcs
#define __ldcv            __heddle_clang_ldcv
#define __stwt            __heddle_clang_stwt
#define atomicAdd         __heddle_clang_atomicAdd
#define atomicAdd_block   __heddle_clang_atomicAdd_block
#define atomicAdd_system  __heddle_clang_atomicAdd_system
// To LLVM, its mapa's result is no pointer to the variable that it is given: loads of one go past stores and atomics by the other.
#define __cluster_map_shared_rank __heddle_clang_map_shared_rank
#include <__clang_cuda_intrinsics.h>
#undef __cluster_map_shared_rank
#undef __ldcg
#undef __ldcs
#undef __ldcv
#undef __stwt
#undef atomicAdd
#undef atomicAdd_block
#undef atomicAdd_system
#undef __reduce_add_sync
#undef __reduce_min_sync
#undef __reduce_max_sync
#undef __reduce_and_sync
#undef __reduce_or_sync
#undef __reduce_xor_sync
#undef __shfl
#undef __shfl_up
#undef __shfl_down
#undef __shfl_xor
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
static __device__ __forceinline__ void *__cluster_map_shared_rank(const void *__p, unsigned __rank)
{
    void *__mapped;
    __asm__("mapa.u64 %0, %1, %2;" : "=l"(__mapped) : "l"(__p), "r"(__rank));
    return __mapped;
}
#endif
#include "maskless.h"
#include <__clang_cuda_complex_builtins.h>
#include "atomic/atomic.h"
#include "atomic/nv_atomic.h"
#include "atomic/wide_atomic.h"
#include "math/intrinsics.h"
#include "math/packed.h"
#include "math/dpx.h"
#include "half/round_modes.h"

#ifdef HEDDLE_CUDA_VERSION_BORROWED
#undef CUDA_VERSION
#undef HEDDLE_CUDA_VERSION_BORROWED
#endif
#ifdef __HEDDLE_OWN_WARPSIZE__
#undef warpSize
#endif
#endif
