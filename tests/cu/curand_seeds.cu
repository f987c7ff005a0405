// SPDX-License-Identifier: Apache-2.0
// nvcc: -lcurand

// widths: 32

// cuRAND's generators when they get a seed, an order or an offset in the middle of their numbers: which ones come
// next. The places were found on an H200 and in NVIDIA's host generators, which agree.
#include "check.h"
#include <curand.h>

#define RAND(call) EXPECT((call) == CURAND_STATUS_SUCCESS)
enum { EACH = 8, LENGTH = 64 };

struct Generator {
    bool host;
    curandGenerator_t g;
    Generator(curandRngType_t type, bool host_) : host(host_)
    {
        RAND(host ? curandCreateGeneratorHost(&g, type) : curandCreateGenerator(&g, type));
    }
    Generator(const Generator &) = delete;
    ~Generator()
    {
        RAND(curandDestroyGenerator(g));
    }
    std::vector<unsigned int> take(size_t n)
    {
        std::vector<unsigned int> v(n);
        Buffer<unsigned int> out(n);
        RAND(curandGenerate(g, host ? v.data() : out.p, n));
        return host ? v : out.get();
    }
    void seed(unsigned long long s)
    {
        RAND(curandSetPseudoRandomGeneratorSeed(g, s));
    }
    // The next numbers are those of a new generator with that seed, from that place on.
    void expect(curandRngType_t type, unsigned long long s, size_t place)
    {
        Generator other(type, host);
        other.seed(s);
        std::vector<unsigned int> all = other.take(LENGTH), v = take(EACH);
        if (std::memcmp(v.data(), &all[place], EACH * sizeof(v[0])))
            std::printf("type %d, host %d: not seed %llu at %zu\n", (int)type, host, s, place);
        EXPECT(!std::memcmp(v.data(), &all[place], EACH * sizeof(v[0])));
    }
};

// unit: how many numbers come from one sequence before it is the next one's turn.
static void goes_on(curandRngType_t type, bool host, size_t unit)
{
    Generator g(type, host);
    g.take(EACH);
    g.seed(1234);
    g.expect(type, 1234, 8 / unit);
    g.expect(type, 1234, 8 / unit + 8);
    g.seed(1234);
    g.expect(type, 1234, 8 / unit + 16);
    g.seed(0x7700000000ull + 1234);
    g.expect(type, 0x7700000000ull + 1234, 32 / unit);
    g.seed(1234);
    g.seed(5);
    g.expect(type, 5, 40 / unit);
    RAND(curandGenerateSeeds(g.g));
    g.expect(type, 5, 48 / unit);
    RAND(curandSetGeneratorOffset(g.g, 0));
    g.expect(type, 5, 0);
    g.expect(type, 5, 8);
    for (int i = 0; i < 2; i++) {
        RAND(curandSetGeneratorOffset(g.g, 3));
        g.expect(type, 5, 3);
    }
    RAND(curandSetGeneratorOrdering(g.g, CURAND_ORDERING_PSEUDO_DEFAULT));
    g.expect(type, 5, 11);
    RAND(curandSetGeneratorOrdering(g.g, CURAND_ORDERING_PSEUDO_LEGACY));
    g.expect(type, 5, 3 + 16 / unit);
    g.seed(9);
    g.expect(type, 9, 3 + 24 / unit);
    RAND(curandSetStream(g.g, 0));
    g.expect(type, 9, 11 + 24 / unit);
}
static void begins_anew(curandRngType_t type, bool host)
{
    Generator g(type, host);
    if (!host) // NVIDIA's host generator takes six seconds for a seed
        g.take(EACH);
    g.seed(1234);
    g.expect(type, 1234, 0);
    g.seed(1234);
    g.expect(type, 1234, 8);
    if (host)
        return;
    RAND(curandGenerateSeeds(g.g));
    g.expect(type, 1234, 0);
    RAND(curandSetGeneratorOrdering(g.g, CURAND_ORDERING_PSEUDO_DEFAULT));
    g.expect(type, 1234, 8);
    RAND(curandSetGeneratorOrdering(g.g, CURAND_ORDERING_PSEUDO_LEGACY));
    g.expect(type, 1234, 0);
    g.seed(5);
    g.expect(type, 5, 0);
}

int main()
{
    for (int host = 0; host < 2; host++) {
        goes_on(CURAND_RNG_PSEUDO_XORWOW, host, 1);
        goes_on(CURAND_RNG_PSEUDO_PHILOX4_32_10, host, 4);
    }
    goes_on(CURAND_RNG_PSEUDO_MRG32K3A, false, 1);
    begins_anew(CURAND_RNG_PSEUDO_MT19937, false);
    begins_anew(CURAND_RNG_PSEUDO_MTGP32, true);

    // Pairs of normal numbers are one turn; in Philox's first turn the place in it stays.
    {
        Generator g(CURAND_RNG_PSEUDO_XORWOW, false);
        Buffer<float> normal(20);
        RAND(curandGenerateNormal(g.g, normal, 20, 0, 1));
        g.seed(77);
        g.expect(CURAND_RNG_PSEUDO_XORWOW, 77, 10);
    }
    for (size_t n = 1; n < 8; n++) {
        Generator g(CURAND_RNG_PSEUDO_PHILOX4_32_10, true);
        g.take(n);
        g.seed(77);
        g.expect(CURAND_RNG_PSEUDO_PHILOX4_32_10, 77, n < 4 ? n : 1);
    }
    return DONE();
}
