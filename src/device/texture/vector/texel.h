// SPDX-License-Identifier: Apache-2.0
// Texels of a gang: read from memory, decoded, and added with weights. The results are those of filter.c, whose rules these are:
//  1. Floats. All terms are cut to a common exponent, so that they are whole numbers t below 2^28, which a float holds since it has 24 bits
//     of them. The sum of t * w has up to 36 bits: t is parted into a multiple of 2^14 and what remains (below 2^13 in size), so that both
//     sums of products with weights, which add up to 256, are exact in floats: h and l. Their own sum is rounded by the addition, to nearest even;
//     so that halves are rounded away from zero, 1/4 is added to the size of l before, where h has a size of 2^23 or more. Then the sum has 2^22 or
//     more: 1/4 tips the balance where what is rounded is half a unit, and nowhere else, since it is a whole number otherwise. Where h is smaller the
//     sum has less than 24 bits. The exponents of the largest value for which every step is exact are those from 2^-91 on. Lanes with smaller ones,
//     infinities or NaNs, or whose plain sum is infinite, are told to the caller, who has the general sampler read them. So denormals need no care here: beside a value of
//     that size they are cut to 0.
//  2. Halves. The same with 15 bits, so that the sum has 23 and one float holds it; rounded to 11 bits, or below 2^-14 to multiples of 2^-24.
//  3. Normalised integers. A sum is below 2^24, exact in floats; then integers as there.
#ifndef HEDDLE_DEVICE_TEXTURE_VECTOR_TEXEL_H
#define HEDDLE_DEVICE_TEXTURE_VECTOR_TEXEL_H
#include "device/texture/texture.h"
#include "device/texture/vector/vector.h"

enum { TAPS = 16, EXPONENT_MIN = 36 };

// What a channel becomes.
enum value_kind { VALUE_WORD, VALUE_FLOAT, VALUE_HALF, VALUE_NORMALIZED };

// The format: the same for all lanes.
struct decoder {
    const unsigned char *base;
    unsigned size, channels;
    unsigned bits; // of a channel
    bool is_signed;
    enum value_kind kind;
    int32_t one;             // the integer that stands for 1
    bool border;             // taps may be outside
    const uint32_t *outside; // the words that lanes outside have
};

INLINE void decoder_init(struct decoder *d, const struct texture *t)
{
    static const struct {
        uint8_t is_signed, kind, as_float;
        uint16_t one;
    } types[TEXEL_TYPES] = {
        [TEXEL_U8] = {0, VALUE_WORD, VALUE_NORMALIZED, 255},
        [TEXEL_U16] = {0, VALUE_WORD, VALUE_NORMALIZED, 65535},
        [TEXEL_U32] = {0, VALUE_WORD, VALUE_WORD, 0},
        [TEXEL_S8] = {1, VALUE_WORD, VALUE_NORMALIZED, 127},
        [TEXEL_S16] = {1, VALUE_WORD, VALUE_NORMALIZED, 32767},
        [TEXEL_S32] = {0, VALUE_WORD, VALUE_WORD, 0},
        [TEXEL_F16] = {0, VALUE_HALF, VALUE_HALF, 0},
        [TEXEL_F32] = {0, VALUE_FLOAT, VALUE_FLOAT, 0},
        [TEXEL_UNORM8] = {0, VALUE_NORMALIZED, VALUE_NORMALIZED, 255},
        [TEXEL_UNORM16] = {0, VALUE_NORMALIZED, VALUE_NORMALIZED, 65535},
        [TEXEL_SNORM8] = {1, VALUE_NORMALIZED, VALUE_NORMALIZED, 127},
        [TEXEL_SNORM16] = {1, VALUE_NORMALIZED, VALUE_NORMALIZED, 32767},
    };
    unsigned type = t->format.type;
    d->base = t->level[0].base;
    d->size = t->format.size;
    d->channels = t->format.channels;
    d->bits = 8 * texel_type_size((enum texel_type)type);
    d->is_signed = types[type].is_signed;
    d->kind = t->flags & TEXTURE_READ_FLOAT ? types[type].as_float : types[type].kind;
    d->one = types[type].one;
}

