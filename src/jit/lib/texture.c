// SPDX-License-Identifier: Apache-2.0
// Reads of textures that are inlined: in points and with linear filtering, of one or two dimensions, without a border,
// of 32-bit channels and of bytes (jit/abi/texture.h says which textures take these paths). Bit for bit what
// device/texture/sample.c and filter.c compute, where the rules are written; here in a form that vectorises.
// What comes from the descriptor is the same for all lanes as a rule, so branches on it cost nothing.
#include "jit/abi/texture.h"
#include "lib.h"

typedef const unsigned char *bytes;
typedef uint32_t u32;

enum { FRACTION = 21, UNIT = 1 << FRACTION };

// NaNs and denormals are 0.
INLINE(float) cleaned(float c)
{
    return __builtin_fabsf(c) >= 0x1p-126f ? c : 0;
}

INLINE(float) limited(float x, float low, float high)
{
    x = x > low ? x : low;
    return x < high ? x : high;
}

// v modulo n, both whole numbers, n a power of two: exact in floats. Infinity gives 0.
INLINE(float) modulo(float v, float n)
{
    float r = v - __builtin_floorf(v * (1 / n)) * n;
    return r >= 0 ? r : 0;
}

INLINE(int32_t) smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

INLINE(int32_t) larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

// The texel along an axis of n.
INLINE(int32_t) point(float c, uint32_t axis, uint32_t n)
{
    c = cleaned(c);
    if (axis == AXIS_TEXELS)
        return (int32_t)limited(__builtin_floorf(c), 0, (float)(int32_t)(n - 1));
    float v = __builtin_floorf(c * UNIT);
    if (axis == AXIS_CLAMP) {
        v = limited(v, 0, UNIT - 1);
    } else if (axis == AXIS_WRAP) {
        v = modulo(v, UNIT);
    } else {
        v = modulo(v, 2 * UNIT);
        v = v >= UNIT ? 2 * UNIT - v : v;
    }
    uint32_t i = (uint32_t)(((uint64_t)(uint32_t)(int32_t)v * n) >> FRACTION);
    return smaller((int32_t)i, (int32_t)(n - 1));
}

// Two texels along an axis, and the weight of the second in 1/256. Where it is 0 the second is the first.
struct span {
    int32_t near, far, weight;
};

INLINE(int32_t) mirrored(int32_t i, int32_t n)
{
    i = i < 0 ? -1 - i : i;
    i = i >= 2 * n ? i - 2 * n : i;
    return i >= n ? 2 * n - 1 - i : i;
}

INLINE(int32_t) addressed(int32_t i, uint32_t axis, int32_t n)
{
    if (axis <= AXIS_CLAMP)
        return larger(smaller(i, n - 1), 0);
    if (axis == AXIS_WRAP)
        return i < 0 ? i + n : i >= n ? i - n : i;
    return mirrored(i, n);
}

INLINE(void) between(struct span *s, float c, uint32_t axis, uint32_t extent)
{
    int32_t n = (int32_t)extent, fixed;
    c = cleaned(c);
    if (axis == AXIS_TEXELS) {
        float u = limited(c, -4, (float)n + 4) * 256, f = __builtin_floorf(u);
        fixed = (int32_t)f + (u - f >= 0.5f) - 128;
    } else {
        float v = __builtin_floorf(c * UNIT);
        if (axis == AXIS_CLAMP)
            v = limited(v, -UNIT, 2 * UNIT);
        else
            v = modulo(v, axis == AXIS_WRAP ? UNIT : 2 * UNIT);
        fixed = (int32_t)(((int64_t)(int32_t)v * n + (1 << 12)) >> 13) - 128;
    }
    if (axis <= AXIS_CLAMP) // beyond the ends there is nothing between texels
        fixed = larger(smaller(fixed, (n - 1) << 8), 0);
    s->weight = fixed & 255;
    s->near = addressed(fixed >> 8, axis, n);
    s->far = addressed(s->weight ? (fixed >> 8) + 1 : fixed >> 8, axis, n);
}

INLINE(uint32_t) word_at(const unsigned char *base, int32_t offset)
{
    return *(const uint32_t *)(base + offset);
}

INLINE(uint32_t) unorm8(uint32_t v)
{
    return bits32((float)(int32_t)v / 255.0f);
}

// No loops and no arrays but the result: what is not in registers would be gathered from memory.
INLINE(uint32_t) byte_of(uint32_t w, int i, uint32_t kind)
{
    uint32_t v = w >> (8 * i) & 255;
    return kind == LOAD_8X4 ? v : unorm8(v);
}

INLINE(void) load(uint32_t *out, const unsigned char *base, int32_t offset, uint32_t kind)
{
    out[0] = out[1] = out[2] = out[3] = 0;
    if (kind <= LOAD_32X4) {
        out[0] = word_at(base, offset);
        if (kind >= LOAD_32X2)
            out[1] = word_at(base, offset + 4);
        if (kind == LOAD_32X4) {
            out[2] = word_at(base, offset + 8);
            out[3] = word_at(base, offset + 12);
        }
    } else if (kind <= LOAD_8X1_FLOAT) {
        uint32_t v = base[offset];
        out[0] = kind == LOAD_8X1 ? v : unorm8(v);
    } else {
        uint32_t w = word_at(base, offset);
        out[0] = byte_of(w, 0, kind);
        out[1] = byte_of(w, 1, kind);
        out[2] = byte_of(w, 2, kind);
        out[3] = byte_of(w, 3, kind);
    }
}

