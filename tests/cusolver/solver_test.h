// SPDX-License-Identifier: Apache-2.0
// What the tests of cuSOLVER share: functions by type, numbers, matrices of the host that results are checked with, memory of the device. The same
// programs are right with NVIDIA's library on a GPU: vectors are checked by residuals and orthogonality, not by their signs.
#ifndef HEDDLE_TEST_CUSOLVER_SOLVER_TEST_H
#define HEDDLE_TEST_CUSOLVER_SOLVER_TEST_H
#include "../library_array.h"
#include "../library_check.h"
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>
#include <cuda_runtime.h>
#include <cusolverDn.h>

#define OK(call) CHECK((call) == CUSOLVER_STATUS_SUCCESS)

typedef double wide;
#include "../library_number.h"

// ---- functions by type: CALL(potrf)(handle, ...); CALL2 where complex ones have another name
#define CALL(name)        pick<T>(cusolverDnS##name, cusolverDnD##name, cusolverDnC##name, cusolverDnZ##name)
#define CALL2(real, name) pick<T>(cusolverDnS##real, cusolverDnD##real, cusolverDnC##name, cusolverDnZ##name)

// ---- numbers
template <class T> double eps()
{
    return std::numeric_limits<typename number<T>::real>::epsilon();
}
template <class T> cudaDataType data_type()
{
    return std::is_same<T, float>::value       ? CUDA_R_32F
           : std::is_same<T, double>::value    ? CUDA_R_64F
           : std::is_same<T, cuComplex>::value ? CUDA_C_32F
                                               : CUDA_C_64F;
}
template <class T> cublasOperation_t adjoint_op()
{
    return number<T>::is_complex ? CUBLAS_OP_C : CUBLAS_OP_T;
}

static unsigned long long random_state = 88172645463325252ull;
static inline double random_unit() // -1 ... 1
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (double)(random_state >> 11) / 4503599627370496.0 - 1.0;
}

// ---- matrices of the host, by columns
struct matrix {
    int64_t m, n;
    std::vector<X> e;
    matrix(int64_t rows, int64_t cols) : m(rows), n(cols), e((size_t)(rows * cols)) {}
    X &operator()(int64_t i, int64_t j)
    {
        return e[(size_t)(i + j * m)];
    }
    X operator()(int64_t i, int64_t j) const
    {
        return e[(size_t)(i + j * m)];
    }
    static matrix unit(int64_t n)
    {
        matrix r(n, n);
        for (int64_t i = 0; i < n; i++)
            r(i, i) = 1;
        return r;
    }
    matrix adjoint() const
    {
        matrix r(n, m);
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < m; i++)
                r(j, i) = std::conj((*this)(i, j));
        return r;
    }
    matrix transpose() const
    {
        matrix r(n, m);
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < m; i++)
                r(j, i) = (*this)(i, j);
        return r;
    }
    matrix columns(int64_t first, int64_t count) const
    {
        matrix r(m, count);
        for (int64_t j = 0; j < count; j++)
            for (int64_t i = 0; i < m; i++)
                r(i, j) = (*this)(i, first + j);
        return r;
    }
    matrix scaled(const std::vector<double> &w) const // columns by numbers
    {
        matrix r = *this;
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < m; i++)
                r(i, j) *= w[(size_t)j];
        return r;
    }
    double norm() const
    {
        double s = 0;
        for (X x : e)
            s += std::norm(x);
        return std::sqrt(s);
    }
};
static inline matrix operator*(const matrix &a, const matrix &b)
{
    matrix c(a.m, b.n);
    for (int64_t j = 0; j < b.n; j++)
        for (int64_t k = 0; k < a.n; k++) { // doubles: quick without an optimiser too
            const double re = b(k, j).real(), im = b(k, j).imag();
            const double *x = (const double *)&a.e[(size_t)(k * a.m)];
            double *y = (double *)&c.e[(size_t)(j * a.m)], *end = y + 2 * a.m;
            for (; y < end; x += 2, y += 2) {
                y[0] += x[0] * re - x[1] * im;
                y[1] += x[0] * im + x[1] * re;
            }
        }
    return c;
}
static inline matrix operator-(const matrix &a, const matrix &b)
{
    matrix c = a;
    for (size_t i = 0; i < c.e.size(); i++)
        c.e[i] -= b.e[i];
    return c;
}
// Numbers that T has.
template <class T> matrix random_matrix(int64_t m, int64_t n)
{
    matrix r(m, n);
    for (X &x : r.e) {
        const double re = random_unit(), im = random_unit();
        x = number<T>::of(number<T>::to(X(re, number<T>::is_complex ? im : 0)));
    }
    return r;
}
template <class T> matrix random_hermitian(int64_t n)
{
    matrix r = random_matrix<T>(n, n);
    for (int64_t j = 0; j < n; j++) {
        r(j, j) = r(j, j).real();
        for (int64_t i = 0; i < j; i++)
            r(i, j) = std::conj(r(j, i));
    }
    return r;
}
template <class T> matrix random_positive(int64_t n)
{
    matrix r = random_hermitian<T>(n);
    for (int64_t i = 0; i < n; i++)
        r(i, i) = number<T>::of(number<T>::to(r(i, i) + 2.0 * (double)n));
    return r;
}
// Whether two matrices are equal but for rounding: so many units in the last place of the norm.
template <class T> bool close(const matrix &a, const matrix &b, double units)
{
    const double d = (a - b).norm(), bound = units * eps<T>() * (b.norm() + 1e-300);
    if (!(d <= bound) && failed < 20)
        printf("difference %g, bound %g\n", d, bound);
    return d <= bound;
}
template <class T> bool orthonormal(const matrix &q, double units)
{
    return close<T>(q.adjoint() * q, matrix::unit(q.n), units);
}

