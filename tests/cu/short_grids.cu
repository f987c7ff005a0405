// SPDX-License-Identifier: Apache-2.0
// Chains of grids from less than a microsecond to a millisecond, of all numbers of blocks: every block runs once, and after all of
// the grid before. With waits in between, so that threads come, go and fall asleep, and with grids whose first blocks have all
// the work.
#include "check.h"

enum { THREADS = 64, BLOCKS = 300 };

__global__ void bump(unsigned *x, unsigned *wrong, unsigned turn, int work, unsigned workers)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i], h = i;
    for (int k = 0; k < work && blockIdx.x < workers; k++)
        h = h * 1664525u + 1013904223u;
    if (v != turn || (h == 12345u && work < 0))
        atomicAdd(wrong, 1);
    x[i] = v + 1;
}

__global__ void look(const unsigned *x, unsigned *wrong, unsigned turn) // at what another block has written
{
    unsigned n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[(i * 7919u + 13) % n] != turn)
        atomicAdd(wrong, 1);
}

__global__ void fall(unsigned *x, unsigned where)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, h = i;
    for (int k = 0; k < 100; k++)
        h = h * 1664525u + 1013904223u;
    if (blockIdx.x == where)
        x = reinterpret_cast<unsigned *>(16);
    x[i] = h;
}

static unsigned random_below(unsigned n)
{
    static unsigned state = 1;
    return random_next(state) % n;
}

int main()
{
    Buffer<unsigned> x(THREADS * BLOCKS), wrong(1);
    for (int round = 0; round < 150; round++) {
        int blocks = 1 + random_below(BLOCKS), work = random_below(random_below(4) ? 60 : 2000),
            turns = 1 + random_below(30);
        unsigned workers = random_below(3) ? blocks : blocks / 4;
        OK(cudaMemset(x.p, 0, x.n * sizeof(unsigned)));
        for (int t = 0; t < turns; t++) {
            bump<<<blocks, THREADS>>>(x.p, wrong.p, t, work, workers);
            if (random_below(2))
                look<<<blocks, THREADS>>>(x.p, wrong.p, t + 1);
            if (random_below(6) == 0)
                OK(cudaDeviceSynchronize());
        }
        std::vector<unsigned> all = x.get();
        bool right = wrong.get()[0] == 0;
        for (int i = 0; i < THREADS * BLOCKS; i++)
            right &= all[i] == (i < THREADS * blocks ? (unsigned)turns : 0);
        EXPECT(right);
    }
    // One block that faults ends its grid, whoever runs the others, and nothing runs after it.
    for (int t = 0; t < 40; t++)
        fall<<<BLOCKS, THREADS>>>(x.p, t == 30 ? 117 : BLOCKS);
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    return DONE();
}
