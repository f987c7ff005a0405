// SPDX-License-Identifier: Apache-2.0
// Inline PTX with operands of 128 bits.
// nvcc: -arch=sm_90
#include "check.h"
__global__ void k(unsigned long long *out)
{
    __int128 v = ((__int128)5 << 64) | 7, w;
    asm("mov.b128 %0, %1;" : "=q"(w) : "q"(v));
    out[0] = (unsigned long long)w;
    out[1] = (unsigned long long)(w >> 64);
    unsigned __int128 x;
    asm("mov.b128 %0, {%1, %2};" : "=q"(x) : "l"(11ull), "l"(12ull));
    out[2] = (unsigned long long)x;
    out[3] = (unsigned long long)(x >> 64);
}
int main()
{
    Buffer<unsigned long long> o(8);
    k<<<1, 1>>>(o);
    LAUNCHED();
    auto v = o.get();
    EXPECT(v[0] == 7 && v[1] == 5 && v[2] == 11 && v[3] == 12);
    return DONE();
}
