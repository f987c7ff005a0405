// SPDX-License-Identifier: Apache-2.0
// The kernel for this processor.
#include "cufft/engine/engine.h"

const struct fft_kernel *fft_kernel_choose(bool is_double)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
        return is_double ? &fft_avx512_double : &fft_avx512_float;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return is_double ? &fft_avx2_double : &fft_avx2_float;
#endif
    return is_double ? &fft_plain_double : &fft_plain_float;
}
