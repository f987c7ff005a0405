// SPDX-License-Identifier: Apache-2.0
// The C functions over cp.async: copies of a thread to shared memory in groups that it commits and waits for.
#ifndef _CUDA_PIPELINE_PRIMITIVES_H_
#define _CUDA_PIPELINE_PRIMITIVES_H_
#include "cuda_awbarrier_primitives.h"

#if defined(__CUDACC__) && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700)
#define HEDDLE_FN static __device__ __forceinline__

// Copies size bytes, 4, 8 or 16; the last `zeros` of them are not read but filled.
HEDDLE_FN void __pipeline_memcpy_async(void *__restrict__ shared, const void *__restrict__ global, size_t size,
                                       size_t zeros = 0)
{
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 800
    unsigned int read = (unsigned int)(size - zeros);
    switch (size) {
    case 4:
        return zeros ? heddle_copy_async_fill<4>(shared, global, read) : heddle_copy_async<4>(shared, global);
    case 8:
        return zeros ? heddle_copy_async_fill<8>(shared, global, read) : heddle_copy_async<8>(shared, global);
    default:
        return zeros ? heddle_copy_async_fill<16>(shared, global, read) : heddle_copy_async<16>(shared, global);
    }
#else
    for (size_t __i = 0; __i < size; __i++)
        ((char *)shared)[__i] = __i < size - zeros ? ((const char *)global)[__i] : 0;
#endif
#endif
}
HEDDLE_FN void __pipeline_commit()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    heddle_copy_commit();
#endif
}
// Waits for all groups but the last `prior`.
HEDDLE_FN void __pipeline_wait_prior(size_t __prior)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    heddle_copy_wait_prior(__prior);
#endif
}
HEDDLE_FN void __pipeline_arrive_on(__mbarrier_t *barrier)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    heddle_copy_arrive((uint64_t *)barrier);
#endif
}
#undef HEDDLE_FN
#endif
#endif
