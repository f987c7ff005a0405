// SPDX-License-Identifier: Apache-2.0
// Textures and surfaces are objects: their functions come with cuda_runtime.h.
#ifndef HEDDLE_SURFACE_FUNCTIONS_H
#define HEDDLE_SURFACE_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
