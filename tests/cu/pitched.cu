// SPDX-License-Identifier: Apache-2.0
// cudaMallocPitch, cudaMalloc3D and the 2D and 3D copies.
#include "check.h"

__global__ void twice(char *base, size_t pitch, int w, int h)
{
    for (int r = blockIdx.x; r < h; r += gridDim.x) {
        float *row = (float *)(base + r * pitch);
        for (int c = threadIdx.x; c < w; c += blockDim.x)
            row[c] = row[c] * 2;
    }
}

__global__ void index3(cudaPitchedPtr p, int w, int h, int d)
{
    size_t slice = p.pitch * h;
    for (int z = 0; z < d; z++)
        for (int y = 0; y < h; y++) {
            float *row = (float *)((char *)p.ptr + z * slice + y * p.pitch);
            for (int x = threadIdx.x; x < w; x += blockDim.x)
                row[x] = x + 100 * y + 10000 * z;
        }
}

int main()
{
    const int w = 67, h = 41;
    std::vector<float> a(w * h), b(w * h);
    for (int i = 0; i < w * h; i++)
        a[i] = i;
    char *dev;
    size_t pitch;
    OK(cudaMallocPitch(&dev, &pitch, w * sizeof(float), h));
    EXPECT(pitch >= w * sizeof(float) && pitch % 32 == 0);
    OK(cudaMemcpy2D(dev, pitch, a.data(), w * 4, w * 4, h, cudaMemcpyHostToDevice));
    twice<<<16, 32>>>(dev, pitch, w, h);
    LAUNCHED();
    OK(cudaMemcpy2D(b.data(), w * 4, dev, pitch, w * 4, h, cudaMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < w * h; i++)
        right &= b[i] == 2 * a[i];
    EXPECT(right);
    OK(cudaMemset2D(dev, pitch, 0, w * 4, h - 1));
    OK(cudaMemcpy2D(b.data(), w * 4, dev, pitch, w * 4, h, cudaMemcpyDeviceToHost));
    EXPECT(b[0] == 0 && b[w * (h - 1) - 1] == 0 && b[w * h - 1] == 2 * a[w * h - 1]);
    OK(cudaFree(dev));

    const int d = 5;
    cudaExtent e = make_cudaExtent(w * sizeof(float), h, d);
    cudaPitchedPtr p;
    OK(cudaMalloc3D(&p, e));
    OK(cudaMemset3D(p, 0, e));
    index3<<<1, 64>>>(p, w, h, d);
    LAUNCHED();
    std::vector<float> c(w * h * d);
    cudaMemcpy3DParms m = {};
    m.srcPtr = p;
    m.dstPtr = make_cudaPitchedPtr(c.data(), w * 4, w, h);
    m.extent = e;
    m.kind = cudaMemcpyDeviceToHost;
    OK(cudaMemcpy3D(&m));
    right = true;
    for (int z = 0; z < d; z++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
                right &= c[(z * h + y) * w + x] == x + 100 * y + 10000 * z;
    EXPECT(right);
    OK(cudaFree(p.ptr));
    return DONE();
}
