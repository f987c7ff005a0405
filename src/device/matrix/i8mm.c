// SPDX-License-Identifier: Apache-2.0
// Products of matrices for AArch64's processors with dot products of bytes of any signs and multiply-adds of halves to floats.
#define MULTIPLY matrix_multiply_i8mm
#ifdef __aarch64__
#include "device/matrix/multiply.h"
#endif
