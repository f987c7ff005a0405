// SPDX-License-Identifier: Apache-2.0
// The sampler: what a read of a texture gives, in all generality, one place at a time.
#ifndef HEDDLE_DEVICE_TEXTURE_SAMPLE_H
#define HEDDLE_DEVICE_TEXTURE_SAMPLE_H
#include "device/texture/texture.h"

// op and arg as in jit/abi/image.h; word i of arg is arg[i * stride]. The four words of the result go to out.
void texture_sample(const struct texture *t, uint32_t op, const uint32_t *arg, uint32_t stride, uint32_t *out);
// The level of detail that such a read takes, unless it is one by numbers of texels: level << 8 | the share of the next level in 1/256.
uint32_t texture_detail(const struct texture *t, uint32_t op, const uint32_t *arg, uint32_t stride);
#endif
