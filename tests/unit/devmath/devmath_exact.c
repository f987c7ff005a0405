// SPDX-License-Identifier: Apache-2.0
// What the device math library must get exactly right: integers, bits, conversions, rounding modes, the parts of
// numbers, and the signs of zeros.
#include <fenv.h>
#include <limits.h>
#include "devmath_ulp.h"

static bool same32(float a, float b)
{
    return as_u32(a) == as_u32(b) || (a != a && b != b);
}

static bool same64(double a, double b)
{
    return as_u64(a) == as_u64(b) || (a != a && b != b);
}

static void integers(void)
{
    CHECK(__nv_abs(-5) == 5 && __nv_abs(INT_MIN) == INT_MIN && __nv_llabs(-7) == 7);
    CHECK(__nv_max(-1, 2) == 2 && __nv_min(-1, 2) == -1 && __nv_umax(1u, ~0u) == ~0u && __nv_umin(1u, ~0u) == 1u);
    CHECK(__nv_llmax(-1, 2) == 2 && __nv_llmin(-1, 2) == -1 && __nv_ullmax(1, ~0ull) == ~0ull &&
          __nv_ullmin(1, ~0ull) == 1);
    CHECK(__nv_brev(1) == INT_MIN && __nv_brev(0x12345678) == 0x1e6a2c48 && __nv_brevll(1) == LLONG_MIN);
    CHECK(__nv_clz(0) == 32 && __nv_clz(1) == 31 && __nv_clz(-1) == 0 && __nv_clzll(0) == 64 && __nv_clzll(1) == 63);
    CHECK(__nv_ffs(0) == 0 && __nv_ffs(8) == 4 && __nv_ffsll(0) == 0 && __nv_ffsll(1ll << 40) == 41);
    CHECK(__nv_popc(0xf0f0u) == 8 && __nv_popcll(~0ull) == 64);
    CHECK(__nv_byte_perm(0x33221100, 0x77665544, 0x7531) == 0x77553311);
    CHECK(__nv_byte_perm(0x33221100, 0x77665544, 0x0123) == 0x00112233);
    CHECK(__nv_byte_perm(0x33221100, 0x77665544, 0xffff) == 0x77777777);
    CHECK(__nv_mul24(0x00ffffff, 2) == -2 && __nv_mul24(0x7f000003, 5) == 15 && __nv_umul24(0xff000003u, 5u) == 15u);
    CHECK(__nv_mulhi(INT_MIN, 4) == -2 && __nv_umulhi(0x80000000u, 4u) == 2u);
    CHECK(__nv_mul64hi(LLONG_MIN, 4) == -2 && __nv_umul64hi(1ull << 63, 4) == 2);
    CHECK(__nv_sad(-3, 4, 10) == 17 && __nv_usad(3u, 4u, 10u) == 11u && __nv_sad(INT_MAX, INT_MIN, 1) == 0);
    CHECK(__nv_hadd(-3, -4) == -4 && __nv_rhadd(-3, -4) == -3 && __nv_hadd(INT_MAX, INT_MAX) == INT_MAX);
    CHECK((unsigned)__nv_uhadd(~0u, ~0u - 1) == ~0u - 1 && __nv_urhadd(~0u, ~0u - 1) == ~0u);
}

