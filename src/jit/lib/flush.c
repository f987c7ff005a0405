// SPDX-License-Identifier: Apache-2.0
// Subnormals to zero of the same sign.
#include "lib.h"

FN(float) heddle_ftz_f32(float x)
{
    uint32_t u = bits32(x);
    return float32(u & 0x7f800000 ? u : u & 0x80000000);
}

FN(uint16_t) heddle_ftz_f16(uint16_t u)
{
    return u & 0x7c00 ? u : u & 0x8000;
}
FN(uint16_t) heddle_ftz_bf16(uint16_t u)
{
    return u & 0x7f80 ? u : u & 0x8000;
}
