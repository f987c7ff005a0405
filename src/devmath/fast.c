// SPDX-License-Identifier: Apache-2.0
// The fast functions of CUDA (__sinf, __expf ...): the approximate instructions of the device, which each have an error
// bound in the PTX manual. The host build has libm instead, for the tests.
#include "devmath/devmath.h"

#if DEVICE
#define APPROX(op, x)    (FTZ ? __nvvm_##op##_approx_ftz_f(x) : __nvvm_##op##_approx_f(x))
#define APPROX_DIV(x, y) (FTZ ? __nvvm_div_approx_ftz_f(x, y) : __nvvm_div_approx_f(x, y))
#else
#include <math.h>
#define APPROX(op, x)    host_##op(x)
#define APPROX_DIV(x, y) ((x) / (y))
#define host_sin         sinf
#define host_cos         cosf
#define host_ex2         exp2f
#define host_lg2         log2f
#endif

HOT float __nv_fast_sinf(float x)
{
    return APPROX(sin, x);
}

HOT float __nv_fast_cosf(float x)
{
    return APPROX(cos, x);
}

HOT void __nv_fast_sincosf(float x, float *s, float *c)
{
    *s = APPROX(sin, x);
    *c = APPROX(cos, x);
}

HOT float __nv_fast_tanf(float x)
{
    return APPROX_DIV(APPROX(sin, x), APPROX(cos, x));
}

// One instruction from compute capability 7.5 on.
HOT float __nv_fast_tanhf(float x)
{
#if DEVICE
    if (REFLECT("__CUDA_ARCH") >= 750) {
        float y;
        __asm__("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
        return y;
    }
#endif
    return __nv_tanhf(x);
}

// The factor in two parts: with one alone its own rounding would take the result over the documented bound.
HOT float __nv_fast_expf(float x)
{
    return APPROX(ex2, fma32(x, 0x1.715476p+0f, mul32(x, 0x1.4ae0cp-26f)));
}

HOT float __nv_fast_exp10f(float x)
{
    return APPROX(ex2, fma32(x, 0x1.a934f0p+1f, mul32(x, 0x1.2f346ep-24f)));
}

HOT float __nv_fast_log2f(float x)
{
    return APPROX(lg2, x);
}

HOT float __nv_fast_logf(float x)
{
    return mul32(APPROX(lg2, x), 0x1.62e430p-1f);
}

HOT float __nv_fast_log10f(float x)
{
    return mul32(APPROX(lg2, x), 0x1.344136p-2f);
}

HOT float __nv_fast_powf(float x, float y)
{
    return APPROX(ex2, mul32(y, APPROX(lg2, x)));
}

HOT float __nv_fast_fdividef(float x, float y)
{
    return APPROX_DIV(x, y);
}
