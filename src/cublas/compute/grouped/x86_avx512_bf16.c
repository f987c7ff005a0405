// SPDX-License-Identifier: Apache-2.0
// Products of bfloat16 with VDPBF16PS. Compiled for it (CMakeLists.txt), and called where it is there. It adds the second product of a pair and
// then the first one, each as a fused operation that is rounded to the nearest, and what is subnormal is 0: bf16.h sees to that.
#if defined(__AVX512BF16__) || defined(PRODUCT_MODEL)
#ifdef PRODUCT_MODEL // a test, which has the instruction in C
#define DOT_BFLOATS(sum, x, y) MODEL_DOT_BFLOATS(sum, x, y)
#else
#include <immintrin.h>
#define DOT_BFLOATS(sum, x, y) (floats) _mm512_dpbf16_ps((__m512)(sum), (__m512bh)(x), (__m512bh)(y))
#endif
#define VECTOR_BYTES 64
#define VECTORS      2
#define COLUMNS      12
#define GROUP_A      2
#define GROUP_B      2
#define TALL         8
#define WIDE         64
#include "cublas/compute/grouped/x86_dot.h"
#include "cublas/compute/grouped/bf16.h"

void product_B_avx512_bf16(const struct product *p)
{
    run_from_B(p);
}
#endif
