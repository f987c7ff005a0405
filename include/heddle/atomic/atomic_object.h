// SPDX-License-Identifier: Apache-2.0
// Atomic objects and references. Which members there are depends on the type: integers have all, pointers and floats
// can be added to, other types are only loaded, stored and exchanged. The members of all classes come from four macros,
// which take the qualifiers of a member that changes the object: volatile for objects, const for references.
#ifndef HEDDLE_ATOMIC_OBJECT_H
#define HEDDLE_ATOMIC_OBJECT_H
#include "scoped_atomic.h"

namespace cuda
{
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

namespace heddle
{
enum atomic_kind { kind_other, kind_integer, kind_float, kind_pointer };
template <class __T>
struct atomic_kind_of
    : ::std::integral_constant<atomic_kind, ::std::is_integral<__T>::value && !::std::is_same<__T, bool>::value
                                                ? kind_integer
                                            : ::std::is_floating_point<__T>::value ? kind_float
                                            : ::std::is_pointer<__T>::value        ? kind_pointer
                                                                                   : kind_other> {
};
// The alignment that makes one access of an object.
template <class __T> struct atomic_align {
    static constexpr ::std::size_t value = sizeof(__T) <= 8 && (sizeof(__T) & (sizeof(__T) - 1)) == 0 &&
                                                   sizeof(__T) > alignof(__T)
                                               ? sizeof(__T)
                                               : alignof(__T);
};

#define HEDDLE_ATOMIC_CORE(__Q)                                                                                        \
    typedef __T value_type;                                                                                            \
    static constexpr bool is_always_lock_free = sizeof(__T) <= 8;                                                      \
    HEDDLE_HD bool is_lock_free() const volatile noexcept                                                              \
    {                                                                                                                  \
        return is_always_lock_free;                                                                                    \
    }                                                                                                                  \
    HEDDLE_HD __T load(memory_order order = memory_order_seq_cst) const volatile noexcept                              \
    {                                                                                                                  \
        return operations::load(address(), (int)order);                                                                \
    }                                                                                                                  \
    HEDDLE_HD operator __T() const volatile noexcept                                                                   \
    {                                                                                                                  \
        return load();                                                                                                 \
    }                                                                                                                  \
    HEDDLE_HD void store(__T value, memory_order order = memory_order_seq_cst) __Q noexcept                            \
    {                                                                                                                  \
        operations::store(address(), value, (int)order);                                                               \
    }                                                                                                                  \
    HEDDLE_HD __T exchange(__T value, memory_order order = memory_order_seq_cst) __Q noexcept                          \
    {                                                                                                                  \
        return operations::exchange(address(), value, (int)order);                                                     \
    }                                                                                                                  \
    HEDDLE_HD bool compare_exchange_weak(__T &expected, __T __desired, memory_order __success, memory_order __failure) \
        __Q noexcept                                                                                                   \
    {                                                                                                                  \
        return operations::compare_exchange(address(), expected, __desired, true, (int)__success, (int)__failure);     \
    }                                                                                                                  \
    HEDDLE_HD bool compare_exchange_weak(__T &expected, __T __desired, memory_order order = memory_order_seq_cst)      \
        __Q noexcept                                                                                                   \
    {                                                                                                                  \
        return operations::compare_exchange(address(), expected, __desired, true, (int)order, load_order((int)order)); \
    }                                                                                                                  \
    HEDDLE_HD bool compare_exchange_strong(__T &expected, __T __desired, memory_order __success,                       \
                                           memory_order __failure) __Q noexcept                                        \
    {                                                                                                                  \
        return operations::compare_exchange(address(), expected, __desired, false, (int)__success, (int)__failure);    \
    }                                                                                                                  \
    HEDDLE_HD bool compare_exchange_strong(__T &expected, __T __desired, memory_order order = memory_order_seq_cst)    \
        __Q noexcept                                                                                                   \
    {                                                                                                                  \
        return operations::compare_exchange(address(), expected, __desired, false, (int)order,                         \
                                            load_order((int)order));                                                   \
    }                                                                                                                  \
    HEDDLE_HD void wait(__T old, memory_order order = memory_order_seq_cst) const volatile noexcept                    \
    {                                                                                                                  \
        operations::wait(address(), old, (int)order);                                                                  \
    }                                                                                                                  \
    HEDDLE_HD void notify_one() __Q noexcept {}                                                                        \
    HEDDLE_HD void notify_all() __Q noexcept {}

#define HEDDLE_ATOMIC_FETCH(__Q, name)                                                                                 \
    HEDDLE_HD __T name(__T value, memory_order order = memory_order_seq_cst) __Q noexcept                              \
    {                                                                                                                  \
        return operations::name(address(), value, (int)order, ::std::is_integral<__T>());                              \
    }
#define HEDDLE_ATOMIC_ARITHMETIC(__Q)                                                                                  \
    HEDDLE_ATOMIC_FETCH(__Q, fetch_add)                                                                                \
    HEDDLE_ATOMIC_FETCH(__Q, fetch_sub)                                                                                \
    HEDDLE_ATOMIC_FETCH(__Q, fetch_min)                                                                                \
    HEDDLE_ATOMIC_FETCH(__Q, fetch_max)                                                                                \
    HEDDLE_HD __T operator+=(__T value) __Q noexcept                                                                   \
    {                                                                                                                  \
        return fetch_add(value) + value;                                                                               \
    }                                                                                                                  \
    HEDDLE_HD __T operator-=(__T value) __Q noexcept                                                                   \
    {                                                                                                                  \
        return fetch_sub(value) - value;                                                                               \
    }
#define HEDDLE_ATOMIC_COUNTING(__Q)                                                                                    \
    HEDDLE_HD __T operator++(int) __Q noexcept                                                                         \
    {                                                                                                                  \
        return fetch_add(1);                                                                                           \
    }                                                                                                                  \
    HEDDLE_HD __T operator--(int) __Q noexcept                                                                         \
    {                                                                                                                  \
        return fetch_sub(1);                                                                                           \
    }                                                                                                                  \
    HEDDLE_HD __T operator++() __Q noexcept                                                                            \
    {                                                                                                                  \
        return fetch_add(1) + 1;                                                                                       \
    }                                                                                                                  \
    HEDDLE_HD __T operator--() __Q noexcept                                                                            \
    {                                                                                                                  \
        return fetch_sub(1) - 1;                                                                                       \
    }
#define HEDDLE_ATOMIC_BITS(__Q)                                                                                        \
    HEDDLE_ATOMIC_FETCH(__Q, fetch_and)                                                                                \
    HEDDLE_ATOMIC_FETCH(__Q, fetch_or)                                                                                 \
    HEDDLE_ATOMIC_FETCH(__Q, fetch_xor)                                                                                \
    HEDDLE_HD __T operator&=(__T value) __Q noexcept                                                                   \
    {                                                                                                                  \
        return fetch_and(value) & value;                                                                               \
    }                                                                                                                  \
    HEDDLE_HD __T operator|=(__T value) __Q noexcept                                                                   \
    {                                                                                                                  \
        return fetch_or(value) | value;                                                                                \
    }                                                                                                                  \
    HEDDLE_HD __T operator^=(__T value) __Q noexcept                                                                   \
    {                                                                                                                  \
        return fetch_xor(value) ^ value;                                                                               \
    }
// A pointer moves by elements.
#define HEDDLE_ATOMIC_POINTER(__Q)                                                                                     \
    HEDDLE_HD __T fetch_add(::std::ptrdiff_t __n, memory_order order = memory_order_seq_cst) __Q noexcept              \
    {                                                                                                                  \
        typedef atomic_operations<unsigned long long, __Scope> numbers;                                                \
        unsigned long long bytes = (unsigned long long)__n * sizeof(*__T());                                           \
        return (__T)numbers::fetch_add((volatile unsigned long long *)address(), bytes, (int)order,                    \
                                       ::std::true_type());                                                            \
    }                                                                                                                  \
    HEDDLE_HD __T fetch_sub(::std::ptrdiff_t __n, memory_order order = memory_order_seq_cst) __Q noexcept              \
    {                                                                                                                  \
        return fetch_add(-__n, order);                                                                                 \
    }                                                                                                                  \
    HEDDLE_HD __T operator+=(::std::ptrdiff_t __n) __Q noexcept                                                        \
    {                                                                                                                  \
        return fetch_add(__n) + __n;                                                                                   \
    }                                                                                                                  \
    HEDDLE_HD __T operator-=(::std::ptrdiff_t __n) __Q noexcept                                                        \
    {                                                                                                                  \
        return fetch_sub(__n) - __n;                                                                                   \
    }

// Where the value lies.
template <class __T> class atomic_storage
{
    alignas(atomic_align<__T>::value) __T value_;

  public:
    atomic_storage() noexcept = default;
    HEDDLE_HD constexpr explicit atomic_storage(__T value) noexcept : value_(value) {}

  protected:
    HEDDLE_HD __T *address() const volatile noexcept
    {
        return const_cast<__T *>(&value_);
    }
};
template <class __T> class atomic_link
{
    __T *at_;

  public:
    HEDDLE_HD explicit atomic_link(__T &object) noexcept : at_(&object) {}
    HEDDLE_HD atomic_link(const atomic_link &other) noexcept : at_(other.at_) {}

  protected:
    HEDDLE_HD __T *address() const volatile noexcept
    {
        return at_;
    }
};

template <class __T, thread_scope __Scope, class __Place, atomic_kind __Kind> class atomic_members;
#define HEDDLE_ATOMIC_CLASS(place, kind, ...)                                                                          \
    template <class __T, thread_scope __Scope>                                                                         \
    class atomic_members<__T, __Scope, place<__T>, kind> : public place<__T>                                           \
    {                                                                                                                  \
        typedef atomic_operations<__T, __Scope> operations;                                                            \
        using place<__T>::address;                                                                                     \
                                                                                                                       \
      public:                                                                                                          \
        using place<__T>::place;                                                                                       \
        __VA_ARGS__                                                                                                    \
    };
#define HEDDLE_ATOMIC_CLASSES(place, __Q)                                                                              \
    HEDDLE_ATOMIC_CLASS(place, kind_other, HEDDLE_ATOMIC_CORE(__Q))                                                    \
    HEDDLE_ATOMIC_CLASS(place, kind_float, HEDDLE_ATOMIC_CORE(__Q) HEDDLE_ATOMIC_ARITHMETIC(__Q))                      \
    HEDDLE_ATOMIC_CLASS(place, kind_pointer,                                                                           \
                        HEDDLE_ATOMIC_CORE(__Q) HEDDLE_ATOMIC_POINTER(__Q) HEDDLE_ATOMIC_COUNTING(__Q))                \
    HEDDLE_ATOMIC_CLASS(place, kind_integer,                                                                           \
                        HEDDLE_ATOMIC_CORE(__Q) HEDDLE_ATOMIC_ARITHMETIC(__Q) HEDDLE_ATOMIC_COUNTING(__Q)              \
                            HEDDLE_ATOMIC_BITS(__Q))

HEDDLE_ATOMIC_CLASSES(atomic_storage, volatile)
HEDDLE_ATOMIC_CLASSES(atomic_link, const)

#undef HEDDLE_ATOMIC_CLASSES
#undef HEDDLE_ATOMIC_CLASS
#undef HEDDLE_ATOMIC_POINTER
#undef HEDDLE_ATOMIC_BITS
#undef HEDDLE_ATOMIC_COUNTING
#undef HEDDLE_ATOMIC_ARITHMETIC
#undef HEDDLE_ATOMIC_FETCH
#undef HEDDLE_ATOMIC_CORE
} // namespace heddle

template <class __T, thread_scope __Scope = thread_scope_system>
class atomic
    : public heddle::atomic_members<__T, __Scope, heddle::atomic_storage<__T>, heddle::atomic_kind_of<__T>::value>
{
    typedef heddle::atomic_members<__T, __Scope, heddle::atomic_storage<__T>, heddle::atomic_kind_of<__T>::value> base;

  public:
    atomic() noexcept = default;
    HEDDLE_HD constexpr atomic(__T value) noexcept : base(value) {}
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    atomic &operator=(const atomic &) volatile = delete;
    HEDDLE_HD __T operator=(__T value) noexcept
    {
        this->store(value);
        return value;
    }
    HEDDLE_HD __T operator=(__T value) volatile noexcept
    {
        this->store(value);
        return value;
    }
};

template <class __T, thread_scope __Scope = thread_scope_system>
class atomic_ref
    : public heddle::atomic_members<__T, __Scope, heddle::atomic_link<__T>, heddle::atomic_kind_of<__T>::value>
{
    typedef heddle::atomic_members<__T, __Scope, heddle::atomic_link<__T>, heddle::atomic_kind_of<__T>::value> base;

  public:
    static constexpr ::std::size_t required_alignment = heddle::atomic_align<__T>::value;
    HEDDLE_HD explicit atomic_ref(__T &object) noexcept : base(object) {}
    HEDDLE_HD atomic_ref(const atomic_ref &other) noexcept : base(other) {}
    atomic_ref &operator=(const atomic_ref &) = delete;
    HEDDLE_HD __T operator=(__T value) const noexcept
    {
        this->store(value);
        return value;
    }
};

static HEDDLE_HD void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system)
{
    switch (scope) {
    case thread_scope_system:
        return heddle::thread_fence<thread_scope_system>((int)order);
    case thread_scope_device:
        return heddle::thread_fence<thread_scope_device>((int)order);
    case thread_scope_block:
        return heddle::thread_fence<thread_scope_block>((int)order);
    default:
        return heddle::thread_fence<thread_scope_thread>((int)order);
    }
}
static HEDDLE_HD void atomic_signal_fence(memory_order)
{
    __asm__ __volatile__("" : : : "memory");
}

