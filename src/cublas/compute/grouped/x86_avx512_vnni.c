// SPDX-License-Identifier: Apache-2.0
// Products of int8 with VNNI in vectors of 64 bytes. Compiled for it (CMakeLists.txt), and called where it is there.
#if defined(__AVX512VNNI__) || defined(PRODUCT_MODEL)
#ifdef PRODUCT_MODEL // a test, which has the instruction in C
#define DOT_BYTES(sum, u, s) MODEL_DOT_BYTES(sum, u, s)
#else
#include <immintrin.h>
#define DOT_BYTES(sum, u, s) (integers) _mm512_dpbusd_epi32((__m512i)(sum), (__m512i)(u), (__m512i)(s))
#endif
#define VECTOR_BYTES 64
#define VECTORS      2
#define COLUMNS      12
#define GROUP_A      4
#define GROUP_B      4
#define DEPTH_INT8   1024
#define TALL         8
#define WIDE         64
#include "cublas/compute/grouped/x86_dot.h"
#include "cublas/compute/grouped/int8.h"

void product_I_avx512_vnni(const struct product *p)
{
    run_from_I(p);
}

void product_IF_avx512_vnni(const struct product *p)
{
    run_from_IF(p);
}
#endif
