// SPDX-License-Identifier: Apache-2.0
// __trap ends the kernel with an error.
#include "check.h"

__global__ void trapped(int *p, int at)
{
    if (threadIdx.x == at)
        __trap();
    p[threadIdx.x] = 1;
}

int main()
{
    Buffer<int> d(64);
    trapped<<<1, 64>>>(d, 100);
    LAUNCHED();
    EXPECT(d.get()[63] == 1);
    trapped<<<1, 64>>>(d, 40);
    EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
    return DONE();
}
