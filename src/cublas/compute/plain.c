// SPDX-License-Identifier: Apache-2.0
// Products with what every processor of its architecture has: vectors of 16 bytes, 16 registers of SSE2 or 32 of NEON.
#define ENGINE       plain
#define VECTOR_BYTES 16
#if defined(__aarch64__)
#define TILE_VECTORS           2
#define TILE_COLUMNS           8
#define TILE_VECTORS_DOUBLE    2
#define TILE_COLUMNS_DOUBLE    10
#define TILE_VECTORS_COMPLEX   2
#define TILE_COLUMNS_COMPLEX   5
#define TILE_BY_LANES          1
#define SMALL_VECTORS          2
#define SMALL_COLUMNS(vectors) 8
#define SMALL_MOST             8
#define SMALL_FEWER            4
#define PANEL_TILES            16
// S and D against the better of OpenBLAS 0.3.21 and BLIS 0.9.0 on one core of a Neoverse V1, n = 64 to 2048: 0.94 to 1.2 times as fast.
#define ENGINE_ALONE {[PRODUCT_S] = true, [PRODUCT_D] = true}
#else
#define TILE_VECTORS           2
#define TILE_COLUMNS           4
#define TILE_VECTORS_DOUBLE    2
#define TILE_COLUMNS_DOUBLE    4
#define TILE_VECTORS_COMPLEX   1
#define TILE_COLUMNS_COMPLEX   4
#define TILE_BY_LANES          0
#define SMALL_VECTORS          2
#define SMALL_COLUMNS(vectors) 4
#define SMALL_MOST             4
#define SMALL_FEWER            4
#define PANEL_TILES            8
#endif

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
