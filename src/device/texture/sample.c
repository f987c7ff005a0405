// SPDX-License-Identifier: Apache-2.0
// See sample.h. The guide's appendix on texture fetching says what is computed; what it leaves open was
// measured on a GPU (tests/texture) and is done the same way here:
//  1. Coordinates that are NaN or denormal are 0.
//  2. A normalised coordinate is cut to 21 fractional bits (22 or 23 for extents above 8192 or 65536) before it is
//     multiplied by the extent; wrapping and mirroring are done on these bits. Coordinates in texels are taken as they
//     are.
//  3. Linear filtering rounds the place between texels to 8 bits, half up; weights are products of such fractions, each
//     rounded to 8 bits in its own way, and always add up to 1.
//  4. A texture of one dimension is one row of two: with a border above and below, linear filtering mixes it in.
#include "device/texture/sample.h"
#include "device/texture/cube.h"
#include "device/texture/filter.h"
#include "device/texture/gradient.h"
#include "jit/abi/image.h"
#include <math.h>
#include <string.h>

enum { OUTSIDE = -1, FRACTION = 21 };
static const double FAR = 0x1p40; // beyond every extent

static float float_of(uint32_t u)
{
    float f;
    memcpy(&f, &u, 4);
    return f;
}

static float cleaned(float c)
{
    return fabsf(c) >= 0x1p-126f ? c : 0; // false for a NaN
}

static int64_t address(uint8_t mode, int64_t i, int64_t n)
{
    switch (mode) {
    case ADDRESS_WRAP:
        i %= n;
        return i < 0 ? i + n : i;
    case ADDRESS_MIRROR:
        i %= 2 * n;
        i = i < 0 ? i + 2 * n : i;
        return i >= n ? 2 * n - 1 - i : i;
    case ADDRESS_BORDER:
        return i < 0 || i >= n ? OUTSIDE : i;
    default:
        return i < 0 ? 0 : i >= n ? n - 1 : i;
    }
}