// A texel to be added: its words, and its weight in 1/256.
struct tap {
    ints word[4];
    floats weight;
    mask weighs;
};

// The words of a texel, for the lanes of `in`; others have the border.
INLINE void texel_load(const struct decoder *d, const ints *at, mask in, ints *word)
{
    if (d->size == 4)
        *word = gather1(d->base, at, in);
    else if (d->size < 4)
        *word = gather_bytes(d->base, at, in, d->size);
    else if (d->size == 8)
        gather2(d->base, at, in, word);
    else
        gather4(d->base, at, in, word);
    for (unsigned i = 0; i < (d->size + 3) / 4; i++)
        word[i] = choose(in, word[i], splat((int32_t)d->outside[i]));
}

// The words of two texels that lie beside each other, for all lanes; `size` is d->size, which the caller may know.
INLINE void texel_load_pair(const struct decoder *d, unsigned size, const ints *at, ints *first, ints *second)
{
    const mask all = mask_of(ALL_LANES);
    ints both[4];
    switch (size) {
    case 1:
        *first = gather_bytes(d->base, at, all, 2);
        *second = *first >> 8;
        break;
    case 2:
        *first = gather1(d->base, at, all);
        *second = (ints)((words)*first >> 16);
        break;
    case 4:
        gather2(d->base, at, all, both);
        *first = both[0];
        *second = both[1];
        break;
    case 8:
        gather4(d->base, at, all, both);
        first[0] = both[0];
        first[1] = both[1];
        second[0] = both[2];
        second[1] = both[3];
        break;
    default:
        gather4(d->base, at, all, first);
        gather4(d->base + 16, at, all, second);
    }
}

// A channel of the word that has it.
INLINE ints channel_of(const struct decoder *d, ints word, unsigned c)
{
    unsigned up = 32 - d->bits - c * d->bits % 32, down = 32 - d->bits;
    word <<= (int)up;
    return d->is_signed ? word >> (int)down : (ints)((words)word >> down);
}

// A half's bits as a float's; a NaN keeps its own.
INLINE ints half_of(ints h)
{
    ints size = (h & 0x7fff) << 13, e = size & 0x0f800000;
    ints normal = size + (112 << 23);
    normal += kept(equal(e, splat(0x0f800000)), splat(112 << 23));
    ints small = (ints)(to_floats(h & 0x3ff) * 0x1p-24f);
    return choose(equal(e, splat(0)), small, normal) | (h & 0x8000) << 16;
}

INLINE ints normalized_of(ints v, int32_t one)
{
    return (ints)(to_floats(larger(v, splat(-one))) / splat_float((float)one));
}

// A channel as it is.
INLINE ints value_of(const struct decoder *d, ints v)
{
    return d->kind == VALUE_HALF ? half_of(v) : d->kind == VALUE_NORMALIZED ? normalized_of(v, d->one) : v;
}

// What filtering gives, and the lanes that are left to the general sampler.
struct filtered {
    ints value;
    mask special;
};

// The largest size of a value that has a weight, that of all, and whether all are negative.
struct reach {
    ints top, any, sign;
};

INLINE struct reach reach_of(const ints *v, const struct tap *t, unsigned n)
{
    struct reach r = {splat(0), splat(0), splat(-1)};
    UNROLL for (unsigned i = 0; i < n; i++)
    {
        ints size = v[i] & INT32_MAX;
        r.any = larger(r.any, size);
        r.top = larger(r.top, kept(t[i].weighs, size));
        r.sign &= v[i];
    }
    r.sign &= INT32_MIN;
    return r;
}

// Vectors that are filtered side by side, operation by operation, since each waits for the one before it.
enum { PAIR = 2 };
#define EACH UNROLL for (unsigned j = 0; j < PAIR; j++)

