// SPDX-License-Identifier: Apache-2.0
// Which code multiplies matrices here, and the memory that it packs them into.
#include "cublas/compute/product.h"
#include "base/log.h"
#include "base/os.h"
#include <pthread.h>
#include <stdlib.h>

static const struct engine *engine;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void choose(void)
{
    engine = &engine_plain;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        engine = &engine_avx2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
        engine = &engine_avx512;
#endif
    log_write(LOG_INFO, "cuBLAS: products by the code for %s", engine->name);
}

// ---- memory of threads
struct memories {
    void *at[MEMORIES];
    size_t bytes[MEMORIES];
};

static void memories_free(void *p)
{
    struct memories *m = p;
    for (int i = 0; i < MEMORIES; i++)
        free(m->at[i]);
    free(m);
}

static struct os_thread_end thread_end = {.end = memories_free};
static _Thread_local struct memories *own;

// The fault that ends a kernel.
static void no_memory(void)
{
    static int *volatile nowhere;
    log_write(LOG_ERROR, "cuBLAS: there is no memory for a product");
    *nowhere = 0;
}

void *product_memory(enum product_memory slot, size_t bytes)
{
    enum { ALIGN = 64, PAGE = 4096 };
    if (!own) {
        struct memories *m = calloc(1, sizeof *m);
        if (!m || !os_at_thread_end(&thread_end, m))
            no_memory();
        own = m;
    }
    if (own->bytes[slot] < bytes) {
        free(own->at[slot]);
        own->bytes[slot] = (bytes + PAGE - 1) / PAGE * PAGE;
        own->at[slot] = aligned_alloc(ALIGN, own->bytes[slot]);
        if (!own->at[slot]) {
            own->bytes[slot] = 0;
            no_memory();
        }
    }
    return own->at[slot];
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

void product_run(enum product_type type, const struct product *p)
{
    pthread_once(&once, choose);
    if (p->m <= 0 || p->n <= 0)
        return;
    if (p->k <= 0 || is_zero(type, p->alpha))
        sums[type].scale(p);
    else
        engine->run[type](p);
}
