// SPDX-License-Identifier: Apache-2.0
// libcurand: cuRAND's host interface over the kernels of kernels.cu, which are in the library as PTX and run wherever
// the runtime finds a device. A generator keeps the states of its sequences in device memory, and its place in their
// ring; a host generator is the same with a copy at the end.
//
// Not there: Sobol's sequences in more than 39 dimensions. The scrambled ones have matrices and constants of our own,
// so their numbers are not NVIDIA's. The dynamic order, which depends on the GPU, is the default one.
#include <curand_mtgp32.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "curand/distribution.h"
#include "curand/generator.h"
#include "curand/mtgp.h"
#include "curand/sobol.h"

#define MAX_LAMBDA  400000.0
#define SUMS_LAMBDA 8000.000001 // 8000 is below it

// What is exported is the table's, and all of the table is here.
#define FULL(result, name, params) __attribute__((visibility("default"))) result name params;
#include "curand/api.def"
#undef FULL
#define FULL(result, name, params) (void (*)(void))(name),
static void (*const exported[])(void) __attribute__((used)) = {
#include "curand/api.def"
};
#undef FULL

extern const char heddle_curand_ptx[];
__asm__(".section .rodata\n"
        ".globl heddle_curand_ptx\n.hidden heddle_curand_ptx\n"
        "heddle_curand_ptx:\n.incbin \"" HEDDLE_CURAND_PTX "\"\n.byte 0\n"
        ".previous\n");

// One row for each generator: states in the ring (in NVIDIA's default and in its legacy order), the bytes of one, how
// many numbers a unit has, and how many where they come in pairs.
struct kind {
    const char *name;
    curandRngType_t type;
    unsigned int count, legacy_count;
    size_t state_size;
    unsigned int unit, pair_unit;
    // Poisson numbers come from square histograms below the first of these means, by the inverse of the distribution
    // function below the second, and from there on by rounding.
    double table_lambda, sums_lambda;
};
static const struct kind kinds[] = {
    {"xorwow", CURAND_RNG_PSEUDO_XORWOW, 4096, 4096, 48, 1, 2, GAUSS_LAMBDA, 0},
    {"mrg32k3a", CURAND_RNG_PSEUDO_MRG32K3A, 81920, 4096, 48, 1, 2, GAUSS_LAMBDA, 0},
    {"philox", CURAND_RNG_PSEUDO_PHILOX4_32_10, 65536, 65536, 64, 4, 4, GAUSS_LAMBDA, 0},
    {"mtgp32", CURAND_RNG_PSEUDO_MTGP32, 192, 64, sizeof(struct curandStateMtgp32), 256, 256, 32, SUMS_LAMBDA},
    {"mt19937", CURAND_RNG_PSEUDO_MT19937, 0, 0, 0, 1, 1, GAUSS_LAMBDA, 0}, // see mt19937.c
    {"sobol32", CURAND_RNG_QUASI_SOBOL32, 0, 0, sizeof(curandDirectionVectors32_t), 1, 1, 10,
     SUMS_LAMBDA}, // the vectors in place of states
    {"sobol64", CURAND_RNG_QUASI_SOBOL64, 0, 0, sizeof(curandDirectionVectors64_t), 1, 1, 0, GAUSS_LAMBDA},
    {"scrambled_sobol32", CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, 0, 0, sizeof(curandDirectionVectors32_t), 1, 1, 10,
     SUMS_LAMBDA},
    {"scrambled_sobol64", CURAND_RNG_QUASI_SCRAMBLED_SOBOL64, 0, 0, sizeof(curandDirectionVectors64_t), 1, 1, 0,
     GAUSS_LAMBDA},
};

static bool is_quasi(curandRngType_t type)
{
    return type >= CURAND_RNG_QUASI_DEFAULT;
}

static bool is_wide(curandRngType_t type)
{
    return type == CURAND_RNG_QUASI_SOBOL64 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
}
static pthread_once_t once = PTHREAD_ONCE_INIT;
static cudaLibrary_t library;
static cudaError_t library_error;

