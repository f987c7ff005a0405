// SPDX-License-Identifier: Apache-2.0
// Math functions, minima and maxima, conversions and integer functions, on both sides.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <algorithm>
#include <math_constants.h>
#include <cuComplex.h>

__global__ void device_math(float *f, double *d, int *i, unsigned *u, long long *l, unsigned long long *ul)
{
    f[0] = fmax(f[1], f[2]) + round(f[2]) + std::max(f[1], f[2]) + ::max(f[1], f[2]) + std::min(f[3], 2.0f);
    f[1] = std::sin(f[4]) + sin(f[5]) + sinf(f[6]) + rsqrtf(f[7]) + rsqrt(f[7]) + abs(f[3]) + std::abs(f[3]);
    f[2] = std::fabs(f[3]) + pow(f[1], 2) + pow(f[1], f[2]) + std::pow(f[1], 2.0) + sqrt(2) + exp(1.0f) + log(f[1]);
    f[3] = __sinf(f[1]) + __cosf(f[1]) + __expf(f[1]) + __logf(f[2]) + __powf(f[1], f[2]) + __fdividef(f[1], f[2]);
    f[4] = __fmaf_rn(f[1], f[2], f[3]) + __fadd_rz(f[1], f[2]) + __frcp_rn(f[1]) + __fsqrt_rd(f[1]) + __saturatef(f[1]);
    f[5] = fmaf(f[1], f[2], f[3]) + truncf(f[1]) + ceilf(f[2]) + floor(f[3]) + rintf(f[4]) + nearbyint(f[5]) +
           fmod(f[1], f[2]);
    f[6] = norm3df(f[1], f[2], f[3]) + rhypotf(f[1], f[2]) + cbrt(f[1]) + rcbrtf(f[2]) + erfinv(f[1]) + normcdff(f[2]);
    f[7] = ldexp(f[1], 3) + scalbn(f[2], 2) + copysign(f[1], f[2]) + nextafter(f[1], f[2]) + remainder(f[1], f[2]);
    sincosf(f[1], &f[8], &f[9]);
    sincospi(d[1], &d[8], &d[9]);
    f[10] = frexp(f[1], &i[9]) + modf(f[1], &f[11]) + CUDART_PI_F + CUDART_INF_F;
    d[0] = sin(d[1]) + cos(d[1]) + tan(d[1]) + exp10(d[2]) + erf(d[2]) + tgamma(d[1]) + lgamma(d[2]) + j0(d[1]) +
           yn(2, d[1]);
    d[1] = isnan(d[1]) + isinf(f[1]) + std::isnan(f[1]) + isfinite(d[2]) + signbit(d[3]) + std::isinf(d[1]);
    d[2] = max(d[1], d[2]) + min(f[1], d[1]) + fma(d[1], d[2], d[3]) + __dadd_rn(d[1], d[2]) + cyl_bessel_i0(d[1]);
    i[0] = min(i[1], 3) + max(i[1], i[2]) + abs(i[3]) + __float2int_rn(f[1]) + __double2int_rz(d[1]) +
           __float_as_int(f[1]);
    i[1] = __popc(u[1]) + __clz(i[2]) + __ffs(i[3]) + __brev(u[3]) + __mulhi(i[1], i[2]) + __mul24(i[1], i[2]) +
           __sad(1, 2, 3);
    i[2] =
        __double2hiint(d[1]) + __double2loint(d[2]) + __byte_perm(1, 2, 3) + __funnelshift_l(1, 2, 3) + __rhadd(1, 2);
    i[3] = __dp4a(i[1], i[2], i[3]) + __vadd4(u[1], u[2]) + __vcmpgtu4(u[1], u[2]) + __vabsdiffs2(u[1], u[2]);
    i[4] = __viaddmax_s32(i[1], i[2], i[3]) + __vimax3_s32(1, 2, i[4]) + __viaddmin_s16x2_relu(u[1], u[2], u[3]);
    u[0] = min(u[1], 3) + min(i[1], u[3]) + max(3u, u[2]) + umax(1, 2);
    l[0] = max(l[1], l[2]) + llabs(l[3]) + __mul64hi(l[1], l[2]) + __double_as_longlong(d[1]) + llrint(d[1]);
    ul[0] = min(ul[1], ul[2]) + __popcll(ul[1]) + __clzll(l[1]) + __brevll(ul[2]);
    cuDoubleComplex z = cuCdiv(make_cuDoubleComplex(1, 2), make_cuDoubleComplex(d[1], d[2]));
    d[3] = cuCabs(z);
}

int main()
{
    float a = 1, b = 2;
    double x = 3;
    unsigned long n = 3;
    n = min(n, 5ul);
    size_t m = max((size_t)1, n);
    printf("%f %f %f %d\n", max(a, b), min(a, x), rsqrtf(a) + abs(-2.5f) + sinpi(x) + erfinv(x) + normcdfinv(0.3),
           max(1, 2u));
    return (int)m + (int)std::max(1, 2) + (int)fdividef(a, b);
}
