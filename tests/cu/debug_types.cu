// SPDX-License-Identifier: Apache-2.0
// Code for the debugger of variables whose types have no name in our debug information.
// nvcc: -G
#include "check.h"
struct shape {
    int a, b;
    shape *next[2];
    __device__ int plus(int x)
    {
        return a + x;
    }
    __device__ int times(int x)
    {
        return b * x;
    }
};
__global__ void k(int *out)
{
    shape s = {3, 5, {&s, nullptr}};
    int shape::*fields[] = {&shape::a, &shape::b};
    int (shape::*functions[])(int) = {&shape::plus, &shape::times};
    int (shape::*table[2][2])(int) = {{functions[0], functions[1]}, {functions[1], functions[0]}};
    decltype(nullptr) nothing[2] = {};
    int t = threadIdx.x;
    out[t] =
        (s.next[0]->*functions[t & 1])(t) + s.*fields[t >> 1 & 1] + (s.*table[t & 1][1])(1) + (nothing[0] == s.next[1]);
}
int main()
{
    Buffer<int> out(40);
    k<<<1, 40>>>(out);
    LAUNCHED();
    auto v = out.get();
    for (int t = 0; t < 40; t++)
        EXPECT(v[t] == (t & 1 ? 5 * t : 3 + t) + (t >> 1 & 1 ? 5 : 3) + (t & 1 ? 4 : 5) + 1);
    return DONE();
}
