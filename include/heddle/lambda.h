// What kind of lambda a type belongs to. clang has one kind: `[] __device__ {}` is a class whose call operator is for the
// device, as written, and its return type is known on both sides. A call of it outside functions, where the host's rules
// hold, is then none that overload resolution finds. That a class is a lambda's at all is in its name.
#ifndef HEDDLE_LAMBDA_H
#define HEDDLE_LAMBDA_H
#include "heddle/traits.h"
namespace __heddle_lambda
{
template <class T> T &&value() noexcept;

constexpr bool begins(const char *text, const char *with)
{
    return !*with || (*text == *with && begins(text + 1, with + 1));
}
// Behind the first "T = ", which ends with the text.
constexpr const char *argument(const char *text)
{
    return !*text ? text : begins(text, "T = ") ? text + 4 : argument(text + 1);
}
template <class T> constexpr bool is_lambda()
{
    return begins(argument(__PRETTY_FUNCTION__), "(lambda at ");
}

// The class without the conversion to a pointer, which a call may go through as well.
template <class F, class P> struct direct : F {
    operator P() const = delete;
};
template <class F, class... A> struct on_host {
    template <class G> static __heddle_traits::true_type test(decltype((void)value<G &>()(value<A>()...), 0));
    template <class G> static __heddle_traits::false_type test(...);
    static constexpr bool is = decltype(test<F>(0))::value;
};
template <class F, class P> struct device_only : __heddle_traits::false_type {
};
#define HEDDLE_OPERATOR(qualifiers, exception)                                              \
    template <class F, class R, class... A>                                                 \
    struct device_only<F, R (F::*)(A...) qualifiers exception>                              \
        : __heddle_traits::bool_constant<!on_host<direct<F, R (*)(A...) exception>, A...>::is> { \
    };
HEDDLE_OPERATOR(, )
HEDDLE_OPERATOR(const, )
#if __cplusplus >= 201703L
HEDDLE_OPERATOR(, noexcept)
HEDDLE_OPERATOR(const, noexcept)
#endif
#undef HEDDLE_OPERATOR

// One that takes parameters of any type has no operator to look at: it counts as none.
template <class F, bool Is> struct look {
    static constexpr bool device = false;
};
template <class F> struct look<F, true> {
    template <class G> static device_only<G, decltype(&G::operator())> test(int);
    template <class G> static __heddle_traits::false_type test(...);
    static constexpr bool device = decltype(test<F>(0))::value;
};
template <class T> struct bare {
    typedef T type;
};
template <class T> struct bare<const T> {
    typedef T type;
};
template <class T> struct of : look<typename bare<T>::type, is_lambda<typename bare<T>::type>()> {
};
} // namespace __heddle_lambda

#define __nv_is_extended_device_lambda_closure_type(T)               (__heddle_lambda::of<T>::device)
#define __nv_is_extended_device_lambda_with_preserved_return_type(T) (__heddle_lambda::of<T>::device)
#endif
