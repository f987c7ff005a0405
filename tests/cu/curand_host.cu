// SPDX-License-Identifier: Apache-2.0
// nvcc: -lcurand

// widths: 32

// cuRAND's host interface: numbers in NVIDIA's order, as an H200 gives them; calls that go on where the last ended;
// offsets, streams, host generators and errors.
#include "check.h"
#include <curand.h>

#define RAND(call) EXPECT((call) == CURAND_STATUS_SUCCESS)

template <class T> static unsigned long long hash(const std::vector<T> &v)
{
    unsigned long long h = 14695981039346656037ull;
    const unsigned char *p = reinterpret_cast<const unsigned char *>(v.data());
    for (size_t i = 0; i < v.size() * sizeof(T); i++)
        h = (h ^ p[i]) * 1099511628211ull;
    return h;
}
// n numbers in calls of the given lengths.
template <class T>
static std::vector<T> numbers(curandRngType_t type, curandOrdering_t order, unsigned long long offset,
                              std::vector<size_t> lengths, curandStatus_t (*make)(curandGenerator_t, T *, size_t))
{
    size_t n = 0;
    for (size_t l : lengths)
        n += l;
    Buffer<T> out(n);
    curandGenerator_t g;
    RAND(curandCreateGenerator(&g, type));
    RAND(curandSetGeneratorOrdering(g, order));
    RAND(curandSetPseudoRandomGeneratorSeed(g, 1234));
    if (offset)
        RAND(curandSetGeneratorOffset(g, offset));
    n = 0;
    for (size_t l : lengths) {
        RAND(make(g, out + n, l));
        n += l;
    }
    RAND(curandDestroyGenerator(g));
    return out.get();
}
static curandStatus_t normal(curandGenerator_t g, float *p, size_t n)
{
    return curandGenerateNormal(g, p, n, 1, 2);
}
static curandStatus_t poisson(curandGenerator_t g, unsigned int *p, size_t n)
{
    return curandGeneratePoisson(g, p, n, 20);
}
template <class T> static void moments(const std::vector<T> &v, double mean, double deviation)
{
    double sum = 0, squares = 0, n = (double)v.size();
    for (T x : v) {
        sum += x - mean;
        squares += (x - mean) * (x - mean);
    }
    EXPECT(std::fabs(sum / n) < 5 * deviation / std::sqrt(n));
    EXPECT(std::fabs(squares / n / (deviation * deviation) - 1) < 0.05);
}

