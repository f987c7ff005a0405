// SPDX-License-Identifier: Apache-2.0
// The level of detail that gradients ask for; private to the sampler.
#ifndef HEDDLE_DEVICE_TEXTURE_GRADIENT_H
#define HEDDLE_DEVICE_TEXTURE_GRADIENT_H
#include <stdbool.h>
#include <stdint.h>

// A component of a gradient in texels, for normalised coordinates along an extent of n.
double gradient_scale(float d, uint32_t n);

// In 1/256 of a level; x and y are the two gradients in texels of the finest level, unused components 0. Diagonals do
// not count between faces of a cube map.
int64_t gradient_level(const double *x, const double *y, bool diagonals);
#endif
