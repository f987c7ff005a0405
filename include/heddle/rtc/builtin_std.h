// What run-time compilation has of the C++ library without an include: std::move, std::forward, std::initializer_list.
#ifndef HEDDLE_RTC_BUILTIN_STD_H
#define HEDDLE_RTC_BUILTIN_STD_H
#if __cplusplus >= 201103L
namespace std
{
#if !defined(__HEDDLE_RTC_NO_MOVE__)
template <class T> struct __heddle_plain {
    typedef T type;
};
template <class T> struct __heddle_plain<T &> {
    typedef T type;
};
template <class T> struct __heddle_plain<T &&> {
    typedef T type;
};
template <class T> __host__ __device__ constexpr typename __heddle_plain<T>::type &&move(T &&x) noexcept
{
    return static_cast<typename __heddle_plain<T>::type &&>(x);
}
template <class T> __host__ __device__ constexpr T &&forward(typename __heddle_plain<T>::type &x) noexcept
{
    return static_cast<T &&>(x);
}
template <class T> __host__ __device__ constexpr T &&forward(typename __heddle_plain<T>::type &&x) noexcept
{
    return static_cast<T &&>(x);
}
#endif
#if !defined(__HEDDLE_RTC_NO_INITIALIZER_LIST__)
template <class E> class initializer_list
{
    const E *first;
    size_t count;

  public:
    typedef E value_type;
    typedef const E &reference;
    typedef const E &const_reference;
    typedef size_t size_type;
    typedef const E *iterator;
    typedef const E *const_iterator;
    __host__ __device__ constexpr initializer_list() noexcept : first(nullptr), count(0) {}
    __host__ __device__ constexpr size_t size() const noexcept
    {
        return count;
    }
    __host__ __device__ constexpr const E *begin() const noexcept
    {
        return first;
    }
    __host__ __device__ constexpr const E *end() const noexcept
    {
        return first + count;
    }
};
template <class E> __host__ __device__ constexpr const E *begin(initializer_list<E> list) noexcept
{
    return list.begin();
}
template <class E> __host__ __device__ constexpr const E *end(initializer_list<E> list) noexcept
{
    return list.end();
}
#endif
} // namespace std
#endif
#endif
