// SPDX-License-Identifier: Apache-2.0
// Products of matrices for AArch64's processors with dot products of bytes of one sign.
#define MULTIPLY matrix_multiply_dotprod
#ifdef __aarch64__
#include "device/matrix/multiply.h"
#endif
