// SPDX-License-Identifier: Apache-2.0
// assert in a kernel.
#include "check.h"
#include <cassert>

__global__ void checked(int n)
{
    assert((int)threadIdx.x < n);
}

int main()
{
    checked<<<2, 32>>>(32);
    LAUNCHED();
    checked<<<2, 32>>>(20);
    EXPECT(cudaDeviceSynchronize() == cudaErrorAssert);
    EXPECT(cudaGetLastError() == cudaErrorAssert);
    return DONE();
}
