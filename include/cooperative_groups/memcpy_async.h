// cooperative_groups::memcpy_async: the threads of a group copy together. The copy is done when they have waited.
#ifndef _CG_MEMCPY_ASYNC_H_
#define _CG_MEMCPY_ASYNC_H_
#include "cooperative_groups.h"

namespace cooperative_groups
{
template <class Group> _CG_QUALIFIER void memcpy_async(const Group &group, void *dst, const void *src, size_t count)
{
    char *to = (char *)dst;
    const char *from = (const char *)src;
    size_t words = (((size_t)to | (size_t)from) & 15) == 0 ? count / 16 : 0;
    for (size_t i = group.thread_rank(); i < words; i += group.size())
        ((uint4 *)to)[i] = ((const uint4 *)from)[i];
    for (size_t i = words * 16 + group.thread_rank(); i < count; i += group.size())
        to[i] = from[i];
}
template <class Group, typename T>
_CG_QUALIFIER void memcpy_async(const Group &group, T *dst, size_t dst_count, const T *src, size_t src_count)
{
    size_t count = dst_count < src_count ? dst_count : src_count;
    memcpy_async(group, (void *)dst, (const void *)src, count * sizeof(T));
}
template <class Group> _CG_QUALIFIER void wait(const Group &group)
{
    group.sync();
}
template <unsigned int Stages, class Group> _CG_QUALIFIER void wait_prior(const Group &group)
{
    group.sync();
}
} // namespace cooperative_groups
#endif
