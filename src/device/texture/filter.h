// SPDX-License-Identifier: Apache-2.0
// Texels: what is in them, and the sum that linear filtering makes of several; private to the sampler.
#ifndef HEDDLE_DEVICE_TEXTURE_FILTER_H
#define HEDDLE_DEVICE_TEXTURE_FILTER_H
#include "device/texture/texture.h"

// The four words of a result: floats, or integers of 32 bits.
struct texel {
    uint32_t word[4];
};

// The border as a texel.
void texel_border(const struct texture *t, void *texel);

// x, y or z below 0: the border.
struct texel texel_load(const struct texture *t, const struct array_level *l, int64_t x, int64_t y, int64_t z);

// Up to eight texels of one or two levels, to be added with weights in 1/256.
enum { TAPS_MAX = 16 };
struct tap {
    const struct array_level *level;
    int64_t x, y, z;
    int32_t weight; // may be 0 although the place counts: infinities and NaNs there show
};
struct texel texel_filter(const struct texture *t, const struct tap *tap, unsigned n);

// Formatted accesses to a surface: channels beyond those of the format read as 0. A stored word is a float for formats
// of floats and of normalised integers, else an integer, which is clamped to the format.
uint32_t texel_channel(const struct texture *t, const unsigned char *texel, unsigned channel);
void texel_store(const struct texture *t, unsigned char *texel, unsigned channel, uint32_t word);
#endif
