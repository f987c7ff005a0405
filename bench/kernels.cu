// The nine kernels as a CUDA programmer writes them.
#include "bench.h"
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t e)
{
    if (e != cudaSuccess) {
        std::fprintf(stderr, "bench: %s\n", cudaGetErrorString(e));
        std::exit(1);
    }
}

__global__ void saxpy(const float *x, float *y, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

__global__ void matmul(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[16][16], bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
    float sum = 0;
    for (int t = 0; t < n / 16; t++) {
        as[ty][tx] = a[row * n + t * 16 + tx];
        bs[ty][tx] = b[(t * 16 + ty) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

__global__ void reduce(const float *in, float *out)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int k = 128; k > 0; k >>= 1) {
        if (t < k)
            s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

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

__global__ void stencil(const float *in, float *out, int nx, int ny, float c0, float c1)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
        int i = y * nx + x;
        out[i] = c0 * in[i] + c1 * ((in[i - 1] + in[i + 1]) + (in[i - nx] + in[i + nx]));
    }
}

__device__ float normal(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float c = 0.39894228040143267794f * expf(-0.5f * d * d) *
              (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1.0f - c : c;
}

__global__ void blackscholes(const float *price, const float *strike, const float *years, float *call, float *put, int n,
                             float rate, float volatility)
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

__global__ void shuffle(const float *in, float *out)
{
    __shared__ float s[8];
    float v = in[blockIdx.x * 256 + threadIdx.x];
    for (int d = 16; d > 0; d >>= 1)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0)
        s[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = threadIdx.x < 8 ? s[threadIdx.x] : 0;
        for (int d = 16; d > 0; d >>= 1)
            v += __shfl_down_sync(0xffffffff, v, d);
        if (threadIdx.x == 0)
            out[blockIdx.x] = v;
    }
}

__global__ void empty()
{
}

static int blocks(int n)
{
    return (n + 255) / 256;
}

extern "C" {
void saxpy_cuda(const struct problem *p)
{
    saxpy<<<blocks(p->n), 256>>>(p->a, p->out, p->f0, p->n);
}
void matmul_cuda(const struct problem *p)
{
    matmul<<<dim3(p->n / 16, p->n / 16), dim3(16, 16)>>>(p->a, p->b, p->out, p->n);
}
void reduce_cuda(const struct problem *p)
{
    reduce<<<p->n / 256, 256>>>(p->a, p->out);
}
void nbody_cuda(const struct problem *p)
{
    nbody<<<p->n / 256, 256>>>((const float4 *)p->a, p->out, p->n, p->f0);
}
void mandelbrot_cuda(const struct problem *p)
{
    mandelbrot<<<dim3(p->n / 16, p->n / 16), dim3(16, 16)>>>((int *)p->out, p->n, p->m, p->f0, p->f1);
}
void stencil_cuda(const struct problem *p)
{
    stencil<<<dim3(p->n / 32, p->m / 8), dim3(32, 8)>>>(p->a, p->out, p->n, p->m, p->f0, p->f1);
}
void blackscholes_cuda(const struct problem *p)
{
    blackscholes<<<blocks(p->n), 256>>>(p->a, p->b, p->c, p->out, p->out2, p->n, p->f0, p->f1);
}
void shuffle_cuda(const struct problem *p)
{
    shuffle<<<p->n / 256, 256>>>(p->a, p->out);
}
void empty_cuda(const struct problem *p)
{
    (void)p;
    empty<<<1, 32>>>();
}
void bench_sync(void)
{
    check(cudaDeviceSynchronize());
}
float *bench_alloc(unsigned long floats)
{
    float *p;
    check(cudaMalloc(&p, floats * sizeof(float)));
    return p;
}
void bench_free(float *p)
{
    check(cudaFree(p));
}
}
