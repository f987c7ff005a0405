// SPDX-License-Identifier: Apache-2.0
// Which code multiplies matrices here.
#include "cublas/compute/product.h"
#include "base/log.h"
#include <pthread.h>

static const struct engine *engine;
static void (*special[PRODUCT_TYPES])(const struct product *p); // in place of the engine's
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void choose(void)
{
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

// Small products have code of their own: up to the first two volumes OpenBLAS is not asked, up to the last one nothing is packed. Measured
// with AVX-512 on one core, OpenBLAS's time by its own, n = 8, 16, 24, 32, 40: S 1.3, 1.3, 1.3, 1.0, 1.3; D 1.4, 1.2, 1.0, 0.9, 1.0.
enum { SMALL_S = 40 * 40 * 40, SMALL_D = 24 * 24 * 24, SMALL_ANY = PRODUCT_SMALL * PRODUCT_SMALL * PRODUCT_SMALL };

bool product_is_own(enum product_type type)
{
    pthread_once(&once, choose);
    return type > PRODUCT_Z || engine->alone[type] || !product_openblas_library();
}

// A small product is never cut (tiles.c), so that it has the same sums for any number of workers.
static bool run_openblas(enum product_type type, const struct product *p)
{
    const bool small = p->m <= PRODUCT_SMALL && p->n <= PRODUCT_SMALL && p->k <= PRODUCT_SMALL;
    const enum product_alone alone = engine->alone[type];
    return (alone == ALONE_NEVER || (alone == ALONE_LARGE && p->by_size && small)) && product_openblas(type, p);
}

static bool run_small(enum product_type type, const struct product *p, int64_t volume)
{
    if (!engine->small[type] || p->k > PRODUCT_SMALL || p->m > PRODUCT_SMALL || p->n > PRODUCT_SMALL ||
        p->m * p->n * p->k > volume)
        return false;
    engine->small[type](p);
    return true;
}

void product_run(enum product_type type, const struct product *p)
{
    pthread_once(&once, choose);
    if (p->m <= 0 || p->n <= 0)
        return;
    if (p->k <= 0 || is_zero(type, p->alpha))
        sums[type].scale(p);
    else if (!run_small(type, p, type == PRODUCT_S ? SMALL_S : SMALL_D) && !run_openblas(type, p) &&
             !run_small(type, p, SMALL_ANY))
        run_large(type, p);
}
