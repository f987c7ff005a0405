// SPDX-License-Identifier: Apache-2.0
// Transforms of floats for processors with AVX-512.
#define KERNEL       fft_avx512_float
#define SCALAR       float
#define VECTOR_BYTES 64
#define VECTOR_COUNT 16
#ifdef __x86_64__
#include "cufft/engine/kernel/kernel.h"
#endif
