// SPDX-License-Identifier: Apache-2.0
// The language: qualifiers, launches, memory spaces, C++ in device code.
#include <cassert>
#include <cstdio>
#include <new>
#include <type_traits>
#include <utility>
#include <array>
#include <limits>

__constant__ float table[16];
__device__ int counter = 3;
__device__ static float hidden[4];
__device__ int shared_by_both = 5;
__device__ __constant__ int both_words = 1;
const __device__ int fixed_value = 7;

struct shape {
    __host__ __device__ virtual float area() const = 0;
    __host__ __device__ virtual ~shape() {}
};
struct square : shape {
    float side;
    __host__ __device__ explicit square(float s) : side(s) {}
    __host__ __device__ float area() const override
    {
        return side * side;
    }
};

template <typename T, int N> struct small_array {
    T data[N];
    __host__ __device__ T &operator[](int i)
    {
        return data[i];
    }
    __host__ __device__ constexpr int size() const
    {
        return N;
    }
};

__device__ __noinline__ int not_inlined(int x)
{
    return x * 3;
}
__device__ __forceinline__ int inlined(int x)
{
    return not_inlined(x) + 1;
}
__host__ __device__ inline int anywhere(int x)
{
#ifdef __CUDA_ARCH__
    return x + __CUDA_ARCH__;
#else
    return x;
#endif
}
typedef float (*function_pointer)(float);
__device__ float plus_one(float x)
{
    return x + 1.0f;
}
__device__ function_pointer chosen = plus_one;

extern __shared__ float dynamic_memory[];

__global__ void __launch_bounds__(256, 2) kernel(float *__restrict__ out, const float *__restrict__ in, int n)
{
    __shared__ float tile[16][17];
    __shared__ small_array<int, 4> items;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    dynamic_memory[threadIdx.x] = in[i];
    tile[threadIdx.y][threadIdx.x] = in[i];
    items[threadIdx.x & 3] = i;
    __syncthreads();
    assert(n > 0);
    if (i == 0)
        printf("%d %f %s\n", n, out[0], "text");
    square s(2.0f);
    const shape *base = &s;
    shape *made = new square(3.0f);
    char *memory = (char *)malloc(100);
    memory[0] = 1;
    out[i] = base->area() + made->area() + table[i & 15] + hidden[i & 3] + chosen(in[i]) + tile[0][1] + memory[0];
    delete made;
    free(memory);
    atomicAdd(&counter, inlined(anywhere(i)) + shared_by_both + both_words + fixed_value + items.size());
    auto square_of = [](float x) { return x * x; };
    out[i] += square_of(in[i]);
#pragma unroll 4
    for (int k = 0; k < 16; k++)
        out[i] += dynamic_memory[k];
    std::array<int, 3> a = {1, 2, 3};
    out[i] += a[1] + std::numeric_limits<float>::epsilon();
    auto place = threadIdx;
    uint3 copied = blockIdx;
    dim3 size = blockDim;
    out[i] += place.x + copied.y + size.z + gridDim.x + warpSize;
    float4 v = reinterpret_cast<const float4 *>(in)[i];
    out[i] += v.x + v.y + v.z + v.w;
    long long start = clock64();
    out[i] += (float)(clock64() - start + clock());
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(n));
    out[i] += n;
}

template <typename F> __global__ void apply(F f, int n)
{
    int i = threadIdx.x;
    if (i < n)
        f(i);
}
template <typename... Ts> __global__ void variadic(int *out, Ts... values)
{
    *out = (0 + ... + values);
}
__global__ void by_value(small_array<double, 8> a, const __grid_constant__ int n, double *out)
{
    *out = a.data[n];
}
namespace
{
__global__ void in_anonymous(int *p)
{
    *p = 1;
}
} // namespace

int main()
{
    float *out, *in;
    double *d;
    int *p, value = 3;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&out, 1024);
    cudaMalloc((void **)&in, 1024);
    cudaMallocManaged(&p, 4);
    cudaMallocHost(&d, 8);
    float host[16] = {};
    cudaMemcpyToSymbol(table, host, sizeof host);
    cudaMemcpyFromSymbol(&value, counter, sizeof value);
    void *address;
    size_t size;
    cudaGetSymbolAddress(&address, hidden);
    cudaGetSymbolSize(&size, table);
    kernel<<<1, 256, 1024, stream>>>(out, in, 10);
    kernel<<<dim3(1, 2), dim3(16, 16), 1024>>>(out, in, 10);
    apply<<<1, 32>>>([=] __device__(int i) { out[i] = i; }, 32);
    variadic<<<1, 1>>>(p, 1, 2L, (short)3);
    by_value<<<1, 1>>>(small_array<double, 8>(), 2, d);
    in_anonymous<<<1, 1>>>(p);
    void *args[] = {&out, &in, &value};
    cudaLaunchKernel(kernel, dim3(1), dim3(32), args, 0, stream);
    cudaLaunchCooperativeKernel(kernel, dim3(1), dim3(32), args, 0, stream);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(32);
    cudaLaunchKernelEx(&config, kernel, out, (const float *)in, 3);
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, kernel);
    int blocks, grid;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 0);
    cudaOccupancyMaxPotentialBlockSize(&grid, &blocks, kernel, 0, 0);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
