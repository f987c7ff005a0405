// SPDX-License-Identifier: Apache-2.0
// Vector addition with a guard, over sizes that are no multiple of the block.
#include "check.h"

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

int main()
{
    for (int n : {1, 31, 255, 256, 257, 50000})
        for (int block : {1, 32, 100, 256, 1024}) {
            std::vector<float> a(n), b(n);
            for (int i = 0; i < n; i++) {
                a[i] = (float)i;
                b[i] = 0.25f * i;
            }
            Buffer<float> da(a), db(b), dc(n + 64);
            add<<<(n + block - 1) / block, block>>>(da, db, dc, n);
            LAUNCHED();
            std::vector<float> c = dc.get();
            bool right = true;
            for (int i = 0; i < n; i++)
                right &= c[i] == a[i] + b[i];
            for (int i = n; i < n + 64; i++)
                right &= c[i] == 0;
            EXPECT(right);
        }
    return DONE();
}
