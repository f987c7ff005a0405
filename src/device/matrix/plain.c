// SPDX-License-Identifier: Apache-2.0
// Products of matrices for any processor of the kind that the build is for.
#define MULTIPLY matrix_multiply_plain
#include "device/matrix/multiply.h"
