// SPDX-License-Identifier: Apache-2.0
// Vectors of 16 bytes whose elements are put in turns, for packing (pack.h).
#ifndef HEDDLE_CUBLAS_COMPUTE_GROUPED_TURNS_H
#define HEDDLE_CUBLAS_COMPUTE_GROUPED_TURNS_H
#include <stddef.h>
#include <stdint.h>

typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint16_t halves16 __attribute__((vector_size(16)));
typedef uint32_t words16 __attribute__((vector_size(16)));

// The first elements of a and b, of `size` bytes, in turns; the second ones.
static inline bytes16 turns_low(bytes16 a, bytes16 b, size_t size)
{
    return size == 1 ? __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
                     : (bytes16)__builtin_shufflevector((halves16)a, (halves16)b, 0, 8, 1, 9, 2, 10, 3, 11);
}

static inline bytes16 turns_high(bytes16 a, bytes16 b, size_t size)
{
    return size == 1 ? __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
                     : (bytes16)__builtin_shufflevector((halves16)a, (halves16)b, 4, 12, 5, 13, 6, 14, 7, 15);
}

static inline words16 words_low(words16 a, words16 b)
{
    return __builtin_shufflevector(a, b, 0, 4, 1, 5);
}

static inline words16 words_high(words16 a, words16 b)
{
    return __builtin_shufflevector(a, b, 2, 6, 3, 7);
}
#endif
