// SPDX-License-Identifier: Apache-2.0
// A template: packs A and B of one type for the blocks of engine.h, and multiplies. Defined by who includes this:
//   FN(name)   of engine.h's type          PN(name)  a name of its own
//   SOURCE     an element of A and B       UNPACK(s)  of it, as U; of complex numbers SOURCE is U, two for each
//
// Elements beyond the edge of a matrix are 0.

// `width` lines of a panel, `depth` elements of each: element d of line i is at x[i * line + d * step].
static void PN(panel)(U *to, const SOURCE *x, int64_t width, int64_t full, int64_t depth, int64_t line, int64_t step,
                      bool conjugated)
{
#if COMPLEX
    const U sign = conjugated ? -1 : 1;
    for (int64_t d = 0; d < depth; d++, to += 2 * full) {
        for (int64_t i = 0; i < width; i++) {
            to[i] = x[2 * (i * line + d * step)];
            to[full + i] = sign * x[2 * (i * line + d * step) + 1];
        }
        for (int64_t i = width; i < full; i++)
            to[i] = to[full + i] = 0;
    }
#else
    (void)conjugated;
    if (line == 1 && width == full) {
        for (int64_t d = 0; d < depth; d++, to += full)
            for (int64_t i = 0; i < full; i++)
                to[i] = UNPACK(x[i + d * step]);
        return;
    }
    for (int64_t i = 0; i < full; i++)
        for (int64_t d = 0; d < depth; d++)
            to[d * full + i] = i < width ? UNPACK(x[i * line + d * step]) : 0;
#endif
}

// All lines: panels of `full` lines one after the other.
static void PN(pack)(U *to, const SOURCE *x, int64_t lines, int64_t full, int64_t depth, int64_t line, int64_t step,
                     bool conjugated)
{
    for (int64_t i = 0; i < lines; i += full) {
        int64_t width = lines - i < full ? lines - i : full;
        PN(panel)(to, x + i * line * FN(PARTS), width, full, depth, line, step, conjugated);
        to += full * depth * FN(PARTS);
    }
}

static void PN(run)(const struct product *p)
{
    enum { WIDTH = COLUMNS * 64 }; // columns of op(B) that are packed at once
    const SOURCE *a = p->a, *b = p->b;
    const int64_t a_line = p->a_transposed ? p->lda : 1, a_step = p->a_transposed ? 1 : p->lda;
    const int64_t b_line = p->b_transposed ? 1 : p->ldb, b_step = p->b_transposed ? p->ldb : 1;
    U *c = p->c;
    int64_t depth_most = p->k < PRODUCT_DEPTH ? p->k : PRODUCT_DEPTH;
    int64_t height = p->m < FN(HEIGHT) ? (p->m + FN(ROWS) - 1) / FN(ROWS) * FN(ROWS) : FN(HEIGHT);
    int64_t width = p->n < WIDTH ? (p->n + COLUMNS - 1) / COLUMNS * COLUMNS : WIDTH;
    U *pa = product_memory(MEMORY_A, (size_t)(height * depth_most * FN(PARTS)) * sizeof(U));
    U *pb = product_memory(MEMORY_B, (size_t)(width * depth_most * FN(PARTS)) * sizeof(U));
    for (int64_t j = 0; j < p->n; j += width) {
        int64_t columns = p->n - j < width ? p->n - j : width;
        for (int64_t d = 0; d < p->k; d += PRODUCT_DEPTH) {
            int64_t depth = p->k - d < PRODUCT_DEPTH ? p->k - d : PRODUCT_DEPTH;
            PN(pack)(pb, b + (j * b_line + d * b_step) * FN(PARTS), columns, COLUMNS, depth, b_line, b_step,
                     p->b_conjugated);
            for (int64_t i = 0; i < p->m; i += height) {
                int64_t rows = p->m - i < height ? p->m - i : height;
                PN(pack)(pa, a + (i * a_line + d * a_step) * FN(PARTS), rows, FN(ROWS), depth, a_line, a_step,
                         p->a_conjugated);
                FN(block)(p, depth, pa, pb, rows, columns, c + (i + j * p->ldc) * FN(PARTS), d == 0);
            }
        }
    }
}