static double limited(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static double modulo(double x, double n)
{
    double r = isinf(x) ? 0 : fmod(x, n);
    return r < 0 ? r + n : r;
}

// What normalised coordinates are counted in, along an extent of n.
static double units(uint32_t n)
{
    return 1 << (FRACTION + (n > FRACTION_EXTENT) + (n > 8 * FRACTION_EXTENT));
}

// A place on a face of a cube map, in [-1, 1] but for the last bit, as a normalised coordinate.
static double face_units(float c, double unit)
{
    return floor(limited(c, -1, 1) * (unit / 2)) + unit / 2;
}

// In texels.
static double texels(const struct texture *t, uint8_t mode, float c, uint32_t n, bool linear, bool face)
{
    if (!face && !(t->flags & TEXTURE_NORMALIZED))
        return limited(c, -FAR, FAR);
    double unit = units(n), v = face ? face_units(c, unit) : floor((double)c * unit);
    if (mode == ADDRESS_WRAP) {
        v = modulo(v, unit);
    } else if (mode == ADDRESS_MIRROR) {
        v = modulo(v, 2 * unit);
        if (v >= unit && !linear)
            v = 2 * unit - v;
    }
    return limited(v * n / unit, -FAR, FAR);
}

// Where a coordinate falls along an axis: one texel, or two and the weight of the second in 1/256.
struct axis {
    int64_t at[2];
    int32_t weight;
};

// What one read asks for.
struct request {
    enum image_geometry geometry;
    enum image_mode mode;
    unsigned axes;
    float c[3];
    int32_t integer[3]; // the coordinates as numbers of texels
    int32_t offset[3];
    uint32_t layer, level; // with integer coordinates the level is an integer, too
    float d[2][3];         // gradients
    int64_t slice;         // a layer, or a face
    bool face;             // a place on a face of a cube map, in [-1, 1]
    bool crosses;          // the gradients lead to other faces
};

// `clamps`: beyond the ends there is nothing between texels.
static struct axis axis_of(const struct texture *t, unsigned k, const struct request *q, uint32_t n, bool linear,
                           bool clamps)
{
    uint8_t mode = t->address[k];
    int32_t offset = q->offset[k];
    double u = texels(t, mode, cleaned(q->c[k]), n, linear, q->face);
    struct axis a = {.weight = 0};
    if (!linear) {
        a.at[0] = a.at[1] = address(mode, (int64_t)floor(u) + offset, n);
        return a;
    }
    int64_t fixed = (int64_t)floor((u - 0.5) * 256 + 0.5) + 256 * (int64_t)offset, last = (int64_t)(n - 1) << 8;
    if (mode == ADDRESS_CLAMP && clamps)
        fixed = fixed < 0 ? 0 : fixed > last ? last : fixed;
    a.weight = (int32_t)(fixed & 255);
    a.at[0] = address(mode, fixed >> 8, n);
    a.at[1] = address(mode, (fixed >> 8) + 1, n);
    return a;
}

// Along a face of a cube map whose edges do not show: texels beyond the ends keep their numbers.
static struct axis axis_unbounded(float c, uint32_t n, bool linear)
{
    double unit = units(n), v = limited(face_units(cleaned(c), unit) * n / unit, 0, n);
    int64_t fixed = (int64_t)floor((v - 0.5) * 256 + 0.5), point = address(ADDRESS_CLAMP, (int64_t)v, n);
    return linear ? (struct axis){{fixed >> 8, (fixed >> 8) + 1}, (int32_t)(fixed & 255)}
                  : (struct axis){{point, point}, 0};
}

// Products of weights: halves are rounded up, or down.
static int32_t product(int32_t a, int32_t b)
{
    return (a * b + 128) >> 8;
}

static int32_t product_down(int32_t a, int32_t b)
{
    return (a * b + 127) >> 8;
}

// The corners between the texels of three axes, whose weights add up to `share`; those that no fraction reaches are
// left out.
static unsigned corners(const struct axis *a, const struct array_level *l, int32_t share, struct tap *tap)
{
    int32_t x = a[0].weight, y = a[1].weight, z = a[2].weight, slice[2];
    unsigned n = 0;
    slice[1] = product_down(z, share);
    slice[0] = share - slice[1];
    for (unsigned k = 0; k < 2 && (k == 0 || z); k++) {
        int32_t right = product(x, slice[k]), w[4];
        w[3] = product(right, y);
        w[1] = right - w[3];
        w[2] = product_down(slice[k] - right, y);
        w[0] = slice[k] - right - w[2];
        for (unsigned i = 0; i < 4; i++)
            if ((!(i & 1) || x) && (!(i & 2) || y))
                tap[n++] = (struct tap){l, a[0].at[i & 1], a[1].at[i >> 1], a[2].at[k], w[i]};
    }
    return n;
}

static unsigned level_taps(const struct texture *t, const struct request *q, uint32_t level, int32_t share,
                           struct tap *tap)
{
    const struct array_level *l = &t->level[level];
    uint32_t n[3] = {l->width, l->height, l->depth};
    bool linear = t->filter == FILTER_LINEAR;
    struct axis a[3] = {{{0, 0}, 0}, {{0, 0}, 0}, {{q->slice, q->slice}, 0}};
    unsigned axes = q->geometry == IMAGE_1D ? 2 : q->axes; // one row
    bool seamless = q->face && (t->flags & TEXTURE_SEAMLESS);
    for (unsigned k = 0; k < axes; k++)
        a[k] = seamless ? axis_unbounded(q->c[k], n[k], linear) : axis_of(t, k, q, n[k], linear, true);
    if (linear) {
        unsigned taps = corners(a, l, share, tap);
        if (seamless)
            cube_seam(tap, taps);
        return taps;
    }
    *tap = (struct tap){l, a[0].at[0], a[1].at[0], a[2].at[0], share};
    return 1;
}

// Levels of detail have 8 fractional bits; what is beyond is cut off.
static int64_t level_bits(double x)
{
    return (int64_t)limited(x * 256, -1e9, 1e9);
}

// The level for a level of detail: the nearest, or one with the share of the next.
static uint32_t detail(const struct texture *t, int64_t lod)
{
    int64_t low = level_bits(t->mip_min), high = level_bits(t->mip_max), last = (int64_t)(t->levels - 1) << 8;
    lod = lod < low ? low : lod > high ? high : lod;
    lod = !(t->flags & TEXTURE_MIPMAP) || lod < 0 ? 0 : lod > last ? last : lod;
    return (uint32_t)(t->mip_filter == FILTER_LINEAR ? lod : (lod + 128) & ~255);
}

static struct texel sample(const struct texture *t, const struct request *q, uint32_t detail)
{
    struct tap tap[TAPS_MAX];
    int32_t further = (int32_t)(detail & 255);
    unsigned n = level_taps(t, q, detail >> 8, 256 - further, tap);
    if (further)
        n += level_taps(t, q, (detail >> 8) + 1, further, tap + n);
    if (t->filter == FILTER_POINT && n == 1)
        return texel_load(t, tap->level, tap->x, tap->y, tap->z);
    return texel_filter(t, tap, n);
}

// Texels by number; outside is 0, whatever the address mode, and so is all of an array of one dimension, which such
// instructions do not reach on a GPU.
static struct texel fetch(const struct texture *t, const struct request *q)
{
    struct texel zero = {{0}};
    if (q->level >= t->levels || (q->geometry == IMAGE_1D && t->kind == TEXTURE_ARRAY))
        return zero;
    const struct array_level *l = &t->level[q->level];
    uint32_t n[3] = {l->width, l->height, l->depth}, p[3] = {0, 0, q->layer};
    for (unsigned k = 0; k < q->axes; k++)
        p[k] = (uint32_t)q->integer[k] + (uint32_t)q->offset[k];
    if (p[0] >= n[0] || p[1] >= n[1] || p[2] >= n[2])
        return zero;
    return texel_load(t, l, p[0], p[1], p[2]);
}

static struct texel gather(const struct texture *t, const struct request *q, unsigned component)
{
    const struct array_level *l = &t->level[0];
    struct texel r = {{0}};
    struct axis x = axis_of(t, 0, q, l->width, true, false);
    struct axis y = axis_of(t, 1, q, l->height, true, false);
    static const uint8_t order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    for (unsigned i = 0; i < 4; i++)
        r.word[i] = texel_load(t, l, x.at[order[i][0]], y.at[order[i][1]], q->slice).word[component];
    return r;
}

// In texels of the finest level.
static double gradient_texels(const struct texture *t, float d, uint32_t n)
{
    d = cleaned(d);
    return limited(t->flags & TEXTURE_NORMALIZED ? gradient_scale((float)limited(d, -FAR, FAR), n) : d, -FAR, FAR);
}

static int64_t gradient_lod(const struct texture *t, const struct request *q)
{
    uint32_t n[3] = {t->level[0].width, t->level[0].height, t->level[0].depth};
    double x[3] = {0}, y[3] = {0};
    for (unsigned k = 0; k < q->axes; k++) {
        x[k] = gradient_texels(t, q->d[0][k], n[k]);
        y[k] = gradient_texels(t, q->d[1][k], n[k]);
    }
    return gradient_level(x, y, !q->crosses);
}

// In three dimensions a GPU takes differences of three places, and what is lost there is lost.
static void gradient_differences(struct request *q)
{
    for (unsigned i = 0; i < 2; i++)
        for (unsigned k = 0; k < 3; k++)
            q->d[i][k] = q->c[k] + q->d[i][k] - q->c[k];
}

static int64_t lod_of(const struct texture *t, const struct request *q)
{
    if (q->mode != IMAGE_GRAD && q->mode != IMAGE_LEVEL)
        return 0;
    int64_t bits = q->mode == IMAGE_GRAD ? gradient_lod(t, q) : level_bits(cleaned(float_of(q->level)));
    return bits + level_bits(t->mip_bias);
}

static void request_read(struct request *q, uint32_t op, const uint32_t *arg, uint32_t stride)
{
    *q = (struct request){.geometry = op >> IMAGE_GEOMETRY_SHIFT & 15, .mode = op >> IMAGE_MODE_SHIFT & 15};
    q->axes = image_axes(q->geometry);
    if (image_layered(q->geometry)) {
        q->layer = *arg;
        arg += stride;
    }
    for (unsigned i = 0; i < q->axes; i++, arg += stride) {
        q->c[i] = float_of(*arg);
        q->integer[i] = op & IMAGE_INTEGER ? (int32_t)*arg : (int32_t)limited(floorf(cleaned(q->c[i])), -1, INT32_MAX);
    }
    if (q->mode == IMAGE_LEVEL) {
        q->level = *arg;
        arg += stride;
    }
    for (unsigned i = 0; q->mode == IMAGE_GRAD && i < 2; i++)
        for (unsigned k = 0; k < q->axes; k++, arg += stride)
            q->d[i][k] = float_of(*arg);
    for (unsigned i = 0; (op & IMAGE_OFFSETS) && i < q->axes; i++, arg += stride)
        q->offset[i] = (int32_t)*arg;
}

// Which layer or face it is, and gradients as differences.
static void request_place(struct request *q, const struct texture *t)
{
    uint32_t layers = t->level[0].depth;
    if (q->geometry == IMAGE_CUBE || q->geometry == IMAGE_ACUBE) {
        layers /= 6;
        q->slice = cube_project(q->c, q->d, &q->crosses) + 6 * (int64_t)(q->layer < layers ? q->layer : layers - 1);
        q->axes = 2;
        q->face = true;
    } else if (image_layered(q->geometry)) {
        q->slice = q->layer < layers ? q->layer : layers - 1;
    }
    if (q->geometry == IMAGE_3D)
        gradient_differences(q);
}

uint32_t texture_detail(const struct texture *t, uint32_t op, const uint32_t *arg, uint32_t stride)
{
    struct request q;
    request_read(&q, op, arg, stride);
    request_place(&q, t);
    return detail(t, lod_of(t, &q));
}

void texture_sample(const struct texture *t, uint32_t op, const uint32_t *arg, uint32_t stride, uint32_t *out)
{
    struct request q;
    struct texel r;
    request_read(&q, op, arg, stride);
    if ((op & IMAGE_INTEGER) || t->kind == TEXTURE_LINEAR) {
        r = fetch(t, &q);
    } else {
        request_place(&q, t);
        r = q.mode == IMAGE_GATHER ? gather(t, &q, op >> IMAGE_DETAIL_SHIFT & 3)
                                   : sample(t, &q, detail(t, lod_of(t, &q)));
    }
    memcpy(out, r.word, sizeof r.word);
}
