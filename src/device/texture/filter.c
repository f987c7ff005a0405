// SPDX-License-Identifier: Apache-2.0
// See filter.h. Formats are read as the guide says; how sums are rounded was measured on a GPU, and is the same
// here to the last bit:
//  1. Weights are integers in 1/256.
//  2. Normalised integers are added as integers, and the sum is rounded to 16 bits (15 and a sign), half up; that of
//     signed bytes is first cut to 12 bits in the term that brings 127 to 32767.
//  3. Floats are first cut to a common exponent, that of the largest, with 4 bits below its last one (halves: 4 below
//     theirs); the exact sum of these is rounded to the format, half away from zero. Denormals count as zero.
//  4. The decoding of sRGB is a table of 8-bit mantissas in groups of eight with one exponent, that of the last; sums
//     are cut to these 8 bits.
#include "device/texture/filter.h"
#include "device/texture/srgb.h"
#include <math.h>
#include <string.h>

enum { FLOAT_BITS = 28, HALF_BITS = 15, SRGB_BITS = 8 };

static float float_of(uint32_t u)
{
    float f;
    memcpy(&f, &u, 4);
    return f;
}

static uint32_t bits_of(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}

static bool is_normalized(const struct texture *t)
{
    return t->format.type >= TEXEL_UNORM8 || ((t->flags & TEXTURE_READ_FLOAT) && t->format.type < TEXEL_F16);
}

// The channel as an integer; floats as their bits.
static int32_t channel_read(const struct texture *t, const unsigned char *p)
{
    uint16_t h;
    int32_t w;
    switch (t->format.type) {
    case TEXEL_U8:
    case TEXEL_UNORM8:
        return *p;
    case TEXEL_S8:
    case TEXEL_SNORM8:
        return (int8_t)*p;
    case TEXEL_U16:
    case TEXEL_UNORM16:
    case TEXEL_F16:
        memcpy(&h, p, 2);
        return h;
    case TEXEL_S16:
    case TEXEL_SNORM16:
        memcpy(&h, p, 2);
        return (int16_t)h;
    default:
        memcpy(&w, p, 4);
        return w;
    }
}

// The integer that stands for 1; 0 where there is none.
static int32_t channel_one(const struct texture *t)
{
    switch (t->format.type) {
    case TEXEL_U8:
    case TEXEL_UNORM8:
        return 255;
    case TEXEL_U16:
    case TEXEL_UNORM16:
        return 65535;
    case TEXEL_S8:
    case TEXEL_SNORM8:
        return 127;
    case TEXEL_S16:
    case TEXEL_SNORM16:
        return 32767;
    default:
        return 0;
    }
}

static bool is_unsigned(const struct texture *t)
{
    return t->format.type == TEXEL_U8 || t->format.type == TEXEL_U16 || t->format.type == TEXEL_UNORM8 ||
           t->format.type == TEXEL_UNORM16;
}

// A NaN keeps its bits.
static float half_to_float(uint32_t h)
{
    uint32_t sign = (h & 0x8000) << 16, e = h >> 10 & 31, m = h & 0x3ff;
    if (e == 31)
        return float_of(sign | 0x7f800000u | m << 13);
    if (e)
        return float_of(sign | (e + 112) << 23 | m << 13);
    float f = (float)m * 0x1p-24f;
    return sign ? -f : f;
}

static bool is_srgb(const struct texture *t, unsigned channel)
{
    return (t->flags & TEXTURE_SRGB) && channel < 3 && is_normalized(t) && channel_one(t) == 255;
}

static uint32_t channel_value(const struct texture *t, int32_t v, unsigned channel)
{
    if (t->format.type == TEXEL_F16)
        return bits_of(half_to_float((uint32_t)v));
    if (!is_normalized(t))
        return (uint32_t)v;
    if (is_srgb(t, channel))
        return bits_of(half_to_float(srgb_halves[v]));
    int32_t one = channel_one(t);
    return bits_of(v < -one ? -1.0f : (float)v / (float)one);
}

static float clamp(float x, float low, float high)
{
    return x < low ? low : x > high ? high : x;
}

