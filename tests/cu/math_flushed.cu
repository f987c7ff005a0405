// SPDX-License-Identifier: Apache-2.0
// nvcc: -ftz=true
// Math functions with subnormals flushed: an argument or a result below the least normal number may be 0, and
// everything else is as exact as without. Beside the host's functions in double.
#include "check.h"
#include <cfloat>
#include <cmath>

// NAME, and how far results may lie off for reasons of their own, as a part of 1: 0 where the error is relative
// everywhere
#define UNARY(F)                                                                                                       \
    F(acosf, acos, 0)                                                                                                  \
    F(acoshf, acosh, 0)                                                                                                \
    F(asinf, asin, 0)                                                                                                  \
    F(asinhf, asinh, 0)                                                                                                \
    F(atanf, atan, 0)                                                                                                  \
    F(atanhf, atanh, 0)                                                                                                \
    F(cbrtf, cbrt, 0)                                                                                                  \
    F(cosf, cos, 1)                                                                                                    \
    F(coshf, cosh, 0)                                                                                                  \
    F(erff, erf, 0)                                                                                                    \
    F(erfcf, erfc, 0)                                                                                                  \
    F(expf, exp, 0)                                                                                                    \
    F(exp2f, exp2, 0)                                                                                                  \
    F(expm1f, expm1, 0)                                                                                                \
    F(j0f, j0, 1)                                                                                                      \
    F(j1f, j1, 1)                                                                                                      \
    F(lgammaf, lgamma, 1)                                                                                              \
    F(tgammaf, tgamma, 0)                                                                                              \
    F(logf, log, 0)                                                                                                    \
    F(log2f, log2, 0)                                                                                                  \
    F(log10f, log10, 0)                                                                                                \
    F(log1pf, log1p, 0) F(sinf, sin, 1) F(sinhf, sinh, 0) F(sqrtf, sqrt, 0) F(tanf, tan, 1) F(tanhf, tanh, 0)
#define BINARY(F) F(atan2f, atan2) F(fdimf, fdim) F(fmodf, fmod) F(hypotf, hypot) F(powf, pow)

enum { N = 1 << 13 };

struct Out {
#define F(name, ...) float name;
    UNARY(F) BINARY(F)
#undef F
};

__global__ void all(const float *a, const float *b, Out *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = a[i], y = b[i];
    Out o;
#define F(name, ...) o.name = name(x);
    UNARY(F)
#undef F
#define F(name, ...) o.name = name(x, y);
    BINARY(F)
#undef F
    out[i] = o;
}

// A kernel in single precision alone, in which flushing may be a mode of the processor. Sums and products must flush.
__global__ void alone(const float *a, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = __fadd_rn(__fmul_rn(tanhf(a[i]), 0x1p-125f), __fmul_rn(sinhf(a[i]), 0x1p-125f));
}

static double flushed(double x)
{
    return fabs(x) < FLT_MIN ? copysign(0.0, x) : x;
}

static bool near(float got, double want, double slack)
{
    if (want != want)
        return got != got;
    if (fabs(want) > FLT_MAX)
        return got > FLT_MAX ? want > 0 : got < -FLT_MAX ? want < 0 : fabs(got) > 0.99999 * FLT_MAX;
    return fabs(got - want) <= 4e-6 * fabs(want) + slack * 4e-6 + (double)FLT_MIN;
}

int main()
{
    float *a, *b, *v;
    Out *out;
    OK(cudaMallocManaged(&a, N * sizeof *a));
    OK(cudaMallocManaged(&b, N * sizeof *b));
    OK(cudaMallocManaged(&v, N * sizeof *v));
    OK(cudaMallocManaged(&out, N * sizeof *out));
    unsigned state = 1;
    for (int i = 0; i < N; i++) {
        unsigned bits = (state = state * 1664525u + 1013904223u);
        memcpy(a + i, &bits, 4); // any number
        if (i % 2)
            a[i] = (float)((int)(bits >> 8) - (1 << 23)) * 0x1p-20f; // -8 to 8
        if (i % 16 == 6)
            a[i] = (float)((int)(bits >> 8) - (1 << 23)) * 0x1p-149f; // around the least normal number and below
        bits = (state = state * 1664525u + 1013904223u);
        b[i] = i % 16 == 6 ? a[i] * 3 : (float)((int)(bits >> 8) - (1 << 23)) * 0x1p-20f;
    }
    a[0] = 0, a[2] = -0.0f, a[4] = INFINITY, a[8] = -INFINITY, a[10] = NAN, a[12] = FLT_MIN, a[14] = -FLT_MIN;
    all<<<N / 128, 128>>>(a, b, out);
    alone<<<N / 128, 128>>>(a, v);
    LAUNCHED();
    for (int i = 0; i < N; i++) {
        double x = flushed(a[i]), y = flushed(b[i]);
        bool tame = fabs(x) < 100;
#define F(name, host, slack)                                                                                           \
    if (!slack || tame)                                                                                                \
        EXPECT(near(out[i].name, flushed(host(x)), slack));
        UNARY(F)
#undef F
#define F(name, host) EXPECT(near(out[i].name, flushed(host(x, y)), 0));
        BINARY(F)
#undef F
        float t = (float)flushed((float)tanh(x) * 0x1p-125), u = (float)flushed((float)sinh(x) * 0x1p-125);
        EXPECT(near(v[i], flushed((double)t + u), 0) && (!v[i] || !(fabsf(v[i]) < FLT_MIN)));
    }
    return DONE();
}
