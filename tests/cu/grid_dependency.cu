// SPDX-License-Identifier: Apache-2.0
// Kernels that may begin before the one ahead of them has ended: they wait for it where they need its results.
// nvcc: -std=c++17 -arch=sm_90
#include "check.h"

__global__ void first(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    cudaTriggerProgrammaticLaunchCompletion();
    if (i < n)
        p[i] = i;
}
__global__ void second(const int *p, int *q, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    cudaGridDependencySynchronize();
    if (i < n)
        q[i] = p[n - 1 - i] * 2;
}

int main()
{
    enum { N = 100000 };
    Buffer<int> p(N), q(N);
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((N + 255) / 256);
    config.blockDim = dim3(256);
    config.attrs = &early;
    config.numAttrs = 1;
    for (int round = 0; round < 3; round++) {
        OK(cudaMemset(q, 0, N * sizeof(int)));
        first<<<(N + 255) / 256, 256>>>(p, N);
        OK(cudaLaunchKernelEx(&config, second, (const int *)p.p, q.p, (int)N));
        LAUNCHED();
        std::vector<int> o = q.get();
        bool right = true;
        for (int i = 0; i < N; i++)
            right &= o[i] == 2 * (N - 1 - i);
        EXPECT(right);
    }
    return DONE();
}
