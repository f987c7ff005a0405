// SPDX-License-Identifier: Apache-2.0
// Inline PTX: each kind of operand, operands that are read and written, immediates, labels, carries, special registers.
#include "check.h"
__device__ int gvar = 77;
__constant__ int cvar = 5;
template <int N> __device__ int shifted(int x)
{
    int r;
    asm("shl.b32 %0, %1, %2;" : "=r"(r) : "r"(x), "n"(N));
    return r;
}
struct Name {
    static constexpr char text[] = {'a', 'd', 'd', '.', 's', '3', '2', 0};
};
template <class T> struct ptx_type;
template <> struct ptx_type<int> {
    static constexpr const char value[] = "s32";
};
template <> struct ptx_type<unsigned long long> {
    static constexpr const char value[] = "u64";
};
__global__ void kernel(long long *out, float *fout, double *dout, int x)
{
    int i = 0;
    short h = 0;
    unsigned short uh;
    long long l;
    float f;
    double d;
    asm("add.s32 %0, %1, %2;" : "=r"(i) : "r"(x), "r"(3));
    out[0] = i;
    asm("add.s16 %0, %1, %2;" : "=h"(h) : "h"((short)x), "h"((short)-9));
    out[1] = h;
    asm("mul.wide.s32 %0, %1, %2;" : "=l"(l) : "r"(x), "n"(1 << 20));
    out[2] = l;
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(f) : "f"(2.0f), "f"(3.5f), "f"((float)x));
    fout[0] = f;
    asm("{ .reg .f64 t; mul.f64 t, %1, %1; add.f64 %0, t, 0d3FF0000000000000; }" : "=d"(d) : "d"(1.5));
    dout[0] = d;
    int inc = x;
    asm("add.s32 %0, %0, 1;" : "+r"(inc));
    out[3] = inc;
    asm volatile("{\n\t.reg .pred p;\n\tsetp.gt.s32 p, %1, 5;\n\tselp.s32 %0, 1, 2, p;\n\t}"
                 : "=r"(i)
                 : "r"(x)
                 : "memory");
    out[4] = i;
    asm("mov.u32 %0, %%laneid;" : "=r"(i));
    out[5] = i;
    asm("mul.lo.s32 %0, %1, %2;" : "=r"(i) : "r"(x), "r"(6));
    out[6] = i;
    out[7] = shifted<4>(x);
    unsigned lo, hi;
    asm("mov.b64 {%0, %1}, %2;" : "=r"(lo), "=r"(hi) : "l"(0x1122334455667788ll));
    out[8] = lo;
    out[9] = hi;
    asm("cvt.u16.u32 %0, %1;" : "=h"(uh) : "r"(0x12345));
    out[10] = uh;
    int loaded;
    asm volatile("ld.global.s32 %0, [%1];" : "=r"(loaded) : "l"(__cvta_generic_to_global(&gvar)) : "memory");
    out[11] = loaded;
    asm volatile("st.global.s32 [%0], %1;" ::"l"(__cvta_generic_to_global(out + 12)), "r"(1234) : "memory");
    asm("add.cc.u32 %0, %2, %3; addc.u32 %1, 0, 0;" : "=r"(lo), "=r"(hi) : "r"(0xffffffffu), "r"(2u));
    out[13] = lo;
    out[14] = hi;
    // a branch and a label of its own, in code that is copied
    for (int k = 0; k < 2; k++) {
        asm volatile("{ .reg .pred q; setp.lt.s32 q, %1, 1; @q bra skip_%=; add.s32 %0, %0, 100; skip_%=: }"
                     : "+r"(i)
                     : "r"(k));
    }
    out[15] = i;
    bool b = x > 3;
    asm("{ .reg .pred p; setp.ne.s32 p, %1, 0; selp.s32 %0, 11, 22, p; }" : "=r"(i) : "r"((int)b));
    out[16] = i;
    unsigned long long ul;
    asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(ul) : "r"(70000u), "r"(70000u), "l"(1ull));
    out[17] = (long long)ul;
    asm("// only a comment %0" : : "r"(x));
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(i) : "r"(0xabcd1234), "r"(8), "r"(8));
    out[18] = i;
    asm("mov.s32 %0, %1;" : "=r"(i) : "n"(sizeof(double) * 3));
    out[19] = i;
    asm("ld.const.s32 %0, [%1];" : "=r"(i) : "l"(__cvta_generic_to_constant(&cvar)));
    out[20] = i;
}
int main()
{
    Buffer<long long> out(64);
    Buffer<float> f(4);
    Buffer<double> d(4);
    kernel<<<1, 1>>>(out, f, d, 10);
    LAUNCHED();
    std::vector<long long> o = out.get();
    long long want[] = {13, 1,    10ll << 20, 11, 1,   0,  60,           160,  0x55667788, 0x11223344, 0x2345,
                        77, 1234, 1,          1,  160, 11, 4900000001ll, 0x12, 24,         5};
    for (unsigned i = 0; i < sizeof want / sizeof *want; i++) {
        if (o[i] != want[i])
            printf("%u: %lld\n", i, o[i]);
        EXPECT(o[i] == want[i]);
    }
    EXPECT(f.get()[0] == 17.0f && d.get()[0] == 3.25);
    return DONE();
}
