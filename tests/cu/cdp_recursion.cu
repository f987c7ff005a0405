// SPDX-License-Identifier: Apache-2.0
// Kernels that launch kernels, and themselves: a tree, a sort, and grids of grids. A grid is over when all below it are.
// nvcc: -rdc=true -lcudadevrt
// clang: 22
#include "check.h"

__global__ void fib(int n, unsigned *sum, unsigned *calls)
{
    atomicAdd(calls, 1u);
    if (n < 2) {
        atomicAdd(sum, (unsigned)n);
        return;
    }
    fib<<<1, 1, 0, cudaStreamFireAndForget>>>(n - 1, sum, calls);
    fib<<<1, 1>>>(n - 2, sum, calls);
}

__device__ void insertion_sort(int *a, int left, int right)
{
    for (int i = left + 1; i <= right; i++) {
        int x = a[i], j = i - 1;
        for (; j >= left && a[j] > x; j--)
            a[j + 1] = a[j];
        a[j + 1] = x;
    }
}

__global__ void quicksort(int *a, int left, int right, int depth)
{
    if (depth >= 12 || right - left < 24) {
        insertion_sort(a, left, right);
        return;
    }
    int *l = a + left, *r = a + right, pivot = a[(left + right) / 2];
    while (l <= r) {
        while (*l < pivot)
            l++;
        while (*r > pivot)
            r--;
        if (l <= r) {
            int x = *l;
            *l++ = *r;
            *r-- = x;
        }
    }
    int to = int(r - a), from = int(l - a);
    cudaStream_t s;
    if (left < to) {
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        quicksort<<<1, 1, 0, s>>>(a, left, to, depth + 1);
        cudaStreamDestroy(s);
    }
    if (from < right) {
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        quicksort<<<1, 1, 0, s>>>(a, from, right, depth + 1);
        cudaStreamDestroy(s);
    }
}

// Template kernels, blocks of several warps, barriers and shared memory below a launch by one thread of each block.
template <class T> __global__ void block_sum(const T *in, T *out)
{
    __shared__ T part[128];
    unsigned t = threadIdx.x;
    part[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    for (unsigned n = 64; n; n /= 2) {
        if (t < n)
            part[t] += part[t + n];
        __syncthreads();
    }
    if (!t)
        out[blockIdx.x] = part[0];
}

template <class T> __global__ void sums(const T *in, T *out, int groups)
{
    if (threadIdx.x == 0)
        block_sum<T><<<groups, 128>>>(in + blockIdx.x * groups * 128, out + blockIdx.x * groups);
}

// What the parent wrote before the launch is there for the child, and the child's result for whoever waits for the parent.
__global__ void child_adds(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] += i;
}

__global__ void parent_writes(int *p, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        p[i] = 1000;
    __syncthreads();
    if (threadIdx.x == 0)
        child_adds<<<(n + 63) / 64, 64>>>(p, n);
}

__global__ void read_back(const int *p, int n, int *wrong)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        if (p[i] != 1000 + i)
            atomicAdd(wrong, 1);
}

int main()
{
    Buffer<unsigned> counts(2);
    fib<<<1, 1>>>(14, counts, counts + 1);
    LAUNCHED();
    EXPECT(counts.get()[0] == 377);
    EXPECT(counts.get()[1] == 1219);

    std::vector<int> v(2000);
    unsigned seed = 7;
    for (int &x : v)
        x = int(random_next(seed) % 100000);
    Buffer<int> a(v);
    quicksort<<<1, 1>>>(a, 0, int(v.size()) - 1, 0);
    LAUNCHED();
    std::vector<int> sorted = a.get();
    long before = 0, after = 0;
    for (size_t i = 0; i < v.size(); i++) {
        before += v[i], after += sorted[i];
        if (i)
            EXPECT(sorted[i - 1] <= sorted[i]);
    }
    EXPECT(before == after);

    std::vector<double> in(5 * 6 * 128);
    for (size_t i = 0; i < in.size(); i++)
        in[i] = double(i % 97);
    Buffer<double> din(in), dout(30);
    sums<double><<<5, 32>>>(din, dout, 6);
    LAUNCHED();
    std::vector<double> out = dout.get();
    for (int b = 0; b < 30; b++) {
        double s = 0;
        for (int i = 0; i < 128; i++)
            s += in[b * 128 + i];
        EXPECT(out[b] == s);
    }

    Buffer<int> p(500), wrong(1);
    for (int round = 0; round < 20; round++) {
        parent_writes<<<1, 64>>>(p, 500);
        read_back<<<1, 64>>>(p, 500, wrong);
    }
    LAUNCHED();
    EXPECT(wrong.get()[0] == 0);
    return DONE();
}
