// SPDX-License-Identifier: Apache-2.0
// Prints a hash of what each of several kernels computes. Their arithmetic has an order that CUDA fixes (or none that
// matters), so every width of gang and every number of threads must print the same lines.
#include <cuda_fp16.h>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

const int N = 1 << 14, BLOCK = 128;

__device__ unsigned mix(unsigned x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

__device__ float unit(unsigned x)
{
    return (mix(x) >> 8) * (1.0f / (1 << 24));
}

__global__ void functions(unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = unit(i) * 20 - 10, y = unit(i + N) * 4 + 0.1f;
    float r = sinf(x) + cosf(y) * expf(x * 0.3f) - logf(y) + powf(y, x * 0.2f) + sqrtf(y) / (x + 11) + rsqrtf(y) +
              atan2f(x, y) + tanhf(x) + erff(x * 0.2f) + fmodf(x, y) + cbrtf(x) + __expf(x * 0.1f) + __sinf(x);
    out[i] = __float_as_uint(r);
}

__global__ void doubles(unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = unit(i) * 8.0 - 4, y = unit(i + 3 * N) + 0.5;
    double r = sin(x) * exp(y) + log(y) / x + sqrt(y) + pow(y, x) + fma(x, y, -x);
    unsigned long long u = __double_as_longlong(r);
    out[i] = (unsigned)(u ^ u >> 32);
}

__global__ void divergent(unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float cx = (i % 128) * (3.0f / 128) - 2, cy = (i / 128) * (2.0f / 128) - 1, x = 0, y = 0;
    unsigned n = 0;
    while (x * x + y * y < 4 && n < 300) {
        float t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
        n++;
        if (n % 7 == 3 && x > 0.7f)
            x -= 0.001f * (i & 3);
    }
    out[i] = n ^ __float_as_uint(x);
}

__global__ void tree(unsigned *out)
{
    __shared__ float s[BLOCK];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    s[t] = unit(i) - 0.5f;
    for (unsigned k = BLOCK / 2; k > 0; k /= 2) {
        __syncthreads();
        if (t < k)
            s[t] += s[t + k];
    }
    __syncthreads();
    out[i] = __float_as_uint(s[0] + s[t]);
}

__global__ void warps(unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = unit(i);
    for (int k = 16; k > 0; k /= 2)
        v += __shfl_xor_sync(~0u, v, k);
    unsigned b = __ballot_sync(~0u, unit(i + 7) > 0.4f);
    out[i] = __float_as_uint(v) + __popc(b & ((1u << (threadIdx.x & 31)) - 1)) + __reduce_add_sync(~0u, i);
}

__global__ void counts(unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = mix(i);
    atomicAdd(&out[x % 97], x);
    atomicMax(&out[97 + x % 89], x);
    atomicXor(&out[200 + x % 83], x);
    if (x & 4)
        atomicAdd(&out[300 + (x >> 20)], 1u);
}

__global__ void halves(unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    __half2 a = __floats2half2_rn(unit(i) * 9 - 4, unit(i + 1) * 100),
            b = __floats2half2_rn(unit(i + 2), unit(i + 3) - 1);
    __half2 r = __hfma2(a, b, __hadd2(a, __h2div(b, a)));
    memcpy(&out[i], &r, 4);
}

__global__ void integers(unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = mix(i), y = mix(i + 5) % 1000 + 1;
    int s = (int)x;
    out[i] = x / y + s % (int)y + __umulhi(x, y) + __clz(x) * 3 + __brev(x) + __funnelshift_l(x, y, i) +
             __byte_perm(x, y, i) + min(s, (int)y) + __popc(x) + __dp4a(s, (int)y, 5);
}

static void run(const char *name, void (*kernel)(unsigned *), unsigned *out)
{
    std::vector<unsigned> h(N);
    for (int i = 0; i < 2; i++) { // the second finds the kernel's time known, and shares the grid another way
        cudaMemset(out, 0, N * sizeof *out);
        kernel<<<N / BLOCK, BLOCK>>>(out);
    }
    cudaError_t e = cudaMemcpy(h.data(), out, N * sizeof *out, cudaMemcpyDeviceToHost);
    uint64_t hash = 0xcbf29ce484222325;
    for (unsigned x : h)
        hash = (hash ^ x) * 0x100000001b3;
    printf("%s %s %016llx\n", name, cudaGetErrorName(e), (unsigned long long)hash);
}

int main()
{
    unsigned *out;
    cudaMalloc(&out, N * sizeof *out);
    run("functions", functions, out);
    run("doubles", doubles, out);
    run("divergent", divergent, out);
    run("tree", tree, out);
    run("warps", warps, out);
    run("counts", counts, out);
    run("halves", halves, out);
    run("integers", integers, out);
    return 0;
}
