// SPDX-License-Identifier: Apache-2.0
// The same work as SIMD by hand, block for block as a good generator could emit it: vectors of W lanes with the
// compiler's vector extensions, barriers as loops over the gangs of a block. parallel.c runs the blocks on all cores.
#include "bench.h"
#include <string.h>
#if defined(__aarch64__)
#include <arm_neon.h>
#endif

#if defined(__AVX2__) && !defined(__AVX512F__)
enum { W = 8 };
#else
enum { W = 16 };
#endif
enum { GANGS = 256 / W };
typedef float vf __attribute__((ext_vector_type(W)));
typedef int vi __attribute__((ext_vector_type(W)));
typedef unsigned vu __attribute__((ext_vector_type(W)));
#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("clang loop unroll(full)")

INLINE vf load(const float *p)
{
    vf v;
    memcpy(&v, p, sizeof v);
    return v;
}
INLINE void store(float *p, vf v)
{
    memcpy(p, &v, sizeof v);
}
INLINE vf splat(float x)
{
    return (vf)x;
}
INLINE vi iota(void)
{
    vi v;
    for (int l = 0; l < W; l++)
        v[l] = l;
    return v;
}
INLINE int any(vi m)
{
    return __builtin_reduce_max((vu)m) != 0;
}
INLINE vf blend(vi m, vf a, vf b)
{
    return (vf)((m & (vi)a) | (~m & (vi)b));
}
INLINE vf fma_v(vf a, vf b, vf c)
{
    return __builtin_elementwise_fma(a, b, c);
}
INLINE void store_masked(float *p, vf v, vi m)
{
    UNROLL
    for (int l = 0; l < W; l++)
        if (m[l])
            p[l] = v[l];
}
INLINE vf load_masked(const float *p, vi m)
{
    vf v = 0;
    UNROLL
    for (int l = 0; l < W; l++)
        if (m[l])
            v[l] = p[l];
    return v;
}
INLINE void barrier(void)
{
    __asm__ volatile("" ::: "memory");
}

void saxpy_block(const struct problem *p, int b)
{
    for (int i = b * 256; i < b * 256 + 256; i += W) {
        if (__builtin_expect(i + W <= p->n, 1)) {
            store(p->out + i, fma_v(splat(p->f0), load(p->a + i), load(p->out + i)));
        } else {
            vi m = (iota() + i) < p->n;
            if (any(m))
                store_masked(p->out + i, fma_v(splat(p->f0), load_masked(p->a + i, m), load_masked(p->out + i, m)), m);
        }
    }
}

void matmul_block(const struct problem *p, int b)
{
    int n = p->n, bx = b % (n / 16), by = b / (n / 16);
    float as[256], bs[256];
    vf sum[GANGS];
    for (int g = 0; g < GANGS; g++)
        sum[g] = 0;
    for (int t = 0; t < n / 16; t++) {
        for (int g = 0; g < GANGS; g++) {
            int ty = g * W / 16, tx = g * W % 16;
            store(as + g * W, load(p->a + (by * 16 + ty) * n + t * 16 + tx));
            store(bs + g * W, load(p->b + (t * 16 + ty) * n + bx * 16 + tx));
        }
        barrier();
        for (int g = 0; g < GANGS; g++) {
            int ty = g * W / 16, tx = g * W % 16;
            vf s = sum[g];
            UNROLL
            for (int k = 0; k < 16; k++)
                s = fma_v(splat(as[ty * 16 + k]), load(bs + k * 16 + tx), s);
            sum[g] = s;
        }
        barrier();
    }
    for (int g = 0; g < GANGS; g++)
        store(p->out + (by * 16 + g * W / 16) * n + bx * 16 + g * W % 16, sum[g]);
}

void reduce_block(const struct problem *p, int b)
{
    float s[256 + W];
    for (int i = 0; i < 256; i += W)
        store(s + i, load(p->a + b * 256 + i));
    barrier();
    for (int k = 128; k > 0; k >>= 1) {
        for (int i = 0; i < k; i += W) {
            if (i + W <= k)
                store(s + i, load(s + i) + load(s + i + k));
            else
                store(s + i, blend((iota() + i) < k, load(s + i) + load(s + i + k), load(s + i)));
        }
        barrier();
    }
    p->out[b] = s[0];
}