FN(void) heddle_tex_point_1d(u32 *out, bytes base, u32 kind, u32 size, u32 axis_x, u32 width, float x)
{
    load(out, base, point(x, axis_x, width) * (int32_t)size, kind);
}

FN(void)
heddle_tex_point_2d(u32 *out, bytes base, u32 kind, u32 size, u32 axis_x, u32 width, float x, u32 pitch, u32 axis_y,
                    u32 height, float y)
{
    load(out, base, point(x, axis_x, width) * (int32_t)size + point(y, axis_y, height) * (int32_t)pitch, kind);
}

FN(void)
heddle_tex_point_3d(u32 *out, bytes base, u32 kind, u32 size, u32 axis_x, u32 width, float x, u32 pitch, u32 axis_y,
                    u32 height, float y, u32 slice, u32 axis_z, u32 depth, float z)
{
    int32_t plane = point(y, axis_y, height) * (int32_t)pitch + point(z, axis_z, depth) * (int32_t)slice;
    load(out, base, point(x, axis_x, width) * (int32_t)size + plane, kind);
}

// Four addresses, with weights.
struct square {
    int32_t at0, at1, at2, at3, w0, w1, w2, w3;
};

INLINE(uint32_t) flushed(uint32_t v)
{
    return (v & 0x7fffffff) < 0x00800000 ? v & 0x80000000u : v;
}

INLINE(uint32_t) size_of(uint32_t v, int32_t weight)
{
    return weight ? v & 0x7fffffff : 0;
}