static void words(void)
{
    CHECK(__nv_vadd2(0x0001ffff, 0x00010002) == 0x00020001 && __nv_vadd4(0x01ff02fe, 0x01010101) == 0x020003ff);
    CHECK((unsigned)__nv_vaddus4((int)0xf0f0f0f0, 0x20202020) == ~0u &&
          __nv_vaddss2(0x7fff0001, 0x00010001) == 0x7fff0002);
    CHECK(__nv_vsubus2(0x00010005, 0x00020003) == 2 && __nv_vsubss2((int)0x80000000, 0x00010000) == (int)0x80000000);
    CHECK((unsigned)__nv_vcmpgts2((int)0xffff0001, 0) == 0xffffu && (unsigned)__nv_vcmpgtu2((int)0xffff0001, 0) == ~0u);
    CHECK(__nv_vsetgtu4(0x05060708, 0x06060606) == 0x00000101 && __nv_vsetne2(1, 1) == 0);
    CHECK(__nv_vsadu4(0x01020304, 0x04030201) == 8 && __nv_vsads2((int)0xffff0001, 0x00010001) == 2);
    CHECK(__nv_vabs2((int)0xffff0001) == 0x00010001 && __nv_vabsss4((int)0x80ff0102) == 0x7f010102);
    CHECK(__nv_vneg2(0x00010002) == (int)0xfffffffe && __nv_vnegss2((int)0x80000000) == 0x7fff0000);
    CHECK(__nv_vavgu4(0x01020304, 0x03040506) == 0x02030405 && __nv_vhaddu4(0x01020304, 0x02030405) == 0x01020304);
    CHECK(__nv_vmaxs2((int)0xffff0001, 0) == 1 && (unsigned)__nv_vmaxu2((int)0xffff0001, 0) == 0xffff0001u);
    CHECK(__nv_vabsdiffu4(0x01020304, 0x04030201) == 0x03010103);
}

static void conversions(void)
{
    CHECK(__nv_float2int_rn(2.5f) == 2 && __nv_float2int_rn(3.5f) == 4 && __nv_float2int_rz(-2.9f) == -2);
    CHECK(__nv_float2int_rd(-2.1f) == -3 && __nv_float2int_ru(2.1f) == 3);
    CHECK(__nv_float2int_rn(3e9f) == INT_MAX && __nv_float2int_rn(-3e9f) == INT_MIN && __nv_float2int_rn(NAN) == 0);
    CHECK(__nv_float2uint_rn(-1.0f) == 0 && __nv_float2uint_rz(5e9f) == UINT_MAX);
    CHECK(__nv_float2ll_rn(1e19f) == LLONG_MAX && __nv_float2ll_rn(NAN) == LLONG_MIN);
    CHECK(__nv_float2ull_rz(2e19f) == ULLONG_MAX && __nv_double2ull_rn(-1.0) == 0);
    CHECK(__nv_double2int_rn(NAN) == INT_MIN && __nv_double2uint_rz(NAN) == 0x80000000u);
    CHECK(__nv_double2int_rn(0.5) == 0 && __nv_double2int_ru(0.5) == 1 && __nv_double2ll_rd(-0.5) == -1);
    CHECK(__nv_double2uint_rn(4294967295.4) == UINT_MAX && __nv_llrint(2.5) == 2 && __nv_llround(2.5) == 3);
    CHECK(__nv_llrintf(-2.5f) == -2 && __nv_llroundf(-2.5f) == -3);
    CHECK(__nv_int2float_rz(16777217) == 16777216.0f && __nv_int2float_ru(16777217) == 16777218.0f);
    CHECK(__nv_ll2double_rd(9007199254740993ll) == 9007199254740992.0 && __nv_ull2float_ru(~0ull) == 0x1p64f);
    CHECK(__nv_double2float_rz(1.0 + 0x1p-24 + 0x1p-40) == 1.0f &&
          __nv_double2float_ru(1.0 + 0x1p-40) == 0x1.000002p0f);
    CHECK(__nv_int2double_rn(-7) == -7.0 && __nv_uint2double_rn(~0u) == 4294967295.0);
    CHECK(__nv_float2half_rn(1.0f) == 0x3c00 && __nv_float2half_rn(65520.0f) == 0x7c00 &&
          __nv_half2float(0x0001) == 0x1p-24f);
    CHECK(__nv_float_as_int(1.0f) == 0x3f800000 && __nv_int_as_float(0x3f800000) == 1.0f);
    CHECK(__nv_hiloint2double(0x3ff00000, 0) == 1.0 && __nv_double2hiint(1.0) == 0x3ff00000 &&
          __nv_double2loint(1.0) == 0);
    CHECK(__nv_saturatef(NAN) == 0.0f && __nv_saturatef(2.0f) == 1.0f && __nv_saturatef(0.3f) == 0.3f);
}

