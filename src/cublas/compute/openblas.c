// SPDX-License-Identifier: Apache-2.0
// Products by OpenBLAS, where the variant with POSIX threads is installed, opened by its path. HEDDLE_BLAS=own leaves it out.
//
// Our workers call it at the same time, each for a part of its own. So it has to be the variant that locks: the serial one hands out the
// memory for panels without a lock, and two callers then work in the same panels and both get wrong numbers. It must not
// start threads itself beside the workers, so that it is told to use one. That holds for the whole process: where the program has
// OpenBLAS loaded itself, with more threads than one, it is left to the program, and our own code does the products.
//
// Where it does not know the processor it is left out (base/cpu/openblas.h).
//
// Its sums are in an order that the sizes of a product decide, so that how C is cut must follow from sizes alone: it does.
#include "base/cpu/openblas.h"
#include "base/env.h"
#include "base/log.h"
#include "cublas/compute/product.h"
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>

enum { COLUMN_MAJOR = 102, NO_TRANS = 111, TRANS = 112, CONJ_TRANS = 113 };

typedef void sgemm_fn(int, int, int, int, int, int, float, const void *, int, const void *, int, float, void *, int);
typedef void dgemm_fn(int, int, int, int, int, int, double, const void *, int, const void *, int, double, void *, int);
typedef void zgemm_fn(int, int, int, int, int, int, const void *, const void *, int, const void *, int, const void *,
                      void *, int);
static struct {
    sgemm_fn *s;
    dgemm_fn *d;
    zgemm_fn *c, *z;
} gemm;
static void *library;
static bool found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

enum { PARALLEL_POSIX = 1 }; // what openblas_get_parallel says of the variant with POSIX threads

typedef int count_fn(void);

// One thread from now on, and those that it has started when it was loaded end.
static bool make_quiet(void *h)
{
    void (*set)(int) = (void (*)(int))dlsym(h, "openblas_set_num_threads");
    count_fn *end = (count_fn *)dlsym(h, "blas_thread_shutdown_");
    if (!set)
        return false;
    set(1);
    if (end)
        end();
    return true;
}

// May it be called by several threads, and does it run on the one that calls?
static bool is_fit(void *h, bool program_has_it)
{
    count_fn *parallel = (count_fn *)dlsym(h, "openblas_get_parallel");
    count_fn *threads = (count_fn *)dlsym(h, "openblas_get_num_threads");
    if (!parallel || !threads || parallel() != PARALLEL_POSIX)
        return false;
    return threads() == 1 || (!program_has_it && make_quiet(h));
}

// NULL: there is none that is fit.
static void *openblas_open(void)
{
    static const char *const paths[] = {
        "/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblas.so.0",
        "/usr/lib/aarch64-linux-gnu/openblas-pthread/libopenblas.so.0",
    };
    // The loader would take one that is there under this name, whatever its path.
    void *h = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    bool program_has_it = h;
    for (size_t i = 0; i < sizeof paths / sizeof *paths && !h; i++)
        h = dlopen(paths[i], RTLD_NOW | RTLD_LOCAL);
    if (h && !openblas_knows_processor(h)) {
        log_write(LOG_INFO, "cuBLAS: OpenBLAS does not know this processor and is left out (OPENBLAS_CORETYPE=SkylakeX "
                            "or Haswell names one that it knows)");
        dlclose(h);
        h = NULL;
    }
    if (h && !is_fit(h, program_has_it)) {
        dlclose(h);
        h = NULL;
    }
    return h;
}

static void find(void)
{
    if (strcmp(env_get("HEDDLE_BLAS"), "own") != 0)
        library = openblas_open();
    void *h = library;
    if (!h)
        return;
    gemm.s = (sgemm_fn *)dlsym(h, "cblas_sgemm");
    gemm.d = (dgemm_fn *)dlsym(h, "cblas_dgemm");
    gemm.c = (zgemm_fn *)dlsym(h, "cblas_cgemm");
    gemm.z = (zgemm_fn *)dlsym(h, "cblas_zgemm");
    found = gemm.s && gemm.d && gemm.c && gemm.z;
    log_write(LOG_INFO, "cuBLAS: products by OpenBLAS%s", found ? "" : ": it lacks functions");
}

void *product_openblas_library(void)
{
    pthread_once(&once, find);
    return library;
}

static bool is_int(int64_t x)
{
    return x <= INT_MAX;
}

static int trans(bool transposed, bool conjugated)
{
    return !transposed ? NO_TRANS : conjugated ? CONJ_TRANS : TRANS;
}

bool product_openblas(enum product_type type, const struct product *p)
{
    pthread_once(&once, find);
    bool conjugated_only = (p->a_conjugated && !p->a_transposed) || (p->b_conjugated && !p->b_transposed);
    if (!found || type > PRODUCT_Z || conjugated_only || !is_int(p->m) || !is_int(p->n) || !is_int(p->k) ||
        !is_int(p->lda) || !is_int(p->ldb) || !is_int(p->ldc))
        return false;
    int ta = trans(p->a_transposed, p->a_conjugated), tb = trans(p->b_transposed, p->b_conjugated);
    int m = (int)p->m, n = (int)p->n, k = (int)p->k, lda = (int)p->lda, ldb = (int)p->ldb, ldc = (int)p->ldc;
    if (type == PRODUCT_S)
        gemm.s(COLUMN_MAJOR, ta, tb, m, n, k, *(const float *)p->alpha, p->a, lda, p->b, ldb, *(const float *)p->beta,
               p->c, ldc);
    else if (type == PRODUCT_D)
        gemm.d(COLUMN_MAJOR, ta, tb, m, n, k, *(const double *)p->alpha, p->a, lda, p->b, ldb, *(const double *)p->beta,
               p->c, ldc);
    else
        (type == PRODUCT_C ? gemm.c : gemm.z)(COLUMN_MAJOR, ta, tb, m, n, k, p->alpha, p->a, lda, p->b, ldb, p->beta,
                                              p->c, ldc);
    return true;
}
