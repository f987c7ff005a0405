// cooperative_groups::memcpy_async: the threads of a group copy together. Each of them has its own part of the copy,
// with cp.async where it goes from global to shared memory, and one group of copies for each call; all is there when
// they have waited.
#ifndef _CG_MEMCPY_ASYNC_H_
#define _CG_MEMCPY_ASYNC_H_
#include "../cooperative_groups.h"
#include "../heddle/mbarrier.h"

namespace cooperative_groups
{
namespace details
{
template <unsigned int Bytes, class Group>
_CG_QUALIFIER size_t copy_pieces(const Group &group, char *to, const char *from, size_t size)
{
    for (size_t i = group.thread_rank(); i < size / Bytes; i += group.size()) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        heddle_copy_async<Bytes>(to + i * Bytes, from + i * Bytes);
#endif
    }
    return size / Bytes * Bytes;
}
template <class Group> _CG_QUALIFIER void copy(const Group &group, char *to, const char *from, size_t size)
{
    size_t done = 0;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    size_t bits = (size_t)to | (size_t)from;
    if (__isShared(to) && __isGlobal(from))
        done = !(bits & 15)  ? copy_pieces<16>(group, to, from, size)
               : !(bits & 7) ? copy_pieces<8>(group, to, from, size)
               : !(bits & 3) ? copy_pieces<4>(group, to, from, size)
                             : 0;
#endif
    for (size_t i = done + group.thread_rank(); i < size; i += group.size())
        to[i] = from[i];
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    heddle_copy_commit();
#endif
}
} // namespace details

// A layout is a number of bytes, as a size_t or a cuda::aligned_size_t.
template <class Group, typename T, typename Layout>
_CG_QUALIFIER void memcpy_async(const Group &group, T *dst, const T *src, const Layout &layout)
{
    details::copy(group, (char *)dst, (const char *)src, (size_t)layout);
}
// Of two numbers of elements the smaller one counts.
template <class Group, typename T, typename ToLayout, typename FromLayout>
_CG_QUALIFIER void memcpy_async(const Group &group, T *dst, const ToLayout &to, const T *src, const FromLayout &from)
{
    size_t n = (size_t)to < (size_t)from ? (size_t)to : (size_t)from;
    details::copy(group, (char *)dst, (const char *)src, n * sizeof(T));
}
template <class Group, typename Layout>
_CG_QUALIFIER void memcpy_async(const Group &group, void *dst, const void *src, const Layout &layout)
{
    details::copy(group, (char *)dst, (const char *)src, (size_t)layout);
}

// Until all but the last Stages copies of the group have ended.
template <unsigned int Stages, class Group> _CG_QUALIFIER void wait_prior(const Group &group)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    heddle_copy_wait<Stages>();
#endif
    group.sync();
}
template <class Group> _CG_QUALIFIER void wait(const Group &group)
{
    wait_prior<0>(group);
}
} // namespace cooperative_groups
#endif
