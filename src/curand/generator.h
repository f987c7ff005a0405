// SPDX-License-Identifier: Apache-2.0
// A generator of libcurand, for the files that make its states.
#ifndef HEDDLE_CURAND_GENERATOR_H
#define HEDDLE_CURAND_GENERATOR_H
#include <curand.h>
#include <stdbool.h>

#define NOT_SUPPORTED CURAND_STATUS_ARCH_MISMATCH // the nearest that cuRAND has

struct kind;  // a row of the table in curand.c
struct ring { // as in kernels.cu
    unsigned int count, first, skip;
};
struct shape {
    double a, b;
    const void *table; // of a prepared distribution
};
struct curandGenerator_st {
    const struct kind *kind;
    bool host;
    bool seeded;    // the states are made
    bool own_seeds; // each sequence has its own seed
    cudaStream_t stream;
    curandOrdering_t order;
    unsigned long long seed, offset; // the offset moves on with the numbers, see curandSetPseudoRandomGeneratorSeed
    unsigned int dimensions;         // of a quasirandom generator
    struct ring ring;
    void *states;
    void *parameters; // of MTGP32; the constants of a scrambled generator
    double lambda;    // of the prepared distribution
    void *distribution;
    const void *table;       // in it
    unsigned int sequences;  // of MT19937: how many have their states
    unsigned long long done; // and how many numbers have been given out
};

// Launches the kernel of that name for the generator's kind.
curandStatus_t heddle_curand_launch(struct curandGenerator_st *g, const char *what, dim3 grid, unsigned int threads,
                                    void **arguments);
// n numbers of a distribution from MT19937, of size bytes each.
curandStatus_t heddle_mt19937_generate(struct curandGenerator_st *g, const char *what, char *out, size_t n, size_t size,
                                       struct shape shape);
#endif
