// SPDX-License-Identifier: Apache-2.0
// The nine kernels timed on whatever device the runtime finds, by events: the same source built by our nvcc and by another one
// shows what our device code costs on a GPU. Prints a line for each kernel: name, microseconds (least of many), and a
// checksum, by which two builds are compared.
#include "bench.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

struct timed_row {
    const char *name;
    bench_fn *run;
    struct problem p;
    long outputs;
};

static void check(cudaError_t e)
{
    if (e != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(e));
        exit(1);
    }
}

static float *numbers(long n, float lo, float hi)
{
    std::vector<float> v((size_t)n);
    unsigned s = 12345;
    for (float &x : v) {
        s = s * 1664525u + 1013904223u;
        x = lo + (hi - lo) * (float)(s >> 8) / 16777216.0f;
    }
    float *p = bench_alloc((unsigned long)n);
    check(cudaMemcpy(p, v.data(), v.size() * sizeof(float), cudaMemcpyHostToDevice));
    return p;
}

// Of the bits of the results after one launch.
static unsigned long long checksum(const timed_row &r)
{
    std::vector<unsigned> v((size_t)r.outputs);
    check(cudaMemset(r.p.out, 0, v.size() * sizeof(float)));
    r.run(&r.p);
    check(cudaMemcpy(v.data(), r.p.out, v.size() * sizeof(float), cudaMemcpyDeviceToHost));
    unsigned long long h = 14695981039346656037ull;
    for (unsigned x : v)
        h = (h ^ x) * 1099511628211ull;
    return h;
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 30, times = 20;
    int n = 1 << 22;
    float *in = numbers(n * 4L, 0, 1), *in2 = numbers(n, 0, 1), *out = numbers(n * 4L, 0, 1), *put = numbers(n, 0, 1);
    float *price = numbers(n, 5, 30), *strike = numbers(n, 1, 100), *years = numbers(n, 0.25f, 10);
    timed_row rows[] = {
        {"saxpy", saxpy_cuda, {in, 0, 0, out, 0, n * 4, 0, 1.0001f, 0}, n * 4L},
        {"saxpy_cache", saxpy_cuda, {in, 0, 0, out, 0, 1 << 20, 0, 1.0001f, 0}, 1 << 20},
        {"matmul", matmul_cuda, {in, in2, 0, out, 0, 2048, 0, 0, 0}, n},
        {"reduction", reduce_cuda, {in, 0, 0, out, 0, n, 0, 0, 0}, n / 256},
        {"n-body", nbody_cuda, {in, 0, 0, out, 0, 1 << 15, 0, 0.01f, 0}, 3 << 15},
        {"mandelbrot", mandelbrot_cuda, {0, 0, 0, out, 0, 2048, 256, 2.5f / 2048, 2.5f / 2048}, n},
        {"stencil", stencil_cuda, {in, 0, 0, out, 0, 2048, 2048, 0.5f, 0.125f}, n},
        {"black-scholes", blackscholes_cuda, {price, strike, years, out, put, n, 0, 0.02f, 0.3f}, n},
        {"shuffle", shuffle_cuda, {in, 0, 0, out, 0, n, 0, 0, 0}, n / 256},
    };
    cudaEvent_t start, end;
    check(cudaEventCreate(&start));
    check(cudaEventCreate(&end));
    for (timed_row &r : rows) {
        unsigned long long sum = checksum(r);
        float best = 1e30f;
        for (int i = 0; i < rounds; i++) {
            check(cudaEventRecord(start));
            for (int k = 0; k < times; k++)
                r.run(&r.p);
            check(cudaEventRecord(end));
            check(cudaEventSynchronize(end));
            float ms;
            check(cudaEventElapsedTime(&ms, start, end));
            best = ms < best ? ms : best;
        }
        printf("%-14s %9.2f %016llx\n", r.name, best * 1e3 / times, sum);
    }
    return 0;
}
