// SPDX-License-Identifier: Apache-2.0
// Inline PTX with register, immediate and memory constraints.
#include "check.h"

__global__ void run(const unsigned *in, unsigned long long *out)
{
    int i = threadIdx.x;
    unsigned x = in[i], y, lo, hi;
    asm("bfe.u32 %0, %1, 4, 8;" : "=r"(y) : "r"(x));
    unsigned long long wide;
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(wide) : "r"(x), "r"(y + 1));
    asm("add.cc.u32 %0, %2, %3;\n\taddc.u32 %1, %4, 0;" : "=r"(lo), "=r"(hi) : "r"(x), "r"(0xffffffffu), "r"(y));
    float f;
    asm volatile("{\n\t.reg .f32 t;\n\tcvt.rn.f32.u32 t, %1;\n\tadd.f32 %0, t, 0f3F800000;\n\t}" : "=f"(f) : "r"(y));
    unsigned p, lane;
    asm("{.reg .pred q; setp.gt.u32 q, %1, 100; selp.u32 %0, 7, 9, q;}" : "=r"(p) : "r"(y));
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(p) : "r"(lane), "n"(5));
    out[i] = wide + lo + ((unsigned long long)hi << 32) + (unsigned)f + p;
}

int main()
{
    std::vector<unsigned> in(64);
    unsigned s = 6;
    for (unsigned &x : in)
        x = random_next(s) * 77;
    Buffer<unsigned> d(in);
    Buffer<unsigned long long> o(64);
    run<<<1, 64>>>(d, o);
    LAUNCHED();
    std::vector<unsigned long long> r = o.get();
    bool right = true;
    for (int i = 0; i < 64; i++) {
        unsigned x = in[i], y = x >> 4 & 255, lo = x - 1, hi = y + (x != 0), p = y > 100 ? 7 : 9;
        p = p ^ (i & 31) ^ 5;
        right &= r[i] == (unsigned long long)x * (y + 1) + lo + ((unsigned long long)hi << 32) + (y + 1) + p;
    }
    EXPECT(right);
    return DONE();
}
