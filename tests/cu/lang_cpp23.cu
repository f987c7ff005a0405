// SPDX-License-Identifier: Apache-2.0
// C++23 in device code, which NVIDIA's compiler of CUDA 13.0 does not take.
// nvcc: -std=c++23
#include "check.h"
struct Grid {
    int w;
    int d[12];
    __device__ int &operator[](int x, int y)
    {
        return d[y * w + x];
    }
};
struct Self {
    int v;
    template <class S> __device__ auto get(this S &&s)
    {
        return s.v;
    }
};
__device__ constexpr int side()
{
    if consteval {
        return 1;
    } else {
        return 2;
    }
}
__global__ void k(int *o)
{
    Grid g{4, {}};
    g[1, 2] = 5;
    o[0] = g.d[9];
    o[1] = Self{6}.get();
    constexpr int s = side();
    o[2] = s * 10 + side();
    auto f = [] static { return 9; };
    o[3] = f();
    size_t z = 3uz;
    o[4] = int(z);
    auto c = auto(z);
    o[5] = int(c);
}
int main()
{
    Buffer<int> o(8);
    k<<<1, 1>>>(o);
    LAUNCHED();
    auto v = o.get();
    EXPECT(v[0] == 5 && v[1] == 6 && v[2] == 12 && v[3] == 9 && v[4] == 3 && v[5] == 3);
    return DONE();
}
