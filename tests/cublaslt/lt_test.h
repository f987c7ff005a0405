// SPDX-License-Identifier: Apache-2.0
// What the tests of cuBLASLt share: elements of all types, matrices in all orders, and a product beside a plain reference in double
// precision. The same programs are right with NVIDIA's library on a GPU, which may refuse what is marked as optional.
#ifndef HEDDLE_TEST_CUBLASLT_LT_TEST_H
#define HEDDLE_TEST_CUBLASLT_LT_TEST_H
#include "../library_check.h"
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#define OK(call) WANT(call, CUBLAS_STATUS_SUCCESS)

typedef std::complex<double> X;

static inline bool is_heddle()
{
    static const bool is = on_heddle();
    return is;
}
// A status that a GPU may answer where something is not for its kernels.
static inline bool is_refusal(cublasStatus_t s)
{
    return s == CUBLAS_STATUS_NOT_SUPPORTED || s == CUBLAS_STATUS_INVALID_VALUE || s == CUBLAS_STATUS_ARCH_MISMATCH;
}

// ---- elements
static inline size_t size_of(cudaDataType t)
{
    switch (t) {
    case CUDA_R_8I:
    case CUDA_R_8F_E4M3:
    case CUDA_R_8F_E5M2:
        return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF:
        return 2;
    case CUDA_R_64F:
    case CUDA_C_32F:
        return 8;
    case CUDA_C_64F:
        return 16;
    default:
        return 4;
    }
}
static inline bool is_complex(cudaDataType t)
{
    return t == CUDA_C_32F || t == CUDA_C_64F;
}
static inline bool is_integer(cudaDataType t)
{
    return t == CUDA_R_8I || t == CUDA_R_32I;
}
static inline bool is_fp8(cudaDataType t)
{
    return t == CUDA_R_8F_E4M3 || t == CUDA_R_8F_E5M2;
}
// Half a unit in the last place, of 1.
static inline double precision(cudaDataType t)
{
    return is_integer(t)         ? 0
           : t == CUDA_R_8F_E4M3 ? 1.0 / 16
           : t == CUDA_R_8F_E5M2 ? 1.0 / 8
           : t == CUDA_R_16F     ? 1.0 / 2048
           : t == CUDA_R_16BF    ? 1.0 / 256
           : t == CUDA_R_64F     ? 1.2e-16
           : t == CUDA_C_64F     ? 1.2e-16
                                 : 6e-8;
}
template <class T> static inline void put_as(void *p, size_t i, T v)
{
    memcpy((char *)p + i * sizeof(T), &v, sizeof(T));
}
template <class T> static inline T get_as(const void *p, size_t i)
{
    T v;
    memcpy(&v, (const char *)p + i * sizeof(T), sizeof(T));
    return v;
}
static inline void put(cudaDataType t, void *p, size_t i, X v)
{
    float f = (float)v.real();
    if (t == CUDA_R_32F)
        put_as(p, i, f);
    else if (t == CUDA_R_64F)
        put_as(p, i, v.real());
    else if (t == CUDA_C_32F)
        put_as(p, i, std::complex<float>(v));
    else if (t == CUDA_C_64F)
        put_as(p, i, v);
    else if (t == CUDA_R_16F)
        put_as(p, i, __float2half(f));
    else if (t == CUDA_R_16BF)
        put_as(p, i, __float2bfloat16(f));
    else if (is_fp8(t))
        put_as(p, i, (uint8_t)__nv_cvt_float_to_fp8(f, __NV_SATFINITE, t == CUDA_R_8F_E4M3 ? __NV_E4M3 : __NV_E5M2));
    else if (t == CUDA_R_8I)
        put_as(p, i, (int8_t)(f < -128 ? -128 : f > 127 ? 127 : std::nearbyint(f)));
    else
        put_as(p, i, (int32_t)v.real());
}
static inline X get(cudaDataType t, const void *p, size_t i)
{
    if (t == CUDA_R_32F)
        return get_as<float>(p, i);
    if (t == CUDA_R_64F)
        return get_as<double>(p, i);
    if (t == CUDA_C_32F)
        return X(get_as<std::complex<float>>(p, i));
    if (t == CUDA_C_64F)
        return get_as<X>(p, i);
    if (t == CUDA_R_16F)
        return __half2float(get_as<__half>(p, i));
    if (t == CUDA_R_16BF)
        return __bfloat162float(get_as<__nv_bfloat16>(p, i));
    if (is_fp8(t)) {
        __half_raw h = __nv_cvt_fp8_to_halfraw(get_as<uint8_t>(p, i), t == CUDA_R_8F_E4M3 ? __NV_E4M3 : __NV_E5M2);
        return __half2float(__half(h));
    }
    return t == CUDA_R_8I ? (double)get_as<int8_t>(p, i) : (double)get_as<int32_t>(p, i);
}

static unsigned random_state = 20130613;
static inline unsigned next_random()
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8;
}
// Few bits, so that every type has it: integers, or quarters of -1.75 ... 1.75.
static inline X random_number(cudaDataType t)
{
    double re = (double)(next_random() % 15) - 7, im = (double)(next_random() % 15) - 7;
    return is_integer(t) ? X(re) : is_complex(t) ? X(re / 4, im / 4) : X(re / 4);
}

