// SPDX-License-Identifier: Apache-2.0
// Products with AVX-512: 32 registers of 64 bytes. Compiled for it (CMakeLists.txt), and called where it is there.
#if defined(__AVX512F__)
#define ENGINE               avx512
#define VECTOR_BYTES         64
#define TILE_VECTORS         2
#define TILE_COLUMNS         12
#define TILE_VECTORS_COMPLEX 1
#define TILE_COLUMNS_COMPLEX 12
#include "cublas/compute/engine_types.h"
#endif
