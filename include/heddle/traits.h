// The few traits that our headers need, so that they stand also where there is no C++ library.
#ifndef HEDDLE_TRAITS_H
#define HEDDLE_TRAITS_H
namespace __heddle_traits
{
template <bool B> struct bool_constant {
    static const bool value = B;
    typedef bool_constant type;
};
typedef bool_constant<true> true_type;
typedef bool_constant<false> false_type;
template <bool B, class T, class F> struct conditional {
    typedef T type;
};
template <class T, class F> struct conditional<false, T, F> {
    typedef F type;
};
template <class T> struct bare { // without reference, const and volatile
    typedef T type;
};
template <class T> struct bare<T &> : bare<T> {
};
template <class T> struct bare<T &&> : bare<T> {
};
template <class T> struct bare<const T> : bare<T> {
};
template <class T> struct bare<volatile T> : bare<T> {
};
template <class T> struct bare<const volatile T> : bare<T> {
};
} // namespace __heddle_traits
#endif
