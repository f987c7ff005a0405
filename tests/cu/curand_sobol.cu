// SPDX-License-Identifier: Apache-2.0
// nvcc: -lcurand

// widths: 32

// cuRAND's quasirandom generators: Sobol's sequences in 39 dimensions, whose hashes are those of NVIDIA's library; calls that go
// on where the last ended, distributions and errors.
#include "check.h"
#include <curand.h>

#define RAND(call) EXPECT((call) == CURAND_STATUS_SUCCESS)

enum { DIMENSIONS = 39, EACH = 1000, COUNT = DIMENSIONS * EACH };

template <class T> static unsigned long long hash(const std::vector<T> &v)
{
    unsigned long long h = 14695981039346656037ull;
    const unsigned char *p = reinterpret_cast<const unsigned char *>(v.data());
    for (size_t i = 0; i < v.size() * sizeof(T); i++)
        h = (h ^ p[i]) * 1099511628211ull;
    return h;
}
template <class T>
static void one(curandGenerator_t g, curandStatus_t (*make)(curandGenerator_t, T *, size_t), unsigned long long want)
{
    Buffer<T> out(COUNT);
    RAND(make(g, out, COUNT));
    EXPECT(hash(out.get()) == want);
}
static curandStatus_t poisson(curandGenerator_t g, unsigned int *p, size_t n)
{
    return curandGeneratePoisson(g, p, n, 20);
}

int main()
{
    curandGenerator_t g;
    RAND(curandCreateGenerator(&g, CURAND_RNG_QUASI_DEFAULT));
    RAND(curandSetQuasiRandomGeneratorDimensions(g, DIMENSIONS));
    RAND(curandSetGeneratorOrdering(g, CURAND_ORDERING_QUASI_DEFAULT));
    RAND(curandSetGeneratorOffset(g, 100000));
    one(g, curandGenerate, 0xa0bcbdb1cbfbc445ull);
    one(g, curandGenerateUniform, 0x2104902d4b23ba4full);
    one(g, curandGenerateUniformDouble, 0x4fe6b29b9768af43ull);
    one(g, poisson, 0xd7f99b1e0e1ab77aull);
    Buffer<unsigned int> words(COUNT);
    EXPECT(curandGenerate(g, words, DIMENSIONS + 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    EXPECT(curandGenerateLongLong(g, nullptr, DIMENSIONS) == CURAND_STATUS_TYPE_ERROR);
    EXPECT(curandSetPseudoRandomGeneratorSeed(g, 1) == CURAND_STATUS_TYPE_ERROR);
    EXPECT(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_DEFAULT) == CURAND_STATUS_OUT_OF_RANGE);
    EXPECT(curandSetQuasiRandomGeneratorDimensions(g, 0) == CURAND_STATUS_OUT_OF_RANGE);
    EXPECT(curandSetQuasiRandomGeneratorDimensions(g, 20001) == CURAND_STATUS_OUT_OF_RANGE);

    // The normal distribution by the inverse: any number of them, spread evenly over it.
    std::vector<float> f(3 * EACH);
    Buffer<float> normal(f.size());
    RAND(curandSetQuasiRandomGeneratorDimensions(g, 3));
    RAND(curandSetGeneratorOffset(g, 1));
    RAND(curandGenerateNormal(g, normal, f.size(), 2, 3));
    f = normal.get();
    for (int d = 0; d < 3; d++) {
        double sum = 0, squares = 0;
        for (int i = 0; i < EACH; i++) {
            sum += f[d * EACH + i];
            squares += (f[d * EACH + i] - 2) * (f[d * EACH + i] - 2);
        }
        EXPECT(std::fabs(sum / EACH - 2) < 0.05);
        EXPECT(std::fabs(squares / EACH - 9) < 0.3);
    }
    std::vector<float> log_normal;
    RAND(curandSetGeneratorOffset(g, 1));
    RAND(curandGenerateLogNormal(g, normal, f.size(), 2, 3));
    log_normal = normal.get();
    bool right = true;
    for (size_t i = 0; i < f.size(); i++)
        right &= std::fabs(std::log(log_normal[i]) - f[i]) < 1e-4f;
    EXPECT(right);
    RAND(curandDestroyGenerator(g));

    // A host generator, and 64 bits.
    std::vector<unsigned long long> longs(COUNT);
    RAND(curandCreateGeneratorHost(&g, CURAND_RNG_QUASI_SOBOL64));
    RAND(curandSetQuasiRandomGeneratorDimensions(g, DIMENSIONS));
    RAND(curandSetGeneratorOffset(g, 100000));
    RAND(curandGenerateLongLong(g, longs.data(), COUNT));
    EXPECT(hash(longs) == 0x223aa07ac7883a05ull);
    EXPECT(curandGenerate(g, nullptr, DIMENSIONS) == CURAND_STATUS_TYPE_ERROR);
    RAND(curandDestroyGenerator(g));
    RAND(curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL64));
    RAND(curandSetQuasiRandomGeneratorDimensions(g, DIMENSIONS));
    RAND(curandSetGeneratorOffset(g, 101000));
    one(g, curandGenerateUniform, 0x2104902d4b23ba4full);
    one(g, curandGenerateUniformDouble, 0x903fd876cb720899ull);
    one(g, poisson, 0xd7f99b1e0e1ab77aull);
    RAND(curandDestroyGenerator(g));

    // The default is one dimension, from the start.
    RAND(curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32));
    RAND(curandGenerate(g, words, 5));
    RAND(curandGenerate(g, words.p + 5, 3));
    std::vector<unsigned int> v = words.get();
    const unsigned int first[] = {0,          0x80000000, 0xc0000000, 0x40000000,
                                  0x60000000, 0xe0000000, 0xa0000000, 0x20000000};
    EXPECT(!std::memcmp(v.data(), first, sizeof first));
    RAND(curandDestroyGenerator(g));
    return DONE();
}
