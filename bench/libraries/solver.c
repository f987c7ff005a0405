// SPDX-License-Identifier: Apache-2.0
// Dense linear algebra: factorisations and eigenvalues, against LAPACK as OpenBLAS has it. Each run copies the matrix first.
#include "libraries.h"
#include <cuda_runtime_api.h>
#include <cusolverDn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum routine { GETRF, POTRF, GEQRF, SYEVD, ROUTINES };
static const char *const routine_names[ROUTINES] = {"getrf", "potrf", "geqrf", "syevd"};

struct solver {
    enum routine routine;
    int n, lwork, *pivots, *info, liwork, *iwork;
    struct data from, a, w, work;
    cusolverDnHandle_t handle;
    void *function;
};

static void solver_close(void *state)
{
    struct solver *s = state;
    if (s->handle) {
        cusolverDnDestroy(s->handle);
        cudaFree(s->pivots);
        cudaFree(s->info);
    } else {
        free(s->pivots);
        free(s->iwork);
    }
    data_free(&s->from);
    data_free(&s->a);
    data_free(&s->w);
    data_free(&s->work);
    free(s);
}

// Symmetric, with a large diagonal, so that all of them take it.
static bool matrix_make(struct solver *s, bool device)
{
    const size_t n = (size_t)s->n;
    double *x = malloc(n * n * sizeof *x);
    if (!x || !data_make(&s->from, device, 'D', n * n, 0) || !data_make(&s->a, device, 'D', n * n, 0) ||
        !data_make(&s->w, device, 'D', n, 0)) {
        free(x);
        return false;
    }
    unsigned long long state = 9;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i <= j; i++) {
            state = state * 6364136223846793005ull + 1442695040888963407ull;
            x[i + j * n] = x[j + i * n] = (double)(int)(state >> 40) / (1 << 23) - 1 + (i == j ? (double)n : 0);
        }
    data_fill(&s->from, x);
    free(x);
    return true;
}

static struct solver *solver_open(const struct row *r, bool device)
{
    struct solver *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->routine = (enum routine)r->kind;
    s->n = r->n;
    if (matrix_make(s, device))
        return s;
    solver_close(s);
    return NULL;
}

static void *ours_open(const struct row *r)
{
    struct solver *s = solver_open(r, true);
    if (!s)
        return NULL;
    const int n = s->n;
    cusolverStatus_t e = cusolverDnCreate(&s->handle);
    if (!e)
        e = s->routine == GETRF ? cusolverDnDgetrf_bufferSize(s->handle, n, n, s->a.at, n, &s->lwork)
            : s->routine == POTRF
                ? cusolverDnDpotrf_bufferSize(s->handle, CUBLAS_FILL_MODE_LOWER, n, s->a.at, n, &s->lwork)
            : s->routine == GEQRF
                ? cusolverDnDgeqrf_bufferSize(s->handle, n, n, s->a.at, n, &s->lwork)
                : cusolverDnDsyevd_bufferSize(s->handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, s->a.at,
                                              n, s->w.at, &s->lwork);
    if (!e && !cudaMalloc((void **)&s->pivots, (size_t)n * sizeof(int)) &&
        !cudaMalloc((void **)&s->info, sizeof(int)) && data_make(&s->work, true, 'D', (size_t)s->lwork + 1, 0))
        return s;
    solver_close(s);
    return NULL;
}

static void ours_run(void *state)
{
    struct solver *s = state;
    const int n = s->n;
    cudaMemcpyAsync(s->a.at, s->from.at, s->a.n * sizeof(double), cudaMemcpyDeviceToDevice, 0);
    if (s->routine == GETRF)
        cusolverDnDgetrf(s->handle, n, n, s->a.at, n, s->work.at, s->pivots, s->info);
    else if (s->routine == POTRF)
        cusolverDnDpotrf(s->handle, CUBLAS_FILL_MODE_LOWER, n, s->a.at, n, s->work.at, s->lwork, s->info);
    else if (s->routine == GEQRF)
        cusolverDnDgeqrf(s->handle, n, n, s->a.at, n, s->w.at, s->work.at, s->lwork, s->info);
    else
        cusolverDnDsyevd(s->handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, s->a.at, n, s->w.at,
                         s->work.at, s->lwork, s->info);
}