static void load(void)
{
    library_error = cudaLibraryLoadData(&library, heddle_curand_ptx, NULL, NULL, 0, NULL, NULL, 0);
}
curandStatus_t heddle_curand_launch(struct curandGenerator_st *g, const char *what, dim3 grid, unsigned int threads,
                                    void **arguments)
{
    char name[64];
    cudaKernel_t kernel;
    pthread_once(&once, load);
    if (library_error)
        return CURAND_STATUS_INITIALIZATION_FAILED;
    snprintf(name, sizeof(name), "%s_%s", g->kind->name, what);
    if (cudaLibraryGetKernel(&kernel, library, name))
        return CURAND_STATUS_INTERNAL_ERROR;
    dim3 block = {threads, 1, 1};
    return cudaLaunchKernel((const void *)kernel, grid, block, arguments, 0, g->stream) ? CURAND_STATUS_LAUNCH_FAILURE
                                                                                        : CURAND_STATUS_SUCCESS;
}
static curandStatus_t launch(struct curandGenerator_st *g, const char *what, unsigned int blocks, unsigned int threads,
                             void **arguments)
{
    return heddle_curand_launch(g, what, (dim3){blocks, 1, 1}, threads, arguments);
}
static curandStatus_t seed_mtgp(struct curandGenerator_st *g)
{
    struct mtgp32_kernel_params *p = calloc(1, sizeof(*p));
    struct curandStateMtgp32 *s = calloc(g->ring.count, sizeof(*s));
    curandStatus_t status = CURAND_STATUS_ALLOCATION_FAILED;
    if (p && s && (g->parameters || !cudaMalloc(&g->parameters, sizeof(*p)))) {
        heddle_mtgp_fill(p, s, g->ring.count, g->seed, g->parameters);
        status = cudaMemcpyAsync(g->parameters, p, sizeof(*p), cudaMemcpyHostToDevice, g->stream) ||
                         cudaMemcpyAsync(g->states, s, g->ring.count * sizeof(*s), cudaMemcpyHostToDevice, g->stream) ||
                         cudaStreamSynchronize(g->stream)
                     ? CURAND_STATUS_INITIALIZATION_FAILED
                     : CURAND_STATUS_SUCCESS;
    }
    free(p);
    free(s);
    return status;
}
// Copies a table to device memory that is there already or allocated.
static curandStatus_t upload(void **to, const void *from, size_t size)
{
    if (!*to && cudaMalloc(to, size))
        return CURAND_STATUS_ALLOCATION_FAILED;
    return cudaMemcpy(*to, from, size, cudaMemcpyHostToDevice) ? CURAND_STATUS_INITIALIZATION_FAILED
                                                               : CURAND_STATUS_SUCCESS;
}
static curandStatus_t make_vectors(struct curandGenerator_st *g)
{
    const struct sobol_set *set =
        heddle_sobol_set((curandDirectionVectorSet_t)(CURAND_DIRECTION_VECTORS_32_JOEKUO6 +
                                                      ((int)g->kind->type - CURAND_RNG_QUASI_SOBOL32)));
    if (!set)
        return CURAND_STATUS_ALLOCATION_FAILED;
    curandStatus_t status = upload(&g->states, set->vectors, set->vector_size * SOBOL_DIMENSIONS);
    if (!status && set->constants)
        status = upload(&g->parameters, set->constants, set->constant_size * SOBOL_DIMENSIONS);
    return status;
}
static curandStatus_t make_states(struct curandGenerator_st *g)
{
    curandStatus_t status;
    if (g->seeded)
        return CURAND_STATUS_SUCCESS;
    if (is_quasi(g->kind->type)) {
        status = make_vectors(g);
        g->seeded = status == CURAND_STATUS_SUCCESS;
        return status;
    }
    if (!g->states && cudaMalloc(&g->states, g->kind->state_size * g->ring.count))
        return CURAND_STATUS_ALLOCATION_FAILED;
    // Where the generator stands, also with another seed or order; see curandSetPseudoRandomGeneratorSeed.
    unsigned long long from = g->offset;
    if (g->kind->type == CURAND_RNG_PSEUDO_MTGP32)
        from = 0;
    else if (from == 0)
        from = g->ring.skip;
    g->ring.first = (unsigned int)(from / g->kind->unit % g->ring.count);
    g->ring.skip = (unsigned int)(from % g->kind->unit);
    if (g->kind->type == CURAND_RNG_PSEUDO_MTGP32) {
        status = seed_mtgp(g);
    } else {
        void *arguments[] = {&g->states, &g->ring.count, &g->seed, &from};
        status = launch(g, g->own_seeds ? "seed_each" : "seed", (g->ring.count + 127) / 128, 128, arguments);
    }
    g->seeded = status == CURAND_STATUS_SUCCESS;
    return status;
}
// n numbers of a size; pairs says that they come in pairs.
static curandStatus_t generate(curandGenerator_t g, const char *what, void *out, size_t n, size_t size, bool pairs,
                               double a, double b)
{
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    bool blocks = g->kind->type == CURAND_RNG_PSEUDO_MTGP32, quasi = is_quasi(g->kind->type);
    bool words = g->kind->type == CURAND_RNG_PSEUDO_MT19937;
    if (quasi ? n % g->dimensions : pairs && g->kind->pair_unit == 2 && n % 2)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    if (n == 0)
        return CURAND_STATUS_SUCCESS;
    curandStatus_t status = words ? CURAND_STATUS_SUCCESS : make_states(g);
    if (status)
        return status;
    void *target = out;
    if (g->host && cudaMalloc(&target, n * size))
        return CURAND_STATUS_ALLOCATION_FAILED;
    unsigned int unit = pairs ? g->kind->pair_unit : g->kind->unit;
    unsigned long long count = n;
    struct shape shape = {a, b, g->table};
    void *arguments[] = {&g->states, &g->ring, &target, &count, &shape};
    if (words) {
        status = heddle_mt19937_generate(g, what, (char *)target, n, size, shape);
    } else if (quasi) {
        void *own[] = {&g->states, &g->parameters, &g->dimensions, &g->offset, &target, &count, &shape};
        unsigned long long blocks_needed = (count + 4095) / 4096; // 128 threads of 32 numbers
        status = launch(g, what, blocks_needed < 4096 ? (unsigned int)blocks_needed + g->dimensions : 4096, 128, own);
        g->offset += count / g->dimensions;
    } else {
        status = blocks ? launch(g, what, g->ring.count, 256, arguments)
                        : launch(g, what, (g->ring.count + 127) / 128, 128, arguments);
        unsigned long long end = count + g->ring.skip;
        g->ring.first = (unsigned int)((g->ring.first + end / unit) % g->ring.count);
        g->ring.skip = (unsigned int)(end % unit);
        g->offset += end / unit;
    }
    if (g->host) {
        if (!status && (cudaMemcpyAsync(out, target, n * size, cudaMemcpyDeviceToHost, g->stream) ||
                        cudaStreamSynchronize(g->stream)))
            status = CURAND_STATUS_LAUNCH_FAILURE;
        cudaFree(target);
    }
    return status;
}

