// SPDX-License-Identifier: Apache-2.0
// Reads of textures that are inlined: in points, of one to three dimensions, without a border, of 32-bit channels and of
// bytes (jit/abi/texture.h says which textures take these paths). Bit for bit what
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

// tex1Dfetch of memory: 0 outside.
FN(void) heddle_tex_fetch_1d(u32 *out, bytes base, u32 kind, u32 size, u32 axis_x, u32 width, u32 x)
{
    (void)axis_x;
    out[0] = out[1] = out[2] = out[3] = 0;
    if (x < width)
        load(out, base, (int32_t)(x * size), kind);
}
