// SPDX-License-Identifier: Apache-2.0
// Matrix addition with two-dimensional blocks of several shapes, edges included.
#include "check.h"

__global__ void add(const int *a, const int *b, int *c, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        c[y * w + x] = a[y * w + x] + b[y * w + x];
}

int main()
{
    const int w = 131, h = 77;
    std::vector<int> a(w * h), b(w * h);
    for (int i = 0; i < w * h; i++) {
        a[i] = i * 3;
        b[i] = 7 - i;
    }
    Buffer<int> da(a), db(b);
    for (dim3 block :
         {dim3(16, 16), dim3(32, 8), dim3(8, 8), dim3(4, 64), dim3(1, 256), dim3(13, 7), dim3(64, 1), dim3(5, 3)}) {
        Buffer<int> dc(w * h);
        dim3 grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);
        add<<<grid, block>>>(da, db, dc, w, h);
        LAUNCHED();
        std::vector<int> c = dc.get();
        bool right = true;
        for (int i = 0; i < w * h; i++)
            right &= c[i] == a[i] + b[i];
        EXPECT(right);
    }
    return DONE();
}
