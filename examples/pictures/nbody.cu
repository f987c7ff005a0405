// SPDX-License-Identifier: Apache-2.0
// Two discs of bodies that attract each other and fall together: every body feels every other one. A block brings a tile of bodies into shared
// memory, and each of its threads adds up what they do to its own. What must hold whatever the bodies do: momentum, and energy within a little.
// Picture: nbody.png
#include "../check.h"
#include "../picture.h"
#include <cmath>
#include <vector>

constexpr int N = 1024, TILE = 128, STEPS = 60, W = 240, H = 160;
constexpr float SOFT = 0.02f, STEP = 0.01f;

__global__ void accelerate(const float4 *body, float4 *velocity, float step)
{
    __shared__ float4 tile[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    float4 me = body[i], v = velocity[i];
    float3 a = {0, 0, 0};
    for (int first = 0; first < N; first += TILE) {
        tile[threadIdx.x] = body[first + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            float x = tile[k].x - me.x, y = tile[k].y - me.y, z = tile[k].z - me.z;
            float r = rsqrtf(x * x + y * y + z * z + SOFT), f = tile[k].w * r * r * r;
            a.x += x * f;
            a.y += y * f;
            a.z += z * f;
        }
        __syncthreads();
    }
    velocity[i] = make_float4(v.x + step * a.x, v.y + step * a.y, v.z + step * a.z, 0);
}
__global__ void move(float4 *body, const float4 *velocity, float step)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    body[i].x += step * velocity[i].x;
    body[i].y += step * velocity[i].y;
    body[i].z += step * velocity[i].z;
}

static double energy(const float4 *b, const float4 *v)
{
    double e = 0;
    for (int i = 0; i < N; i++) {
        e += 0.5 * b[i].w * (v[i].x * v[i].x + v[i].y * v[i].y + v[i].z * v[i].z);
        for (int k = 0; k < i; k++) {
            double x = b[i].x - b[k].x, y = b[i].y - b[k].y, z = b[i].z - b[k].z;
            e -= b[i].w * b[k].w / std::sqrt(x * x + y * y + z * z + SOFT);
        }
    }
    return e;
}
static float random_float(unsigned &state)
{
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) / 16777216.0f;
}
static void start(float4 *b, float4 *v)
{
    unsigned state = 1;
    for (int i = 0; i < N; i++) {
        float side = i % 2 ? 1.0f : -1.0f, r = 0.1f + 0.5f * std::sqrt(random_float(state));
        float angle = 6.2831853f * random_float(state), speed = 0.6f * std::sqrt(r);
        b[i] = make_float4(side * 0.9f + r * std::cos(angle), side * 0.25f + r * std::sin(angle),
                           0.05f * random_float(state), 1.0f / N);
        v[i] = make_float4(-speed * std::sin(angle) - side * 0.25f, speed * std::cos(angle), 0, 0);
    }
}
static void draw(const float4 *b)
{
    std::vector<int> count(W * H);
    std::vector<uint8_t> rgb(3 * W * H);
    for (int i = 0; i < N; i++) {
        int x = (int)(W / 2 + b[i].x * 70), y = (int)(H / 2 - b[i].y * 70);
        if (x >= 0 && x < W && y >= 0 && y < H)
            count[y * W + x] += i % 2 ? 1 : 256;
    }
    for (int i = 0; i < W * H; i++) {
        int warm = std::min(count[i] & 255, 3), cold = std::min(count[i] >> 8, 3);
        rgb[3 * i] = (uint8_t)(85 * warm);
        rgb[3 * i + 1] = (uint8_t)(40 * (warm + cold));
        rgb[3 * i + 2] = (uint8_t)(20 + 75 * cold);
    }
    CHECK(picture_write("nbody.png", rgb.data(), W, H));
}

int main()
{
    float4 *b, *v;
    CHECK(cudaMallocManaged(&b, N * sizeof *b));
    CHECK(cudaMallocManaged(&v, N * sizeof *v));
    start(b, v);
    double before = energy(b, v), px = 0;
    for (int i = 0; i < N; i++)
        px += v[i].x;
    accelerate<<<N / TILE, TILE>>>(b, v, STEP / 2); // leapfrog: velocities are half a step ahead
    for (int s = 0; s < STEPS; s++) {
        move<<<N / TILE, TILE>>>(b, v, STEP);
        accelerate<<<N / TILE, TILE>>>(b, v, s + 1 < STEPS ? STEP : STEP / 2);
    }
    CHECK(cudaDeviceSynchronize());
    double after = energy(b, v);
    for (int i = 0; i < N; i++)
        px -= v[i].x;
    double drift = std::fabs(after / before - 1);
    printf("energy %.5f -> %.5f (drift %.4f), momentum changed by %.1e\n", before, after, drift, std::fabs(px) / N);
    draw(b);
    return verdict(drift < 0.01 && std::fabs(px) / N < 1e-5);
}
