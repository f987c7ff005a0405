// SPDX-License-Identifier: Apache-2.0
// cooperative_groups::memcpy_async: the threads of a group copy together. Each of them has its own part of the copy,
// with cp.async where it goes from global to shared memory, and one group of copies for each call; all is there when
// they have waited.
#ifndef _CG_MEMCPY_ASYNC_H_
#define _CG_MEMCPY_ASYNC_H_
#include "../cooperative_groups.h"
#include "../heddle/atomic/mbarrier.h"

namespace cooperative_groups
{
namespace __v1
{
namespace details
{
template <unsigned int __Bytes, class __Group>
_CG_QUALIFIER size_t copy_pieces(const __Group &__group, char *__to, const char *from, size_t size)
{
    for (size_t __i = __group.thread_rank(); __i < size / __Bytes; __i += __group.size()) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        heddle_copy_async<__Bytes>(__to + __i * __Bytes, from + __i * __Bytes);
#endif
    }
    return size / __Bytes * __Bytes;
}
template <class __Group> _CG_QUALIFIER void copy(const __Group &__group, char *__to, const char *from, size_t size)
{
    size_t done = 0;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    size_t bits = (size_t)__to | (size_t)from;
    if (__isShared(__to) && __isGlobal(from))
        done = !(bits & 15)  ? copy_pieces<16>(__group, __to, from, size)
               : !(bits & 7) ? copy_pieces<8>(__group, __to, from, size)
               : !(bits & 3) ? copy_pieces<4>(__group, __to, from, size)
                             : 0;
#endif
    for (size_t __i = done + __group.thread_rank(); __i < size; __i += __group.size())
        __to[__i] = from[__i];
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    heddle_copy_commit();
#endif
}
} // namespace details

// A layout is a number of bytes, as a size_t or a cuda::aligned_size_t.
template <class __Group, typename __T, typename __Layout>
_CG_QUALIFIER void memcpy_async(const __Group &__group, __T *dst, const __T *src, const __Layout &__layout)
{
    details::copy(__group, (char *)dst, (const char *)src, (size_t)__layout);
}
// Of two numbers of elements the smaller one counts.
template <class __Group, typename __T, typename __ToLayout, typename __FromLayout>
_CG_QUALIFIER void memcpy_async(const __Group &__group, __T *dst, const __ToLayout &__to, const __T *src,
                                const __FromLayout &from)
{
    size_t __n = (size_t)__to < (size_t)from ? (size_t)__to : (size_t)from;
    details::copy(__group, (char *)dst, (const char *)src, __n * sizeof(__T));
}
template <class __Group, typename __Layout>
_CG_QUALIFIER void memcpy_async(const __Group &__group, void *dst, const void *src, const __Layout &__layout)
{
    details::copy(__group, (char *)dst, (const char *)src, (size_t)__layout);
}

// Until all but the last Stages copies of the group have ended.
template <unsigned int __Stages, class __Group> _CG_QUALIFIER void wait_prior(const __Group &__group)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    heddle_copy_wait<__Stages>();
#endif
    __group.sync();
}
template <class __Group> _CG_QUALIFIER void wait(const __Group &__group)
{
    wait_prior<0>(__group);
}
} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups
#endif
