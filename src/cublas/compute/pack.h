// SPDX-License-Identifier: Apache-2.0
// A template: packs A and B of one type for the blocks of engine.h, and multiplies. Defined by who includes this:
//   FN(name)   of engine.h's type          PN(name)  a name of its own
//   SOURCE     an element of A and B       UNPACK(s)  of it, as U; of complex numbers SOURCE is U, two for each
//   UNPACK_VECTOR(from)  of as many elements as a vector of U has
//
// Elements beyond the edge of a matrix are 0.

// One element, as its parts.
static inline void PN(element)(U *to, int64_t full, const SOURCE *x, U sign)
{
#if COMPLEX
    to[0] = x[0];
    to[full] = sign * x[1];
#else
    (void)full, (void)sign;
    to[0] = UNPACK(x[0]);
#endif
}

#if !COMPLEX
// LANES lines of LANES elements each, from x[i * line] on, transposed: element d of all of them lies side by side at to[d * row].
static inline void PN(turn)(U *to, const SOURCE *x, int64_t line, int64_t row)
{
    FN(vector) v[FN(LANES)];
#pragma GCC unroll 16
    for (int i = 0; i < FN(LANES); i++)
        v[i] = UNPACK_VECTOR(x + i * line);
    FN(transpose)(v);
#pragma GCC unroll 16
    for (int d = 0; d < FN(LANES); d++)
        *(FN(vector) *)(to + d * row) = v[d];
}
#endif

#if !COMPLEX
// Of four lines the elements of a cache line, for panels that have no whole vectors of lines: squares of four by four, of which `kept` lines
// are stored.
enum { PN(QUAD) = 4, PN(CHUNK) = 64 / sizeof(U) };

static inline __attribute__((always_inline)) void PN(quads)(U *to, const SOURCE *const x[PN(QUAD)], int64_t row,
                                                            const size_t kept)
{
    typedef U four __attribute__((vector_size(PN(QUAD) * sizeof(U))));
#pragma GCC unroll 4
    for (int d = 0; d < PN(CHUNK); d += PN(QUAD)) {
        four v[PN(QUAD)], w[PN(QUAD)];
#pragma GCC unroll 4
        for (int i = 0; i < PN(QUAD); i++)
            v[i] = (four){UNPACK(x[i][d]), UNPACK(x[i][d + 1]), UNPACK(x[i][d + 2]), UNPACK(x[i][d + 3])};
#pragma GCC unroll 2
        for (int i = 0; i < 2; i++) {
            w[2 * i] = __builtin_shufflevector(v[i], v[i + 2], 0, 4, 1, 5);
            w[2 * i + 1] = __builtin_shufflevector(v[i], v[i + 2], 2, 6, 3, 7);
        }
#pragma GCC unroll 2
        for (int i = 0; i < 2; i++) {
            v[2 * i] = __builtin_shufflevector(w[i], w[i + 2], 0, 4, 1, 5);
            v[2 * i + 1] = __builtin_shufflevector(w[i], w[i + 2], 2, 6, 3, 7);
        }
#pragma GCC unroll 4
        for (int i = 0; i < PN(QUAD); i++)
            memcpy(to + (d + i) * row, &v[i], kept * sizeof(U));
    }
}

// A panel of up to `full` lines, whose elements lie side by side in each. Lines are taken four at a time, so that they stay in the first
// cache where they are a power of two apart. What is stored for lines that are not there is set to 0 later.
static inline __attribute__((always_inline)) void PN(pack_quads)(U *to, const SOURCE *x, int64_t lines,
                                                                 const int64_t full, int64_t depth, int64_t line)
{
    int64_t d = 0;
    for (; d + PN(CHUNK) <= depth; d += PN(CHUNK))
#pragma GCC unroll 8
        for (int64_t i = 0; i < full; i += PN(QUAD)) {
            const SOURCE *at[PN(QUAD)];
            for (int64_t l = 0; l < PN(QUAD); l++)
                at[l] = x + (i + l < lines ? i + l : 0) * line + d;
            PN(quads)(to + d * full + i, at, full, (size_t)(full - i < PN(QUAD) ? full - i : PN(QUAD)));
        }
    for (; d < depth; d++)
        for (int64_t i = 0; i < lines; i++)
            to[d * full + i] = UNPACK(x[i * line + d]);
}
#endif

