// SPDX-License-Identifier: Apache-2.0
// What the tests of cuBLAS share: functions by type, numbers, matrices in device memory beside a reference in higher precision, and
// checks. The same programs are right with NVIDIA's library on a GPU.
#ifndef HEDDLE_TEST_CUBLAS_BLAS_TEST_H
#define HEDDLE_TEST_CUBLAS_BLAS_TEST_H
#include "../library_check.h"
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>
#include <cublas_v2.h>
#include <cuda_runtime.h>

#define OK(call) WANT(call, CUBLAS_STATUS_SUCCESS)

// What references are computed in: more digits than any type has, or, where tests are brief, as many (on AArch64 the wider type is software).
#ifdef BRIEF
typedef double wide;
#else
typedef long double wide;
#endif
#include "../library_number.h"

// ---- functions by type: CALL(axpy)(handle, ...), CALL64 for integers of 64 bits
#define CALL(name)           pick<T>(cublasS##name, cublasD##name, cublasC##name, cublasZ##name)
#define CALL64(name)         pick<T>(cublasS##name##_64, cublasD##name##_64, cublasC##name##_64, cublasZ##name##_64)
#define CALL2(real, name)    pick<T>(cublasS##real, cublasD##real, cublasC##name, cublasZ##name)
#define CALL2_64(real, name) pick<T>(cublasS##real##_64, cublasD##real##_64, cublasC##name##_64, cublasZ##name##_64)

template <class T> wide eps()
{
    return std::numeric_limits<typename number<T>::real>::epsilon();
}

static unsigned long long random_state = 88172645463325252ull;
static inline double random_unit() // -1 ... 1
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (double)(random_state >> 11) / 4503599627370496.0 - 1.0;
}
template <class T> T random_number()
{
    double re = random_unit(), im = random_unit();
    return number<T>::to(X(re, im));
}
template <class T> T nan_number()
{
    wide n = std::numeric_limits<wide>::quiet_NaN();
    return number<T>::to(X(n, n));
}

// ---- an array in device memory, and what it should hold
template <class T> struct array {
    std::vector<T> host;
    T *dev;
    explicit array(size_t n) : host(n ? n : 1), dev(nullptr)
    {
        for (T &t : host)
            t = random_number<T>();
        cudaMalloc(&dev, host.size() * sizeof(T));
        push();
    }
    array(const array &) = delete;
    ~array()
    {
        cudaFree(dev);
    }
    void push()
    {
        cudaMemcpy(dev, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    // host holds what is wanted: compares all of it, also what must not have changed.
    bool equals(wide bound)
    {
        std::vector<T> got(host.size());
        if (cudaMemcpy(got.data(), dev, got.size() * sizeof(T), cudaMemcpyDeviceToHost))
            return false;
        for (size_t i = 0; i < got.size(); i++) {
            X a = number<T>::of(got[i]), b = number<T>::of(host[i]);
            if (std::isnan(b.real()) && std::isnan(a.real()))
                continue;
            if (!(std::abs(a - b) <= bound * (1 + std::abs(b)))) {
                if (failed < 20)
                    printf("element %zu of %zu: %.9g %.9g in place of %.9g %.9g\n", i, got.size(), (double)a.real(),
                           (double)a.imag(), (double)b.real(), (double)b.imag());
                return false;
            }
        }
        return true;
    }
    X at(size_t i) const
    {
        return number<T>::of(host[i]);
    }
    void set(size_t i, X x)
    {
        host[i] = number<T>::to(x);
    }
};

// Element i of a vector as BLAS counts, and the room that it takes.
static inline size_t place(long long i, long long n, long long inc)
{
    return (size_t)(inc < 0 ? (i - (n - 1)) * inc : i * inc);
}
static inline size_t room(long long n, long long inc)
{
    return (size_t)(1 + (n - 1) * std::llabs(inc));
}

template <class T> X op(cublasOperation_t o, X x)
{
    return o == CUBLAS_OP_C ? std::conj(x) : x;
}

// Scalars that are the host's or the device's.
template <class S> struct scalar_at {
    S *host, *dev;
    bool on_device;
    scalar_at(S s, bool device) : host(new S(s)), dev(nullptr), on_device(device)
    {
        if (device) {
            cudaMalloc(&dev, sizeof(S));
            cudaMemcpy(dev, host, sizeof(S), cudaMemcpyHostToDevice);
        }
    }
    scalar_at(const scalar_at &) = delete;
    ~scalar_at()
    {
        delete host;
        cudaFree(dev);
    }
    S *operator&()
    {
        return on_device ? dev : host;
    }
    S get()
    {
        if (on_device)
            cudaMemcpy(host, dev, sizeof(S), cudaMemcpyDeviceToHost);
        return *host;
    }
};

static inline void device_scalars(cublasHandle_t h, bool on)
{
    OK(cublasSetPointerMode(h, on ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST));
}

static const cublasOperation_t OPERATIONS[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
static const cublasFillMode_t FILLS[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
static const cublasDiagType_t DIAGONALS[] = {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT};
static const cublasSideMode_t SIDES[] = {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT};
#endif
