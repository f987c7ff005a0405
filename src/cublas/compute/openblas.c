// SPDX-License-Identifier: Apache-2.0
// Products by OpenBLAS, where its serial variant is installed: the one without threads of its own, opened by its path and with its
// names to itself, so that no other BLAS of the program is taken for it or it for another. HEDDLE_BLAS=own leaves it out.
//
// Its sums are in an order that the sizes of a product decide, so that how C is cut must follow from sizes alone: it does.
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

static void find(void)
{
    static const char *const paths[] = {
        "/usr/lib/x86_64-linux-gnu/openblas-serial/libopenblas.so.0",
        "/usr/lib/aarch64-linux-gnu/openblas-serial/libopenblas.so.0",
    };
    if (!strcmp(env_get("HEDDLE_BLAS"), "own"))
        return;
    for (size_t i = 0; i < sizeof paths / sizeof *paths && !library; i++)
        library = dlopen(paths[i], RTLD_NOW | RTLD_LOCAL);
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
