// SPDX-License-Identifier: Apache-2.0
// A template: packs lines of op(A) or op(B) into panels. A panel has GROUP elements of each of LINES lines side by side, then the next GROUP of
// each; what lies beyond an edge is 0. The file that includes this defines SOURCE, an element, and
//   PK(name)        a name of its own
//   GROUP, LINES    powers of two for the first, a multiple of 4 for the second; a group has 4 bytes or more
//   FLIP            what all bits of an element are exclusively or'ed with

typedef SOURCE PK(sources) __attribute__((vector_size(16), aligned(1), may_alias));
enum {
    PK(SIDE) = 16 / sizeof(SOURCE),                 // elements of a vector
    PK(TURN) = GROUP < PK(SIDE) ? GROUP : PK(SIDE), // elements of a line that are transposed at once
    PK(EACH) = PK(SIDE) / PK(TURN),                 // lines that a vector has behind that
};
_Static_assert(LINES % PK(EACH) == 0 && LINES % 4 == 0, "a vector is of one panel");

// Element d of line i. `depth` is that of the panels.
static inline SOURCE *PK(at)(SOURCE *to, int64_t depth, int64_t i, int64_t d)
{
    return to + i / LINES * LINES * depth + d / GROUP * (LINES * GROUP) + i % LINES * GROUP + d % GROUP;
}

// Elements of one line from `d` on, a multiple of TURN, one by one; those from `depth` to `full` are 0.
static void PK(pack_line)(SOURCE *to, int64_t full, const SOURCE *x, int64_t i, int64_t line, int64_t step, int64_t d,
                          int64_t depth)
{
    for (; d < full; d += PK(TURN)) {
        SOURCE *at = PK(at)(to, full, i, d);
        for (int64_t q = 0; q < PK(TURN); q++)
            at[q] = d + q < depth ? (SOURCE)(x[i * line + (d + q) * step] ^ FLIP) : 0;
    }
}

// Lines that lie side by side: TURN elements of SIDE lines become TURN of each, by as many rounds as 2 has to be multiplied for TURN.
static void PK(pack_sides)(SOURCE *to, int64_t full, const SOURCE *x, int64_t lines, int64_t step, int64_t depth)
{
    const int64_t whole = lines - lines % PK(SIDE);
    int64_t d = 0;
    for (; d + PK(TURN) <= depth; d += PK(TURN))
        for (int64_t i = 0; i < whole; i += PK(SIDE)) {
            bytes16 v[PK(TURN)], w[PK(TURN)];
#pragma GCC unroll 16
            for (int q = 0; q < PK(TURN); q++)
                v[q] = (bytes16)(*(const PK(sources) *)(x + i + (d + q) * step) ^ FLIP);
#pragma GCC unroll 4
            for (int round = 1; round < PK(TURN); round *= 2) {
#pragma GCC unroll 8
                for (int q = 0; q < PK(TURN) / 2; q++) {
                    w[2 * q] = turns_low(v[q], v[q + PK(TURN) / 2], sizeof(SOURCE));
                    w[2 * q + 1] = turns_high(v[q], v[q + PK(TURN) / 2], sizeof(SOURCE));
                }
#pragma GCC unroll 16
                for (int q = 0; q < PK(TURN); q++)
                    v[q] = w[q];
            }
#pragma GCC unroll 16
            for (int q = 0; q < PK(TURN); q++)
                *(PK(sources) *)PK(at)(to, full, i + q * PK(EACH), d) = (PK(sources))v[q];
        }
    for (int64_t i = 0; i < lines; i++)
        PK(pack_line)(to, full, x, i, 1, step, i < whole ? d : 0, depth);
}

// Lines whose elements lie side by side: groups are copied, those of 4 bytes as squares of four lines and four groups.
static void PK(pack_lines)(SOURCE *to, int64_t full, const SOURCE *x, int64_t lines, int64_t line, int64_t depth)
{
    enum { LONG = sizeof(SOURCE) * GROUP >= 16, CHUNK = LONG || sizeof(SOURCE) * GROUP == 4 ? PK(SIDE) : GROUP };
    const int64_t whole = lines - lines % 4;
    int64_t rest = depth / CHUNK * CHUNK;
    for (int64_t i = 0; i < whole; i += 4)
        for (int64_t d = 0; d < rest; d += CHUNK)
            if (sizeof(SOURCE) * GROUP == 4) {
                words16 v[4];
#pragma GCC unroll 4
                for (int q = 0; q < 4; q++)
                    v[q] = (words16)(*(const PK(sources) *)(x + (i + q) * line + d) ^ FLIP);
                const words16 a = words_low(v[0], v[2]), b = words_high(v[0], v[2]), c = words_low(v[1], v[3]),
                              e = words_high(v[1], v[3]);
                *(PK(sources) *)PK(at)(to, full, i, d) = (PK(sources))words_low(a, c);
                *(PK(sources) *)PK(at)(to, full, i, d + GROUP) = (PK(sources))words_high(a, c);
                *(PK(sources) *)PK(at)(to, full, i, d + 2 * GROUP) = (PK(sources))words_low(b, e);
                *(PK(sources) *)PK(at)(to, full, i, d + 3 * GROUP) = (PK(sources))words_high(b, e);
            } else if (LONG) {
#pragma GCC unroll 4
                for (int q = 0; q < 4; q++)
                    *(PK(sources) *)PK(at)(to, full, i + q, d) = *(const PK(sources) *)(x + (i + q) * line + d) ^ FLIP;
            } else {
#pragma GCC unroll 4
                for (int q = 0; q < 4; q++) {
                    SOURCE *at = PK(at)(to, full, i + q, d);
                    memcpy(at, x + (i + q) * line + d, GROUP * sizeof(SOURCE));
#pragma GCC unroll 8
                    for (int e = 0; FLIP && e < GROUP; e++)
                        at[e] ^= FLIP;
                }
            }
    for (int64_t i = 0; i < lines; i++)
        PK(pack_line)(to, full, x, i, line, 1, i < whole ? rest : 0, depth);
}

// `lines` lines of `depth` elements, element d of line i at x[i * line + d * step], as whole panels of depth `full`.
static void PK(pack)(SOURCE *to, int64_t full, const SOURCE *x, int64_t lines, int64_t depth, int64_t line,
                     int64_t step)
{
    const int64_t all = (lines + LINES - 1) / LINES * LINES;
    if (line == 1)
        PK(pack_sides)(to, full, x, lines, step, depth);
    else
        PK(pack_lines)(to, full, x, lines, line, depth);
    for (int64_t i = lines; i < all; i++)
        PK(pack_line)(to, full, x, i, 0, 0, 0, 0);
}
