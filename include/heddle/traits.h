// SPDX-License-Identifier: Apache-2.0
// The few traits that our headers need, so that they stand also where there is no C++ library.
#ifndef HEDDLE_TRAITS_H
#define HEDDLE_TRAITS_H
namespace __heddle_traits
{
template <bool __B> struct bool_constant {
    static const bool value = __B;
    typedef bool_constant type;
};
typedef bool_constant<true> true_type;
typedef bool_constant<false> false_type;
template <bool __B, class __T, class __F> struct conditional {
    typedef __T type;
};
template <class __T, class __F> struct conditional<false, __T, __F> {
    typedef __F type;
};
template <class __T> struct bare { // without reference, const and volatile
    typedef __T type;
};
template <class __T> struct bare<__T &> : bare<__T> {
};
template <class __T> struct bare<__T &&> : bare<__T> {
};
template <class __T> struct bare<const __T> : bare<__T> {
};
template <class __T> struct bare<volatile __T> : bare<__T> {
};
template <class __T> struct bare<const volatile __T> : bare<__T> {
};
} // namespace __heddle_traits
#endif
