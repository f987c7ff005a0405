// SPDX-License-Identifier: Apache-2.0
// A loop that every thread leaves at another time.
#include "check.h"

__host__ __device__ inline int escape(float cx, float cy, int limit)
{
    float x = 0, y = 0;
    int it = 0;
    while (it < limit && x * x < 4.0f - y * y) {
        float t = x * x;
        t = t - y * y;
        y = 2 * x * y;
        y = y + cy;
        x = t + cx;
        it++;
    }
    return it;
}

__global__ void render(int *out, int w, int h, int limit)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px < w && py < h)
        out[py * w + px] = escape(px * 3.0f / 128 - 2, py * 2.5f / 128 - 1.25f, limit);
}

int main()
{
    const int w = 120, h = 90;
    Buffer<int> d(w * h);
    for (dim3 block : {dim3(16, 16), dim3(32, 4), dim3(8, 32)}) {
        render<<<dim3((w + block.x - 1) / block.x, (h + block.y - 1) / block.y), block>>>(d, w, h, 200);
        LAUNCHED();
        std::vector<int> o = d.get();
        int different = 0;
        for (int i = 0; i < w * h; i++)
            different += o[i] != escape(i % w * 3.0f / 128 - 2, i / w * 2.5f / 128 - 1.25f, 200);
        EXPECT(different < w * h / 50); // a contracted multiply-add moves a few at the edge
    }
    return DONE();
}
