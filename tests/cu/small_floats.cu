// SPDX-License-Identifier: Apache-2.0
// Floats of 8, 6 and 4 bits: every code to half, halves and doubles to every code, on device and host, against a search
// for the nearest number. nvcc: -std=c++17 -arch=sm_90
#include "check.h"
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

enum Kind { E4M3, E5M2, E2M3, E3M2, E2M1, KINDS };

static __host__ __device__ unsigned encode(int kind, double x, bool saturate)
{
    __nv_saturation_t s = saturate ? __NV_SATFINITE : __NV_NOSAT;
    switch (kind) {
    case E4M3:
        return __nv_cvt_double_to_fp8(x, s, __NV_E4M3);
    case E5M2:
        return __nv_cvt_double_to_fp8(x, s, __NV_E5M2);
    case E2M3:
        return __nv_cvt_double_to_fp6(x, __NV_E2M3, cudaRoundNearest);
    case E3M2:
        return __nv_cvt_double_to_fp6(x, __NV_E3M2, cudaRoundNearest);
    default:
        return __nv_cvt_double_to_fp4(x, __NV_E2M1, cudaRoundNearest);
    }
}
static __host__ __device__ float decode(int kind, unsigned code)
{
    switch (kind) {
    case E4M3:
        return (float)__half(__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)code, __NV_E4M3));
    case E5M2:
        return (float)__half(__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)code, __NV_E5M2));
    case E2M3:
        return (float)__half(__nv_cvt_fp6_to_halfraw((__nv_fp6_storage_t)code, __NV_E2M3));
    case E3M2:
        return (float)__half(__nv_cvt_fp6_to_halfraw((__nv_fp6_storage_t)code, __NV_E3M2));
    default:
        return (float)__half(__nv_cvt_fp4_to_halfraw((__nv_fp4_storage_t)code, __NV_E2M1));
    }
}

static const int exponents[KINDS] = {4, 5, 2, 3, 2}, mantissas[KINDS] = {3, 2, 3, 2, 1};
static const unsigned largest[KINDS] = {0x7E, 0x7B, 0x1F, 0x1F, 7};
static const unsigned beyond[KINDS] = {0x7F, 0x7C, 0x1F, 0x1F, 7};

static double value(int kind, unsigned code)
{
    int m = mantissas[kind], bias = (1 << (exponents[kind] - 1)) - 1, e = code >> m & ((1 << exponents[kind]) - 1);
    double f = code & ((1 << m) - 1);
    double x = e ? std::ldexp((1 << m) + f, e - bias - m) : std::ldexp(f, 1 - bias - m);
    return code >> (exponents[kind] + m) & 1 ? -x : x;
}
static unsigned nearest(int kind, double x, bool saturate)
{
    unsigned sign = std::signbit(x) ? 1u << (exponents[kind] + mantissas[kind]) : 0, best = 0;
    double a = std::fabs(x);
    if (x != x)
        return kind == E5M2 ? 0x7E : beyond[kind];
    for (unsigned c = 0; c <= largest[kind]; c++) {
        double d = std::fabs(value(kind, c) - a), b = std::fabs(value(kind, best) - a);
        if (d < b || (d == b && c % 2 == 0))
            best = c;
    }
    // What the next number would take, were there one.
    double top = value(kind, largest[kind]), step = top - value(kind, largest[kind] - 1);
    if (a > top)
        best = largest[kind];
    bool over = a > top + step / 2 || (a == top + step / 2 && largest[kind] % 2);
    return sign | (over && !saturate ? beyond[kind] : best);
}

__global__ void codes(float *out)
{
    for (int i = threadIdx.x; i < KINDS * 256; i += blockDim.x)
        out[i] = decode(i / 256, i % 256);
}
__global__ void from_numbers(const double *in, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int k = 0; k < KINDS; k++)
            out[k * n + i] = encode(k, in[i], false) | encode(k, in[i], true) << 8;
}
__global__ void classes(float *out)
{
    __nv_fp8_e4m3 a(1.3f), b(1000.0), c(-3);
    __nv_fp8x2_e5m2 p(make_float2(1.1f, -70000.0f));
    __nv_fp8x4_e4m3 q(make_float4(1, 2, 3, 1e9f));
    __nv_fp4x2_e2m1 r(make_float2(2.4f, -9.0f));
    __nv_fp6_e3m2 s(__float2half(11.0f));
    float2 pf = (float2)p, rf = (float2)r;
    float4 qf = (float4)q;
    __nv_fp8_storage_t none = __nv_cvt_float_to_fp8(NAN, __NV_SATFINITE, __NV_E5M2);
    __half_raw nan;
    nan.x = 0x7E00;
    __nv_fp8_storage_t none2 = __nv_cvt_halfraw_to_fp8(nan, __NV_NOSAT, __NV_E5M2);
    float f[] = {(float)none, (float)none2, (float)a, (float)b, (float)c, pf.x,          pf.y,
                 qf.z,        qf.w,         rf.x,     rf.y,     (float)s, (float)(int)b, (float)q.__x};
    for (int i = 0; i < 14; i++)
        out[i] = f[i];
}

