// SPDX-License-Identifier: Apache-2.0
// The sampler for gangs on processors with AVX2 and FMA.
#define GANG_READ texture_gang_avx2
#ifdef __x86_64__
#include "device/texture/vector/read.h"
#endif
