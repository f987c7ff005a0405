// SPDX-License-Identifier: Apache-2.0
// Constant and device symbols: copies both ways, address and size, initialisers, arrays, structures.
#include "check.h"

struct Pair {
    int a;
    double b;
};
__constant__ float weights[256];
__constant__ int scale = 3;
__device__ int counter = 41;
__device__ float table[128];
__device__ Pair pair = {7, 2.5};
__device__ const char text[] = "heddle";
__device__ int *pointer = &counter;

__global__ void use(float *out, int *other)
{
    int i = threadIdx.x;
    out[i] = weights[i] * scale + table[i % 128];
    if (i == 0) {
        counter++;
        other[0] = *pointer;
        other[1] = pair.a;
        other[2] = (int)(pair.b * 2);
        other[3] = text[3];
    }
}

int main()
{
    std::vector<float> w(256), t(128);
    for (int i = 0; i < 256; i++)
        w[i] = i * 0.5f;
    for (int i = 0; i < 128; i++)
        t[i] = -i;
    OK(cudaMemcpyToSymbol(weights, w.data(), 256 * 4));
    OK(cudaMemcpyToSymbol(table, t.data() + 64, 64 * 4, 64 * 4));
    float *address;
    size_t size;
    OK(cudaGetSymbolAddress((void **)&address, table));
    OK(cudaGetSymbolSize(&size, table));
    EXPECT(size == 512);
    OK(cudaMemcpy(address, t.data(), 64 * 4, cudaMemcpyHostToDevice));
    Buffer<float> out(256);
    Buffer<int> other(4);
    use<<<1, 256>>>(out, other);
    LAUNCHED();
    std::vector<float> o = out.get();
    bool right = true;
    for (int i = 0; i < 256; i++)
        right &= o[i] == w[i] * 3 + t[i % 128];
    EXPECT(right);
    int c;
    OK(cudaMemcpyFromSymbol(&c, counter, sizeof c));
    EXPECT(c == 42);
    std::vector<int> x = other.get();
    EXPECT(x[0] == 42 && x[1] == 7 && x[2] == 5 && x[3] == 'd');
    int s = 5;
    OK(cudaMemcpyToSymbol(scale, &s, sizeof s));
    use<<<1, 256>>>(out, other);
    LAUNCHED();
    EXPECT(out.get()[10] == w[10] * 5 + t[10]);
    return DONE();
}
