// SPDX-License-Identifier: Apache-2.0
// nvcc: -arch=sm_100
// __ffma2_*, __fadd2_*, __fmul2_*: each element is what the intrinsic for one float gives, bit by bit.
#include "check.h"
#include <crt/sm_100_rt.h>

#define MODES(X) X(rn) X(rz) X(ru) X(rd)
__global__ void run(const float2 *in, int n, int *wrong)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float2 x = in[i], y = in[(i * 7 + 3) % n], z = in[(i * 5 + 1) % n];
    int bad = 0;
#define SAME(a, b)    (__float_as_int(a) == __float_as_int(b) || ((a) != (a) && (b) != (b)))
#define PAIR(p, a, b) bad += !SAME((p).x, a) + !SAME((p).y, b)
#define MODE(m)                                                                                                        \
    PAIR(__ffma2_##m(x, y, z), __fmaf_##m(x.x, y.x, z.x), __fmaf_##m(x.y, y.y, z.y));                                  \
    PAIR(__fadd2_##m(x, y), __fadd_##m(x.x, y.x), __fadd_##m(x.y, y.y));                                               \
    PAIR(__fmul2_##m(x, y), __fmul_##m(x.x, y.x), __fmul_##m(x.y, y.y));
    MODES(MODE)
    wrong[i] = bad;
}

__global__ void one(float2 *out)
{
    float2 x = make_float2(1, -1), tiny = make_float2(1e-30f, -1e-30f);
    out[0] = __fadd2_ru(x, tiny);
    out[1] = __fadd2_rd(x, tiny);
    out[2] = __ffma2_rn(make_float2(2, 3), make_float2(5, 7), x);
    out[3] = __fmul2_rz(make_float2(1 / 3.f, 2), make_float2(3, 0.5f));
}

int main()
{
    std::vector<float2> in = {{0, -0.f}, {INFINITY, -INFINITY}, {NAN, 1e-40f}, {3e38f, -3e38f}, {1e-45f, -1}};
    unsigned s = 1;
    auto random = [&] {
        s = s * 1664525 + 1013904223;
        unsigned bits = s ^ s >> 16;
        float f;
        std::memcpy(&f, &bits, 4);
        return f;
    };
    while (in.size() < 1000) {
        float x = random();
        in.push_back({x, random()});
    }
    Buffer<float2> words(in), out(4);
    Buffer<int> wrong(1000);
    run<<<8, 128>>>(words, 1000, wrong);
    one<<<1, 1>>>(out);
    LAUNCHED();
    int bad = 0;
    for (int w : wrong.get())
        bad += w;
    EXPECT(bad == 0);
    std::vector<float2> o = out.get();
    EXPECT(o[0].x == std::nextafterf(1, 2) && o[0].y == -1);
    EXPECT(o[1].x == 1 && o[1].y == std::nextafterf(-1, -2));
    EXPECT(o[2].x == 11 && o[2].y == 20);
    EXPECT(o[3].x == 1 && o[3].y == 1);
    return DONE();
}
