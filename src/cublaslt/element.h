// SPDX-License-Identifier: Apache-2.0
// Elements of matrices in memory, and the numbers that are computed with: rows of elements become numbers and back. Rounding is to nearest,
// ties to even; what is beyond the range of fp8 and of integers becomes the largest number that they have.
#ifndef HEDDLE_CUBLASLT_ELEMENT_H
#define HEDDLE_CUBLASLT_ELEMENT_H
#include <library_types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// E4 and E5: fp8 with 4 and 5 bits of exponent; J is int8_t, I is int32_t.
enum lt_type { LT_S, LT_D, LT_C, LT_Z, LT_H, LT_B, LT_E4, LT_E5, LT_J, LT_I, LT_TYPES };
enum lt_type lt_type_of(cudaDataType type); // LT_TYPES: none of these
size_t lt_size(enum lt_type type);
static inline bool lt_is_fp8(enum lt_type type)
{
    return type == LT_E4 || type == LT_E5;
}

// What is computed with: float, double, their complex numbers, and uint32_t, which wraps as int32_t does on a GPU.
enum lt_kind { KIND_S, KIND_D, KIND_C, KIND_Z, KIND_I, KINDS };
size_t lt_kind_size(enum lt_kind kind);
bool lt_converts(enum lt_kind kind, enum lt_type type); // whether elements of this type can be such numbers
void lt_load(enum lt_kind kind, enum lt_type type, void *to, const void *from, int64_t n);
void lt_store(enum lt_kind kind, enum lt_type type, void *to, const void *from, int64_t n);
// fp8 as numbers of half precision, which have all its values.
void lt_fp8_to_half(enum lt_type type, uint16_t *to, const void *from, int64_t n);
#endif
