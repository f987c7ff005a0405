// SPDX-License-Identifier: Apache-2.0
// The sampler for gangs. A file that includes this one defines GANG_READ, the function's name (gang.h), and is compiled for one kind of
// processor.
//
// 1. sample.c and filter.c say what a read gives; results are equal to the last bit. What is here is the same arithmetic in forms that vectors
//    have: axis.h finds texels and weights, texel.h reads and adds them, each with the reasons why it is exact.
// 2. One call serves all lanes that read one texture: what comes of the descriptor is a branch for the whole vector and costs nothing. Lanes
//    that take different levels of detail are served one set after another; the level of a lane is sample.c's own computation.
// 3. Lanes that are not active read no memory: their gathers are masked.
// 4. A lane whose values are outside of what texel.h is exact for is read again by texture_sample, alone.
// 5. Left to texture_sample altogether: cube maps (the projection is long, and seams go from tap to tap), offsets beside the coordinates, sRGB,
//    integers that are mixed though they are not read as floats, and textures of 2 GiB and more. texture_create says which textures are served.
#include "device/texture/sample.h"
#include "device/texture/vector/axis.h"
#include "device/texture/vector/gang.h"
#include "device/texture/vector/texel.h"
#include "jit/abi/image.h"

// One read of a gang.
struct plan {
    const struct texture *t;
    uint32_t op, width;
    const uint32_t *args;
    uint32_t *out;
    const uint32_t *layer, *c[3]; // rows of args; NULL: all are 0
    unsigned axes;
    struct decoder d;
};

// One level of detail of it, and its share in 1/256.
struct stage {
    struct line line[3];
    int32_t base, slice, share;
};

static void stage_init(struct stage *s, const struct plan *p, uint32_t level, int32_t share)
{
    const struct array_level *l = &p->t->level[level];
    uint32_t n[3] = {l->width, l->height, l->depth};
    uint64_t step[3] = {p->d.size, l->row_pitch, l->slice_pitch};
    for (unsigned k = 0; k < p->axes; k++)
        s->line[k] = line_of(p->t, k, n[k], step[k]);
    s->base = (int32_t)(l->base - p->t->level[0].base);
    s->slice = (int32_t)l->slice_pitch;
    s->share = share;
}

INLINE floats coordinate(const struct plan *p, unsigned k, uint32_t lane)
{
    return p->c[k] ? (floats)load(p->c[k] + lane) : splat_float(0);
}

// Where the level begins for each lane: a layer.
INLINE ints plane_at(const struct plan *p, const struct stage *s, uint32_t lane)
{
    if (!p->layer)
        return splat(s->base);
    int32_t layers = (int32_t)p->t->level[0].depth;
    ints layer = load(p->layer + lane);
    return choose(in_extent(layer, layers), layer, splat(layers - 1)) * s->slice + s->base;
}

// ---- The vectors of a gang in which lanes are active. Each step of a read is done for all of them before the next: a step is a chain of operations
// that wait for each other, and the processor works on several chains at once.
enum { VECTORS = 32 / LANES };
struct vectors {
    unsigned n;             // a multiple of PAIR
    uint32_t lane[VECTORS]; // the first
    uint32_t bits[VECTORS]; // the lanes that are active
};

static void vectors_find(struct vectors *v, uint32_t width, uint32_t active)
{
    unsigned n = 0;
    for (uint32_t lane = 0; lane < width; lane += LANES) {
        uint32_t bits = active >> lane & ALL_LANES;
        v->lane[n] = lane;
        v->bits[n] = bits;
        n += bits != 0;
    }
    while (n % PAIR) { // once more
        v->lane[n] = v->lane[n - 1];
        v->bits[n] = v->bits[n - 1];
        n++;
    }
    v->n = n;
}

INLINE void put(const struct plan *p, const struct vectors *v, unsigned i, unsigned word, ints x)
{
    uint32_t *to = p->out + word * p->width + v->lane[i];
    store(to, v->bits[i] == ALL_LANES ? x : choose(mask_of(v->bits[i]), x, load(to)));
}

// ---- Points
// Texels as they are.
static void put_values(const struct plan *p, const struct vectors *v, const ints *at, const mask *in)
{
    for (unsigned i = 0; i < v->n; i++) {
        ints word[4];
        texel_load(&p->d, &at[i], in[i], word);
        for (unsigned c = 0; c < p->d.channels; c++)
            put(p, v, i, c, value_of(&p->d, channel_of(&p->d, word[c * p->d.bits / 32], c)));
    }
}

