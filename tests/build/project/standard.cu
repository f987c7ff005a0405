// SPDX-License-Identifier: Apache-2.0
#if EXPECTED == 14
static_assert(__cplusplus == 201402L, "C++14");
#elif EXPECTED == 17
static_assert(__cplusplus == 201703L, "C++17");
#else
static_assert(__cplusplus > 201703L, "C++20");
#endif

__global__ void kernel(int *out)
{
    out[threadIdx.x] = int(threadIdx.x);
}

int main()
{
    int *p, values[4];
    cudaMalloc(&p, sizeof values);
    kernel<<<1, 4>>>(p);
    return cudaMemcpy(values, p, sizeof values, cudaMemcpyDeviceToHost) || values[3] != 3;
}