static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool host)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (type == CURAND_RNG_PSEUDO_DEFAULT)
        type = CURAND_RNG_PSEUDO_XORWOW;
    if (type == CURAND_RNG_QUASI_DEFAULT)
        type = CURAND_RNG_QUASI_SOBOL32;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (kinds[i].type != type)
            continue;
        struct curandGenerator_st *g = calloc(1, sizeof(*g));
        if (!g)
            return CURAND_STATUS_ALLOCATION_FAILED;
        g->kind = &kinds[i];
        g->host = host;
        g->ring.count = kinds[i].count;
        g->dimensions = 1;
        g->order = CURAND_ORDERING_PSEUDO_DEFAULT;
        *generator = g;
        return CURAND_STATUS_SUCCESS;
    }
    return CURAND_STATUS_TYPE_ERROR;
}
curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t rng_type)
{
    return create(generator, rng_type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t rng_type)
{
    return create(generator, rng_type, true);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    cudaFree(generator->states);
    cudaFree(generator->parameters);
    cudaFree(generator->distribution);
    free(generator);
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetVersion(int *version)
{
    if (!version)
        return CURAND_STATUS_OUT_OF_RANGE;
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetProperty(libraryPropertyType type, int *value)
{
    static const int versions[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
    if (!value || (unsigned int)type > 2)
        return CURAND_STATUS_OUT_OF_RANGE;
    *value = versions[type];
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    generator->stream = stream;
    return CURAND_STATUS_SUCCESS;
}
// As in NVIDIA's library, on the host and on an H200:
// 1. The seed or the order that a generator has already changes nothing: its numbers go on.
// 2. With another one XORWOW, MRG32k3a and Philox go on where they stand, in other numbers. That place is the offset
//    plus the turns that sequences have had since, which are fewer than the numbers where a turn gives two or four. In
//    Philox's first turn it is the place in the turn.
// 3. MT19937 and MTGP32 begin anew. (NVIDIA's MTGP32 for devices keeps the seed of its first number for good, and gives
//    zeros after a change of order.)
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (is_quasi(generator->kind->type))
        return CURAND_STATUS_TYPE_ERROR;
    generator->seeded = generator->seeded && seed == generator->seed;
    generator->seed = seed;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (generator->kind->type == CURAND_RNG_PSEUDO_MTGP32 || generator->kind->type == CURAND_RNG_PSEUDO_MT19937)
        return CURAND_STATUS_TYPE_ERROR;
    generator->offset = offset;
    generator->ring.skip = 0;
    generator->seeded = generator->seeded && is_quasi(generator->kind->type);
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    unsigned int count = generator->kind->count;
    if (is_quasi(generator->kind->type))
        return order == CURAND_ORDERING_QUASI_DEFAULT ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
    bool known = order == CURAND_ORDERING_PSEUDO_DEFAULT || order == CURAND_ORDERING_PSEUDO_LEGACY ||
                 (order == CURAND_ORDERING_PSEUDO_SEEDED && generator->kind->type == CURAND_RNG_PSEUDO_XORWOW);
    if (generator->kind->type == CURAND_RNG_PSEUDO_MT19937)
        known |= order == CURAND_ORDERING_PSEUDO_BEST && !generator->host;
    else
        known |= order == CURAND_ORDERING_PSEUDO_BEST || (order == CURAND_ORDERING_PSEUDO_DYNAMIC && !generator->host);
    if (!known)
        return CURAND_STATUS_OUT_OF_RANGE;
    if (order == generator->order)
        return CURAND_STATUS_SUCCESS;
    if (order == CURAND_ORDERING_PSEUDO_LEGACY)
        count = generator->kind->legacy_count;
    generator->order = order;
    generator->own_seeds = order == CURAND_ORDERING_PSEUDO_SEEDED;
    if (count != generator->ring.count) {
        cudaFree(generator->states);
        generator->states = NULL;
    }
    generator->ring.count = count;
    generator->seeded = false;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned int num_dimensions)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (!is_quasi(generator->kind->type))
        return CURAND_STATUS_TYPE_ERROR;
    if (num_dimensions == 0 || num_dimensions > 20000)
        return CURAND_STATUS_OUT_OF_RANGE;
    if (num_dimensions > SOBOL_DIMENSIONS)
        return NOT_SUPPORTED;
    generator->dimensions = num_dimensions;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    generator->seeded = generator->seeded && is_quasi(generator->kind->type); // as if the seed were another one
    return generator->kind->type == CURAND_RNG_PSEUDO_MT19937 ? CURAND_STATUS_SUCCESS : make_states(generator);
}
curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *outputPtr, size_t num)
{
    if (generator && is_wide(generator->kind->type))
        return CURAND_STATUS_TYPE_ERROR;
    return generate(generator, "bits", outputPtr, num, sizeof(*outputPtr), false, 0, 0);
}
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long *outputPtr, size_t num)
{
    if (generator && !is_wide(generator->kind->type))
        return CURAND_STATUS_TYPE_ERROR;
    return generate(generator, "bits", outputPtr, num, sizeof(*outputPtr), false, 0, 0);
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *outputPtr, size_t num)
{
    return generate(generator, "uniform", outputPtr, num, sizeof(*outputPtr), false, 0, 0);
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *outputPtr, size_t num)
{
    return generate(generator, "uniform_double", outputPtr, num, sizeof(*outputPtr), false, 0, 0);
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *outputPtr, size_t n, float mean, float stddev)
{
    return generate(generator, "normal", outputPtr, n, sizeof(*outputPtr), true, mean, stddev);
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *outputPtr, size_t n, double mean,
                                          double stddev)
{
    return generate(generator, "normal_double", outputPtr, n, sizeof(*outputPtr), true, mean, stddev);
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *outputPtr, size_t n, float mean,
                                       float stddev)
{
    return generate(generator, "log_normal", outputPtr, n, sizeof(*outputPtr), true, mean, stddev);
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *outputPtr, size_t n, double mean,
                                             double stddev)
{
    return generate(generator, "log_normal_double", outputPtr, n, sizeof(*outputPtr), true, mean, stddev);
}
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int *outputPtr, size_t n, double lambda)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (!(lambda > 0.0 && lambda <= MAX_LAMBDA))
        return CURAND_STATUS_OUT_OF_RANGE;
    bool table = lambda < generator->kind->table_lambda, sums = !table && lambda < generator->kind->sums_lambda;
    if ((table || sums) && generator->lambda != lambda) {
        curandDiscreteDistribution_t histogram = NULL;
        curandDistributionM2Shift_t m2 = NULL;
        curandDistributionShift_t added = NULL;
        cudaFree(generator->distribution);
        generator->distribution = NULL;
        generator->lambda = 0;
        curandStatus_t status =
            table ? heddle_distribution_create(lambda, &histogram, &m2) : heddle_distribution_sums(lambda, &added);
        if (status)
            return status;
        generator->distribution = table ? (void *)histogram : (void *)added;
        generator->table = table ? (void *)m2 : (void *)added;
        generator->lambda = lambda;
    }
    const char *what = table ? "poisson_table" : sums ? "poisson_inverse" : "poisson_round";
    return generate(generator, what, outputPtr, n, sizeof(*outputPtr), false, lambda, 0);
}