// The texels of a level that places fall on, and the lanes for which there are such.
INLINE void point_taps(const struct plan *p, const struct stage *s, const struct vectors *v, ints *at, mask *in)
{
    for (unsigned i = 0; i < v->n; i++) {
        at[i] = plane_at(p, s, v->lane[i]);
        in[i] = mask_of(v->bits[i]);
        for (unsigned k = 0; k < p->axes; k++)
            at[i] += point_at(coordinate(p, k, v->lane[i]), &s->line[k], &in[i]);
    }
}

// ---- Sums
// The lanes of `special` once more, each alone.
static __attribute__((noinline)) void put_special(const struct plan *p, uint32_t lane, uint32_t special)
{
    for (; special; special &= special - 1) {
        uint32_t r[4], i = lane + (uint32_t)__builtin_ctz(special);
        texture_sample(p->t, p->op, p->args + i, p->width, r);
        for (unsigned k = 0; k < p->d.channels; k++)
            p->out[k * p->width + i] = r[k];
    }
}

INLINE void put_sums(const struct plan *p, enum value_kind kind, const struct vectors *v, const struct tap *t,
                     unsigned n)
{
    const struct decoder d = p->d;
    const unsigned vectors = v->n;
    for (unsigned i = 0; i < vectors; i += PAIR) {
        uint32_t special[PAIR] = {0};
        for (unsigned c = 0; c < d.channels; c++) {
            struct filtered f[PAIR];
            filter_channel(&d, kind, t + i * n, n, c, f);
            EACH special[j] |= bits_of(f[j].special);
            EACH put(p, v, i + j, c, f[j].value);
        }
        EACH
        {
            if (special[j] & v->bits[i + j])
                put_special(p, v->lane[i + j], special[j] & v->bits[i + j]);
        }
    }
}

INLINE void put_filtered(const struct plan *p, const struct vectors *v, const struct tap *t, unsigned n)
{
    if (p->d.kind == VALUE_FLOAT)
        put_sums(p, VALUE_FLOAT, v, t, n);
    else if (p->d.kind == VALUE_HALF)
        put_sums(p, VALUE_HALF, v, t, n);
    else
        put_sums(p, VALUE_NORMALIZED, v, t, n);
}

INLINE void weight_put(struct tap *t, ints weight)
{
    t->weight = to_floats(weight);
    t->weighs = less(splat(0), weight);
}

// The weights of the corners; how they are rounded is in sample.c.
INLINE void corner_weights(const struct span *a, unsigned axes, int32_t share, struct tap *t)
{
    const bool whole = axes < 3 && share == 256;
    ints x = a[0].weight, y = axes > 1 ? a[1].weight : splat(0), slice[2] = {splat(share), splat(0)};
    if (axes > 2) {
        slice[1] = (product16(a[2].weight, slice[0]) + 127) >> 8;
        slice[0] -= slice[1];
    }
    for (unsigned k = 0; k < (axes > 2 ? 2u : 1u); k++, t += 4) {
        ints right = whole ? x : (product16(x, slice[k]) + 128) >> 8, left = slice[k] - right;
        ints below[2] = {(product16(left, y) + 127) >> 8, (product16(right, y) + 128) >> 8};
        weight_put(&t[0], left - below[0]);
        weight_put(&t[1], right - below[1]);
        if (axes > 1) {
            weight_put(&t[2], below[0]);
            weight_put(&t[3], below[1]);
        }
    }
}

// Places along an axis.
static __attribute__((noinline)) void spans_find(const struct plan *p, const struct line *at, unsigned axis,
                                                 const struct vectors *v, struct span (*a)[3])
{
    const struct line l = *at;
    const unsigned n = v->n;
#define SPANS(mode, normalized)                                                                                        \
    for (unsigned i = 0; i < n; i++)                                                                                   \
    span_find(&a[i][axis], coordinate(p, axis, v->lane[i]), &l, mode, normalized, true, false)
    if (!l.normalized && l.mode == ADDRESS_CLAMP)
        SPANS(ADDRESS_CLAMP, false);
    else if (!l.normalized)
        SPANS(ADDRESS_BORDER, false);
    else if (l.mode == ADDRESS_CLAMP)
        SPANS(ADDRESS_CLAMP, true);
    else if (l.mode == ADDRESS_WRAP)
        SPANS(ADDRESS_WRAP, true);
    else if (l.mode == ADDRESS_MIRROR)
        SPANS(ADDRESS_MIRROR, true);
    else
        SPANS(ADDRESS_BORDER, true);
#undef SPANS
}

