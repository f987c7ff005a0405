// SPDX-License-Identifier: Apache-2.0
// What the tests of cuSPARSE share: numbers of all types, device arrays, sparse matrices in all formats beside a dense reference, and
// checks. The same programs are right with NVIDIA's library on a GPU.
#ifndef HEDDLE_TEST_CUSPARSE_SPARSE_TEST_H
#define HEDDLE_TEST_CUSPARSE_SPARSE_TEST_H
#include "../library_array.h"
#include "../library_check.h"
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <vector>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cusparse.h>

#define OK(call) WANT(call, CUSPARSE_STATUS_SUCCESS)
// Refused for what it asks for: as a bad argument, or as not supported. Which of both is not documented.
static inline bool refused(cusparseStatus_t s)
{
    return s == CUSPARSE_STATUS_INVALID_VALUE || s == CUSPARSE_STATUS_NOT_SUPPORTED;
}
#define REFUSED(call) CHECK(refused(call))

// ---- numbers. X is what references compute in. Values are small integers over 4, so that few of the sums are rounded.
typedef std::complex<double> X;
typedef std::complex<float> C;
typedef std::complex<double> Z;
struct half_complex {
    __half re, im;
};
template <class T> struct number {
    static T of(X x)
    {
        return (T)x.real();
    }
    static X to(T t)
    {
        return X((double)t, 0);
    }
    static const bool complex = false;
};
template <> struct number<__half> {
    static __half of(X x)
    {
        return __float2half((float)x.real());
    }
    static X to(__half t)
    {
        return X(__half2float(t), 0);
    }
    static const bool complex = false;
};
template <> struct number<__nv_bfloat16> {
    static __nv_bfloat16 of(X x)
    {
        return __float2bfloat16((float)x.real());
    }
    static X to(__nv_bfloat16 t)
    {
        return X(__bfloat162float(t), 0);
    }
    static const bool complex = false;
};
template <> struct number<C> {
    static C of(X x)
    {
        return C((float)x.real(), (float)x.imag());
    }
    static X to(C t)
    {
        return X(t.real(), t.imag());
    }
    static const bool complex = true;
};
template <> struct number<Z> {
    static Z of(X x)
    {
        return x;
    }
    static X to(Z t)
    {
        return t;
    }
    static const bool complex = true;
};
template <> struct number<half_complex> {
    static half_complex of(X x)
    {
        return {__float2half((float)x.real()), __float2half((float)x.imag())};
    }
    static X to(half_complex t)
    {
        return X(__half2float(t.re), __half2float(t.im));
    }
    static const bool complex = true;
};
template <class T> cudaDataType type_of()
{
    return std::is_same<T, float>::value           ? CUDA_R_32F
           : std::is_same<T, double>::value        ? CUDA_R_64F
           : std::is_same<T, C>::value             ? CUDA_C_32F
           : std::is_same<T, Z>::value             ? CUDA_C_64F
           : std::is_same<T, __half>::value        ? CUDA_R_16F
           : std::is_same<T, __nv_bfloat16>::value ? CUDA_R_16BF
           : std::is_same<T, half_complex>::value  ? CUDA_C_16F
           : std::is_same<T, int8_t>::value        ? CUDA_R_8I
                                                   : CUDA_R_32I;
}
template <class T> double bound()
{
    return std::is_same<T, double>::value || std::is_same<T, Z>::value ? 1e-12
           : std::is_same<T, __nv_bfloat16>::value                     ? 2e-2
           : sizeof(T) == 2 || std::is_same<T, half_complex>::value    ? 4e-3
                                                                       : 2e-5;
}
template <class T> X rounded(X x)
{
    return number<T>::to(number<T>::of(x));
}

static unsigned state = 12345;
static inline unsigned next_random()
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}
template <class T> X random_number()
{
    int scale = std::is_integral<T>::value ? 1 : 4;
    double re = ((int)(next_random() % 15) - 7) / (double)scale, im = ((int)(next_random() % 15) - 7) / (double)scale;
    return X(re == 0 ? 1 : re, number<T>::complex ? im : 0);
}

// ---- arrays of the device
template <class T> std::vector<T> of_numbers(const std::vector<X> &x)
{
    std::vector<T> v;
    for (X e : x)
        v.push_back(number<T>::of(e));
    return v;
}
template <class T> std::vector<X> random_vector(size_t n)
{
    std::vector<X> v(n);
    for (X &e : v)
        e = random_number<T>();
    return v;
}
// The largest difference, of that which the sum of the magnitudes is for each element.
template <class T> void compare(const std::vector<T> &got, const std::vector<X> &want, const char *what)
{
    double worst = 0;
    for (size_t i = 0; i < want.size(); i++) {
        double d = std::abs(number<T>::to(got[i]) - want[i]) / (1 + std::abs(want[i]));
        worst = d > worst || d != d ? (d != d ? 1e9 : d) : worst;
    }
    char text[120];
    snprintf(text, sizeof text, "%s: off by %g, with %g allowed", what, worst, (double)bound<T>());
    check(worst <= bound<T>(), text, __FILE__, __LINE__);
}

