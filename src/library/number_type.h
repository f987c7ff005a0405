// SPDX-License-Identifier: Apache-2.0
// The four types of numbers that LAPACK knows, by their letters: what a library asks of them.
#ifndef HEDDLE_LIBRARY_NUMBER_TYPE_H
#define HEDDLE_LIBRARY_NUMBER_TYPE_H
#include <library_types.h>
#include <stdbool.h>
#include <stddef.h>

enum number { NUMBER_S, NUMBER_D, NUMBER_C, NUMBER_Z, NUMBERS };

static inline size_t number_size(enum number t)
{
    static const unsigned char sizes[NUMBERS] = {4, 8, 8, 16};
    return sizes[t];
}
static inline bool number_is_complex(enum number t)
{
    return t == NUMBER_C || t == NUMBER_Z;
}
// The type of real numbers of the same precision, and that of complex ones.
static inline enum number number_real(enum number t)
{
    return t == NUMBER_C ? NUMBER_S : t == NUMBER_Z ? NUMBER_D : t;
}
static inline enum number number_complex(enum number t)
{
    return t == NUMBER_S ? NUMBER_C : t == NUMBER_D ? NUMBER_Z : t;
}
// NUMBERS: none of these.
static inline enum number number_of(cudaDataType type)
{
    static const cudaDataType types[NUMBERS] = {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F};
    unsigned t = 0;
    while (t < NUMBERS && types[t] != type)
        t++;
    return (enum number)t;
}
#endif
