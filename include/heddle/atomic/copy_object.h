// SPDX-License-Identifier: Apache-2.0
// cuda::memcpy_async: threads of a group, or one thread, copy to shared memory while they go on; a barrier or a
// pipeline tells when the bytes are there. From global to shared memory the copies are cp.async of 16, 8 or 4 bytes, as
// the addresses and the size allow; all others are made at once.
#ifndef HEDDLE_COPY_OBJECT_H
#define HEDDLE_COPY_OBJECT_H
#include "barrier_object.h"

namespace cuda
{
// A size that, like both addresses, is a multiple of Alignment.
template <::std::size_t __Alignment> struct aligned_size_t {
    static constexpr ::std::size_t align = __Alignment;
    ::std::size_t value;
    HEDDLE_HD explicit constexpr aligned_size_t(::std::size_t size) : value(size) {}
    HEDDLE_HD constexpr operator ::std::size_t() const
    {
        return value;
    }
};

enum class async_contract_fulfillment { none, async };

template <thread_scope __Scope> class pipeline;

namespace heddle
{
struct one_thread {
    static HEDDLE_HD constexpr unsigned int size()
    {
        return 1;
    }
    static HEDDLE_HD constexpr unsigned int thread_rank()
    {
        return 0;
    }
    HEDDLE_HD void sync() const {}
};

// The alignment that a shape promises; that of the addresses is found out.
template <class __Shape> struct shape_align {
    static constexpr ::std::size_t value = 1;
};
template <::std::size_t __Alignment> struct shape_align<aligned_size_t<__Alignment>> {
    static constexpr ::std::size_t value = __Alignment;
};

template <class __Group>
HEDDLE_HD void copy_now(const __Group &__group, char *__to, const char *from, ::std::size_t size, ::std::size_t align)
{
    typedef unsigned long long word;
    ::std::size_t words = align >= 8 ? size / 8 : 0;
    for (::std::size_t __i = __group.thread_rank(); __i < words; __i += __group.size()) {
        word w;
        memcpy(&w, __builtin_assume_aligned(from + 8 * __i, 8), 8);
        memcpy(__builtin_assume_aligned(__to + 8 * __i, 8), &w, 8);
    }
    for (::std::size_t __i = 8 * words + __group.thread_rank(); __i < size; __i += __group.size())
        __to[__i] = from[__i];
}

#if HEDDLE_DEVICE_SM >= 800
template <int __Bytes, class __Group>
__device__ __forceinline__ void copy_pieces(const __Group &__group, char *__to, const char *from, ::std::size_t size)
{
    for (::std::size_t __i = __group.thread_rank() * (::std::size_t)__Bytes; __i < size;
         __i += __group.size() * (::std::size_t)__Bytes)
        heddle_copy_async<__Bytes>(__to + __i, from + __i);
}
#endif

// True when copies were begun that have not ended.
template <class __Group>
HEDDLE_HD bool copy_begin(const __Group &__group, void *dst, const void *src, ::std::size_t size,
                          ::std::size_t promised)
{
    char *__to = (char *)dst;
    const char *from = (const char *)src;
    ::std::size_t bits = (::std::size_t)__to | (::std::size_t)from | size | promised;
    ::std::size_t align = promised >= 16 ? 16 : bits & -bits;
#if HEDDLE_DEVICE_SM >= 800
    if (align >= 4 && __isShared(__to) && __isGlobal(from)) {
        if (align >= 16)
            copy_pieces<16>(__group, __to, from, size);
        else if (align >= 8)
            copy_pieces<8>(__group, __to, from, size);
        else
            copy_pieces<4>(__group, __to, from, size);
        return true;
    }
#endif
    copy_now(__group, __to, from, size, align);
    return false;
}

template <class __Group, class __Shape, thread_scope __Scope, class __Completion>
HEDDLE_HD async_contract_fulfillment copy_with(const __Group &__group, void *dst, const void *src, __Shape shape,
                                               barrier<__Scope, __Completion> &sync)
{
    bool begun = copy_begin(__group, dst, src, shape, shape_align<__Shape>::value);
#if HEDDLE_DEVICE_SM >= 800
    if (begun) {
        if (::std::uint64_t *native = sync.heddle_native())
            heddle_copy_arrive(native);
        else
            heddle_copy_wait<0>();
    }
#else
    (void)sync;
#endif
    return begun ? async_contract_fulfillment::async : async_contract_fulfillment::none;
}
template <class __Group, class __Shape, thread_scope __Scope>
HEDDLE_HD async_contract_fulfillment copy_with(const __Group &__group, void *dst, const void *src, __Shape shape,
                                               pipeline<__Scope> &)
{
    return copy_begin(__group, dst, src, shape, shape_align<__Shape>::value) ? async_contract_fulfillment::async
                                                                             : async_contract_fulfillment::none;
}

template <class __T> struct is_sync : ::std::false_type {
};
template <thread_scope __Scope, class __Completion> struct is_sync<barrier<__Scope, __Completion>> : ::std::true_type {
};
template <thread_scope __Scope> struct is_sync<pipeline<__Scope>> : ::std::true_type {
};
template <class __Sync>
using fulfillment = typename ::std::enable_if<is_sync<__Sync>::value, async_contract_fulfillment>::type;
// The alignment of the elements is a promise when a plain size is given.
template <::std::size_t __Alignment> HEDDLE_HD aligned_size_t<__Alignment> at_least(::std::size_t size)
{
    return aligned_size_t<__Alignment>(size);
}
} // namespace heddle

template <class __Sync>
HEDDLE_HD heddle::fulfillment<__Sync> memcpy_async(void *dst, const void *src, ::std::size_t size, __Sync &sync)
{
    return heddle::copy_with(heddle::one_thread(), dst, src, size, sync);
}
template <::std::size_t __Alignment, class __Sync>
HEDDLE_HD heddle::fulfillment<__Sync> memcpy_async(void *dst, const void *src, aligned_size_t<__Alignment> size,
                                                   __Sync &sync)
{
    return heddle::copy_with(heddle::one_thread(), dst, src, size, sync);
}
template <class __T, class __Sync>
HEDDLE_HD heddle::fulfillment<__Sync> memcpy_async(__T *dst, const __T *src, ::std::size_t size, __Sync &sync)
{
    return heddle::copy_with(heddle::one_thread(), dst, src, size, sync);
}
template <class __T, ::std::size_t __Alignment, class __Sync>
HEDDLE_HD heddle::fulfillment<__Sync> memcpy_async(__T *dst, const __T *src, aligned_size_t<__Alignment> size,
                                                   __Sync &sync)
{
    return heddle::copy_with(heddle::one_thread(), dst, src, size, sync);
}
template <class __Group, class __Sync>
HEDDLE_HD heddle::fulfillment<__Sync> memcpy_async(const __Group &__group, void *dst, const void *src,
                                                   ::std::size_t size, __Sync &sync)
{
    return heddle::copy_with(__group, dst, src, size, sync);
}
template <class __Group, ::std::size_t __Alignment, class __Sync>
HEDDLE_HD heddle::fulfillment<__Sync> memcpy_async(const __Group &__group, void *dst, const void *src,
                                                   aligned_size_t<__Alignment> size, __Sync &sync)
{
    return heddle::copy_with(__group, dst, src, size, sync);
}
template <class __Group, class __T, class __Sync>
HEDDLE_HD heddle::fulfillment<__Sync> memcpy_async(const __Group &__group, __T *dst, const __T *src, ::std::size_t size,
                                                   __Sync &sync)
{
    return heddle::copy_with(__group, dst, src, size, sync);
}
template <class __Group, class __T, ::std::size_t __Alignment, class __Sync>
HEDDLE_HD heddle::fulfillment<__Sync> memcpy_async(const __Group &__group, __T *dst, const __T *src,
                                                   aligned_size_t<__Alignment> size, __Sync &sync)
{
    return heddle::copy_with(__group, dst, src, size, sync);
}

#if defined(__CUDACC__)
// What only barriers in shared memory have.
namespace device
{
__device__ __forceinline__ ::std::uint64_t *barrier_native_handle(barrier<thread_scope_block> &__b)
{
    return __b.heddle_word();
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
// Arrives, and lets the phase wait for so many bytes.
__device__ __forceinline__ barrier<thread_scope_block>::arrival_token
barrier_arrive_tx(barrier<thread_scope_block> &__b, ::std::ptrdiff_t __arrivals, ::std::ptrdiff_t bytes)
{
    barrier<thread_scope_block>::arrival_token token = 0;
#if defined(__CUDA_ARCH__)
    ::std::uint64_t *handle = __b.heddle_word();
    if (__arrivals == 1)
        return heddle_mbarrier_arrive_expect_tx(handle, (unsigned int)bytes);
    heddle_mbarrier_expect_tx(handle, (unsigned int)bytes);
    token = heddle_mbarrier_arrive_count(handle, (unsigned int)__arrivals);
#endif
    return token;
}
__device__ __forceinline__ void barrier_expect_tx(barrier<thread_scope_block> &__b, ::std::ptrdiff_t bytes)
{
#if defined(__CUDA_ARCH__)
    heddle_mbarrier_expect_tx(__b.heddle_word(), (unsigned int)bytes);
#endif
}
template <class __T, ::std::size_t __Alignment>
__device__ __forceinline__ async_contract_fulfillment memcpy_async_tx(__T *dst, const __T *src,
                                                                      aligned_size_t<__Alignment> size,
                                                                      barrier<thread_scope_block> &__b)
{
    static_assert(__Alignment >= 16, "bulk copies are made of 16 bytes");
#if defined(__CUDA_ARCH__)
    heddle_copy_bulk(dst, src, (unsigned int)size.value, __b.heddle_word());
#endif
    return async_contract_fulfillment::async;
}
#endif
} // namespace device
#endif
} // namespace cuda
#endif