// ---- memory of the device beside the host's
struct memory {
    std::vector<char> host;
    char *dev = nullptr;
    explicit memory(size_t n) : host(n ? n : 1)
    {
        CUDA(cudaMalloc(&dev, host.size()));
    }
    memory(const memory &) = delete;
    memory &operator=(const memory &) = delete;
    ~memory()
    {
        cudaFree(dev);
    }
    void push()
    {
        CUDA(cudaMemcpy(dev, host.data(), host.size(), cudaMemcpyHostToDevice));
    }
    std::vector<char> pull() const
    {
        std::vector<char> v(host.size());
        CUDA(cudaMemcpy(v.data(), dev, v.size(), cudaMemcpyDeviceToHost));
        return v;
    }
};

// ---- matrices
static inline int64_t up(int64_t x, int64_t to)
{
    return (x + to - 1) / to * to;
}
struct matrix {
    cudaDataType type;
    cublasLtOrder_t order;
    int64_t rows, cols, ld, stride;
    int count;
    memory data;
    cublasLtMatrixLayout_t layout = nullptr;
    static int64_t least_ld(cublasLtOrder_t o, int64_t rows, int64_t cols)
    {
        return o == CUBLASLT_ORDER_COL           ? rows
               : o == CUBLASLT_ORDER_ROW         ? cols
               : o == CUBLASLT_ORDER_COL32       ? 32 * rows
               : o == CUBLASLT_ORDER_COL4_4R2_8C ? 32 * up(rows, 8)
                                                 : 32 * up(rows, 32);
    }
    static int64_t groups(cublasLtOrder_t o, int64_t rows, int64_t cols)
    {
        return o == CUBLASLT_ORDER_COL ? cols : o == CUBLASLT_ORDER_ROW ? rows : (cols + 31) / 32;
    }
    // pad: more than the least leading dimension.
    matrix(cudaDataType t, int64_t r, int64_t c, int n = 1, cublasLtOrder_t o = CUBLASLT_ORDER_COL, int64_t pad = 0)
        : type(t), order(o), rows(r), cols(c), ld(least_ld(o, r, c) + pad), stride(up(ld * groups(o, r, c) + pad, 16)),
          count(n), data((size_t)(stride * n) * size_of(t))
    {
        for (int64_t i = 0; i < stride * n; i++)
            put(type, data.host.data(), (size_t)i, random_number(type));
        data.push();
        int32_t order_value = (int32_t)o, count_value = n;
        OK(cublasLtMatrixLayoutCreate(&layout, t, (uint64_t)r, (uint64_t)c, ld));
        OK(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &order_value, sizeof order_value));
        OK(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count_value,
                                            sizeof count_value));
        OK(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride,
                                            sizeof stride));
    }
    ~matrix()
    {
        OK(cublasLtMatrixLayoutDestroy(layout));
    }
    size_t at(int64_t b, int64_t i, int64_t j) const
    {
        int64_t o = 0;
        if (order == CUBLASLT_ORDER_COL) {
            o = i + j * ld;
        } else if (order == CUBLASLT_ORDER_ROW) {
            o = j + i * ld;
        } else if (order == CUBLASLT_ORDER_COL32) {
            o = j / 32 * ld + i * 32 + j % 32;
        } else if (order == CUBLASLT_ORDER_COL4_4R2_8C) {
            int64_t r = i % 8, c = j % 32;
            int64_t index = ((((r & 1) << 2) + (c >> 3)) << 5) + (((c & 4) + (r >> 1)) << 2) + (c & 3);
            o = j / 32 * ld + i / 8 * 256 + index;
        } else {
            int64_t r = i % 32;
            o = j / 32 * ld + i / 32 * 1024 + (((r % 8) / 2 * 4 + r / 8) * 2 + r % 2) * 32 + j % 32;
        }
        return (size_t)(b * stride + o);
    }
    X get_at(int64_t b, int64_t i, int64_t j) const
    {
        return get(type, data.host.data(), at(b, i, j));
    }
    // Element of op(X).
    X op_at(cublasOperation_t op, int64_t b, int64_t i, int64_t j) const
    {
        return op == CUBLAS_OP_N ? get_at(b, i, j) : op == CUBLAS_OP_T ? get_at(b, j, i) : std::conj(get_at(b, j, i));
    }
};

// What a result should be, and how far from that it may be. What is not an element must have its old bytes.
static inline bool agrees(const matrix &d, const std::vector<X> &want, const std::vector<double> &bound,
                          const char *what)
{
    std::vector<char> got = d.data.pull();
    std::vector<bool> seen((size_t)(d.stride * d.count));
    size_t q = 0, bytes = size_of(d.type);
    for (int64_t b = 0; b < d.count; b++)
        for (int64_t j = 0; j < d.cols; j++)
            for (int64_t i = 0; i < d.rows; i++, q++) {
                size_t at = d.at(b, i, j);
                X g = get(d.type, got.data(), at);
                seen[at] = true;
                if (!(std::abs(g - want[q]) <= bound[q])) {
                    printf("%s: (%d, %d) of %d is %.9g %.9g, not %.9g %.9g within %g\n", what, (int)i, (int)j, (int)b,
                           g.real(), g.imag(), want[q].real(), want[q].imag(), bound[q]);
                    return false;
                }
            }
    for (size_t i = 0; i < seen.size(); i++)
        if (!seen[i] && memcmp(&got[i * bytes], &d.data.host[i * bytes], bytes) != 0) {
            printf("%s: byte %d was changed\n", what, (int)(i * bytes));
            return false;
        }
    return true;
}
#endif
