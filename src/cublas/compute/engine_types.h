// SPDX-License-Identifier: Apache-2.0
// The engine for all types, for one kind of processor. Its file defines VECTOR_BYTES, ENGINE (a name), and how many vectors of
// rows and columns a tile has: TILE_VECTORS, TILE_COLUMNS; of doubles TILE_VECTORS_DOUBLE, TILE_COLUMNS_DOUBLE; of complex numbers
// TILE_VECTORS_COMPLEX, TILE_COLUMNS_COMPLEX; TILE_BY_LANES: whether an instruction multiplies by one lane of a vector, of which a tile's columns are
// then multiples; how many tiles high a packed panel of op(A) is: PANEL_TILES; what products that are not packed have at once (small.h): SMALL_VECTORS, SMALL_COLUMNS, of which SMALL_MOST is the largest, and SMALL_FEWER; and PART_LOAD_S(from, n), PART_STORE_S(to, vector, n) of the
// first n elements of a vector, and the same of D.
#include "cublas/compute/product.h"
#include "library/half.h"
#include <string.h>

// ---- elements of other types, as many as a vector has 32-bit lanes
enum { WORDS = VECTOR_BYTES / 4 };
typedef uint32_t words __attribute__((vector_size(VECTOR_BYTES)));
typedef int32_t integers __attribute__((vector_size(VECTOR_BYTES)));
typedef float floats __attribute__((vector_size(VECTOR_BYTES)));

static inline floats floats_of_bfloats(const uint16_t *from)
{
    typedef uint16_t halves __attribute__((vector_size(VECTOR_BYTES / 2)));
    halves h;
    memcpy(&h, from, sizeof h);
    return (floats)(__builtin_convertvector(h, words) << 16);
}

static inline floats floats_of_halves(const uint16_t *from)
{
#if defined(__aarch64__)
    typedef __fp16 halves __attribute__((vector_size(VECTOR_BYTES / 2)));
    halves h;
    memcpy(&h, from, sizeof h);
    return __builtin_convertvector(h, floats);
#else
    floats f;
    for (int i = 0; i < WORDS; i++)
        f[i] = half_to_float(from[i]);
    return f;
#endif
}

static inline integers integers_of_bytes(const int8_t *from)
{
    typedef int8_t bytes __attribute__((vector_size(VECTOR_BYTES / 4)));
    bytes b;
    memcpy(&b, from, sizeof b);
    return __builtin_convertvector(b, integers);
}

#define COMPLEX             0
#define VECTORS             TILE_VECTORS
#define COLUMNS             TILE_COLUMNS
#define UNPACK(s)           (s)
#define UNPACK_VECTOR(from) (*(const FN(vector) *)(from))

#define FN(name) name##_S
#define PN(name) name##_from_S
#define U        float
#define U_BYTES  4
#define SOURCE   float
#include "cublas/compute/engine.h"
#include "cublas/compute/pack.h"
#define PART_LOAD(from, n)        PART_LOAD_S(from, n)
#define PART_STORE(to, vector, n) PART_STORE_S(to, vector, n)
#include "cublas/compute/small.h"
#undef PN
#undef SOURCE
#undef UNPACK
#undef UNPACK_VECTOR
#define PN(name)            name##_from_H
#define SOURCE              uint16_t
#define UNPACK(s)           half_to_float(s)
#define UNPACK_VECTOR(from) floats_of_halves(from)
#include "cublas/compute/pack.h"
#undef PN
#undef UNPACK
#undef UNPACK_VECTOR
#define PN(name)            name##_from_B
#define UNPACK(s)           bfloat_to_float(s)
#define UNPACK_VECTOR(from) floats_of_bfloats(from)
#include "cublas/compute/pack.h"
#undef PN
#undef SOURCE
#undef UNPACK
#undef UNPACK_VECTOR
#define PN(name)            name##_from_IF
#define SOURCE              int8_t
#define UNPACK(s)           (s)
#define UNPACK_VECTOR(from) __builtin_convertvector(integers_of_bytes(from), floats)
#include "cublas/compute/pack.h"
#undef PN
#undef FN
#undef U
#undef U_BYTES
#undef SOURCE
#undef UNPACK_VECTOR

#define FN(name)            name##_I
#define PN(name)            name##_from_I
#define U                   int32_t
#define U_BYTES             4
#define SOURCE              int8_t
#define UNPACK_VECTOR(from) integers_of_bytes(from)
#include "cublas/compute/engine.h"
#include "cublas/compute/pack.h"
#undef PN
#undef FN
#undef U
#undef U_BYTES
#undef SOURCE
#undef UNPACK_VECTOR

#undef VECTORS
#undef COLUMNS
#define VECTORS             TILE_VECTORS_DOUBLE
#define COLUMNS             TILE_COLUMNS_DOUBLE
#define UNPACK_VECTOR(from) (*(const FN(vector) *)(from))
#define FN(name)            name##_D
#define PN(name)            name##_from_D
#define U                   double
#define U_BYTES             8
#define SOURCE              double
#include "cublas/compute/engine.h"
#include "cublas/compute/pack.h"
#define PART_LOAD(from, n)        PART_LOAD_D(from, n)
#define PART_STORE(to, vector, n) PART_STORE_D(to, vector, n)
#include "cublas/compute/small.h"
#undef PN
#undef FN
#undef U
#undef U_BYTES
#undef SOURCE

#undef COMPLEX
#undef VECTORS
#undef COLUMNS
#define COMPLEX  1
#define VECTORS  TILE_VECTORS_COMPLEX
#define COLUMNS  TILE_COLUMNS_COMPLEX
#define FN(name) name##_C
#define PN(name) name##_from_C
#define U        float
#define U_BYTES  4
#define SOURCE   float
#include "cublas/compute/engine.h"
#include "cublas/compute/pack.h"
#undef PN
#undef FN
#undef U
#undef U_BYTES
#undef SOURCE

#define FN(name) name##_Z
#define PN(name) name##_from_Z
#define U        double
#define U_BYTES  8
#define SOURCE   double
#include "cublas/compute/engine.h"
#include "cublas/compute/pack.h"

#define ENGINE_TEXT_(x) #x
#define ENGINE_TEXT(x)  ENGINE_TEXT_(x)
#define ENGINE_CAT_(x)  engine_##x
#define ENGINE_CAT(x)   ENGINE_CAT_(x)
const struct engine ENGINE_CAT(ENGINE) = {
    .name = ENGINE_TEXT(ENGINE),
    .run = {[PRODUCT_S] = run_from_S,
            [PRODUCT_D] = run_from_D,
            [PRODUCT_C] = run_from_C,
            [PRODUCT_Z] = run_from_Z,
            [PRODUCT_H] = run_from_H,
            [PRODUCT_B] = run_from_B,
            [PRODUCT_I] = run_from_I,
            [PRODUCT_IF] = run_from_IF},
    .small = {[PRODUCT_S] = small_S, [PRODUCT_D] = small_D},
#ifdef ENGINE_ALONE
    .alone = ENGINE_ALONE,
#endif
};
