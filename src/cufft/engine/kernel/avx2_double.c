// SPDX-License-Identifier: Apache-2.0
// Transforms of doubles for processors with AVX2 and FMA.
#define KERNEL       fft_avx2_double
#define SCALAR       double
#define VECTOR_BYTES 32
#define VECTOR_COUNT 4
#ifdef __x86_64__
#include "cufft/engine/kernel/kernel.h"
#endif