int main()
{
    const struct {
        curandRngType_t type;
        unsigned long long bits, legacy_bits, uniform, uniform_double;
    } recorded[] = {
        {CURAND_RNG_PSEUDO_XORWOW, 0xf7361bd6004299fcull, 0xf7361bd6004299fcull, 0x286c2d837d1677a5ull,
         0x5d42e2406fae361bull},
        {CURAND_RNG_PSEUDO_MRG32K3A, 0x78fe86a812ff3bd7ull, 0x35f4f0e44cadb5b6ull, 0xe9be1944a4d4574dull,
         0xcf2bb9fcc2e841e6ull},
        {CURAND_RNG_PSEUDO_MTGP32, 0x270af8a3ab939febull, 0x294ecd32a6c25209ull, 0x716a4f19f7ea802dull,
         0x440a730f1fc1a374ull},
        {CURAND_RNG_PSEUDO_PHILOX4_32_10, 0x1244d30211f13d84ull, 0x1244d30211f13d84ull, 0x9a051d62acb95468ull,
         0x1fa3bc924f5611d1ull},
    };
    const curandOrdering_t order = CURAND_ORDERING_PSEUDO_DEFAULT;
    for (auto &r : recorded) {
        std::vector<unsigned int> all = numbers(r.type, order, 0, {60000}, curandGenerate);
        EXPECT(hash(all) == r.bits);
        EXPECT(hash(numbers(r.type, CURAND_ORDERING_PSEUDO_LEGACY, 0, {60000}, curandGenerate)) == r.legacy_bits);
        EXPECT(hash(numbers(r.type, order, 0, {60000}, curandGenerateUniform)) == r.uniform);
        EXPECT(hash(numbers(r.type, order, 0, {60000}, curandGenerateUniformDouble)) == r.uniform_double);
        EXPECT(numbers(r.type, order, 0, {1, 4098, 777, 55124}, curandGenerate) == all);
        EXPECT(numbers(r.type, order, 0, {2, 4098, 778, 55122}, normal) == numbers(r.type, order, 0, {60000}, normal));
        if (r.type != CURAND_RNG_PSEUDO_MTGP32)
            EXPECT(numbers(r.type, order, 4999, {55001}, curandGenerate) ==
                   std::vector<unsigned int>(all.begin() + 4999, all.end()));
        moments(numbers(r.type, order, 0, {60000}, normal), 1, 2);
        moments(numbers(r.type, order, 0, {60000}, poisson), 20, std::sqrt(20));
    }

    // The seeded order of XORWOW; the other generators have none.
    EXPECT(hash(numbers(CURAND_RNG_PSEUDO_XORWOW, CURAND_ORDERING_PSEUDO_SEEDED, 0, {60000}, curandGenerate)) ==
           0x07e079257bb54318ull);
    curandGenerator_t other;
    RAND(curandCreateGenerator(&other, CURAND_RNG_PSEUDO_MRG32K3A));
    EXPECT(curandSetGeneratorOrdering(other, CURAND_ORDERING_PSEUDO_SEEDED) == CURAND_STATUS_OUT_OF_RANGE);
    RAND(curandDestroyGenerator(other));

    // Host generators, streams and every function.
    curandGenerator_t g;
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    std::vector<unsigned int> bits(60000);
    RAND(curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_DEFAULT));
    RAND(curandSetStream(g, stream));
    RAND(curandSetPseudoRandomGeneratorSeed(g, 1234));
    RAND(curandGenerateSeeds(g));
    RAND(curandGenerate(g, bits.data(), bits.size()));
    EXPECT(hash(bits) == recorded[0].bits);
    std::vector<double> d(20000);
    std::vector<float> f(20000);
    RAND(curandGenerateNormalDouble(g, d.data(), d.size(), -3, 0.5));
    moments(d, -3, 0.5);
    RAND(curandGenerateLogNormal(g, f.data(), f.size(), 0, 0.5f));
    moments(f, std::exp(0.125), std::exp(0.125) * std::sqrt(std::exp(0.25) - 1));
    RAND(curandGenerateLogNormalDouble(g, d.data(), d.size(), 0, 0.5));
    moments(d, std::exp(0.125), std::exp(0.125) * std::sqrt(std::exp(0.25) - 1));

    int version = 0;
    RAND(curandGetVersion(&version));
    EXPECT(version == CURAND_VERSION);
    RAND(curandGetProperty(MAJOR_VERSION, &version));
    EXPECT(version == CURAND_VER_MAJOR);
    EXPECT(curandGenerateNormal(g, f.data(), 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    EXPECT(curandGeneratePoisson(g, bits.data(), 8, -1) == CURAND_STATUS_OUT_OF_RANGE);
    EXPECT(curandSetGeneratorOrdering(g, (curandOrdering_t)7) == CURAND_STATUS_OUT_OF_RANGE);
    EXPECT(curandGenerateLongLong(g, nullptr, 8) == CURAND_STATUS_TYPE_ERROR);
    RAND(curandGenerate(g, nullptr, 0));
    RAND(curandDestroyGenerator(g));
    EXPECT(curandCreateGenerator(&g, (curandRngType_t)77) == CURAND_STATUS_TYPE_ERROR);
    EXPECT(curandGenerate(nullptr, bits.data(), 8) == CURAND_STATUS_NOT_INITIALIZED);
    EXPECT(curandDestroyGenerator(nullptr) == CURAND_STATUS_NOT_INITIALIZED);
    OK(cudaStreamDestroy(stream));
    return DONE();
}