static void rounding_modes(void)
{
    CHECK(__nv_fadd_rz(1.0f, 0x1.8p-24f) == 1.0f && __nv_fadd_ru(1.0f, 0x1p-40f) == 0x1.000002p0f);
    CHECK(__nv_fadd_rd(1.0f, -0x1p-40f) == 0x1.fffffep-1f && __nv_fsub_rd(1.0f, 0x1p-40f) == 0x1.fffffep-1f);
    CHECK(__nv_fmul_ru(0x1.000002p0f, 0x1.000002p0f) == 0x1.000006p0f &&
          __nv_fmul_rz(0x1.000002p0f, 0x1.000002p0f) == 0x1.000004p0f);
    CHECK(__nv_fdiv_rd(1.0f, 3.0f) < __nv_fdiv_ru(1.0f, 3.0f) && __nv_frcp_rz(3.0f) == __nv_fdiv_rz(1.0f, 3.0f));
    CHECK(__nv_fsqrt_ru(2.0f) > __nv_fsqrt_rd(2.0f) && __nv_fsqrt_rn(4.0f) == 2.0f);
    CHECK(__nv_fmaf_rd(1.0f, 1.0f, -0x1p-40f) == 0x1.fffffep-1f &&
          __nv_fmaf_ieee_ru(1.0f, 1.0f, 0x1p-40f) == 0x1.000002p0f);
    CHECK(__nv_dadd_rz(1.0, 0x1.8p-53) == 1.0 && __nv_dadd_ru(1.0, 0x1p-80) == 0x1.0000000000001p0);
    CHECK(__nv_dsub_rd(1.0, 0x1p-80) == 0x1.fffffffffffffp-1 && __nv_ddiv_rd(1.0, 3.0) < __nv_ddiv_ru(1.0, 3.0));
    CHECK(__nv_dmul_ru(0x1.0000000000001p0, 0x1.0000000000001p0) == 0x1.0000000000003p0);
    CHECK(__nv_drcp_rn(4.0) == 0.25 && __nv_dsqrt_rz(2.0) < __nv_dsqrt_ru(2.0) &&
          __nv_fma_rz(1.0, 1.0, -0x1p-80) < 1.0);
    CHECK(fegetround() == FE_TONEAREST);
}

static void parts(void)
{
    int e, q;
    double whole;
    float wholef;
    int wrong = 0;
    for (int k = 0; k < 20000; k++) {
        float f = as_f32((uint32_t)random_u64());
        double d = as_f64(random_u64());
        int n = (int)(random_u64() % 700) - 350, m = n * 7;
        f = f == f ? f : 1.0f;
        d = d == d ? d : 1.0;
        int want;
        bool good = same32(__nv_frexpf(f, &e), frexpf(f, &want)) && (isinf(f) || e == want);
        good &= same64(__nv_frexp(d, &e), frexp(d, &want)) && (isinf(d) || e == want);
        good &= same32(__nv_ldexpf(f, n), ldexpf(f, n)) && same64(__nv_ldexp(d, m), ldexp(d, m));
        good &= __nv_ilogbf(f) == ilogbf(f) && __nv_ilogb(d) == ilogb(d);
        good &= same32(__nv_nextafterf(f, 1.0f), nextafterf(f, 1.0f)) &&
                same64(__nv_nextafter(d, -1.0), nextafter(d, -1.0));
        double iw;
        float ifw;
        good &= same32(__nv_modff(f, &wholef), modff(f, &ifw)) && same32(wholef, ifw);
        good &= same64(__nv_modf(d, &whole), modf(d, &iw)) && same64(whole, iw);
        float g = as_f32((uint32_t)random_u64());
        g = g == g ? g : 3.0f;
        good &=
            same32(__nv_remquof(f, g, &q), remquof(f, g, &want)) && (isinf(f) || g == 0.0f || (q & 7) == (want & 7));
        good &= same32(__nv_roundf(f), roundf(f)) && same64(__nv_round(d), round(d));
        if (!good && wrong++ < 5)
            fprintf(stderr, "parts of %a, %a, %a, %d\n", f, d, g, n);
    }
    CHECK(wrong == 0);
    CHECK(same32(__nv_ldexpf(0x1p-149f, 276), 0x1p127f) && same32(__nv_ldexpf(0x1.8p-100f, -50), 0x1p-149f));
    CHECK(same64(__nv_ldexp(0x1p-1074, 2097), 0x1p1023) && same64(__nv_ldexp(1.0, -1075), 0.0));
    CHECK(same64(__nv_scalbn(-1.0, 4000), -INFINITY) && __nv_ilogb(0.0) == INT_MIN && __nv_ilogb(INFINITY) == INT_MAX);
    CHECK(as_u32(__nv_nanf((const signed char *)"0x123")) == 0x7fc00123u &&
          __nv_isnand(__nv_nan((const signed char *)"")));
    CHECK(__nv_isinff(-INFINITY) && __nv_finitef(1.0f) && !__nv_isfinited(NAN) && __nv_signbitd(-0.0) &&
          !__nv_signbitf(1.0f));
}