namespace std
{
template <class __T> class atomic : public ::cuda::atomic<__T, thread_scope_system>
{
    typedef ::cuda::atomic<__T, thread_scope_system> base;

  public:
    atomic() noexcept = default;
    HEDDLE_HD constexpr atomic(__T value) noexcept : base(value) {}
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    HEDDLE_HD __T operator=(__T value) noexcept
    {
        this->store(value);
        return value;
    }
    HEDDLE_HD __T operator=(__T value) volatile noexcept
    {
        this->store(value);
        return value;
    }
};
template <class __T> class atomic_ref : public ::cuda::atomic_ref<__T, thread_scope_system>
{
    typedef ::cuda::atomic_ref<__T, thread_scope_system> base;

  public:
    HEDDLE_HD explicit atomic_ref(__T &object) noexcept : base(object) {}
    HEDDLE_HD atomic_ref(const atomic_ref &other) noexcept : base(other) {}
    HEDDLE_HD __T operator=(__T value) const noexcept
    {
        this->store(value);
        return value;
    }
};
template <thread_scope __Scope> class basic_atomic_flag
{
    ::cuda::atomic<unsigned int, __Scope> value_;

  public:
    basic_atomic_flag() noexcept = default;
    HEDDLE_HD constexpr basic_atomic_flag(bool value) noexcept : value_(value) {}
    basic_atomic_flag(const basic_atomic_flag &) = delete;
    basic_atomic_flag &operator=(const basic_atomic_flag &) = delete;
    HEDDLE_HD bool test(memory_order order = memory_order_seq_cst) const volatile noexcept
    {
        return value_.load(order) != 0;
    }
    HEDDLE_HD bool test_and_set(memory_order order = memory_order_seq_cst) volatile noexcept
    {
        return value_.exchange(1, order) != 0;
    }
    HEDDLE_HD void clear(memory_order order = memory_order_seq_cst) volatile noexcept
    {
        value_.store(0, order);
    }
    HEDDLE_HD void wait(bool old, memory_order order = memory_order_seq_cst) const volatile noexcept
    {
        value_.wait(old, order);
    }
    HEDDLE_HD void notify_one() volatile noexcept {}
    HEDDLE_HD void notify_all() volatile noexcept {}
};
typedef basic_atomic_flag<thread_scope_system> atomic_flag;
static HEDDLE_HD void atomic_thread_fence(memory_order order)
{
    ::cuda::atomic_thread_fence(order, thread_scope_system);
}
static HEDDLE_HD void atomic_signal_fence(memory_order order)
{
    ::cuda::atomic_signal_fence(order);
}

#define HEDDLE_ATOMIC_NAME(type, name) typedef atomic<type> name;
HEDDLE_ATOMIC_NAME(bool, atomic_bool)
HEDDLE_ATOMIC_NAME(char, atomic_char)
HEDDLE_ATOMIC_NAME(signed char, atomic_schar)
HEDDLE_ATOMIC_NAME(unsigned char, atomic_uchar)
HEDDLE_ATOMIC_NAME(short, atomic_short)
HEDDLE_ATOMIC_NAME(unsigned short, atomic_ushort)
HEDDLE_ATOMIC_NAME(int, atomic_int)
HEDDLE_ATOMIC_NAME(unsigned int, atomic_uint)
HEDDLE_ATOMIC_NAME(long, atomic_long)
HEDDLE_ATOMIC_NAME(unsigned long, atomic_ulong)
HEDDLE_ATOMIC_NAME(long long, atomic_llong)
HEDDLE_ATOMIC_NAME(unsigned long long, atomic_ullong)
HEDDLE_ATOMIC_NAME(::std::int32_t, atomic_int32_t)
HEDDLE_ATOMIC_NAME(::std::uint32_t, atomic_uint32_t)
HEDDLE_ATOMIC_NAME(::std::int64_t, atomic_int64_t)
HEDDLE_ATOMIC_NAME(::std::uint64_t, atomic_uint64_t)
HEDDLE_ATOMIC_NAME(::std::size_t, atomic_size_t)
HEDDLE_ATOMIC_NAME(::std::ptrdiff_t, atomic_ptrdiff_t)
#undef HEDDLE_ATOMIC_NAME
} // namespace std
} // namespace cuda
#endif
