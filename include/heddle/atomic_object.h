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
template <class T>
struct atomic_kind_of
    : ::std::integral_constant<atomic_kind, ::std::is_integral<T>::value && !::std::is_same<T, bool>::value
                                                ? kind_integer
                                            : ::std::is_floating_point<T>::value ? kind_float
                                            : ::std::is_pointer<T>::value        ? kind_pointer
                                                                                 : kind_other> {
};
// The alignment that makes one access of an object.
template <class T> struct atomic_align {
    static constexpr ::std::size_t
        value = sizeof(T) <= 8 && (sizeof(T) & (sizeof(T) - 1)) == 0 && sizeof(T) > alignof(T) ? sizeof(T) : alignof(T);
};

#define HEDDLE_ATOMIC_CORE(Q)                                                                                          \
    typedef T value_type;                                                                                              \
    static constexpr bool is_always_lock_free = sizeof(T) <= 8;                                                        \
    HEDDLE_HD bool is_lock_free() const volatile noexcept                                                              \
    {                                                                                                                  \
        return is_always_lock_free;                                                                                    \
    }                                                                                                                  \
    HEDDLE_HD T load(memory_order order = memory_order_seq_cst) const volatile noexcept                                \
    {                                                                                                                  \
        return operations::load(address(), (int)order);                                                                \
    }                                                                                                                  \
    HEDDLE_HD operator T() const volatile noexcept                                                                     \
    {                                                                                                                  \
        return load();                                                                                                 \
    }                                                                                                                  \
    HEDDLE_HD void store(T value, memory_order order = memory_order_seq_cst) Q noexcept                                \
    {                                                                                                                  \
        operations::store(address(), value, (int)order);                                                               \
    }                                                                                                                  \
    HEDDLE_HD T exchange(T value, memory_order order = memory_order_seq_cst) Q noexcept                                \
    {                                                                                                                  \
        return operations::exchange(address(), value, (int)order);                                                     \
    }                                                                                                                  \
    HEDDLE_HD bool compare_exchange_weak(T &expected, T desired, memory_order success, memory_order failure)           \
        Q noexcept                                                                                                     \
    {                                                                                                                  \
        return operations::compare_exchange(address(), expected, desired, true, (int)success, (int)failure);           \
    }                                                                                                                  \
    HEDDLE_HD bool compare_exchange_weak(T &expected, T desired, memory_order order = memory_order_seq_cst) Q noexcept \
    {                                                                                                                  \
        return operations::compare_exchange(address(), expected, desired, true, (int)order, load_order((int)order));   \
    }                                                                                                                  \
    HEDDLE_HD bool compare_exchange_strong(T &expected, T desired, memory_order success, memory_order failure)         \
        Q noexcept                                                                                                     \
    {                                                                                                                  \
        return operations::compare_exchange(address(), expected, desired, false, (int)success, (int)failure);          \
    }                                                                                                                  \
    HEDDLE_HD bool compare_exchange_strong(T &expected, T desired, memory_order order = memory_order_seq_cst)          \
        Q noexcept                                                                                                     \
    {                                                                                                                  \
        return operations::compare_exchange(address(), expected, desired, false, (int)order, load_order((int)order));  \
    }                                                                                                                  \
    HEDDLE_HD void wait(T old, memory_order order = memory_order_seq_cst) const volatile noexcept                      \
    {                                                                                                                  \
        operations::wait(address(), old, (int)order);                                                                  \
    }                                                                                                                  \
    HEDDLE_HD void notify_one() Q noexcept {}                                                                          \
    HEDDLE_HD void notify_all() Q noexcept {}

#define HEDDLE_ATOMIC_FETCH(Q, name)                                                                                   \
    HEDDLE_HD T name(T value, memory_order order = memory_order_seq_cst) Q noexcept                                    \
    {                                                                                                                  \
        return operations::name(address(), value, (int)order, ::std::is_integral<T>());                                \
    }
