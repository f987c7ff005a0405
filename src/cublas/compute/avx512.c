// SPDX-License-Identifier: Apache-2.0
// Products with AVX-512: 32 registers of 64 bytes. Compiled for it (CMakeLists.txt), and called where it is there.
#if defined(__AVX512F__)
#include <immintrin.h>
#define PART_LOAD_S(from, n)        (vector_S) _mm512_maskz_loadu_ps((__mmask16)((1u << (n)) - 1), from)
#define PART_STORE_S(to, vector, n) _mm512_mask_storeu_ps(to, (__mmask16)((1u << (n)) - 1), (__m512)(vector))
#define PART_LOAD_D(from, n)        (vector_D) _mm512_maskz_loadu_pd((__mmask8)((1u << (n)) - 1), from)
#define PART_STORE_D(to, vector, n) _mm512_mask_storeu_pd(to, (__mmask8)((1u << (n)) - 1), (__m512d)(vector))
#define ENGINE                      avx512
#define VECTOR_BYTES                64
#define TILE_VECTORS                2
#define TILE_COLUMNS                12
#define TILE_VECTORS_DOUBLE         3
#define TILE_COLUMNS_DOUBLE         8
#define TILE_VECTORS_COMPLEX        1
#define TILE_COLUMNS_COMPLEX        12
#define TILE_BY_LANES               0
#define PANEL_TILES                 8
#define SMALL_VECTORS               4
#define SMALL_COLUMNS(vectors)      ((vectors) > 2 ? 6 : 8)
#define SMALL_MOST                  8
#define SMALL_FEWER                 4
#define ENGINE_ALONE                {[PRODUCT_S] = true, [PRODUCT_D] = true}
#include "cublas/compute/engine_types.h"
#endif
