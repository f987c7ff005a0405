// libcurand: cuRAND's host interface over the kernels of kernels.cu, which are in the library as PTX and run wherever
// the runtime finds a device. A generator keeps the states of its sequences in device memory, and its place in their
// ring; a host generator is the same with a copy at the end.
//
// Not there: scrambled quasirandom generators, Sobol's sequences in more than 39 dimensions, MT19937, the dynamic order,
// direction vectors and prepared distributions. Poisson numbers have the right distribution, but below a mean of 4000 not
// NVIDIA's sequence.
#include <curand.h>
#include <curand_mtgp32.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "curand/mtgp.h"
#include "curand/sobol.h"

#define EXPORT        __attribute__((visibility("default")))
#define NOT_SUPPORTED CURAND_STATUS_ARCH_MISMATCH // the nearest that cuRAND has

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
};
static const struct kind kinds[] = {
    {"xorwow", CURAND_RNG_PSEUDO_XORWOW, 4096, 4096, 48, 1, 2},
    {"mrg32k3a", CURAND_RNG_PSEUDO_MRG32K3A, 81920, 4096, 48, 1, 2},
    {"philox", CURAND_RNG_PSEUDO_PHILOX4_32_10, 65536, 65536, 64, 4, 4},
    {"mtgp32", CURAND_RNG_PSEUDO_MTGP32, 192, 64, sizeof(struct curandStateMtgp32), 256, 256},
    {"sobol32", CURAND_RNG_QUASI_SOBOL32, 0, 0, sizeof(curandDirectionVectors32_t), 1, 1}, // the vectors in place of states
    {"sobol64", CURAND_RNG_QUASI_SOBOL64, 0, 0, sizeof(curandDirectionVectors64_t), 1, 1},
};

static bool is_quasi(curandRngType_t type)
{
    return type >= CURAND_RNG_QUASI_DEFAULT;
}

