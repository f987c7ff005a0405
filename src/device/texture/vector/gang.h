// SPDX-License-Identifier: Apache-2.0
// The sampler for gangs: what sample.h computes for one place, for several lanes at once. See read.h.
#ifndef HEDDLE_DEVICE_TEXTURE_VECTOR_GANG_H
#define HEDDLE_DEVICE_TEXTURE_VECTOR_GANG_H
#include "device/texture/texture.h"
#include "jit/abi/image.h"

// Reads with one texture for the lanes of `active`, of `width` in all; op and args as in jit/abi/image.h, word i of lane l at
// args[i * width + l] and out[i * width + l]. Lanes that are not active neither read memory nor change in out, nor do words that the
// format has no channel for: out is 0 before. False: nothing was done, since this is one of the reads that are left to texture_sample.
typedef bool texture_gang_fn(const struct texture *t, uint32_t op, uint32_t width, uint32_t active,
                             const uint32_t *args, uint32_t *out);
texture_gang_fn texture_gang_plain, texture_gang_avx2, texture_gang_avx512;
// The one for vectors as the kernel has them and gangs of so many lanes.
texture_gang_fn *texture_gang_choose(enum image_vector asked, uint32_t width);
#endif
