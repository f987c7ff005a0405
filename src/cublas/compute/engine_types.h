// SPDX-License-Identifier: Apache-2.0
// The engine for all types, for one kind of processor. Its file defines VECTOR_BYTES, ENGINE (a name), and how many vectors of
// rows and columns a tile has: TILE_VECTORS, TILE_COLUMNS; of complex numbers TILE_VECTORS_COMPLEX, TILE_COLUMNS_COMPLEX; the columns
// that small products have at once: SMALL_COLUMNS; and PART_LOAD_S(from, n), PART_STORE_S(to, vector, n) of the first n elements of a
// vector, and the same of D.
#include "cublas/compute/product.h"
#include "library/half.h"
#include <string.h>

#define COMPLEX   0
#define VECTORS   TILE_VECTORS
#define COLUMNS   TILE_COLUMNS
#define UNPACK(s) (s)

#define FN(name) name##_S
#define PN(name) name##_from_S
#define U        float
#define SOURCE   float
#include "cublas/compute/engine.h"
#include "cublas/compute/pack.h"
#define PART_LOAD(from, n)        PART_LOAD_S(from, n)
#define PART_STORE(to, vector, n) PART_STORE_S(to, vector, n)
#include "cublas/compute/small.h"
#undef PN
#undef SOURCE
#undef UNPACK
#define PN(name)  name##_from_H
#define SOURCE    uint16_t
#define UNPACK(s) half_to_float(s)
#include "cublas/compute/pack.h"
#undef PN
#undef UNPACK
#define PN(name)  name##_from_B
#define UNPACK(s) bfloat_to_float(s)
#include "cublas/compute/pack.h"
#undef PN
#undef SOURCE
#undef UNPACK
#define PN(name)  name##_from_IF
#define SOURCE    int8_t
#define UNPACK(s) (s)
#include "cublas/compute/pack.h"
#undef PN
#undef FN
#undef U
#undef SOURCE
#undef UNPACK

#define UNPACK(s) (s)
#define FN(name)  name##_D
#define PN(name)  name##_from_D
#define U         double
#define SOURCE    double
#include "cublas/compute/engine.h"
#include "cublas/compute/pack.h"
#define PART_LOAD(from, n)        PART_LOAD_D(from, n)
#define PART_STORE(to, vector, n) PART_STORE_D(to, vector, n)
#include "cublas/compute/small.h"
#undef PN
#undef FN
#undef U
#undef SOURCE

#define FN(name) name##_I
#define PN(name) name##_from_I
#define U        int32_t
#define SOURCE   int8_t
#include "cublas/compute/engine.h"
#include "cublas/compute/pack.h"
#undef PN
#undef FN
#undef U
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
#define SOURCE   float
#include "cublas/compute/engine.h"
#include "cublas/compute/pack.h"
#undef PN
#undef FN
#undef U
#undef SOURCE

#define FN(name) name##_Z
#define PN(name) name##_from_Z
#define U        double
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
};