// Only these methods are open to callers: the one of the device functions, and NVIDIA's own choice under another name.
curandStatus_t curandGeneratePoissonMethod(curandGenerator_t generator, unsigned int *outputPtr, size_t n,
                                           double lambda, curandMethod_t method)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (method == CURAND_3RD)
        return curandGeneratePoisson(generator, outputPtr, n, lambda);
    if (method != CURAND_DEVICE_API || generator->kind->type == CURAND_RNG_PSEUDO_MT19937)
        return CURAND_STATUS_INTERNAL_ERROR;
    if (!(lambda > 0.0 && lambda <= MAX_LAMBDA))
        return CURAND_STATUS_OUT_OF_RANGE;
    return generate(generator, "poisson", outputPtr, n, sizeof(*outputPtr), false, lambda, 0);
}
curandStatus_t curandCreatePoissonDistribution(double lambda, curandDiscreteDistribution_t *discrete_distribution)
{
    if (!discrete_distribution)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (!(lambda > 0.0 && lambda <= MAX_LAMBDA))
        return CURAND_STATUS_OUT_OF_RANGE;
    return heddle_distribution_create(lambda, discrete_distribution, NULL);
}
curandStatus_t curandDestroyDistribution(curandDiscreteDistribution_t discrete_distribution)
{
    if (!discrete_distribution)
        return CURAND_STATUS_NOT_INITIALIZED;
    return cudaFree(discrete_distribution) ? CURAND_STATUS_PREEXISTING_FAILURE : CURAND_STATUS_SUCCESS;
}

