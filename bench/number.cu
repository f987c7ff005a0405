// SPDX-License-Identifier: Apache-2.0
// Numerical work as CUDA programmers write it. number_omp.c has the same work as plain loops.
#include "bench.h"

__global__ void nbody(const float4 *p, float *out, int n, float eps)
{
    __shared__ float4 tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    float4 me = p[i];
    float ax = 0, ay = 0, az = 0;
    for (int t = 0; t < n / 256; t++) {
        tile[threadIdx.x] = p[t * 256 + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 256; j++) {
            float4 o = tile[j];
            float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
            float inv = rsqrtf(dx * dx + dy * dy + dz * dz + eps);
            float s = inv * inv * inv * o.w;
            ax += dx * s;
            ay += dy * s;
            az += dz * s;
        }
        __syncthreads();
    }
    out[i] = ax;
    out[i + n] = ay;
    out[i + 2 * n] = az;
}

__global__ void mandelbrot(int *out, int n, int limit, float f0, float f1)
{
    int px = blockIdx.x * 16 + threadIdx.x, py = blockIdx.y * 16 + threadIdx.y;
    float cx = px * f0 - 2.0f, cy = py * f1 - 1.25f, x = 0, y = 0;
    int it = 0;
    while (it < limit) {
        float x2 = x * x, y2 = y * y;
        if (!(x2 + y2 < 4.0f))
            break;
        y = (x + x) * y + cy;
        x = x2 - y2 + cx;
        it++;
    }
    out[py * n + px] = it;
}

__device__ float normal(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float c = 0.39894228040143267794f * expf(-0.5f * d * d) *
              (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1.0f - c : c;
}

__global__ void blackscholes(const float *price, const float *strike, const float *years, float *call, float *put,
                             int n, float rate, float volatility)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = price[i], x = strike[i], t = years[i], root = sqrtf(t);
        float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
        float d2 = d1 - volatility * root, c1 = normal(d1), c2 = normal(d2), e = expf(-rate * t);
        call[i] = s * c1 - x * e * c2;
        put[i] = x * e * (1.0f - c2) - s * (1.0f - c1);
    }
}

// Philox 4x32-10: numbers from a counter.
__device__ uint4 philox(uint4 c, uint2 key)
{
    for (int i = 0; i < 10; i++) {
        unsigned hi0 = __umulhi(0xD2511F53u, c.x), lo0 = 0xD2511F53u * c.x;
        unsigned hi1 = __umulhi(0xCD9E8D57u, c.z), lo1 = 0xCD9E8D57u * c.z;
        c = make_uint4(hi1 ^ c.y ^ key.x, lo1, hi0 ^ c.w ^ key.y, lo0);
        key.x += 0x9E3779B9u;
        key.y += 0xBB67AE85u;
    }
    return c;
}

// Each thread counts which of its points lie inside the circle.
__global__ void montecarlo(int *out, int rounds)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    int inside = 0;
    for (int r = 0; r < rounds; r++) {
        uint4 u = philox(make_uint4(i, r, 0, 0), make_uint2(1, 2));
        float x = (u.x >> 8) * 0x1p-24f, y = (u.y >> 8) * 0x1p-24f, z = (u.z >> 8) * 0x1p-24f,
              w = (u.w >> 8) * 0x1p-24f;
        inside += x * x + y * y < 1.0f;
        inside += z * z + w * w < 1.0f;
    }
    out[i] = inside;
}

__device__ float2 times(float2 a, float2 b)
{
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// 1024 complex values for each block of 256 threads: five passes by four, each from one order into the next.
__global__ void fft(const float2 *in, const float2 *root, float2 *out)
{
    __shared__ float2 s[1024];
    int t = threadIdx.x;
    const float2 *from = in + blockIdx.x * 1024;
    float2 v[4];
    for (int r = 0; r < 4; r++)
        v[r] = from[t + r * 256];
    for (int size = 1; size < 1024; size *= 4) {
        int k = t & (size - 1), step = 256 / size;
        if (size > 1)
            for (int r = 1; r < 4; r++)
                v[r] = times(v[r], root[r * k * step]);
        float2 a = make_float2(v[0].x + v[2].x, v[0].y + v[2].y), b = make_float2(v[0].x - v[2].x, v[0].y - v[2].y);
        float2 c = make_float2(v[1].x + v[3].x, v[1].y + v[3].y), d = make_float2(v[1].y - v[3].y, v[3].x - v[1].x);
        __syncthreads();
        int to = (t - k) * 4 + k;
        s[to] = make_float2(a.x + c.x, a.y + c.y);
        s[to + size] = make_float2(b.x + d.x, b.y + d.y);
        s[to + 2 * size] = make_float2(a.x - c.x, a.y - c.y);
        s[to + 3 * size] = make_float2(b.x - d.x, b.y - d.y);
        __syncthreads();
        for (int r = 0; r < 4; r++)
            v[r] = s[t + r * 256];
    }
    for (int r = 0; r < 4; r++)
        out[blockIdx.x * 1024 + t + r * 256] = v[r];
}

extern "C" {
void nbody_cuda(const struct problem *p)
{
    nbody<<<p->n / 256, 256>>>((const float4 *)p->a, p->out, p->n, p->f0);
}
void mandelbrot_cuda(const struct problem *p)
{
    mandelbrot<<<dim3(p->n / 16, p->n / 16), dim3(16, 16)>>>((int *)p->out, p->n, p->m, p->f0, p->f1);
}
void blackscholes_cuda(const struct problem *p)
{
    blackscholes<<<(p->n + 255) / 256, 256>>>(p->a, p->b, p->c, p->out, p->out2, p->n, p->f0, p->f1);
}
void montecarlo_cuda(const struct problem *p)
{
    montecarlo<<<p->n / 256, 256>>>((int *)p->out, p->m);
}
void fft_cuda(const struct problem *p)
{
    fft<<<p->n / 1024, 256>>>((const float2 *)p->a, (const float2 *)p->b, (float2 *)p->out);
}
}
