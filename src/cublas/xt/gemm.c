// SPDX-License-Identifier: Apache-2.0
// gemm in squares of C, of which the host has its share where the program asked for that: a strip of C at the right or at the bottom,
// whichever side is longer.
#include "cublas/xt/xt.h"
#include <limits.h>

struct gemm {
    enum blas_type type;
    cublasOperation_t transa, transb;
    int64_t m, n, k, lda, ldb, ldc;
    const void *alpha, *beta, *a, *b;
    void *c;
};

// The part of a product whose first element of C is (i, j).
static struct gemm part_of(const struct gemm *g, int64_t i, int64_t j, int64_t m, int64_t n)
{
    struct gemm p = *g;
    p.m = m;
    p.n = n;
    p.a = xt_op_at(g->type, g->a, g->lda, g->transa, i, 0);
    p.b = xt_op_at(g->type, g->b, g->ldb, g->transb, 0, j);
    p.c = xt_to(g->type, g->c, g->ldc, i, j);
    return p;
}

static cublasStatus_t multiply(cublasHandle_t h, const struct gemm *g)
{
    return blas_gemm(g->type, h, g->transa, g->transb, g->m, g->n, g->k, g->alpha, g->a, g->lda, g->b, g->ldb, g->beta,
                     g->c, g->ldc);
}

static void squares(struct xt_run *r, const struct gemm *g)
{
    const int64_t block = r->h->block;
    for (int64_t j = 0; j < g->n; j += block)
        for (int64_t i = 0; i < g->m; i += block) {
            struct gemm p = part_of(g, i, j, blas_min(block, g->m - i), blas_min(block, g->n - j));
            if (!xt_did(r, multiply(xt_next(r), &p)))
                return;
        }
}

// ---- the host's share
static bool is_on_device(const void *p)
{
    struct cudaPointerAttributes a;
    return !cudaPointerGetAttributes(&a, p) && a.type == cudaMemoryTypeDevice;
}

// The routine has integers of 32 bits, and matrices of a device are not for the host.
static bool is_shared(const struct gemm *g, const struct xt_cpu *cpu)
{
    return cpu->routine && cpu->ratio > 0 && g->m <= INT_MAX && g->n <= INT_MAX && g->k <= INT_MAX &&
           g->lda <= INT_MAX && g->ldb <= INT_MAX && g->ldc <= INT_MAX && !is_on_device(g->a) && !is_on_device(g->b) &&
           !is_on_device(g->c);
}

// As Fortran has it: all by address, and the lengths of the texts at the end.
typedef void gemm_routine(const char *transa, const char *transb, const int *m, const int *n, const int *k,
                          const void *alpha, const void *a, const int *lda, const void *b, const int *ldb,
                          const void *beta, void *c, const int *ldc, size_t transa_length, size_t transb_length);

static void multiply_here(const struct gemm *g, const struct xt_cpu *cpu)
{
    int m = (int)g->m, n = (int)g->n, k = (int)g->k, lda = (int)g->lda, ldb = (int)g->ldb, ldc = (int)g->ldc;
    if (!m || !n)
        return;
    ((gemm_routine *)cpu->routine)(&"NTC"[g->transa], &"NTC"[g->transb], &m, &n, &k, g->alpha, g->a, &lda, g->b, &ldb,
                                   g->beta, g->c, &ldc, 1, 1);
}

cublasStatus_t xt_gemm(enum blas_type t, cublasXtHandle_t h, cublasOperation_t transa, cublasOperation_t transb,
                       size_t m, size_t n, size_t k, const void *alpha, const void *A, size_t lda, const void *B,
                       size_t ldb, const void *beta, void *C, size_t ldc)
{
    static const cublasXtOpType_t types[] = {CUBLASXT_FLOAT, CUBLASXT_DOUBLE, CUBLASXT_COMPLEX, CUBLASXT_DOUBLECOMPLEX};
    struct gemm g = {
        t,     transa, transb, xt_size(m), xt_size(n), xt_size(k), xt_size(lda), xt_size(ldb), xt_size(ldc),
        alpha, beta,   A,      B,          C};
    struct xt_run r;
    cublasStatus_t status = xt_enter(h);
    if (!status)
        status = multiply(h->checker, &g);
    if (!status)
        status = xt_begin(&r, h);
    if (status)
        return status;
    const struct xt_cpu *cpu = &h->gemm[types[t]];
    bool right = g.n >= g.m;
    int64_t all = right ? g.n : g.m, rest = is_shared(&g, cpu) ? (int64_t)((double)all * cpu->ratio) : 0;
    struct gemm devices = part_of(&g, 0, 0, right ? g.m : g.m - rest, right ? g.n - rest : g.n);
    struct gemm host =
        part_of(&g, right ? 0 : g.m - rest, right ? g.n - rest : 0, right ? g.m : rest, right ? rest : g.n);
    squares(&r, &devices);
    if (rest && !r.status)
        multiply_here(&host, cpu);
    return xt_end(&r);
}
