// SPDX-License-Identifier: Apache-2.0
// Arrays in shared and global memory by indices of 8 and 16 bits that differ from lane to lane.
#include "check.h"

template <class I, class T> __global__ void pick(const I *index, T *out)
{
    __shared__ T s[128];
    int t = threadIdx.x;
    s[t] = (T)(t * 3 + 1);
    s[t + 64] = (T)(t * 5);
    __syncthreads();
    I i = index[t];
    out[t] = s[i];
    __syncthreads();
    if (t % 3)
        s[i] = (T)t;
    __syncthreads();
    out[64 + t] = s[t] + out[i % 64];
}

template <class I, class T> static void check_pick()
{
    std::vector<I> index(64);
    for (int t = 0; t < 64; t++)
        index[t] = (I)((t * 29 + 7) % 127);
    Buffer<I> dindex(index);
    Buffer<T> out(128);
    pick<<<1, 64>>>((const I *)dindex, (T *)out);
    LAUNCHED();
    std::vector<T> o = out.get(), s(128);
    for (int t = 0; t < 64; t++) {
        s[t] = (T)(t * 3 + 1);
        s[t + 64] = (T)(t * 5);
    }
    for (int t = 0; t < 64; t++)
        EXPECT(o[t] == s[index[t]]);
    for (int t = 0; t < 64; t++)
        if (t % 3)
            s[index[t]] = (T)t;
    for (int t = 0; t < 64; t++)
        EXPECT(o[64 + t] == (T)(s[t] + o[index[t] % 64]));
}

int main()
{
    check_pick<short, int>();
    check_pick<unsigned short, int>();
    check_pick<short, double>();
    check_pick<signed char, float>();
    check_pick<unsigned char, short>();
    check_pick<long long, int>();
    return DONE();
}