int main()
{
    Buffer<float> d(KINDS * 256);
    codes<<<1, 128>>>(d);
    LAUNCHED();
    std::vector<float> o = d.get();
    bool device = true, host = true;
    for (int k = 0; k < KINDS; k++)
        for (unsigned c = 0; c < 1u << (1 + exponents[k] + mantissas[k]); c++) {
            unsigned m = c & ((1u << (exponents[k] + mantissas[k])) - 1);
            float want = (float)value(k, c), have = o[k * 256 + c], here = decode(k, c);
            if (k == E5M2 && m == 0x7C)
                want = c & 0x80 ? -INFINITY : INFINITY;
            bool nan = (k == E4M3 && m == 0x7F) || (k == E5M2 && m > 0x7C);
            device &= nan ? have != have : have == want && std::signbit(have) == std::signbit(want);
            host &= nan ? here != here : here == want && std::signbit(here) == std::signbit(want);
        }
    EXPECT(device);
    EXPECT(host);

    // All halves, the middles between two codes, and those a little off.
    std::vector<double> in;
    for (unsigned h = 0; h < 65536; h += 7) {
        __half_raw r;
        r.x = (unsigned short)h;
        if ((h & 0x7FFF) <= 0x7C00)
            in.push_back((float)__half(r));
    }
    for (int k = 0; k < KINDS; k++)
        for (unsigned c = 0; c <= largest[k]; c++) {
            double middle = (value(k, c) + value(k, c + 1)) / 2;
            for (double x : {middle, middle * (1 + 1e-15), middle * (1 - 1e-15), value(k, c)}) {
                in.push_back(x);
                in.push_back(-x);
            }
        }
    in.push_back(1e300);
    in.push_back(-INFINITY);
    in.push_back(1e-300);
    in.push_back(NAN);
    int n = (int)in.size();
    Buffer<double> din(in);
    Buffer<unsigned> dout(KINDS * n);
    from_numbers<<<(n + 255) / 256, 256>>>(din, dout, n);
    LAUNCHED();
    std::vector<unsigned> u = dout.get();
    device = host = true;
    int shown = 0;
    for (int k = 0; k < KINDS; k++)
        for (int i = 0; i < n; i++) {
            unsigned want = nearest(k, in[i], false) | nearest(k, in[i], true) << 8;
            unsigned here = encode(k, in[i], false) | encode(k, in[i], true) << 8;
            if ((u[k * n + i] != want || here != want) && shown++ < 10)
                std::fprintf(stderr, "kind %d: %.17g gives %x and %x, not %x\n", k, in[i], u[k * n + i], here, want);
            device &= u[k * n + i] == want;
            host &= here == want;
        }
    EXPECT(device);
    EXPECT(host);

    const float want[] = {0x7F, 0x7F, 1.25f, 448, -3, 1, -57344, 3, 448, 2, -6, 12, 448, (float)0x7E444038u};
    classes<<<1, 1>>>(d);
    LAUNCHED();
    o = d.get();
    for (int i = 0; i < 14; i++)
        EXPECT(o[i] == want[i]);

    EXPECT(__nv_cvt_float_to_e8m0(3.0f, __NV_SATFINITE, cudaRoundPosInf) == 129);
    EXPECT(__nv_cvt_float_to_e8m0(3.0f, __NV_SATFINITE, cudaRoundZero) == 128);
    EXPECT(__nv_cvt_float_to_e8m0(0.0f, __NV_SATFINITE, cudaRoundZero) == 0);
    EXPECT(__nv_cvt_float_to_e8m0(INFINITY, __NV_SATFINITE, cudaRoundZero) == 254);
    EXPECT(__nv_cvt_float_to_e8m0(INFINITY, __NV_NOSAT, cudaRoundZero) == 255);
    EXPECT((float)__nv_fp8_e8m0(1024.0f) == 1024.0f);
    return DONE();
}