// One element of each of `full` lines that lie side by side.
static inline __attribute__((always_inline)) void PN(side_by_side)(U *to, const int64_t full, const SOURCE *x, U sign)
{
#if COMPLEX
    for (int64_t i = 0; i < full; i++)
        PN(element)(to + i, full, x + i * FN(PARTS), sign);
#else
    (void)sign;
    int64_t i = 0;
#pragma GCC unroll 8
    for (; i + FN(LANES) <= full; i += FN(LANES))
        *(FN(vector) *)(to + i) = UNPACK_VECTOR(x + i);
    for (; i < full; i++)
        to[i] = UNPACK(x[i]);
#endif
}

// Lines that do not lie side by side. Where elements of a line do, squares of them are transposed in registers.
static inline __attribute__((always_inline)) void PN(pack_apart)(U *to, const SOURCE *x, int64_t lines,
                                                                 const int64_t full, int64_t depth, int64_t line,
                                                                 int64_t step, U sign)
{
    const int64_t row = full * FN(PARTS), panel = row * depth;
    int64_t i = 0;
#if !COMPLEX
    if (step == 1 && full % FN(LANES) != 0)
        for (; i < lines; i += full)
            PN(pack_quads)(to + i / full * panel, x + i * line, lines - i < full ? lines - i : full, full, depth, line);
    else if (step == 1)
        for (; i + FN(LANES) <= lines; i += FN(LANES)) {
            U *at = to + i / full * panel + i % full;
            int64_t d = 0;
            for (; d + FN(LANES) <= depth; d += FN(LANES))
                PN(turn)(at + d * row, x + i * line + d, line, row);
            for (; d < depth; d++)
                for (int64_t l = 0; l < FN(LANES); l++)
                    at[d * row + l] = UNPACK(x[(i + l) * line + d]);
        }
#endif
    for (; i < lines; i++) {
        U *at = to + i / full * panel + i % full;
        for (int64_t d = 0; d < depth; d++)
            PN(element)(at + d * row, full, x + (i * line + d * step) * FN(PARTS), sign);
    }
}

// `lines` lines of `depth` elements as panels of `full` lines, one behind the other; element d of line i is at x[i * line + d * step]. Where
// lines lie side by side they are read across all panels, so that a column of a matrix is read in one go.
static inline __attribute__((always_inline)) void PN(pack)(U *to, const SOURCE *x, int64_t lines, const int64_t full,
                                                           int64_t depth, int64_t line, int64_t step, bool conjugated)
{
    const U sign = conjugated ? -1 : 1;
    const int64_t whole = lines / full, rest = lines % full, row = full * FN(PARTS), panel = row * depth;
    U *last = to + whole * panel;
    if (line == 1) {
        for (int64_t d = 0; d < depth; d++) {
            const SOURCE *from = x + d * step * FN(PARTS);
            for (int64_t q = 0; q < whole; q++) {
                __builtin_prefetch(from + 4 * step * FN(PARTS) + q * row);
                PN(side_by_side)(to + q * panel + d * row, full, from + q * row, sign);
            }
            for (int64_t i = 0; i < rest; i++)
                PN(element)(last + d * row + i, full, from + (whole * full + i) * FN(PARTS), sign);
        }
    } else {
        PN(pack_apart)(to, x, lines, full, depth, line, step, sign);
    }
    for (int64_t d = 0; rest && d < depth; d++)
        for (int64_t i = rest; i < full; i++)
            for (int q = 0; q < FN(PARTS); q++)
                last[d * row + q * full + i] = 0;
}

static void PN(run)(const struct product *p)
{
    enum { WIDTH = 1536 / COLUMNS * COLUMNS }; // columns of op(B) that are packed at once
    const SOURCE *a = p->a, *b = p->b;
    const int64_t a_line = p->a_transposed ? p->lda : 1, a_step = p->a_transposed ? 1 : p->lda;
    const int64_t b_line = p->b_transposed ? 1 : p->ldb, b_step = p->b_transposed ? p->ldb : 1;
    U *c = p->c;
    int64_t depth_most = p->k < PRODUCT_DEPTH ? p->k : PRODUCT_DEPTH;
    int64_t height = product_piece(p->m, product_pieces(p->m, FN(HEIGHT)), FN(ROWS));
    int64_t width = product_piece(p->n, product_pieces(p->n, WIDTH), COLUMNS);
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
