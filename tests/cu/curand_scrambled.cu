// SPDX-License-Identifier: Apache-2.0
// nvcc: -lcurand

// widths: 32

// Scrambled Sobol sequences: as even as the plain ones (of 1024 numbers of a dimension one lies in each 1024th of the
// interval, of pairs of the first two dimensions one in each box of that area), from vectors and constants that kernels
// may use too.
#include "check.h"
#include <curand.h>
#include <curand_kernel.h>

#define RAND(call) EXPECT((call) == CURAND_STATUS_SUCCESS)
enum { DIMENSIONS = 39, EACH = 1024 };

template <class State, class Vectors, class T>
__global__ void numbers(const Vectors *vectors, const T *constants, T *out)
{
    int d = threadIdx.x;
    State s;
    curand_init(const_cast<Vectors &>(vectors[d]), constants[d], 0, &s);
    for (int i = 0; i < EACH; i++)
        out[d * EACH + i] = curand(&s);
}
template <class T> static bool even(const T *x)
{
    std::vector<int> found(EACH);
    for (int i = 0; i < EACH; i++)
        found[x[i] >> (8 * sizeof(T) - 10)]++;
    for (int n : found)
        if (n != 1)
            return false;
    return true;
}
template <class T> static bool even(const T *x, const T *y, int x_bits)
{
    std::vector<int> found(EACH);
    for (int i = 0; i < EACH; i++) {
        unsigned int a = x_bits ? (unsigned int)(x[i] >> (8 * sizeof(T) - x_bits)) : 0;
        unsigned int b = x_bits < 10 ? (unsigned int)(y[i] >> (8 * sizeof(T) - (10 - x_bits))) : 0;
        found[a << (10 - x_bits) | b]++;
    }
    for (int n : found)
        if (n != 1)
            return false;
    return true;
}
template <class State, class Vectors, class T>
static std::vector<T> check(curandRngType_t type, curandStatus_t (*make)(curandGenerator_t, T *, size_t),
                            Vectors *vectors, T *constants)
{
    Buffer<T> out(DIMENSIONS * EACH), same(DIMENSIONS * EACH), c(DIMENSIONS);
    curandGenerator_t g;
    RAND(curandCreateGenerator(&g, type));
    RAND(curandSetQuasiRandomGeneratorDimensions(g, DIMENSIONS));
    RAND(make(g, out, DIMENSIONS * EACH));
    std::vector<T> v = out.get();
    for (int d = 0; d < DIMENSIONS; d++)
        EXPECT(even(&v[d * EACH]));
    for (int bits = 0; bits <= 10; bits++)
        EXPECT(even(&v[0], &v[EACH], bits));

    // From an offset, the numbers that are there.
    RAND(curandSetGeneratorOffset(g, 1000));
    RAND(make(g, out, DIMENSIONS * 24));
    std::vector<T> rest = out.get();
    for (int d = 0; d < DIMENSIONS; d++)
        EXPECT(!std::memcmp(&rest[d * 24], &v[d * EACH + 1000], 24 * sizeof(T)));
    RAND(curandDestroyGenerator(g));

    Vectors *device;
    OK(cudaMalloc(&device, DIMENSIONS * sizeof(Vectors)));
    OK(cudaMemcpy(device, vectors, DIMENSIONS * sizeof(Vectors), cudaMemcpyHostToDevice));
    OK(cudaMemcpy(c.p, constants, DIMENSIONS * sizeof(T), cudaMemcpyHostToDevice));
    numbers<State><<<1, DIMENSIONS>>>(device, c.p, same.p);
    LAUNCHED();
    EXPECT(same.get() == v);
    OK(cudaFree(device));
    return v;
}

int main()
{
    curandDirectionVectors32_t *vectors32, *plain;
    curandDirectionVectors64_t *vectors64;
    unsigned int *constants32;
    unsigned long long *constants64;
    RAND(curandGetDirectionVectors32(&vectors32, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6));
    RAND(curandGetDirectionVectors64(&vectors64, CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6));
    RAND(curandGetScrambleConstants32(&constants32));
    RAND(curandGetScrambleConstants64(&constants64));
    auto narrow = check<curandStateScrambledSobol32_t>(CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, curandGenerate, vectors32,
                                                       constants32);
    auto wide = check<curandStateScrambledSobol64_t>(CURAND_RNG_QUASI_SCRAMBLED_SOBOL64, curandGenerateLongLong,
                                                     vectors64, constants64);
    bool halves = true;
    for (size_t i = 0; i < narrow.size(); i++)
        halves &= narrow[i] == (unsigned int)(wide[i] >> 32);
    EXPECT(halves);

    // Plain vectors: the first dimension's are the bits, the second's begin with these.
    RAND(curandGetDirectionVectors32(&plain, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
    for (int i = 0; i < 32; i++)
        EXPECT(plain[0][i] == 1u << (31 - i));
    EXPECT(plain[1][0] == 0x80000000u && plain[1][1] == 0xc0000000u && plain[1][2] == 0xa0000000u);
    EXPECT(curandGetDirectionVectors32(&plain, CURAND_DIRECTION_VECTORS_64_JOEKUO6) == CURAND_STATUS_OUT_OF_RANGE);

    // The other functions of a generator.
    curandGenerator_t g;
    Buffer<float> f(96);
    Buffer<unsigned int> u(96);
    RAND(curandCreateGenerator(&g, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32));
    RAND(curandSetQuasiRandomGeneratorDimensions(g, 3));
    EXPECT(curandSetPseudoRandomGeneratorSeed(g, 1) == CURAND_STATUS_TYPE_ERROR);
    EXPECT(curandGenerateLongLong(g, nullptr, 3) == CURAND_STATUS_TYPE_ERROR);
    RAND(curandGenerateUniform(g, f, 96));
    for (float x : f.get())
        EXPECT(x > 0 && x <= 1);
    RAND(curandGenerateNormal(g, f, 96, 0, 1));
    RAND(curandGeneratePoisson(g, u, 96, 3));
    RAND(curandDestroyGenerator(g));
    return DONE();
}