// Cut off, not rounded.
static uint32_t half_from_float(float f)
{
    uint32_t u = bits_of(clamp(f, -65504, 65504)), sign = u >> 16 & 0x8000;
    int32_t e = (int32_t)(u >> 23 & 255) - 112;
    uint32_t m = (u & 0x7fffff) | 0x800000;
    if (e <= 0)
        return e < -10 ? sign : sign | m >> (14 - e);
    return sign | (uint32_t)e << 10 | (m >> 13 & 0x3ff);
}

static uint32_t half_nearest(float f)
{
    _Float16 h = (_Float16)f;
    uint16_t u;
    memcpy(&u, &h, 2);
    return u;
}

static int32_t border_channel(const struct texture *t, unsigned channel)
{
    float b = t->border[channel];
    unsigned char bytes[4];
    if (t->format.type == TEXEL_F16)
        return (int32_t)half_from_float(b);
    if (is_srgb(t, channel)) {
        b = clamp(b, 0, 1);
        return (int32_t)lrintf(255 * (b <= 0.0031308f ? 12.92f * b : 1.055f * powf(b, 1 / 2.4f) - 0.055f));
    }
    if (is_normalized(t))
        return (int32_t)lrintf(clamp(b, is_unsigned(t) ? 0 : -1, 1) * (float)channel_one(t));
    memcpy(bytes, &b, 4); // the low bits of the float
    return channel_read(t, bytes);
}

void texel_border(const struct texture *t, void *texel)
{
    unsigned size = t->format.size / t->format.channels;
    for (unsigned i = 0; i < t->format.channels; i++) {
        int32_t v = border_channel(t, i);
        memcpy((char *)texel + i * size, &v, size); // little endian
    }
}

static int32_t tap_read(const struct texture *t, const struct array_level *l, int64_t x, int64_t y, int64_t z,
                        unsigned channel)
{
    const unsigned char *p = (const unsigned char *)t->outside;
    if (x >= 0 && y >= 0 && z >= 0)
        p = l->base + (uint64_t)z * l->slice_pitch + (uint64_t)y * l->row_pitch + (uint64_t)x * t->format.size;
    return channel_read(t, p + channel * (t->format.size / t->format.channels));
}

struct texel texel_load(const struct texture *t, const struct array_level *l, int64_t x, int64_t y, int64_t z)
{
    struct texel r = {{0}};
    for (unsigned i = 0; i < t->format.channels; i++)
        r.word[i] = channel_value(t, tap_read(t, l, x, y, z, i), i);
    return r;
}

// The sum of integers times weights in 1/256, brought to 16 bits.
static float filter_integers(const struct texture *t, int32_t sum)
{
    int32_t one = channel_one(t), top = is_unsigned(t) ? 65535 : 32767;
    if (one == 255)
        sum = (sum * 257 + 128) >> 8;
    else if (one == 127)
        sum += ((sum >> 4) * 257 + 1024) >> 11;
    else
        sum = (sum + 128) >> 8;
    return (float)(sum < -top ? -top : sum) / (float)top;
}

// A whole number of `unit`s rounded to so many bits, half away from zero.
static float round_away(int64_t sum, int exponent, int bits, int lowest)
{
    uint64_t m = (uint64_t)(sum < 0 ? -sum : sum);
    int size = m ? 64 - __builtin_clzll(m) : 0, drop = size - bits;
    if (exponent + drop < lowest)
        drop = lowest - exponent;
    if (drop > 62)
        return 0;
    if (drop > 0)
        m = (m + (UINT64_C(1) << (drop - 1))) >> drop << drop;
    double r = ldexp((double)m, exponent);
    return (float)(sum < 0 ? -r : r);
}

static float flush(float f)
{
    return fabsf(f) < 0x1p-126f ? copysignf(0, f) : f;
}

