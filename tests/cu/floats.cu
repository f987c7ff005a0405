// SPDX-License-Identifier: Apache-2.0
// Single and double arithmetic, conversions and rounding modes against the host, which rounds the same way.
#include "check.h"
#include <cfenv>
#include <cstdint>

__global__ void singles(const float *a, const float *b, float *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = a[i], y = b[i], *r = o + i * 12;
    r[0] = __fadd_rn(x, y);
    r[1] = __fmul_rn(x, y);
    r[2] = __fmaf_rn(x, y, 1.5f);
    r[3] = __fdiv_rn(x, y);
    r[4] = __fsqrt_rn(fabsf(x));
    r[5] = floorf(x);
    r[6] = ceilf(x);
    r[7] = truncf(x);
    r[8] = rintf(x);
    r[9] = fminf(x, y);
    r[10] = fmaxf(x, y);
    r[11] = copysignf(x, y);
}

// The sign of x on what comes of y, and x itself where it is a NaN: selections of bits that some code generators get wrong.
__global__ void signs(const int *a, const float *b, int *o, int n, int turns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int t = 0; t < turns; t++, i += gridDim.x * blockDim.x)
        if (i < n) {
            int x = a[i], y = __float_as_int(fabsf(b[i] * b[i]));
            float f = __int_as_float(x);
            o[i] = f != f ? x : (x & 0x80000000) | y;
        }
}

__global__ void doubles(const double *a, const double *b, double *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double x = a[i], y = b[i], *r = o + i * 8;
    r[0] = __dadd_rn(x, y);
    r[1] = __dmul_rn(x, y);
    r[2] = fma(x, y, 0.1);
    r[3] = x / y;
    r[4] = sqrt(fabs(x));
    r[5] = floor(x);
    r[6] = rint(x);
    r[7] = fmod(x, y);
}

__global__ void conversions(const double *a, long long *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double x = a[i];
    float f = (float)x;
    long long *r = o + i * 12;
    r[0] = (int)f;
    r[1] = (unsigned)f;
    r[2] = __float2int_rn(f);
    r[3] = __float2int_ru(f);
    r[4] = __float2int_rd(f);
    r[5] = (long long)x;
    r[6] = __double2int_rz(x);
    r[7] = __float_as_int(__int2float_rz(__double2int_rz(x)));
    r[8] = __float_as_int(__double2float_ru(x));
    r[9] = __double_as_longlong((double)f);
    r[10] = __float_as_int(__fadd_rz(f, 1e-3f));
    r[11] = __float_as_int(__fmul_ru(f, 1.1f));
}

template <class T> static bool same(T a, T b)
{
    return (a != a && b != b) || std::memcmp(&a, &b, sizeof a) == 0;
}

static float rounded(int mode, float (*f)(float, float), float x, float y)
{
    std::fesetround(mode);
    volatile float a = x, b = y;
    float r = f(a, b);
    std::fesetround(FE_TONEAREST);
    return r;
}
static float host_add(float a, float b)
{
    volatile float x = a, y = b;
    return x + y;
}
static float host_mul(float a, float b)
{
    volatile float x = a, y = b;
    return x * y;
}
static int saturate_int(double v)
{
    return v != v ? 0 : v >= 2147483647.0 ? 2147483647 : v <= -2147483648.0 ? (-2147483647 - 1) : (int)v;
}

