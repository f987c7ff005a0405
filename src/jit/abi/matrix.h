// SPDX-License-Identifier: Apache-2.0
// The warp's matrix instructions: one call to the engine for a warp, or one of each lane where gangs are less. The word `op` says
// which instruction it is. Fragments lie in memory as a gang of a warp holds them: word after word, 32 lanes each.
//
// Fragments of mma and ldmatrix are as the PTX manual has them. Those of wmma are the engine's own: the matrix itself,
// without gaps and by rows (A: m x k, B: k x n, C and D: m x n); bytes of B in groups of four rows, so that four of a
// column are a word. Where n is less than m, rows and columns change places in all of this. A fragment may have more
// words than its matrix needs; these are not used.
#ifndef HEDDLE_JIT_MATRIX_H
#define HEDDLE_JIT_MATRIX_H
#include <stdbool.h>
#include <stdint.h>

enum matrix_action {
    MATRIX_MMA,   // A, B, C -> D
    MATRIX_WMMA,  // A, B, C -> D
    MATRIX_LOAD,  // address, stride -> fragment
    MATRIX_STORE, // address, stride, fragment
    MATRIX_LDMATRIX,
    MATRIX_STMATRIX
};
enum matrix_type {
    MATRIX_F16,
    MATRIX_BF16,
    MATRIX_TF32,
    MATRIX_F64,
    MATRIX_S8,
    MATRIX_U8,
    MATRIX_E4M3,
    MATRIX_E5M2,
    MATRIX_F32,
    MATRIX_S32
};
enum matrix_round { MATRIX_RN, MATRIX_RZ, MATRIX_RM, MATRIX_RP };
enum matrix_role { MATRIX_A, MATRIX_B, MATRIX_C };

// What goes to the engine lies in memory in this order: addresses of the lanes, operands, results; each begins at a multiple of MATRIX_ALIGN.
enum { MATRIX_ALIGN = 64, MATRIX_ADDRESS_BYTES = 32 * 8, MATRIX_IN_BYTES = 32 * 128, MATRIX_OUT_BYTES = 8 * 256 };
enum { MATRIX_BYTES = MATRIX_ADDRESS_BYTES + MATRIX_IN_BYTES + MATRIX_OUT_BYTES };

struct matrix_op {
    enum matrix_action action;
    unsigned m, n, k;
    enum matrix_type a, b, c, d; // of a load or store: a alone
    enum matrix_role role;       // of a load or store
    bool sat;                    // mma
    enum matrix_round round;     // of products of doubles
    bool columns;                // load, store: by columns; ldmatrix, stmatrix: transposed
    unsigned count;              // ldmatrix, stmatrix: matrices
};

// Products need the types and sizes, the others a role and a layout: two forms of the word.
static inline uint32_t matrix_encode(const struct matrix_op *o)
{
    uint32_t w = (uint32_t)o->action | (o->m / 8) << 3 | (o->n / 8) << 6 | (o->k / 4) << 9 | (uint32_t)o->a << 13;
    if (o->action <= MATRIX_WMMA)
        return w | (uint32_t)o->b << 17 | (uint32_t)o->c << 21 | (uint32_t)o->d << 25 | (uint32_t)o->sat << 29 |
               (uint32_t)o->round << 30;
    return w | (uint32_t)o->role << 17 | (uint32_t)o->columns << 19 | o->count << 20;
}
// Field by field: a structure that is copied as a whole right behind its parts waits for them.
static inline void matrix_decode(uint32_t w, struct matrix_op *o)
{
    bool product = (w & 7) <= MATRIX_WMMA;
    o->action = (enum matrix_action)(w & 7);
    o->m = (w >> 3 & 7) * 8;
    o->n = (w >> 6 & 7) * 8;
    o->k = (w >> 9 & 15) * 4;
    o->a = (enum matrix_type)(w >> 13 & 15);
    o->b = product ? (enum matrix_type)(w >> 17 & 15) : MATRIX_F16;
    o->c = product ? (enum matrix_type)(w >> 21 & 15) : MATRIX_F16;
    o->d = product ? (enum matrix_type)(w >> 25 & 15) : MATRIX_F16;
    o->sat = product && (w >> 29 & 1);
    o->round = product ? (enum matrix_round)(w >> 30) : MATRIX_RN;
    o->role = product ? MATRIX_A : (enum matrix_role)(w >> 17 & 3);
    o->columns = !product && (w >> 19 & 1);
    o->count = product ? 0 : w >> 20 & 7;
}
static inline unsigned matrix_element_bytes(enum matrix_type t)
{
    static const unsigned char bytes[] = {2, 2, 4, 8, 1, 1, 1, 1, 4, 4};
    return bytes[t];
}
// Words of 32 bits (64: doubles) of a matrix with so many elements, for one lane.
static inline unsigned matrix_words(unsigned elements, enum matrix_type t)
{
    return t == MATRIX_F64 ? elements / 32 : elements * matrix_element_bytes(t) / 4 / 32;
}
#endif
