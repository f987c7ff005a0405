// SPDX-License-Identifier: Apache-2.0
// Transforms of doubles for processors with AVX-512.
#define KERNEL       fft_avx512_double
#define SCALAR       double
#define VECTOR_BYTES 64
#define VECTOR_COUNT 8
#ifdef __x86_64__
#include "cufft/engine/kernel/kernel.h"
#endif
