// SPDX-License-Identifier: Apache-2.0
// The shape of a value: how it differs between the lanes of a gang. What the vectoriser knows of a value before it
// emits code; gang/vectorise.c has the requirements.
//
// Lane l of an affine value is base + offset[l], modulo the width of its type. When the block's rows are shorter than
// the gang, the gang has several segments (rows), and a value may be *split*: a base for each segment, offset[l]
// counted from the base of l's segment. A value whose offsets are all zero is flat; flat and not split is uniform: one
// scalar serves the whole gang.
#ifndef HEDDLE_JIT_SHAPE_H
#define HEDDLE_JIT_SHAPE_H
#include <stdbool.h>
#include <stdint.h>

enum { GANG_MAX = 32, SEGMENT_MAX = 8, SHAPE_ALIGN_ZERO = 63 };

// How the threads of a block lie in gangs.
struct lanes {
    unsigned width;    // lanes a gang
    unsigned segments; // rows a gang, 1 when split shapes do not occur
    unsigned block[3]; // 0: known only at run time
};

enum shape_kind { SHAPE_NONE, SHAPE_AFFINE, SHAPE_VARYING };
enum wrap_kind { WRAP_NONE, WRAP_ZEXT, WRAP_SEXT };

// The value contains scale * extension(source), where the source is affine in a narrower type in which some lanes may
// have wrapped around. The affine form holds while none has: a test on the source's base (or bases, when split).
struct shape_wrap {
    enum wrap_kind kind;
    unsigned bits; // of the source
    int64_t scale;
    int64_t offset[GANG_MAX]; // of the source
};

struct shape {
    enum shape_kind kind;
    bool split;
    bool gang_varies; // may differ between the gangs of a block
    unsigned align;   // each base is a multiple of 2^align; SHAPE_ALIGN_ZERO: is 0
    uint64_t limit;   // no lane is greater, as an unsigned number
    int64_t offset[GANG_MAX];
    struct shape_wrap wrap;
};

unsigned shape_align_constant(uint64_t x);
unsigned shape_align_product(unsigned a, unsigned b);
struct shape shape_uniform(bool gang_varies);
struct shape shape_constant(int64_t value);
struct shape shape_varying(void);
bool shape_is_flat(const struct lanes *n, const struct shape *s);
bool shape_is_uniform(const struct lanes *n, const struct shape *s);
bool shape_equal(const struct lanes *n, const struct shape *a, const struct shape *b);
// Brings an unsplit affine shape to the split form: the same lanes, seen from a base for each segment.
void shape_split(const struct lanes *n, struct shape *s);
// The least shape that holds both.
struct shape shape_join(const struct lanes *n, const struct shape *a, const struct shape *b);
// As above for values that are joined again and again (phis, slots): what grows is given up at once, so that the
// analysis ends.
struct shape shape_widen(const struct lanes *n, const struct shape *old, const struct shape *now);
// Reduces offsets to a type of `bits` (0: not an integer or pointer) and gives up what such a type cannot hold.
struct shape shape_fit(const struct lanes *n, struct shape s, unsigned bits);
// Offsets that make base + offset the same as base | offset: 0 <= offset < 2^align.
bool shape_is_aligned(const struct lanes *n, const struct shape *s);
void shape_range(const struct lanes *n, const int64_t *offset, int64_t *lo, int64_t *hi);
// Whether offsets, or an affine shape with one base, go on by the same amount from each lane to the next; by how much.
bool shape_offsets_step(const struct lanes *n, const int64_t *offset, int64_t *step);
bool shape_step(const struct lanes *n, const struct shape *s, int64_t *step);

struct shape shape_add(const struct lanes *n, const struct shape *a, const struct shape *b, bool subtract,
                       unsigned bits);
struct shape shape_scale(const struct lanes *n, const struct shape *a, int64_t factor, unsigned bits);
struct shape shape_extend(const struct lanes *n, const struct shape *a, bool is_signed, unsigned from, unsigned to);
struct shape shape_truncate(const struct lanes *n, const struct shape *a, unsigned to);

static inline unsigned lanes_segment(const struct lanes *n, unsigned lane)
{
    return lane / (n->width / n->segments);
}
static inline unsigned lanes_segment_first(const struct lanes *n, unsigned segment)
{
    return segment * (n->width / n->segments);
}
static inline unsigned shape_bases(const struct lanes *n, const struct shape *s)
{
    return s->split ? n->segments : 1;
}
#endif
