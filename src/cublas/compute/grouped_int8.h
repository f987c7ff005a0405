// SPDX-License-Identifier: Apache-2.0
// A template: products of int8 whose sums are int32, and those whose sums are float. In a block of PRODUCT_DEPTH products of at most 2^14
// the sum is a float without rounding, as it is in the order of engine.h. Defined by who includes this: the words of grouped.h but DEPTH,
// sums(), RUN(name).
_Static_assert(PRODUCT_DEPTH <= 1024, "sums of a block are floats");

#define TILE(name, V)                                                                                                  \
    static inline void PN(low)(int16_t *low, const int8_t *panel, int64_t lines, int64_t groups)                       \
    {                                                                                                                  \
        (void)low, (void)panel, (void)lines, (void)groups;                                                             \
    }                                                                                                                  \
    static inline void PN(tile)(const struct product *p, int64_t groups, const int8_t *a, const int8_t *b,             \
                                int64_t rows, int64_t columns, U *c, bool first, const int16_t *low_a,                 \
                                const int16_t *low_b)                                                                  \
    {                                                                                                                  \
        (void)low_a, (void)low_b;                                                                                      \
        int32x4_t whole[COLUMNS][VECTORS];                                                                             \
        FN(vector) sum[COLUMNS][1][VECTORS];                                                                           \
        sums(whole, groups, a, b);                                                                                     \
        for (int j = 0; j < COLUMNS; j++)                                                                              \
            for (int i = 0; i < VECTORS; i++)                                                                          \
                sum[j][0][i] = __builtin_convertvector(whole[j][i], V);                                                \
        FN(tile_store)(p, sum, rows, columns, c, first);                                                               \
    }

#define DEPTH    1024
#define FN(name) name##_I
#define PN(name) name##_from_I
#define U        int32_t
#include "cublas/compute/store.h"
TILE(I, int32x4_t)
#include "cublas/compute/grouped.h"
#undef FN
#undef PN
#undef U
#undef DEPTH

#define DEPTH    PRODUCT_DEPTH
#define FN(name) name##_S
#define PN(name) name##_from_IF
#define U        float
#include "cublas/compute/store.h"
TILE(IF, float32x4_t)
#include "cublas/compute/grouped.h"

void RUN(product_I)(const struct product *p)
{
    run_from_I(p);
}
void RUN(product_IF)(const struct product *p)
{
    run_from_IF(p);
}
