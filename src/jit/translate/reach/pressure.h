// SPDX-License-Identifier: Apache-2.0
// An estimate of the registers that a thread needs.
#ifndef HEDDLE_JIT_PRESSURE_H
#define HEDDLE_JIT_PRESSURE_H
#include "ptx/ptx.h"

// The most 32-bit registers that hold values at the same time in the function's body, as written.
uint32_t pressure_of(const struct ptx_func *f);
#endif
