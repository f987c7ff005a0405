// SPDX-License-Identifier: Apache-2.0
// Products of matrices for processors with AVX-512 and VNNI.
#define MULTIPLY matrix_multiply_vnni
#ifdef __x86_64__
#include "device/matrix/multiply.h"
#endif