#define HEDDLE_ATOMIC_ARITHMETIC(Q)                                                                                    \
    HEDDLE_ATOMIC_FETCH(Q, fetch_add)                                                                                  \
    HEDDLE_ATOMIC_FETCH(Q, fetch_sub)                                                                                  \
    HEDDLE_ATOMIC_FETCH(Q, fetch_min)                                                                                  \
    HEDDLE_ATOMIC_FETCH(Q, fetch_max)                                                                                  \
    HEDDLE_HD T operator+=(T value) Q noexcept                                                                         \
    {                                                                                                                  \
        return fetch_add(value) + value;                                                                               \
    }                                                                                                                  \
    HEDDLE_HD T operator-=(T value) Q noexcept                                                                         \
    {                                                                                                                  \
        return fetch_sub(value) - value;                                                                               \
    }
#define HEDDLE_ATOMIC_COUNTING(Q)                                                                                      \
    HEDDLE_HD T operator++(int) Q noexcept                                                                             \
    {                                                                                                                  \
        return fetch_add(1);                                                                                           \
    }                                                                                                                  \
    HEDDLE_HD T operator--(int) Q noexcept                                                                             \
    {                                                                                                                  \
        return fetch_sub(1);                                                                                           \
    }                                                                                                                  \
    HEDDLE_HD T operator++() Q noexcept                                                                                \
    {                                                                                                                  \
        return fetch_add(1) + 1;                                                                                       \
    }                                                                                                                  \
    HEDDLE_HD T operator--() Q noexcept                                                                                \
    {                                                                                                                  \
        return fetch_sub(1) - 1;                                                                                       \
    }
#define HEDDLE_ATOMIC_BITS(Q)                                                                                          \
    HEDDLE_ATOMIC_FETCH(Q, fetch_and)                                                                                  \
    HEDDLE_ATOMIC_FETCH(Q, fetch_or)                                                                                   \
    HEDDLE_ATOMIC_FETCH(Q, fetch_xor)                                                                                  \
    HEDDLE_HD T operator&=(T value) Q noexcept                                                                         \
    {                                                                                                                  \
        return fetch_and(value) & value;                                                                               \
    }                                                                                                                  \
    HEDDLE_HD T operator|=(T value) Q noexcept                                                                         \
    {                                                                                                                  \
        return fetch_or(value) | value;                                                                                \
    }                                                                                                                  \
    HEDDLE_HD T operator^=(T value) Q noexcept                                                                         \
    {                                                                                                                  \
        return fetch_xor(value) ^ value;                                                                               \
    }
// A pointer moves by elements.
#define HEDDLE_ATOMIC_POINTER(Q)                                                                                       \
    HEDDLE_HD T fetch_add(::std::ptrdiff_t n, memory_order order = memory_order_seq_cst) Q noexcept                    \
    {                                                                                                                  \
        typedef atomic_operations<unsigned long long, Scope> numbers;                                                  \
        unsigned long long bytes = (unsigned long long)n * sizeof(*T());                                               \
        return (T)numbers::fetch_add((volatile unsigned long long *)address(), bytes, (int)order, ::std::true_type()); \
    }                                                                                                                  \
    HEDDLE_HD T fetch_sub(::std::ptrdiff_t n, memory_order order = memory_order_seq_cst) Q noexcept                    \
    {                                                                                                                  \
        return fetch_add(-n, order);                                                                                   \
    }                                                                                                                  \
    HEDDLE_HD T operator+=(::std::ptrdiff_t n) Q noexcept                                                              \
    {                                                                                                                  \
        return fetch_add(n) + n;                                                                                       \
    }                                                                                                                  \
    HEDDLE_HD T operator-=(::std::ptrdiff_t n) Q noexcept                                                              \
    {                                                                                                                  \
        return fetch_sub(n) - n;                                                                                       \
    }

// Where the value lies.
template <class T> class atomic_storage
{
    alignas(atomic_align<T>::value) T value_;

  public:
    atomic_storage() noexcept = default;
    HEDDLE_HD constexpr explicit atomic_storage(T value) noexcept : value_(value) {}

  protected:
    HEDDLE_HD T *address() const volatile noexcept
    {
        return const_cast<T *>(&value_);
    }
};
template <class T> class atomic_link
{
    T *at_;

  public:
    HEDDLE_HD explicit atomic_link(T &object) noexcept : at_(&object) {}
    HEDDLE_HD atomic_link(const atomic_link &other) noexcept : at_(other.at_) {}

  protected:
    HEDDLE_HD T *address() const volatile noexcept
    {
        return at_;
    }
};

