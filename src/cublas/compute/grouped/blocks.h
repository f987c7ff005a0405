// SPDX-License-Identifier: Apache-2.0
// A template: blocked products by instructions that multiply groups of neighbouring elements of a line and add up the products. The file
// that includes this defines the words of store.h for a tile, whose panels have FN(ROWS) rows of op(A) and COLUMNS columns of op(B), and
//   PN(name), SOURCE             a name of its own; an element of A and B
//   GROUP_A, GROUP_B             elements of a line that lie side by side in a panel of op(A), of op(B): powers of two
//   FLIP_B                       what elements of B are exclusively or'ed with in panels
//   DEPTH                        k is cut at its multiples
//   TALL, WIDE                   panels of op(A) and of op(B) that are packed at once
//   PN(note_a)(note, panel, depth), PN(note_b)   what a tile wants to know of each line of a panel
//   PN(tile)(p, depth, a, b, rows, columns, c, first, note_a, note_b)   a tile of panels; depth is a multiple of both groups

#define LINES    FN(ROWS)
#define GROUP    GROUP_A
#define FLIP     0
#define PK(name) PN(name##_a)
#include "cublas/compute/grouped/pack.h"
#undef LINES
#undef GROUP
#undef FLIP
#undef PK
#define LINES    COLUMNS
#define GROUP    GROUP_B
#define FLIP     FLIP_B
#define PK(name) PN(name##_b)
#include "cublas/compute/grouped/pack.h"
#undef LINES
#undef GROUP
#undef FLIP
#undef PK

static void PN(run)(const struct product *p)
{
    enum { HEIGHT = TALL * FN(ROWS), WIDTH = WIDE * COLUMNS, STEP = GROUP_A > GROUP_B ? GROUP_A : GROUP_B };
    _Static_assert(DEPTH % STEP == 0, "blocks are of whole groups");
    const SOURCE *a = p->a, *b = p->b;
    const int64_t a_line = p->a_transposed ? p->lda : 1, a_step = p->a_transposed ? 1 : p->lda;
    const int64_t b_line = p->b_transposed ? 1 : p->ldb, b_step = p->b_transposed ? p->ldb : 1;
    int32_t note_a[HEIGHT], note_b[WIDTH];
    SOURCE *pa = product_memory(MEMORY_A, (size_t)HEIGHT * DEPTH * sizeof(SOURCE));
    SOURCE *pb = product_memory(MEMORY_B, (size_t)WIDTH * DEPTH * sizeof(SOURCE));
    for (int64_t j = 0; j < p->n; j += WIDTH)
        for (int64_t d = 0; d < p->k; d += DEPTH) {
            const int64_t columns = product_min(p->n - j, WIDTH), depth = product_min(p->k - d, DEPTH);
            const int64_t full = (depth + STEP - 1) / STEP * STEP;
            PN(pack_b)(pb, full, b + j * b_line + d * b_step, columns, depth, b_line, b_step);
            for (int64_t s = 0; s < columns; s += COLUMNS)
                PN(note_b)(note_b + s, pb + s * full, full);
            for (int64_t i = 0; i < p->m; i += HEIGHT) {
                const int64_t rows = product_min(p->m - i, HEIGHT);
                PN(pack_a)(pa, full, a + i * a_line + d * a_step, rows, depth, a_line, a_step);
                for (int64_t r = 0; r < rows; r += FN(ROWS))
                    PN(note_a)(note_a + r, pa + r * full, full);
                for (int64_t s = 0; s < columns; s += COLUMNS)
                    for (int64_t r = 0; r < rows; r += FN(ROWS))
                        PN(tile)(p, full, pa + r * full, pb + s * full, product_min(rows - r, FN(ROWS)),
                                 product_min(columns - s, COLUMNS), (U *)p->c + i + r + (j + s) * p->ldc, d == 0,
                                 note_a + r, note_b + s);
            }
        }
}
