// SPDX-License-Identifier: Apache-2.0
// Which code multiplies matrices here.
#include "cublas/compute/product.h"
#include "base/log.h"
#include <pthread.h>
#include <unistd.h>

static const struct engine *engine;
static void (*special[PRODUCT_TYPES])(const struct product *p); // in place of the engine's
static int64_t near_bytes;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Half of a core's second cache: of one with 1 MiB where the system does not tell.
static int64_t near_of_cache(void)
{
    long bytes = 0;
#if defined(_SC_LEVEL2_CACHE_SIZE)
    bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
    return (bytes > 0 ? bytes : 1 << 20) / 2;
}

static void choose(void)
{
    near_bytes = near_of_cache();
    engine = &engine_plain;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        engine = &engine_avx2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
        engine = &engine_avx512;
#endif
    log_write(LOG_INFO, "cuBLAS: products by the code for %s", engine->name);
    for (const struct product_special *s = product_specials; s->run; s++)
        if (!special[s->type] && product_special_runs(s)) {
            special[s->type] = s->run;
            log_write(LOG_INFO, "cuBLAS: products of type %d by the code for %s", s->type, s->name);
        }
}

static void run_large(enum product_type type, const struct product *p)
{
    (special[type] && !(p->strict && type == PRODUCT_B) ? special[type] : engine->run[type])(p);
}

// ---- products without a sum: C = beta C
#define SCALE(name, type)                                                                                              \
    static void name(const struct product *p)                                                                          \
    {                                                                                                                  \
        const type beta = *(const type *)p->beta;                                                                      \
        for (int64_t j = 0; j < p->n; j++)                                                                             \
            for (int64_t i = 0; i < p->m; i++) {                                                                       \
                type *c = (type *)p->c + i + j * p->ldc;                                                               \
                *c = beta == 0 ? 0 : *c * beta;                                                                        \
            }                                                                                                          \
    }
SCALE(scale_S, float)
SCALE(scale_D, double)
SCALE(scale_C, float _Complex)
SCALE(scale_Z, double _Complex)
SCALE(scale_I, int32_t)

static const struct {
    void (*scale)(const struct product *p);
} sums[PRODUCT_TYPES] = {
    [PRODUCT_S] = {scale_S}, [PRODUCT_D] = {scale_D}, [PRODUCT_C] = {scale_C}, [PRODUCT_Z] = {scale_Z},
    [PRODUCT_H] = {scale_S}, [PRODUCT_B] = {scale_S}, [PRODUCT_I] = {scale_I}, [PRODUCT_IF] = {scale_S},
};

static bool is_zero(enum product_type type, const void *number)
{
    const bool real = type == PRODUCT_S || type == PRODUCT_H || type == PRODUCT_B || type == PRODUCT_IF;
    return real                ? *(const float *)number == 0
           : type == PRODUCT_D ? *(const double *)number == 0
           : type == PRODUCT_C ? *(const float _Complex *)number == 0
           : type == PRODUCT_Z ? *(const double _Complex *)number == 0
                               : *(const int32_t *)number == 0;
}

bool product_is_own(enum product_type type)
{
    pthread_once(&once, choose);
    return type > PRODUCT_Z || engine->alone[type] || !product_openblas_library();
}

// Nothing is packed where what is read of A and B lies within half of a core's second cache, and k is not cut. A packed panel is read in
// order, and the pages and sets of the cache that it takes do not depend on where the matrix has its columns; this is worth its copy where
// they are far apart. Measured with AVX-512 on one core with 1 MiB, GFLOP/s packed and not, n = 64, 128, 192, 256, 384, 512: S 66 and 142,
// 101 and 141, 112 and 147, 115 and 140, 117 and 124, 123 and 67.
static bool is_near(enum product_type type, const struct product *p)
{
    const int64_t size = type == PRODUCT_S ? sizeof(float) : sizeof(double);
    const int64_t step_a = p->a_transposed ? p->m : p->lda, step_b = p->b_transposed ? p->ldb : p->n;
    return p->k <= PRODUCT_DEPTH && step_a < near_bytes && step_b < near_bytes && // so that nothing overflows
           p->k * (step_a + step_b) * size <= near_bytes;
}

void product_run(enum product_type type, const struct product *p)
{
    pthread_once(&once, choose);
    if (p->m <= 0 || p->n <= 0)
        return;
    if (p->k <= 0 || is_zero(type, p->alpha))
        sums[type].scale(p);
    else if (!engine->alone[type] && product_openblas(type, p))
        return;
    else if (engine->small[type] && is_near(type, p))
        engine->small[type](p);
    else
        run_large(type, p);
}
