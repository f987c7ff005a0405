// SPDX-License-Identifier: Apache-2.0
// Products of matrices for processors with AVX2 and its own form of VNNI.
#define MULTIPLY matrix_multiply_avxvnni
#ifdef __x86_64__
#include "device/matrix/multiply.h"
#endif
