// SPDX-License-Identifier: Apache-2.0
// cuda::barrier, latch and semaphores. A barrier of a block that lies in shared memory is the hardware's barrier
// object, from compute capability 8.0 on; any other is a word with the arrivals that are pending, those expected in
// each phase and the parity of the phase. The thread whose arrival leaves nothing pending calls the completion function
// and begins the next phase.
#ifndef HEDDLE_BARRIER_OBJECT_H
#define HEDDLE_BARRIER_OBJECT_H
#include "atomic_object.h"
#include "mbarrier.h"
#include <chrono>

namespace cuda
{
namespace heddle
{
// Nanoseconds that only ever grow.
static HEDDLE_HD ::std::int64_t now()
{
#if defined(__CUDA_ARCH__)
    return (::std::int64_t)__heddle_globaltimer();
#else
    return ::std::chrono::duration_cast<::std::chrono::nanoseconds>(
               ::std::chrono::steady_clock::now().time_since_epoch())
        .count();
#endif
}
template <class __Rep, class __Period>
HEDDLE_HD ::std::int64_t nanoseconds_of(const ::std::chrono::duration<__Rep, __Period> &__d)
{
    return ::std::chrono::duration_cast<::std::chrono::nanoseconds>(__d).count();
}
template <class __Clock, class __Duration>
HEDDLE_HD ::std::int64_t nanoseconds_until(const ::std::chrono::time_point<__Clock, __Duration> &__t)
{
    return nanoseconds_of(__t - __Clock::now());
}
// Tries until it succeeds, or until the time is over.
template <class __Try> HEDDLE_HD bool try_for(__Try attempt, ::std::int64_t nanoseconds)
{
    ::std::int64_t start = now();
    do {
        if (attempt())
            return true;
    } while (now() - start < nanoseconds);
    return false;
}

struct no_completion {
    HEDDLE_HD void operator()() noexcept {}
};

// The word of a barrier: bits 0-30 pending, 31-61 expected, 63 parity.
template <thread_scope __Scope> struct barrier_word {
    typedef atomic_operations<unsigned long long, __Scope> operations;
    typedef unsigned long long word;
    enum { EXPECTED = 31, PARITY = 63 };
    static constexpr word COUNT = (1ull << 31) - 1;

    static HEDDLE_HD word fresh(word expected, word parity)
    {
        return parity << PARITY | expected << EXPECTED | expected;
    }
    template <class __Completion> static HEDDLE_HD word arrive(word *w, word __n, word drop, __Completion &completion)
    {
        word old = operations::fetch_sub(w, __n | drop << EXPECTED, __ATOMIC_ACQ_REL, ::std::true_type());
        if ((old & COUNT) == __n) {
            completion();
            word expected = (old >> EXPECTED & COUNT) - drop;
            operations::store(w, fresh(expected, ~old >> PARITY & 1), __ATOMIC_RELEASE);
        }
        return old;
    }
    static HEDDLE_HD bool passed(const word *w, unsigned int parity)
    {
        return (operations::load(w, __ATOMIC_ACQUIRE) >> PARITY) != parity;
    }
};

template <thread_scope __Scope, class __Completion> class barrier_base
{
    typedef barrier_word<__Scope> form;
    unsigned long long word_;
    __Completion completion_;

  public:
    typedef ::std::uint64_t arrival_token;
    barrier_base() = default;
    HEDDLE_HD void heddle_init(::std::ptrdiff_t expected, __Completion completion)
    {
        completion_ = completion;
        form::operations::store(&word_, form::fresh((unsigned long long)expected, 0), __ATOMIC_RELEASE);
    }
    HEDDLE_HD void heddle_fini() {}
    HEDDLE_HD arrival_token arrive(::std::ptrdiff_t __n = 1)
    {
        return form::arrive(&word_, (unsigned long long)__n, 0, completion_);
    }
    HEDDLE_HD void arrive_and_drop()
    {
        form::arrive(&word_, 1, 1, completion_);
    }
    HEDDLE_HD bool heddle_poll(arrival_token token) const
    {
        return form::passed(&word_, (unsigned int)(token >> form::PARITY));
    }
    HEDDLE_HD bool heddle_poll_parity(bool parity) const
    {
        return form::passed(&word_, parity);
    }
    HEDDLE_HD void heddle_pause() const
    {
        form::operations::pause();
    }
    // Arrives, in the name of this thread's copies too. Only the hardware's barrier knows of their end by itself.
    HEDDLE_HD void heddle_arrive_after_copies()
    {
#if HEDDLE_DEVICE_SM >= 800
        heddle_copy_wait<0>();
#endif
        arrive();
    }
    HEDDLE_HD ::std::uint64_t *heddle_native()
    {
        return nullptr;
    }
};

template <> class barrier_base<thread_scope_block, no_completion>
{
    typedef barrier_word<thread_scope_block> form;
    ::std::uint64_t word_;

    HEDDLE_HD bool native() const
    {
#if HEDDLE_DEVICE_SM >= 800
        return __isShared(this);
#else
        return false;
#endif
    }
    HEDDLE_HD unsigned long long *word() const
    {
        return (unsigned long long *)&word_;
    }

  public:
    typedef ::std::uint64_t arrival_token;
    barrier_base() = default;
    HEDDLE_HD void heddle_init(::std::ptrdiff_t expected, no_completion)
    {
#if HEDDLE_DEVICE_SM >= 800
        if (native())
            return heddle_mbarrier_init(&word_, (unsigned int)expected);
#endif
        form::operations::store(word(), form::fresh((unsigned long long)expected, 0), __ATOMIC_RELEASE);
    }
    HEDDLE_HD void heddle_fini()
    {
#if HEDDLE_DEVICE_SM >= 800
        if (native())
            heddle_mbarrier_inval(&word_);
#endif
    }
    HEDDLE_HD arrival_token arrive(::std::ptrdiff_t __n = 1)
    {
#if HEDDLE_DEVICE_SM >= 800
        if (native())
            return __n == 1 ? heddle_mbarrier_arrive(&word_) : heddle_mbarrier_arrive_count(&word_, (unsigned int)__n);
#endif
        no_completion none;
        return form::arrive(word(), (unsigned long long)__n, 0, none);
    }
    HEDDLE_HD void arrive_and_drop()
    {
#if HEDDLE_DEVICE_SM >= 800
        if (native()) {
            heddle_mbarrier_arrive_drop(&word_);
            return;
        }
#endif
        no_completion none;
        form::arrive(word(), 1, 1, none);
    }
    HEDDLE_HD bool heddle_poll(arrival_token token) const
    {
#if HEDDLE_DEVICE_SM >= 800
        if (native())
            return heddle_mbarrier_try_wait((::std::uint64_t *)word(), token);
#endif
        return form::passed(word(), (unsigned int)(token >> form::PARITY));
    }
    HEDDLE_HD bool heddle_poll_parity(bool parity) const
    {
#if HEDDLE_DEVICE_SM >= 800
        if (native())
            return heddle_mbarrier_try_wait_parity((::std::uint64_t *)word(), parity);
#endif
        return form::passed(word(), parity);
    }
    HEDDLE_HD void heddle_pause() const
    {
#if HEDDLE_DEVICE_SM < 900
        form::operations::pause();
#endif
    }
    HEDDLE_HD void heddle_arrive_after_copies()
    {
#if HEDDLE_DEVICE_SM >= 800
        if (native())
            heddle_copy_arrive(&word_);
        else
            heddle_copy_wait<0>();
#endif
        arrive();
    }
    HEDDLE_HD ::std::uint64_t *heddle_native()
    {
        return native() ? &word_ : nullptr;
    }
    HEDDLE_HD ::std::uint64_t *heddle_word()
    {
        return &word_;
    }
};
} // namespace heddle

template <thread_scope __Scope, class __Completion = heddle::no_completion>
class barrier : public heddle::barrier_base<__Scope, __Completion>
{
    typedef heddle::barrier_base<__Scope, __Completion> base;
    struct attempt {
        const barrier *self;
        ::std::uint64_t token;
        HEDDLE_HD bool operator()() const
        {
            return self->heddle_poll(token);
        }
    };
    struct parity_attempt {
        const barrier *self;
        bool parity;
        HEDDLE_HD bool operator()() const
        {
            return self->heddle_poll_parity(parity);
        }
    };