// ---- matrices: dense, with zeros where there is no element
struct dense {
    int64_t rows, cols;
    std::vector<X> e;
    dense(int64_t r, int64_t c) : rows(r), cols(c), e((size_t)(r * c)) {}
    X &at(int64_t i, int64_t j)
    {
        return e[(size_t)(i * cols + j)];
    }
    X at(int64_t i, int64_t j) const
    {
        return e[(size_t)(i * cols + j)];
    }
    dense op(cusparseOperation_t o) const
    {
        if (o == CUSPARSE_OPERATION_NON_TRANSPOSE)
            return *this;
        dense t(cols, rows);
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < cols; j++)
                t.at(j, i) = o == CUSPARSE_OPERATION_TRANSPOSE ? at(i, j) : std::conj(at(i, j));
        return t;
    }
};
// Some rows are empty, and one is full if `skewed`.
template <class T> dense random_sparse(int64_t rows, int64_t cols, unsigned percent, bool skewed = false)
{
    dense m(rows, cols);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            if (i % 7 != 3 && (next_random() % 100 < percent || (skewed && i == rows / 2)))
                m.at(i, j) = random_number<T>();
    return m;
}

// Only complex numbers are conjugated.
template <class T> bool can_conjugate(cusparseOperation_t op)
{
    return number<T>::complex || op != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}
static const cusparseOperation_t operations[] = {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE,
                                                 CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};

// A sparse matrix on the device, of one format; O and I are the types of offsets and indices.
template <class T, class O, class I> struct sparse {
    array<O> *offsets = nullptr;
    array<I> *indices = nullptr;
    array<T> *values = nullptr;
    cusparseSpMatDescr_t m = nullptr;
    int64_t nnz = 0;
    static cusparseIndexType_t index_type(size_t n)
    {
        return n == 8 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
    }
    sparse(const dense &d, cusparseFormat_t format, int base)
    {
        std::vector<O> o;
        std::vector<I> ind, rows;
        std::vector<T> val;
        bool by_columns = format == CUSPARSE_FORMAT_CSC;
        int64_t lines = by_columns ? d.cols : d.rows, across = by_columns ? d.rows : d.cols;
        for (int64_t i = 0; i < lines; i++) {
            o.push_back((O)(val.size() + base));
            for (int64_t j = 0; j < across; j++) {
                X e = by_columns ? d.at(j, i) : d.at(i, j);
                if (e != X(0, 0)) {
                    rows.push_back((I)(i + base));
                    ind.push_back((I)(j + base));
                    val.push_back(number<T>::of(e));
                }
            }
        }
        o.push_back((O)(val.size() + base));
        nnz = (int64_t)val.size();
        if (format == CUSPARSE_FORMAT_COO)
            o.assign(rows.begin(), rows.end());
        make(d, format, base, o, ind, val);
    }
    void make(const dense &d, cusparseFormat_t format, int base, const std::vector<O> &o, const std::vector<I> &ind,
              const std::vector<T> &val)
    {
        cusparseIndexBase_t b = (cusparseIndexBase_t)base;
        offsets = new array<O>(o);
        indices = new array<I>(ind);
        values = new array<T>(val);
        cusparseIndexType_t ot = index_type(sizeof(O)), it = index_type(sizeof(I));
        if (format == CUSPARSE_FORMAT_CSR)
            OK(cusparseCreateCsr(&m, d.rows, d.cols, nnz, offsets->dev, indices->dev, values->dev, ot, it, b,
                                 type_of<T>()));
        else if (format == CUSPARSE_FORMAT_CSC)
            OK(cusparseCreateCsc(&m, d.rows, d.cols, nnz, offsets->dev, indices->dev, values->dev, ot, it, b,
                                 type_of<T>()));
        else
            OK(cusparseCreateCoo(&m, d.rows, d.cols, nnz, offsets->dev, indices->dev, values->dev, it, b,
                                 type_of<T>()));
    }
    sparse(const sparse &) = delete;
    ~sparse()
    {
        OK(cusparseDestroySpMat(m));
        delete offsets;
        delete indices;
        delete values;
    }
};
// Scalars of the host, and in device memory.
template <class T> struct scalars {
    T host[2];
    array<T> dev;
    scalars(X a, X b) : host{number<T>::of(a), number<T>::of(b)}, dev(std::vector<T>{host[0], host[1]}) {}
    const T *alpha(bool device) const
    {
        return device ? dev.dev : host;
    }
    const T *beta(bool device) const
    {
        return alpha(device) + 1;
    }
};
static inline void device_scalars(cusparseHandle_t h, bool on)
{
    OK(cusparseSetPointerMode(h, on ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
}

// One triangle, with ones on the diagonal where it is a unit one.
static inline dense triangle(const dense &d, bool lower, bool unit)
{
    dense t = d;
    for (int64_t i = 0; i < d.rows; i++)
        for (int64_t j = 0; j < d.cols; j++)
            t.at(i, j) = i == j ? (unit ? X(1, 0) : d.at(i, j)) : (lower ? j < i : j > i) ? d.at(i, j) : X(0, 0);
    return t;
}
#endif