// ---- memory of the device
// A matrix of the device with a leading dimension of its own; what is between its columns must not change.
template <class T> struct device {
    int64_t m, n, ld;
    array<T> a;
    device(int64_t rows, int64_t cols, int64_t more = 3) : m(rows), n(cols), ld(rows + more), a((size_t)(ld * cols))
    {
        put(matrix(rows, cols));
    }
    explicit device(const matrix &x, int64_t more = 3) : device(x.m, x.n, more)
    {
        put(x);
    }
    void put(const matrix &x)
    {
        std::vector<T> v((size_t)(ld * n), number<T>::to(X(77, 0)));
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < m; i++)
                v[(size_t)(i + j * ld)] = number<T>::to(x(i, j));
        a.set(v);
    }
    matrix get()
    {
        std::vector<T> v = a.get();
        matrix r(m, n);
        bool same = true;
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < ld; i++)
                if (i < m)
                    r(i, j) = number<T>::of(v[(size_t)(i + j * ld)]);
                else
                    same = same && number<T>::of(v[(size_t)(i + j * ld)]) == X(77, 0);
        check(same || !on_heddle(), "what lies between columns", __FILE__, __LINE__); // a GPU's library writes there
        return r;
    }
    T *p()
    {
        return a.dev;
    }
    int lda() const
    {
        return (int)ld;
    }
};
template <class R> std::vector<double> doubles(const array<R> &a, size_t n)
{
    std::vector<R> v = a.get();
    return std::vector<double>(v.begin(), v.begin() + (long)n);
}
// The triangle that a factorisation leaves.
static inline matrix triangle(const matrix &a, bool lower, bool unit, int64_t rows, int64_t cols)
{
    matrix r(rows, cols);
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = 0; i < rows; i++)
            if (i == j)
                r(i, j) = unit ? X(1) : a(i, j);
            else if (lower ? i > j : i < j)
                r(i, j) = a(i, j);
    return r;
}
// Only a triangle of the matrix is there; the rest is not a number.
static inline matrix only(const matrix &a, cublasFillMode_t uplo)
{
    matrix r = a;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (int64_t j = 0; j < a.n; j++)
        for (int64_t i = 0; i < a.m; i++)
            if (uplo == CUBLAS_FILL_MODE_LOWER ? i < j : i > j)
                r(i, j) = nan;
    return r;
}
static const cublasFillMode_t FILLS[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
#define FOR_TYPES(function, ...)                                                                                       \
    do {                                                                                                               \
        function<float>(__VA_ARGS__);                                                                                  \
        function<double>(__VA_ARGS__);                                                                                 \
        function<cuComplex>(__VA_ARGS__);                                                                              \
        function<cuDoubleComplex>(__VA_ARGS__);                                                                        \
    } while (0)
#endif
