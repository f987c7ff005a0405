// SPDX-License-Identifier: Apache-2.0
// A template: products of bfloat16 by instructions whose sums are float, but for which subnormal numbers are 0, of operands too. Defined by who
// includes this: the words of blocks.h but SOURCE, FLIP_B, DEPTH and the notes, and
//   sums(sum, depth, a, b)   the sums of a tile, a vector of rows and a column each; all of A and B are summed, in any order
//
// Small numbers would be lost. That is not let happen: where it could, an element's sum over a block of DEPTH is made of fused operations
// of floats instead. Whether it could follows from its row of A and its column of B alone:
//
//   Let 2^e and 2^f be the least powers of two of the elements other than 0 of the row and of the column, none of which is subnormal. An
//   element has 8 bits, so that all products are multiples of q = 2^(e - 7) 2^(f - 7). So are all sums of them, before rounding and behind
//   it: a sum whose last place is below q is exact. A multiple of q other than 0 is at least q; if q >= 2^-126 it is normal.
#include "cublas/compute/grouped/turns.h"
#define SOURCE   uint16_t
#define FLIP_B   0
#define DEPTH    PRODUCT_DEPTH
#define FN(name) name##_B
#define PN(name) name##_from_B
#define U        float
#include "cublas/compute/store.h"

// The biased exponent of the least element of each line other than 0. e + f - 14 >= -126 is LEAST for two of them, each biased by 127.
enum { LEAST = 127 + 127 + 14 - 126, NONE = LEAST, SUBNORMAL = -256 };

#define NOTE(name, LINES, GROUP)                                                                                       \
    static void name(int32_t *note, const uint16_t *panel, int64_t depth)                                              \
    {                                                                                                                  \
        uint16_t least[LINES * GROUP];                                                                                 \
        memset(least, 0xff, sizeof least);                                                                             \
        for (int64_t d = 0; d < depth; d += GROUP, panel += LINES * GROUP)                                             \
            for (int q = 0; q < LINES * GROUP; q++) { /* 0 becomes the largest */                                      \
                const uint16_t x = (uint16_t)((panel[q] & 0x7fff) - 1);                                                \
                least[q] = x < least[q] ? x : least[q];                                                                \
            }                                                                                                          \
        for (int i = 0; i < LINES; i++) {                                                                              \
            uint16_t line = 0xffff;                                                                                    \
            for (int q = i * GROUP; q < (i + 1) * GROUP; q++)                                                          \
                line = least[q] < line ? least[q] : line;                                                              \
            const int exponent = (line + 1) >> 7;                                                                      \
            note[i] = line == 0xffff ? NONE : exponent ? exponent : SUBNORMAL;                                         \
        }                                                                                                              \
    }
NOTE(note_a_from_B, ROWS_B, GROUP_A)
NOTE(note_b_from_B, COLUMNS, GROUP_B)

static float float_at(const uint16_t *panel, int lines, int group, int64_t line, int64_t d)
{
    const uint32_t bits = (uint32_t)panel[d / group * (lines * group) + line * group + d % group] << 16;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

// The sums by fused operations, of those elements for which the others may be wrong.
static __attribute__((noinline)) void repair(FN(vector) sum[COLUMNS][1][VECTORS], int64_t depth, const uint16_t *a,
                                             const uint16_t *b, const int32_t *note_a, const int32_t *note_b)
{
    for (int j = 0; j < COLUMNS; j++)
        for (int i = 0; i < FN(ROWS); i++) {
            float right = 0;
            if (note_a[i] + note_b[j] >= LEAST)
                continue;
            for (int64_t d = 0; d < depth; d++)
                right =
                    __builtin_fmaf(float_at(a, FN(ROWS), GROUP_A, i, d), float_at(b, COLUMNS, GROUP_B, j, d), right);
            sum[j][0][i / FN(LANES)][i % FN(LANES)] = right;
        }
}

static inline int32_t least_of(const int32_t *note, int lines)
{
    int32_t least = note[0];
    for (int i = 1; i < lines; i++)
        least = note[i] < least ? note[i] : least;
    return least;
}

static inline void tile_from_B(const struct product *p, int64_t depth, const uint16_t *a, const uint16_t *b,
                               int64_t rows, int64_t columns, float *c, bool first, const int32_t *note_a,
                               const int32_t *note_b)
{
    FN(vector) sum[COLUMNS][1][VECTORS];
    sums(sum, depth, a, b);
    if (__builtin_expect(least_of(note_a, FN(ROWS)) + least_of(note_b, COLUMNS) < LEAST, 0))
        repair(sum, depth, a, b, note_a, note_b);
    FN(tile_store)(p, sum, rows, columns, c, first);
}
#include "cublas/compute/grouped/blocks.h"
