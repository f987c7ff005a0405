// SPDX-License-Identifier: Apache-2.0
// Keys and their values change places together, under a test of the keys: a load that a store of the same place follows must
// stay before it, in every size of element and in shared and global memory.
#include "check.h"

enum { N = 64, HALF = N / 2 };

template <class T> __device__ void swap_if(unsigned *key, T *value, unsigned x)
{
    unsigned p = key[x], q = key[x + HALF];
    if (p > q) {
        key[x] = q;
        key[x + HALF] = p;
        T t = value[x];
        value[x] = value[x + HALF];
        value[x + HALF] = t;
    }
}

template <class T> __global__ void in_shared(unsigned *key, T *value)
{
    __shared__ unsigned k[N];
    __shared__ T v[N];
    unsigned x = threadIdx.x;
    k[x] = key[x], v[x] = value[x], k[x + HALF] = key[x + HALF], v[x + HALF] = value[x + HALF];
    __syncthreads();
    swap_if(k, v, x);
    __syncthreads();
    key[x] = k[x], value[x] = v[x], key[x + HALF] = k[x + HALF], value[x + HALF] = v[x + HALF];
}

template <class T> __global__ void in_global(unsigned *key, T *value)
{
    swap_if(key, value, threadIdx.x);
}

template <class T> static void try_type()
{
    unsigned key[N], *dk;
    T value[N], *dv;
    OK(cudaMalloc(&dk, sizeof key));
    OK(cudaMalloc(&dv, sizeof value));
    for (int global = 0; global < 2; global++) {
        for (unsigned i = 0; i < N; i++)
            value[i] = (T)(key[i] = i * 37 % N);
        OK(cudaMemcpy(dk, key, sizeof key, cudaMemcpyHostToDevice));
        OK(cudaMemcpy(dv, value, sizeof value, cudaMemcpyHostToDevice));
        if (global)
            in_global<T><<<1, HALF>>>(dk, dv);
        else
            in_shared<T><<<1, HALF>>>(dk, dv);
        LAUNCHED();
        OK(cudaMemcpy(key, dk, sizeof key, cudaMemcpyDeviceToHost));
        OK(cudaMemcpy(value, dv, sizeof value, cudaMemcpyDeviceToHost));
        for (unsigned i = 0; i < N; i++) {
            EXPECT(value[i] == (T)key[i]);
            EXPECT(i >= HALF || key[i] <= key[i + HALF]);
        }
    }
    OK(cudaFree(dk));
    OK(cudaFree(dv));
}

int main()
{
    try_type<unsigned char>();
    try_type<short>();
    try_type<int>();
    try_type<float>();
    try_type<double>();
    return DONE();
}
