// SPDX-License-Identifier: Apache-2.0
// Operations on each number of an image by itself.
#ifndef HEDDLE_NPP_ELEMENT_H
#define HEDDLE_NPP_ELEMENT_H
#include "npp/core/npp.h"

enum npp_element {
    ELEMENT_ADD,
    ELEMENT_SUB,
    ELEMENT_SUB_REVERSE,
    ELEMENT_MUL,
    ELEMENT_DIV,
    ELEMENT_DIV_REVERSE,
    ELEMENT_DIV_ROUND,
    ELEMENT_ABS_DIFF,
    ELEMENT_MUL_SCALE,
    ELEMENT_ABS,
    ELEMENT_SQR,
    ELEMENT_SQRT,
    ELEMENT_LN,
    ELEMENT_EXP,
    ELEMENT_AND,
    ELEMENT_OR,
    ELEMENT_XOR,
    ELEMENT_NOT,
    ELEMENT_RSHIFT,
    ELEMENT_LSHIFT,
    ELEMENT_MIN,
    ELEMENT_MAX,
    ELEMENT_THRESHOLD_LT,
    ELEMENT_THRESHOLD_GT,
    ELEMENT_THRESHOLD_LT_GT,
    ELEMENT_THRESHOLD_EQ,
    ELEMENT_CUBRT,
    ELEMENT_ARCTAN,
    ELEMENTS
};
enum npp_accumulate { ACCUMULATE_SQUARE, ACCUMULATE_PRODUCT, ACCUMULATE_WEIGHTED };

// d[i] = x[i] op p[0][i] for n numbers, or what the operation makes of x[i] with up to four others. d is memory of the worker.
typedef void npp_loop(const void *x, const void *const p[4], void *d, size_t n, const struct npp_job *j);
// The loop of an operation for a type; NULL: there is none.
npp_loop *npp_element_loop(enum npp_element op, enum npp_type t);

// Numbers that are computed at once: a multiple of 1, 2, 3 and 4 channels.
enum { NPP_CHUNK = 384 };
// Copies n numbers of `size` bytes that were computed to an image's row, from number `from` of the row on: without the fourth channel of AC4, and where the mask
// is not 0.
void npp_store(const struct npp_job *j, int y, size_t from, const void *numbers, size_t n, size_t size);
// Fills a chunk with the constants of the channels.
void npp_pattern(void *chunk, const void *values, unsigned channels, size_t size);
#endif
