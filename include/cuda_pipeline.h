// SPDX-License-Identifier: Apache-2.0
// nvcuda::experimental::pipeline: the copies of a thread in groups, as a class.
#ifndef _CUDA_PIPELINE_H_
#define _CUDA_PIPELINE_H_
#include "cuda_awbarrier.h"
#include "cuda_pipeline_primitives.h"

#if defined(__CUDACC__) && defined(__cplusplus) && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700)
namespace nvcuda
{
namespace experimental
{
class pipeline
{
    size_t committed_;

  public:
    __device__ pipeline() : committed_(0) {}
    pipeline(const pipeline &) = delete;
    pipeline &operator=(const pipeline &) = delete;

    // The number of the group.
    __device__ size_t commit()
    {
        __pipeline_commit();
        return committed_++;
    }
    __device__ void commit_and_wait()
    {
        wait(commit());
    }
    __device__ void wait(size_t __group)
    {
        __pipeline_wait_prior(committed_ - __group - 1);
    }
    template <unsigned int __Prior> __device__ void wait_prior()
    {
        __pipeline_wait_prior(__Prior);
    }
    // An awbarrier, or a cuda::barrier of the block.
    template <class __Barrier> __device__ void arrive_on(__Barrier &__b)
    {
        static_assert(sizeof(__Barrier) == sizeof(__mbarrier_t), "a barrier object of the hardware is meant");
        __pipeline_arrive_on((__mbarrier_t *)&__b);
    }
};

template <class __T> __device__ inline void memcpy_async(__T &dst, const __T &src, pipeline &)
{
    if ((sizeof(__T) == 4 || sizeof(__T) == 8 || sizeof(__T) == 16) && alignof(__T) >= sizeof(__T)) {
        __pipeline_memcpy_async(&dst, &src, sizeof(__T));
        return;
    }
    for (size_t __i = 0; __i < sizeof(__T); __i++)
        ((char *)&dst)[__i] = ((const char *)&src)[__i];
}
// What the destination has more is filled with zeros.
template <class __T, size_t __ToCount, size_t __FromCount>
__device__ inline void memcpy_async(__T (*dst)[__ToCount], const __T (*src)[__FromCount], pipeline &)
{
    static_assert(sizeof *dst == 4 || sizeof *dst == 8 || sizeof *dst == 16, "4, 8 or 16 bytes are copied");
    static_assert(__FromCount <= __ToCount, "the source is not larger than the destination");
    __pipeline_memcpy_async(*dst, *src, sizeof *dst, sizeof *dst - sizeof *src);
}
template <size_t __Count, class __T>
__device__ inline __T (*segment(__T *__p)) [__Count] { return (__T(*)[__Count])__p; }
} // namespace experimental
} // namespace nvcuda
#endif
#endif
