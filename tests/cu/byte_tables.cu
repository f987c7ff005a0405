// SPDX-License-Identifier: Apache-2.0
// Tables of bytes and of 16-bit values that the data index: at every alignment, by indices of every size, in all memories,
// under conditions and up to the first and the last byte of an allocation; arrays of each thread's own.
#include "check.h"
#include <cuda_fp16.h>

enum { N = 3000, TABLE = 4096 }; // the table is one page

__constant__ unsigned char constant_bytes[259];
__constant__ short constant_shorts[300];

struct Out {
    int byte, other, word, shared, far, constant, half, end, own;
};

__global__ void look_up(const unsigned char *bytes, const short *shorts, const __half *halves,
                        const unsigned char *small, const unsigned short *middle, const int *large, Out *out, int from)
{
    __shared__ unsigned char tile[260];
    for (int k = threadIdx.x; k < 256; k += blockDim.x)
        tile[k + from] = bytes[k];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N)
        return;
    Out r = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    r.byte = bytes[from + small[i]];
    r.other = (signed char)bytes[middle[i]];
    if (small[i] % 3)
        r.word = shorts[small[i] + from] + shorts[middle[i] / 2];
    r.shared = tile[from + small[i]];
    r.far = tile[from + 128 + large[i] / 16];
    r.constant = constant_bytes[from + small[i]] * 1000 + constant_shorts[small[i]];
    r.half = (int)__half2float(halves[small[i]]);
    r.end = bytes[TABLE / 2 + large[i]];
    signed char own[24];
    short owns[12];
    for (int k = 0; k < 24; k++)
        own[k] = (signed char)(k * 7 - i);
    for (int k = 0; k < 12; k++)
        owns[k] = (short)(k * 300 - i);
    for (int k = small[i] % 16 + 4; k >= small[i] % 5; k--) { // runs of each thread's own
        own[k]++;
        r.own += own[k] + owns[k / 2];
    }
    r.own += own[(large[i] & 15) + from];
    out[i] = r;
}

static int own_sum(int small, int large, int i, int from)
{
    signed char own[24];
    int sum = 0;
    for (int k = 0; k < 24; k++)
        own[k] = (signed char)(k * 7 - i);
    for (int k = small % 16 + 4; k >= small % 5; k--)
        sum += ++own[k] + (short)(k / 2 * 300 - i);
    return sum + own[(large & 15) + from];
}

template <class T> static T *fresh(size_t n)
{
    T *p;
    OK(cudaMallocManaged(&p, n * sizeof(T)));
    return p;
}

int main()
{
    unsigned char *bytes = fresh<unsigned char>(TABLE), *small = fresh<unsigned char>(N);
    short *shorts = fresh<short>(TABLE / 2);
    __half *halves = fresh<__half>(TABLE / 2);
    unsigned short *middle = fresh<unsigned short>(N);
    int *large = fresh<int>(N);
    Out *out = fresh<Out>(N);
    unsigned char host_bytes[259];
    short host_shorts[300];
    for (int i = 0; i < TABLE; i++)
        bytes[i] = (unsigned char)(i * 37 + i / 256);
    for (int i = 0; i < TABLE / 2; i++) {
        shorts[i] = (short)(i * 1237 - 20000);
        halves[i] = __float2half((float)(i % 1000));
    }
    for (int i = 0; i < 259; i++)
        host_bytes[i] = (unsigned char)(i * 11 + 5);
    for (int i = 0; i < 300; i++)
        host_shorts[i] = (short)(i * 101);
    for (int i = 0; i < N; i++) {
        small[i] = (unsigned char)(i * 73);
        middle[i] = (unsigned short)(i % 5 ? i * 29 % TABLE : TABLE - 1 - i % 2 * (TABLE - 1));
        large[i] = (i % 7 ? i * 31 % TABLE : i % 2 ? TABLE - 1 : 0) - TABLE / 2;
    }
    OK(cudaMemcpyToSymbol(constant_bytes, host_bytes, sizeof host_bytes));
    OK(cudaMemcpyToSymbol(constant_shorts, host_shorts, sizeof host_shorts));
    for (int from = 0; from < 4; from++) { // so many bytes, and shorts, off an aligned address
        look_up<<<(N + 95) / 96, 96>>>(bytes, shorts, halves, small, middle, large, out, from);
        LAUNCHED();
        for (int i = 0; i < N; i++) {
            EXPECT(out[i].byte == bytes[from + small[i]]);
            EXPECT(out[i].other == (signed char)bytes[middle[i]]);
            EXPECT(out[i].word == (small[i] % 3 ? shorts[small[i] + from] + shorts[middle[i] / 2] : 0));
            EXPECT(out[i].shared == bytes[small[i]]);
            EXPECT(out[i].far == bytes[128 + large[i] / 16]);
            EXPECT(out[i].constant == host_bytes[from + small[i]] * 1000 + host_shorts[small[i]]);
            EXPECT(out[i].half == small[i] % 1000);
            EXPECT(out[i].end == bytes[TABLE / 2 + large[i]]);
            EXPECT(out[i].own == own_sum(small[i], large[i], i, from));
        }
    }
    return DONE();
}
