// SPDX-License-Identifier: Apache-2.0
// Lanes of a warp that store different values to one place: the lowest one's stays, as on GPUs.
// widths: 32
#include "check.h"

// Sums of rows by a few lanes each; only the lowest lane of a row has the whole sum, and all store theirs.
template <class T> __global__ void row_sums(const T *in, T *out, int n, int rows)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    T sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += in[row * n + i];
    for (int d = blockDim.x / 2; d > 0; d /= 2)
        sum += __shfl_down_sync(~0u, sum, d, blockDim.x);
    out[row] = sum;
}

__global__ void one_place(int *out, unsigned mask)
{
    __shared__ int s;
    int lane = threadIdx.x % 32;
    int v = __shfl_xor_sync(~0u, lane, 0) + 100;
    if (mask >> lane & 1)
        s = v;
    __syncthreads();
    if (threadIdx.x == 0)
        out[0] = s;
    if (mask >> lane & 1)
        out[1 + blockIdx.x] = v;
}

template <class T> static void check_rows(int lanes, int rows)
{
    const int n = 96;
    std::vector<T> in(rows * n);
    for (size_t i = 0; i < in.size(); i++)
        in[i] = (T)(i * 7919 % 1001);
    Buffer<T> din(in), out(rows);
    row_sums<<<(rows + 64 / lanes - 1) / (64 / lanes), dim3(lanes, 64 / lanes)>>>((const T *)din, (T *)out, n, rows);
    LAUNCHED();
    std::vector<T> o = out.get();
    for (int r = 0; r < rows; r++) {
        T sum = 0;
        for (int i = 0; i < n; i++)
            sum += in[r * n + i];
        EXPECT(o[r] == sum);
    }
}

int main()
{
    for (int lanes = 2; lanes <= 32; lanes *= 2) {
        check_rows<int>(lanes, 64);
        check_rows<float>(lanes, 64);
        if (lanes <= 16) // eight bytes are written by half a warp at a time
            check_rows<double>(lanes, 64);
    }
    const unsigned masks[] = {~0u, 0xff00, 0x80000000, 0x7ffffffe, 0x10100};
    for (unsigned mask : masks) {
        Buffer<int> out(2);
        one_place<<<1, 32>>>(out, mask);
        LAUNCHED();
        std::vector<int> o = out.get();
        EXPECT(o[0] == __builtin_ctz(mask) + 100);
        EXPECT(o[1] == __builtin_ctz(mask) + 100);
    }
    return DONE();
}
