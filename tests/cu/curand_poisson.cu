// SPDX-License-Identifier: Apache-2.0
// nvcc: -lcurand

// widths: 32

// Poisson numbers of cuRAND's host interface, by tables, inverse and rounding: hashes of what NVIDIA's library gives on
// an H200. A prepared distribution in kernels gives the same numbers.
#include "check.h"
#include <curand.h>
#include <curand_kernel.h>

#define RAND(call) EXPECT((call) == CURAND_STATUS_SUCCESS)
enum { COUNT = 120000, EACH = 2048 };

static unsigned long long hash(const std::vector<unsigned int> &v)
{
    unsigned long long h = 14695981039346656037ull;
    const unsigned char *p = reinterpret_cast<const unsigned char *>(v.data());
    for (size_t i = 0; i < v.size() * sizeof(v[0]); i++)
        h = (h ^ p[i]) * 1099511628211ull;
    return h;
}
static curandGenerator_t make(curandRngType_t type)
{
    curandGenerator_t g;
    RAND(curandCreateGenerator(&g, type));
    if (type < CURAND_RNG_QUASI_DEFAULT) {
        RAND(curandSetPseudoRandomGeneratorSeed(g, 1234));
    } else {
        RAND(curandSetQuasiRandomGeneratorDimensions(g, 3));
        RAND(curandSetGeneratorOffset(g, 1000));
    }
    return g;
}
__global__ void discrete(unsigned int *out, curandDiscreteDistribution_t distribution)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    curandStateXORWOW_t s;
    curand_init(1234, t, 0, &s);
    out[t] = curand_discrete(&s, distribution);
}

int main()
{
    // A large mean is not here where rounded normal numbers are asked for, since their last bits differ.
    const struct {
        curandRngType_t type;
        double lambda;
        unsigned long long hash;
    } recorded[] = {
        {CURAND_RNG_PSEUDO_XORWOW, 0.5, 0x175c44782bc5fbe1ull},
        {CURAND_RNG_PSEUDO_XORWOW, 500, 0x152644785b077b63ull},
        {CURAND_RNG_PSEUDO_MRG32K3A, 20, 0x8ce93d228fe85c1cull},
        {CURAND_RNG_PSEUDO_PHILOX4_32_10, 20, 0x13df2c37755f950dull},
        {CURAND_RNG_PSEUDO_MTGP32, 20, 0x989893cc304a9714ull},
        {CURAND_RNG_PSEUDO_MTGP32, 3999, 0x7fcb931e107498ddull},
        {CURAND_RNG_QUASI_SOBOL32, 0.5, 0x8c6783cf25ca9d03ull},
        {CURAND_RNG_QUASI_SOBOL32, 4001, 0x926dc050ece8915full},
        {CURAND_RNG_QUASI_SOBOL64, 0.5, 0x24479b39a1043ea6ull},
        {CURAND_RNG_QUASI_SOBOL64, 500, 0x9532facd98f3174eull},
    };
    Buffer<unsigned int> out(COUNT);
    for (auto &r : recorded) {
        curandGenerator_t g = make(r.type);
        if (r.type < CURAND_RNG_QUASI_DEFAULT) { // two calls go on as one would
            RAND(curandGeneratePoisson(g, out, COUNT / 3, r.lambda));
            RAND(curandGeneratePoisson(g, out.p + COUNT / 3, COUNT - COUNT / 3, r.lambda));
        } else { // in each call all dimensions
            RAND(curandGeneratePoisson(g, out, 39996, r.lambda));
            RAND(curandGeneratePoisson(g, out.p + 39996, COUNT - 39996, r.lambda));
        }
        if (hash(out.get()) != r.hash)
            std::printf("type %d, mean %g\n", (int)r.type, r.lambda);
        EXPECT(hash(out.get()) == r.hash);
        RAND(curandDestroyGenerator(g));
    }

    // Large means: the moments.
    curandGenerator_t g = make(CURAND_RNG_PSEUDO_XORWOW);
    RAND(curandGeneratePoisson(g, out, COUNT, 50000));
    double sum = 0, squares = 0;
    for (unsigned int x : out.get()) {
        sum += x - 50000.0;
        squares += (x - 50000.0) * (x - 50000.0);
    }
    EXPECT(std::fabs(sum / COUNT) < 5 * std::sqrt(50000.0 / COUNT));
    EXPECT(std::fabs(squares / COUNT / 50000 - 1) < 0.03);
    RAND(curandDestroyGenerator(g));

    // In kernels; a generator's first numbers come from its first sequences.
    for (double lambda : {3.0, 1500.0}) {
        curandDiscreteDistribution_t d;
        Buffer<unsigned int> kernel(EACH), host(EACH);
        RAND(curandCreatePoissonDistribution(lambda, &d));
        discrete<<<EACH / 128, 128>>>(kernel, d);
        OK(cudaDeviceSynchronize());
        g = make(CURAND_RNG_PSEUDO_XORWOW);
        RAND(curandGeneratePoisson(g, host, EACH, lambda));
        EXPECT(kernel.get() == host.get());
        RAND(curandDestroyGenerator(g));
        RAND(curandDestroyDistribution(d));
    }
    curandDiscreteDistribution_t d;
    RAND(curandCreatePoissonDistribution(2000, &d)); // a normal number that is rounded
    curandDiscreteDistribution_st image;
    OK(cudaMemcpy(&image, d, sizeof(image), cudaMemcpyDeviceToHost));
    EXPECT(image.method == CURAND_DISCRETE_GAUSS && image.mean == 2000 && image.stddev == std::sqrt(2000.0));
    RAND(curandDestroyDistribution(d));

    // What is refused.
    g = make(CURAND_RNG_PSEUDO_XORWOW);
    EXPECT(curandGeneratePoisson(g, out, 8, 0) == CURAND_STATUS_OUT_OF_RANGE);
    EXPECT(curandGeneratePoisson(g, out, 8, 400001) == CURAND_STATUS_OUT_OF_RANGE);
    EXPECT(curandGeneratePoissonMethod(g, out, 8, 20, CURAND_KNUTH) == CURAND_STATUS_INTERNAL_ERROR);
    RAND(curandGeneratePoissonMethod(g, out, 8, 20, CURAND_DEVICE_API));
    EXPECT(curandCreatePoissonDistribution(-1, &d) == CURAND_STATUS_OUT_OF_RANGE);
    RAND(curandDestroyGenerator(g));
    return DONE();
}
