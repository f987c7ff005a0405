// SPDX-License-Identifier: Apache-2.0
// Products of matrices for processors with AVX2, FMA and F16C.
#define MULTIPLY matrix_multiply_avx2
#ifdef __x86_64__
#include "device/matrix/multiply.h"
#endif
