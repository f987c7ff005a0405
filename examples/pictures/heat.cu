// SPDX-License-Identifier: Apache-2.0
// Heat in a plate with cold edges, by an explicit scheme. A sum of two waves cools exactly as the scheme's own eigenvalues say, so the result is
// known to the last digits; a block reads its tile with a rim into shared memory.
// Picture: heat.png
#include "../check.h"
#include "../picture.h"
#include <cmath>
#include <utility>
#include <vector>

constexpr int N = 192, TX = 32, TY = 8, STEPS = 600; // N x N points inside, a rim of zeros around them
constexpr float RATE = 0.2f;
constexpr double PI = 3.14159265358979;

__global__ void step(const float *from, float *to)
{
    __shared__ float tile[TY + 2][TX + 2];
    int x = blockIdx.x * TX + threadIdx.x + 1, y = blockIdx.y * TY + threadIdx.y + 1, w = N + 2;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    tile[ty][tx] = from[y * w + x];
    if (tx == 1)
        tile[ty][0] = from[y * w + x - 1];
    if (tx == TX)
        tile[ty][TX + 1] = from[y * w + x + 1];
    if (ty == 1)
        tile[0][tx] = from[(y - 1) * w + x];
    if (ty == TY)
        tile[TY + 1][tx] = from[(y + 1) * w + x];
    __syncthreads();
    float sum = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx];
    to[y * w + x] = tile[ty][tx] + RATE * (sum - 4 * tile[ty][tx]);
}

// A wave of a x b half periods, and what a step leaves of it.
static double wave(int x, int y, int a, int b)
{
    return std::sin(PI * a * x / (N + 1)) * std::sin(PI * b * y / (N + 1));
}
static double factor(int a, int b)
{
    return 1 + RATE * (2 * std::cos(PI * a / (N + 1)) + 2 * std::cos(PI * b / (N + 1)) - 4);
}

int main()
{
    const size_t cells = (N + 2) * (N + 2);
    float *a, *b;
    CHECK(cudaMallocManaged(&a, cells * sizeof *a));
    CHECK(cudaMallocManaged(&b, cells * sizeof *b));
    for (size_t i = 0; i < cells; i++)
        a[i] = b[i] = 0;
    for (int y = 1; y <= N; y++)
        for (int x = 1; x <= N; x++)
            a[y * (N + 2) + x] = (float)(wave(x, y, 1, 2) + 0.8 * wave(x, y, 9, 7));
    for (int s = 0; s < STEPS; s++, std::swap(a, b))
        step<<<dim3(N / TX, N / TY), dim3(TX, TY)>>>(a, b);
    CHECK(cudaDeviceSynchronize());

    double slow = std::pow(factor(1, 2), STEPS), fast = 0.8 * std::pow(factor(9, 7), STEPS), worst = 0;
    std::vector<uint8_t> rgb(3 * N * N);
    for (int y = 1; y <= N; y++)
        for (int x = 1; x <= N; x++) {
            double t = a[y * (N + 2) + x], want = slow * wave(x, y, 1, 2) + fast * wave(x, y, 9, 7);
            worst = std::fmax(worst, std::fabs(t - want));
            int shade = (int)(20 + 20 * t) * 6; // forty shades from cold to warm
            uint8_t *c = &rgb[3 * ((y - 1) * N + x - 1)];
            c[0] = (uint8_t)shade, c[1] = (uint8_t)(60 + shade / 4), c[2] = (uint8_t)(240 - shade);
        }
    printf("%d steps, largest error %.1e\n", STEPS, worst);
    CHECK(picture_write("heat.png", rgb.data(), N, N));
    return verdict(worst < 1e-4);
}
