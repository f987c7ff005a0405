// SPDX-License-Identifier: Apache-2.0
// Coordinates of a gang along one axis: which texels they fall on, and how far between them. The rules are those of sample.c; here they are
// done in floats and integers of 32 bits, which is exact:
//  1. A normalised coordinate times 2^21 to 2^23 is exact, and so is its floor; what is left of it modulo a power of two has 24 bits. Where
//     the product overflows, the exact one would be a multiple of that power: infinity gives 0 as well.
//  2. Units times an extent (25 bits by 18) are formed of an upper and a lower part: (h * 2^11 + l) * n >> s is (h * n + (l * n >> 11)) >> (s - 11).
//  3. Beyond the ends it does not matter how far: clamped coordinates and those that fall on the border are limited to the extent on both
//     sides, or to 4 texels beyond.
#ifndef HEDDLE_DEVICE_TEXTURE_VECTOR_AXIS_H
#define HEDDLE_DEVICE_TEXTURE_VECTOR_AXIS_H
#include "device/texture/texture.h"
#include "device/texture/vector/vector.h"

enum { FRACTION = 21, LOWER = 11, MARGIN = 4 };

// How an axis is addressed: the same for all lanes.
struct line {
    int32_t n;
    int32_t step; // bytes from a texel to the next
    uint8_t mode; // enum texture_address
    bool normalized;
    uint8_t bits;            // of a normalised coordinate
    float unit, one_by_unit; // 2^bits
};

INLINE struct line line_of(const struct texture *t, unsigned axis, uint32_t n, uint64_t step)
{
    static const float unit[] = {0x1p21f, 0x1p22f, 0x1p23f}, one_by_unit[] = {0x1p-21f, 0x1p-22f, 0x1p-23f};
    unsigned more = (n > FRACTION_EXTENT) + (n > 8 * FRACTION_EXTENT);
    return (struct line){.n = (int32_t)n,
                         .step = (int32_t)step,
                         .mode = t->address[axis],
                         .normalized = t->flags & TEXTURE_NORMALIZED,
                         .bits = (uint8_t)(FRACTION + more),
                         .unit = unit[more],
                         .one_by_unit = one_by_unit[more]};
}

// NaNs and denormals are 0.
INLINE floats cleaned(floats c)
{
    return (floats)kept(at_least((floats)((ints)c & INT32_MAX), splat_float(0x1p-126f)), (ints)c);
}

// v modulo n, a power of two.
INLINE floats modulo(floats v, float n, float one_by_n)
{
    floats r = v - floor_of(v * one_by_n) * n;
    return (floats)kept(at_least(r, splat_float(0)), (ints)r);
}

// A normalised coordinate as a whole number of units, where the axis repeats in the first of its repetitions.
INLINE ints units_of(floats c, const struct line *l, uint8_t mode, bool linear)
{
    float unit = l->unit;
    floats v = floor_of(c * unit);
    if (mode == ADDRESS_WRAP) {
        v = modulo(v, unit, l->one_by_unit);
    } else if (mode == ADDRESS_MIRROR) {
        v = modulo(v, 2 * unit, 0.5f * l->one_by_unit);
        if (!linear)
            v = choose_float(at_least(v, splat_float(unit)), 2 * unit - v, v);
    } else {
        v = float_between(v, -unit, 2 * unit);
    }
    return to_ints(v);
}

// (v * n + add) >> shift
INLINE ints scaled(ints v, int32_t n, int add, int shift)
{
    ints high = v >> LOWER, low = v & ((1 << LOWER) - 1);
    if (n < 1 << 15) {
        high = product16(high, splat(n));
        low = product16(low, splat(n));
    } else {
        high *= n;
        low *= n;
    }
    return (high + ((low + add) >> LOWER)) >> (shift - LOWER);
}

INLINE mask in_extent(ints i, int32_t n)
{
    return both(less(splat(-1), i), less(i, splat(n)));
}

// The offset of one texel, and the lanes for which there is one: *inside has those that were inside so far.
INLINE ints point_at(floats c, const struct line *l, mask *inside)
{
    c = cleaned(c);
    ints i = l->normalized ? scaled(units_of(c, l, l->mode, false), l->n, 0, l->bits)
                           : to_ints(float_between(floor_of(c), -1, (float)l->n));
    if (l->mode != ADDRESS_BORDER)
        return between(i, 0, l->n - 1) * l->step;
    *inside = both(*inside, in_extent(i, l->n));
    return i * l->step;
}

INLINE ints addressed(ints i, const struct line *l, uint8_t mode, mask *inside)
{
    int32_t n = l->n;
    switch (mode) {
    case ADDRESS_WRAP:
        i += kept(less(i, splat(0)), splat(n));
        return i - kept(less(splat(n - 1), i), splat(n));
    case ADDRESS_MIRROR:
        i ^= i >> 31; // -1 - i where it is negative
        i -= kept(less(splat(2 * n - 1), i), splat(2 * n));
        return smaller(i, 2 * n - 1 - i);
    case ADDRESS_BORDER:
        *inside = in_extent(i, n);
        return i;
    default:
        return between(i, 0, n - 1);
    }
}

// Two texels as offsets, and the weight of the second in 1/256; with a border, whether they are inside.
struct span {
    ints at[2], weight;
    mask in[2];
};

// A place in 1/256 of a texel from the centre of the first one.
INLINE ints place(floats c, const struct line *l, uint8_t mode, bool normalized)
{
    if (normalized)
        return scaled(units_of(c, l, mode, true), l->n, 1 << (l->bits - 9), l->bits - 8) - 128;
    floats u = floor_of(float_between(c, -MARGIN, (float)(l->n + MARGIN)) * 512.0f);
    return ((to_ints(u) + 1) >> 1) - 128;
}

// The same, between the first centre and the last. All that is left of the first one is the same, so that it need not be rounded down; neither need
// NaNs (which become 0, or the smallest integer) and denormals be looked for.
INLINE ints place_clamped(floats c, const struct line *l, bool normalized)
{
    ints fixed;
    if (normalized) {
        ints v = larger(to_ints(not_above(c * l->unit, 2 * l->unit)), splat(0));
        fixed = scaled(v, l->n, 1 << (l->bits - 9), l->bits - 8);
    } else {
        fixed = (to_ints(not_above(c * 512.0f, (float)(l->n + MARGIN) * 512.0f)) + 1) >> 1;
    }
    return between(fixed, 128, ((l->n - 1) << 8) + 128) - 128;
}

// mode and normalized are those of the line, which the caller knows. `clamps`: beyond the ends there is nothing between texels. `both`: the
// second texel counts although its weight is 0.
INLINE void span_find(struct span *s, floats c, const struct line *l, uint8_t mode, bool normalized, bool clamps,
                      bool both)
{
    bool clamped = mode == ADDRESS_CLAMP && clamps;
    ints fixed = clamped ? place_clamped(c, l, normalized) : place(cleaned(c), l, mode, normalized);
    s->weight = fixed & 255;
    ints i = fixed >> 8, next = i + 1;
    if (!both)
        next = count(i, less(splat(0), s->weight));
    s->at[0] = (clamped ? i : addressed(i, l, mode, &s->in[0])) * l->step;
    s->at[1] = (clamped ? next : addressed(next, l, mode, &s->in[1])) * l->step;
}
#endif
