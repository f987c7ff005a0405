// SPDX-License-Identifier: Apache-2.0
// The access patterns and rules of performance that the guides explain by the hardware. A CPU has caches and vectors in
// place of half warps and banks: what is checked is that each pattern, quick or slow on a GPU, gives the right result.
#include "check.h"

// Runs of consecutive words, started off the alignment, permuted within a half warp, with gaps, and scattered.
// guide: coalescing rules for half warps | memory latency 400-600 cycles | memory kinds and their relative speed
__global__ void patterns(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    out[i] = in[i];                                                 // in order
    out[n + i] = in[(i + 3) % n];                                   // off the alignment
    out[2 * n + i] = in[((i & ~15) | ((i * 7) & 15)) % n];          // permuted within a half warp
    out[3 * n + i] = in[i * 2 % n];                                 // with a stride
    out[4 * n + i] = in[(unsigned)(i * 2654435761u) % (unsigned)n]; // scattered
}

// Strides over the banks: without conflicts, two-way, thirty-two-way, and the broadcast of one word.
// guide: shared memory banks and conflicts
__global__ void banks(int *out)
{
    __shared__ int s[32 * 33];
    int t = threadIdx.x;
    for (int i = t; i < 32 * 33; i += blockDim.x)
        s[i] = i;
    __syncthreads();
    out[t] = s[t];
    out[32 + t] = s[2 * t];
    out[64 + t] = s[32 * t];
    out[96 + t] = s[33 * t];
    out[128 + t] = s[5];
}

// guide: constant cache broadcast | SIMD multiprocessors, constant and texture caches
__constant__ int coefficients[64];
__global__ void constants(int *out)
{
    int t = threadIdx.x, s = 0;
    for (int i = 0; i < 64; i++)
        s += coefficients[i] * (i + 1); // one word for the whole warp
    out[t] = s;
    out[64 + t] = coefficients[(t * 5) % 64]; // a word for each thread
}

// guide: branch divergence and predication | instruction throughput (cycles per warp)
__global__ void branches(const int *in, int *out)
{
    int t = threadIdx.x, v = in[t], r;
    if (t / 32 == 1) // the same way in a warp
        v += 1000;
    if (v & 1) // different ways
        r = v * 3 + 1;
    else if (v & 2)
        r = v / 2;
    else
        r = -v;
    for (int i = 0; i < (t & 7); i++) // different counts
        r = r * 5 + i;
    r = (v % 3 == 0) ? r + 7 : r; // short enough for predicates
    switch (v & 3) {
    case 0:
        r ^= 0x10;
        break;
    case 2:
        r ^= 0x20;
        // falls through
    default:
        r += 4;
    }
    out[t] = r;
}
static int branches_on_host(int t, int v)
{
    int r;
    if (t / 32 == 1)
        v += 1000;
    r = v & 1 ? v * 3 + 1 : v & 2 ? v / 2 : -v;
    for (int i = 0; i < (t & 7); i++)
        r = (int)((unsigned)r * 5 + i);
    r = v % 3 == 0 ? r + 7 : r;
    switch (v & 3) {
    case 0:
        return r ^ 0x10;
    case 2:
        r ^= 0x20;
    }
    return r + 4;
}

int main()
{
    const int n = 1000;
    std::vector<int> in(n);
    unsigned seed = 11;
    for (int i = 0; i < n; i++)
        in[i] = (int)(random_next(seed) % 5000);
    Buffer<int> din(in), out(5 * n);
    patterns<<<4, 256>>>(din, out, n);
    LAUNCHED();
    std::vector<int> o = out.get();
    bool right = true;
    for (int i = 0; i < n; i++) {
        int permuted = (i & ~15) | ((i * 7) & 15);
        right &= o[i] == in[i] && o[n + i] == in[(i + 3) % n] && o[2 * n + i] == in[permuted % n] &&
                 o[3 * n + i] == in[i * 2 % n] && o[4 * n + i] == in[(unsigned)(i * 2654435761u) % (unsigned)n];
    }
    EXPECT(right);
    banks<<<1, 32>>>(out);
    LAUNCHED();
    o = out.get();
    right = true;
    for (int t = 0; t < 32; t++)
        right &= o[t] == t && o[32 + t] == 2 * t && o[64 + t] == 32 * t && o[96 + t] == 33 * t && o[128 + t] == 5;
    EXPECT(right);
    int c[64], sum = 0;
    for (int i = 0; i < 64; i++) {
        c[i] = i * i - 7;
        sum += c[i] * (i + 1);
    }
    OK(cudaMemcpyToSymbol(coefficients, c, sizeof c));
    constants<<<1, 64>>>(out);
    LAUNCHED();
    o = out.get();
    right = true;
    for (int t = 0; t < 64; t++)
        right &= o[t] == sum && o[64 + t] == c[t * 5 % 64];
    EXPECT(right);
    branches<<<1, 96>>>(din, out);
    LAUNCHED();
    o = out.get();
    right = true;
    for (int t = 0; t < 96; t++)
        right &= o[t] == branches_on_host(t, in[t]);
    EXPECT(right);
    // guide: compute capability table 1.0-6.1
    cudaDeviceProp p;
    OK(cudaGetDeviceProperties(&p, 0));
    EXPECT(p.major > 6 || (p.major == 6 && p.minor >= 1)); // above every row of the book's table
    return DONE();
}