static void ours_wait(void *state)
{
    (void)state;
    cudaDeviceSynchronize();
}

// The eigenvalues, or the diagonal: signs of vectors are free.
static void solver_sample(void *state, double *out)
{
    struct solver *s = state;
    struct data diagonal = {.n = (size_t)s->n, .type = 'D', .device = s->w.device};
    if (s->routine == SYEVD) {
        data_sample(&s->w, out);
        return;
    }
    double *x = malloc(s->a.n * sizeof *x);
    if (!x)
        return;
    if (s->a.device)
        cudaMemcpy(x, s->a.at, s->a.n * sizeof *x, cudaMemcpyDeviceToHost);
    else
        memcpy(x, s->a.at, s->a.n * sizeof *x);
    for (size_t i = 0; i < diagonal.n; i++)
        x[i] = x[i * diagonal.n + i];
    diagonal.at = x;
    diagonal.device = false;
    data_sample(&diagonal, out);
    free(x);
}

typedef void getrf_fn(const int *, const int *, double *, const int *, int *, int *);
typedef void potrf_fn(const char *, const int *, double *, const int *, int *);
typedef void geqrf_fn(const int *, const int *, double *, const int *, double *, double *, const int *, int *);
typedef void syevd_fn(const char *, const char *, const int *, double *, const int *, double *, double *, const int *,
                      int *, const int *, int *);

static void lapack_run(void *state)
{
    struct solver *s = state;
    const int n = s->n;
    int info;
    memcpy(s->a.at, s->from.at, s->a.n * sizeof(double));
    if (s->routine == GETRF)
        ((getrf_fn *)s->function)(&n, &n, s->a.at, &n, s->pivots, &info);
    else if (s->routine == POTRF)
        ((potrf_fn *)s->function)("L", &n, s->a.at, &n, &info);
    else if (s->routine == GEQRF)
        ((geqrf_fn *)s->function)(&n, &n, s->a.at, &n, s->w.at, s->work.at, &s->lwork, &info);
    else
        ((syevd_fn *)s->function)("V", "L", &n, s->a.at, &n, s->w.at, s->work.at, &s->lwork, s->iwork, &s->liwork,
                                  &info);
}

static void *lapack_open(const struct row *r)
{
    enum { BLOCK = 64 };
    char name[16];
    snprintf(name, sizeof name, "d%s_", routine_names[r->kind]);
    void *function = openblas_function(name);
    struct solver *s = function ? solver_open(r, false) : NULL;
    if (!s)
        return NULL;
    s->function = function;
    s->lwork = s->routine == SYEVD ? 1 + 6 * s->n + 2 * s->n * s->n : BLOCK * s->n;
    s->liwork = 3 + 5 * s->n;
    s->pivots = malloc((size_t)s->n * sizeof(int));
    s->iwork = malloc((size_t)s->liwork * sizeof(int));
    if (s->pivots && s->iwork && data_make(&s->work, false, 'D', (size_t)s->lwork, 0))
        return s;
    solver_close(s);
    return NULL;
}

static void solver_row(int index, struct row *out)
{
    static const int sizes[] = {259, 768, 1024};
    out->type = 'D';
    out->kind = index / 3;
    out->n = sizes[index % 3];
    snprintf(out->name, sizeof out->name, "d%s %d", routine_names[out->kind], out->n);
}

const struct topic topic_solver = {.name = "solver",
                                   .tolerance = 1e6,
                                   .forms = {{.name = "cuSOLVER",
                                              .open = ours_open,
                                              .run = ours_run,
                                              .wait = ours_wait,
                                              .sample = solver_sample,
                                              .close = solver_close},
                                             {.name = "OpenBLAS",
                                              .most = 1.05,
                                              .open = lapack_open,
                                              .run = lapack_run,
                                              .sample = solver_sample,
                                              .quiet = openblas_quiet,
                                              .close = solver_close}},
                                   .count = 3 * ROUTINES,
                                   .row = solver_row};
