// SPDX-License-Identifier: Apache-2.0
// Products of int8 with the VNNI of processors without AVX-512. Compiled for it (CMakeLists.txt), and called where it is there.
#if defined(__AVXVNNI__) || defined(PRODUCT_MODEL)
#ifdef PRODUCT_MODEL // a test, which has the instruction in C
#define DOT_BYTES(sum, u, s) MODEL_DOT_BYTES(sum, u, s)
#else
#include <immintrin.h>
#define DOT_BYTES(sum, u, s) (integers) _mm256_dpbusd_avx_epi32((__m256i)(sum), (__m256i)(u), (__m256i)(s))
#endif
#define VECTOR_BYTES 32
#define VECTORS      3
#define COLUMNS      4
#define GROUP_A      4
#define GROUP_B      4
#define DEPTH_INT8   1024
#define TALL         8
#define WIDE         192
#include "cublas/compute/grouped/x86_dot.h"
#include "cublas/compute/grouped/int8.h"

void product_I_avx_vnni(const struct product *p)
{
    run_from_I(p);
}

void product_IF_avx_vnni(const struct product *p)
{
    run_from_IF(p);
}
#endif
