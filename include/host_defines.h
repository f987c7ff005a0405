// SPDX-License-Identifier: Apache-2.0
// The words that CUDA adds to C and C++ (__global__, __device__, ...). Under a CUDA compiler they are attributes; under
// a plain host compiler they vanish, so that the same headers serve both; so they do in device emulation.
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

#define CUDARTAPI
#define CUDARTAPI_CDECL

// Targets with a letter (sm_90a, sm_100f): whether code may use what they have besides. N is the target's number.
#define __CUDA_ARCH_HAS_FEATURE__(feature) __CUDA_ARCH_FEAT_##feature
#if defined(__CUDA_ARCH_SPECIFIC__)
#define __CUDA_HAS_ARCH_SPECIFIC(__N) (__CUDA_ARCH_SPECIFIC__ == __N##0)
#else
#define __CUDA_HAS_ARCH_SPECIFIC(__N) 0
#endif
#if defined(__CUDA_ARCH_FAMILY_SPECIFIC__)
#define __CUDA_HAS_ARCH_FAMILY_SPECIFIC(__N)                                                                           \
    (__CUDA_ARCH_FAMILY_SPECIFIC__ >= __N##0 && __CUDA_ARCH_FAMILY_SPECIFIC__ < __N##0 + 100)
#else
#define __CUDA_HAS_ARCH_FAMILY_SPECIFIC(__N) 0
#endif

#if (defined(__CUDACC__) || defined(__CUDA__)) && !defined(__DEVICE_EMULATION__)
#define __host__     __attribute__((host))
#define __device__   __attribute__((device))
#define __global__   __attribute__((global))
#define __shared__   __attribute__((shared))
#define __constant__ __attribute__((constant))
// The front end has no managed variables: one is a device variable of an alignment that nobody else asks for, by which nvcc
// and libcudart know it. The host's variable of that name is the memory that kernels see.
#define __managed__ __attribute__((device, aligned(8192)))
// What the compiler driver writes for __shared__ variables of classes that clang would construct or destroy.
#define __hshared_ static __attribute__((shared, loader_uninitialized))
#if defined(__CUDA_ARCH__) // the host pass knows no architecture to judge it by
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else
#define __launch_bounds__(...)
#endif
#define __grid_constant__ __attribute__((grid_constant))
#if !defined(__CUDA_ARCH__)
#define __maxnreg__(__n)
#define __cluster_dims__(...)
#define __block_size__(...)
#else // the compiler driver finds the mark in the code, and then looks for these annotations
extern "C" __attribute__((device)) const char heddle_cluster_mark;
#define __maxnreg__(__n) __attribute__((annotate("heddle.maxnreg", __n, &heddle_cluster_mark)))
#if __CUDA_ARCH__ < 900
#define __cluster_dims__(...) _Pragma("GCC error \"__cluster_dims__ is not supported for this GPU architecture\"")
#define __block_size__(...)   _Pragma("GCC error \"__block_size__ is not supported for this GPU architecture\"")
#else
#define __cluster_dims__(...) __attribute__((annotate("heddle.cluster_dims", __VA_ARGS__, &heddle_cluster_mark)))
// __block_size__((x, y, z)) or __block_size__((x, y, z), (x, y, z)): the threads of a block, the blocks of a cluster.
#define __block_size__(...)   __HEDDLE_BLOCK_SIZE(__VA_ARGS__, (1, 1, 1), )
#define __HEDDLE_BLOCK_SIZE(block, cluster, ...)                                                                       \
    __attribute__((annotate("heddle.block_size", __HEDDLE_TUPLE block, __HEDDLE_TUPLE cluster, &heddle_cluster_mark)))
#define __HEDDLE_TUPLE(x, y, z) x, y, z
#endif
#endif
#define __nv_pure__ __attribute__((pure))
#else
#define __host__
#define __device__
#define __global__
#if defined(__DEVICE_EMULATION__)
#define __shared__ __heddle_shared__ // the compiler driver makes a static variable of it
#else
#define __shared__
#endif
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __grid_constant__
#define __maxnreg__(__n)
#define __cluster_dims__(...)
#define __block_size__(...)
#define __nv_pure__
#endif

#define __align__(__n)         __attribute__((aligned(__n)))
#define __builtin_align__(__n) __attribute__((aligned(__n)))
// Where it is no keyword it has to be a macro that may stand in a list of attributes as well: libstdc++ writes it there.
#if defined(__DEVICE_EMULATION__) && !defined(__noinline__)
#define __noinline__
#endif
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __no_return__   __attribute__((noreturn))
#define __inline_hint__
#define __NV_SILENCE_DEPRECATION_BEGIN
#define __NV_SILENCE_DEPRECATION_END
#define __device_builtin__
#if (defined(__CUDA__) && defined(__clang__)) || defined(__CUDACC_RTC__)
#define __device_builtin_texture_type__ __attribute__((device_builtin_texture_type))
#define __device_builtin_surface_type__ __attribute__((device_builtin_surface_type))
#else
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#endif
#define __cudart_builtin__
#endif
