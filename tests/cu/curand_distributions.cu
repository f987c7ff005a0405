// SPDX-License-Identifier: Apache-2.0
// cuRAND's distributions in kernels against numbers of an H200 with NVIDIA's
// compiler and headers: normal and log-normal ones within the error of the
// functions they are made with, Poisson numbers one by one, moments of many.
// `curand_distributions record` prints the numbers.
// widths: 32
#include "check.h"
#include <curand_kernel.h>
#include <curand_mtgp32_host.h>
#include <string>

enum { KEPT = 12, MANY = 4096 };
enum Kind {
    NORMAL,
    NORMAL_DOUBLE,
    LOG_NORMAL,
    LOG_NORMAL_DOUBLE,
    POISSON_3,
    POISSON_50,
    POISSON_200,
    POISSON_3000,
    POISSON_5000,
    KINDS
};
static const char *kinds[] = {"normal",     "normal_double", "log_normal",   "log_normal_double", "poisson_3",
                              "poisson_50", "poisson_200",   "poisson_3000", "poisson_5000"};

template <class T> static __device__ double number(int kind, T *s)
{
    switch (kind) {
    case NORMAL:
        return curand_normal(s);
    case NORMAL_DOUBLE:
        return curand_normal_double(s);
    case LOG_NORMAL:
        return curand_log_normal(s, 0.5f, 0.25f);
    case LOG_NORMAL_DOUBLE:
        return curand_log_normal_double(s, 0.5, 0.25);
    case POISSON_3:
        return curand_poisson(s, 3.0);
    case POISSON_50:
        return curand_poisson(s, 50.0);
    case POISSON_200:
        return curand_poisson(s, 200.0);
    case POISSON_3000:
        return curand_poisson(s, 3000.0);
    default:
        return curand_poisson(s, 5000.0);
    }
}
template <class T> __global__ void sequences(int kind, double *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    T s;
    curand_init(2026ull, t, 0, &s);
    for (int i = 0; i < KEPT; i++)
        out[t * KEPT + i] = number(kind, &s);
}
static __device__ unsigned int direction(unsigned int i) // the van der Corput sequence, which is Sobol's first
                                                         // dimension
{
    return 1u << (31 - i);
}
template <> __global__ void sequences<curandStateSobol32_t>(int kind, double *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    curandStateSobol32_t s;
    unsigned int v[32];
    for (unsigned int i = 0; i < 32; i++)
        v[i] = direction(i);
    curand_init(v, 1 + t * KEPT, &s);
    for (int i = 0; i < KEPT; i++)
        out[t * KEPT + i] = number(kind, &s);
}
template <> __global__ void sequences<curandStateScrambledSobol64_t>(int kind, double *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    curandStateScrambledSobol64_t s;
    unsigned long long v[64];
    for (int i = 0; i < 64; i++)
        v[i] = 1ull << (63 - i);
    curand_init(v, 0x123456789ABCDEFull, 1ull + t * KEPT, &s);
    for (int i = 0; i < KEPT; i++)
        out[t * KEPT + i] = number(kind, &s);
}
__global__ void block_sequences(int kind, curandStateMtgp32_t *states, double *out)
{
    for (int i = 0; i < KEPT; i++)
        out[(blockIdx.x * blockDim.x + threadIdx.x) * KEPT + i] = number(kind, &states[blockIdx.x]);
}
// Pairs and fours.
__global__ void vectors(double *out)
{
    curandStateXORWOW_t x;
    curandStateMRG32k3a_t m;
    curandStatePhilox4_32_10_t p;
    curand_init(7ull, 0, 0, &x);
    curand_init(7ull, 0, 0, &m);
    curand_init(7ull, 0, 0, &p);
    float2 f = curand_normal2(&x);
    *out++ = f.x, *out++ = f.y;
    f = curand_log_normal2(&x, 0.5f, 0.25f);
    *out++ = f.x, *out++ = f.y;
    double2 d = curand_normal2_double(&x);
    *out++ = d.x, *out++ = d.y;
    d = curand_log_normal2_double(&x, 0.5, 0.25);
    *out++ = d.x, *out++ = d.y;
    f = curand_normal2(&m);
    *out++ = f.x, *out++ = f.y;
    d = curand_normal2_double(&m);
    *out++ = d.x, *out++ = d.y;
    f = curand_normal2(&p);
    *out++ = f.x, *out++ = f.y;
    d = curand_normal2_double(&p);
    *out++ = d.x, *out++ = d.y;
    float4 q = curand_normal4(&p);
    *out++ = q.x, *out++ = q.y, *out++ = q.z, *out++ = q.w;
    q = curand_log_normal4(&p, 0.5f, 0.25f);
    *out++ = q.x, *out++ = q.y, *out++ = q.z, *out++ = q.w;
    for (double lambda : {3.0, 200.0, 5000.0}) {
        uint4 n = curand_poisson4(&p, lambda);
        *out++ = n.x, *out++ = n.y, *out++ = n.z, *out++ = n.w;
    }
}
enum { VECTORS = 36 };