INLINE(uint32_t) largest(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

INLINE(double) share(uint32_t v, double scale, int32_t weight)
{
    return __builtin_trunc((double)float32(v) * scale) * (double)weight;
}

// The four values of a square; infinities and NaNs are noted where the weight is 0, too.
struct values {
    uint32_t a, b, c, d;
};

INLINE(void) values_load(struct values *v, const unsigned char *base, const struct square *q, int32_t at)
{
    v->a = flushed(word_at(base, q->at0 + at));
    v->b = flushed(word_at(base, q->at1 + at));
    v->c = flushed(word_at(base, q->at2 + at));
    v->d = flushed(word_at(base, q->at3 + at));
}

INLINE(uint32_t) values_top(const struct values *v, const struct square *q)
{
    return largest(largest(size_of(v->a, q->w0), size_of(v->b, q->w1)),
                   largest(size_of(v->c, q->w2), size_of(v->d, q->w3)));
}

INLINE(uint32_t) values_any(const struct values *v)
{
    return largest(largest(size_of(v->a, 1), size_of(v->b, 1)), largest(size_of(v->c, 1), size_of(v->d, 1)));
}

INLINE(bool) values_have(const struct values *v, uint32_t x)
{
    return v->a == x || v->b == x || v->c == x || v->d == x;
}

INLINE(double) values_sum(const struct values *v, const struct square *q, double scale)
{
    return share(v->a, scale, q->w0) + share(v->b, scale, q->w1) + share(v->c, scale, q->w2) +
           share(v->d, scale, q->w3);
}

// `far` is NULL but in three dimensions.
INLINE(uint32_t)
filter_floats(const unsigned char *base, const struct square *near, const struct square *far, int32_t at)
{
    struct values v, w;
    values_load(&v, base, near, at);
    uint32_t top = values_top(&v, near), any = values_any(&v), negative = v.a & v.b & v.c & v.d & 0x80000000u;
    if (far) {
        values_load(&w, base, far, at);
        top = largest(top, values_top(&w, far));
        any = largest(any, values_any(&w));
        negative &= w.a & w.b & w.c & w.d;
    }
    // 28 bits for the largest.
    uint32_t e = top >> 23;
    double scale = float64((uint64_t)(1023 + 154 - e) << 52), back = float64((uint64_t)(1023 - 162 + e) << 52);
    double sum = values_sum(&v, near, scale);
    if (far)
        sum += values_sum(&w, far, scale);
    // Half away from zero: half a unit of the last of 24 bits is added to the bits.
    uint64_t s = (bits64(sum) + (UINT64_C(1) << 28)) & ~((UINT64_C(1) << 29) - 1);
    float r = (float)(float64(s) * back);
    uint32_t u = __builtin_fabsf(r) < 0x1p-126f ? bits32(r) & 0x80000000u : bits32(r);
    u = sum == 0 ? negative : u;
    if (any >= 0x7f800000u) {
        bool plus = values_have(&v, 0x7f800000u) || (far && values_have(&w, 0x7f800000u));
        bool minus = values_have(&v, 0xff800000u) || (far && values_have(&w, 0xff800000u));
        u = any > 0x7f800000u || (plus && minus) ? 0x7fffffffu : plus ? 0x7f800000u : 0xff800000u;
    }
    return u;
}

INLINE(void) words_load(struct values *v, const unsigned char *base, const struct square *q, uint32_t kind)
{
    v->a = kind <= LOAD_8X1_FLOAT ? base[q->at0] : word_at(base, q->at0);
    v->b = kind <= LOAD_8X1_FLOAT ? base[q->at1] : word_at(base, q->at1);
    v->c = kind <= LOAD_8X1_FLOAT ? base[q->at2] : word_at(base, q->at2);
    v->d = kind <= LOAD_8X1_FLOAT ? base[q->at3] : word_at(base, q->at3);
}

INLINE(int32_t) bytes_sum(const struct values *v, const struct square *q, int shift)
{
    return (int32_t)(v->a >> shift & 255) * q->w0 + (int32_t)(v->b >> shift & 255) * q->w1 +
           (int32_t)(v->c >> shift & 255) * q->w2 + (int32_t)(v->d >> shift & 255) * q->w3;
}

INLINE(uint32_t) unorm16(int32_t sum)
{
    return bits32((float)((sum * 257 + 128) >> 8) / 65535.0f);
}

INLINE(void)
filter(uint32_t *out, const unsigned char *base, const struct square *near, const struct square *far, uint32_t kind)
{
    out[0] = out[1] = out[2] = out[3] = 0;
    if (kind <= LOAD_32X4) {
        out[0] = filter_floats(base, near, far, 0);
        if (kind >= LOAD_32X2)
            out[1] = filter_floats(base, near, far, 4);
        if (kind == LOAD_32X4) {
            out[2] = filter_floats(base, near, far, 8);
            out[3] = filter_floats(base, near, far, 12);
        }
        return;
    }
    struct values v, w;
    words_load(&v, base, near, kind);
    if (far)
        words_load(&w, base, far, kind);
    out[0] = unorm16(bytes_sum(&v, near, 0) + (far ? bytes_sum(&w, far, 0) : 0));
    if (kind > LOAD_8X1_FLOAT) {
        out[1] = unorm16(bytes_sum(&v, near, 8) + (far ? bytes_sum(&w, far, 8) : 0));
        out[2] = unorm16(bytes_sum(&v, near, 16) + (far ? bytes_sum(&w, far, 16) : 0));
        out[3] = unorm16(bytes_sum(&v, near, 24) + (far ? bytes_sum(&w, far, 24) : 0));
    }
}

// The corners between the texels of two axes, with weights that add up to `whole`.
INLINE(void)
square(struct square *q, const struct span *h, const struct span *v, u32 size, u32 pitch, int32_t offset, int32_t whole)
{
    int32_t left = h->near * (int32_t)size + offset, right = h->far * (int32_t)size + offset;
    int32_t up = v->near * (int32_t)pitch, down = v->far * (int32_t)pitch, part = (h->weight * whole + 128) >> 8;
    q->w3 = (part * v->weight + 128) >> 8;
    q->w1 = part - q->w3;
    q->w2 = ((whole - part) * v->weight + 127) >> 8;
    q->w0 = whole - part - q->w2;
    q->at0 = up + left;
    q->at1 = up + right;
    q->at2 = down + left;
    q->at3 = down + right;
}

FN(void)
heddle_tex_linear_2d(u32 *out, bytes base, u32 kind, u32 size, u32 axis_x, u32 width, float x, u32 pitch, u32 axis_y,
                     u32 height, float y)
{
    struct span h, v;
    struct square q;
    between(&h, x, axis_x, width);
    between(&v, y, axis_y, height);
    square(&q, &h, &v, size, pitch, 0, 256);
    filter(out, base, &q, 0, kind);
}

FN(void)
heddle_tex_linear_3d(u32 *out, bytes base, u32 kind, u32 size, u32 axis_x, u32 width, float x, u32 pitch, u32 axis_y,
                     u32 height, float y, u32 slice, u32 axis_z, u32 depth, float z)
{
    struct span h, v, d;
    struct square near, far;
    between(&h, x, axis_x, width);
    between(&v, y, axis_y, height);
    between(&d, z, axis_z, depth);
    square(&near, &h, &v, size, pitch, d.near * (int32_t)slice, 256 - d.weight);
    square(&far, &h, &v, size, pitch, d.far * (int32_t)slice, d.weight);
    filter(out, base, &near, &far, kind);
}

FN(void) heddle_tex_linear_1d(u32 *out, bytes base, u32 kind, u32 size, u32 axis_x, u32 width, float x)
{
    struct span h, v = {0, 0, 0};
    struct square q;
    between(&h, x, axis_x, width);
    square(&q, &h, &v, size, 0, 0, 256);
    filter(out, base, &q, 0, kind);
}

// tex1Dfetch of memory: 0 outside.
FN(void) heddle_tex_fetch_1d(u32 *out, bytes base, u32 kind, u32 size, u32 axis_x, u32 width, u32 x)
{
    (void)axis_x;
    out[0] = out[1] = out[2] = out[3] = 0;
    if (x < width)
        load(out, base, (int32_t)(x * size), kind);
}
