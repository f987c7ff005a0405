// SPDX-License-Identifier: Apache-2.0
// What cuda::std has where there is no C++ library: <cuda/std/cstdint>, <cstddef>, <type_traits> and <utility>, over
// clang's built-in traits.
#ifndef HEDDLE_RTC_CUDA_STD_H
#define HEDDLE_RTC_CUDA_STD_H
namespace cuda
{
namespace std
{
typedef __INT8_TYPE__ int8_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __INT_LEAST8_TYPE__ int_least8_t;
typedef __UINT_LEAST8_TYPE__ uint_least8_t;
typedef __INT_FAST8_TYPE__ int_fast8_t;
typedef __UINT_FAST8_TYPE__ uint_fast8_t;
typedef __INT16_TYPE__ int16_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __INT_LEAST16_TYPE__ int_least16_t;
typedef __UINT_LEAST16_TYPE__ uint_least16_t;
typedef __INT_FAST16_TYPE__ int_fast16_t;
typedef __UINT_FAST16_TYPE__ uint_fast16_t;
typedef __INT32_TYPE__ int32_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __INT_LEAST32_TYPE__ int_least32_t;
typedef __UINT_LEAST32_TYPE__ uint_least32_t;
typedef __INT_FAST32_TYPE__ int_fast32_t;
typedef __UINT_FAST32_TYPE__ uint_fast32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __INT_LEAST64_TYPE__ int_least64_t;
typedef __UINT_LEAST64_TYPE__ uint_least64_t;
typedef __INT_FAST64_TYPE__ int_fast64_t;
typedef __UINT_FAST64_TYPE__ uint_fast64_t;
typedef __INTMAX_TYPE__ intmax_t;
typedef __UINTMAX_TYPE__ uintmax_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef decltype(nullptr) nullptr_t;
#if __cplusplus >= 201703L
enum class byte : unsigned char {};
#endif

template <class __T, __T __V> struct integral_constant {
    static constexpr __T value = __V;
    typedef __T value_type;
    typedef integral_constant type;
    __host__ __device__ constexpr operator __T() const noexcept
    {
        return __V;
    }
    __host__ __device__ constexpr __T operator()() const noexcept
    {
        return __V;
    }
};
template <bool __B> using bool_constant = integral_constant<bool, __B>;
typedef bool_constant<true> true_type;
typedef bool_constant<false> false_type;
template <bool __B, class __T, class __F> struct conditional {
    typedef __T type;
};
template <class __T, class __F> struct conditional<false, __T, __F> {
    typedef __F type;
};
template <bool __B, class __T, class __F> using conditional_t = typename conditional<__B, __T, __F>::type;
template <bool __B, class __T = void> struct enable_if {
};
template <class __T> struct enable_if<true, __T> {
    typedef __T type;
};
template <bool __B, class __T = void> using enable_if_t = typename enable_if<__B, __T>::type;
template <class... __T> struct __heddle_void {
    typedef void type;
};
template <class... __T> using void_t = typename __heddle_void<__T...>::type;
template <class __T> struct type_identity {
    typedef __T type;
};
template <class __T> using type_identity_t = typename type_identity<__T>::type;

#if __cplusplus >= 201703L
#define HEDDLE_TRAIT_VALUE(name, parameters, arguments)                                                                \
    template <parameters> inline constexpr bool name##_v = name<arguments>::value;
#else
#define HEDDLE_TRAIT_VALUE(name, parameters, arguments)
#endif
#define HEDDLE_TRAIT(name)                                                                                             \
    template <class __T> struct name : bool_constant<__##name(__T)> {                                                  \
    };                                                                                                                 \
    HEDDLE_TRAIT_VALUE(name, class __T, __T)
#define HEDDLE_TRAIT_PAIR(name, builtin)                                                                               \
    template <class __T, class __U> struct name : bool_constant<builtin(__T, __U)> {                                   \
    };                                                                                                                 \
    template <class __T, class __U> HEDDLE_TRAIT_PAIR_VALUE(name)
#if __cplusplus >= 201703L
#define HEDDLE_TRAIT_PAIR_VALUE(name) inline constexpr bool name##_v = name<__T, __U>::value;
#else
#define HEDDLE_TRAIT_PAIR_VALUE(name) struct __heddle_no_##name;
#endif
HEDDLE_TRAIT(is_abstract)
HEDDLE_TRAIT(is_aggregate)
HEDDLE_TRAIT(is_arithmetic)
HEDDLE_TRAIT(is_array)
HEDDLE_TRAIT(is_class)
HEDDLE_TRAIT(is_compound)
HEDDLE_TRAIT(is_const)
HEDDLE_TRAIT(is_empty)
HEDDLE_TRAIT(is_enum)
HEDDLE_TRAIT(is_final)
HEDDLE_TRAIT(is_floating_point)
HEDDLE_TRAIT(is_function)
HEDDLE_TRAIT(is_fundamental)
HEDDLE_TRAIT(is_integral)
HEDDLE_TRAIT(is_literal_type)
HEDDLE_TRAIT(is_lvalue_reference)
HEDDLE_TRAIT(is_member_pointer)
HEDDLE_TRAIT(is_object)
HEDDLE_TRAIT(is_pointer)
HEDDLE_TRAIT(is_polymorphic)
HEDDLE_TRAIT(is_reference)
HEDDLE_TRAIT(is_rvalue_reference)
HEDDLE_TRAIT(is_scalar)
HEDDLE_TRAIT(is_signed)
HEDDLE_TRAIT(is_standard_layout)
HEDDLE_TRAIT(is_trivial)
HEDDLE_TRAIT(is_trivially_copyable)
HEDDLE_TRAIT(is_union)
HEDDLE_TRAIT(is_unsigned)
HEDDLE_TRAIT(is_void)
HEDDLE_TRAIT(is_volatile)
HEDDLE_TRAIT_PAIR(is_same, __is_same)
HEDDLE_TRAIT_PAIR(is_base_of, __is_base_of)
HEDDLE_TRAIT_PAIR(is_convertible, __is_convertible)
HEDDLE_TRAIT_PAIR(is_assignable, __is_assignable)
HEDDLE_TRAIT_PAIR(is_trivially_assignable, __is_trivially_assignable)
#undef HEDDLE_TRAIT
#undef HEDDLE_TRAIT_PAIR
#undef HEDDLE_TRAIT_PAIR_VALUE
#undef HEDDLE_TRAIT_VALUE
template <class __T, class... __A> struct is_constructible : bool_constant<__is_constructible(__T, __A...)> {
};
template <class __T, class... __A>
struct is_trivially_constructible : bool_constant<__is_trivially_constructible(__T, __A...)> {
};
template <class __T> struct is_trivially_destructible : bool_constant<__is_trivially_destructible(__T)> {
};
template <class __T> struct is_default_constructible : is_constructible<__T> {
};
template <class __T> struct alignment_of : integral_constant<size_t, alignof(__T)> {
};

#define HEDDLE_CHANGE(name, pattern, result)                                                                           \
    template <class __T> struct name {                                                                                 \
        typedef __T type;                                                                                              \
    };                                                                                                                 \
    template <class __T> struct name<pattern> {                                                                        \
        typedef result type;                                                                                           \
    };                                                                                                                 \
    template <class __T> using name##_t = typename name<__T>::type;
HEDDLE_CHANGE(remove_const, const __T, __T)
HEDDLE_CHANGE(remove_volatile, volatile __T, __T)
HEDDLE_CHANGE(remove_extent, __T[], __T)
#undef HEDDLE_CHANGE
template <class __T, size_t __N> struct remove_extent<__T[__N]> {
    typedef __T type;
};
#define HEDDLE_CHANGE(name, builtin)                                                                                   \
    template <class __T> struct name {                                                                                 \
        typedef builtin(__T) type;                                                                                     \
    };                                                                                                                 \
    template <class __T> using name##_t = typename name<__T>::type;
HEDDLE_CHANGE(remove_cv, __remove_cv)
HEDDLE_CHANGE(remove_reference, __remove_reference_t)
HEDDLE_CHANGE(remove_cvref, __remove_cvref)
HEDDLE_CHANGE(remove_pointer, __remove_pointer)
HEDDLE_CHANGE(add_pointer, __add_pointer)
HEDDLE_CHANGE(add_lvalue_reference, __add_lvalue_reference)
HEDDLE_CHANGE(add_rvalue_reference, __add_rvalue_reference)
HEDDLE_CHANGE(decay, __decay)
HEDDLE_CHANGE(make_signed, __make_signed)
HEDDLE_CHANGE(make_unsigned, __make_unsigned)
HEDDLE_CHANGE(underlying_type, __underlying_type)
#undef HEDDLE_CHANGE
template <class __T> struct add_const {
    typedef const __T type;
};
template <class __T> using add_const_t = const __T;

template <class __T> typename add_rvalue_reference<__T>::type declval() noexcept;
template <class __T> __host__ __device__ constexpr remove_reference_t<__T> &&move(__T &&x) noexcept
{
    return static_cast<remove_reference_t<__T> &&>(x);
}
template <class __T> __host__ __device__ constexpr __T &&forward(remove_reference_t<__T> &x) noexcept
{
    return static_cast<__T &&>(x);
}
template <class __T> __host__ __device__ constexpr __T &&forward(remove_reference_t<__T> &&x) noexcept
{
    return static_cast<__T &&>(x);
}
template <class __A, class __B> struct pair {
    typedef __A first_type;
    typedef __B second_type;
    __A first;
    __B second;
    __host__ __device__ constexpr pair() : first(), second() {}
    __host__ __device__ constexpr pair(const __A &__a, const __B &__b) : first(__a), second(__b) {}
    template <class __C, class __D>
    __host__ __device__ constexpr pair(const pair<__C, __D> &other) : first(other.first), second(other.second)
    {
    }
};
template <class __A, class __B>
__host__ __device__ constexpr pair<decay_t<__A>, decay_t<__B>> make_pair(__A &&__a, __B &&__b)
{
    return pair<decay_t<__A>, decay_t<__B>>(__a, __b);
}
template <class __A, class __B>
__host__ __device__ constexpr bool operator==(const pair<__A, __B> &x, const pair<__A, __B> &y)
{
    return x.first == y.first && x.second == y.second;
}
template <class __A, class __B>
__host__ __device__ constexpr bool operator<(const pair<__A, __B> &x, const pair<__A, __B> &y)
{
    return x.first < y.first || (!(y.first < x.first) && x.second < y.second);
}
template <class __T, __T... __I> struct integer_sequence {
    typedef __T value_type;
    __host__ __device__ static constexpr size_t size() noexcept
    {
        return sizeof...(__I);
    }
};
template <size_t... __I> using index_sequence = integer_sequence<size_t, __I...>;
template <class __T, __T __N> using make_integer_sequence = __make_integer_seq<integer_sequence, __T, __N>;
template <size_t __N> using make_index_sequence = make_integer_sequence<size_t, __N>;
} // namespace std
} // namespace cuda
#endif
