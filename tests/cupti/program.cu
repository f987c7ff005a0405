// SPDX-License-Identifier: Apache-2.0
// A few calls, which tool.c prints.
extern "C" __global__ void one(int *x)
{
    *x = 1;
}

int main()
{
    int *d;
    cudaMalloc(&d, sizeof *d);
    one<<<1, 1>>>(d);
    cudaDeviceSynchronize();
    return cudaFree(d) != cudaSuccess;
}
