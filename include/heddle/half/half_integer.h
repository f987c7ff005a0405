// SPDX-License-Identifier: Apache-2.0
// Casts of floats to integers that are defined for every float, for the operators of __half, __nv_bfloat16 and the smaller ones.
#ifndef HEDDLE_HALF_INTEGER_H
#define HEDDLE_HALF_INTEGER_H
#include "../../host_defines.h"

// To an integer, towards zero: what is out of range is clamped, not-a-number is 0 or, of 64 bits, the lowest signed one. The device's
// instruction does that; a cast promises nothing of these.
template <typename __T> static __host__ __device__ __forceinline__ __T heddle_integer(float f)
{
    const bool is_signed = (__T)-1 < (__T)1;
    const __T most = (__T)(~0ull >> (64 - 8 * sizeof(__T) + is_signed)), least = is_signed ? (__T)(-most - 1) : (__T)0;
#if defined(__CUDA_ARCH__)
    if (sizeof(__T) == 8)
        return is_signed ? (__T)__nvvm_f2ll_rz(f) : (__T)__nvvm_f2ull_rz(f);
    if (sizeof(__T) == 4)
        return is_signed ? (__T)__nvvm_f2i_rz(f) : (__T)__nvvm_f2ui_rz(f);
    int __v = __nvvm_f2i_rz(f), low = (int)least, high = (int)most;
    return (__T)(__v < low ? low : __v > high ? high : __v);
#else
    const double beyond = 2.0 * (double)(1ull << (8 * sizeof(__T) - 1 - is_signed));
    return f != f                ? (__T)(sizeof(__T) == 8 ? 1ull << 63 : 0ull)
           : (double)f >= beyond ? most
           : f <= (double)least  ? least
                                 : (__T)f;
#endif
}
#endif
