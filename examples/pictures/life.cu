// SPDX-License-Identifier: Apache-2.0
// Conway's game of life: a gun that shoots gliders, next to a field of noise. Every generation is compared with one that the host makes.
// Picture: life.png
#include "../check.h"
#include "../picture.h"
#include <cstring>
#include <utility>
#include <vector>

constexpr int W = 256, H = 160, STEPS = 200;

__host__ __device__ inline uint8_t next(const uint8_t *cell, int x, int y)
{
    int n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            n += (dx || dy) && cell[(y + dy + H) % H * W + (x + dx + W) % W];
    return n == 3 || (n == 2 && cell[y * W + x]);
}
__global__ void generation(const uint8_t *from, uint8_t *to, int *age)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * W + x;
    to[i] = next(from, x, y);
    age[i] = to[i] ? 0 : age[i] + 1;
}

static void start(uint8_t *cell)
{
    static const char *const gun[] = {"........................#...........", "......................#.#...........",
                                      "............##......##............##", "...........#...#....##............##",
                                      "##........#.....#...##..............", "##........#...#.##....#.#...........",
                                      "..........#.....#.......#...........", "...........#...#....................",
                                      "............##......................"};
    memset(cell, 0, W * H);
    for (int y = 0; y < 9; y++)
        for (int x = 0; x < 36; x++)
            cell[(y + 10) * W + x + 10] = gun[y][x] == '#';
    unsigned state = 7;
    for (int y = 60; y < H - 20; y++)
        for (int x = 150; x < W - 10; x++) {
            state = state * 1664525u + 1013904223u;
            cell[y * W + x] = state >> 30 == 0;
        }
}

int main()
{
    uint8_t *a, *b;
    int *age;
    CHECK(cudaMallocManaged(&a, W * H));
    CHECK(cudaMallocManaged(&b, W * H));
    CHECK(cudaMallocManaged(&age, W * H * sizeof *age));
    start(a);
    for (int i = 0; i < W * H; i++)
        age[i] = 1000;
    std::vector<uint8_t> want(a, a + W * H), other(W * H);
    bool right = true;
    for (int s = 0; s < STEPS && right; s++) {
        generation<<<dim3(W / 32, H / 8), dim3(32, 8)>>>(a, b, age);
        for (int i = 0; i < W * H; i++) // while the kernel runs
            other[i] = next(want.data(), i % W, i / W);
        want.swap(other);
        std::swap(a, b);
        CHECK(cudaDeviceSynchronize());
        right = !memcmp(a, want.data(), W * H);
    }
    int alive = 0;
    std::vector<uint8_t> rgb(3 * W * H);
    for (int i = 0; i < W * H; i++) {
        int t = age[i] < 40 ? 40 - age[i] : 0; // what has died fades away
        alive += a[i];
        rgb[3 * i] = a[i] ? 255 : (uint8_t)(10 + t), rgb[3 * i + 1] = a[i] ? 230 : (uint8_t)(14 + t * 2),
                rgb[3 * i + 2] = a[i] ? 120 : (uint8_t)(30 + t * 3);
    }
    printf("%d generations, %d cells alive\n", STEPS, alive);
    CHECK(picture_write("life.png", rgb.data(), W, H));
    return verdict(right && alive > 36);
}
