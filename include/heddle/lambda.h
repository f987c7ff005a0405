// SPDX-License-Identifier: Apache-2.0
// What kind of lambda a type belongs to. clang has one kind: `[] __device__ {}` is a class whose call operator is for the
// device, as written, and its return type is known on both sides. A call of it outside functions, where the host's rules
// hold, is then none that overload resolution finds. That a class is a lambda's at all is in its name.
#ifndef HEDDLE_LAMBDA_H
#define HEDDLE_LAMBDA_H
#include "heddle/traits.h"
namespace __heddle_lambda
{
template <class __T> __T &&value() noexcept;

constexpr bool begins(const char *text, const char *with)
{
    return !*with || (*text == *with && begins(text + 1, with + 1));
}
// Behind the first "T = ", which ends with the text.
constexpr const char *argument(const char *text)
{
    return !*text ? text : begins(text, "T = ") ? text + 4 : argument(text + 1);
}
template <class __T> constexpr bool is_lambda()
{
    return begins(argument(__PRETTY_FUNCTION__), "(lambda at ");
}

// The class without the conversion to a pointer, which a call may go through as well.
template <class __F, class __P_> struct direct : __F {
    operator __P_() const = delete;
};
template <class __F, class... __A> struct on_host {
    template <class __G> static __heddle_traits::true_type test(decltype((void)value<__G &>()(value<__A>()...), 0));
    template <class __G> static __heddle_traits::false_type test(...);
    static constexpr bool __is = decltype(test<__F>(0))::value;
};
template <class __F, class __P_> struct device_only : __heddle_traits::false_type {
};
#define HEDDLE_OPERATOR(qualifiers, exception)                                                                         \
    template <class __F, class __R, class... __A>                                                                      \
    struct device_only<__F, __R (__F::*)(__A...) qualifiers exception>                                                 \
        : __heddle_traits::bool_constant<!on_host<direct<__F, __R (*)(__A...) exception>, __A...>::__is> {             \
    };
HEDDLE_OPERATOR(, )
HEDDLE_OPERATOR(const, )
#if __cplusplus >= 201703L
HEDDLE_OPERATOR(, noexcept)
HEDDLE_OPERATOR(const, noexcept)
#endif
#undef HEDDLE_OPERATOR

// One that takes parameters of any type has no operator to look at: it counts as none.
template <class __F, bool __Is> struct look {
    static constexpr bool device = false;
};
template <class __F> struct look<__F, true> {
    template <class __G> static device_only<__G, decltype(&__G::operator())> test(int);
    template <class __G> static __heddle_traits::false_type test(...);
    static constexpr bool device = decltype(test<__F>(0))::value;
};
template <class __T> struct bare {
    typedef __T type;
};
template <class __T> struct bare<const __T> {
    typedef __T type;
};
template <class __T> struct __of : look<typename bare<__T>::type, is_lambda<typename bare<__T>::type>()> {
};
} // namespace __heddle_lambda

#define __nv_is_extended_device_lambda_closure_type(__T)               (__heddle_lambda::__of<__T>::device)
#define __nv_is_extended_device_lambda_with_preserved_return_type(__T) (__heddle_lambda::__of<__T>::device)
#endif
