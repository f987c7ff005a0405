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
#define SMALL_COLUMNS 4

// Parts of a vector by way of memory.
#define PART_LOAD_FROM(V, from, n)                                                                                     \
    ({                                                                                                                 \
        V vector_ = {0};                                                                                               \
        for (int64_t i_ = 0; i_ < (n); i_++)                                                                           \
            vector_[i_] = (from)[i_];                                                                                  \
        vector_;                                                                                                       \
    })
#define PART_STORE_TO(to, vector, n)                                                                                   \
    do {                                                                                                               \
        for (int64_t i_ = 0; i_ < (n); i_++)                                                                           \
            (to)[i_] = (vector)[i_];                                                                                   \
    } while (0)
#define PART_LOAD_S(from, n)        PART_LOAD_FROM(vector_S, from, n)
#define PART_LOAD_D(from, n)        PART_LOAD_FROM(vector_D, from, n)
#define PART_STORE_S(to, vector, n) PART_STORE_TO(to, vector, n)
#define PART_STORE_D(to, vector, n) PART_STORE_TO(to, vector, n)
#include "cublas/compute/engine_types.h"
