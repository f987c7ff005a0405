// SPDX-License-Identifier: Apache-2.0
// Parts of the bits of floats, doubles and halves are stored as bits, from global and shared memory's side; on GPUs too, where an
// assembler has taken the store of a part for a conversion of the number (src/front/ptx/stores.c).
#include "check.h"
#include <cuda_fp16.h>

typedef unsigned char byte;
typedef unsigned short word;

__global__ void parts(byte *p, word *q, unsigned *r, byte *s, float x, double y, unsigned n)
{
    __shared__ byte t[64];
    unsigned i = threadIdx.x;
    p[2 * i] = (byte)__float_as_uint((float)(n + i));
    p[2 * i + 1] = (byte)__float_as_uint(x * i);
    q[2 * i] = (word)__float_as_uint((float)(40001 + n + i));
    q[2 * i + 1] = (word)__double_as_longlong(y + i);
    r[i] = (unsigned)__double_as_longlong(y * i);
    t[i] = (byte)__double_as_longlong(y - i);
    __syncthreads();
    s[2 * i] = t[63 - i];
    s[2 * i + 1] = (byte)__half_as_ushort(__float2half(x + i));
}

template <class T, class F> static T bits(F f)
{
    unsigned long long b = 0;
    std::memcpy(&b, &f, sizeof f);
    return (T)b;
}

int main()
{
    Buffer<byte> p(128), s(128);
    Buffer<word> q(128);
    Buffer<unsigned> r(64);
    float x = 1.375f;
    double y = 3.14159265358979;
    parts<<<1, 64>>>(p, q, r, s, x, y, 4);
    LAUNCHED();
    auto gp = p.get(), gs = s.get();
    auto gq = q.get();
    auto gr = r.get();
    for (unsigned i = 0; i < 64; i++) {
        EXPECT(gp[2 * i] == bits<byte>((float)(4 + i)));
        EXPECT(gp[2 * i + 1] == bits<byte>(x * i));
        EXPECT(gq[2 * i] == bits<word>((float)(40005 + i)));
        EXPECT(gq[2 * i + 1] == bits<word>(y + i));
        EXPECT(gr[i] == bits<unsigned>(y * i));
        EXPECT(gs[2 * i] == bits<byte>(y - (63 - i)));
        EXPECT(gs[2 * i + 1] == (byte)__half_as_ushort(__float2half(x + i)));
    }
    return DONE();
}
