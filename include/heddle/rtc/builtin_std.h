// SPDX-License-Identifier: Apache-2.0
// What run-time compilation has of the C++ library without an include: std::move, std::forward, std::initializer_list.
#ifndef HEDDLE_RTC_BUILTIN_STD_H
#define HEDDLE_RTC_BUILTIN_STD_H
#if __cplusplus >= 201103L
namespace std
{
#if !defined(__HEDDLE_RTC_NO_MOVE__)
#define __NV_BUILTIN_MOVE_FORWARD 1 // what libraries ask
template <class __T> struct __heddle_plain {
    typedef __T type;
};
template <class __T> struct __heddle_plain<__T &> {
    typedef __T type;
};
template <class __T> struct __heddle_plain<__T &&> {
    typedef __T type;
};
template <class __T> __host__ __device__ constexpr typename __heddle_plain<__T>::type &&move(__T &&x) noexcept
{
    return static_cast<typename __heddle_plain<__T>::type &&>(x);
}
template <class __T> __host__ __device__ constexpr __T &&forward(typename __heddle_plain<__T>::type &x) noexcept
{
    return static_cast<__T &&>(x);
}
template <class __T> __host__ __device__ constexpr __T &&forward(typename __heddle_plain<__T>::type &&x) noexcept
{
    return static_cast<__T &&>(x);
}
#endif
#if !defined(__HEDDLE_RTC_NO_INITIALIZER_LIST__)
#define __NV_BUILTIN_INITIALIZER_LIST 1
template <class __E> class initializer_list
{
    const __E *first;
    size_t count;

  public:
    typedef __E value_type;
    typedef const __E &reference;
    typedef const __E &const_reference;
    typedef size_t size_type;
    typedef const __E *iterator;
    typedef const __E *const_iterator;
    __host__ __device__ constexpr initializer_list() noexcept : first(nullptr), count(0) {}
    __host__ __device__ constexpr size_t size() const noexcept
    {
        return count;
    }
    __host__ __device__ constexpr const __E *begin() const noexcept
    {
        return first;
    }
    __host__ __device__ constexpr const __E *end() const noexcept
    {
        return first + count;
    }
};
template <class __E> __host__ __device__ constexpr const __E *begin(initializer_list<__E> list) noexcept
{
    return list.begin();
}
template <class __E> __host__ __device__ constexpr const __E *end(initializer_list<__E> list) noexcept
{
    return list.end();
}
#endif
} // namespace std
#endif
#endif