static bool recording;
static const struct {
    const char *name;
    std::vector<double> numbers;
} recorded[] = {
#include "curand_recorded.h"
};
// The largest difference that is allowed: relative to the number or, near 0,
// to 1.
static void compare(const char *generator, const char *kind, const std::vector<double> &v, size_t kept, double bound)
{
    std::string name = std::string(generator) + " " + kind;
    if (recording) {
        std::printf("    {\"%s\", {", name.c_str());
        for (size_t i = 0; i < kept; i++)
            std::printf("%s%.17g", i ? ", " : "", v[i]);
        std::printf("}},\n");
        return;
    }
    bool found = false;
    for (auto &r : recorded) {
        if (name != r.name)
            continue;
        found = r.numbers.size() == kept;
        for (size_t i = 0; i < kept && found; i++) {
            double d = std::fabs(v[i] - r.numbers[i]) / std::fmax(1.0, std::fabs(v[i]));
            if (d > bound)
                std::fprintf(stderr, "%s %zu: %.17g, recorded %.17g\n", name.c_str(), i, v[i], r.numbers[i]);
            EXPECT(d <= bound);
        }
    }
    EXPECT(found);
}
static const double bounds[KINDS] = {2e-6, 2e-15, 2e-6, 2e-15, 0, 0, 0, 0, 0};
static void judge(const char *generator, int kind, const std::vector<double> &v)
{
    static const double means[KINDS] = {0, 0, std::exp(0.5 + 0.03125), std::exp(0.5 + 0.03125), 3, 50, 200, 3000, 5000};
    static const double log_deviation = means[LOG_NORMAL] * std::sqrt(std::exp(0.0625) - 1);
    double sum = 0, squares = 0, n = (double)v.size(),
           deviation = kind < LOG_NORMAL  ? 1
                       : kind < POISSON_3 ? log_deviation
                                          : std::sqrt(means[kind]);
    compare(generator, kinds[kind], v, KEPT, bounds[kind]);
    for (double x : v) {
        sum += x - means[kind];
        squares += (x - means[kind]) * (x - means[kind]);
    }
    EXPECT(std::fabs(sum / n) < 5 * deviation / std::sqrt(n));
    EXPECT(std::fabs(squares / n / (deviation * deviation) - 1) < 0.1);
}
template <class T> static void run(const char *generator)
{
    for (int kind = 0; kind < KINDS; kind++) {
        Buffer<double> out(MANY * KEPT);
        sequences<T><<<MANY / 128, 128>>>(kind, out);
        LAUNCHED();
        judge(generator, kind, out.get());
    }
}
int main(int argc, char **argv)
{
    recording = argc > 1 && !std::strcmp(argv[1], "record");
    run<curandStateXORWOW_t>("xorwow");
    run<curandStatePhilox4_32_10_t>("philox");
    run<curandStateMRG32k3a_t>("mrg");
    run<curandStateSobol32_t>("sobol32");
    run<curandStateScrambledSobol64_t>("scrambled64");
    Buffer<mtgp32_kernel_params_t> params(1);
    EXPECT(curandMakeMTGP32Constants(mtgp32dc_params_fast_11213, params) == CURAND_STATUS_SUCCESS);
    for (int kind = 0; kind < KINDS; kind++) {
        Buffer<curandStateMtgp32_t> states(MANY / 128);
        Buffer<double> out(MANY * KEPT);
        EXPECT(curandMakeMTGP32KernelState(states, mtgp32dc_params_fast_11213, params, MANY / 128, 2026) ==
               CURAND_STATUS_SUCCESS);
        block_sequences<<<MANY / 128, 128>>>(kind, states, out);
        LAUNCHED();
        judge("mtgp", kind, out.get());
    }
    Buffer<double> out(VECTORS);
    vectors<<<1, 1>>>(out);
    LAUNCHED();
    compare("pairs and", "fours", out.get(), VECTORS, 2e-6);
    return recording ? 0 : DONE();
}
