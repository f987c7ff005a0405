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

template <typename Use, int m, int n, int k, typename T, typename Layout = void> class fragment;

// The elements of a lane. They are handed to instructions as registers of 32 or 64 bits.
template <typename T, int Count> struct __heddle_fragment {
    enum { num_elements = Count, num_storage_elements = Count };
    typedef T element_type;
    typedef T storage_element_type;
    alignas(sizeof(T) * Count < 16 ? sizeof(T) * Count : 16) T x[Count];
};
// Elements of less than a byte: Count of them in one Storage, the first in the low bits.
template <typename T, typename Storage, int Count> struct __heddle_packed_fragment {
    enum { num_elements = Count, num_storage_elements = 1 };
    typedef T element_type;
    typedef Storage storage_element_type;
    Storage x[1];
};
typedef unsigned int __attribute__((may_alias)) __heddle_word;
template <typename Use, int m, int n, int k, typename T, typename Layout>
__device__ __forceinline__ void fill_fragment(fragment<Use, m, n, k, T, Layout> &f,
                                              const typename fragment<Use, m, n, k, T, Layout>::element_type &value)
{
    for (int i = 0; i < f.num_elements; i++)
        f.x[i] = value;
}
__device__ __forceinline__ float __float_to_tf32(float f)
{
    float r;
    __asm__("{ .reg .b32 t; cvt.rna.tf32.f32 t, %1; mov.b32 %0, t; }" : "=f"(r) : "f"(f));
    return r;
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
#if defined(__CUDA_ARCH__)
#define HEDDLE_MMA_ASM __asm__ __volatile__
#else
#define HEDDLE_MMA_ASM(...) (void)0 // the host's pass only looks at device functions
#endif
#define HEDDLE_MMA_LOAD_1(insn, out, f, p, stride)                                                                     \
    HEDDLE_MMA_ASM(insn " {%0}, [%1], %2;" : out(f[0]) : "l"(p), "r"(stride) : "memory")
#define HEDDLE_MMA_LOAD_2(insn, out, f, p, stride)                                                                     \
    HEDDLE_MMA_ASM(insn " {%0, %1}, [%2], %3;" : out(f[0]), out(f[1]) : "l"(p), "r"(stride) : "memory")
#define HEDDLE_MMA_LOAD_4(insn, out, f, p, stride)                                                                     \
    HEDDLE_MMA_ASM(insn " {%0, %1, %2, %3}, [%4], %5;"                                                                 \
                   : out(f[0]), out(f[1]), out(f[2]), out(f[3])                                                        \
                   : "l"(p), "r"(stride)                                                                               \
                   : "memory")
#define HEDDLE_MMA_LOAD_8(insn, out, f, p, stride)                                                                     \
    HEDDLE_MMA_ASM(insn " {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"                                                 \
                   : out(f[0]), out(f[1]), out(f[2]), out(f[3]), out(f[4]), out(f[5]), out(f[6]), out(f[7])            \
                   : "l"(p), "r"(stride)                                                                               \
                   : "memory")
#define HEDDLE_MMA_STORE_2(insn, in, f, p, stride)                                                                     \
    HEDDLE_MMA_ASM(insn " [%2], {%0, %1}, %3;" : : in(f[0]), in(f[1]), "l"(p), "r"(stride) : "memory")
#define HEDDLE_MMA_STORE_4(insn, in, f, p, stride)                                                                     \
    HEDDLE_MMA_ASM(insn " [%4], {%0, %1, %2, %3}, %5;"                                                                 \
                   :                                                                                                   \
                   : in(f[0]), in(f[1]), in(f[2]), in(f[3]), "l"(p), "r"(stride)                                       \
                   : "memory")
#define HEDDLE_MMA_STORE_8(insn, in, f, p, stride)                                                                     \
    HEDDLE_MMA_ASM(insn " [%8], {%0, %1, %2, %3, %4, %5, %6, %7}, %9;"                                                 \
                   :                                                                                                   \
                   : in(f[0]), in(f[1]), in(f[2]), in(f[3]), in(f[4]), in(f[5]), in(f[6]), in(f[7]), "l"(p),           \
                     "r"(stride)                                                                                       \
                   : "memory")
#define HEDDLE_MMA_8_8_8(insn, out, in, ab, d, a, b, c)                                                                \
    HEDDLE_MMA_ASM(insn " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, "  \
                        "%19, %20, %21, %22, %23}, {%24, %25, %26, %27, %28, %29, %30, %31};"                          \
                   : out(d[0]), out(d[1]), out(d[2]), out(d[3]), out(d[4]), out(d[5]), out(d[6]), out(d[7])            \
                   : ab(a[0]), ab(a[1]), ab(a[2]), ab(a[3]), ab(a[4]), ab(a[5]), ab(a[6]), ab(a[7]), ab(b[0]),         \
                     ab(b[1]), ab(b[2]), ab(b[3]), ab(b[4]), ab(b[5]), ab(b[6]), ab(b[7]), in(c[0]), in(c[1]),         \
                     in(c[2]), in(c[3]), in(c[4]), in(c[5]), in(c[6]), in(c[7]))
#define HEDDLE_MMA_4_8_8(insn, out, in, ab, d, a, b, c)                                                                \
    HEDDLE_MMA_ASM(insn " {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, "  \
                        "%19}, {%20, %21, %22, %23};"                                                                  \
                   : out(d[0]), out(d[1]), out(d[2]), out(d[3])                                                        \
                   : ab(a[0]), ab(a[1]), ab(a[2]), ab(a[3]), ab(a[4]), ab(a[5]), ab(a[6]), ab(a[7]), ab(b[0]),         \
                     ab(b[1]), ab(b[2]), ab(b[3]), ab(b[4]), ab(b[5]), ab(b[6]), ab(b[7]), in(c[0]), in(c[1]),         \
                     in(c[2]), in(c[3]))
#define HEDDLE_MMA_8_4_4(insn, out, in, ab, d, a, b, c)                                                                \
    HEDDLE_MMA_ASM(insn " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, "     \
                        "%18, %19, %20, %21, %22, %23};"                                                               \
                   : out(d[0]), out(d[1]), out(d[2]), out(d[3]), out(d[4]), out(d[5]), out(d[6]), out(d[7])            \
                   : ab(a[0]), ab(a[1]), ab(a[2]), ab(a[3]), ab(b[0]), ab(b[1]), ab(b[2]), ab(b[3]), in(c[0]),         \
                     in(c[1]), in(c[2]), in(c[3]), in(c[4]), in(c[5]), in(c[6]), in(c[7]))
#define HEDDLE_MMA_8_2_8(insn, out, in, ab, d, a, b, c)                                                                \
    HEDDLE_MMA_ASM(insn " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13, %14, %15, %16, %17}, "      \
                        "{%18, %19, %20, %21, %22, %23, %24, %25};"                                                    \
                   : out(d[0]), out(d[1]), out(d[2]), out(d[3]), out(d[4]), out(d[5]), out(d[6]), out(d[7])            \
                   : ab(a[0]), ab(a[1]), ab(b[0]), ab(b[1]), ab(b[2]), ab(b[3]), ab(b[4]), ab(b[5]), ab(b[6]),         \
                     ab(b[7]), in(c[0]), in(c[1]), in(c[2]), in(c[3]), in(c[4]), in(c[5]), in(c[6]), in(c[7]))
#define HEDDLE_MMA_8_8_2(insn, out, in, ab, d, a, b, c)                                                                \
    HEDDLE_MMA_ASM(insn " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17}, "      \
                        "{%18, %19, %20, %21, %22, %23, %24, %25};"                                                    \
                   : out(d[0]), out(d[1]), out(d[2]), out(d[3]), out(d[4]), out(d[5]), out(d[6]), out(d[7])            \
                   : ab(a[0]), ab(a[1]), ab(a[2]), ab(a[3]), ab(a[4]), ab(a[5]), ab(a[6]), ab(a[7]), ab(b[0]),         \
                     ab(b[1]), in(c[0]), in(c[1]), in(c[2]), in(c[3]), in(c[4]), in(c[5]), in(c[6]), in(c[7]))
#define HEDDLE_MMA_8_2_2(insn, out, in, ab, d, a, b, c)                                                                \
    HEDDLE_MMA_ASM(                                                                                                    \
        insn " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};"      \
        : out(d[0]), out(d[1]), out(d[2]), out(d[3]), out(d[4]), out(d[5]), out(d[6]), out(d[7])                       \
        : ab(a[0]), ab(a[1]), ab(b[0]), ab(b[1]), in(c[0]), in(c[1]), in(c[2]), in(c[3]), in(c[4]), in(c[5]),          \
          in(c[6]), in(c[7]))
#define HEDDLE_MMA_8_1_4(insn, out, in, ab, d, a, b, c)                                                                \
    HEDDLE_MMA_ASM(                                                                                                    \
        insn " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8}, {%9, %10, %11, %12}, {%13, %14, %15, %16, %17, %18, %19, %20};" \
        : out(d[0]), out(d[1]), out(d[2]), out(d[3]), out(d[4]), out(d[5]), out(d[6]), out(d[7])                       \
        : ab(a[0]), ab(b[0]), ab(b[1]), ab(b[2]), ab(b[3]), in(c[0]), in(c[1]), in(c[2]), in(c[3]), in(c[4]),          \
          in(c[5]), in(c[6]), in(c[7]))
#define HEDDLE_MMA_8_4_1(insn, out, in, ab, d, a, b, c)                                                                \
    HEDDLE_MMA_ASM(                                                                                                    \
        insn " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12}, {%13, %14, %15, %16, %17, %18, %19, %20};" \
        : out(d[0]), out(d[1]), out(d[2]), out(d[3]), out(d[4]), out(d[5]), out(d[6]), out(d[7])                       \
        : ab(a[0]), ab(a[1]), ab(a[2]), ab(a[3]), ab(b[0]), in(c[0]), in(c[1]), in(c[2]), in(c[3]), in(c[4]),          \
          in(c[5]), in(c[6]), in(c[7]))
#define HEDDLE_MMA_2_1_1(insn, out, in, ab, d, a, b, c)                                                                \
    HEDDLE_MMA_ASM(insn " {%0, %1}, {%2}, {%3}, {%4, %5};"                                                             \
                   : out(d[0]), out(d[1])                                                                              \
                   : ab(a[0]), ab(b[0]), in(c[0]), in(c[1]))
#define HEDDLE_OUT_WORD   "=r"
#define HEDDLE_IN_WORD    "r"
#define HEDDLE_OUT_FLOAT  "=f"
#define HEDDLE_IN_FLOAT   "f"
#define HEDDLE_OUT_DOUBLE "=d"
#define HEDDLE_IN_DOUBLE  "d"

// One matrix: T elements, `count` of them in `words` registers that are read as R.
#define HEDDLE_MMA_OPERAND(use, letter, m, n, k, T, Element, name, count, words, R, kind, layout)                      \
    template <> class fragment<use, m, n, k, T, layout##_major> : public __heddle_fragment<Element, count>             \
    {                                                                                                                  \
    };                                                                                                                 \
    __device__ __forceinline__ void load_matrix_sync(fragment<use, m, n, k, T, layout##_major> &f, const Element *p,   \
                                                     unsigned int stride)                                              \
    {                                                                                                                  \
        R *r = (R *)f.x;                                                                                               \
        (void)r;                                                                                                       \
        HEDDLE_MMA_LOAD_##words("wmma.load." letter ".sync.aligned." #layout ".m" #m "n" #n "k" #k "." name,           \
                                HEDDLE_OUT_##kind, r, p, stride);                                                      \
    }
#define HEDDLE_MMA_SUM(m, n, k, T, name, count, words, R, kind)                                                        \
    template <> class fragment<accumulator, m, n, k, T, void> : public __heddle_fragment<T, count>                     \
    {                                                                                                                  \
    };                                                                                                                 \
    __device__ __forceinline__ void load_matrix_sync(fragment<accumulator, m, n, k, T> &f, const T *p,                 \
                                                     unsigned int stride, layout_t layout)                             \
    {                                                                                                                  \
        R *r = (R *)f.x;                                                                                               \
        (void)r;                                                                                                       \
        if (layout == mem_row_major)                                                                                   \
            HEDDLE_MMA_LOAD_##words("wmma.load.c.sync.aligned.row.m" #m "n" #n "k" #k "." name, HEDDLE_OUT_##kind, r,  \
                                    p, stride);                                                                        \
        else                                                                                                           \
            HEDDLE_MMA_LOAD_##words("wmma.load.c.sync.aligned.col.m" #m "n" #n "k" #k "." name, HEDDLE_OUT_##kind, r,  \
                                    p, stride);                                                                        \
    }                                                                                                                  \
    __device__ __forceinline__ void store_matrix_sync(T *p, const fragment<accumulator, m, n, k, T> &f,                \
                                                      unsigned int stride, layout_t layout)                            \
    {                                                                                                                  \
        const R *r = (const R *)f.x;                                                                                   \
        (void)r;                                                                                                       \
        if (layout == mem_row_major)                                                                                   \
            HEDDLE_MMA_STORE_##words("wmma.store.d.sync.aligned.row.m" #m "n" #n "k" #k "." name, HEDDLE_IN_##kind, r, \
                                     p, stride);                                                                       \
        else                                                                                                           \
            HEDDLE_MMA_STORE_##words("wmma.store.d.sync.aligned.col.m" #m "n" #n "k" #k "." name, HEDDLE_IN_##kind, r, \
                                     p, stride);                                                                       \
    }
