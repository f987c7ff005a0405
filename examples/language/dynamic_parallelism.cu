// SPDX-License-Identifier: Apache-2.0
// Kernels that launch kernels: an adaptive integral. Each thread has a piece of the interval; where two rules disagree, its kernel launches another
// one for finer pieces. How many there are is known when it ends, and not before.
// Options: -rdc=true -lcudadevrt -arch=sm_90
#include "../check.h"
#include <cmath>

constexpr int PIECES = 32, DEPTH = 5;
constexpr double TOLERANCE = 1e-9;

struct answer {
    double sum;
    int kernels;
};
__host__ __device__ double f(double x)
{
    return 1 / ((x - 0.3) * (x - 0.3) + 1e-4); // a sharp peak
}
__device__ double simpson(double a, double b)
{
    return (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b));
}
__global__ void integrate(double from, double to, int depth, answer *out)
{
    double width = (to - from) / PIECES, a = from + threadIdx.x * width, b = a + width, middle = (a + b) / 2;
    double coarse = simpson(a, b), fine = simpson(a, middle) + simpson(middle, b);
    if (!threadIdx.x)
        atomicAdd(&out->kernels, 1);
    if (fabs(fine - coarse) < TOLERANCE * width || depth == DEPTH)
        atomicAdd(&out->sum, fine + (fine - coarse) / 15);
    else
        integrate<<<1, PIECES>>>(a, b, depth + 1, out);
}

// What runs behind a parent and all its children.
__global__ void report(const answer *out)
{
    printf("%d kernels\n", out->kernels);
}
__global__ void all(double from, double to, answer *out)
{
    integrate<<<1, PIECES>>>(from, to, 1, out);
    report<<<1, 1, 0, cudaStreamTailLaunch>>>(out);
}

int main()
{
    answer *out;
    CHECK(cudaMallocManaged(&out, sizeof *out));
    *out = {0, 0};
    all<<<1, 1>>>(0, 1, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    double want = 100 * (std::atan(70.0) + std::atan(30.0));
    printf("the integral is %.9f, the error %.1e\n", out->sum, std::fabs(out->sum - want));
    return verdict(std::fabs(out->sum - want) < 1e-6 && out->kernels > 1);
}
