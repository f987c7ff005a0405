// SPDX-License-Identifier: Apache-2.0
// Products of matrices on one thread: C = alpha op(A) op(B) + beta C, in column-major order. Everything above cuts its work into such
// products.
//
// 1. C is not read where beta is 0; A and B are not read where alpha is 0 or k is 0.
// 2. The same product has the same bits whoever computes it. By our own code an element of C depends on its row of op(A), its column of
//    op(B), alpha, beta and itself alone, not on where a caller cuts C: k is cut at multiples of PRODUCT_DEPTH, from 0 on.
// 3. Sums of half precision are float, those of int8 are int32 and wrap. Sums of bfloat16 may be rounded otherwise than to the nearest float,
//    as the processor's instructions for them do, unless `strict` is set.
#ifndef HEDDLE_CUBLAS_COMPUTE_PRODUCT_H
#define HEDDLE_CUBLAS_COMPUTE_PRODUCT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What A and B are made of; C, alpha and beta are of the type of the sums: float for H and B, int32_t for I, which is int8. IF: int8
// with sums in float.
enum product_type {
    PRODUCT_S,
    PRODUCT_D,
    PRODUCT_C,
    PRODUCT_Z,
    PRODUCT_H,
    PRODUCT_B,
    PRODUCT_I,
    PRODUCT_IF,
    PRODUCT_TYPES
};
enum { PRODUCT_DEPTH = 256 };

struct product {
    int64_t m, n, k;
    const void *a, *b;
    int64_t lda, ldb;
    bool a_transposed, a_conjugated, b_transposed, b_conjugated;
    bool strict; // each operation of a sum is rounded to the nearest
    const void *alpha, *beta;
    void *c;
    int64_t ldc;
};

void product_run(enum product_type type, const struct product *p);

// How C is cut into tiles, for `count` products of this size: m and n are a tile's, which are the matrix's or multiples of 16; column and
// row say how many tiles a column and a row of C has. None of m, n and count is 0.
enum { PRODUCT_TILE_M = 768, PRODUCT_TILE_N = 768 };
struct product_tiles {
    int64_t m, n, column, row;
};
static inline int64_t product_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
static inline int64_t product_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}
static inline int64_t product_pieces(int64_t a, int64_t of)
{
    return (a + of - 1) / of;
}
// The size of each of `count` pieces, which are equal multiples of `of` but for the last one.
static inline int64_t product_piece(int64_t size, int64_t count, int64_t of)
{
    return product_pieces(product_pieces(size, count), of) * of;
}
// Tiles of any size; of PRODUCT_TILE_M x PRODUCT_TILE_N at most; and so and in rows of tiles, as many as there are to be parts.
enum product_cut { CUT_ANYWHERE, CUT_BOUNDED, CUT_ROWS };
struct product_tiles product_tiles_choose(enum product_type type, enum product_cut cut, int64_t m, int64_t n, int64_t k,
                                          int64_t count);

// Memory of this thread, from one call to the next with the same slot; 64-byte aligned. Where there is none, the part of a native
// kernel that asks for it does not go on: the context is lost, as by an access to memory that is not there.
enum product_memory { MEMORY_A, MEMORY_B, MEMORY_TILE, MEMORY_OTHER, MEMORIES };
void *product_memory(enum product_memory slot, size_t bytes);

// OpenBLAS as dlopen gives it, which has LAPACK in it too; NULL: it is not installed, or HEDDLE_BLAS=own leaves it out.
void *product_openblas_library(void);

// Whether products of this type are done by our own code, and not by OpenBLAS.
bool product_is_own(enum product_type type);

// ---- for the files of this folder: OpenBLAS (false: it is not there, or has no such product), and code for one kind of processor
bool product_openblas(enum product_type type, const struct product *p);
struct engine {
    const char *name;
    void (*run[PRODUCT_TYPES])(const struct product *p);
    void (*small[PRODUCT_TYPES])(const struct product *p); // k up to PRODUCT_DEPTH; NULL: there is none
    bool alone[PRODUCT_TYPES];                             // OpenBLAS is not asked
};
extern const struct engine engine_plain, engine_avx2, engine_avx512;

// Code for one type by instructions that the engine does not know, the best first; the last has no run. needs: bits of special.c.
struct product_special {
    const char *name;
    enum product_type type;
    uint64_t needs;
    void (*run)(const struct product *p);
};
extern const struct product_special product_specials[];
bool product_special_runs(const struct product_special *s); // on this processor
void product_I_i8mm(const struct product *p);
void product_IF_i8mm(const struct product *p);
void product_I_dotprod(const struct product *p);
void product_IF_dotprod(const struct product *p);
void product_B_bf16(const struct product *p);
void product_I_amx(const struct product *p);
void product_IF_amx(const struct product *p);
void product_B_amx(const struct product *p);
void product_I_avx512_vnni(const struct product *p);
void product_IF_avx512_vnni(const struct product *p);
void product_B_avx512_bf16(const struct product *p);
void product_I_avx_vnni(const struct product *p);
void product_IF_avx_vnni(const struct product *p);
#endif
