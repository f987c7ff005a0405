// cuda::memcpy_async: threads of a group, or one thread, copy to shared memory while they go on; a barrier or a
// pipeline tells when the bytes are there. From global to shared memory the copies are cp.async of 16, 8 or 4 bytes, as
// the addresses and the size allow; all others are made at once.
#ifndef HEDDLE_COPY_OBJECT_H
#define HEDDLE_COPY_OBJECT_H
#include "barrier_object.h"

namespace cuda
{
// A size that, like both addresses, is a multiple of Alignment.
template <::std::size_t Alignment> struct aligned_size_t {
    static constexpr ::std::size_t align = Alignment;
    ::std::size_t value;
    HEDDLE_HD explicit constexpr aligned_size_t(::std::size_t size) : value(size) {}
    HEDDLE_HD constexpr operator ::std::size_t() const
    {
        return value;
    }
};

enum class async_contract_fulfillment { none, async };

template <thread_scope Scope> class pipeline;

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
template <class Shape> struct shape_align {
    static constexpr ::std::size_t value = 1;
};
template <::std::size_t Alignment> struct shape_align<aligned_size_t<Alignment>> {
    static constexpr ::std::size_t value = Alignment;
};

template <class Group>
HEDDLE_HD void copy_now(const Group &group, char *to, const char *from, ::std::size_t size, ::std::size_t align)
{
    typedef unsigned long long word;
    ::std::size_t words = align >= 8 ? size / 8 : 0;
    for (::std::size_t i = group.thread_rank(); i < words; i += group.size()) {
        word w;
        memcpy(&w, __builtin_assume_aligned(from + 8 * i, 8), 8);
        memcpy(__builtin_assume_aligned(to + 8 * i, 8), &w, 8);
    }
    for (::std::size_t i = 8 * words + group.thread_rank(); i < size; i += group.size())
        to[i] = from[i];
}

#if HEDDLE_DEVICE_SM >= 800
template <int Bytes, class Group>
__device__ __forceinline__ void copy_pieces(const Group &group, char *to, const char *from, ::std::size_t size)
{
    for (::std::size_t i = group.thread_rank() * (::std::size_t)Bytes; i < size;
         i += group.size() * (::std::size_t)Bytes)
        heddle_copy_async<Bytes>(to + i, from + i);
}
#endif

// True when copies were begun that have not ended.
template <class Group>
HEDDLE_HD bool copy_begin(const Group &group, void *dst, const void *src, ::std::size_t size, ::std::size_t promised)
{
    char *to = (char *)dst;
    const char *from = (const char *)src;
    ::std::size_t bits = (::std::size_t)to | (::std::size_t)from | size | promised;
    ::std::size_t align = promised >= 16 ? 16 : bits & -bits;
#if HEDDLE_DEVICE_SM >= 800
    if (align >= 4 && __isShared(to) && __isGlobal(from)) {
        if (align >= 16)
            copy_pieces<16>(group, to, from, size);
        else if (align >= 8)
            copy_pieces<8>(group, to, from, size);
        else
            copy_pieces<4>(group, to, from, size);
        return true;
    }
#endif
    copy_now(group, to, from, size, align);
    return false;
}

template <class Group, class Shape, thread_scope Scope, class Completion>
HEDDLE_HD async_contract_fulfillment copy_with(const Group &group, void *dst, const void *src, Shape shape,
                                               barrier<Scope, Completion> &sync)
{
    bool begun = copy_begin(group, dst, src, shape, shape_align<Shape>::value);
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
template <class Group, class Shape, thread_scope Scope>
HEDDLE_HD async_contract_fulfillment copy_with(const Group &group, void *dst, const void *src, Shape shape,
                                               pipeline<Scope> &)
{
    return copy_begin(group, dst, src, shape, shape_align<Shape>::value) ? async_contract_fulfillment::async
                                                                         : async_contract_fulfillment::none;
}

template <class T> struct is_sync : ::std::false_type {
};
template <thread_scope Scope, class Completion> struct is_sync<barrier<Scope, Completion>> : ::std::true_type {
};
template <thread_scope Scope> struct is_sync<pipeline<Scope>> : ::std::true_type {
};
template <class Sync>
using fulfillment = typename ::std::enable_if<is_sync<Sync>::value, async_contract_fulfillment>::type;
// The alignment of the elements is a promise when a plain size is given.
template <::std::size_t Alignment> HEDDLE_HD aligned_size_t<Alignment> at_least(::std::size_t size)
{
    return aligned_size_t<Alignment>(size);
}
} // namespace heddle

template <class Sync>
HEDDLE_HD heddle::fulfillment<Sync> memcpy_async(void *dst, const void *src, ::std::size_t size, Sync &sync)
{
    return heddle::copy_with(heddle::one_thread(), dst, src, size, sync);
}
template <::std::size_t Alignment, class Sync>
HEDDLE_HD heddle::fulfillment<Sync> memcpy_async(void *dst, const void *src, aligned_size_t<Alignment> size, Sync &sync)
{
    return heddle::copy_with(heddle::one_thread(), dst, src, size, sync);
}
template <class T, class Sync>
HEDDLE_HD heddle::fulfillment<Sync> memcpy_async(T *dst, const T *src, ::std::size_t size, Sync &sync)
{
    return heddle::copy_with(heddle::one_thread(), dst, src, size, sync);
}
template <class T, ::std::size_t Alignment, class Sync>
HEDDLE_HD heddle::fulfillment<Sync> memcpy_async(T *dst, const T *src, aligned_size_t<Alignment> size, Sync &sync)
{
    return heddle::copy_with(heddle::one_thread(), dst, src, size, sync);
}
template <class Group, class Sync>
HEDDLE_HD heddle::fulfillment<Sync> memcpy_async(const Group &group, void *dst, const void *src, ::std::size_t size,
                                                 Sync &sync)
{
    return heddle::copy_with(group, dst, src, size, sync);
}
template <class Group, ::std::size_t Alignment, class Sync>
HEDDLE_HD heddle::fulfillment<Sync> memcpy_async(const Group &group, void *dst, const void *src,
                                                 aligned_size_t<Alignment> size, Sync &sync)
{
    return heddle::copy_with(group, dst, src, size, sync);
}
template <class Group, class T, class Sync>
HEDDLE_HD heddle::fulfillment<Sync> memcpy_async(const Group &group, T *dst, const T *src, ::std::size_t size,
                                                 Sync &sync)
{
    return heddle::copy_with(group, dst, src, size, sync);
}
template <class Group, class T, ::std::size_t Alignment, class Sync>
HEDDLE_HD heddle::fulfillment<Sync> memcpy_async(const Group &group, T *dst, const T *src,
                                                 aligned_size_t<Alignment> size, Sync &sync)
{
    return heddle::copy_with(group, dst, src, size, sync);
}

#if defined(__CUDACC__)
// What only barriers in shared memory have.
namespace device
{
__device__ __forceinline__ ::std::uint64_t *barrier_native_handle(barrier<thread_scope_block> &b)
{
    return b.heddle_word();
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
// Arrives, and lets the phase wait for so many bytes.
__device__ __forceinline__ barrier<thread_scope_block>::arrival_token
barrier_arrive_tx(barrier<thread_scope_block> &b, ::std::ptrdiff_t arrivals, ::std::ptrdiff_t bytes)
{
    barrier<thread_scope_block>::arrival_token token = 0;
#if defined(__CUDA_ARCH__)
    ::std::uint64_t *handle = b.heddle_word();
    if (arrivals == 1)
        return heddle_mbarrier_arrive_expect_tx(handle, (unsigned int)bytes);
    heddle_mbarrier_expect_tx(handle, (unsigned int)bytes);
    token = heddle_mbarrier_arrive_count(handle, (unsigned int)arrivals);
#endif
    return token;
}
__device__ __forceinline__ void barrier_expect_tx(barrier<thread_scope_block> &b, ::std::ptrdiff_t bytes)
{
#if defined(__CUDA_ARCH__)
    heddle_mbarrier_expect_tx(b.heddle_word(), (unsigned int)bytes);
#endif
}
template <class T, ::std::size_t Alignment>
__device__ __forceinline__ async_contract_fulfillment memcpy_async_tx(T *dst, const T *src,
                                                                      aligned_size_t<Alignment> size,
                                                                      barrier<thread_scope_block> &b)
{
    static_assert(Alignment >= 16, "bulk copies are made of 16 bytes");
#if defined(__CUDA_ARCH__)
    heddle_copy_bulk(dst, src, (unsigned int)size.value, b.heddle_word());
#endif
    return async_contract_fulfillment::async;
}
#endif
} // namespace device
#endif
} // namespace cuda
#endif
