// SPDX-License-Identifier: Apache-2.0
// The four types of numbers of BLAS and LAPACK, for templates. Who includes it has said what references compute in: wide.
#ifndef HEDDLE_TEST_LIBRARY_NUMBER_H
#define HEDDLE_TEST_LIBRARY_NUMBER_H
#include <complex>
#include <cuComplex.h>
#include <type_traits>

// The function for type T.
template <class T, class A, class B, class C, class D> constexpr auto pick(A a, B b, C c, D d)
{
    if constexpr (std::is_same<T, float>::value)
        return a;
    else if constexpr (std::is_same<T, double>::value)
        return b;
    else if constexpr (std::is_same<T, cuComplex>::value)
        return c;
    else
        return d;
}
typedef std::complex<wide> X;
template <class T> struct number {
    typedef T real;
    static const bool is_complex = false;
    static X of(T t)
    {
        return X(t);
    }
    static T to(X x)
    {
        return (T)x.real();
    }
};
template <> struct number<cuComplex> {
    typedef float real;
    static const bool is_complex = true;
    static X of(cuComplex t)
    {
        return X(t.x, t.y);
    }
    static cuComplex to(X x)
    {
        return make_cuComplex((float)x.real(), (float)x.imag());
    }
};
template <> struct number<cuDoubleComplex> {
    typedef double real;
    static const bool is_complex = true;
    static X of(cuDoubleComplex t)
    {
        return X(t.x, t.y);
    }
    static cuDoubleComplex to(X x)
    {
        return make_cuDoubleComplex((double)x.real(), (double)x.imag());
    }
};
#endif
