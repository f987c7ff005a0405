// SPDX-License-Identifier: Apache-2.0
// The Mandelbrot set: one thread a pixel. Threads of a warp leave the loop at different times, so this is the kernel for masks.
// Picture: mandelbrot.png
#include "../check.h"
#include "../picture.h"
#include <cmath>
#include <vector>

constexpr int W = 280, H = 180, LIMIT = 400;

__host__ __device__ int iterations(float cx, float cy)
{
    float x = 0, y = 0;
    int n = 0;
    while (n < LIMIT && x * x + y * y <= 4) {
        float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        n++;
    }
    return n;
}
__host__ __device__ float real_of(int px)
{
    return -2.1f + 2.8f * (float)px / W;
}
__host__ __device__ float imaginary_of(int py)
{
    return -0.9f + 1.8f * (float)py / H;
}

__global__ void mandelbrot(int *out)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px < W && py < H)
        out[py * W + px] = iterations(real_of(px), imaginary_of(py));
}

static void draw(const std::vector<int> &n)
{
    std::vector<uint8_t> rgb(3 * n.size());
    for (size_t i = 0; i < n.size(); i++) {
        float t = n[i] == LIMIT ? 0 : std::log2((float)n[i] + 1) / std::log2((float)LIMIT);
        rgb[3 * i] = (uint8_t)(255 * t * t);
        rgb[3 * i + 1] = (uint8_t)(200 * t);
        rgb[3 * i + 2] = (uint8_t)(255 * std::sqrt(t) * (1.2f - t) / 1.2f);
    }
    CHECK(picture_write("mandelbrot.png", rgb.data(), W, H));
}

int main()
{
    std::vector<int> n(W * H);
    int *device;
    CHECK(cudaMalloc(&device, n.size() * sizeof(int)));
    dim3 block(32, 8);
    mandelbrot<<<dim3((W + 31) / 32, (H + 7) / 8), block>>>(device);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(n.data(), device, n.size() * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device));

    // The host rounds products on their own, the kernel may fuse them: near the rim a pixel may differ.
    long inside = 0, differ = 0;
    for (int i = 0; i < W * H; i++) {
        inside += n[i] == LIMIT;
        differ += std::abs(n[i] - iterations(real_of(i % W), imaginary_of(i / W))) > 1;
    }
    double area = (double)inside / (W * H) * 2.8 * 1.8;
    printf("area %.3f (the set's is 1.507), %ld of %d pixels differ from the host's\n", area, differ, W * H);
    draw(n);
    return verdict(std::fabs(area - 1.507) < 0.05 && differ < W * H / 50);
}
