// SPDX-License-Identifier: Apache-2.0
// Half precision: conversions exact, arithmetic rounded once, packed pairs.
#include "check.h"
#include <cuda_fp16.h>

__global__ void convert(float *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    __half h = __ushort_as_half((unsigned short)i);
    out[i] = __half2float(h);
}

__global__ void narrow(const float *in, unsigned short *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = __half_as_ushort(__float2half(in[i]));
}

__global__ void arith(const float *a, const float *b, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    __half x = __float2half(a[i]), y = __float2half(b[i]);
    out[6 * i] = __half2float(__hadd(x, y));
    out[6 * i + 1] = __half2float(__hmul(x, y));
    out[6 * i + 2] = __half2float(__hsub(x, y));
    out[6 * i + 3] = __hlt(x, y);
    __half2 p = __halves2half2(x, y), q = __hadd2(p, p);
    out[6 * i + 4] = __low2float(q);
    out[6 * i + 5] = __high2float(__hmul2(p, q));
}

static float widen(unsigned short h)
{
    int e = h >> 10 & 31, m = h & 1023;
    float v = e == 0    ? std::ldexp((float)m, -24)
              : e == 31 ? (m ? NAN : INFINITY)
                        : std::ldexp((float)(m | 1024), e - 25);
    return h & 0x8000 ? -v : v;
}

static unsigned short shrink(double v)
{
    if (v != v)
        return 0x7fff;
    unsigned short sign = std::signbit(v) ? 0x8000 : 0;
    v = std::fabs(v);
    if (v >= 65520)
        return sign | 0x7c00;
    int e;
    std::frexp(v, &e);
    int shift = e - 11 < -24 ? -24 : e - 11;
    double m = std::nearbyint(std::ldexp(v, -shift));
    if (m == 0)
        return sign;
    double r = std::ldexp(m, shift);
    std::frexp(r, &e);
    if (e - 1 < -14)
        return sign | (unsigned short)std::ldexp(r, 24);
    return sign | (unsigned short)((e - 1 + 15) << 10 | ((int)std::ldexp(r, 11 - e) & 1023));
}

int main()
{
    Buffer<float> all(65536);
    convert<<<256, 256>>>(all);
    LAUNCHED();
    std::vector<float> f = all.get();
    int wrong = 0;
    for (int i = 0; i < 65536; i++) {
        float r = widen((unsigned short)i);
        wrong += !(f[i] == r && std::signbit(f[i]) == std::signbit(r)) && !(f[i] != f[i] && r != r);
    }
    EXPECT(wrong == 0);

    // NaNs on the host: one of them, whatever comes in.
    const unsigned int nans[] = {0x7FFFFFFF, 0x7FC00000, 0xFFC00000, 0x7F800001, 0xFF812345};
    for (unsigned int bits : nans) {
        float x, y;
        std::memcpy(&x, &bits, sizeof x);
        __half low = __float2half(x), zero = __float2half_rz(x), wide = __double2half((double)x);
        unsigned short l, z, w, half = (unsigned short)(0x7C01 | (bits >> 16 & 0x83FF));
        std::memcpy(&l, &low, 2);
        std::memcpy(&z, &zero, 2);
        std::memcpy(&w, &wide, 2);
        EXPECT(l == 0x7FFF && z == 0x7FFF && w == 0x7FFF);
        std::memcpy(&low, &half, 2);
        y = __half2float(low);
        std::memcpy(&bits, &y, sizeof bits);
        EXPECT(bits == 0x7FFFFFFF);
    }
    const int n = 4000;
    std::vector<float> a(n), b(n);
    unsigned s = 8;
    for (int i = 0; i < n; i++) {
        a[i] = std::ldexp((float)random_next(s) - 1.3e8f, (int)(random_next(s) % 40) - 40);
        b[i] = std::ldexp((float)random_next(s) - 1.3e8f, (int)(random_next(s) % 20) - 30);
    }
    Buffer<float> da(a), db(b), dout(6 * n);
    Buffer<unsigned short> dn(n);
    narrow<<<(n + 127) / 128, 128>>>(da, dn, n);
    arith<<<(n + 127) / 128, 128>>>(da, db, dout, n);
    LAUNCHED();
    std::vector<unsigned short> h = dn.get();
    f = dout.get();
    int bad[7] = {};
    for (int i = 0; i < n; i++) {
        bad[0] += h[i] != shrink(a[i]);
        double x = widen(shrink(a[i])), y = widen(shrink(b[i]));
        auto same = [](float p, double q) {
            float r = widen(shrink(q));
            return p == r || (p != p && r != r);
        };
        bad[1] += !same(f[6 * i], x + y);
        bad[2] += !same(f[6 * i + 1], x * y);
        bad[3] += !same(f[6 * i + 2], x - y);
        bad[4] += f[6 * i + 3] != (x < y);
        bad[5] += !same(f[6 * i + 4], x + x);
        bad[6] += !same(f[6 * i + 5], y * widen(shrink(y + y)));
    }
    for (int k = 0; k < 7; k++)
        EXPECT(bad[k] == 0);
    return DONE();
}
