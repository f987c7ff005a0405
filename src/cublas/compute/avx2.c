// SPDX-License-Identifier: Apache-2.0
// Products with AVX2 and FMA: 16 registers of 32 bytes. Compiled for these (CMakeLists.txt), and called where they are there.
#if defined(__AVX2__)
#include <immintrin.h>
// Lanes below n have their highest bit set.
#define MASK_S(n)            _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(n)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
#define MASK_D(n)            _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3))
#define PART_LOAD_S(from, n) (vector_S) _mm256_maskload_ps(from, MASK_S(n))
#define PART_STORE_S(to, vector, n) _mm256_maskstore_ps(to, MASK_S(n), (__m256)(vector))
#define PART_LOAD_D(from, n)        (vector_D) _mm256_maskload_pd(from, MASK_D(n))
#define PART_STORE_D(to, vector, n) _mm256_maskstore_pd(to, MASK_D(n), (__m256d)(vector))
#define ENGINE                      avx2
#define VECTOR_BYTES                32
#define TILE_VECTORS                2
#define TILE_COLUMNS                6
#define TILE_VECTORS_DOUBLE         2
#define TILE_COLUMNS_DOUBLE         6
#define TILE_VECTORS_COMPLEX        1
#define TILE_COLUMNS_COMPLEX        5
#define TILE_BY_LANES               0
#define PANEL_TILES                 12
#define SMALL_VECTORS               2
#define SMALL_COLUMNS(vectors)      6
#define SMALL_MOST                  6
#define SMALL_FEWER                 2
// S and D against the better of OpenBLAS 0.3.21 and BLIS 0.9.0 in one call, on one core of a Cascade Lake: 0.88 to 1.06 times as fast, n = 64 to 1024;
// what is not packed 1.2 to 2.5 times as fast as OpenBLAS, n = 16 to 64.
#define ENGINE_ALONE {[PRODUCT_S] = true, [PRODUCT_D] = true}
#include "cublas/compute/engine_types.h"
#endif
