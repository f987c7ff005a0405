// SPDX-License-Identifier: Apache-2.0
// Transforms of floats for processors with AVX2 and FMA.
#define KERNEL       fft_avx2_float
#define SCALAR       float
#define VECTOR_BYTES 32
#define VECTOR_COUNT 8
#ifdef __x86_64__
#include "cufft/engine/kernel/kernel.h"
#endif