struct ring { // as in kernels.cu
    unsigned int count, first, skip;
};
struct shape {
    double a, b;
};
struct curandGenerator_st {
    const struct kind *kind;
    bool host;
    bool seeded; // the states are made
    bool apart;  // each sequence has its own seed
    cudaStream_t stream;
    unsigned long long seed, offset;
    unsigned int dimensions; // of a quasirandom generator
    struct ring ring;
    void *states;
    void *parameters; // of MTGP32
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static cudaLibrary_t library;
static cudaError_t library_error;

static void load(void)
{
    library_error = cudaLibraryLoadData(&library, heddle_curand_ptx, NULL, NULL, 0, NULL, NULL, 0);
}
static curandStatus_t launch(struct curandGenerator_st *g, const char *what, unsigned int blocks, unsigned int threads,
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
    dim3 grid = {blocks, 1, 1}, block = {threads, 1, 1};
    return cudaLaunchKernel((const void *)kernel, grid, block, arguments, 0, g->stream) ? CURAND_STATUS_LAUNCH_FAILURE
                                                                                        : CURAND_STATUS_SUCCESS;
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
static curandStatus_t make_vectors(struct curandGenerator_st *g)
{
    size_t size = g->kind->state_size * SOBOL_DIMENSIONS;
    void *v = malloc(size);
    curandStatus_t status = CURAND_STATUS_ALLOCATION_FAILED;
    if (v && (g->states || !cudaMalloc(&g->states, size))) {
        if (g->kind->type == CURAND_RNG_QUASI_SOBOL32)
            heddle_sobol_fill32(v, SOBOL_DIMENSIONS);
        else
            heddle_sobol_fill64(v, SOBOL_DIMENSIONS);
        status = cudaMemcpy(g->states, v, size, cudaMemcpyHostToDevice) ? CURAND_STATUS_INITIALIZATION_FAILED
                                                                        : CURAND_STATUS_SUCCESS;
    }
    free(v);
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
    g->ring.first = (unsigned int)(g->offset / g->kind->unit % g->ring.count);
    g->ring.skip = (unsigned int)(g->offset % g->kind->unit);
    if (g->kind->type == CURAND_RNG_PSEUDO_MTGP32) {
        status = seed_mtgp(g);
    } else {
        void *arguments[] = {&g->states, &g->ring.count, &g->seed, &g->offset};
        status = launch(g, g->apart ? "seed_apart" : "seed", (g->ring.count + 127) / 128, 128, arguments);
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
    if (quasi ? n % g->dimensions : pairs && !blocks && n % 2)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    if (n == 0)
        return CURAND_STATUS_SUCCESS;
    curandStatus_t status = make_states(g);
    if (status)
        return status;
    void *target = out;
    if (g->host && cudaMalloc(&target, n * size))
        return CURAND_STATUS_ALLOCATION_FAILED;
    unsigned int unit = pairs ? g->kind->pair_unit : g->kind->unit;
    unsigned long long count = n;
    struct shape shape = {a, b};
    void *arguments[] = {&g->states, &g->ring, &target, &count, &shape};
    if (quasi) {
        void *own[] = {&g->states, &g->dimensions, &g->offset, &target, &count, &shape};
        unsigned long long blocks_needed = (count + 4095) / 4096; // 128 threads of 32 numbers
        status = launch(g, what, blocks_needed < 4096 ? (unsigned int)blocks_needed + g->dimensions : 4096, 128, own);
        g->offset += count / g->dimensions;
    } else {
        status = blocks ? launch(g, what, g->ring.count, 256, arguments)
                        : launch(g, what, (g->ring.count + 127) / 128, 128, arguments);
        unsigned long long end = count + g->ring.skip;
        g->ring.first = (unsigned int)((g->ring.first + end / unit) % g->ring.count);
        g->ring.skip = (unsigned int)(end % unit);
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
        return CURAND_STATUS_OUT_OF_RANGE;
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
        *generator = g;
        return CURAND_STATUS_SUCCESS;
    }
    bool known = type == CURAND_RNG_PSEUDO_MT19937 ||
                 (type >= CURAND_RNG_QUASI_DEFAULT && type <= CURAND_RNG_QUASI_SCRAMBLED_SOBOL64);
    return known ? NOT_SUPPORTED : CURAND_STATUS_TYPE_ERROR;
}
EXPORT curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t rng_type)
{
    return create(generator, rng_type, false);
}
EXPORT curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t rng_type)
{
    return create(generator, rng_type, true);
}
EXPORT curandStatus_t curandDestroyGenerator(curandGenerator_t generator)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    cudaFree(generator->states);
    cudaFree(generator->parameters);
    free(generator);
    return CURAND_STATUS_SUCCESS;
}
EXPORT curandStatus_t curandGetVersion(int *version)
{
    if (!version)
        return CURAND_STATUS_OUT_OF_RANGE;
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}
EXPORT curandStatus_t curandGetProperty(libraryPropertyType type, int *value)
{
    static const int versions[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
    if (!value || (unsigned int)type > 2)
        return CURAND_STATUS_OUT_OF_RANGE;
    *value = versions[type];
    return CURAND_STATUS_SUCCESS;
}
EXPORT curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    generator->stream = stream;
    return CURAND_STATUS_SUCCESS;
}
EXPORT curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (is_quasi(generator->kind->type))
        return CURAND_STATUS_TYPE_ERROR;
    generator->seed = seed;
    generator->seeded = false;
    return CURAND_STATUS_SUCCESS;
}
EXPORT curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (generator->kind->type == CURAND_RNG_PSEUDO_MTGP32)
        return CURAND_STATUS_TYPE_ERROR;
    generator->offset = offset;
    generator->seeded = generator->seeded && is_quasi(generator->kind->type);
    return CURAND_STATUS_SUCCESS;
}
EXPORT curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    unsigned int count = generator->kind->count;
    if (is_quasi(generator->kind->type))
        return order == CURAND_ORDERING_QUASI_DEFAULT ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
    if (order == CURAND_ORDERING_PSEUDO_LEGACY)
        count = generator->kind->legacy_count;
    else if (order == CURAND_ORDERING_PSEUDO_DYNAMIC && !generator->host)
        return NOT_SUPPORTED; // it depends on the GPU
    else if (order != CURAND_ORDERING_PSEUDO_BEST && order != CURAND_ORDERING_PSEUDO_DEFAULT &&
             !(order == CURAND_ORDERING_PSEUDO_SEEDED && generator->kind->type == CURAND_RNG_PSEUDO_XORWOW))
        return CURAND_STATUS_OUT_OF_RANGE;
    generator->apart = order == CURAND_ORDERING_PSEUDO_SEEDED;
    if (count != generator->ring.count) {
        cudaFree(generator->states);
        generator->states = NULL;
    }
    generator->ring.count = count;
    generator->seeded = false;
    return CURAND_STATUS_SUCCESS;
}
EXPORT curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned int num_dimensions)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (num_dimensions == 0 || num_dimensions > 20000)
        return CURAND_STATUS_OUT_OF_RANGE;
    if (!is_quasi(generator->kind->type))
        return CURAND_STATUS_TYPE_ERROR;
    if (num_dimensions > SOBOL_DIMENSIONS)
        return NOT_SUPPORTED;
    generator->dimensions = num_dimensions;
    return CURAND_STATUS_SUCCESS;
}
EXPORT curandStatus_t curandGenerateSeeds(curandGenerator_t generator)
{
    return generator ? make_states(generator) : CURAND_STATUS_NOT_INITIALIZED;
}
EXPORT curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *outputPtr, size_t num)
{
    if (generator && generator->kind->type == CURAND_RNG_QUASI_SOBOL64)
        return CURAND_STATUS_TYPE_ERROR;
    return generate(generator, "bits", outputPtr, num, sizeof(*outputPtr), false, 0, 0);
}
EXPORT curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long *outputPtr, size_t num)
{
    if (generator && generator->kind->type != CURAND_RNG_QUASI_SOBOL64)
        return CURAND_STATUS_TYPE_ERROR;
    return generate(generator, "bits", outputPtr, num, sizeof(*outputPtr), false, 0, 0);
}
EXPORT curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *outputPtr, size_t num)
{
    return generate(generator, "uniform", outputPtr, num, sizeof(*outputPtr), false, 0, 0);
}
EXPORT curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *outputPtr, size_t num)
{
    return generate(generator, "uniform_double", outputPtr, num, sizeof(*outputPtr), false, 0, 0);
}
EXPORT curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *outputPtr, size_t n, float mean,
                                           float stddev)
{
    return generate(generator, "normal", outputPtr, n, sizeof(*outputPtr), true, mean, stddev);
}
EXPORT curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *outputPtr, size_t n, double mean,
                                                 double stddev)
{
    return generate(generator, "normal_double", outputPtr, n, sizeof(*outputPtr), true, mean, stddev);
}
EXPORT curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *outputPtr, size_t n, float mean,
                                              float stddev)
{
    return generate(generator, "log_normal", outputPtr, n, sizeof(*outputPtr), true, mean, stddev);
}
EXPORT curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *outputPtr, size_t n,
                                                    double mean, double stddev)
{
    return generate(generator, "log_normal_double", outputPtr, n, sizeof(*outputPtr), true, mean, stddev);
}
EXPORT curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int *outputPtr, size_t n,
                                            double lambda)
{
    if (generator && !(lambda > 0.0 && lambda <= 400000.0))
        return CURAND_STATUS_OUT_OF_RANGE;
    return generate(generator, "poisson", outputPtr, n, sizeof(*outputPtr), false, lambda, 0);
}

