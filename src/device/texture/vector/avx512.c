// SPDX-License-Identifier: Apache-2.0
// The sampler for gangs on processors with AVX-512 (F, BW, VL, DQ).
#define GANG_READ texture_gang_avx512
#ifdef __x86_64__
#include "device/texture/vector/read.h"
#endif