  public:
    typedef typename base::arrival_token arrival_token;
    barrier() = default;
    HEDDLE_HD explicit barrier(::std::ptrdiff_t expected, __Completion completion = __Completion())
    {
        this->heddle_init(expected, completion);
    }
    barrier(const barrier &) = delete;
    barrier &operator=(const barrier &) = delete;

    static HEDDLE_HD constexpr ::std::ptrdiff_t max() noexcept
    {
        return __Scope == thread_scope_block ? (1 << 20) - 1 : (1ll << 31) - 1;
    }
    HEDDLE_HD friend void init(barrier *__b, ::std::ptrdiff_t expected, __Completion completion = __Completion())
    {
        __b->heddle_init(expected, completion);
    }
    HEDDLE_HD void wait(arrival_token &&token) const
    {
        while (!this->heddle_poll(token))
            this->heddle_pause();
    }
    HEDDLE_HD void wait_parity(bool parity) const
    {
        while (!this->heddle_poll_parity(parity))
            this->heddle_pause();
    }
    HEDDLE_HD void arrive_and_wait()
    {
        wait(this->arrive());
    }
    HEDDLE_HD bool try_wait(arrival_token &&token) const
    {
        return this->heddle_poll(token);
    }
    HEDDLE_HD bool try_wait_parity(bool parity) const
    {
        return this->heddle_poll_parity(parity);
    }
    template <class __Rep, class __Period>
    HEDDLE_HD bool try_wait_for(arrival_token &&token, const ::std::chrono::duration<__Rep, __Period> &__d) const
    {
        attempt __a = {this, token};
        return heddle::try_for(__a, heddle::nanoseconds_of(__d));
    }
    template <class __Rep, class __Period>
    HEDDLE_HD bool try_wait_parity_for(bool parity, const ::std::chrono::duration<__Rep, __Period> &__d) const
    {
        parity_attempt __a = {this, parity};
        return heddle::try_for(__a, heddle::nanoseconds_of(__d));
    }
    template <class __Clock, class __Duration>
    HEDDLE_HD bool try_wait_until(arrival_token &&token,
                                  const ::std::chrono::time_point<__Clock, __Duration> &__t) const
    {
        attempt __a = {this, token};
        return heddle::try_for(__a, heddle::nanoseconds_until(__t));
    }
    template <class __Clock, class __Duration>
    HEDDLE_HD bool try_wait_parity_until(bool parity, const ::std::chrono::time_point<__Clock, __Duration> &__t) const
    {
        parity_attempt __a = {this, parity};
        return heddle::try_for(__a, heddle::nanoseconds_until(__t));
    }
};

// A barrier for one phase.
template <thread_scope __Scope> class latch
{
    atomic<::std::ptrdiff_t, __Scope> left_;

  public:
    HEDDLE_HD constexpr explicit latch(::std::ptrdiff_t expected) : left_(expected) {}
    latch() = default;
    latch(const latch &) = delete;
    latch &operator=(const latch &) = delete;
    HEDDLE_HD friend void init(latch *__l, ::std::ptrdiff_t expected)
    {
        __l->left_.store(expected, memory_order_release);
    }
    HEDDLE_HD void count_down(::std::ptrdiff_t __n = 1)
    {
        left_.fetch_sub(__n, memory_order_release);
    }
    HEDDLE_HD bool try_wait() const noexcept
    {
        return left_.load(memory_order_acquire) == 0;
    }
    HEDDLE_HD void wait() const
    {
        while (!try_wait())
            heddle::atomic_operations<::std::ptrdiff_t, __Scope>::pause();
    }
    HEDDLE_HD void arrive_and_wait(::std::ptrdiff_t __n = 1)
    {
        count_down(__n);
        wait();
    }
    static HEDDLE_HD constexpr ::std::ptrdiff_t max() noexcept
    {
        return PTRDIFF_MAX;
    }
};

template <thread_scope __Scope, ::std::ptrdiff_t Most = INT32_MAX> class counting_semaphore
{
    atomic<::std::ptrdiff_t, __Scope> count_;
    struct attempt {
        counting_semaphore *self;
        HEDDLE_HD bool operator()() const
        {
            return self->try_acquire();
        }
    };

  public:
    HEDDLE_HD constexpr explicit counting_semaphore(::std::ptrdiff_t count) : count_(count) {}
    counting_semaphore() = default;
    counting_semaphore(const counting_semaphore &) = delete;
    counting_semaphore &operator=(const counting_semaphore &) = delete;
    static HEDDLE_HD constexpr ::std::ptrdiff_t max() noexcept
    {
        return Most;
    }
    HEDDLE_HD friend void init(counting_semaphore *__s, ::std::ptrdiff_t count)
    {
        __s->count_.store(count, memory_order_release);
    }
    HEDDLE_HD void release(::std::ptrdiff_t __n = 1)
    {
        count_.fetch_add(__n, memory_order_release);
    }
    HEDDLE_HD bool try_acquire() noexcept
    {
        ::std::ptrdiff_t __n = count_.load(memory_order_acquire);
        while (__n > 0)
            if (count_.compare_exchange_weak(__n, __n - 1, memory_order_acquire, memory_order_relaxed))
                return true;
        return false;
    }
    HEDDLE_HD void acquire()
    {
        while (!try_acquire())
            heddle::atomic_operations<::std::ptrdiff_t, __Scope>::pause();
    }
    template <class __Rep, class __Period>
    HEDDLE_HD bool try_acquire_for(const ::std::chrono::duration<__Rep, __Period> &__d)
    {
        attempt __a = {this};
        return heddle::try_for(__a, heddle::nanoseconds_of(__d));
    }
};
template <thread_scope __Scope> using binary_semaphore = counting_semaphore<__Scope, 1>;

namespace std
{
template <class __Completion = heddle::no_completion>
class barrier : public ::cuda::barrier<thread_scope_system, __Completion>
{
  public:
    barrier() = default;
    HEDDLE_HD explicit barrier(::std::ptrdiff_t expected, __Completion completion = __Completion())
        : ::cuda::barrier<thread_scope_system, __Completion>(expected, completion)
    {
    }
};
typedef ::cuda::latch<thread_scope_system> latch;
template <::std::ptrdiff_t Most = INT32_MAX>
using counting_semaphore = ::cuda::counting_semaphore<thread_scope_system, Most>;
typedef ::cuda::counting_semaphore<thread_scope_system, 1> binary_semaphore;
} // namespace std
} // namespace cuda
#endif