INLINE vf rsqrt_v(vf x)
{
#if defined(__aarch64__)
    float32x4_t t[W / 4];
    memcpy(t, &x, sizeof x);
    UNROLL
    for (int i = 0; i < W / 4; i++) {
        float32x4_t e = vrsqrteq_f32(t[i]);
        e = vmulq_f32(e, vrsqrtsq_f32(vmulq_f32(t[i], e), e));
        t[i] = vmulq_f32(e, vrsqrtsq_f32(vmulq_f32(t[i], e), e));
    }
    memcpy(&x, t, sizeof x);
    return x;
#else
    vf y = (vf)((vi)0x5f375a86 - ((vi)x >> 1));
    y = y * (1.5f - 0.5f * x * y * y);
    y = y * (1.5f - 0.5f * x * y * y);
    return y * (1.5f - 0.5f * x * y * y);
#endif
}

struct body {
    vf x, y, z, ax, ay, az;
};

void nbody_block(const struct problem *p, int b)
{
    int n = p->n;
    float tile[1024];
    struct body f[GANGS];
    for (int g = 0; g < GANGS; g++) {
        for (int l = 0; l < W; l++) {
            const float *q = p->a + (b * 256 + g * W + l) * 4;
            f[g].x[l] = q[0];
            f[g].y[l] = q[1];
            f[g].z[l] = q[2];
        }
        f[g].ax = f[g].ay = f[g].az = 0;
    }
    for (int t = 0; t < n / 256; t++) {
        memcpy(tile, p->a + t * 1024, sizeof tile);
        barrier();
        for (int g = 0; g < GANGS; g++) {
            struct body v = f[g];
            for (int j = 0; j < 256; j++) {
                vf dx = tile[j * 4] - v.x, dy = tile[j * 4 + 1] - v.y, dz = tile[j * 4 + 2] - v.z;
                vf inv = rsqrt_v(fma_v(dx, dx, fma_v(dy, dy, fma_v(dz, dz, splat(p->f0)))));
                vf s = inv * inv * inv * tile[j * 4 + 3];
                v.ax = fma_v(dx, s, v.ax);
                v.ay = fma_v(dy, s, v.ay);
                v.az = fma_v(dz, s, v.az);
            }
            f[g] = v;
        }
        barrier();
    }
    for (int g = 0; g < GANGS; g++) {
        store(p->out + b * 256 + g * W, f[g].ax);
        store(p->out + n + b * 256 + g * W, f[g].ay);
        store(p->out + 2 * n + b * 256 + g * W, f[g].az);
    }
}

void mandelbrot_block(const struct problem *p, int b)
{
    int n = p->n, *out = (int *)p->out, bx = b % (n / 16), by = b / (n / 16);
    for (int g = 0; g < 256; g += W) {
        vi px = ((iota() + g) & 15) + bx * 16, py = ((iota() + g) >> 4) + by * 16;
        vf cx = fma_v(__builtin_convertvector(px, vf), splat(p->f0), splat(-2.0f));
        vf cy = fma_v(__builtin_convertvector(py, vf), splat(p->f1), splat(-1.25f));
        vf x = 0, y = 0;
        vi it = 0, active = -1;
        for (int i = 0; i < p->m; i += 4) {
            UNROLL
            for (int u = 0; u < 4; u++) {
                vf x2 = x * x, y2 = y * y;
                active &= (x2 + y2) < 4.0f;
                y = fma_v(x + x, y, cy);
                x = x2 - y2 + cx;
                it -= active;
            }
            if (!any(active))
                break;
        }
        memcpy(out + (by * 16 + g / 16) * n + bx * 16 + g % 16, &it, sizeof it);
    }
}

void stencil_block(const struct problem *p, int b)
{
    int nx = p->n, ny = p->m, blocks = nx / 32;
    vf c0 = splat(p->f0), c1 = splat(p->f1);
    for (int g = 0; g < 256; g += W) {
        int x0 = b % blocks * 32 + g % 32, y = b / blocks * 8 + g / 32;
        const float *q = p->a + (long)y * nx + x0;
        float *o = p->out + (long)y * nx + x0;
        if (y <= 0 || y >= ny - 1)
            continue;
        if (x0 > 0 && x0 + W <= nx - 1) {
            store(o, fma_v(c0, load(q), c1 * ((load(q - 1) + load(q + 1)) + (load(q - nx) + load(q + nx)))));
        } else {
            vi x = iota() + x0, m = (x > 0) & (x < nx - 1);
            vf sides = load_masked(q - 1, m) + load_masked(q + 1, m);
            store_masked(
                o, fma_v(c0, load_masked(q, m), c1 * (sides + (load_masked(q - nx, m) + load_masked(q + nx, m)))), m);
        }
    }
}

