// SPDX-License-Identifier: Apache-2.0
// Relocatable device code (-rdc=true) in one unit; tests/nvcc links several.
// nvcc: -rdc=true
#include "check.h"

extern __device__ int shared_state;
__device__ int shared_state = 5;
__device__ __noinline__ int helper(int x)
{
    return x * shared_state;
}

__global__ void run(int *out)
{
    out[threadIdx.x] = helper(threadIdx.x) + shared_state;
}

int main()
{
    Buffer<int> d(32);
    run<<<1, 32>>>(d);
    LAUNCHED();
    std::vector<int> o = d.get();
    bool right = true;
    for (int t = 0; t < 32; t++)
        right &= o[t] == t * 5 + 5;
    EXPECT(right);
    int v = 7;
    OK(cudaMemcpyToSymbol(shared_state, &v, sizeof v));
    run<<<1, 32>>>(d);
    LAUNCHED();
    EXPECT(d.get()[3] == 28);
    return DONE();
}
