// SPDX-License-Identifier: Apache-2.0
// nvcc: -lcurand

// widths: 32

// cuRAND's MT19937: 8192 sequences of which eight numbers come from each in turn. Hashes of what NVIDIA's library
// gives, also where all words of the states have been used and the next ones follow.
#include "check.h"
#include <curand.h>

#define RAND(call) EXPECT((call) == CURAND_STATUS_SUCCESS)
enum { COUNT = 120000, CYCLE = 8192 * 624 };

template <class T> static unsigned long long hash(const T *v, size_t n)
{
    unsigned long long h = 14695981039346656037ull;
    const unsigned char *p = reinterpret_cast<const unsigned char *>(v);
    for (size_t i = 0; i < n * sizeof(T); i++)
        h = (h ^ p[i]) * 1099511628211ull;
    return h;
}

int main()
{
    curandGenerator_t g;
    RAND(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_MT19937));
    RAND(curandSetPseudoRandomGeneratorSeed(g, 1234));
    EXPECT(curandSetGeneratorOffset(g, 1) == CURAND_STATUS_TYPE_ERROR);
    RAND(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_LEGACY));
    EXPECT(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_SEEDED) == CURAND_STATUS_OUT_OF_RANGE);
    EXPECT(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_DYNAMIC) == CURAND_STATUS_OUT_OF_RANGE);

    // In calls of any length, all of them through to the next words of the states.
    Buffer<unsigned int> bits(CYCLE + 16384);
    const size_t lengths[] = {1003, 70001, 48996, 5000001};
    size_t at = 0;
    for (size_t n : lengths) {
        RAND(curandGenerate(g, bits.p + at, n));
        at += n;
    }
    RAND(curandGenerate(g, bits.p + at, 1));
    std::vector<unsigned int> v = bits.get();
    EXPECT(hash(v.data(), 5000) == 0xd2a5a54da9c9a46dull);
    EXPECT(hash(v.data(), COUNT) == 0x29618d11c6966be4ull);
    EXPECT(hash(v.data() + 5100000, 20000) == 0xcbdf201c8bc100c8ull);

    // Every function takes one number for one. The seed's lower half counts; the seed that it has already would let the
    // numbers go on.
    const unsigned long long again = 0x7700000000ull + 1234;
    RAND(curandSetPseudoRandomGeneratorSeed(g, again));
    Buffer<float> single(COUNT);
    Buffer<double> doubles(COUNT);
    RAND(curandGenerateUniform(g, single, COUNT));
    EXPECT(hash(single.get().data(), COUNT) == 0x4a9a3bbe0c2a47b2ull);
    RAND(curandSetPseudoRandomGeneratorSeed(g, 1234));
    RAND(curandGenerateUniformDouble(g, doubles, 999));
    RAND(curandGenerateUniformDouble(g, doubles.p + 999, COUNT - 999));
    EXPECT(hash(doubles.get().data(), COUNT) == 0x90b0ab5e27831220ull);
    RAND(curandSetPseudoRandomGeneratorSeed(g, again));
    RAND(curandGeneratePoisson(g, bits, COUNT, 500));
    EXPECT(hash(bits.get().data(), COUNT) == 0x72b510e512136522ull);
    RAND(curandSetPseudoRandomGeneratorSeed(g, 1234));
    const double normal[] = {-0.74462140508800445, -1.9804168754462985, -1.0742937081076067, 1.8127648194697279};
    RAND(curandGenerateNormalDouble(g, doubles, 5, 1, 2));
    std::vector<double> d = doubles.get();
    for (int i = 0; i < 4; i++)
        EXPECT(std::fabs(d[i] - normal[i]) < 1e-14);
    RAND(curandGenerateLogNormal(g, single, 7, 0, 1));
    RAND(curandDestroyGenerator(g));

    // A host generator.
    std::vector<unsigned int> words(5000);
    RAND(curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_MT19937));
    EXPECT(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_BEST) == CURAND_STATUS_OUT_OF_RANGE);
    RAND(curandSetPseudoRandomGeneratorSeed(g, 1234));
    RAND(curandGenerateSeeds(g));
    RAND(curandGenerate(g, words.data(), words.size()));
    EXPECT(hash(words.data(), words.size()) == 0xd2a5a54da9c9a46dull);
    RAND(curandDestroyGenerator(g));
    return DONE();
}
