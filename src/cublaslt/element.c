// SPDX-License-Identifier: Apache-2.0
// Conversions of rows of elements.
#include "cublaslt/element.h"
#include "library/half.h"
#include <math.h>

static const struct {
    cudaDataType data_type;
    unsigned char bytes;
} types[LT_TYPES] = {
    [LT_S] = {CUDA_R_32F, 4}, [LT_D] = {CUDA_R_64F, 8},  [LT_C] = {CUDA_C_32F, 8},      [LT_Z] = {CUDA_C_64F, 16},
    [LT_H] = {CUDA_R_16F, 2}, [LT_B] = {CUDA_R_16BF, 2}, [LT_E4] = {CUDA_R_8F_E4M3, 1}, [LT_E5] = {CUDA_R_8F_E5M2, 1},
    [LT_J] = {CUDA_R_8I, 1},  [LT_I] = {CUDA_R_32I, 4},
};

enum lt_type lt_type_of(cudaDataType type)
{
    enum lt_type t = 0;
    while (t < LT_TYPES && types[t].data_type != type)
        t++;
    return t;
}

size_t lt_size(enum lt_type type)
{
    return types[type].bytes;
}

// ---- fp8. The exponent is moved by a product with a power of two, as that of half precision is in library/half.h.
static float e4_to_float(uint8_t v)
{
    uint32_t sign = (uint32_t)(v & 0x80) << 24, rest = (uint32_t)(v & 0x7f) << 20;
    float number = half_bits(rest) * 0x1p120f;
    return half_bits(((v & 0x7f) == 0x7f ? 0x7fc00000 : half_bits_of(number)) | sign);
}

static float e5_to_float(uint8_t v)
{
    return half_to_float((uint16_t)(v << 8));
}

// low: bits of a float's fraction that go; bias: between the exponents; most: the largest finite number; tiny: below it numbers are
// subnormal, and a sum with `step` puts their last place where it belongs.
static inline uint8_t fp8_of_float(float f, int low, uint32_t bias, uint32_t most, float tiny, float step)
{
    uint32_t bits = half_bits_of(f), sign = bits >> 24 & 0x80, rest = bits & 0x7fffffff;
    if (rest > 0x7f800000)
        return (uint8_t)(sign | 0x7f);
    if (half_bits(rest) < tiny)
        return (uint8_t)(sign | (half_bits_of(half_bits(rest) + step) - half_bits_of(step)));
    uint32_t odd = rest >> low & 1, rounded = (rest - (bias << 23) + (1u << (low - 1)) - 1 + odd) >> low;
    return (uint8_t)(sign | (rounded > most ? most : rounded));
}

static uint8_t e4_of_float(float f)
{
    return fp8_of_float(f, 20, 120, 0x7e, 0x1p-6f, 0x1p14f);
}

static uint8_t e5_of_float(float f)
{
    return fp8_of_float(f, 21, 112, 0x7b, 0x1p-14f, 0x1p7f);
}

void lt_fp8_to_half(enum lt_type type, uint16_t *to, const void *from, int64_t n)
{
    const uint8_t *v = from;
    if (type == LT_E5)
        for (int64_t i = 0; i < n; i++)
            to[i] = (uint16_t)(v[i] << 8);
    else
        for (int64_t i = 0; i < n; i++)
            to[i] = half_of_float(e4_to_float(v[i]));
}

// ---- integers
static int8_t byte_of_float(float f)
{
    return f != f ? 0 : (int8_t)rintf(f < -128 ? -128 : f > 127 ? 127 : f);
}

static int32_t int_of_float(float f)
{
    return f != f ? 0 : f >= 0x1p31f ? INT32_MAX : f < -0x1p31f ? INT32_MIN : (int32_t)rintf(f);
}

static int8_t byte_of_int(uint32_t u)
{
    int32_t i = (int32_t)u;
    return (int8_t)(i < -128 ? -128 : i > 127 ? 127 : i);
}

// ---- rows: element type, its C type, the number's, the conversions
#define SAME(x) (x)
#define ROWS(_)                                                                                                        \
    _(S, S, float, float, SAME, SAME)                                                                                  \
    _(S, H, uint16_t, float, half_to_float, half_of_float)                                                             \
    _(S, B, uint16_t, float, bfloat_to_float, bfloat_of_float)                                                         \
    _(S, E4, uint8_t, float, e4_to_float, e4_of_float)                                                                 \
    _(S, E5, uint8_t, float, e5_to_float, e5_of_float)                                                                 \
    _(S, J, int8_t, float, SAME, byte_of_float)                                                                        \
    _(S, I, int32_t, float, SAME, int_of_float)                                                                        \
    _(D, D, double, double, SAME, SAME)                                                                                \
    _(C, C, float _Complex, float _Complex, SAME, SAME)                                                                \
    _(Z, Z, double _Complex, double _Complex, SAME, SAME)                                                              \
    _(I, I, int32_t, uint32_t, SAME, SAME)                                                                             \
    _(I, J, int8_t, uint32_t, SAME, byte_of_int)

#define DEFINE(kind, type, E, T, to_number, of_number)                                                                 \
    static void load_##kind##_##type(void *to, const void *from, int64_t n)                                            \
    {                                                                                                                  \
        T *t = to;                                                                                                     \
        const E *e = from;                                                                                             \
        for (int64_t i = 0; i < n; i++)                                                                                \
            t[i] = (T)to_number(e[i]);                                                                                 \
    }                                                                                                                  \
    static void store_##kind##_##type(void *to, const void *from, int64_t n)                                           \
    {                                                                                                                  \
        E *e = to;                                                                                                     \
        const T *t = from;                                                                                             \
        for (int64_t i = 0; i < n; i++)                                                                                \
            e[i] = (E)of_number(t[i]);                                                                                 \
    }
ROWS(DEFINE)

typedef void convert_fn(void *to, const void *from, int64_t n);
#define LOADS(kind, type, E, T, to_number, of_number)  [KIND_##kind][LT_##type] = load_##kind##_##type,
#define STORES(kind, type, E, T, to_number, of_number) [KIND_##kind][LT_##type] = store_##kind##_##type,
static convert_fn *const loads[KINDS][LT_TYPES] = {ROWS(LOADS)}, *const stores[KINDS][LT_TYPES] = {ROWS(STORES)};

size_t lt_kind_size(enum lt_kind kind)
{
    static const unsigned char sizes[KINDS] = {4, 8, 8, 16, 4};
    return sizes[kind];
}

bool lt_converts(enum lt_kind kind, enum lt_type type)
{
    return type < LT_TYPES && loads[kind][type];
}

void lt_load(enum lt_kind kind, enum lt_type type, void *to, const void *from, int64_t n)
{
    loads[kind][type](to, from, n);
}

void lt_store(enum lt_kind kind, enum lt_type type, void *to, const void *from, int64_t n)
{
    stores[kind][type](to, from, n);
}
