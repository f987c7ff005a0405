// SPDX-License-Identifier: Apache-2.0
// Products with what every processor of its architecture has: vectors of 16 bytes, 16 registers of SSE2 or 32 of NEON.
#define ENGINE       plain
#define VECTOR_BYTES 16
#if defined(__aarch64__)
#define TILE_VECTORS         3
#define TILE_COLUMNS         8
#define TILE_VECTORS_COMPLEX 2
#define TILE_COLUMNS_COMPLEX 5
#else
#define TILE_VECTORS         2
#define TILE_COLUMNS         4
#define TILE_VECTORS_COMPLEX 1
#define TILE_COLUMNS_COMPLEX 4
#endif
#include "cublas/compute/engine_types.h"