// `reach` has the sizes that set the common exponent, of which `bits` bits are kept.
static float filter_floats(const float *value, const float *reach, const struct tap *tap, unsigned n, bool half,
                           int bits)
{
    const float nan = float_of(half ? 0x7fffe000 : 0x7fffffff);
    bool plus = false, minus = false, positive = false;
    float largest = 0;
    for (unsigned i = 0; i < n; i++) {
        float v = value[i];
        if (v != v)
            return nan;
        plus |= v == INFINITY;
        minus |= v == -INFINITY;
        positive |= !signbit(v);
        if (tap[i].weight && fabsf(reach[i]) > largest)
            largest = fabsf(reach[i]);
    }
    if (plus || minus)
        return plus && minus ? nan : plus ? INFINITY : -INFINITY;
    int e;
    frexpf(largest, &e);
    e -= bits;
    int64_t sum = 0;
    for (unsigned i = 0; i < n; i++)
        if (tap[i].weight)
            sum += (int64_t)ldexp(value[i], -e) * tap[i].weight;
    if (!sum)
        return positive ? 0.0f : -0.0f;
    float r = half ? round_away(sum, e - 8, 11, -24) : flush(round_away(sum, e - 8, 24, -149));
    return half && fabsf(r) > 65504 ? copysignf(INFINITY, r) : r;
}

// One channel of floats, of halves, or of sRGB.
static float filter_channel(const struct texture *t, const struct tap *tap, unsigned n, unsigned channel)
{
    bool srgb = is_srgb(t, channel), half = srgb || t->format.type == TEXEL_F16;
    float value[TAPS_MAX], reach[TAPS_MAX];
    for (unsigned i = 0; i < n; i++) {
        int32_t v = tap_read(t, tap[i].level, tap[i].x, tap[i].y, tap[i].z, channel);
        value[i] = srgb   ? half_to_float(srgb_halves[v])
                   : half ? half_to_float((uint32_t)v)
                          : flush(float_of((uint32_t)v));
        reach[i] = srgb ? half_to_float(srgb_halves[v | 7]) : value[i];
    }
    return filter_floats(value, reach, tap, n, half, srgb ? SRGB_BITS : half ? HALF_BITS : FLOAT_BITS);
}

struct texel texel_filter(const struct texture *t, const struct tap *tap, unsigned n)
{
    struct texel r = {{0}};
    for (unsigned c = 0; c < t->format.channels; c++) {
        int32_t sum = 0;
        if (t->format.type == TEXEL_F16 || t->format.type == TEXEL_F32 || is_srgb(t, c)) {
            r.word[c] = bits_of(filter_channel(t, tap, n, c));
        } else if (is_normalized(t)) {
            for (unsigned i = 0; i < n; i++)
                sum += tap_read(t, tap[i].level, tap[i].x, tap[i].y, tap[i].z, c) * tap[i].weight;
            r.word[c] = bits_of(filter_integers(t, sum));
        } else {
            r.word[c] = (uint32_t)tap_read(t, tap[0].level, tap[0].x, tap[0].y, tap[0].z, c);
        }
    }
    return r;
}

uint32_t texel_channel(const struct texture *t, const unsigned char *texel, unsigned channel)
{
    return channel_value(t, channel_read(t, texel + channel * (t->format.size / t->format.channels)), channel);
}

static int32_t clamp_integer(int32_t v, int32_t low, int32_t high)
{
    return v < low ? low : v > high ? high : v;
}

void texel_store(const struct texture *t, unsigned char *texel, unsigned channel, uint32_t word)
{
    unsigned size = t->format.size / t->format.channels;
    int32_t v = (int32_t)word, one = channel_one(t);
    float f = float_of(word);
    switch (t->format.type) {
    case TEXEL_U8:
    case TEXEL_U16:
        v = (int32_t)(word > (uint32_t)one ? (uint32_t)one : word);
        break;
    case TEXEL_S8:
    case TEXEL_S16:
        v = clamp_integer(v, -one - 1, one);
        break;
    case TEXEL_UNORM8:
    case TEXEL_UNORM16:
        v = (int32_t)lrintf(clamp(f, 0, 1) * (float)one);
        break;
    case TEXEL_SNORM8:
    case TEXEL_SNORM16:
        v = (int32_t)lrintf(clamp(f, -1, 1) * (float)one);
        break;
    case TEXEL_F16:
        v = (int32_t)half_nearest(f);
        break;
    default:
        break;
    }
    memcpy(texel + channel * size, &v, size); // little endian
}
