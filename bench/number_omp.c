// SPDX-License-Identifier: Apache-2.0
// The work of number.cu as plain C loops with OpenMP.
#include "bench.h"
#include <math.h>
#include <stdint.h>

void nbody_omp(const struct problem *p)
{
    int n = p->n;
    const float *restrict q = p->a;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float x = q[4 * i], y = q[4 * i + 1], z = q[4 * i + 2], ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
        for (int j = 0; j < n; j++) {
            float dx = q[4 * j] - x, dy = q[4 * j + 1] - y, dz = q[4 * j + 2] - z;
            float inv = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + p->f0), s = inv * inv * inv * q[4 * j + 3];
            ax += dx * s;
            ay += dy * s;
            az += dz * s;
        }
        p->out[i] = ax;
        p->out[i + n] = ay;
        p->out[i + 2 * n] = az;
    }
}

void mandelbrot_omp(const struct problem *p)
{
    int n = p->n, *out = (int *)p->out;
#pragma omp parallel for schedule(dynamic, 8)
    for (int py = 0; py < n; py++)
        for (int px = 0; px < n; px++) {
            float cx = (float)px * p->f0 - 2.0f, cy = (float)py * p->f1 - 1.25f, x = 0, y = 0;
            int it = 0;
            while (it < p->m) {
                float x2 = x * x, y2 = y * y;
                if (!(x2 + y2 < 4.0f))
                    break;
                y = (x + x) * y + cy;
                x = x2 - y2 + cx;
                it++;
            }
            out[py * n + px] = it;
        }
}

static inline float normal(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float c = 0.39894228040143267794f * expf(-0.5f * d * d) *
              (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1.0f - c : c;
}

void blackscholes_omp(const struct problem *p)
{
#pragma omp parallel for simd
    for (int i = 0; i < p->n; i++) {
        float s = p->a[i], x = p->b[i], t = p->c[i], root = sqrtf(t), v = p->f1;
        float d1 = (logf(s / x) + (p->f0 + 0.5f * v * v) * t) / (v * root), d2 = d1 - v * root;
        float c1 = normal(d1), c2 = normal(d2), e = expf(-p->f0 * t);
        p->out[i] = s * c1 - x * e * c2;
        p->out2[i] = x * e * (1.0f - c2) - s * (1.0f - c1);
    }
}

void montecarlo_omp(const struct problem *p)
{
    int *out = (int *)p->out, rounds = p->m;
#pragma omp parallel for simd
    for (int i = 0; i < p->n; i++) {
        int inside = 0;
        for (int r = 0; r < rounds; r++) {
            uint32_t x = (uint32_t)i, y = (uint32_t)r, z = 0, w = 0, k0 = 1, k1 = 2;
            for (int j = 0; j < 10; j++) {
                uint64_t a = (uint64_t)0xD2511F53u * x, b = (uint64_t)0xCD9E8D57u * z;
                x = (uint32_t)(b >> 32) ^ y ^ k0;
                y = (uint32_t)b;
                z = (uint32_t)(a >> 32) ^ w ^ k1;
                w = (uint32_t)a;
                k0 += 0x9E3779B9u;
                k1 += 0xBB67AE85u;
            }
            float fx = (float)(int)(x >> 8) * 0x1p-24f, fy = (float)(int)(y >> 8) * 0x1p-24f;
            float fz = (float)(int)(z >> 8) * 0x1p-24f, fw = (float)(int)(w >> 8) * 0x1p-24f;
            inside += (fx * fx + fy * fy < 1.0f) + (fz * fz + fw * fw < 1.0f);
        }
        out[i] = inside;
    }
}

// One pass by four over 1024 complex values; 'size' is a constant where it is inlined.
static inline __attribute__((always_inline)) void fft_pass(const float *restrict in, const float *restrict root,
                                                           float *restrict out, int size)
{
    int step = 256 / size;
    for (int t = 0; t < 256; t += size)
#pragma omp simd
        for (int k = 0; k < size; k++) {
            float x[4], y[4];
            for (int r = 0; r < 4; r++) {
                float re = in[2 * (t + k + r * 256)], im = in[2 * (t + k + r * 256) + 1];
                float wr = root[2 * r * k * step], wi = root[2 * r * k * step + 1];
                x[r] = re * wr - im * wi;
                y[r] = re * wi + im * wr;
            }
            float ax = x[0] + x[2], ay = y[0] + y[2], bx = x[0] - x[2], by = y[0] - y[2];
            float cx = x[1] + x[3], cy = y[1] + y[3], dx = y[1] - y[3], dy = x[3] - x[1];
            float *o = out + 2 * (t * 4 + k);
            o[0] = ax + cx;
            o[1] = ay + cy;
            o[2 * size] = bx + dx;
            o[2 * size + 1] = by + dy;
            o[4 * size] = ax - cx;
            o[4 * size + 1] = ay - cy;
            o[6 * size] = bx - dx;
            o[6 * size + 1] = by - dy;
        }
}

void fft_omp(const struct problem *p)
{
#pragma omp parallel for
    for (int b = 0; b < p->n / 1024; b++) {
        float s[2048], u[2048], *out = p->out + b * 2048;
        fft_pass(p->a + b * 2048, p->b, s, 1);
        fft_pass(s, p->b, u, 4);
        fft_pass(u, p->b, s, 16);
        fft_pass(s, p->b, u, 64);
        fft_pass(u, p->b, out, 256);
    }
}
