// SPDX-License-Identifier: Apache-2.0
// Warp functions as they were before masks, in a source with a warpSize of its own.
// widths: 32
#include "check.h"

static const int warpSize = 32;

// guide: __shfl_down without mask | __shfl without mask
__device__ int sumSingleWarpReg(int value)
{
    value += __shfl_down(value, 1);
    value += __shfl_down(value, 2);
    value += __shfl_down(value, 4);
    value += __shfl_down(value, 8);
    value += __shfl_down(value, 16);
    return __shfl(value, 0);
}

__global__ void all(const int *in, int *out)
{
    int t = threadIdx.x, lane = t % warpSize;
    out[t] = sumSingleWarpReg(in[t]);
    out[64 + t] = __shfl_xor(in[t], 5) + __shfl_up(in[t], 3, 8);
    out[128 + t] = __any(lane == 40) + 2 * __all(lane < 32) + 4 * (__ballot(lane & 1) == 0xaaaaaaaa);
    if (lane < 7)
        out[192 + t] = __ballot(1);
}

int main()
{
    std::vector<int> in(64);
    for (int i = 0; i < 64; i++)
        in[i] = i * i;
    Buffer<int> din(in), out(256);
    all<<<1, 64>>>(din, out);
    LAUNCHED();
    std::vector<int> o = out.get();
    for (int i = 0; i < 64; i++) {
        int sum = 0, base = i / 32 * 32, up = i % 8 < 3 ? i : i - 3;
        for (int k = 0; k < 32; k++)
            sum += in[base + k];
        EXPECT(o[i] == sum);
        EXPECT(o[64 + i] == in[base + ((i % 32) ^ 5)] + in[up]);
        EXPECT(o[128 + i] == 6);
        EXPECT(o[192 + i] == (i % 32 < 7 ? 0x7f : 0));
    }
    return DONE();
}
