// SPDX-License-Identifier: Apache-2.0
// gcc's <omp.h>, which names the function that frees in the attribute `malloc`: older clangs take no argument there.
#pragma GCC system_header
#ifndef HEDDLE_OMP_H
#define HEDDLE_OMP_H
#define __malloc__(free)
#include_next <omp.h>
#undef __malloc__
#endif