template <class T, thread_scope Scope, class Place, atomic_kind Kind> class atomic_members;
#define HEDDLE_ATOMIC_CLASS(place, kind, ...)                                                                          \
    template <class T, thread_scope Scope> class atomic_members<T, Scope, place<T>, kind> : public place<T>            \
    {                                                                                                                  \
        typedef atomic_operations<T, Scope> operations;                                                                \
        using place<T>::address;                                                                                       \
                                                                                                                       \
      public:                                                                                                          \
        using place<T>::place;                                                                                         \
        __VA_ARGS__                                                                                                    \
    };
#define HEDDLE_ATOMIC_CLASSES(place, Q)                                                                                \
    HEDDLE_ATOMIC_CLASS(place, kind_other, HEDDLE_ATOMIC_CORE(Q))                                                      \
    HEDDLE_ATOMIC_CLASS(place, kind_float, HEDDLE_ATOMIC_CORE(Q) HEDDLE_ATOMIC_ARITHMETIC(Q))                          \
    HEDDLE_ATOMIC_CLASS(place, kind_pointer, HEDDLE_ATOMIC_CORE(Q) HEDDLE_ATOMIC_POINTER(Q) HEDDLE_ATOMIC_COUNTING(Q)) \
    HEDDLE_ATOMIC_CLASS(place, kind_integer,                                                                           \
                        HEDDLE_ATOMIC_CORE(Q) HEDDLE_ATOMIC_ARITHMETIC(Q) HEDDLE_ATOMIC_COUNTING(Q)                    \
                            HEDDLE_ATOMIC_BITS(Q))

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

template <class T, thread_scope Scope = thread_scope_system>
class atomic : public heddle::atomic_members<T, Scope, heddle::atomic_storage<T>, heddle::atomic_kind_of<T>::value>
{
    typedef heddle::atomic_members<T, Scope, heddle::atomic_storage<T>, heddle::atomic_kind_of<T>::value> base;

  public:
    atomic() noexcept = default;
    HEDDLE_HD constexpr atomic(T value) noexcept : base(value) {}
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    atomic &operator=(const atomic &) volatile = delete;
    HEDDLE_HD T operator=(T value) noexcept
    {
        this->store(value);
        return value;
    }
    HEDDLE_HD T operator=(T value) volatile noexcept
    {
        this->store(value);
        return value;
    }
};

template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : public heddle::atomic_members<T, Scope, heddle::atomic_link<T>, heddle::atomic_kind_of<T>::value>
{
    typedef heddle::atomic_members<T, Scope, heddle::atomic_link<T>, heddle::atomic_kind_of<T>::value> base;

  public:
    static constexpr ::std::size_t required_alignment = heddle::atomic_align<T>::value;
    HEDDLE_HD explicit atomic_ref(T &object) noexcept : base(object) {}
    HEDDLE_HD atomic_ref(const atomic_ref &other) noexcept : base(other) {}
    atomic_ref &operator=(const atomic_ref &) = delete;
    HEDDLE_HD T operator=(T value) const noexcept
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
template <class T> class atomic : public ::cuda::atomic<T, thread_scope_system>
{
    typedef ::cuda::atomic<T, thread_scope_system> base;

  public:
    atomic() noexcept = default;
    HEDDLE_HD constexpr atomic(T value) noexcept : base(value) {}
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    HEDDLE_HD T operator=(T value) noexcept
    {
        this->store(value);
        return value;
    }
    HEDDLE_HD T operator=(T value) volatile noexcept
    {
        this->store(value);
        return value;
    }
};
template <class T> class atomic_ref : public ::cuda::atomic_ref<T, thread_scope_system>
{
    typedef ::cuda::atomic_ref<T, thread_scope_system> base;

  public:
    HEDDLE_HD explicit atomic_ref(T &object) noexcept : base(object) {}
    HEDDLE_HD atomic_ref(const atomic_ref &other) noexcept : base(other) {}
    HEDDLE_HD T operator=(T value) const noexcept
    {
        this->store(value);
        return value;
    }
};
template <thread_scope Scope> class basic_atomic_flag
{
    ::cuda::atomic<unsigned int, Scope> value_;

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