// Rows of two texels each. One load has both where they lie beside each other, as they do but at the seams of repeated textures and in rows of one
// texel. Where they are the same, its neighbour in the row is read beside it and not used.
struct rows {
    ints at[4];     // the first of the two
    mask second[2]; // whether the texel near to or far from a place is the second of the two
};

INLINE void rows_find(struct rows *rows, const struct span *a, unsigned axes, const struct line *l, ints plane)
{
    ints near = a[0].at[0], far = a[0].at[1], begin = between(smaller(near, far), 0, (l->n - 2) * l->step);
    rows->second[0] = less(begin, near);
    rows->second[1] = less(begin, far);
    plane += begin;
    for (unsigned r = 0; r < 1u << (axes - 1); r++) {
        rows->at[r] = plane;
        for (unsigned k = 1; k < axes; k++)
            rows->at[r] += a[k].at[r >> (k - 1) & 1];
    }
}

// `size` is p->d.size.
INLINE void rows_load(const struct plan *p, unsigned size, const struct rows *rows, unsigned n, struct tap *t)
{
    ints word[2][4];
    for (unsigned r = 0; r < n; r++, t += 2) {
        texel_load_pair(&p->d, size, &rows->at[r], word[0], word[1]);
        for (unsigned i = 0; i < 2; i++)
            for (unsigned k = 0; k < (size + 3) / 4; k++)
                t[i].word[k] = choose(rows->second[i], word[1][k], word[0][k]);
    }
}

// The corners of a vector one by one: where not all lanes have all of them, or rows are parted.
static __attribute__((noinline)) void corners_load(const struct plan *p, const struct span *a, unsigned axes,
                                                   ints plane, mask lanes, struct tap *t)
{
    for (unsigned i = 0; i < 1u << axes; i++) {
        ints at = plane;
        mask in = lanes;
        for (unsigned k = 0; k < axes; k++) {
            at += a[k].at[i >> k & 1];
            if (p->t->address[k] == ADDRESS_BORDER)
                in = both(in, a[k].in[i >> k & 1]);
        }
        texel_load(&p->d, &at, in, t[i].word);
    }
}

// Whether rows_load serves.
INLINE bool is_paired(const struct plan *p, const struct span *a, unsigned axes, const struct line *l, uint32_t lanes)
{
    if (lanes != ALL_LANES || l->n < 2)
        return false;
    if (l->mode == ADDRESS_WRAP && l->n > 2 && bits_of(less(a[0].at[1], a[0].at[0])))
        return false;
    mask in = mask_of(ALL_LANES);
    for (unsigned k = 0; k < axes && p->d.border; k++)
        if (p->t->address[k] == ADDRESS_BORDER)
            in = both(in, both(a[k].in[0], a[k].in[1]));
    return !p->d.border || bits_of(in) == ALL_LANES;
}

// The corners around places, for each vector `all` taps, of which these are the first. `size` is p->d.size, share s->share.
INLINE void corner_taps(const struct plan *p, unsigned size, const struct stage *s, int32_t share, unsigned axes,
                        const struct vectors *v, struct tap *t, unsigned all)
{
    struct span a[VECTORS][3];
    struct rows rows[VECTORS];
    const struct line line = s->line[0];
    const unsigned n = v->n;
    for (unsigned k = 0; k < axes; k++)
        spans_find(p, &s->line[k], k, v, a);
    for (unsigned i = 0; i < n; i++) {
        rows_find(&rows[i], a[i], axes, &line, plane_at(p, s, v->lane[i]));
        corner_weights(a[i], axes, share, t + i * all);
    }
    for (unsigned i = 0; i < n; i++) {
        if (is_paired(p, a[i], axes, &line, v->bits[i]))
            rows_load(p, size, &rows[i], 1u << (axes - 1), t + i * all);
        else
            corners_load(p, a[i], axes, plane_at(p, s, v->lane[i]), mask_of(v->bits[i]), t + i * all);
    }
}

// ---- Kinds of reads
typedef void read_fn(const struct plan *p, const struct stage *s, const struct vectors *v);

static void read_point(const struct plan *p, const struct stage *s, const struct vectors *v)
{
    ints at[VECTORS];
    mask in[VECTORS];
    point_taps(p, s, v, at, in);
    put_values(p, v, at, in);
}

// Points of two levels of detail, the second of which is s[1].
static void read_mixed_0(const struct plan *p, const struct stage *s, const struct vectors *v)
{
    ints at[VECTORS];
    mask in[VECTORS];
    struct tap t[VECTORS * 2];
    for (unsigned k = 0; k < 2; k++) {
        point_taps(p, &s[k], v, at, in);
        for (unsigned i = 0; i < v->n; i++) {
            struct tap *one = &t[2 * i + k];
            weight_put(one, splat(s[k].share));
            texel_load(&p->d, &at[i], in[i], one->word);
        }
    }
    put_filtered(p, v, t, 2);
}