// The product, for one pair of layouts. types: what stands behind the shape.
#define HEDDLE_MMA_PRODUCT(m, n, k, T, S, types, d, a, b, R, kind, AR, akind, la, lb)                                  \
    __device__ __forceinline__ void mma_sync(                                                                          \
        fragment<accumulator, m, n, k, S> &result, const fragment<matrix_a, m, n, k, T, la##_major> &fa,               \
        const fragment<matrix_b, m, n, k, T, lb##_major> &fb, const fragment<accumulator, m, n, k, S> &fc)             \
    {                                                                                                                  \
        R *rd = (R *)result.x;                                                                                         \
        const AR *ra = (const AR *)fa.x, *rb = (const AR *)fb.x;                                                       \
        const R *rc = (const R *)fc.x;                                                                                 \
        (void)rd, (void)ra, (void)rb, (void)rc;                                                                        \
        HEDDLE_MMA_##d##_##a##_##b("wmma.mma.sync.aligned." #la "." #lb ".m" #m "n" #n "k" #k "." types,               \
                                   HEDDLE_OUT_##kind, HEDDLE_IN_##kind, HEDDLE_IN_##akind, rd, ra, rb, rc);            \
    }
#define HEDDLE_MMA_PRODUCTS(m, n, k, T, S, types, d, a, b, R, kind, AR, akind)                                         \
    HEDDLE_MMA_PRODUCT(m, n, k, T, S, types, d, a, b, R, kind, AR, akind, row, row)                                    \
    HEDDLE_MMA_PRODUCT(m, n, k, T, S, types, d, a, b, R, kind, AR, akind, row, col)                                    \
    HEDDLE_MMA_PRODUCT(m, n, k, T, S, types, d, a, b, R, kind, AR, akind, col, row)                                    \
    HEDDLE_MMA_PRODUCT(m, n, k, T, S, types, d, a, b, R, kind, AR, akind, col, col)
#define HEDDLE_MMA_OPERANDS(m, n, k, T, Element, name, acount, a, bcount, b, R, kind)                                  \
    HEDDLE_MMA_OPERAND(matrix_a, "a", m, n, k, T, Element, name, acount, a, R, kind, row)                              \
    HEDDLE_MMA_OPERAND(matrix_a, "a", m, n, k, T, Element, name, acount, a, R, kind, col)                              \
    HEDDLE_MMA_OPERAND(matrix_b, "b", m, n, k, T, Element, name, bcount, b, R, kind, row)                              \
    HEDDLE_MMA_OPERAND(matrix_b, "b", m, n, k, T, Element, name, bcount, b, R, kind, col)

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
    static __device__ __forceinline__ int dot(unsigned int a, unsigned int b)
    {
        int sum = 0;
        for (int i = 0; i < 32; i += 4)
            sum += (int)(a >> i & 15) * (int)(b >> i & 15);
        return sum;
    }
};
struct __heddle_mma_s4 {
    static __device__ __forceinline__ int dot(unsigned int a, unsigned int b)
    {
        int sum = 0;
        for (int i = 0; i < 32; i += 4)
            sum += ((int)(a << (28 - i)) >> 28) * ((int)(b << (28 - i)) >> 28);
        return sum;
    }
};
struct __heddle_mma_xor {
    static __device__ __forceinline__ int dot(unsigned int a, unsigned int b)
    {
        return __popc(a ^ b);
    }
};
struct __heddle_mma_and {
    static __device__ __forceinline__ int dot(unsigned int a, unsigned int b)
    {
        return __popc(a & b);
    }
};
template <typename Op>
__device__ __forceinline__ void __heddle_mma_packed(int *d, unsigned int a, unsigned int b, const int *c, bool clamp)
{
    unsigned int lane = __heddle_mma_lane();
    int sum[2] = {0, 0};
    for (unsigned int w = 0; w < 4; w++) {
        unsigned int row = __shfl_sync(0xffffffffu, a, (int)((lane & ~3u) + w));
        for (unsigned int i = 0; i < 2; i++)
            sum[i] += Op::dot(row, __shfl_sync(0xffffffffu, b, (int)((lane % 4 * 2 + i) * 4 + w)));
    }
    for (int i = 0; i < 2; i++) {
        long long whole = (long long)c[i] + sum[i], most = 0x7fffffff;
        if (clamp)
            whole = whole > most ? most : whole < -most - 1 ? -most - 1 : whole;
        d[i] = (int)whole;
    }
}
// repeat: one element in the place of each.
#define HEDDLE_MMA_PACKED(use, layout, k, T, Storage, repeat)                                                          \
    template <> class fragment<use, 8, 8, k, T, layout##_major> : public __heddle_packed_fragment<T, Storage, k / 4>   \
    {                                                                                                                  \
    };                                                                                                                 \
    __device__ __forceinline__ void load_matrix_sync(fragment<use, 8, 8, k, T, layout##_major> &f, const void *p,      \
                                                     unsigned int stride)                                              \
    {                                                                                                                  \
        unsigned int lane = __heddle_mma_lane();                                                                       \
        f.x[0] = (Storage)((const __heddle_word *)p)[lane / 4 * (stride / (k / 4)) + lane % 4];                        \
    }                                                                                                                  \
    __device__ __forceinline__ void fill_fragment(fragment<use, 8, 8, k, T, layout##_major> &f, Storage value)         \
    {                                                                                                                  \
        f.x[0] = (Storage)(((unsigned int)value & (0xffffffffu / repeat)) * repeat);                                   \
    }
#define HEDDLE_MMA_PACKED_SUM(k)                                                                                       \
    template <> class fragment<accumulator, 8, 8, k, int, void> : public __heddle_fragment<int, 2>                     \
    {                                                                                                                  \
    };                                                                                                                 \
    __device__ __forceinline__ void load_matrix_sync(fragment<accumulator, 8, 8, k, int> &f, const int *p,             \
                                                     unsigned int stride, layout_t layout)                             \
    {                                                                                                                  \
        unsigned int lane = __heddle_mma_lane(), row = lane / 4, column = lane % 4 * 2;                                \
        for (unsigned int i = 0; i < 2; i++)                                                                           \
            f.x[i] = p[layout == mem_row_major ? row * stride + column + i : (column + i) * stride + row];             \
    }                                                                                                                  \
    __device__ __forceinline__ void store_matrix_sync(int *p, const fragment<accumulator, 8, 8, k, int> &f,            \
                                                      unsigned int stride, layout_t layout)                            \
    {                                                                                                                  \
        unsigned int lane = __heddle_mma_lane(), row = lane / 4, column = lane % 4 * 2;                                \
        for (unsigned int i = 0; i < 2; i++)                                                                           \
            p[layout == mem_row_major ? row * stride + column + i : (column + i) * stride + row] = f.x[i];             \
    }
#define HEDDLE_MMA_NIBBLES(name, Storage)                                                                              \
    HEDDLE_MMA_PACKED(matrix_a, row, 32, experimental::precision::name, Storage, 0x11111111u)                          \
    HEDDLE_MMA_PACKED(matrix_b, col, 32, experimental::precision::name, Storage, 0x11111111u)                          \
    __device__ __forceinline__ void mma_sync(                                                                          \
        fragment<accumulator, 8, 8, 32, int> &d,                                                                       \
        const fragment<matrix_a, 8, 8, 32, experimental::precision::name, row_major> &a,                               \
        const fragment<matrix_b, 8, 8, 32, experimental::precision::name, col_major> &b,                               \
        const fragment<accumulator, 8, 8, 32, int> &c, bool satf = false)                                              \
    {                                                                                                                  \
        __heddle_mma_packed<__heddle_mma_##name>(d.x, (unsigned int)a.x[0], (unsigned int)b.x[0], c.x, satf);          \
    }
HEDDLE_MMA_PACKED_SUM(32)
HEDDLE_MMA_NIBBLES(u4, unsigned int)
HEDDLE_MMA_NIBBLES(s4, int)
HEDDLE_MMA_PACKED_SUM(128)
HEDDLE_MMA_PACKED(matrix_a, row, 128, experimental::precision::b1, unsigned int, 0xffffffffu)
HEDDLE_MMA_PACKED(matrix_b, col, 128, experimental::precision::b1, unsigned int, 0xffffffffu)
__device__ __forceinline__ void
bmma_sync(fragment<accumulator, 8, 8, 128, int> &d,
          const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> &a,
          const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> &b,
          const fragment<accumulator, 8, 8, 128, int> &c, experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
          experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC)
{
    if (op == experimental::bmmaBitOpAND)
        __heddle_mma_packed<__heddle_mma_and>(d.x, a.x[0], b.x[0], c.x, false);
    else
        __heddle_mma_packed<__heddle_mma_xor>(d.x, a.x[0], b.x[0], c.x, false);
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
