// SPDX-License-Identifier: Apache-2.0
// Half precision and bfloat16: conversions, arithmetic, comparisons, functions, atomics, shuffles.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdio>
__global__ void k(half *a, half2 *b, float *f, int *i)
{
    half x = a[0], y = __float2half(2.5f);
    a[1] = __hadd(x, y);
    a[2] = x * y + x;
    a[3] = __hfma(x, y, x);
    a[4] = hsqrt(x);
    a[5] = hexp(x);
    a[6] = -x;
    a[7] = 1.0f;
    b[0] = __hadd2(b[1], b[2]);
    b[3] = b[4] * b[5];
    b[6] = __hfma2(b[1], b[2], b[3]);
    b[7] = __float2half2_rn(f[0]);
    f[1] = __low2float(b[0]);
    f[2] = __half2float(x);
    a[9] = __high2half(b[1]);
    i[0] = __hgt(x, y) + (x < y) + __half2int_rn(x);
    a[8] = __int2half_rn(i[2]);
    atomicAdd(b, b[9]);
    atomicAdd(a, x);
    a[9] = __ldg(a + 2);
    b[8] = __shfl_xor_sync(~0u, b[8], 1);
    a[10] = __shfl_down_sync(~0u, x, 2);
    a[11] = __hmax(x, y);
    x += y;
    x++;
    a[12] = x;
    float2 ff = __half22float2(b[0]);
    f[5] = ff.x + (float)x;
    if (x > __float2half(0.f))
        f[7] = 1;
    a[13] = half(3) / x;
    half z = x * half(2.0f);
    a[14] = z;
}

__global__ void bfloats(__nv_bfloat16 *a, __nv_bfloat162 *b, float *f)
{
    a[0] = a[1] + a[2] * a[3];
    b[0] = __hfma2(b[1], b[2], b[3]);
    f[0] = __bfloat162float(a[4]) + __low2float(b[4]) + (float)a[3];
    a[5] = __float2bfloat16(f[1]);
    a[6] = hexp(a[7]);
    a[8] = __low2bfloat16(b[2]);
    atomicAdd(a, a[1]);
    if (a[1] < a[2])
        a[3] = __hmax(a[1], __float2bfloat16(0.5f));
}
int main()
{
    half h = __float2half(0.1f);
    printf("%g %04x %g\n", __half2float(h), __half_as_ushort(h), (float)(h + h));
    return 0;
}
