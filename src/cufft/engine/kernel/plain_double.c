// SPDX-License-Identifier: Apache-2.0
// Transforms of doubles for any processor of the kind that the build is for.
#define KERNEL       fft_plain_double
#define SCALAR       double
#define VECTOR_BYTES 16
#define VECTOR_COUNT 2
#include "cufft/engine/kernel/kernel.h"
