// SPDX-License-Identifier: Apache-2.0
// Warp shuffles in all four modes, with segments, under partial warps, and 64-bit and double values.
#include "check.h"

__global__ void modes(int *out)
{
    int t = threadIdx.x, v = t * 3 + 1;
    out[t] = __shfl_sync(0xffffffff, v, 5);
    out[64 + t] = __shfl_up_sync(0xffffffff, v, 3);
    out[128 + t] = __shfl_down_sync(0xffffffff, v, 7);
    out[192 + t] = __shfl_xor_sync(0xffffffff, v, 9);
    out[256 + t] = __shfl_sync(0xffffffff, v, t + 1, 8);
    out[320 + t] = __shfl_up_sync(0xffffffff, v, 2, 16);
    out[384 + t] = __shfl_down_sync(0xffffffff, v, 2, 4);
    out[448 + t] = __shfl_xor_sync(0xffffffff, v, 3, 8);
    out[512 + t] = __shfl_sync(0xffffffff, v, (t * 7) & 31);
}

__global__ void wide(double *d, long long *l)
{
    int t = threadIdx.x;
    d[t] = __shfl_down_sync(0xffffffff, t * 1.5, 4);
    l[t] = __shfl_xor_sync(0xffffffff, (long long)t << 40 | t, 1);
}

__global__ void partial(int *out)
{
    int t = threadIdx.x;
    unsigned mask = __ballot_sync(0xffffffff, t < 20);
    if (t < 20)
        out[t] = __shfl_down_sync(mask, t, 1);
}

__global__ void sum(const float *in, float *out)
{
    float v = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int d = warpSize / 2; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, v);
}

int main()
{
    Buffer<int> d(576);
    modes<<<1, 64>>>(d);
    LAUNCHED();
    std::vector<int> o = d.get();
    bool right = true;
    for (int t = 0; t < 64; t++) {
        int w = t & ~31, l = t & 31;
        auto v = [&](int lane) { return (w + lane) * 3 + 1; };
        right &= o[t] == v(5);
        right &= o[64 + t] == v(l < 3 ? l : l - 3);
        right &= o[128 + t] == v(l + 7 > 31 ? l : l + 7);
        right &= o[192 + t] == v(l ^ 9);
        right &= o[256 + t] == v((l & ~7) | ((t + 1) & 7));
        right &= o[320 + t] == v((l & 15) < 2 ? l : l - 2);
        right &= o[384 + t] == v((l & 3) + 2 > 3 ? l : l + 2);
        right &= o[448 + t] == v(l ^ 3);
        right &= o[512 + t] == v((t * 7) & 31);
    }
    EXPECT(right);
    Buffer<double> dd(32);
    Buffer<long long> dl(32);
    wide<<<1, 32>>>(dd, dl);
    LAUNCHED();
    std::vector<double> od = dd.get();
    std::vector<long long> ol = dl.get();
    right = true;
    for (int t = 0; t < 32; t++) {
        right &= od[t] == (t + 4 > 31 ? t : t + 4) * 1.5;
        right &= ol[t] == ((long long)(t ^ 1) << 40 | (t ^ 1));
    }
    EXPECT(right);
    Buffer<int> dp(32);
    partial<<<1, 32>>>(dp);
    LAUNCHED();
    std::vector<int> op = dp.get();
    right = true;
    for (int t = 0; t < 19; t++)
        right &= op[t] == t + 1;
    EXPECT(right);
    std::vector<float> in(1024);
    float total = 0;
    for (int i = 0; i < 1024; i++)
        total += in[i] = i % 17;
    Buffer<float> din(in), dout(1);
    sum<<<4, 256>>>(din, dout);
    LAUNCHED();
    EXPECT(dout.get()[0] == total);
    return DONE();
}
