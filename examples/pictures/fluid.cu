// SPDX-License-Identifier: Apache-2.0
// Smoke that rises: a fluid on a grid by Stam's method. Each step carries velocity and smoke along the flow (backwards, with linear interpolation),
// lets warm cells rise, and takes out the divergence by Jacobi iterations for the pressure.
// Picture: fluid.png
#include "../check.h"
#include "../picture.h"
#include <cmath>
#include <utility>
#include <vector>

constexpr int W = 160, H = 192, STEPS = 140, SWEEPS = 30;

__device__ int at(int x, int y)
{
    return min(max(y, 0), H - 1) * W + min(max(x, 0), W - 1);
}
__device__ float sample(const float *f, float x, float y)
{
    x = fminf(fmaxf(x, 0), W - 1.001f);
    y = fminf(fmaxf(y, 0), H - 1.001f);
    int i = (int)x, j = (int)y;
    float a = x - i, b = y - j;
    return (1 - b) * ((1 - a) * f[at(i, j)] + a * f[at(i + 1, j)]) +
           b * ((1 - a) * f[at(i, j + 1)] + a * f[at(i + 1, j + 1)]);
}
#define CELL int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * W + x

__global__ void advect(const float *u, const float *v, const float *from, float *to, float keep)
{
    CELL;
    to[i] = keep * sample(from, x - u[i], y - v[i]);
}
__global__ void force(float *u, float *v, float *smoke, int step)
{
    CELL;
    float dx = x - W / 2 - 14 * sinf(step * 0.08f), dy = y - 12;
    if (dx * dx + dy * dy < 60)
        smoke[i] = 1;
    v[i] += 0.05f * smoke[i];
    if (x == 0 || x == W - 1 || y == 0 || y == H - 1)
        u[i] = v[i] = 0;
}
__global__ void divergence(const float *u, const float *v, float *d)
{
    CELL;
    d[i] = 0.5f * (u[at(x + 1, y)] - u[at(x - 1, y)] + v[at(x, y + 1)] - v[at(x, y - 1)]);
}
__global__ void relax(const float *p, const float *d, float *out)
{
    CELL;
    out[i] = 0.25f * (p[at(x - 1, y)] + p[at(x + 1, y)] + p[at(x, y - 1)] + p[at(x, y + 1)] - d[i]);
}
__global__ void project(float *u, float *v, const float *p)
{
    CELL;
    u[i] -= 0.5f * (p[at(x + 1, y)] - p[at(x - 1, y)]);
    v[i] -= 0.5f * (p[at(x, y + 1)] - p[at(x, y - 1)]);
}

static double norm(const float *f)
{
    double sum = 0;
    for (int y = 2; y < H - 2; y++)
        for (int x = 2; x < W - 2; x++)
            sum += f[y * W + x] * f[y * W + x];
    return std::sqrt(sum);
}

int main()
{
    float *f[8]; // u, v, smoke, their next ones, divergence, pressure
    for (float *&p : f) {
        CHECK(cudaMallocManaged(&p, W * H * sizeof(float)));
        CHECK(cudaMemset(p, 0, W * H * sizeof(float)));
    }
    float *&u = f[0], *&v = f[1], *&smoke = f[2], *d = f[6], *&p = f[7];
    dim3 block(32, 4), grid(W / 32, H / 4);
    double before = 0;
    for (int s = 0; s < STEPS; s++) {
        force<<<grid, block>>>(u, v, smoke, s);
        divergence<<<grid, block>>>(u, v, d);
        if (s == STEPS - 1) {
            CHECK(cudaDeviceSynchronize());
            before = norm(d);
        }
        for (int k = 0; k < SWEEPS; k++, std::swap(p, f[3]))
            relax<<<grid, block>>>(p, d, f[3]);
        project<<<grid, block>>>(u, v, p);
        if (s == STEPS - 1)
            break;
        advect<<<grid, block>>>(u, v, u, f[3], 1);
        advect<<<grid, block>>>(u, v, v, f[4], 1);
        advect<<<grid, block>>>(u, v, smoke, f[5], 0.996f);
        for (int k = 0; k < 3; k++)
            std::swap(f[k], f[3 + k]);
    }
    divergence<<<grid, block>>>(u, v, d);
    CHECK(cudaDeviceSynchronize());
    double after = norm(d), height = 0;
    bool sane = true;
    std::vector<uint8_t> rgb(3 * W * H);
    for (int i = 0; i < W * H; i++) {
        sane = sane && smoke[i] >= 0 && smoke[i] <= 1.0001f;
        if (smoke[i] > 0.1f)
            height = std::max(height, (double)(i / W));
        int t = (int)(60 * smoke[(H - 1 - i / W) * W + i % W]);
        rgb[3 * i] = (uint8_t)std::min(255, 10 + t * 6), rgb[3 * i + 1] = (uint8_t)(12 + t * 3),
                rgb[3 * i + 2] = (uint8_t)(30 + t);
    }
    printf("divergence %.3f -> %.3f, the smoke rose to row %.0f of %d\n", before, after, height, H);
    CHECK(picture_write("fluid.png", rgb.data(), W, H));
    return verdict(sane && after < 0.7 * before && height > 60);
}
