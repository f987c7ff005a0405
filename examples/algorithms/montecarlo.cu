// SPDX-License-Identifier: Apache-2.0
// The price of an option and the number pi by chance: cuRAND's device functions, one generator for each thread, sums by warp and block. Both answers
// are known, and the error must be within what chance allows.
#include "../check.h"
#include <cmath>
#include <curand_kernel.h>

constexpr int BLOCKS = 64, THREADS = 128, EACH = 128;
constexpr float SPOT = 100, STRIKE = 105, RATE = 0.03f, SIGMA = 0.2f, YEARS = 1;

__global__ void paths(unsigned long long seed, double *inside, double *payoff)
{
    curandStatePhilox4_32_10_t state;
    curand_init(seed, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
    float hits = 0, pay = 0;
    for (int i = 0; i < EACH; i++) {
        float4 u = curand_uniform4(&state);
        hits += (u.x * u.x + u.y * u.y < 1) + (u.z * u.z + u.w * u.w < 1);
        float2 n = curand_normal2(&state);
        float drift = (RATE - SIGMA * SIGMA / 2) * YEARS, spread = SIGMA * sqrtf(YEARS);
        pay +=
            fmaxf(SPOT * expf(drift + spread * n.x) - STRIKE, 0) + fmaxf(SPOT * expf(drift + spread * n.y) - STRIKE, 0);
    }
    for (int d = 16; d; d /= 2) {
        hits += __shfl_xor_sync(~0u, hits, d);
        pay += __shfl_xor_sync(~0u, pay, d);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(inside, (double)hits);
        atomicAdd(payoff, (double)pay);
    }
}

static double normal_cdf(double x)
{
    return 0.5 * std::erfc(-x / std::sqrt(2.0));
}
static double black_scholes()
{
    double d1 = (std::log(SPOT / STRIKE) + (RATE + SIGMA * SIGMA / 2) * YEARS) / (SIGMA * std::sqrt(YEARS)),
           d2 = d1 - SIGMA * std::sqrt(YEARS);
    return SPOT * normal_cdf(d1) - STRIKE * std::exp(-RATE * YEARS) * normal_cdf(d2);
}

int main()
{
    double *sum;
    CHECK(cudaMallocManaged(&sum, 2 * sizeof *sum));
    sum[0] = sum[1] = 0;
    paths<<<BLOCKS, THREADS>>>(2024, &sum[0], &sum[1]);
    CHECK(cudaDeviceSynchronize());
    double n = 2.0 * BLOCKS * THREADS * EACH, pi = 4 * sum[0] / n, price = std::exp(-RATE * YEARS) * sum[1] / n;
    printf("%.0f draws: pi is %.4f, the option costs %.3f (%.3f by the formula)\n", n, pi, price, black_scholes());
    return verdict(std::fabs(pi - M_PI) < 5 * 1.65 / std::sqrt(n) &&
                   std::fabs(price - black_scholes()) < 5 * 15 / std::sqrt(n));
}
