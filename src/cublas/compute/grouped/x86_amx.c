// SPDX-License-Identifier: Apache-2.0
// Products of int8 and bfloat16 with AMX, whose registers are tiles of 16 rows of 64 bytes. Compiled for it (CMakeLists.txt), and called where it is
// there and Linux lets the process use it (special.c).
//
// An instruction adds the products of two tiles to one of 16 x 16 sums. A row of the first operand has 64 bytes of a column of op(B), so that panels of op(B) have
// groups of 64 bytes; a row of the second one has a group of 4 bytes of each of 16 rows of op(A). So a row of sums lies in a column of C.
// Four tiles of sums are a tile of C. bfloat16 is summed as by VDPBF16PS, but the first and the second products of pairs apart, which are added up at the end of an instruction.
#if (defined(__AMX_INT8__) && defined(__AMX_BF16__)) || defined(PRODUCT_MODEL)
#include "cublas/compute/product.h"
#include <string.h>
#ifndef PRODUCT_MODEL // a test, which has the instructions in C
#include <immintrin.h>
#endif
#define VECTOR_BYTES 64
#define COMPLEX      0
#define PANEL_TILES  8
#define VECTORS      2
#define COLUMNS      32
typedef int32_t integers __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias));
enum { TILE_LINES = 16, TILE_ROW = 64, HIGH = 2 * TILE_ROW };

// All tiles are whole.
static void tiles_begin(void)
{
    struct {
        uint8_t palette, start, none[14];
        uint16_t row_bytes[16];
        uint8_t rows[16];
    } shape = {.palette = 1};
    for (int i = 0; i < 8; i++) {
        shape.row_bytes[i] = TILE_ROW;
        shape.rows[i] = TILE_LINES;
    }
    _tile_loadconfig(&shape);
}

// The sums over steps of 64 bytes of each line, in tiles 0 to 3, go to memory. Tiles 4 and 5 are of op(A), 6 and 7 of op(B).
#define SUMS(name, INSTRUCTION)                                                                                        \
    static inline void name(void *sum, int64_t steps, const char *a, const char *b)                                    \
    {                                                                                                                  \
        _tile_zero(0);                                                                                                 \
        _tile_zero(1);                                                                                                 \
        _tile_zero(2);                                                                                                 \
        _tile_zero(3);                                                                                                 \
        for (; steps > 0; steps--, a += 2 * TILE_LINES * TILE_ROW, b += 2 * TILE_LINES * TILE_ROW) {                   \
            _tile_loadd(4, a, HIGH);                                                                                   \
            _tile_loadd(6, b, TILE_ROW);                                                                               \
            INSTRUCTION(0, 6, 4);                                                                                      \
            _tile_loadd(5, a + TILE_ROW, HIGH);                                                                        \
            INSTRUCTION(1, 6, 5);                                                                                      \
            _tile_loadd(7, b + TILE_LINES * TILE_ROW, TILE_ROW);                                                       \
            INSTRUCTION(2, 7, 4);                                                                                      \
            INSTRUCTION(3, 7, 5);                                                                                      \
        }                                                                                                              \
        _tile_stored(0, (char *)sum, HIGH);                                                                            \
        _tile_stored(1, (char *)sum + TILE_ROW, HIGH);                                                                 \
        _tile_stored(2, (char *)sum + TILE_LINES * HIGH, HIGH);                                                        \
        _tile_stored(3, (char *)sum + TILE_LINES * HIGH + TILE_ROW, HIGH);                                             \
    }
SUMS(sums_of_bytes, _tile_dpbssd)
SUMS(sums_of_bfloats, _tile_dpbf16ps)

static inline void note_rows(int32_t *note, const int8_t *panel, int64_t depth)
{
    (void)note, (void)panel, (void)depth;
}

#define sums(sum, depth, a, b, note) sums_of_bytes(sum, (depth) / 64, (const char *)(a), (const char *)(b))
#define GROUP_A                      4
#define GROUP_B                      64
#define FLIP_B                       0
#define INTEGERS                     integers
#define DEPTH_INT8                   1024
#define TALL                         16
#define WIDE                         24
#include "cublas/compute/grouped/int8.h"
#undef sums
#undef GROUP_A
#undef TALL
#undef WIDE
#undef GROUP_B
#undef FLIP_B

#define sums(sum, depth, a, b) sums_of_bfloats(sum, (depth) / 32, (const char *)(a), (const char *)(b))
#define GROUP_A                2
#define GROUP_B                32
#define TALL                   32
#define WIDE                   24
#include "cublas/compute/grouped/bf16.h"

// The state of tiles is given back, so that nobody has to save it.
#define IN_TILES(name, run)                                                                                            \
    void name##_amx(const struct product *p)                                                                           \
    {                                                                                                                  \
        tiles_begin();                                                                                                 \
        run(p);                                                                                                        \
        _tile_release();                                                                                               \
    }
IN_TILES(product_I, run_from_I)
IN_TILES(product_IF, run_from_IF)
IN_TILES(product_B, run_from_B)
#endif
