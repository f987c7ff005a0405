// SPDX-License-Identifier: Apache-2.0
// Matrix transposition through padded shared memory, and a 3D grid with 3D blocks.
#include "check.h"

__global__ void transpose(const float *in, float *out, int w, int h)
{
    __shared__ float tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < w && y < h)
        tile[threadIdx.y][threadIdx.x] = in[y * w + x];
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x;
    y = blockIdx.x * 16 + threadIdx.y;
    if (x < h && y < w)
        out[y * h + x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void where(int *out)
{
    int b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int n = blockDim.x * blockDim.y * blockDim.z;
    out[b * n + t] = threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z + 1000 * blockIdx.x + 10000 * blockIdx.y +
                     100000 * blockIdx.z;
}

int main()
{
    const int w = 100, h = 70;
    std::vector<float> in(w * h);
    for (int i = 0; i < w * h; i++)
        in[i] = i;
    Buffer<float> a(in), b(w * h);
    transpose<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(a, b, w, h);
    LAUNCHED();
    std::vector<float> o = b.get();
    bool right = true;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            right &= o[x * h + y] == in[y * w + x];
    EXPECT(right);
    for (dim3 block : {dim3(4, 3, 5), dim3(8, 4, 2), dim3(2, 2, 16), dim3(1, 7, 3)}) {
        dim3 grid(3, 2, 4);
        int n = block.x * block.y * block.z;
        Buffer<int> d(n * 24);
        where<<<grid, block>>>(d);
        LAUNCHED();
        std::vector<int> v = d.get();
        right = true;
        for (int i = 0; i < n * 24; i++) {
            int t = i % n, k = i / n;
            int e = t % block.x + 10 * (t / block.x % block.y) + 100 * (t / block.x / block.y) + 1000 * (k % 3) +
                    10000 * (k / 3 % 2) + 100000 * (k / 6);
            right &= v[i] == e;
        }
        EXPECT(right);
    }
    return DONE();
}
