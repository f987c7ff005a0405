// SPDX-License-Identifier: Apache-2.0
// A ray tracer: spheres over a chequered floor, with shadows and mirror images. The scene lies in constant memory; a ray that is reflected goes on in
// the same loop, so that there is no recursion.
// Picture: raytracer.png
#include "../check.h"
#include "../picture.h"
#include <cmath>
#include <vector>

constexpr int W = 240, H = 150, SPHERES = 5, BOUNCES = 4;

struct vec {
    float x, y, z;
};
#define BOTH __host__ __device__ inline
BOTH vec operator+(vec a, vec b)
{
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
BOTH vec operator-(vec a, vec b)
{
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
BOTH vec operator*(float s, vec a)
{
    return {s * a.x, s * a.y, s * a.z};
}
BOTH float dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
BOTH vec unit(vec a)
{
    return (1 / sqrtf(dot(a, a))) * a;
}

struct sphere {
    vec centre;
    float radius;
    vec colour;
    float mirror;
};
__constant__ sphere scene[SPHERES];

// The distance to the sphere along the ray, or a large one.
BOTH float hit(const sphere &s, vec from, vec along)
{
    vec to = s.centre - from;
    float b = dot(to, along), d = b * b - dot(to, to) + s.radius * s.radius;
    if (d < 0)
        return 1e30f;
    float root = sqrtf(d), t = b - root > 1e-3f ? b - root : b + root;
    return t > 1e-3f ? t : 1e30f;
}

BOTH vec trace(const sphere *s, vec from, vec along)
{
    const vec light = unit({0.6f, 0.9f, -0.5f});
    vec sum = {0, 0, 0};
    float weight = 1;
    for (int bounce = 0; bounce < BOUNCES && weight > 0.02f; bounce++) {
        float nearest = along.y < 0 ? -from.y / along.y : 1e30f;
        int what = nearest < 1e30f ? -1 : -2; // the floor, the sky
        for (int k = 0; k < SPHERES; k++) {
            float t = hit(s[k], from, along);
            if (t < nearest)
                nearest = t, what = k;
        }
        if (what == -2 || nearest > 60)
            return sum + weight * ((1 - along.y) * vec{0.75f, 0.85f, 1} + along.y * vec{0.25f, 0.45f, 0.9f});
        vec p = from + nearest * along, n = {0, 1, 0}, colour = {0.85f, 0.85f, 0.8f};
        float mirror = 0.15f;
        if (what >= 0)
            n = unit(p - s[what].centre), colour = s[what].colour, mirror = s[what].mirror;
        else if (((int)floorf(p.x) + (int)floorf(p.z)) & 1)
            colour = {0.2f, 0.25f, 0.3f};
        float lit = fmaxf(dot(n, light), 0);
        for (int k = 0; k < SPHERES; k++)
            if (hit(s[k], p, light) < 1e30f)
                lit = 0;
        sum = sum + (weight * (1 - mirror) * (0.25f + 0.75f * lit)) * colour;
        weight *= mirror;
        along = along - (2 * dot(along, n)) * n;
        from = p + 1e-3f * n;
    }
    return sum;
}
BOTH vec pixel(const sphere *s, int x, int y)
{
    vec sum = {0, 0, 0};
    for (int k = 0; k < 4; k++) { // four rays each
        float px = (x + (k & 1) * 0.5f - W / 2) / (W / 2.0f), py = (H / 2 - y - (k >> 1) * 0.5f) / (W / 2.0f);
        sum = sum + trace(s, {0, 1.6f, -6}, unit({px, py - 0.12f, 1.6f}));
    }
    return 0.25f * sum;
}
__global__ void render(vec *image)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < W && y < H)
        image[y * W + x] = pixel(scene, x, y);
}

int main()
{
    const sphere host[SPHERES] = {{{0, 1, 0}, 1, {0.9f, 0.3f, 0.2f}, 0.25f},
                                  {{-2, 0.7f, -0.8f}, 0.7f, {0.2f, 0.6f, 0.3f}, 0.3f},
                                  {{1.9f, 0.8f, -0.4f}, 0.8f, {0.95f, 0.95f, 0.95f}, 0.85f},
                                  {{0.7f, 0.35f, -2}, 0.35f, {0.9f, 0.7f, 0.1f}, 0.2f},
                                  {{-0.9f, 0.3f, -2.1f}, 0.3f, {0.3f, 0.4f, 0.9f}, 0.3f}};
    vec *image;
    CHECK(cudaMemcpyToSymbol(scene, host, sizeof host));
    CHECK(cudaMallocManaged(&image, W * H * sizeof *image));
    render<<<dim3((W + 15) / 16, (H + 7) / 8), dim3(16, 8)>>>(image);
    CHECK(cudaDeviceSynchronize());

    std::vector<uint8_t> rgb(3 * W * H);
    int differ = 0, compared = 0;
    for (int i = 0; i < W * H; i++) {
        const float c[3] = {image[i].x, image[i].y, image[i].z};
        for (int k = 0; k < 3; k++)
            rgb[3 * i + k] = (uint8_t)(255 * std::sqrt(std::fmin(std::fmax(c[k], 0), 1)));
        if (i % 7)
            continue;
        vec want = pixel(host, i % W, i / W), d = image[i] - want;
        compared++;
        differ += dot(d, d) > 1e-4f; // at an edge a ray may hit on one side and miss on the other
    }
    printf("%d of %d pixels differ from the host's\n", differ, compared);
    CHECK(picture_write("raytracer.png", rgb.data(), W, H));
    return verdict(differ <= compared / 100);
}
