// SPDX-License-Identifier: Apache-2.0
// Sums over a block of what is made of bytes: absolute differences, products with a constant, with signed bytes and with unsigned ones. LLVM has
// instructions for these that add up four or eight at once, and must not forget the sums that remain.
#include "check.h"

enum { SUMS = 5 };

__host__ __device__ int term(int which, unsigned char a, unsigned char b)
{
    int d = (int)a - (int)b;
    switch (which) {
    case 0:
        return d < 0 ? -d : d;
    case 1:
        return a * -9;
    case 2:
        return a * (signed char)b;
    case 3:
        return a * b;
    default:
        return a;
    }
}

// All threads add to one location, of global or of shared memory.
template <int WHICH> __global__ void global_sum(int *sum, const unsigned char *a, const unsigned char *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&sum[WHICH], term(WHICH, a[i], b[i]));
}

template <int WHICH> __global__ void shared_sum(int *sum, const unsigned char *a, const unsigned char *b, int n)
{
    __shared__ int s;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (!threadIdx.x)
        s = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&s, term(WHICH, a[i], b[i]));
    __syncthreads();
    if (!threadIdx.x)
        atomicAdd(&sum[SUMS + WHICH], s);
}

template <int WHICH> static void add(int *sum, const unsigned char *a, const unsigned char *b, int n, int block)
{
    global_sum<WHICH><<<(n + block - 1) / block, block>>>(sum, a, b, n);
    shared_sum<WHICH><<<(n + block - 1) / block, block>>>(sum, a, b, n);
    LAUNCHED();
}

int main()
{
    const int n = 1003;
    std::vector<unsigned char> x(n), y(n);
    for (int i = 0; i < n; i++) {
        x[i] = (unsigned char)(i * 37 + i / 7);
        y[i] = (unsigned char)(i * 101 + 13);
    }
    Buffer<unsigned char> a(x), b(y);
    for (int block : {32, 64, 96, 256}) {
        Buffer<int> sum(2 * SUMS);
        add<0>(sum, a, b, n, block);
        add<1>(sum, a, b, n, block);
        add<2>(sum, a, b, n, block);
        add<3>(sum, a, b, n, block);
        add<4>(sum, a, b, n, block);
        std::vector<int> found = sum.get();
        for (int k = 0; k < SUMS; k++) {
            int right = 0;
            for (int i = 0; i < n; i++)
                right += term(k, x[i], y[i]);
            EXPECT(found[k] == right);
            EXPECT(found[SUMS + k] == right);
        }
    }
    return DONE();
}
