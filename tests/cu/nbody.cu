// SPDX-License-Identifier: Apache-2.0
// All-pairs forces with tiles of float4 in shared memory, against the host in double precision.
#include "check.h"

__global__ void forces(const float4 *p, float3 *out, int n, float eps)
{
    extern __shared__ float4 tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = p[i];
    float3 a = make_float3(0, 0, 0);
    for (int t = 0; t < n; t += blockDim.x) {
        tile[threadIdx.x] = p[t + threadIdx.x];
        __syncthreads();
#pragma unroll 4
        for (int j = 0; j < blockDim.x; j++) {
            float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
            float inv = rsqrtf(dx * dx + dy * dy + dz * dz + eps), s = tile[j].w * inv * inv * inv;
            a.x += dx * s;
            a.y += dy * s;
            a.z += dz * s;
        }
        __syncthreads();
    }
    out[i] = a;
}

int main()
{
    const int n = 512;
    std::vector<float4> p(n);
    unsigned s = 2;
    for (auto &b : p)
        b = make_float4(random_next(s) % 1000 / 500.f, random_next(s) % 1000 / 500.f, random_next(s) % 1000 / 500.f,
                        random_next(s) % 100 / 100.f);
    Buffer<float4> dp(p);
    Buffer<float3> da(n);
    for (int block : {64, 128, 256}) {
        forces<<<n / block, block, block * sizeof(float4)>>>(dp, da, n, 0.01f);
        LAUNCHED();
        std::vector<float3> a = da.get();
        double worst = 0;
        for (int i = 0; i < n; i++) {
            double x = 0, y = 0, z = 0;
            for (int j = 0; j < n; j++) {
                double dx = (double)p[j].x - p[i].x, dy = (double)p[j].y - p[i].y, dz = (double)p[j].z - p[i].z;
                double inv = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + 0.01f), w = p[j].w * inv * inv * inv;
                x += dx * w;
                y += dy * w;
                z += dz * w;
            }
            double scale = std::sqrt(x * x + y * y + z * z) + 1;
            worst = std::fmax(worst, (std::fabs(a[i].x - x) + std::fabs(a[i].y - y) + std::fabs(a[i].z - z)) / scale);
        }
        EXPECT(worst < 1e-4);
    }
    return DONE();
}