// What is not there yet.
EXPORT curandStatus_t curandGeneratePoissonMethod(curandGenerator_t generator, unsigned int *outputPtr, size_t n,
                                                  double lambda, curandMethod_t method)
{
    return method == CURAND_CHOOSE_BEST ? curandGeneratePoisson(generator, outputPtr, n, lambda) : NOT_SUPPORTED;
}
EXPORT curandStatus_t curandGenerateBinomial(curandGenerator_t generator, unsigned int *outputPtr, size_t num,
                                             unsigned int n, double p)
{
    (void)generator, (void)outputPtr, (void)num, (void)n, (void)p;
    return NOT_SUPPORTED;
}
EXPORT curandStatus_t curandGenerateBinomialMethod(curandGenerator_t generator, unsigned int *outputPtr, size_t num,
                                                   unsigned int n, double p, curandMethod_t method)
{
    (void)generator, (void)outputPtr, (void)num, (void)n, (void)p, (void)method;
    return NOT_SUPPORTED;
}
EXPORT curandStatus_t curandCreatePoissonDistribution(double lambda,
                                                      curandDiscreteDistribution_t *discrete_distribution)
{
    (void)lambda, (void)discrete_distribution;
    return NOT_SUPPORTED;
}
EXPORT curandStatus_t curandDestroyDistribution(curandDiscreteDistribution_t discrete_distribution)
{
    (void)discrete_distribution;
    return NOT_SUPPORTED;
}
EXPORT curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[], curandDirectionVectorSet_t set)
{
    (void)vectors, (void)set;
    return NOT_SUPPORTED;
}
EXPORT curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[], curandDirectionVectorSet_t set)
{
    (void)vectors, (void)set;
    return NOT_SUPPORTED;
}
EXPORT curandStatus_t curandGetScrambleConstants32(unsigned int **constants)
{
    (void)constants;
    return NOT_SUPPORTED;
}
EXPORT curandStatus_t curandGetScrambleConstants64(unsigned long long **constants)
{
    (void)constants;
    return NOT_SUPPORTED;
}
