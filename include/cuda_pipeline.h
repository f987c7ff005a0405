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
    __device__ void wait(size_t group)
    {
        __pipeline_wait_prior(committed_ - group - 1);
    }
    template <unsigned int Prior> __device__ void wait_prior()
    {
        __pipeline_wait_prior(Prior);
    }
    // An awbarrier, or a cuda::barrier of the block.
    template <class Barrier> __device__ void arrive_on(Barrier &b)
    {
        static_assert(sizeof(Barrier) == sizeof(__mbarrier_t), "a barrier object of the hardware is meant");
        __pipeline_arrive_on((__mbarrier_t *)&b);
    }
};

template <class T> __device__ inline void memcpy_async(T &dst, const T &src, pipeline &)
{
    if ((sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) && alignof(T) >= sizeof(T)) {
        __pipeline_memcpy_async(&dst, &src, sizeof(T));
        return;
    }
    for (size_t i = 0; i < sizeof(T); i++)
        ((char *)&dst)[i] = ((const char *)&src)[i];
}
// What the destination has more is filled with zeros.
template <class T, size_t ToCount, size_t FromCount>
__device__ inline void memcpy_async(T (*dst)[ToCount], const T (*src)[FromCount], pipeline &)
{
    static_assert(sizeof *dst == 4 || sizeof *dst == 8 || sizeof *dst == 16, "4, 8 or 16 bytes are copied");
    static_assert(FromCount <= ToCount, "the source is not larger than the destination");
    __pipeline_memcpy_async(*dst, *src, sizeof *dst, sizeof *dst - sizeof *src);
}
template <size_t Count, class T> __device__ inline T (*segment(T *p))[Count]
{
    return (T(*)[Count])p;
}
} // namespace experimental
} // namespace nvcuda
#endif
#endif
