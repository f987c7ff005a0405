// SPDX-License-Identifier: Apache-2.0
// Divergence: nested ifs, early returns, switch with fall-through, break, continue, goto, nested loops with varying bounds.
#include "check.h"

__host__ __device__ inline int tangle(int i, const int *in, int n)
{
    int v = in[i], r;
    if (v < 0) {
        if (v < -50)
            return v * 3;
        r = -v;
        if (v & 1)
            r += 7;
        else if (v == -10)
            return 99;
        else
            r -= 2;
    } else if (v > 50) {
        r = v * v;
        if (v & 2)
            r ^= 0x55;
    } else {
        if (v % 3 == 0)
            return -1;
        r = v + 1000;
    }
    return r + (v >> 1) + in[(i * 7) % n];
}

__host__ __device__ inline int loops(int i, const int *in, int n)
{
    unsigned s = in[i];
    int acc = 0;
    for (int k = 0; k < 40; k++) {
        s = s * 1664525u + 1013904223u;
        if ((s >> 28) == 3)
            continue;
        if ((s >> 25) == 77)
            break;
        switch ((s >> 24) & 7) {
        case 0:
            acc += k;
            break;
        case 1:
            acc ^= s;
            // falls through
        case 2:
            acc -= 3;
            break;
        case 4:
            if (acc & 1)
                continue;
            acc *= 5;
            break;
        case 5:
            if (s >> 31)
                goto done;
            // falls through
        default:
            acc += in[(s >> 20) % (unsigned)n];
        }
        acc += 1;
    }
done:
    for (int p = 0; p < (in[i] & 15); p++)
        for (int q = 0; q < p + 3; q++) {
            if (((p * q) ^ acc) == 12)
                return acc;
            if ((q & acc) == 5)
                break;
            acc += p * q;
        }
    return acc;
}

__host__ __device__ inline int irreducible(int i, const int *in)
{
    int v = in[i] & 63, c = 0;
    if (v & 1)
        goto b;
a:
    c += 3;
    v -= 1;
    if (v <= 0 || c > 200)
        goto x;
b:
    c += 5;
    v -= c & 3;
    if (v > 0 && c < 300)
        goto a;
x:
    return c;
}

__global__ void run(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    out[3 * i] = tangle(i, in, n);
    out[3 * i + 1] = loops(i, in, n);
    out[3 * i + 2] = irreducible(i, in);
}

int main()
{
    const int n = 3001;
    std::vector<int> in(n);
    unsigned s = 5;
    for (int i = 0; i < n; i++)
        in[i] = (int)(random_next(s) % 200) - 100;
    Buffer<int> din(in), dout(3 * n);
    for (int block : {64, 100, 256}) {
        OK(cudaMemset(dout, 0, 3 * n * 4));
        run<<<(n + block - 1) / block, block>>>(din, dout, n);
        LAUNCHED();
        std::vector<int> o = dout.get();
        bool right = true;
        for (int i = 0; i < n; i++)
            right &= o[3 * i] == tangle(i, in.data(), n) && o[3 * i + 1] == loops(i, in.data(), n) &&
                     o[3 * i + 2] == irreducible(i, in.data());
        EXPECT(right);
    }
    return DONE();
}
