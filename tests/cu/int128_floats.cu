// SPDX-License-Identifier: Apache-2.0
// Conversions between 128-bit integers and floats or doubles: rounded to nearest even, cut towards zero.
#include "check.h"

typedef __int128 wide;
typedef unsigned __int128 uwide;

enum { N = 4096 };

__global__ void to_floats(const uwide *in, float *f, double *d)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    f[2 * i] = (float)(wide)in[i], f[2 * i + 1] = (float)in[i];
    d[2 * i] = (double)(wide)in[i], d[2 * i + 1] = (double)in[i];
}

__global__ void from_floats(const float *f, const double *d, uwide *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[4 * i] = (uwide)(wide)f[i], out[4 * i + 1] = (uwide)fabsf(f[i]);
    out[4 * i + 2] = (uwide)(wide)d[i], out[4 * i + 3] = (uwide)fabs(d[i]);
}

int main()
{
    unsigned seed = 7;
    std::vector<uwide> in(N);
    std::vector<float> f(N);
    std::vector<double> d(N);
    for (int i = 0; i < N; i++) {
        uwide x = 0;
        for (int k = 0; k < 6; k++)
            x = x << 24 ^ random_next(seed);
        int shift = random_next(seed) % 128;
        in[i] = x >> shift;
        if (i % 4 == 1) // half way between two floats or doubles, and beside it
            in[i] = ((((uwide)1 << 24 | (random_next(seed) & 0xffffff)) << 1 | 1) << shift % 102) + i / 4 % 3 - 1;
        else if (i % 4 == 2)
            in[i] = (((uwide)1 << 53 | ((uwide)random_next(seed) << 25 & 0x1ffffffe000000) | 1) << 1 | 1) << shift % 73;
        d[i] = ldexp((double)random_next(seed) + (double)random_next(seed) / (1 << 28),
                     (int)(random_next(seed) % 120) - 20);
        d[i] = i % 2 ? d[i] : -d[i];
        d[i] = fabs(d[i]) < 1.7e38 ? d[i] : 0.75;
        f[i] = (float)d[i];
    }
    Buffer<uwide> in_device(in), out(4 * N);
    Buffer<float> f_out(2 * N), f_in(f);
    Buffer<double> d_out(2 * N), d_in(d);
    to_floats<<<N / 64, 64>>>(in_device, f_out, d_out);
    from_floats<<<N / 64, 64>>>(f_in, d_in, out);
    LAUNCHED();
    std::vector<float> fs = f_out.get();
    std::vector<double> ds = d_out.get();
    std::vector<uwide> q = out.get();
    for (int i = 0; i < N; i++) {
        EXPECT(fs[2 * i] == (float)(wide)in[i] && fs[2 * i + 1] == (float)in[i]);
        EXPECT(ds[2 * i] == (double)(wide)in[i] && ds[2 * i + 1] == (double)in[i]);
        EXPECT(q[4 * i] == (uwide)(wide)f[i] && q[4 * i + 1] == (uwide)fabsf(f[i]));
        EXPECT(q[4 * i + 2] == (uwide)(wide)d[i] && q[4 * i + 3] == (uwide)fabs(d[i]));
    }
    return DONE();
}
