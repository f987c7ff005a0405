// SPDX-License-Identifier: Apache-2.0
// What cuda_gdb.sh stops in: a template in a namespace with shared memory of both kinds, variables of the module, and a function of
// another file (linked.cu, with -rdc=true).
#include <cstdio>

__device__ int counter = 7;
__constant__ float factor = 2.5f;
extern __device__ int table[4];
__device__ float mix(float x, int k);

namespace sim
{
template <typename T, int N> __global__ void reduce(const T *in, T *out, int n)
{
    __shared__ T part[N];
    extern __shared__ int dyn[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? in[i] * (T)factor : 0; // MARK load
    dyn[t] = t * 3;
    __syncthreads(); // MARK wait
    for (int k = N / 2; k > 0; k /= 2) {
        if (t < k)
            part[t] += part[t + k]; // MARK sum
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = mix(part[0], t) + table[blockIdx.x]; // MARK mix
}
} // namespace sim

__global__ void wrong(int *p, int n)
{
    int t = threadIdx.y * blockDim.x + threadIdx.x + 1;
    __syncthreads();
    if (t == n)
        p[t] = 1; // MARK wrong
}

int main(int argc, char **)
{
    float *in, *out, h[64], r[2];
    for (int i = 0; i < 64; i++)
        h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof r);
    if (argc > 1) {
        wrong<<<dim3(2, 2), dim3(8, 5)>>>((int *)64, 13);
        return cudaDeviceSynchronize() == cudaSuccess;
    }
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    sim::reduce<float, 32><<<2, 32, 128>>>(in, out, 64);
    cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
    printf("result %g %g\n", r[0], r[1]);
    return 0;
}
