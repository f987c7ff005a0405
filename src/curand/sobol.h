// SPDX-License-Identifier: Apache-2.0
// Direction vectors of Sobol's sequences, plain and scrambled.
#ifndef HEDDLE_CURAND_SOBOL_VECTORS_H
#define HEDDLE_CURAND_SOBOL_VECTORS_H
#include <curand.h>
#include <stddef.h>

enum { SOBOL_DIMENSIONS = 39 };

// Of each dimension as many numbers as they have bits, the first of the highest bit; of scrambled sets also a constant
// for each dimension. What lies behind the last dimension cannot be read.
struct sobol_set {
    const void *vectors, *constants;
    size_t vector_size, constant_size;
};
// The set, made at the first call and kept; NULL where there is no memory or no such set.
const struct sobol_set *heddle_sobol_set(curandDirectionVectorSet_t which);
#endif
