// The same work as plain C loops with OpenMP, as a C programmer would write it first.
#include "bench.h"
#include <math.h>
#include <string.h>

void saxpy_omp(const struct problem *p)
{
    const float *restrict x = p->a;
    float *restrict y = p->out, a = p->f0;
#pragma omp parallel for simd
    for (int i = 0; i < p->n; i++)
        y[i] = a * x[i] + y[i];
}

void matmul_omp(const struct problem *p)
{
    int n = p->n;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float *restrict c = p->out + (long)i * n;
        memset(c, 0, sizeof(float) * (size_t)n);
        for (int k = 0; k < n; k++) {
            float a = p->a[(long)i * n + k];
            const float *restrict b = p->b + (long)k * n;
            for (int j = 0; j < n; j++)
                c[j] += a * b[j];
        }
    }
}

void reduce_omp(const struct problem *p) // one sum for each 256 values, as the CUDA form gives
{
#pragma omp parallel for
    for (int b = 0; b < p->n / 256; b++) {
        float s = 0;
#pragma omp simd reduction(+ : s)
        for (int i = 0; i < 256; i++)
            s += p->a[b * 256 + i];
        p->out[b] = s;
    }
}

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

void stencil_omp(const struct problem *p)
{
    int nx = p->n, ny = p->m;
#pragma omp parallel for
    for (int y = 1; y < ny - 1; y++) {
        const float *restrict q = p->a + (long)y * nx;
        float *restrict o = p->out + (long)y * nx;
#pragma omp simd
        for (int x = 1; x < nx - 1; x++)
            o[x] = p->f0 * q[x] + p->f1 * ((q[x - 1] + q[x + 1]) + (q[x - nx] + q[x + nx]));
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

void shuffle_omp(const struct problem *p)
{
    reduce_omp(p);
}
