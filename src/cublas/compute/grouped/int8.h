// SPDX-License-Identifier: Apache-2.0
// A template: products of int8 whose sums are int32, and those whose sums are float. In a block of PRODUCT_DEPTH products of at most 2^14
// the sum is a float without rounding, as it is in the order of engine.h. Defined by who includes this: the words of blocks.h but SOURCE, DEPTH
// and the notes, INTEGERS, a vector of VECTOR_BYTES, DEPTH_INT8, and
//   sums(sum, depth, a, b, note)    the sums of a tile, a vector of rows and a column each
//   note_rows(note, panel, depth)   what it wants to know of the rows of a panel
#include "cublas/compute/grouped/turns.h"
#define SOURCE int8_t
_Static_assert(PRODUCT_DEPTH <= 1024, "sums of a block are floats");

#define TILE(V)                                                                                                        \
    static inline void PN(note_a)(int32_t *note, const int8_t *panel, int64_t depth)                                   \
    {                                                                                                                  \
        note_rows(note, panel, depth);                                                                                 \
    }                                                                                                                  \
    static inline void PN(note_b)(int32_t *note, const int8_t *panel, int64_t depth)                                   \
    {                                                                                                                  \
        (void)note, (void)panel, (void)depth;                                                                          \
    }                                                                                                                  \
    static inline void PN(tile)(const struct product *p, int64_t depth, const int8_t *a, const int8_t *b,              \
                                int64_t rows, int64_t columns, U *c, bool first, const int32_t *of_a,                  \
                                const int32_t *of_b)                                                                   \
    {                                                                                                                  \
        (void)of_a, (void)of_b;                                                                                        \
        INTEGERS whole[COLUMNS][VECTORS];                                                                              \
        FN(vector) sum[COLUMNS][1][VECTORS];                                                                           \
        sums(whole, depth, a, b, of_a);                                                                                \
        for (int j = 0; j < COLUMNS; j++)                                                                              \
            for (int i = 0; i < VECTORS; i++)                                                                          \
                sum[j][0][i] = __builtin_convertvector(whole[j][i], V);                                                \
        FN(tile_store)(p, sum, rows, columns, c, first);                                                               \
    }

#define DEPTH    DEPTH_INT8
#define FN(name) name##_I
#define PN(name) name##_from_I
#define U        int32_t
#include "cublas/compute/store.h"
TILE(vector_I)
#include "cublas/compute/grouped/blocks.h"
#undef FN
#undef PN
#undef U
#undef DEPTH

#define DEPTH    PRODUCT_DEPTH
#define FN(name) name##_S
#define PN(name) name##_from_IF
#define U        float
#include "cublas/compute/store.h"
TILE(vector_S)
#include "cublas/compute/grouped/blocks.h"
#undef FN
#undef PN
#undef U
#undef DEPTH
#undef SOURCE
#undef TILE
