// SPDX-License-Identifier: Apache-2.0
// Blocks whose warps each leave one value in shared memory, which one warp then reads together: as they are, moved, partly written
// again, and as values of another type.
#include "check.h"

template <class T> __device__ T warp_sum(T v)
{
    for (int d = 16; d > 0; d >>= 1)
        v += __shfl_down_sync(0xffffffff, v, d);
    return v;
}

template <class T, int WARPS> __global__ void sums(const T *in, T *out)
{
    __shared__ T s[WARPS];
    T v = warp_sum(in[blockIdx.x * WARPS * 32 + threadIdx.x]);
    if (threadIdx.x % 32 == 0)
        s[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = warp_sum(threadIdx.x < WARPS ? s[threadIdx.x] : T(0));
        if (threadIdx.x == 0)
            out[blockIdx.x] = v;
    }
}

// Each warp's first thread stores; one element is stored twice, and the reader begins one further on.
__global__ void again(const int *in, int *out)
{
    __shared__ int s[16];
    int t = threadIdx.x;
    if (t < 16)
        s[t] = -t;
    __syncthreads();
    if (t % 32 == 0)
        s[t / 32] = in[blockIdx.x * 256 + t];
    __syncthreads();
    if (t == 0)
        s[3] = 1000 + in[blockIdx.x * 256 + 1];
    __syncthreads();
    if (t < 8) {
        out[blockIdx.x * 16 + t] = s[t + 1];
        out[blockIdx.x * 16 + 8 + t] = s[t];
    }
}

__global__ void as_bits(const float *in, unsigned *out)
{
    __shared__ float s[8];
    int t = threadIdx.x;
    if (t % 32 == 0)
        s[t / 32] = in[blockIdx.x * 256 + t];
    __syncthreads();
    if (t < 8)
        out[blockIdx.x * 8 + t] = reinterpret_cast<unsigned *>(s)[t];
}

template <class T, int WARPS> static void try_sums()
{
    enum { BLOCKS = 9, N = BLOCKS * WARPS * 32 };
    std::vector<T> in(N);
    for (int i = 0; i < N; i++)
        in[i] = T((i * 7 + i / 100) % 64);
    Buffer<T> din(in), out(BLOCKS);
    sums<T, WARPS><<<BLOCKS, WARPS * 32>>>(din, out);
    LAUNCHED();
    std::vector<T> o = out.get();
    for (int b = 0; b < BLOCKS; b++) {
        T want = 0;
        for (int i = 0; i < WARPS * 32; i++)
            want += in[b * WARPS * 32 + i];
        EXPECT(o[b] == want);
    }
}

int main()
{
    try_sums<float, 2>();
    try_sums<float, 4>();
    try_sums<float, 8>();
    try_sums<float, 16>();
    try_sums<int, 8>();
    try_sums<double, 4>();
    try_sums<double, 8>();
    enum { BLOCKS = 5 };
    std::vector<int> in(BLOCKS * 256);
    std::vector<float> reals(BLOCKS * 256);
    for (int i = 0; i < BLOCKS * 256; i++) {
        in[i] = i * 3 + 1;
        reals[i] = i * 0.37f - 100;
    }
    Buffer<int> din(in), dout(BLOCKS * 16);
    Buffer<float> dreals(reals);
    Buffer<unsigned> dbits(BLOCKS * 8);
    again<<<BLOCKS, 256>>>(din, dout);
    as_bits<<<BLOCKS, 256>>>(dreals, dbits);
    LAUNCHED();
    std::vector<int> out = dout.get();
    std::vector<unsigned> bits = dbits.get();
    for (int b = 0; b < BLOCKS; b++) {
        int s[9];
        for (int w = 0; w < 9; w++)
            s[w] = w == 3 ? 1000 + in[b * 256 + 1] : w < 8 ? in[b * 256 + w * 32] : -w;
        for (int t = 0; t < 8; t++) {
            unsigned want;
            std::memcpy(&want, &reals[b * 256 + t * 32], sizeof want);
            EXPECT(out[b * 16 + t] == s[t + 1]);
            EXPECT(out[b * 16 + 8 + t] == s[t]);
            EXPECT(bits[b * 8 + t] == want);
        }
    }
    return DONE();
}
