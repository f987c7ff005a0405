// Reads of textures that are inlined: in points and with linear filtering, of one or two dimensions, without a border,
// of 32-bit channels and of bytes (jit/texture.h says which textures take these paths). Bit for bit what
// device/texture_sample.c and texture_filter.c compute, where the rules are written; here in a form that vectorises.
// What comes from the descriptor is the same for all lanes as a rule, so branches on it cost nothing.
#include "jit/texture.h"
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

struct span {
    int32_t at[2], weight;
};

INLINE(int32_t) mirrored(int32_t i, int32_t n)
{
    i = i < 0 ? -1 - i : i;
    i = i >= 2 * n ? i - 2 * n : i;
    return i >= n ? 2 * n - 1 - i : i;
}

// Two texels along an axis, and the weight of the second in 1/256. Where it is 0 the second is the first.
INLINE(struct span) between(float c, uint32_t axis, uint32_t extent)
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
    struct span s = {{fixed >> 8, (fixed >> 8) + 1}, fixed & 255};
    for (int k = 0; k < 2; k++) {
        int32_t i = s.at[k];
        if (axis <= AXIS_CLAMP)
            i = larger(smaller(i, n - 1), 0);
        else if (axis == AXIS_WRAP)
            i = i < 0 ? i + n : i >= n ? i - n : i;
        else
            i = mirrored(i, n);
        s.at[k] = i;
    }
    s.at[1] = s.weight ? s.at[1] : s.at[0];
    return s;
}

INLINE(uint32_t) word_at(const unsigned char *base, int32_t offset)
{
    return *(const uint32_t *)(base + offset);
}

INLINE(uint32_t) unorm8(uint32_t v)
{
    return bits32((float)(int32_t)v / 255.0f);
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
        for (int i = 0; i < 4; i++) {
            uint32_t v = w >> (8 * i) & 255;
            out[i] = kind == LOAD_8X4 ? v : unorm8(v);
        }
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

// Four floats with weights that add up to 256.
INLINE(uint32_t) filter_floats(const uint32_t *value, const int32_t *weight)
{
    uint32_t largest = 0, any = 0, negative = 0x80000000u;
    uint32_t v[4];
    bool plus = false, minus = false;
    for (int i = 0; i < 4; i++) {
        uint32_t size = value[i] & 0x7fffffff;
        v[i] = size < 0x00800000 ? value[i] & 0x80000000u : value[i];
        size = v[i] & 0x7fffffff;
        any = any > size ? any : size;
        size = weight[i] ? size : 0;
        largest = largest > size ? largest : size;
        negative &= v[i];
        plus |= v[i] == 0x7f800000u;
        minus |= v[i] == 0xff800000u;
    }
    // 28 bits for the largest: its exponent is that of largest >> 23.
    uint32_t e = largest >> 23;
    double scale = float64((uint64_t)(1023 + 154 - e) << 52), back = float64((uint64_t)(1023 - 162 + e) << 52), sum = 0;
    for (int i = 0; i < 4; i++)
        sum += __builtin_trunc((double)float32(v[i]) * scale) * (double)weight[i];
    // Half away from zero: half a unit of the last of 24 bits is added to the bits.
    uint64_t s = (bits64(sum) + (UINT64_C(1) << 28)) & ~((UINT64_C(1) << 29) - 1);
    float r = (float)(float64(s) * back);
    uint32_t u = __builtin_fabsf(r) < 0x1p-126f ? bits32(r) & 0x80000000u : bits32(r);
    u = sum == 0 ? negative & 0x80000000u : u;
    u = minus ? 0xff800000u : plus ? 0x7f800000u : u;
    return any > 0x7f800000u || (plus && minus) ? 0x7fffffffu : u;
}

INLINE(uint32_t) filter_bytes(const uint32_t *value, const int32_t *weight)
{
    int32_t sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (int32_t)value[i] * weight[i];
    return bits32((float)((sum * 257 + 128) >> 8) / 65535.0f);
}

INLINE(void)
filter(uint32_t *out, const unsigned char *base, const int32_t *offset, const int32_t *weight, uint32_t kind)
{
    uint32_t v[4];
    out[0] = out[1] = out[2] = out[3] = 0;
    if (kind <= LOAD_32X4) {
        for (int c = 0; c < 4; c++) {
            if (c > 0 && kind == LOAD_32X1)
                break;
            if (c > 1 && kind == LOAD_32X2)
                break;
            for (int i = 0; i < 4; i++)
                v[i] = word_at(base, offset[i] + 4 * c);
            out[c] = filter_floats(v, weight);
        }
    } else if (kind <= LOAD_8X1_FLOAT) {
        for (int i = 0; i < 4; i++)
            v[i] = base[offset[i]];
        out[0] = filter_bytes(v, weight);
    } else {
        uint32_t w[4];
        for (int i = 0; i < 4; i++)
            w[i] = word_at(base, offset[i]);
        for (int c = 0; c < 4; c++) {
            for (int i = 0; i < 4; i++)
                v[i] = w[i] >> (8 * c) & 255;
            out[c] = filter_bytes(v, weight);
        }
    }
}

FN(void)
heddle_tex_linear_2d(u32 *out, bytes base, u32 kind, u32 size, u32 axis_x, u32 width, float x, u32 pitch, u32 axis_y,
                     u32 height, float y)
{
    struct span sx = between(x, axis_x, width), sy = between(y, axis_y, height);
    int32_t xy = (sx.weight * sy.weight + 128) >> 8;
    int32_t weight[4] = {256 - sx.weight - sy.weight + xy, sx.weight - xy, sy.weight - xy, xy}, offset[4];
    for (int i = 0; i < 4; i++)
        offset[i] = sx.at[i & 1] * (int32_t)size + sy.at[i >> 1] * (int32_t)pitch;
    filter(out, base, offset, weight, kind);
}

// A row of two dimensions, read in its middle.
FN(void) heddle_tex_linear_1d(u32 *out, bytes base, u32 kind, u32 size, u32 axis_x, u32 width, float x)
{
    struct span s = between(x, axis_x, width);
    int32_t weight[4] = {256 - s.weight, s.weight, 0, 0};
    int32_t a = s.at[0] * (int32_t)size, b = s.at[1] * (int32_t)size, offset[4] = {a, b, a, b};
    filter(out, base, offset, weight, kind);
}

// tex1Dfetch of memory: 0 outside.
FN(void) heddle_tex_fetch_1d(u32 *out, bytes base, u32 kind, u32 size, u32 width, u32 x)
{
    out[0] = out[1] = out[2] = out[3] = 0;
    if (x < width)
        load(out, base, (int32_t)(x * size), kind);
}