// With linear filtering: one level, and two.
#define READ_LINEAR(axes)                                                                                              \
    static void read_linear_##axes(const struct plan *p, const struct stage *s, const struct vectors *v)               \
    {                                                                                                                  \
        struct tap t[VECTORS << (axes)];                                                                               \
        if (p->d.size == 4)                                                                                            \
            corner_taps(p, 4, s, 256, axes, v, t, 1 << (axes));                                                        \
        else                                                                                                           \
            corner_taps(p, p->d.size, s, 256, axes, v, t, 1 << (axes));                                                \
        put_filtered(p, v, t, 1 << (axes));                                                                            \
    }                                                                                                                  \
    static void read_mixed_##axes(const struct plan *p, const struct stage *s, const struct vectors *v)                \
    {                                                                                                                  \
        struct tap t[VECTORS << ((axes) + 1)];                                                                         \
        for (unsigned k = 0; k < 2; k++)                                                                               \
            corner_taps(p, p->d.size, &s[k], s[k].share, axes, v, t + (k << (axes)), 2 << (axes));                     \
        put_filtered(p, v, t, 2 << (axes));                                                                            \
    }
READ_LINEAR(1)
READ_LINEAR(2)
READ_LINEAR(3)
#undef READ_LINEAR

// tld4: one component of four texels.
static void read_corners(const struct plan *p, const struct stage *s, const struct vectors *v)
{
    static const uint8_t order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    unsigned c = p->op >> IMAGE_DETAIL_SHIFT & 3;
    for (unsigned i = 0; i < v->n && c < p->d.channels; i++) {
        struct span a[2];
        for (unsigned k = 0; k < 2; k++)
            span_find(&a[k], coordinate(p, k, v->lane[i]), &s->line[k], s->line[k].mode, s->line[k].normalized, false,
                      true);
        for (unsigned k = 0; k < 4; k++) {
            mask in = mask_of(v->bits[i]);
            ints at = plane_at(p, s, v->lane[i]), word[4];
            for (unsigned j = 0; j < 2; j++) {
                at += a[j].at[order[k][j]];
                if (s->line[j].mode == ADDRESS_BORDER)
                    in = both(in, a[j].in[order[k][j]]);
            }
            texel_load(&p->d, &at, in, word);
            put(p, v, i, k, value_of(&p->d, channel_of(&p->d, word[c * p->d.bits / 32], c)));
        }
    }
}

// Texels by number: 0 outside.
static void read_texels(const struct plan *p, const struct stage *s, const struct vectors *v)
{
    ints at[VECTORS];
    mask in[VECTORS];
    for (unsigned i = 0; i < v->n; i++) {
        at[i] = splat(s->base);
        in[i] = mask_of(v->bits[i]);
        for (unsigned k = 0; k < p->axes; k++) {
            ints number = load(p->c[k] + v->lane[i]);
            if (!(p->op & IMAGE_INTEGER))
                number = to_ints(float_between(floor_of(cleaned((floats)number)), -1, 0x1p30f));
            in[i] = both(in[i], in_extent(number, s->line[k].n));
            at[i] += number * s->line[k].step;
        }
        if (p->layer) {
            ints layer = load(p->layer + v->lane[i]);
            in[i] = both(in[i], in_extent(layer, (int32_t)p->t->level[0].depth));
            at[i] += layer * s->slice;
        }
    }
    put_values(p, v, at, in);
}

// ---- The gang
static bool is_numbered(const struct texture *t, uint32_t op)
{
    return (op & IMAGE_INTEGER) || t->kind == TEXTURE_LINEAR;
}

static read_fn *read_choose(const struct plan *p, bool mixed)
{
    static read_fn *const filtered[2][4] = {{read_point, read_linear_1, read_linear_2, read_linear_3},
                                            {read_mixed_0, read_mixed_1, read_mixed_2, read_mixed_3}};
    if (is_numbered(p->t, p->op))
        return read_texels;
    if ((p->op >> IMAGE_MODE_SHIFT & 15) == IMAGE_GATHER)
        return read_corners;
    return filtered[mixed][p->t->filter == FILTER_LINEAR ? p->axes : 0];
}

