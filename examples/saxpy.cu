// SPDX-License-Identifier: Apache-2.0
// y = a * x + y, the kernel that docs/architecture.md follows from the launch to machine code.
#include <cstdio>

extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

int main()
{
    const int n = 1000;
    float *x, *y;
    if (cudaMallocManaged(&x, n * sizeof *x) || cudaMallocManaged(&y, n * sizeof *y))
        return 1;
    for (int i = 0; i < n; i++) {
        x[i] = (float)i;
        y[i] = 1;
    }
    saxpy<<<(n + 255) / 256, 256>>>(n, 2.0f, x, y);
    if (cudaDeviceSynchronize())
        return 1;
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += y[i] != 2.0f * (float)i + 1;
    std::printf("%s: %d of %d wrong\n", wrong ? "FAIL" : "PASS", wrong, n);
    return wrong != 0;
}