// An odd function keeps the sign of zero, and of a number too small to change.
static void zeros(void)
{
    static float (*const odd32[])(float) = {__nv_sinf,  __nv_tanf,   __nv_asinf,   __nv_atanf,  __nv_sinhf,
                                            __nv_tanhf, __nv_asinhf, __nv_atanhf,  __nv_expm1f, __nv_log1pf,
                                            __nv_cbrtf, __nv_erff,   __nv_erfinvf, __nv_sinpif, __nv_sqrtf,
                                            __nv_rintf, __nv_ceilf,  __nv_floorf,  __nv_truncf, __nv_roundf};
    static double (*const odd64[])(double) = {__nv_sin,  __nv_tan,   __nv_asin,   __nv_atan,  __nv_sinh,
                                              __nv_tanh, __nv_asinh, __nv_atanh,  __nv_expm1, __nv_log1p,
                                              __nv_cbrt, __nv_erf,   __nv_erfinv, __nv_sinpi, __nv_sqrt,
                                              __nv_rint, __nv_ceil,  __nv_floor,  __nv_trunc, __nv_round};
    for (size_t i = 0; i < sizeof(odd32) / sizeof(odd32[0]); i++) {
        CHECK(same32(odd32[i](-0.0f), -0.0f) && same32(odd32[i](0.0f), 0.0f));
        CHECK(same64(odd64[i](-0.0), -0.0) && same64(odd64[i](0.0), 0.0));
    }
    CHECK(same32(__nv_atan2f(-0.0f, 1.0f), -0.0f) && same32(__nv_atan2f(-0.0f, -1.0f), (float)-M_PI));
    CHECK(same32(__nv_powf(-0.0f, 3.0f), -0.0f) && same32(__nv_powf(-0.0f, -3.0f), -INFINITY));
    CHECK(same64(__nv_pow(-0.0, 2.0), 0.0) && same64(__nv_pow(-INFINITY, -3.0), -0.0));
    CHECK(same32(__nv_fmodf(-6.0f, 3.0f), -0.0f) && same64(__nv_remainder(-6.0, 3.0), -0.0));
    CHECK(same32(__nv_rintf(-0.3f), -0.0f) && same32(__nv_roundf(-0.3f), -0.0f) && same64(__nv_ceil(-0.3), -0.0));
    CHECK(same32(__nv_rcbrtf(-0.0f), -INFINITY) && same32(__nv_tgammaf(-0.0f), -INFINITY) &&
          same32(__nv_y0f(0.0f), -INFINITY));
    CHECK(same32(__nv_cospif(0.5f), 0.0f) && same32(__nv_cospif(1.5f), 0.0f) && same32(__nv_sinpif(-2.0f), -0.0f));
    CHECK(same32(__nv_acosf(1.0f), 0.0f) && same32(__nv_logf(1.0f), 0.0f) && same64(__nv_log2(8.0), 3.0));
    CHECK(same64(__nv_exp2(10.0), 1024.0) && same64(__nv_exp10(3.0), 1000.0) && same32(__nv_exp2f(-149.0f), 0x1p-149f));
    CHECK(same32(__nv_powif(2.0f, -3), 0.125f) && same64(__nv_powi(-3.0, 3), -27.0) &&
          same32(__nv_powif(-2.0f, 3), -8.0f));
}

int main(void)
{
    integers();
    words();
    conversions();
    rounding_modes();
    parts();
    zeros();
    return test_summary();
}
