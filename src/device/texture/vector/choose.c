// SPDX-License-Identifier: Apache-2.0
// See gang.h: which of the samplers for gangs this processor can run.
#include "device/texture/vector/gang.h"

#ifdef __x86_64__
static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") && has_avx2();
}
#endif

texture_gang_fn *texture_gang_choose(enum image_vector asked, uint32_t width)
{
#ifdef __x86_64__
    if (asked >= IMAGE_VECTOR_64 && width >= 16 && has_avx512())
        return texture_gang_avx512;
    if (asked >= IMAGE_VECTOR_32 && width >= 8 && has_avx2())
        return texture_gang_avx2;
#else
    (void)asked;
    (void)width;
#endif
    return texture_gang_plain;
}
