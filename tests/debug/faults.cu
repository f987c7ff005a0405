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
    }
}

int main(int, char **argv)
{
    static const char *const kinds[] = {"address", "trap", "assert", "recursive"};
    int kind = 0;
    while (strcmp(kinds[kind], argv[1]))
        kind++;
    faults<<<2, 64>>>((int *)64, kind);
    return cudaDeviceSynchronize() == cudaSuccess;
}