// Lanes that take one level of detail, and perhaps a share of the next one: both in `detail`.
static void read_level(const struct plan *p, uint32_t lanes, uint32_t detail)
{
    struct stage s[2];
    int32_t next = (int32_t)(detail & 255);
    stage_init(&s[0], p, detail >> 8, 256 - next);
    if (next)
        stage_init(&s[1], p, (detail >> 8) + 1, next);
    struct vectors v;
    vectors_find(&v, p->width, lanes);
    read_choose(p, next != 0)(p, s, &v);
}

// The level that a lane takes: level << 8 | share of the next one; that of a read by number is a number.
static uint32_t detail_of(const struct plan *p, uint32_t lane)
{
    if (!is_numbered(p->t, p->op))
        return texture_detail(p->t, p->op, p->args + lane, p->width);
    uint32_t level = (p->c[p->axes - 1] + p->width)[lane];
    return (level < p->t->levels ? level : p->t->levels) << 8;
}

// Lanes are served in sets of one level each.
static void read_levels(const struct plan *p, uint32_t lanes)
{
    uint32_t detail[32];
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        detail[__builtin_ctz(rest)] = detail_of(p, (uint32_t)__builtin_ctz(rest));
    while (lanes) {
        uint32_t first = detail[__builtin_ctz(lanes)], set = 0;
        for (uint32_t rest = lanes; rest; rest &= rest - 1)
            if (detail[__builtin_ctz(rest)] == first)
                set |= rest & -rest;
        lanes &= ~set;
        if (first >> 8 < p->t->levels)
            read_level(p, set, first);
    }
}

static bool is_served(const struct texture *t, uint32_t op, uint32_t width)
{
    enum image_geometry g = (enum image_geometry)(op >> IMAGE_GEOMETRY_SHIFT & 15);
    enum image_mode mode = (enum image_mode)(op >> IMAGE_MODE_SHIFT & 15);
    if (!t->vectors || width % LANES || g > IMAGE_A2D || (op & IMAGE_OFFSETS))
        return false;
    if (is_numbered(t, op)) // of arrays of one dimension they give 0
        return mode <= IMAGE_LEVEL && !(g == IMAGE_1D && t->kind == TEXTURE_ARRAY);
    if (mode == IMAGE_GATHER)
        return g == IMAGE_2D || g == IMAGE_A2D;
    bool mixes = (t->flags & TEXTURE_MIPMAP) && t->mip_filter == FILTER_LINEAR;
    return t->vectors == VECTORS_ALL || (t->filter == FILTER_POINT && !mixes);
}

// Rows of args; a place on a line is one in a row of two dimensions, where linear filtering reaches beyond the row.
static void plan_rows(struct plan *p)
{
    enum image_geometry g = (enum image_geometry)(p->op >> IMAGE_GEOMETRY_SHIFT & 15);
    const struct texture *t = p->t;
    const uint32_t *row = p->args;
    p->axes = image_axes(g);
    p->layer = NULL;
    if (image_layered(g)) {
        p->layer = row;
        row += p->width;
    }
    for (unsigned k = 0; k < 3; k++, row += p->width)
        p->c[k] = k < p->axes ? row : NULL;
    bool row_alone = t->address[1] == ADDRESS_CLAMP || (t->level[0].height == 1 && t->address[1] != ADDRESS_BORDER);
    if (g == IMAGE_1D && t->filter == FILTER_LINEAR && !row_alone && !is_numbered(t, p->op))
        p->axes = 2;
}

bool GANG_READ(const struct texture *t, uint32_t op, uint32_t width, uint32_t active, const uint32_t *args,
               uint32_t *out)
{
    struct plan p;
    if (!is_served(t, op, width))
        return false;
    p.t = t;
    p.op = op;
    p.width = width;
    p.args = args;
    p.out = out;
    plan_rows(&p);
    decoder_init(&p.d, t);
    static const uint32_t none[4]; // outside of what is read by number
    bool numbered = is_numbered(t, op);
    enum image_mode mode = (enum image_mode)(op >> IMAGE_MODE_SHIFT & 15);
    p.d.border = false;
    for (unsigned k = 0; k < p.axes; k++)
        p.d.border |= t->address[k] == ADDRESS_BORDER;
    p.d.outside = numbered ? none : t->outside;
    bool levels = numbered ? mode == IMAGE_LEVEL : (t->flags & TEXTURE_MIPMAP) && mode != IMAGE_GATHER;
    if (!levels || mode == IMAGE_TEX)
        read_level(&p, active, levels ? detail_of(&p, (uint32_t)__builtin_ctz(active)) : 0);
    else
        read_levels(&p, active);
    return true;
}
