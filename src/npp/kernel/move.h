// SPDX-License-Identifier: Apache-2.0
// Numbers of any type as doubles, which hold all of 32 bits exactly, and back: bodies compute in double and are written once for all types.
#ifndef HEDDLE_NPP_KERNEL_MOVE_H
#define HEDDLE_NPP_KERNEL_MOVE_H
#include "npp/core/npp.h"

void npp_load(enum npp_type t, const void *from, double *to, size_t n);
// To the nearest number of the type, ties to even; integers saturate.
void npp_save(enum npp_type t, const double *from, void *to, size_t n);
// Rounds to integers in one of the three ways.
void npp_round(double *v, size_t n, NppRoundMode mode);
static inline double npp_get(enum npp_type t, const void *from)
{
    double v;
    npp_load(t, from, &v, 1);
    return v;
}
#endif
