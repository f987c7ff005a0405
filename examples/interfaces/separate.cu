// SPDX-License-Identifier: Apache-2.0
// Separate compilation and function pointers: the host part is compiled with relocatable device code, kernels call device functions through a table of
// pointers, and recursion has a stack of its own.
// Options: -rdc=true
#include "../check.h"
#include <cmath>

using function = double (*)(double);

__device__ double square(double x)
{
    return x * x;
}
__device__ double cube(double x)
{
    return x * x * x;
}
__device__ double gauss(double x)
{
    return exp(-x * x);
}
__device__ function table[] = {square, cube, gauss};

// Romberg's idea, by recursion: halve until two estimates agree.
__device__ double integral(function f, double a, double b, double fa, double fm, double fb, double whole,
                           double tolerance, int depth)
{
    double m = (a + b) / 2, l = (a + m) / 2, r = (m + b) / 2, fl = f(l), fr = f(r);
    double left = (m - a) / 6 * (fa + 4 * fl + fm), right = (b - m) / 6 * (fm + 4 * fr + fb),
           error = left + right - whole;
    if (!depth || fabs(error) < 15 * tolerance)
        return left + right + error / 15;
    return integral(f, a, m, fa, fl, fm, left, tolerance / 2, depth - 1) +
           integral(f, m, b, fm, fr, fb, right, tolerance / 2, depth - 1);
}
__global__ void integrate(double *out)
{
    function f = table[threadIdx.x];
    double a = 0, b = 2, fa = f(a), fm = f((a + b) / 2), fb = f(b);
    out[threadIdx.x] = integral(f, a, b, fa, fm, fb, (b - a) / 6 * (fa + 4 * fm + fb), 1e-10, 20);
}

int main()
{
    double *out, want[3] = {8.0 / 3, 4, std::sqrt(std::acos(-1.0)) / 2 * std::erf(2.0)}, worst = 0;
    CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 16384));
    CHECK(cudaMallocManaged(&out, 3 * sizeof *out));
    integrate<<<1, 3>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 3; i++) {
        printf("%.10f\n", out[i]);
        worst = std::fmax(worst, std::fabs(out[i] - want[i]));
    }
    return verdict(worst < 1e-9);
}
