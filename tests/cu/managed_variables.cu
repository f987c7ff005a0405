// SPDX-License-Identifier: Apache-2.0
// __managed__ variables: plain, arrays, structures, static, in namespaces; with first values that the host
// sees before it calls anything, and shared by both sides afterwards.
#include "check.h"

#ifdef LINKED
extern __managed__ int later; // defined below: one file may stand for two
#else
__managed__ int later = 60;
#endif
__device__ __managed__ int count = 5;
__managed__ int list[6] = {1, 2, 3, 4};
static __managed__ double hidden = 2.5;
__managed__ int zero;
__managed__ float large[1 << 18];
namespace space
{
__managed__ char text[16] = "abc";
}
struct pair {
    int a;
    double b;
};
__managed__ pair both = {7, 0.5};
__managed__ int *pointer;
// First values of host variables that are addresses of managed ones.
int *plain_address = &count;
struct entry {
    int number;
    const int *at;
};
entry table[2] = {{1, &list[4]}, {2, nullptr}};
static double *const constant_address = &hidden;
static long distance = (long)&list[4] - (long)&count; // an expression over two of them
__device__ int plain = 3;

__global__ void change()
{
    count += plain;
    list[4] = list[0] + list[3];
    hidden *= 2;
    zero = 9;
    later++;
    space::text[0] = 'X';
    both.a++;
    both.b += both.a;
    if (pointer)
        *pointer = 44;
}
__global__ void fill(float v)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    large[i] = i * v;
}

#ifdef LINKED
__managed__ int later = 60;
#endif

int main()
{
    EXPECT(count == 5 && list[2] == 3 && list[5] == 0 && hidden == 2.5 && zero == 0 && later == 60);
    EXPECT(!strcmp(space::text, "abc") && both.a == 7 && both.b == 0.5 && large[77] == 0);
    EXPECT(*plain_address == 5 && plain_address == &count && table[0].at == list + 4 && table[1].at == nullptr);
    EXPECT(constant_address == &hidden && *constant_address == 2.5);
    int *both_ways[] = {&count, &list[1]};
    EXPECT(both_ways[0] == &count && *both_ways[1] == 2);
    EXPECT(distance == (char *)&list[4] - (char *)&count);
    int *first = list, *other = &count;
    EXPECT(distance == (char *)(first + 4) - (char *)other);
    count = 10; // before the first call
    list[3] = 100;
    pointer = &list[5];
    change<<<1, 1>>>();
    LAUNCHED();
    EXPECT(count == 13 && list[4] == 101 && hidden == 5 && zero == 9 && later == 61 && list[5] == 44);
    EXPECT(space::text[0] == 'X' && both.a == 8 && both.b == 8.5);
    fill<<<(1 << 18) / 256, 256>>>(0.5f);
    LAUNCHED();
    bool right = true;
    for (int i = 0; i < 1 << 18; i++)
        right &= large[i] == i * 0.5f;
    EXPECT(right);

    void *address;
    size_t size;
    OK(cudaGetSymbolAddress(&address, count));
    EXPECT(address == &count);
    OK(cudaGetSymbolSize(&size, large));
    EXPECT(size == sizeof large);
    int v = 21;
    OK(cudaMemcpyToSymbol(later, &v, sizeof v));
    EXPECT(later == 21);
    cudaPointerAttributes a;
    OK(cudaPointerGetAttributes(&a, &list[1]));
    EXPECT(a.type == cudaMemoryTypeManaged && a.devicePointer == &list[1] && a.hostPointer == &list[1]);
    OK(cudaMemset(large, 0, sizeof large));
    OK(cudaDeviceSynchronize());
    EXPECT(large[3] == 0);
    return DONE();
}
