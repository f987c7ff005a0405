// SPDX-License-Identifier: Apache-2.0
// The kernels of the bench in OpenCL C, each as its CUDA form. Sums over a warp are sums over a tree in local memory
// here.

__kernel void saxpy(__global const float *x, __global float *y, float a, int n)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i < n)
        y[i] = a * x[i] + y[i];
}

__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int n)
{
    __local float as[16][16], bs[16][16];
    int tx = get_local_id(0), ty = get_local_id(1), row = get_group_id(1) * 16 + ty, column = get_group_id(0) * 16 + tx;
    float sum = 0;
    for (int t = 0; t < n / 16; t++) {
        as[ty][tx] = a[row * n + t * 16 + tx];
        bs[ty][tx] = b[(t * 16 + ty) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++)
            sum += as[ty][k] * bs[k][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}

__kernel void sgemm(__global const float *a, __global const float *b, __global float *c, int n)
{
    __local float as[64][16], bs[16][64];
    int tx = get_local_id(0), ty = get_local_id(1), t = ty * 16 + tx;
    __global const float *rows = a + get_group_id(1) * 64 * n, *columns = b + get_group_id(0) * 64;
    float sum[4][4] = {{0}};
    for (int k0 = 0; k0 < n; k0 += 16) {
        for (int i = 0; i < 4; i++) {
            as[ty + 16 * i][tx] = rows[(ty + 16 * i) * n + k0 + tx];
            bs[t / 64 + 4 * i][t % 64] = columns[(k0 + t / 64 + 4 * i) * n + t % 64];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++) {
            float x[4], y[4];
            for (int i = 0; i < 4; i++) {
                x[i] = as[ty * 4 + i][k];
                y[i] = bs[k][tx + 16 * i];
            }
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    sum[i][j] += x[i] * y[j];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            c[(get_group_id(1) * 64 + ty * 4 + i) * n + get_group_id(0) * 64 + tx + 16 * j] = sum[i][j];
}

__kernel void transpose(__global const float *in, __global float *out, int n)
{
    __local float tile[32][33];
    int x = get_group_id(0) * 32 + get_local_id(0), y = get_group_id(1) * 32 + get_local_id(1);
    for (int k = 0; k < 32; k += 8)
        tile[get_local_id(1) + k][get_local_id(0)] = in[(y + k) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * 32 + get_local_id(0);
    y = get_group_id(0) * 32 + get_local_id(1);
    for (int k = 0; k < 32; k += 8)
        out[(y + k) * n + x] = tile[get_local_id(0)][get_local_id(1) + k];
}

__kernel void stencil(__global const float *in, __global float *out, int nx, int ny, float c0, float c1)
{
    int x = get_group_id(0) * get_local_size(0) + get_local_id(0),
        y = get_group_id(1) * get_local_size(1) + get_local_id(1);
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
        int i = y * nx + x;
        out[i] = c0 * in[i] + c1 * ((in[i - 1] + in[i + 1]) + (in[i - nx] + in[i + nx]));
    }
}

__kernel void stencil3d(__global const float *in, __global float *out, int n, float c0, float c1)
{
    int x = get_group_id(0) * get_local_size(0) + get_local_id(0),
        y = get_group_id(1) * get_local_size(1) + get_local_id(1);
    if (x < 1 || x >= n - 1 || y < 1 || y >= n - 1)
        return;
    int i = y * n + x, plane = n * n;
    for (int z = 1; z < n - 1; z++) {
        i += plane;
        out[i] = c0 * in[i] + c1 * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - plane] + in[i + plane]);
    }
}

__kernel void convolve(__global const float *in, __constant float *weights, __global float *out, int n, int m)
{
    int x = get_group_id(0) * get_local_size(0) + get_local_id(0),
        y = get_group_id(1) * get_local_size(1) + get_local_id(1);
    float sum = 0;
    for (int j = 0; j < 9; j++)
        for (int i = 0; i < 9; i++) {
            int u = min(max(x + i - 4, 0), n - 1), v = min(max(y + j - 4, 0), m - 1);
            sum += weights[j * 9 + i] * in[v * n + u];
        }
    out[y * n + x] = sum;
}

__kernel void halo(__global const float *in, __constant float *weights, __global float *out, int n, int m)
{
    __local float tile[16 + 8][32 + 8];
    int x0 = get_group_id(0) * 32 - 4, y0 = get_group_id(1) * 16 - 4;
    for (int t = get_local_id(1) * 32 + get_local_id(0); t < 24 * 40; t += 32 * 16) {
        int u = min(max(x0 + t % 40, 0), n - 1), v = min(max(y0 + t / 40, 0), m - 1);
        tile[t / 40][t % 40] = in[v * n + u];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int j = 0; j < 9; j++)
        for (int i = 0; i < 9; i++)
            sum += weights[j * 9 + i] * tile[get_local_id(1) + j][get_local_id(0) + i];
    out[(y0 + 4 + get_local_id(1)) * n + x0 + 4 + get_local_id(0)] = sum;
}

__kernel void reduce(__global const float *in, __global float *out)
{
    __local float s[256];
    int t = get_local_id(0);
    s[t] = in[get_group_id(0) * 256 + t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 128; k > 0; k >>= 1) {
        if (t < k)
            s[t] += s[t + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        out[get_group_id(0)] = s[0];
}

__kernel void scan(__global const float *in, __global float *out)
{
    __local float s[2][256];
    int t = get_local_id(0), now = 0;
    s[0][t] = in[get_group_id(0) * 256 + t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < 256; d *= 2) {
        s[1 - now][t] = t >= d ? s[now][t] + s[now][t - d] : s[now][t];
        now = 1 - now;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_group_id(0) * 256 + t] = s[now][t];
}

__kernel void histogram(__global const float *in, __global int *out, int n)
{
    __local int bins[256];
    bins[get_local_id(0)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_group_id(0) * get_local_size(0) + get_local_id(0); i < n;
         i += get_num_groups(0) * get_local_size(0))
        atomic_add(&bins[(int)(in[i] * 256) & 255], 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&out[get_local_id(0)], bins[get_local_id(0)]);
}

__kernel void attention(__global const float *q, __global const float *k, __global const float *v, __global float *out,
                        int n)
{
    __local float keys[32][32], values[32][32];
    int head = get_group_id(1) * n * 32, me = head + (get_group_id(0) * 64 + get_local_id(0)) * 32;
    float mine[32], sum[32] = {0}, top = -1e30f, total = 0;
    for (int d = 0; d < 32; d++)
        mine[d] = q[me + d] * 0.1767767f;
    for (int tile = 0; tile < n; tile += 32) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = get_local_id(0); i < 32 * 32; i += 64) {
            keys[i / 32][i % 32] = k[head + tile * 32 + i];
            values[i / 32][i % 32] = v[head + tile * 32 + i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 32; j++) {
            float score = 0;
            for (int d = 0; d < 32; d++)
                score += mine[d] * keys[j][d];
            if (score > top) {
                float keep = native_exp(top - score);
                top = score;
                total *= keep;
                for (int d = 0; d < 32; d++)
                    sum[d] *= keep;
            }
            float weight = native_exp(score - top);
            total += weight;
            for (int d = 0; d < 32; d++)
                sum[d] += weight * values[j][d];
        }
    }
    for (int d = 0; d < 32; d++)
        out[me + d] = sum[d] / total;
}

__kernel void nbody(__global const float4 *p, __global float *out, int n, float eps)
{
    __local float4 tile[256];
    int i = get_group_id(0) * 256 + get_local_id(0);
    float4 me = p[i];
    float ax = 0, ay = 0, az = 0;
    for (int t = 0; t < n / 256; t++) {
        tile[get_local_id(0)] = p[t * 256 + get_local_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 256; j++) {
            float4 o = tile[j];
            float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
            float inv = rsqrt(dx * dx + dy * dy + dz * dz + eps);
            float s = inv * inv * inv * o.w;
            ax += dx * s;
            ay += dy * s;
            az += dz * s;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = ax;
    out[i + n] = ay;
    out[i + 2 * n] = az;
}

__kernel void mandelbrot(__global int *out, int n, int limit, float f0, float f1)
{
    int px = get_group_id(0) * 16 + get_local_id(0), py = get_group_id(1) * 16 + get_local_id(1);
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

float normal(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
    float c = 0.39894228040143267794f * exp(-0.5f * d * d) *
              (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1.0f - c : c;
}

__kernel void blackscholes(__global const float *price, __global const float *strike, __global const float *years,
                           __global float *call, __global float *put, int n, float rate, float volatility)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i < n) {
        float s = price[i], x = strike[i], t = years[i], root = sqrt(t);
        float d1 = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
        float d2 = d1 - volatility * root, c1 = normal(d1), c2 = normal(d2), e = exp(-rate * t);
        call[i] = s * c1 - x * e * c2;
        put[i] = x * e * (1.0f - c2) - s * (1.0f - c1);
    }
}

uint4 philox(uint4 c, uint2 key)
{
    for (int i = 0; i < 10; i++) {
        unsigned hi0 = mul_hi(0xD2511F53u, c.x), lo0 = 0xD2511F53u * c.x;
        unsigned hi1 = mul_hi(0xCD9E8D57u, c.z), lo1 = 0xCD9E8D57u * c.z;
        c = (uint4)(hi1 ^ c.y ^ key.x, lo1, hi0 ^ c.w ^ key.y, lo0);
        key.x += 0x9E3779B9u;
        key.y += 0xBB67AE85u;
    }
    return c;
}

__kernel void montecarlo(__global int *out, int rounds)
{
    unsigned i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int inside = 0;
    for (int r = 0; r < rounds; r++) {
        uint4 u = philox((uint4)(i, r, 0, 0), (uint2)(1, 2));
        float x = (u.x >> 8) * 0x1p-24f, y = (u.y >> 8) * 0x1p-24f, z = (u.z >> 8) * 0x1p-24f,
              w = (u.w >> 8) * 0x1p-24f;
        inside += x * x + y * y < 1.0f;
        inside += z * z + w * w < 1.0f;
    }
    out[i] = inside;
}

float2 times(float2 a, float2 b)
{
    return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

__kernel void fft(__global const float2 *in, __global const float2 *root, __global float2 *out)
{
    __local float2 s[1024];
    int t = get_local_id(0);
    __global const float2 *from = in + get_group_id(0) * 1024;
    float2 v[4];
    for (int r = 0; r < 4; r++)
        v[r] = from[t + r * 256];
    for (int size = 1; size < 1024; size *= 4) {
        int k = t & (size - 1), step = 256 / size;
        if (size > 1)
            for (int r = 1; r < 4; r++)
                v[r] = times(v[r], root[r * k * step]);
        float2 a = (float2)(v[0].x + v[2].x, v[0].y + v[2].y), b = (float2)(v[0].x - v[2].x, v[0].y - v[2].y);
        float2 c = (float2)(v[1].x + v[3].x, v[1].y + v[3].y), d = (float2)(v[1].y - v[3].y, v[3].x - v[1].x);
        barrier(CLK_LOCAL_MEM_FENCE);
        int to = (t - k) * 4 + k;
        s[to] = (float2)(a.x + c.x, a.y + c.y);
        s[to + size] = (float2)(b.x + d.x, b.y + d.y);
        s[to + 2 * size] = (float2)(a.x - c.x, a.y - c.y);
        s[to + 3 * size] = (float2)(b.x - d.x, b.y - d.y);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int r = 0; r < 4; r++)
            v[r] = s[t + r * 256];
    }
    for (int r = 0; r < 4; r++)
        out[get_group_id(0) * 1024 + t + r * 256] = v[r];
}

__kernel void sort(__global const float *in, __global float *out)
{
    __local float s[512];
    int t = get_local_id(0);
    for (int k = t; k < 512; k += 256)
        s[k] = in[get_group_id(0) * 512 + k];
    for (int size = 2; size <= 512; size *= 2)
        for (int d = size / 2; d > 0; d /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            int i = 2 * t - (t & (d - 1));
            int up = (i & size) == 0;
            float a = s[i], b = s[i + d];
            if ((a > b) == up) {
                s[i] = b;
                s[i + d] = a;
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = t; k < 512; k += 256)
        out[get_group_id(0) * 512 + k] = s[k];
}

__kernel void spmv(__global const float *value, __global const int *column, __global const float *x, __global float *y,
                   int n, int m)
{
    int row = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (row < n) {
        float sum = 0;
        for (int k = 0; k < m; k++)
            sum += value[row + k * n] * x[column[row + k * n]];
        y[row] = sum;
    }
}

float block_sum(__local float *part, float v)
{
    int t = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    part[t] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 128; k > 0; k >>= 1) {
        if (t < k)
            part[t] += part[t + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return part[0];
}

__kernel void softmax(__global const float *in, __global float *out)
{
    __local float part[256];
    int t = get_local_id(0);
    __global const float *row = in + get_group_id(0) * 1024;
    float v[4], top = -1e30f, sum = 0;
    for (int k = 0; k < 4; k++)
        top = fmax(top, v[k] = row[k * 256 + t]);
    part[t] = top;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 128; k > 0; k >>= 1) {
        if (t < k)
            part[t] = fmax(part[t], part[t + k]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    top = part[0];
    for (int k = 0; k < 4; k++)
        sum += v[k] = native_exp(v[k] - top);
    sum = block_sum(part, sum);
    for (int k = 0; k < 4; k++)
        out[get_group_id(0) * 1024 + k * 256 + t] = v[k] / sum;
}

__kernel void layernorm(__global const float *in, __global const float *gamma, __global float *out)
{
    __local float part[256];
    __global const float *row = in + get_group_id(0) * 1024, *beta = gamma + 1024;
    float v[4], sum = 0, squares = 0;
    for (int k = 0; k < 4; k++)
        sum += v[k] = row[k * 256 + get_local_id(0)];
    float mean = block_sum(part, sum) / 1024;
    for (int k = 0; k < 4; k++) {
        v[k] -= mean;
        squares += v[k] * v[k];
    }
    float scale = rsqrt(block_sum(part, squares) / 1024 + 1e-5f);
    for (int k = 0; k < 4; k++) {
        int i = k * 256 + get_local_id(0);
        out[get_group_id(0) * 1024 + i] = v[k] * scale * gamma[i] + beta[i];
    }
}
