// SPDX-License-Identifier: Apache-2.0
// Copies between layouts and scalar types. Halves and bfloat16 become floats for the transform, and are rounded once, to nearest
// even, at its end.
#include "cufft/engine/engine.h"
#include <string.h>

static float float_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static uint32_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static float half_get(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, rest = h & 0x7fff;
    if (rest >= 0x7c00)
        return float_of(sign | 0x7f800000 | (rest & 0x3ff) << 13);
    if (rest < 0x400) // subnormal: exact as a float
        return float_of(sign | bits_of((float)rest * 0x1p-24f));
    return float_of(sign | ((rest << 13) + ((127 - 15) << 23)));
}

static uint16_t half_put(float f)
{
    uint32_t bits = bits_of(f), rest = bits & 0x7fffffff;
    uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    if (rest > 0x7f800000)
        return sign | 0x7e00;
    if (rest >= 0x477ff000) // 65520 and more
        return sign | 0x7c00;
    if (rest < 0x38800000) { // below 2^-14: the addition rounds at bit 2^-24
        float t = float_of(rest) + 0.5f;
        return sign | (uint16_t)(bits_of(t) - bits_of(0.5f));
    }
    rest += 0xfff + (rest >> 13 & 1);
    return sign | (uint16_t)((rest - ((127 - 15) << 23)) >> 13);
}

static float bfloat_get(uint16_t b)
{
    return float_of((uint32_t)b << 16);
}

static uint16_t bfloat_put(float f)
{
    uint32_t bits = bits_of(f);
    if ((bits & 0x7fffffff) > 0x7f800000)
        return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static double scalar_get(const char *base, int64_t at, enum fft_scalar s)
{
    switch (s) {
    case FFT_FLOAT:
        return ((const float *)base)[at];
    case FFT_DOUBLE:
        return ((const double *)base)[at];
    case FFT_HALF:
        return half_get(((const uint16_t *)base)[at]);
    case FFT_BFLOAT:
        return bfloat_get(((const uint16_t *)base)[at]);
    }
    return 0;
}

static void scalar_put(char *base, int64_t at, enum fft_scalar s, double v)
{
    switch (s) {
    case FFT_FLOAT:
        ((float *)base)[at] = (float)v;
        break;
    case FFT_DOUBLE:
        ((double *)base)[at] = v;
        break;
    case FFT_HALF:
        ((uint16_t *)base)[at] = half_put((float)v);
        break;
    case FFT_BFLOAT:
        ((uint16_t *)base)[at] = bfloat_put((float)v);
        break;
    }
}

static void copy_part(const struct fft_phase *ph, char *const buffer[3], uint64_t part)
{
    uint64_t chunks = (ph->span + MOVE_CHUNK - 1) / MOVE_CHUNK, from = part % chunks * MOVE_CHUNK;
    uint64_t to = ph->span - from < MOVE_CHUNK ? ph->span : from + MOVE_CHUNK;
    int64_t in = ph->in.offset, out = ph->out.offset;
    phase_line(ph, part / chunks, 0, &in, &out);
    const char *src = buffer[ph->in.buffer];
    char *dst = buffer[ph->out.buffer];
    for (uint64_t k = from; k < to; k++) {
        int64_t i = in + (int64_t)k * ph->in.step, o = out + (int64_t)k * ph->out.step;
        scalar_put(dst, o, ph->out.scalar, scalar_get(src, i, ph->in.scalar));
        if (ph->in.imag && ph->out.imag)
            scalar_put(dst, o + ph->out.imag, ph->out.scalar, scalar_get(src, i + ph->in.imag, ph->in.scalar));
    }
}

void fft_copy_run(const struct fft_phase *ph, char *const buffer[3], uint64_t first, uint64_t count)
{
    for (uint64_t part = first; part < first + count; part++)
        copy_part(ph, buffer, part);
}
