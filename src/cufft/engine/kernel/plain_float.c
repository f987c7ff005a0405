// SPDX-License-Identifier: Apache-2.0
// Transforms of floats for any processor of the kind that the build is for.
#define KERNEL       fft_plain_float
#define SCALAR       float
#define VECTOR_BYTES 16
#define VECTOR_COUNT 4
#include "cufft/engine/kernel/kernel.h"