int main()
{
    std::vector<double> a, b;
    const double special[] = {0.0,          -0.0,         1,         -1,        0.5,   1.5,      2.5,       -2.5,
                              1e-40,        1e-310,       1e38,      -1e38,     1e300, INFINITY, -INFINITY, NAN,
                              2147483647.0, 4294967295.5, 3.0000001, 16777217.0};
    for (double x : special)
        for (double y : special) {
            a.push_back(x);
            b.push_back(y);
        }
    unsigned s = 3;
    while (a.size() < 3000) {
        a.push_back(std::ldexp((double)random_next(s) - 1.3e8, (int)(random_next(s) % 60) - 50));
        b.push_back(std::ldexp((double)random_next(s) - 1.3e8, (int)(random_next(s) % 60) - 50));
    }
    int n = (int)a.size();
    std::vector<float> fa(a.begin(), a.end()), fb(b.begin(), b.end());
    Buffer<double> da(a), db(b), dd(n * 8);
    Buffer<float> dfa(fa), dfb(fb), df(n * 12);
    Buffer<long long> dc(n * 12);
    singles<<<(n + 63) / 64, 64>>>(dfa, dfb, df, n);
    doubles<<<(n + 63) / 64, 64>>>(da, db, dd, n);
    conversions<<<(n + 63) / 64, 64>>>(da, dc, n);
    LAUNCHED();
    std::vector<float> f = df.get();
    std::vector<double> d = dd.get();
    std::vector<long long> c = dc.get();
    int wrong[32] = {};
    for (int i = 0; i < n; i++) {
        float x = fa[i], y = fb[i], *r = &f[i * 12];
        const float fr[] = {x + y,
                            x * y,
                            std::fma(x, y, 1.5f),
                            x / y,
                            std::sqrt(std::fabs(x)),
                            std::floor(x),
                            std::ceil(x),
                            std::trunc(x),
                            std::rint(x),
                            std::fmin(x, y),
                            std::fmax(x, y),
                            std::copysign(x, y)};
        for (int k = 0; k < 12; k++)
            wrong[k] += !same(r[k], fr[k]) && !((k == 9 || k == 10) && x == 0 && y == 0);
        double u = a[i], v = b[i], *q = &d[i * 8];
        const double dr[] = {u + v,         u * v,        std::fma(u, v, 0.1), u / v, std::sqrt(std::fabs(u)),
                             std::floor(u), std::rint(u), std::fmod(u, v)};
        for (int k = 0; k < 8; k++)
            wrong[12 + k] += !same(q[k], dr[k]);
        long long *l = &c[i * 12];
        float xf = (float)u;
        wrong[20] += (int)l[0] != saturate_int(xf);
        wrong[21] += (int)l[2] != saturate_int(std::rint(xf)) || (int)l[3] != saturate_int(std::ceil(xf));
        wrong[22] += (int)l[4] != saturate_int(std::floor(xf));
        wrong[27] += (int)l[6] != (u != u ? -2147483647 - 1 : saturate_int(u)); // NaN from double differs
        if (std::isfinite(u) && std::fabs(u) < 9e18)
            wrong[23] += l[5] != (long long)u;
        if (std::isfinite(xf) && xf >= 0 && xf < 4294967296.0f)
            wrong[24] += (unsigned)l[1] != (unsigned)xf;
        float bits;
        int w = (int)l[10];
        std::memcpy(&bits, &w, 4);
        wrong[25] += !same(bits, rounded(FE_TOWARDZERO, host_add, xf, 1e-3f));
        w = (int)l[11];
        std::memcpy(&bits, &w, 4);
        wrong[26] += !same(bits, rounded(FE_UPWARD, host_mul, xf, 1.1f));
    }
    std::vector<int> bits(n), signed_bits;
    for (int i = 0; i < n; i++)
        std::memcpy(&bits[i], &fa[i], 4);
    Buffer<int> dbits(bits), dsigned(n);
    signs<<<2, 128>>>(dbits, dfa, dsigned, n, (n + 255) / 256);
    LAUNCHED();
    signed_bits = dsigned.get();
    for (int i = 0; i < n; i++) {
        float square = std::fabs(fa[i] * fa[i]);
        int y;
        std::memcpy(&y, &square, 4);
        wrong[28] += signed_bits[i] != (fa[i] != fa[i] ? bits[i] : (bits[i] & (int)0x80000000) | y);
    }
    for (int k = 0; k < 29; k++) {
        if (wrong[k])
            std::fprintf(stderr, "row %d: %d wrong\n", k, wrong[k]);
        EXPECT(wrong[k] == 0);
    }
    return DONE();
}
