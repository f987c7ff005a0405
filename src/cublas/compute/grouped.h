// SPDX-License-Identifier: Apache-2.0
// A template: blocked products by instructions that multiply groups of neighbouring elements of a line and add up the products. Packed
// panels have GROUP elements of each of 8 lines side by side, then the next GROUP of each; what lies beyond an edge is 0. The file
// that includes this defines the words of store.h, for tiles of 8 x 8, and
//   PN(name)   a name of its own            SOURCE, GROUP   an element of A and B, and how many of them are a group
//   TURNS_LOW(a, b), TURNS_HIGH(a, b)       of two vectors of SOURCE, elements in turns: the first halves, the second ones
//   DEPTH      k is cut at its multiples
//   PN(tile)(p, groups, a, b, rows, columns, c, first, low_a, low_b)   a tile of panels
//   PN(low)(low, panel, lines, groups)      what the tile wants to know of each line of a panel

enum {
    PN(LINES) = 8,
    PN(UNIT) = PN(LINES) * GROUP,
    PN(SIDE) = VECTOR_BYTES / sizeof(SOURCE), // lines that are transposed at once
    PN(EACH) = PN(SIDE) / GROUP,              // lines that a vector has behind that
    PN(TALL) = 32 * PN(LINES),                // rows of op(A) that are packed at once
    PN(WIDE) = 96 * PN(LINES),                // columns of op(B)
};
typedef SOURCE PN(sources) __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(SOURCE)), may_alias));

// The group of line i from depth d on, in a panel.
static inline SOURCE *PN(group_at)(SOURCE *to, int64_t groups, int64_t i, int64_t d)
{
    return to + i / PN(LINES) * PN(UNIT) * groups + d / GROUP * PN(UNIT) + i % PN(LINES) * GROUP;
}

// Groups of one line from depth d on, element by element.
static void PN(pack_line)(SOURCE *to, int64_t groups, const SOURCE *x, int64_t i, int64_t line, int64_t step, int64_t d,
                          int64_t depth)
{
    for (; d < groups * GROUP; d += GROUP) {
        SOURCE *at = PN(group_at)(to, groups, i, d);
        for (int64_t q = 0; q < GROUP; q++)
            at[q] = d + q < depth ? x[i * line + (d + q) * step] : 0;
    }
}

// Lines that lie side by side: GROUP elements of SIDE lines become SIDE groups, by as many rounds as 2 has to be multiplied for GROUP.
static void PN(pack_sides)(SOURCE *to, int64_t groups, const SOURCE *x, int64_t lines, int64_t step, int64_t depth)
{
    int64_t whole = lines - lines % PN(SIDE), d = 0;
    for (; d + GROUP <= depth; d += GROUP)
        for (int64_t i = 0; i < whole; i += PN(SIDE)) {
            PN(sources) v[GROUP], w[GROUP];
#pragma GCC unroll 8
            for (int q = 0; q < GROUP; q++)
                v[q] = *(const PN(sources) *)(x + i + (d + q) * step);
#pragma GCC unroll 4
            for (int round = 1; round < GROUP; round *= 2) {
#pragma GCC unroll 4
                for (int q = 0; q < GROUP / 2; q++) {
                    w[2 * q] = (PN(sources))TURNS_LOW(v[q], v[q + GROUP / 2]);
                    w[2 * q + 1] = (PN(sources))TURNS_HIGH(v[q], v[q + GROUP / 2]);
                }
#pragma GCC unroll 8
                for (int q = 0; q < GROUP; q++)
                    v[q] = w[q];
            }
#pragma GCC unroll 8
            for (int q = 0; q < GROUP; q++)
                *(PN(sources) *)PN(group_at)(to, groups, i + q * PN(EACH), d) = v[q];
        }
    for (int64_t i = 0; i < lines; i++)
        PN(pack_line)(to, groups, x, i, 1, step, i < whole ? d : 0, depth);
}

// Lines whose elements lie side by side: groups are copied.
static void PN(pack_lines)(SOURCE *to, int64_t groups, const SOURCE *x, int64_t lines, int64_t line, int64_t depth)
{
    int64_t whole = lines - lines % PN(LINES), rest = depth / GROUP * GROUP;
    for (int64_t i = 0; i < whole; i += PN(LINES))
        for (int64_t d = 0; d + GROUP <= depth; d += GROUP) {
            SOURCE *at = PN(group_at)(to, groups, i, d);
#pragma GCC unroll 8
            for (int q = 0; q < PN(LINES); q++)
                memcpy(at + q * GROUP, x + (i + q) * line + d, GROUP * sizeof(SOURCE));
        }
    for (int64_t i = 0; i < lines; i++)
        PN(pack_line)(to, groups, x, i, line, 1, i < whole ? rest : 0, depth);
}

static void PN(pack)(SOURCE *to, int16_t *low, const SOURCE *x, int64_t lines, int64_t depth, int64_t line,
                     int64_t step)
{
    int64_t groups = (depth + GROUP - 1) / GROUP, all = (lines + PN(LINES) - 1) / PN(LINES) * PN(LINES);
    if (line == 1)
        PN(pack_sides)(to, groups, x, lines, step, depth);
    else
        PN(pack_lines)(to, groups, x, lines, line, depth);
    for (int64_t i = lines; i < all; i++)
        PN(pack_line)(to, groups, x, i, 0, 0, 0, 0);
    PN(low)(low, to, all, groups);
}

static void PN(run)(const struct product *p)
{
    const SOURCE *a = p->a, *b = p->b;
    const int64_t a_line = p->a_transposed ? p->lda : 1, a_step = p->a_transposed ? 1 : p->lda;
    const int64_t b_line = p->b_transposed ? 1 : p->ldb, b_step = p->b_transposed ? p->ldb : 1;
    int16_t low_a[PN(TALL)], low_b[PN(WIDE)];
    SOURCE *pa = product_memory(MEMORY_A, (size_t)PN(TALL) * DEPTH * sizeof(SOURCE));
    SOURCE *pb = product_memory(MEMORY_B, (size_t)PN(WIDE) * DEPTH * sizeof(SOURCE));
    for (int64_t j = 0; j < p->n; j += PN(WIDE))
        for (int64_t d = 0; d < p->k; d += DEPTH) {
            int64_t columns = product_min(p->n - j, PN(WIDE)), depth = product_min(p->k - d, DEPTH);
            int64_t groups = (depth + GROUP - 1) / GROUP;
            PN(pack)(pb, low_b, b + j * b_line + d * b_step, columns, depth, b_line, b_step);
            for (int64_t i = 0; i < p->m; i += PN(TALL)) {
                int64_t rows = product_min(p->m - i, PN(TALL));
                PN(pack)(pa, low_a, a + i * a_line + d * a_step, rows, depth, a_line, a_step);
                for (int64_t s = 0; s < columns; s += PN(LINES))
                    for (int64_t r = 0; r < rows; r += PN(LINES))
                        PN(tile)(p, groups, pa + r * GROUP * groups, pb + s * GROUP * groups,
                                 product_min(rows - r, PN(LINES)), product_min(columns - s, PN(LINES)),
                                 (U *)p->c + i + r + (j + s) * p->ldc, d == 0, low_a + r, low_b + s);
            }
        }
}
