// SPDX-License-Identifier: Apache-2.0
// nvcuda::wmma: products of small matrices by a warp, over the wmma instructions. Which element a lane holds where is
// left open, as in CUDA; fragments of one kind may be combined element by element.
#ifndef __CUDA_MMA_H__
#define __CUDA_MMA_H__
#if !defined(__cplusplus) || !defined(__CUDACC__)
#error "mma.h is for CUDA C++ sources"
#endif
#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda
{
namespace wmma
{
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision
{
struct tf32;
}
namespace experimental
{
namespace precision
{
struct u4;
struct s4;
struct b1;
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

template <typename Use, int __m, int __n, int __k, typename __T, typename __Layout = void> class fragment;

// The elements of a lane. They are handed to instructions as registers of 32 or 64 bits.
template <typename __T, int __Count> struct __heddle_fragment {
    enum { num_elements = __Count, num_storage_elements = __Count };
    typedef __T element_type;
    typedef __T storage_element_type;
    alignas(sizeof(__T) * __Count < 16 ? sizeof(__T) * __Count : 16) __T x[__Count];
};
// Elements of less than a byte: Count of them in one Storage, the first in the low bits.
template <typename __T, typename __Storage, int __Count> struct __heddle_packed_fragment {
    enum { num_elements = __Count, num_storage_elements = 1 };
    typedef __T element_type;
    typedef __Storage storage_element_type;
    __Storage x[1];
};
typedef unsigned int __attribute__((may_alias)) __heddle_word;
template <typename Use, int __m, int __n, int __k, typename __T, typename __Layout>
__device__ __forceinline__ void
fill_fragment(fragment<Use, __m, __n, __k, __T, __Layout> &f,
              const typename fragment<Use, __m, __n, __k, __T, __Layout>::element_type &value)
{
    for (int __i = 0; __i < f.num_elements; __i++)
        f.x[__i] = value;
}
__device__ __forceinline__ float __float_to_tf32(float f)
{
    float __r;
    __asm__("{ .reg .b32 t; cvt.rna.tf32.f32 t, %1; mov.b32 %0, t; }" : "=f"(__r) : "f"(f));
    return __r;
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
#if defined(__CUDA_ARCH__)
#define HEDDLE_MMA_ASM __asm__ __volatile__
#else
#define HEDDLE_MMA_ASM(...) (void)0 // the host's pass only looks at device functions
#endif
#define HEDDLE_MMA_LOAD_1(insn, out, f, __p, __stride)                                                                 \
    HEDDLE_MMA_ASM(insn " {%0}, [%1], %2;" : out(f[0]) : "l"(__p), "r"(__stride) : "memory")
#define HEDDLE_MMA_LOAD_2(insn, out, f, __p, __stride)                                                                 \
    HEDDLE_MMA_ASM(insn " {%0, %1}, [%2], %3;" : out(f[0]), out(f[1]) : "l"(__p), "r"(__stride) : "memory")
#define HEDDLE_MMA_LOAD_4(insn, out, f, __p, __stride)                                                                 \
    HEDDLE_MMA_ASM(insn " {%0, %1, %2, %3}, [%4], %5;" : out(f[0]), out(f[1]), out(f[2]), out(f[3]) : "l"(__p),        \
                   "r"(__stride) : "memory")
#define HEDDLE_MMA_LOAD_8(insn, out, f, __p, __stride)                                                                 \
    HEDDLE_MMA_ASM(insn " {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" : out(f[0]), out(f[1]), out(f[2]), out(f[3]),   \
                   out(f[4]), out(f[5]), out(f[6]), out(f[7]) : "l"(__p), "r"(__stride) : "memory")
#define HEDDLE_MMA_STORE_2(insn, __in, f, __p, __stride)                                                               \
    HEDDLE_MMA_ASM(insn " [%2], {%0, %1}, %3;" : : __in(f[0]), __in(f[1]), "l"(__p), "r"(__stride) : "memory")
#define HEDDLE_MMA_STORE_4(insn, __in, f, __p, __stride)                                                               \
    HEDDLE_MMA_ASM(insn " [%4], {%0, %1, %2, %3}, %5;" : : __in(f[0]), __in(f[1]), __in(f[2]), __in(f[3]), "l"(__p),   \
                   "r"(__stride) : "memory")
#define HEDDLE_MMA_STORE_8(insn, __in, f, __p, __stride)                                                               \
    HEDDLE_MMA_ASM(insn " [%8], {%0, %1, %2, %3, %4, %5, %6, %7}, %9;" : : __in(f[0]), __in(f[1]), __in(f[2]),         \
                   __in(f[3]), __in(f[4]), __in(f[5]), __in(f[6]), __in(f[7]), "l"(__p), "r"(__stride) : "memory")
#define HEDDLE_MMA_8_8_8(insn, out, __in, __ab, __d, __a, __b, __c)                                                    \
    HEDDLE_MMA_ASM(insn " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, "  \
                        "%19, %20, %21, %22, %23}, {%24, %25, %26, %27, %28, %29, %30, %31};" : out(__d[0]),           \
                   out(__d[1]), out(__d[2]), out(__d[3]), out(__d[4]), out(__d[5]), out(__d[6]),                       \
                   out(__d[7]) : __ab(__a[0]), __ab(__a[1]), __ab(__a[2]), __ab(__a[3]), __ab(__a[4]), __ab(__a[5]),   \
                   __ab(__a[6]), __ab(__a[7]), __ab(__b[0]), __ab(__b[1]), __ab(__b[2]), __ab(__b[3]), __ab(__b[4]),   \
                   __ab(__b[5]), __ab(__b[6]), __ab(__b[7]), __in(__c[0]), __in(__c[1]), __in(__c[2]), __in(__c[3]),   \
                   __in(__c[4]), __in(__c[5]), __in(__c[6]), __in(__c[7]))
#define HEDDLE_MMA_4_8_8(insn, out, __in, __ab, __d, __a, __b, __c)                                                    \
    HEDDLE_MMA_ASM(insn " {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, "  \
                        "%19}, {%20, %21, %22, %23};" : out(__d[0]),                                                   \
                   out(__d[1]), out(__d[2]), out(__d[3]) : __ab(__a[0]), __ab(__a[1]), __ab(__a[2]), __ab(__a[3]),     \
                   __ab(__a[4]), __ab(__a[5]), __ab(__a[6]), __ab(__a[7]), __ab(__b[0]), __ab(__b[1]), __ab(__b[2]),   \
                   __ab(__b[3]), __ab(__b[4]), __ab(__b[5]), __ab(__b[6]), __ab(__b[7]), __in(__c[0]), __in(__c[1]),   \
                   __in(__c[2]), __in(__c[3]))
#define HEDDLE_MMA_8_4_4(insn, out, __in, __ab, __d, __a, __b, __c)                                                    \
    HEDDLE_MMA_ASM(insn " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, "     \
                        "%18, %19, %20, %21, %22, %23};" : out(__d[0]),                                                \
                   out(__d[1]), out(__d[2]), out(__d[3]), out(__d[4]), out(__d[5]), out(__d[6]),                       \
                   out(__d[7]) : __ab(__a[0]), __ab(__a[1]), __ab(__a[2]), __ab(__a[3]), __ab(__b[0]), __ab(__b[1]),   \
                   __ab(__b[2]), __ab(__b[3]), __in(__c[0]), __in(__c[1]), __in(__c[2]), __in(__c[3]), __in(__c[4]),   \
                   __in(__c[5]), __in(__c[6]), __in(__c[7]))
#define HEDDLE_MMA_8_2_8(insn, out, __in, __ab, __d, __a, __b, __c)                                                    \
    HEDDLE_MMA_ASM(insn " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13, %14, %15, %16, %17}, "      \
                        "{%18, %19, %20, %21, %22, %23, %24, %25};" : out(__d[0]),                                     \
                   out(__d[1]), out(__d[2]), out(__d[3]), out(__d[4]), out(__d[5]), out(__d[6]),                       \
                   out(__d[7]) : __ab(__a[0]), __ab(__a[1]), __ab(__b[0]), __ab(__b[1]), __ab(__b[2]), __ab(__b[3]),   \
                   __ab(__b[4]), __ab(__b[5]), __ab(__b[6]), __ab(__b[7]), __in(__c[0]), __in(__c[1]), __in(__c[2]),   \
                   __in(__c[3]), __in(__c[4]), __in(__c[5]), __in(__c[6]), __in(__c[7]))
#define HEDDLE_MMA_8_8_2(insn, out, __in, __ab, __d, __a, __b, __c)                                                    \
    HEDDLE_MMA_ASM(insn " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17}, "      \
                        "{%18, %19, %20, %21, %22, %23, %24, %25};" : out(__d[0]),                                     \
                   out(__d[1]), out(__d[2]), out(__d[3]), out(__d[4]), out(__d[5]), out(__d[6]),                       \
                   out(__d[7]) : __ab(__a[0]), __ab(__a[1]), __ab(__a[2]), __ab(__a[3]), __ab(__a[4]), __ab(__a[5]),   \
                   __ab(__a[6]), __ab(__a[7]), __ab(__b[0]), __ab(__b[1]), __in(__c[0]), __in(__c[1]), __in(__c[2]),   \
                   __in(__c[3]), __in(__c[4]), __in(__c[5]), __in(__c[6]), __in(__c[7]))
#define HEDDLE_MMA_8_2_2(insn, out, __in, __ab, __d, __a, __b, __c)                                                    \
    HEDDLE_MMA_ASM(                                                                                                    \
        insn                                                                                                           \
        " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};" : out(    \
            __d[0]),                                                                                                   \
        out(__d[1]), out(__d[2]), out(__d[3]), out(__d[4]), out(__d[5]), out(__d[6]), out(__d[7]) : __ab(__a[0]),      \
        __ab(__a[1]), __ab(__b[0]), __ab(__b[1]), __in(__c[0]), __in(__c[1]), __in(__c[2]), __in(__c[3]),              \
        __in(__c[4]), __in(__c[5]), __in(__c[6]), __in(__c[7]))
#define HEDDLE_MMA_8_1_4(insn, out, __in, __ab, __d, __a, __b, __c)                                                    \
    HEDDLE_MMA_ASM(insn " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8}, {%9, %10, %11, %12}, {%13, %14, %15, %16, %17, "     \
                        "%18, %19, %20};" : out(__d[0]),                                                               \
                   out(__d[1]), out(__d[2]), out(__d[3]), out(__d[4]), out(__d[5]), out(__d[6]),                       \
                   out(__d[7]) : __ab(__a[0]), __ab(__b[0]), __ab(__b[1]), __ab(__b[2]), __ab(__b[3]), __in(__c[0]),   \
                   __in(__c[1]), __in(__c[2]), __in(__c[3]), __in(__c[4]), __in(__c[5]), __in(__c[6]), __in(__c[7]))
#define HEDDLE_MMA_8_4_1(insn, out, __in, __ab, __d, __a, __b, __c)                                                    \
    HEDDLE_MMA_ASM(insn " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12}, {%13, %14, %15, %16, %17, "     \
                        "%18, %19, %20};" : out(__d[0]),                                                               \
                   out(__d[1]), out(__d[2]), out(__d[3]), out(__d[4]), out(__d[5]), out(__d[6]),                       \
                   out(__d[7]) : __ab(__a[0]), __ab(__a[1]), __ab(__a[2]), __ab(__a[3]), __ab(__b[0]), __in(__c[0]),   \
                   __in(__c[1]), __in(__c[2]), __in(__c[3]), __in(__c[4]), __in(__c[5]), __in(__c[6]), __in(__c[7]))
#define HEDDLE_MMA_2_1_1(insn, out, __in, __ab, __d, __a, __b, __c)                                                    \
    HEDDLE_MMA_ASM(insn " {%0, %1}, {%2}, {%3}, {%4, %5};" : out(__d[0]), out(__d[1]) : __ab(__a[0]), __ab(__b[0]),    \
                   __in(__c[0]), __in(__c[1]))
#define HEDDLE_OUT_WORD   "=r"
#define HEDDLE_IN_WORD    "r"
#define HEDDLE_OUT_FLOAT  "=f"
#define HEDDLE_IN_FLOAT   "f"
#define HEDDLE_OUT_DOUBLE "=d"
#define HEDDLE_IN_DOUBLE  "d"

// One matrix: T elements, `count` of them in `words` registers that are read as R.
#define HEDDLE_MMA_OPERAND(use, letter, __m, __n, __k, __T, Element, name, count, words, __R, kind, __layout)          \
    template <> class fragment<use, __m, __n, __k, __T, __layout##_major> : public __heddle_fragment<Element, count>   \
    {                                                                                                                  \
    };                                                                                                                 \
    __device__ __forceinline__ void load_matrix_sync(fragment<use, __m, __n, __k, __T, __layout##_major> &f,           \
                                                     const Element *__p, unsigned int __stride)                        \
    {                                                                                                                  \
        __R *__r = (__R *)f.x;                                                                                         \
        (void)__r;                                                                                                     \
        HEDDLE_MMA_LOAD_##words("wmma.load." letter ".sync.aligned." #__layout ".m" #__m "n" #__n "k" #__k "." name,   \
                                HEDDLE_OUT_##kind, __r, __p, __stride);                                                \
    }
#define HEDDLE_MMA_SUM(__m, __n, __k, __T, name, count, words, __R, kind)                                              \
    template <> class fragment<accumulator, __m, __n, __k, __T, void> : public __heddle_fragment<__T, count>           \
    {                                                                                                                  \
    };                                                                                                                 \
    __device__ __forceinline__ void load_matrix_sync(fragment<accumulator, __m, __n, __k, __T> &f, const __T *__p,     \
                                                     unsigned int __stride, layout_t __layout)                         \
    {                                                                                                                  \
        __R *__r = (__R *)f.x;                                                                                         \
        (void)__r;                                                                                                     \
        if (__layout == mem_row_major)                                                                                 \
            HEDDLE_MMA_LOAD_##words("wmma.load.c.sync.aligned.row.m" #__m "n" #__n "k" #__k "." name,                  \
                                    HEDDLE_OUT_##kind, __r, __p, __stride);                                            \
        else                                                                                                           \
            HEDDLE_MMA_LOAD_##words("wmma.load.c.sync.aligned.col.m" #__m "n" #__n "k" #__k "." name,                  \
                                    HEDDLE_OUT_##kind, __r, __p, __stride);                                            \
    }                                                                                                                  \
    __device__ __forceinline__ void store_matrix_sync(__T *__p, const fragment<accumulator, __m, __n, __k, __T> &f,    \
                                                      unsigned int __stride, layout_t __layout)                        \
    {                                                                                                                  \
        const __R *__r = (const __R *)f.x;                                                                             \
        (void)__r;                                                                                                     \
        if (__layout == mem_row_major)                                                                                 \
            HEDDLE_MMA_STORE_##words("wmma.store.d.sync.aligned.row.m" #__m "n" #__n "k" #__k "." name,                \
                                     HEDDLE_IN_##kind, __r, __p, __stride);                                            \
        else                                                                                                           \
            HEDDLE_MMA_STORE_##words("wmma.store.d.sync.aligned.col.m" #__m "n" #__n "k" #__k "." name,                \
                                     HEDDLE_IN_##kind, __r, __p, __stride);                                            \
    }
// The product, for one pair of layouts. types: what stands behind the shape.
#define HEDDLE_MMA_PRODUCT(__m, __n, __k, __T, __S, types, __d, __a, __b, __R, kind, AR, akind, __la, __lb)            \
    __device__ __forceinline__ void mma_sync(fragment<accumulator, __m, __n, __k, __S> &result,                        \
                                             const fragment<matrix_a, __m, __n, __k, __T, __la##_major> &__fa,         \
                                             const fragment<matrix_b, __m, __n, __k, __T, __lb##_major> &__fb,         \
                                             const fragment<accumulator, __m, __n, __k, __S> &__fc)                    \
    {                                                                                                                  \
        __R *rd = (__R *)result.x;                                                                                     \
        const AR *__ra = (const AR *)__fa.x, *__rb = (const AR *)__fb.x;                                               \
        const __R *__rc = (const __R *)__fc.x;                                                                         \
        (void)rd, (void)__ra, (void)__rb, (void)__rc;                                                                  \
        HEDDLE_MMA_##__d##_##__a##_##__b(                                                                              \
            "wmma.mma.sync.aligned." #__la "." #__lb ".m" #__m "n" #__n "k" #__k "." types, HEDDLE_OUT_##kind,         \
            HEDDLE_IN_##kind, HEDDLE_IN_##akind, rd, __ra, __rb, __rc);                                                \
    }
#define HEDDLE_MMA_PRODUCTS(__m, __n, __k, __T, __S, types, __d, __a, __b, __R, kind, AR, akind)                       \
    HEDDLE_MMA_PRODUCT(__m, __n, __k, __T, __S, types, __d, __a, __b, __R, kind, AR, akind, row, row)                  \
    HEDDLE_MMA_PRODUCT(__m, __n, __k, __T, __S, types, __d, __a, __b, __R, kind, AR, akind, row, col)                  \
    HEDDLE_MMA_PRODUCT(__m, __n, __k, __T, __S, types, __d, __a, __b, __R, kind, AR, akind, col, row)                  \
    HEDDLE_MMA_PRODUCT(__m, __n, __k, __T, __S, types, __d, __a, __b, __R, kind, AR, akind, col, col)
#define HEDDLE_MMA_OPERANDS(__m, __n, __k, __T, Element, name, acount, __a, bcount, __b, __R, kind)                    \
    HEDDLE_MMA_OPERAND(matrix_a, "a", __m, __n, __k, __T, Element, name, acount, __a, __R, kind, row)                  \
    HEDDLE_MMA_OPERAND(matrix_a, "a", __m, __n, __k, __T, Element, name, acount, __a, __R, kind, col)                  \
    HEDDLE_MMA_OPERAND(matrix_b, "b", __m, __n, __k, __T, Element, name, bcount, __b, __R, kind, row)                  \
    HEDDLE_MMA_OPERAND(matrix_b, "b", __m, __n, __k, __T, Element, name, bcount, __b, __R, kind, col)

HEDDLE_MMA_SUM(16, 16, 16, float, "f32", 8, 8, float, FLOAT)
HEDDLE_MMA_SUM(16, 16, 16, __half, "f16", 8, 4, __heddle_word, WORD)
HEDDLE_MMA_OPERANDS(16, 16, 16, __half, __half, "f16", 16, 8, 16, 8, __heddle_word, WORD)
HEDDLE_MMA_PRODUCTS(16, 16, 16, __half, float, "f32.f32", 8, 8, 8, float, FLOAT, __heddle_word, WORD)
HEDDLE_MMA_PRODUCTS(16, 16, 16, __half, __half, "f16.f16", 4, 8, 8, __heddle_word, WORD, __heddle_word, WORD)
HEDDLE_MMA_SUM(8, 32, 16, float, "f32", 8, 8, float, FLOAT)
HEDDLE_MMA_SUM(8, 32, 16, __half, "f16", 8, 4, __heddle_word, WORD)
HEDDLE_MMA_OPERANDS(8, 32, 16, __half, __half, "f16", 16, 8, 16, 8, __heddle_word, WORD)
HEDDLE_MMA_PRODUCTS(8, 32, 16, __half, float, "f32.f32", 8, 8, 8, float, FLOAT, __heddle_word, WORD)
HEDDLE_MMA_PRODUCTS(8, 32, 16, __half, __half, "f16.f16", 4, 8, 8, __heddle_word, WORD, __heddle_word, WORD)
HEDDLE_MMA_SUM(32, 8, 16, float, "f32", 8, 8, float, FLOAT)
HEDDLE_MMA_SUM(32, 8, 16, __half, "f16", 8, 4, __heddle_word, WORD)
HEDDLE_MMA_OPERANDS(32, 8, 16, __half, __half, "f16", 16, 8, 16, 8, __heddle_word, WORD)
HEDDLE_MMA_PRODUCTS(32, 8, 16, __half, float, "f32.f32", 8, 8, 8, float, FLOAT, __heddle_word, WORD)
HEDDLE_MMA_PRODUCTS(32, 8, 16, __half, __half, "f16.f16", 4, 8, 8, __heddle_word, WORD, __heddle_word, WORD)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 720
HEDDLE_MMA_SUM(16, 16, 16, int, "s32", 8, 8, int, WORD)
HEDDLE_MMA_OPERANDS(16, 16, 16, signed char, signed char, "s8", 8, 2, 8, 2, __heddle_word, WORD)
HEDDLE_MMA_PRODUCTS(16, 16, 16, signed char, int, "s32.s8.s8.s32", 8, 2, 2, int, WORD, __heddle_word, WORD)
HEDDLE_MMA_OPERANDS(16, 16, 16, unsigned char, unsigned char, "u8", 8, 2, 8, 2, __heddle_word, WORD)
HEDDLE_MMA_PRODUCTS(16, 16, 16, unsigned char, int, "s32.u8.u8.s32", 8, 2, 2, int, WORD, __heddle_word, WORD)
HEDDLE_MMA_SUM(8, 32, 16, int, "s32", 8, 8, int, WORD)
HEDDLE_MMA_OPERANDS(8, 32, 16, signed char, signed char, "s8", 4, 1, 16, 4, __heddle_word, WORD)
HEDDLE_MMA_PRODUCTS(8, 32, 16, signed char, int, "s32.s8.s8.s32", 8, 1, 4, int, WORD, __heddle_word, WORD)
HEDDLE_MMA_OPERANDS(8, 32, 16, unsigned char, unsigned char, "u8", 4, 1, 16, 4, __heddle_word, WORD)
HEDDLE_MMA_PRODUCTS(8, 32, 16, unsigned char, int, "s32.u8.u8.s32", 8, 1, 4, int, WORD, __heddle_word, WORD)
HEDDLE_MMA_SUM(32, 8, 16, int, "s32", 8, 8, int, WORD)
HEDDLE_MMA_OPERANDS(32, 8, 16, signed char, signed char, "s8", 16, 4, 4, 1, __heddle_word, WORD)
HEDDLE_MMA_PRODUCTS(32, 8, 16, signed char, int, "s32.s8.s8.s32", 8, 4, 1, int, WORD, __heddle_word, WORD)
HEDDLE_MMA_OPERANDS(32, 8, 16, unsigned char, unsigned char, "u8", 16, 4, 4, 1, __heddle_word, WORD)
HEDDLE_MMA_PRODUCTS(32, 8, 16, unsigned char, int, "s32.u8.u8.s32", 8, 4, 1, int, WORD, __heddle_word, WORD)
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
HEDDLE_MMA_OPERANDS(16, 16, 16, __nv_bfloat16, __nv_bfloat16, "bf16", 8, 4, 8, 4, __heddle_word, WORD)
HEDDLE_MMA_PRODUCTS(16, 16, 16, __nv_bfloat16, float, "f32.bf16.bf16.f32", 8, 4, 4, float, FLOAT, __heddle_word, WORD)
HEDDLE_MMA_OPERANDS(8, 32, 16, __nv_bfloat16, __nv_bfloat16, "bf16", 4, 2, 16, 8, __heddle_word, WORD)
HEDDLE_MMA_PRODUCTS(8, 32, 16, __nv_bfloat16, float, "f32.bf16.bf16.f32", 8, 2, 8, float, FLOAT, __heddle_word, WORD)
HEDDLE_MMA_OPERANDS(32, 8, 16, __nv_bfloat16, __nv_bfloat16, "bf16", 16, 8, 4, 2, __heddle_word, WORD)
HEDDLE_MMA_PRODUCTS(32, 8, 16, __nv_bfloat16, float, "f32.bf16.bf16.f32", 8, 8, 2, float, FLOAT, __heddle_word, WORD)
HEDDLE_MMA_SUM(16, 16, 8, float, "f32", 8, 8, float, FLOAT)
HEDDLE_MMA_OPERANDS(16, 16, 8, precision::tf32, float, "tf32", 4, 4, 4, 4, __heddle_word, WORD)
HEDDLE_MMA_PRODUCTS(16, 16, 8, precision::tf32, float, "f32.tf32.tf32.f32", 8, 4, 4, float, FLOAT, __heddle_word, WORD)
HEDDLE_MMA_SUM(8, 8, 4, double, "f64", 2, 2, double, DOUBLE)
HEDDLE_MMA_OPERANDS(8, 8, 4, double, double, "f64", 1, 1, 1, 1, double, DOUBLE)
HEDDLE_MMA_PRODUCTS(8, 8, 4, double, double, "f64.f64.f64.f64", 2, 1, 1, double, DOUBLE, double, DOUBLE)
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 750
// Elements of less than a byte, without an instruction of their own: lane l holds word l % 4 of row l / 4 of A and of
// column l / 4 of B, and two sums of row l / 4; the words come by shuffles. Addresses and strides are of whole words.
__device__ __forceinline__ unsigned int __heddle_mma_lane()
{
    unsigned int lane = 0;
    HEDDLE_MMA_ASM("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
struct __heddle_mma_u4 {
    static __device__ __forceinline__ int dot(unsigned int __a, unsigned int __b)
    {
        int sum = 0;
        for (int __i = 0; __i < 32; __i += 4)
            sum += (int)(__a >> __i & 15) * (int)(__b >> __i & 15);
        return sum;
    }
};
struct __heddle_mma_s4 {
    static __device__ __forceinline__ int dot(unsigned int __a, unsigned int __b)
    {
        int sum = 0;
        for (int __i = 0; __i < 32; __i += 4)
            sum += ((int)(__a << (28 - __i)) >> 28) * ((int)(__b << (28 - __i)) >> 28);
        return sum;
    }
};
struct __heddle_mma_xor {
    static __device__ __forceinline__ int dot(unsigned int __a, unsigned int __b)
    {
        return __popc(__a ^ __b);
    }
};
struct __heddle_mma_and {
    static __device__ __forceinline__ int dot(unsigned int __a, unsigned int __b)
    {
        return __popc(__a & __b);
    }
};
template <typename __Op>
__device__ __forceinline__ void __heddle_mma_packed(int *__d, unsigned int __a, unsigned int __b, const int *__c,
                                                    bool clamp)
{
    unsigned int lane = __heddle_mma_lane();
    int sum[2] = {0, 0};
    for (unsigned int w = 0; w < 4; w++) {
        unsigned int row = __shfl_sync(0xffffffffu, __a, (int)((lane & ~3u) + w));
        for (unsigned int __i = 0; __i < 2; __i++)
            sum[__i] += __Op::dot(row, __shfl_sync(0xffffffffu, __b, (int)((lane % 4 * 2 + __i) * 4 + w)));
    }
    for (int __i = 0; __i < 2; __i++) {
        long long whole = (long long)__c[__i] + sum[__i], most = 0x7fffffff;
        if (clamp)
            whole = whole > most ? most : whole < -most - 1 ? -most - 1 : whole;
        __d[__i] = (int)whole;
    }
}
// repeat: one element in the place of each.
#define HEDDLE_MMA_PACKED(use, __layout, __k, __T, __Storage, __repeat)                                                \
    template <>                                                                                                        \
    class fragment<use, 8, 8, __k, __T, __layout##_major> : public __heddle_packed_fragment<__T, __Storage, __k / 4>   \
    {                                                                                                                  \
    };                                                                                                                 \
    __device__ __forceinline__ void load_matrix_sync(fragment<use, 8, 8, __k, __T, __layout##_major> &f,               \
                                                     const void *__p, unsigned int __stride)                           \
    {                                                                                                                  \
        unsigned int lane = __heddle_mma_lane();                                                                       \
        f.x[0] = (__Storage)((const __heddle_word *)__p)[lane / 4 * (__stride / (__k / 4)) + lane % 4];                \
    }                                                                                                                  \
    __device__ __forceinline__ void fill_fragment(fragment<use, 8, 8, __k, __T, __layout##_major> &f, __Storage value) \
    {                                                                                                                  \
        f.x[0] = (__Storage)(((unsigned int)value & (0xffffffffu / __repeat)) * __repeat);                             \
    }
#define HEDDLE_MMA_PACKED_SUM(__k)                                                                                     \
    template <> class fragment<accumulator, 8, 8, __k, int, void> : public __heddle_fragment<int, 2>                   \
    {                                                                                                                  \
    };                                                                                                                 \
    __device__ __forceinline__ void load_matrix_sync(fragment<accumulator, 8, 8, __k, int> &f, const int *__p,         \
                                                     unsigned int __stride, layout_t __layout)                         \
    {                                                                                                                  \
        unsigned int lane = __heddle_mma_lane(), row = lane / 4, column = lane % 4 * 2;                                \
        for (unsigned int __i = 0; __i < 2; __i++)                                                                     \
            f.x[__i] =                                                                                                 \
                __p[__layout == mem_row_major ? row * __stride + column + __i : (column + __i) * __stride + row];      \
    }                                                                                                                  \
    __device__ __forceinline__ void store_matrix_sync(int *__p, const fragment<accumulator, 8, 8, __k, int> &f,        \
                                                      unsigned int __stride, layout_t __layout)                        \
    {                                                                                                                  \
        unsigned int lane = __heddle_mma_lane(), row = lane / 4, column = lane % 4 * 2;                                \
        for (unsigned int __i = 0; __i < 2; __i++)                                                                     \
            __p[__layout == mem_row_major ? row * __stride + column + __i : (column + __i) * __stride + row] =         \
                f.x[__i];                                                                                              \
    }
#define HEDDLE_MMA_NIBBLES(name, __Storage)                                                                            \
    HEDDLE_MMA_PACKED(matrix_a, row, 32, experimental::precision::name, __Storage, 0x11111111u)                        \
    HEDDLE_MMA_PACKED(matrix_b, col, 32, experimental::precision::name, __Storage, 0x11111111u)                        \
    __device__ __forceinline__ void mma_sync(                                                                          \
        fragment<accumulator, 8, 8, 32, int> &__d,                                                                     \
        const fragment<matrix_a, 8, 8, 32, experimental::precision::name, row_major> &__a,                             \
        const fragment<matrix_b, 8, 8, 32, experimental::precision::name, col_major> &__b,                             \
        const fragment<accumulator, 8, 8, 32, int> &__c, bool satf = false)                                            \
    {                                                                                                                  \
        __heddle_mma_packed<__heddle_mma_##name>(__d.x, (unsigned int)__a.x[0], (unsigned int)__b.x[0], __c.x, satf);  \
    }
HEDDLE_MMA_PACKED_SUM(32)
HEDDLE_MMA_NIBBLES(u4, unsigned int)
HEDDLE_MMA_NIBBLES(s4, int)
HEDDLE_MMA_PACKED_SUM(128)
HEDDLE_MMA_PACKED(matrix_a, row, 128, experimental::precision::b1, unsigned int, 0xffffffffu)
HEDDLE_MMA_PACKED(matrix_b, col, 128, experimental::precision::b1, unsigned int, 0xffffffffu)
__device__ __forceinline__ void
bmma_sync(fragment<accumulator, 8, 8, 128, int> &__d,
          const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> &__a,
          const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> &__b,
          const fragment<accumulator, 8, 8, 128, int> &__c, experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
          experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC)
{
    if (op == experimental::bmmaBitOpAND)
        __heddle_mma_packed<__heddle_mma_and>(__d.x, __a.x[0], __b.x[0], __c.x, false);
    else
        __heddle_mma_packed<__heddle_mma_xor>(__d.x, __a.x[0], __b.x[0], __c.x, false);
}
#undef HEDDLE_MMA_PACKED
#undef HEDDLE_MMA_PACKED_SUM
#undef HEDDLE_MMA_NIBBLES
#endif
#endif
#undef HEDDLE_MMA_ASM
#undef HEDDLE_MMA_LOAD_1
#undef HEDDLE_MMA_LOAD_2
#undef HEDDLE_MMA_LOAD_4
#undef HEDDLE_MMA_LOAD_8
#undef HEDDLE_MMA_STORE_2
#undef HEDDLE_MMA_STORE_4
#undef HEDDLE_MMA_STORE_8
#undef HEDDLE_MMA_8_8_8
#undef HEDDLE_MMA_4_8_8
#undef HEDDLE_MMA_8_4_4
#undef HEDDLE_MMA_8_2_8
#undef HEDDLE_MMA_8_8_2
#undef HEDDLE_MMA_8_2_2
#undef HEDDLE_MMA_8_1_4
#undef HEDDLE_MMA_8_4_1
#undef HEDDLE_MMA_2_1_1
#undef HEDDLE_OUT_WORD
#undef HEDDLE_IN_WORD
#undef HEDDLE_OUT_FLOAT
#undef HEDDLE_IN_FLOAT
#undef HEDDLE_OUT_DOUBLE
#undef HEDDLE_IN_DOUBLE
#undef HEDDLE_MMA_OPERAND
#undef HEDDLE_MMA_SUM
#undef HEDDLE_MMA_PRODUCT
#undef HEDDLE_MMA_PRODUCTS
#undef HEDDLE_MMA_OPERANDS
} // namespace wmma
} // namespace nvcuda
#endif
