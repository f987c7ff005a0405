// SPDX-License-Identifier: Apache-2.0
// Vector types in registers and memory: aligned loads and stores of 8 and 16 bytes, structures of arrays, reinterpretation.
#include "check.h"

struct __align__(16) Quad {
    short a, b;
    float c;
    double d;
};

__global__ void swizzle(const float4 *in, float4 *out, float2 *pairs, uchar4 *bytes, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 v = in[i];
    out[i] = make_float4(v.w, v.z, v.y, v.x + 1);
    pairs[i] = make_float2(v.x * v.y, v.z - v.w);
    bytes[i] = make_uchar4((unsigned char)i, 2, (unsigned char)(i >> 8), 4);
}

__global__ void quads(Quad *q, longlong2 *l, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Quad x = q[i];
        x.a += x.b;
        x.c *= 2;
        x.d -= x.c;
        q[i] = x;
        longlong2 y = l[n - 1 - i];
        y.x ^= y.y;
        l[n - 1 - i] = y;
    }
}

int main()
{
    const int n = 777;
    std::vector<float4> in(n);
    std::vector<Quad> q(n);
    std::vector<longlong2> l(n);
    for (int i = 0; i < n; i++) {
        in[i] = make_float4(i, i + 0.25f, i * 2, -i);
        q[i] = Quad{(short)i, 3, i * 0.5f, i * 1.5};
        l[i] = make_longlong2((long long)i << 33, i);
    }
    Buffer<float4> a(in), b(n);
    Buffer<float2> p(n);
    Buffer<uchar4> c(n);
    Buffer<Quad> dq(q);
    Buffer<longlong2> dl(l);
    swizzle<<<4, 200>>>(a, b, p, c, n);
    quads<<<7, 128>>>(dq, dl, n);
    LAUNCHED();
    auto rb = b.get();
    auto rp = p.get();
    auto rc = c.get();
    auto rq = dq.get();
    auto rl = dl.get();
    bool right = true;
    for (int i = 0; i < n; i++) {
        right &= rb[i].x == -i && rb[i].y == i * 2 && rb[i].z == i + 0.25f && rb[i].w == i + 1;
        right &= rp[i].x == i * (i + 0.25f) && rp[i].y == i * 3;
        right &= rc[i].x == (unsigned char)i && rc[i].y == 2 && rc[i].z == i >> 8 && rc[i].w == 4;
        right &= rq[i].a == i + 3 && rq[i].c == i && rq[i].d == i * 0.5;
        right &= rl[i].x == (((long long)i << 33) ^ i) && rl[i].y == i;
    }
    EXPECT(right);
    return DONE();
}
