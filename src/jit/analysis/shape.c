// SPDX-License-Identifier: Apache-2.0
// See analysis/shape.h: the lattice of shapes and its arithmetic. Everything here is exact modulo the width of the type.
#include "jit/analysis/shape.h"
#include "jit/analysis/fold.h"
#include <string.h>

struct shape shape_uniform(bool gang_varies)
{
    return (struct shape){.kind = SHAPE_AFFINE, .gang_varies = gang_varies, .limit = UINT64_MAX};
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned shape_align_constant(uint64_t x)
{
    return x ? least((unsigned)__builtin_ctzll(x), SHAPE_ALIGN_ZERO - 1) : SHAPE_ALIGN_ZERO;
}

unsigned shape_align_product(unsigned a, unsigned b)
{
    if (a == SHAPE_ALIGN_ZERO || b == SHAPE_ALIGN_ZERO)
        return SHAPE_ALIGN_ZERO;
    return least(a + b, SHAPE_ALIGN_ZERO - 1);
}

struct shape shape_constant(int64_t value)
{
    struct shape s = shape_uniform(false);
    s.align = shape_align_constant((uint64_t)value);
    s.limit = (uint64_t)value;
    return s;
}

struct shape shape_varying(void)
{
    return (struct shape){.kind = SHAPE_VARYING, .gang_varies = true, .limit = UINT64_MAX};
}

bool shape_is_flat(const struct lanes *n, const struct shape *s)
{
    if (s->kind != SHAPE_AFFINE)
        return false;
    for (unsigned l = 0; l < n->width; l++)
        if (s->offset[l])
            return false;
    return true;
}

bool shape_is_uniform(const struct lanes *n, const struct shape *s)
{
    return !s->split && shape_is_flat(n, s);
}

static bool same_offsets(const struct lanes *n, const int64_t *a, const int64_t *b)
{
    return !memcmp(a, b, sizeof *a * n->width);
}

static bool same_wrap(const struct lanes *n, const struct shape_wrap *a, const struct shape_wrap *b)
{
    return a->kind == b->kind && (a->kind == WRAP_NONE || (a->bits == b->bits && a->scale == b->scale &&
                                                           same_offsets(n, a->offset, b->offset)));
}

bool shape_equal(const struct lanes *n, const struct shape *a, const struct shape *b)
{
    if (a->kind != b->kind)
        return false;
    return a->kind != SHAPE_AFFINE ||
           (a->split == b->split && a->gang_varies == b->gang_varies && a->align == b->align && a->limit == b->limit &&
            same_offsets(n, a->offset, b->offset) && same_wrap(n, &a->wrap, &b->wrap));
}

static void split_offsets(const struct lanes *n, int64_t *offset)
{
    for (unsigned l = n->width; l-- > 0;)
        offset[l] -= offset[lanes_segment_first(n, lanes_segment(n, l))];
}

void shape_split(const struct lanes *n, struct shape *s)
{
    if (s->split || n->segments == 1)
        return;
    for (unsigned g = 1; g < n->segments; g++)
        s->align = least(s->align, shape_align_constant((uint64_t)s->offset[lanes_segment_first(n, g)]));
    split_offsets(n, s->offset);
    if (s->wrap.kind != WRAP_NONE)
        split_offsets(n, s->wrap.offset);
    s->split = true;
}

// A wrap that only one side has is kept: the other side then carries a source that cannot wrap.
static bool join_wraps(const struct lanes *n, struct shape *a, const struct shape *b)
{
    if (a->wrap.kind == WRAP_NONE) {
        a->wrap = b->wrap;
        return true;
    }
    return b->wrap.kind == WRAP_NONE || same_wrap(n, &a->wrap, &b->wrap);
}

struct shape shape_join(const struct lanes *n, const struct shape *pa, const struct shape *pb)
{
    if (pa->kind == SHAPE_NONE)
        return *pb;
    if (pb->kind == SHAPE_NONE)
        return *pa;
    struct shape a = *pa, b = *pb;
    if (a.kind == SHAPE_VARYING || b.kind == SHAPE_VARYING)
        return shape_varying();
    if (a.split != b.split || !same_offsets(n, a.offset, b.offset)) {
        shape_split(n, &a);
        shape_split(n, &b);
        if (!same_offsets(n, a.offset, b.offset))
            return shape_varying();
    }
    if (!join_wraps(n, &a, &b))
        return shape_varying();
    a.gang_varies |= b.gang_varies;
    a.align = least(a.align, b.align);
    if (b.limit > a.limit)
        a.limit = b.limit;
    return a;
}

struct shape shape_widen(const struct lanes *n, const struct shape *old, const struct shape *now)
{
    struct shape s = shape_join(n, old, now);
    if (s.kind == SHAPE_AFFINE && old->kind == SHAPE_AFFINE && s.limit > old->limit)
        s.limit = UINT64_MAX;
    return s;
}

static uint64_t type_max(unsigned bits)
{
    return fold_low(UINT64_MAX, bits ? bits : 64);
}

struct shape shape_fit(const struct lanes *n, struct shape s, unsigned bits)
{
    if (s.kind != SHAPE_AFFINE)
        return s;
    if (bits)
        for (unsigned l = 0; l < n->width; l++)
            s.offset[l] = fold_signed((uint64_t)s.offset[l], bits);
    bool flat = shape_is_flat(n, &s);
    if (s.wrap.kind != WRAP_NONE) {
        s.wrap.scale = fold_signed((uint64_t)s.wrap.scale, bits ? bits : 64);
        // A source's lap of 2^bits, times the scale, can be nothing in this type.
        if (!s.wrap.scale || s.wrap.bits + shape_align_constant((uint64_t)s.wrap.scale) >= bits)
            s.wrap = (struct shape_wrap){0};
        else if (flat)
            return shape_varying(); // flat promises one value for all lanes
        s.align = s.wrap.kind == WRAP_NONE ? s.align : 0;
    }
    if (!flat && bits < 2)
        return shape_varying();
    if (s.limit > type_max(bits) || s.wrap.kind != WRAP_NONE)
        s.limit = type_max(bits);
    return s;
}

void shape_range(const struct lanes *n, const int64_t *offset, int64_t *lo, int64_t *hi)
{
    *lo = *hi = offset[0];
    for (unsigned l = 1; l < n->width; l++) {
        if (offset[l] < *lo)
            *lo = offset[l];
        if (offset[l] > *hi)
            *hi = offset[l];
    }
}

bool shape_offsets_step(const struct lanes *n, const int64_t *offset, int64_t *step)
{
    *step = n->width > 1 ? offset[1] - offset[0] : 0;
    for (unsigned l = 1; l < n->width; l++)
        if (offset[l] - offset[l - 1] != *step)
            return false;
    return true;
}

bool shape_step(const struct lanes *n, const struct shape *s, int64_t *step)
{
    return s->kind == SHAPE_AFFINE && !s->split && shape_offsets_step(n, s->offset, step);
}

bool shape_is_aligned(const struct lanes *n, const struct shape *s)
{
    int64_t lo, hi;
    if (s->kind != SHAPE_AFFINE || s->wrap.kind != WRAP_NONE)
        return false;
    shape_range(n, s->offset, &lo, &hi);
    return lo >= 0 && (uint64_t)hi < UINT64_C(1) << s->align;
}

struct shape shape_add(const struct lanes *n, const struct shape *pa, const struct shape *pb, bool subtract,
                       unsigned bits)
{
    struct shape a = *pa, b = *pb;
    if (a.kind == SHAPE_NONE || b.kind == SHAPE_NONE)
        return (struct shape){0};
    if (a.kind == SHAPE_VARYING || b.kind == SHAPE_VARYING || (a.wrap.kind != WRAP_NONE && b.wrap.kind != WRAP_NONE))
        return shape_varying();
    if (a.split != b.split) {
        shape_split(n, &a);
        shape_split(n, &b);
    }
    for (unsigned l = 0; l < n->width; l++)
        a.offset[l] = (int64_t)((uint64_t)a.offset[l] + (uint64_t)(subtract ? -b.offset[l] : b.offset[l]));
    if (b.wrap.kind != WRAP_NONE) {
        a.wrap = b.wrap;
        a.wrap.scale = subtract ? -b.wrap.scale : b.wrap.scale;
    }
    a.gang_varies |= b.gang_varies;
    a.align = least(a.align, b.align);
    uint64_t sum;
    if (subtract || __builtin_add_overflow(a.limit, b.limit, &sum) || sum > type_max(bits))
        sum = UINT64_MAX;
    a.limit = sum;
    return shape_fit(n, a, bits);
}

struct shape shape_scale(const struct lanes *n, const struct shape *pa, int64_t factor, unsigned bits)
{
    struct shape a = *pa;
    if (a.kind != SHAPE_AFFINE)
        return a;
    for (unsigned l = 0; l < n->width; l++)
        a.offset[l] = (int64_t)((uint64_t)a.offset[l] * (uint64_t)factor);
    if (a.wrap.kind != WRAP_NONE)
        a.wrap.scale = (int64_t)((uint64_t)a.wrap.scale * (uint64_t)factor);
    a.align = shape_align_product(a.align, shape_align_constant((uint64_t)factor));
    if (__builtin_mul_overflow(a.limit, (uint64_t)factor, &a.limit) || a.limit > type_max(bits))
        a.limit = UINT64_MAX;
    return shape_fit(n, a, bits);
}

// Whether base + offset stays within the type's range for every lane, so that extending the base extends all lanes.
static bool cannot_wrap(const struct lanes *n, const struct shape *a, unsigned from)
{
    if (shape_is_aligned(n, a) && (a->align < from - 1 || a->align == SHAPE_ALIGN_ZERO))
        return true;
    int64_t lo, hi;
    shape_range(n, a->offset, &lo, &hi);
    if (a->limit > type_max(from) / 2 || lo < -(int64_t)(type_max(from) / 2) || hi > (int64_t)(type_max(from) / 2))
        return false;
    // With no lane above half the range the base must not be either: some lane of each segment has to sit on it.
    for (unsigned g = 0; g < (a->split ? n->segments : 1); g++) {
        bool on_base = false;
        for (unsigned l = 0; l < n->width; l++)
            on_base |= (!a->split || lanes_segment(n, l) == g) && !a->offset[l];
        if (!on_base)
            return false;
    }
    return true;
}

struct shape shape_extend(const struct lanes *n, const struct shape *pa, bool is_signed, unsigned from, unsigned to)
{
    struct shape a = *pa;
    if (a.kind != SHAPE_AFFINE)
        return a;
    if (a.limit > type_max(from))
        a.limit = type_max(from);
    if (is_signed && a.limit > type_max(from) / 2)
        a.limit = UINT64_MAX;
    if (shape_is_flat(n, &a))
        return shape_fit(n, a, to);
    if (a.wrap.kind != WRAP_NONE || from < 8)
        return shape_varying();
    if (!cannot_wrap(n, &a, from)) {
        struct shape rows = a;
        shape_split(n, &rows);
        if (shape_is_flat(n, &rows)) // one value a row: each base is extended by itself
            return shape_fit(n, rows, to);
        a.wrap = (struct shape_wrap){is_signed ? WRAP_SEXT : WRAP_ZEXT, from, 1, {0}};
        memcpy(a.wrap.offset, a.offset, sizeof a.offset);
    }
    return shape_fit(n, a, to);
}

struct shape shape_truncate(const struct lanes *n, const struct shape *pa, unsigned to)
{
    struct shape a = *pa;
    if (a.kind == SHAPE_AFFINE && a.limit > type_max(to))
        a.limit = UINT64_MAX;
    return shape_fit(n, a, to);
}