INLINE vf exp_v(vf x)
{
    x *= 1.442695041f;
    x = __builtin_elementwise_min(__builtin_elementwise_max(x, splat(-126.f)), splat(127.f));
    vf n = __builtin_elementwise_roundeven(x), f = x - n, r = splat(1.535336188e-4f);
    r = fma_v(r, f, splat(1.339887440e-3f));
    r = fma_v(r, f, splat(9.618437357e-3f));
    r = fma_v(r, f, splat(5.550332548e-2f));
    r = fma_v(r, f, splat(2.402264791e-1f));
    r = fma_v(r, f, splat(6.931472028e-1f));
    r = fma_v(r, f, splat(1.f));
    return (vf)((vi)r + (__builtin_convertvector(n, vi) << 23));
}

INLINE vf log_v(vf x)
{
    vi bits = (vi)x, e = (bits - 0x3f3504f3) >> 23;
    vf f = (vf)(bits - (e << 23)) - 1.f, k = __builtin_convertvector(e, vf), z = f * f, r = splat(7.0376836292E-2f);
    r = fma_v(r, f, splat(-1.1514610310E-1f));
    r = fma_v(r, f, splat(1.1676998740E-1f));
    r = fma_v(r, f, splat(-1.2420140846E-1f));
    r = fma_v(r, f, splat(1.4249322787E-1f));
    r = fma_v(r, f, splat(-1.6668057665E-1f));
    r = fma_v(r, f, splat(2.0000714765E-1f));
    r = fma_v(r, f, splat(-2.4999993993E-1f));
    r = fma_v(r, f, splat(3.3333331174E-1f));
    vf y = fma_v(z, splat(-0.5f), fma_v(k, splat(-2.12194440e-4f), r * f * z));
    return f + y + k * 0.693359375f;
}

INLINE vf normal_v(vf d)
{
    vf k = 1.0f / fma_v(splat(0.2316419f), __builtin_elementwise_abs(d), splat(1.f)), r = splat(1.330274429f);
    r = fma_v(r, k, splat(-1.821255978f));
    r = fma_v(r, k, splat(1.781477937f));
    r = fma_v(r, k, splat(-0.356563782f));
    r = fma_v(r, k, splat(0.31938153f));
    vf c = 0.39894228040143267794f * exp_v(-0.5f * d * d) * (k * r);
    return blend(d > 0.f, 1.f - c, c);
}

void blackscholes_block(const struct problem *p, int b)
{
    float rate = p->f0, v = p->f1;
    for (int i = b * 256; i < b * 256 + 256; i += W) {
        vf s = load(p->a + i), x = load(p->b + i), t = load(p->c + i), root = __builtin_elementwise_sqrt(t);
        vf d1 = (log_v(s / x) + (rate + 0.5f * v * v) * t) / (v * root), d2 = d1 - v * root;
        vf c1 = normal_v(d1), c2 = normal_v(d2), e = exp_v(-rate * t);
        store(p->out + i, s * c1 - x * e * c2);
        store(p->out2 + i, x * e * (1.f - c2) - s * (1.f - c1));
    }
}

typedef float v32 __attribute__((ext_vector_type(32)));
#define LANE(l, d) ((l) + (d) < 32 ? (l) + (d) : (l))
#define LANES8(b, d)                                                                                                   \
    LANE(b, d), LANE(b + 1, d), LANE(b + 2, d), LANE(b + 3, d), LANE(b + 4, d), LANE(b + 5, d), LANE(b + 6, d),        \
        LANE(b + 7, d)
#define DOWN(v, d) __builtin_shufflevector(v, v, LANES8(0, d), LANES8(8, d), LANES8(16, d), LANES8(24, d))

INLINE float warp_sum(v32 v)
{
    v += DOWN(v, 16);
    v += DOWN(v, 8);
    v += DOWN(v, 4);
    v += DOWN(v, 2);
    v += DOWN(v, 1);
    return v[0];
}

void shuffle_block(const struct problem *p, int b)
{
    v32 v, last = 0;
    float s[8];
    for (int w = 0; w < 8; w++) {
        memcpy(&v, p->a + b * 256 + w * 32, sizeof v);
        s[w] = warp_sum(v);
    }
    barrier();
    for (int w = 0; w < 8; w++)
        last[w] = s[w];
    p->out[b] = warp_sum(last);
}
