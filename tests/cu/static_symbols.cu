// SPDX-License-Identifier: Apache-2.0
// Static variables, and those in namespaces without a name, that the host writes in code which only it sees.
#include "check.h"

static __constant__ int plain = 1;
static __device__ int one = 2;
namespace
{
__constant__ int hidden = 3;
__device__ int table[2] = {4, 5};
} // namespace
namespace deep
{
static __constant__ int inner = 6;
namespace
{
__device__ long most[1] = {7};
}
} // namespace deep
static __constant__ struct {
    int x, y;
} pair = {8, 9};

__global__ void read(long *out)
{
    long v[] = {plain, one, hidden, table[0], table[1], deep::inner, deep::most[0], pair.x, pair.y};
    for (int i = 0; i < 9; i++)
        out[i] = v[i];
}

#ifndef __CUDA_ARCH__
template <class T, class V> static void put(const T &symbol, const V &value)
{
    OK(cudaMemcpyToSymbol(symbol, &value, sizeof value));
}

static void write()
{
    int two[] = {14, 15}, both[] = {18, 19};
    put(plain, 11);
    put(one, 12);
    put(hidden, 13);
    put(table, two);
    put(deep::inner, 16);
    put(deep::most, 17L);
    put(pair, both);
}
#endif

int main()
{
    long *out;
    OK(cudaMallocManaged(&out, 9 * sizeof(long)));
    read<<<1, 1>>>(out);
    LAUNCHED();
    for (int i = 0; i < 9; i++)
        EXPECT(out[i] == i + 1);
#ifndef __CUDA_ARCH__
    write();
#endif
    read<<<1, 1>>>(out);
    LAUNCHED();
    for (int i = 0; i < 9; i++)
        EXPECT(out[i] == i + 11);
    OK(cudaFree(out));
    return DONE();
}
