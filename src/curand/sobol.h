// Direction vectors of Sobol's sequences.
#ifndef HEDDLE_CURAND_SOBOL_VECTORS_H
#define HEDDLE_CURAND_SOBOL_VECTORS_H
#include <stdint.h>

enum { SOBOL_DIMENSIONS = 39 };

// Of each dimension as many numbers as they have bits, the first of the highest bit.
void heddle_sobol_fill32(uint32_t (*to)[32], unsigned dimensions);
void heddle_sobol_fill64(uint64_t (*to)[64], unsigned dimensions);
#endif
