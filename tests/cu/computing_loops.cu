// SPDX-License-Identifier: Apache-2.0
// Loops that only compute, which every lane leaves when it is done: after odd and even numbers of rounds, with and without a
// bound that all share, with several results, with branches inside, within conditions and other loops.
#include "check.h"

enum { N = 1500 };

struct Result {
    int rounds, branch;
    unsigned value;
    double sum;
    long long product;
};

__host__ __device__ Result collatz(unsigned start, int most)
{
    Result r = {0, 0, start, 0, 1};
    while (r.value != 1 && r.rounds < most) {
        if (r.value & 1) {
            r.value = 3 * r.value + 1;
            r.branch++;
        } else {
            r.value /= 2;
        }
        r.rounds++;
        r.sum += r.value * 0.5;
        r.product = r.product * 31 + r.value;
    }
    return r;
}

__host__ __device__ int escape(float x, float y, int most)
{
    float a = 0, b = 0;
    int n = 0;
    while (n < most) {
        float c = a * a - b * b + x;
        b = 2 * a * b + y;
        a = c;
        if (a * a + b * b > 4)
            break;
        n++;
    }
    return n;
}

__host__ __device__ unsigned nested(unsigned x)
{
    unsigned all = 0;
    for (unsigned outer = 0; outer < x % 5; outer++) {
        unsigned v = x + outer;
        do
            v = v * 1664525u + 1013904223u;
        while (v >> 29 != outer % 8);
        all += v;
        for (unsigned k = 0; k < outer; k++)
            all ^= v >> k;
    }
    return all;
}

__global__ void run(Result *c, int *e, unsigned *n, int most)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N)
        return;
    c[i] = collatz((unsigned)i + 1, most);
    if (i % 7 != 3)
        e[i] = escape((float)(i % 50) / 16 - 2, (float)(i / 50) / 16 - 1, most);
    n[i] = nested((unsigned)i);
}

int main()
{
    Result *c;
    int *e;
    unsigned *n;
    OK(cudaMallocManaged(&c, N * sizeof *c));
    OK(cudaMallocManaged(&e, N * sizeof *e));
    OK(cudaMallocManaged(&n, N * sizeof *n));
    for (int most : {0, 1, 2, 3, 10, 11, 1000}) {
        memset(e, 0, N * sizeof *e);
        run<<<(N + 95) / 96, 96>>>(c, e, n, most);
        LAUNCHED();
        for (int i = 0; i < N; i++) {
            Result want = collatz((unsigned)i + 1, most);
            EXPECT(c[i].rounds == want.rounds && c[i].branch == want.branch && c[i].value == want.value);
            EXPECT(c[i].sum == want.sum && c[i].product == want.product);
            EXPECT(n[i] == nested((unsigned)i));
            // in quarters and sixteenths all is exact for a few rounds; later a fused multiply-add may differ
            EXPECT(most > 3 ||
                   e[i] == (i % 7 != 3 ? escape((float)(i % 50) / 16 - 2, (float)(i / 50) / 16 - 1, most) : 0));
            EXPECT(e[i] >= 0 && e[i] <= most);
        }
    }
    return DONE();
}
