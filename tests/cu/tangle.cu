// SPDX-License-Identifier: Apache-2.0
// Two hundred labels, each with two jumps to anywhere: one cycle with very many entries.
#include "check.h"

// Where the jumps of a label of the digits a, b and c go: to other digits.
#define SWAP0          1
#define SWAP1          0
#define UP0            7
#define UP1            3
#define UP2            9
#define UP3            0
#define UP4            6
#define UP5            1
#define UP6            8
#define UP7            2
#define UP8            5
#define UP9            4
#define DOWN0          4
#define DOWN1          8
#define DOWN2          0
#define DOWN3          6
#define DOWN4          2
#define DOWN5          9
#define DOWN6          1
#define DOWN7          5
#define DOWN8          3
#define DOWN9          7
#define NAME(a, b, c)  L##a##b##c
#define LABEL(a, b, c) NAME(a, b, c)
#define STEP(a, b, c)                                                                                                  \
    NAME(a, b, c) : if (++steps > 300) goto end;                                                                       \
    r = r * (2 * c + 3) + 100 * a + 10 * b + c;                                                                        \
    if ((r >> b & 3) == c % 4)                                                                                         \
        goto LABEL(SWAP##a, UP##c, DOWN##b);                                                                           \
    if ((t + r) % 5 == b % 5)                                                                                          \
        goto LABEL(a, DOWN##b, UP##c);
#define TEN(a, b)                                                                                                      \
    STEP(a, b, 0)                                                                                                      \
    STEP(a, b, 1)                                                                                                      \
    STEP(a, b, 2) STEP(a, b, 3) STEP(a, b, 4) STEP(a, b, 5) STEP(a, b, 6) STEP(a, b, 7) STEP(a, b, 8) STEP(a, b, 9)
#define HUNDRED(a)                                                                                                     \
    TEN(a, 0)                                                                                                          \
    TEN(a, 1) TEN(a, 2) TEN(a, 3) TEN(a, 4) TEN(a, 5) TEN(a, 6) TEN(a, 7) TEN(a, 8) TEN(a, 9)

__host__ __device__ unsigned tangle(unsigned t, unsigned r)
{
    int steps = 0;
    HUNDRED(0)
    HUNDRED(1)
end:
    return r + steps;
}

__global__ void tangles(unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = tangle(i, i / 7);
}

int main()
{
    enum { N = 400 };
    Buffer<unsigned> out(N);
    tangles<<<4, N / 4>>>(out);
    LAUNCHED();
    std::vector<unsigned> got = out.get();
    for (unsigned i = 0; i < N; i++)
        EXPECT(got[i] == tangle(i, i / 7));
    return DONE();
}
