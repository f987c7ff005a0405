// SPDX-License-Identifier: Apache-2.0
// Products of matrices: C = A B, and arrays of small ones.
#include "libraries.h"
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef void sgemm_fn(int, int, int, int, int, int, float, const float *, int, const float *, int, float, float *, int);
typedef void dgemm_fn(int, int, int, int, int, int, double, const double *, int, const double *, int, double, double *,
                      int);

struct gemm {
    int n, count;
    char type;
    struct data a, b, c;
    sgemm_fn *s;
    dgemm_fn *d;
    cublasHandle_t handle;
};

static void gemm_close(void *state)
{
    struct gemm *g = state;
    if (g->handle)
        cublasDestroy(g->handle);
    data_free(&g->a);
    data_free(&g->b);
    data_free(&g->c);
    free(g);
}

static struct gemm *gemm_open(const struct row *r, bool device)
{
    struct gemm *g = calloc(1, sizeof *g);
    size_t numbers = (size_t)r->n * (size_t)r->n * (size_t)r->count;
    if (!g)
        return NULL;
    g->n = r->n;
    g->count = r->count;
    g->type = r->type;
    if (data_make(&g->a, device, r->type, numbers, 1) && data_make(&g->b, device, r->type, numbers, 2) &&
        data_make(&g->c, device, r->type, numbers, 0))
        return g;
    gemm_close(g);
    return NULL;
}

static void *ours_open(const struct row *r)
{
    struct gemm *g = gemm_open(r, true);
    if (g && cublasCreate(&g->handle)) {
        gemm_close(g);
        return NULL;
    }
    return g;
}

static void ours_wait(void *state)
{
    (void)state;
    cudaDeviceSynchronize();
}

static void ours_run(void *state)
{
    struct gemm *g = state;
    const int n = g->n;
    const long long step = (long long)n * n;
    const double one = 1, zero = 0;
    const float one_s = 1, zero_s = 0;
    cublasOperation_t op = CUBLAS_OP_N;
    if (g->count == 1 && g->type == 'S')
        cublasSgemm(g->handle, op, op, n, n, n, &one_s, g->a.at, n, g->b.at, n, &zero_s, g->c.at, n);
    else if (g->count == 1)
        cublasDgemm(g->handle, op, op, n, n, n, &one, g->a.at, n, g->b.at, n, &zero, g->c.at, n);
    else if (g->type == 'S')
        cublasSgemmStridedBatched(g->handle, op, op, n, n, n, &one_s, g->a.at, n, step, g->b.at, n, step, &zero_s,
                                  g->c.at, n, step, g->count);
    else
        cublasDgemmStridedBatched(g->handle, op, op, n, n, n, &one, g->a.at, n, step, g->b.at, n, step, &zero, g->c.at,
                                  n, step, g->count);
}

static void *cblas_open(const struct row *r, sgemm_fn *s, dgemm_fn *d)
{
    struct gemm *g = s && d ? gemm_open(r, false) : NULL;
    if (g) {
        g->s = s;
        g->d = d;
    }
    return g;
}

static void *openblas_open(const struct row *r)
{
    return cblas_open(r, (sgemm_fn *)openblas_function("cblas_sgemm"), (dgemm_fn *)openblas_function("cblas_dgemm"));
}

static void *blis_open(const struct row *r)
{
    static void *library;
    char threads[16];
    snprintf(threads, sizeof threads, "%d", bench_threads());
    setenv("BLIS_NUM_THREADS", threads, 1); // read when it is first used
    if (!library)
        library = dlopen("libblis.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return NULL;
    return cblas_open(r, (sgemm_fn *)dlsym(library, "cblas_sgemm"), (dgemm_fn *)dlsym(library, "cblas_dgemm"));
}

static void cblas_run(void *state)
{
    enum { COLUMNS = 102, PLAIN = 111 };
    struct gemm *g = state;
    const int n = g->n;
    const size_t step = (size_t)n * (size_t)n;
    for (size_t i = 0; i < (size_t)g->count; i++)
        if (g->type == 'S')
            g->s(COLUMNS, PLAIN, PLAIN, n, n, n, 1, (float *)g->a.at + i * step, n, (float *)g->b.at + i * step, n, 0,
                 (float *)g->c.at + i * step, n);
        else
            g->d(COLUMNS, PLAIN, PLAIN, n, n, n, 1, (double *)g->a.at + i * step, n, (double *)g->b.at + i * step, n, 0,
                 (double *)g->c.at + i * step, n);
}

static void gemm_sample(void *state, double *out)
{
    data_sample(&((struct gemm *)state)->c, out);
}

static const int sizes[] = {64, 128, 256, 259, 512, 1024, 1295, 2048, 4096}; // 259 = 7 x 37
enum { SIZES = sizeof sizes / sizeof *sizes };

static void gemm_row(int index, struct row *out)
{
    out->type = index < SIZES ? 'S' : 'D';
    out->n = sizes[index % SIZES];
    out->count = 1;
    snprintf(out->name, sizeof out->name, "%cgemm %d", out->type == 'S' ? 's' : 'd', out->n);
}

static void batched_row(int index, struct row *out)
{
    enum { MATRICES = 1000 };
    static const int edges[] = {16, 7};
    out->type = index % 2 ? 'D' : 'S';
    out->n = edges[index / 2];
    out->count = MATRICES;
    snprintf(out->name, sizeof out->name, "%d %cgemm %d", out->count, out->type == 'S' ? 's' : 'd', out->n);
}

#define OURS                                                                                                           \
    {.name = "cuBLAS",                                                                                                 \
     .open = ours_open,                                                                                                \
     .run = ours_run,                                                                                                  \
     .wait = ours_wait,                                                                                                \
     .sample = gemm_sample,                                                                                            \
     .close = gemm_close}
#define OPENBLAS(goal)                                                                                                 \
    {.name = "OpenBLAS",                                                                                               \
     .most = (goal),                                                                                                   \
     .open = openblas_open,                                                                                            \
     .run = cblas_run,                                                                                                 \
     .sample = gemm_sample,                                                                                            \
     .quiet = openblas_quiet,                                                                                          \
     .close = gemm_close}
#define BLIS(goal)                                                                                                     \
    {.name = "BLIS", .most = (goal), .open = blis_open, .run = cblas_run, .sample = gemm_sample, .close = gemm_close}

const struct topic topic_gemm = {.name = "gemm",
                                 .tolerance = 1e3,
                                 .forms = {OURS, OPENBLAS(1 / 0.95), BLIS(1 / 0.95)},
                                 .count = 2 * SIZES,
                                 .row = gemm_row};
const struct topic topic_batched = {.name = "batched",
                                    .tolerance = 1e2,
                                    .forms = {OURS, OPENBLAS(1 / 1.5), BLIS(1 / 1.5)},
                                    .count = 4,
                                    .row = batched_row};