// The tables of the sequences, for the device functions: of 39 dimensions.
static const struct sobol_set *find_set(curandDirectionVectorSet_t set, size_t vector_size, curandStatus_t *status)
{
    bool wide = set == CURAND_DIRECTION_VECTORS_64_JOEKUO6 || set == CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6;
    bool narrow = set == CURAND_DIRECTION_VECTORS_32_JOEKUO6 || set == CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6;
    *status = CURAND_STATUS_OUT_OF_RANGE;
    if (vector_size == sizeof(curandDirectionVectors64_t) ? !wide : !narrow)
        return NULL;
    const struct sobol_set *found = heddle_sobol_set(set);
    *status = found ? CURAND_STATUS_SUCCESS : CURAND_STATUS_ALLOCATION_FAILED;
    return found;
}
curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[], curandDirectionVectorSet_t set)
{
    curandStatus_t status = CURAND_STATUS_NOT_INITIALIZED;
    const struct sobol_set *found = vectors ? find_set(set, sizeof(**vectors), &status) : NULL;
    if (found)
        *vectors = (curandDirectionVectors32_t *)found->vectors;
    return status;
}
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[], curandDirectionVectorSet_t set)
{
    curandStatus_t status = CURAND_STATUS_NOT_INITIALIZED;
    const struct sobol_set *found = vectors ? find_set(set, sizeof(**vectors), &status) : NULL;
    if (found)
        *vectors = (curandDirectionVectors64_t *)found->vectors;
    return status;
}
curandStatus_t curandGetScrambleConstants32(unsigned int **constants)
{
    const struct sobol_set *set = heddle_sobol_set(CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6);
    if (!constants || !set)
        return constants ? CURAND_STATUS_ALLOCATION_FAILED : CURAND_STATUS_NOT_INITIALIZED;
    *constants = (unsigned int *)set->constants;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetScrambleConstants64(unsigned long long **constants)
{
    const struct sobol_set *set = heddle_sobol_set(CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6);
    if (!constants || !set)
        return constants ? CURAND_STATUS_ALLOCATION_FAILED : CURAND_STATUS_NOT_INITIALIZED;
    *constants = (unsigned long long *)set->constants;
    return CURAND_STATUS_SUCCESS;
}
