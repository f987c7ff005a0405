// SPDX-License-Identifier: Apache-2.0
// Products with AVX2 and FMA: 16 registers of 32 bytes. Compiled for these (CMakeLists.txt), and called where they are there.
#if defined(__AVX2__)
#define ENGINE               avx2
#define VECTOR_BYTES         32
#define TILE_VECTORS         2
#define TILE_COLUMNS         6
#define TILE_VECTORS_COMPLEX 1
#define TILE_COLUMNS_COMPLEX 5
#include "cublas/compute/engine_types.h"
#endif
