// SPDX-License-Identifier: Apache-2.0
// Cube maps: which face a direction meets, where, and what lies beyond the edges of a face; private to the sampler.
#ifndef HEDDLE_DEVICE_TEXTURE_CUBE_H
#define HEDDLE_DEVICE_TEXTURE_CUBE_H
#include "device/texture/filter.h"

// The place on the face, as c[0] and c[1] in [-1, 1]; the two gradients of a direction become those of the place in
// [0, 1], and *crosses says whether one of them leads to another face. Returns the face.
unsigned cube_project(float *c, float (*d)[3], bool *crosses);
// A tap beyond the edge of a face becomes one of the face behind the edge; beyond a corner there is none, and its
// weight goes to the three texels around the corner.
void cube_seam(struct tap *tap, unsigned n);
#endif
