// SPDX-License-Identifier: Apache-2.0
// Ends in the fault that the argument names; lines.sh looks for the lines that are marked.
#include <cassert>
#include <cstdio>
#include <cstring>

__device__ void store(int *p)
{
    *p = 1; // MARK address
}

__device__ int depth(int n, const char *end)
{
    if (n == 0)
        asm volatile("trap;"); // MARK recursive
    return *end ? n : depth(n - 1, end) + 1;
}

__device__ __noinline__ int endless(int n, volatile int *p)
{
    volatile int kept[64];
    kept[n & 63] = n;
    return endless(n + *p, p) + kept[n + 3 & 63];
}

__device__ __noinline__ int large(int n, volatile int *p)
{
    volatile int kept[30000];
    kept[n & 63] = n;
    return large(n + *p, p) + kept[n + 3 & 63];
}

__device__ unsigned forever(unsigned x)
{
    for (;;)
        asm volatile("mad.lo.u32 %0, %0, 3, 5;" : "+r"(x)); // MARK forever
}

__global__ void faults(int *p, int kind)
{
    __shared__ int shared[64];
    char zero = 0;
    shared[threadIdx.x] = kind;
    __syncthreads();
    if (blockIdx.x != 1 || threadIdx.x != 37)
        return;
    switch (shared[3]) {
    case 0:
        store(p);
        break;
    case 1:
        asm volatile("trap;"); // MARK trap
        break;
    case 2:
        assert(p == nullptr); // MARK assert
        break;
    case 3:
        p[0] = depth(3, &zero);
        break;
    case 4:
        p[2048] = 1;
        break;
    case 5:
        p[-(1 << 28)] = 1;
        break;
    case 6:
        *(int *)((char *)p + 2) = 1;
        break;
    case 7:
        p[1] = endless(1, p);
        break;
    case 8:
        p[1] = large(1, p);
        break;
    case 9:
        p[1] = forever(1);
        break;
    case 10:
        shared[6 * kind + 4] = 1;
        break;
    case 11:
        for (int i = 0; i < p[0] + 3; i++)
            ((long long *)(p + 5))[i + 7] = i;
        break;
    }
}

// In a function of the engine, which the lanes of the warp call together.
__global__ void tile(const int *p, unsigned *to)
{
    unsigned r[8];
    if (blockIdx.x != 1 || threadIdx.x / 32 != 1)
        return;
#define LOAD "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], 16;"
    asm volatile(LOAD // MARK tile
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
                 : "l"(p));
    to[threadIdx.x] = r[0] + r[1] + r[2] + r[3] + r[4] + r[5] + r[6] + r[7];
}

int main(int, char **argv)
{
    static const char *const kinds[] = {"address", "trap",  "assert",  "recursive", "behind", "before", "misaligned",
                                        "endless", "large", "forever", "shared",    "loop",   "tile"};
    int kind = 0, *p = (int *)64;
    while (strcmp(kinds[kind], argv[1]))
        kind++;
    if (kind > 3)
        cudaMalloc(&p, 8192);
    if (!strcmp(kinds[kind], "tile"))
        tile<<<2, 64>>>((int *)64, (unsigned *)p);
    else
        faults<<<2, 64>>>(p, kind);
    return cudaDeviceSynchronize() == cudaSuccess;
}