// t has n taps for each of the vectors.
INLINE void filter_floats(const struct tap *t, unsigned n, unsigned c, struct filtered *f)
{
    ints top[PAIR], sign[PAIR], e[PAIR];
    floats all[PAIR], scale[PAIR], high[PAIR], low[PAIR], term[PAIR], upper[PAIR];
    EACH
    {
        top[j] = splat(0);
        sign[j] = splat(INT32_MIN);
        all[j] = high[j] = low[j] = splat_float(0);
    }
    UNROLL for (unsigned i = 0; i < n; i++)
    {
        EACH top[j] = larger(top[j], kept(t[j * n + i].weighs, t[j * n + i].word[c]) & INT32_MAX);
        EACH sign[j] &= t[j * n + i].word[c];
        EACH all[j] += (floats)t[j * n + i].word[c];
    }
    EACH e[j] = (ints)((words)top[j] >> 23);
    EACH scale[j] = (floats)((281 - e[j]) << 23);
    UNROLL for (unsigned i = 0; i < n; i++)
    {
        EACH term[j] = cut_of((floats)kept(t[j * n + i].weighs, t[j * n + i].word[c]) * scale[j]);
        EACH upper[j] = term[j] + 0x1.8p37f;
        EACH upper[j] -= 0x1.8p37f;
        EACH high[j] += upper[j] * t[j * n + i].weight;
        EACH low[j] += (term[j] - upper[j]) * t[j * n + i].weight;
    }
    EACH
    {
        mask large = at_least((floats)((ints)high[j] & INT32_MAX), splat_float(0x1p23f));
        low[j] += (floats)kept(large, ((ints)high[j] & INT32_MIN) | (ints)splat_float(0.25f));
    }
    EACH
    {
        floats sum = high[j] + low[j];
        ints result = (ints)(sum * (floats)((e[j] - 35) << 23));
        mask tiny = both(less(splat(0), top[j]), less(e[j], splat(EXPONENT_MIN)));
        f[j].value = choose(float_equal(sum, splat_float(0)), sign[j], result);
        f[j].special = either(tiny, less(splat(0x7f7fffff), (ints)all[j] & INT32_MAX));
    }
}

INLINE struct filtered filter_halves(ints *v, const struct tap *t, unsigned n)
{
    UNROLL for (unsigned i = 0; i < n; i++) v[i] = half_of(v[i]);
    struct reach r = reach_of(v, t, n);
    ints e = (ints)((words)r.top >> 23);
    floats scale = (floats)((268 - e) << 23), sum = splat_float(0);
    UNROLL for (unsigned i = 0; i < n; i++) sum += cut_of((floats)kept(t[i].weighs, v[i]) * scale) * t[i].weight;
    ints exact = (ints)(sum * (floats)((e - 22) << 23)), size = exact & INT32_MAX;
    ints normal = (size + (1 << 12)) & ~((1 << 13) - 1);
    ints small = (ints)(floor_of((floats)size * 0x1p24f + 0.5f) * 0x1p-24f);
    ints result = choose(less(size, splat(0x38800000)), small, normal) | (exact & INT32_MIN);
    return (struct filtered){choose(float_equal(sum, splat_float(0)), r.sign, result), less(splat(0x7f7fffff), r.any)};
}

INLINE ints filter_integers(const struct decoder *d, const ints *v, const struct tap *t, unsigned n)
{
    floats exact = splat_float(0);
    UNROLL for (unsigned i = 0; i < n; i++) exact += to_floats(v[i]) * t[i].weight;
    ints sum = to_ints(exact);
    if (d->one == 255)
        sum = ((sum << 8) + sum + 128) >> 8;
    else if (d->one == 127)
        sum += ((sum >> 4) * 257 + 1024) >> 11;
    else
        sum = (sum + 128) >> 8;
    return normalized_of(sum, d->is_signed ? 32767 : 65535);
}

// `kind` is d->kind, which the caller knows.
INLINE void filter_channel(const struct decoder *d, enum value_kind kind, const struct tap *t, unsigned n, unsigned c,
                           struct filtered *f)
{
    if (kind == VALUE_FLOAT) {
        filter_floats(t, n, c, f);
        return;
    }
    for (unsigned j = 0; j < PAIR; j++, t += n) {
        ints v[TAPS];
        UNROLL for (unsigned i = 0; i < n; i++) v[i] = channel_of(d, t[i].word[c * d->bits / 32], c);
        if (kind == VALUE_HALF)
            f[j] = filter_halves(v, t, n);
        else
            f[j] = (struct filtered){filter_integers(d, v, t, n), mask_of(0)};
    }
}
#endif
