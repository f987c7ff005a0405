// SPDX-License-Identifier: Apache-2.0
// y = A x with a sparse matrix by rows (CSR), against a plain loop over the rows with OpenMP.
#include "libraries.h"
#include "../clock.h"
#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What the rows look like. Of the skewed ones a few have a thousand times as many elements as most have.
enum pattern { BAND, RANDOM, SKEWED, ONE_LONG, PATTERNS };
static const char *const pattern_names[PATTERNS] = {"band", "random", "skewed", "one long row"};

struct sparse {
    int rows, columns, count;
    char type;
    int *offsets, *indices; // the process's
    int *offsets_there, *indices_there;
    struct data values, x, y;
    cusparseHandle_t handle;
    cusparseSpMatDescr_t a;
    cusparseDnVecDescr_t vx, vy;
    void *buffer;
};

static unsigned next_random(unsigned long long *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(*state >> 33);
}

static int row_length(const struct row *r, int i, unsigned long long *state)
{
    const int each = r->count;
    switch ((enum pattern)r->kind) {
    case RANDOM:
        return 1 + (int)(next_random(state) % (unsigned)(2 * each));
    case SKEWED:
        return i % 5000 == 17 ? 1000 * each : 1 + (int)(next_random(state) % (unsigned)each);
    case ONE_LONG:
        return i == r->n / 2 ? r->n : 1 + (int)(next_random(state) % (unsigned)each);
    default:
        return each;
    }
}

static int compare_ints(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static bool pattern_make(struct sparse *s, const struct row *r)
{
    unsigned long long state = 5;
    s->rows = s->columns = r->n;
    s->offsets = malloc(((size_t)r->n + 1) * sizeof(int));
    if (!s->offsets)
        return false;
    s->offsets[0] = 0;
    for (int i = 0; i < r->n; i++)
        s->offsets[i + 1] = s->offsets[i] + row_length(r, i, &state);
    s->count = s->offsets[r->n];
    s->indices = malloc((size_t)s->count * sizeof(int));
    if (!s->indices)
        return false;
    for (int i = 0; i < r->n; i++) {
        int *list = s->indices + s->offsets[i], length = s->offsets[i + 1] - s->offsets[i];
        for (int k = 0; k < length; k++)
            list[k] = r->kind == BAND  ? (i + k) % r->n
                      : length == r->n ? k
                                       : (int)(next_random(&state) % (unsigned)r->n);
        if (r->kind != BAND && length != r->n)
            qsort(list, (size_t)length, sizeof *list, compare_ints);
    }
    return true;
}

static void sparse_close(void *state)
{
    struct sparse *s = state;
    if (s->a)
        cusparseDestroySpMat(s->a);
    if (s->vx)
        cusparseDestroyDnVec(s->vx);
    if (s->vy)
        cusparseDestroyDnVec(s->vy);
    if (s->handle) {
        cusparseDestroy(s->handle);
        cudaFree(s->offsets_there);
        cudaFree(s->indices_there);
        cudaFree(s->buffer);
    }
    data_free(&s->values);
    data_free(&s->x);
    data_free(&s->y);
    free(s->offsets);
    free(s->indices);
    free(s);
}

static struct sparse *sparse_open(const struct row *r, bool device)
{
    struct sparse *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->type = r->type;
    if (pattern_make(s, r) && data_make(&s->values, device, r->type, (size_t)s->count, 6) &&
        data_make(&s->x, device, r->type, (size_t)s->columns, 7) &&
        data_make(&s->y, device, r->type, (size_t)s->rows, 0))
        return s;
    sparse_close(s);
    return NULL;
}

static const double one = 1, zero = 0;
static const float one_s = 1, zero_s = 0;

static cusparseStatus_t describe(struct sparse *s)
{
    const bool wide = s->type == 'D';
    const cudaDataType t = wide ? CUDA_R_64F : CUDA_R_32F;
    cusparseStatus_t e = cusparseCreate(&s->handle);
    size_t rows = ((size_t)s->rows + 1) * sizeof(int), all = (size_t)s->count * sizeof(int), bytes = 0;
    if (e || cudaMalloc((void **)&s->offsets_there, rows) || cudaMalloc((void **)&s->indices_there, all))
        return CUSPARSE_STATUS_ALLOC_FAILED;
    cudaMemcpy(s->offsets_there, s->offsets, rows, cudaMemcpyDefault);
    cudaMemcpy(s->indices_there, s->indices, all, cudaMemcpyDefault);
    e = cusparseCreateCsr(&s->a, s->rows, s->columns, s->count, s->offsets_there, s->indices_there, s->values.at,
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, t);
    e = e ? e : cusparseCreateDnVec(&s->vx, s->columns, s->x.at, t);
    e = e ? e : cusparseCreateDnVec(&s->vy, s->rows, s->y.at, t);
    e = e ? e
          : cusparseSpMV_bufferSize(s->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, wide ? (const void *)&one : &one_s,
                                    s->a, s->vx, wide ? (const void *)&zero : &zero_s, s->vy, t, CUSPARSE_SPMV_CSR_ALG1,
                                    &bytes);
    return e ? e : cudaMalloc(&s->buffer, bytes + 16) ? CUSPARSE_STATUS_ALLOC_FAILED : CUSPARSE_STATUS_SUCCESS;
}

static void *ours_open(const struct row *r)
{
    struct sparse *s = sparse_open(r, true);
    if (s && describe(s)) {
        sparse_close(s);
        return NULL;
    }
    return s;
}

static void ours_run(void *state)
{
    struct sparse *s = state;
    const bool wide = s->type == 'D';
    cusparseSpMV(s->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, wide ? (const void *)&one : &one_s, s->a, s->vx,
                 wide ? (const void *)&zero : &zero_s, s->vy, wide ? CUDA_R_64F : CUDA_R_32F, CUSPARSE_SPMV_CSR_ALG1,
                 s->buffer);
}

static void ours_wait(void *state)
{
    (void)state;
    cudaDeviceSynchronize();
}

static void sparse_sample(void *state, double *out)
{
    data_sample(&((struct sparse *)state)->y, out);
}

static void *loop_open(const struct row *r)
{
    return sparse_open(r, false);
}

#define LOOP(name, real)                                                                                               \
    static void name(const struct sparse *s)                                                                           \
    {                                                                                                                  \
        const real *restrict values = s->values.at, *restrict x = s->x.at;                                             \
        real *restrict y = s->y.at;                                                                                    \
        const int *restrict offsets = s->offsets, *restrict indices = s->indices;                                      \
        _Pragma("omp parallel for") for (int i = 0; i < s->rows; i++)                                                  \
        {                                                                                                              \
            real sum = 0;                                                                                              \
            for (int k = offsets[i]; k < offsets[i + 1]; k++)                                                          \
                sum += values[k] * x[indices[k]];                                                                      \
            y[i] = sum;                                                                                                \
        }                                                                                                              \
    }
LOOP(loop_s, float)
LOOP(loop_d, double)

static void loop_run(void *state)
{
    const struct sparse *s = state;
    if (s->type == 'D')
        loop_d(s);
    else
        loop_s(s);
}

static void loop_quiet(void *state)
{
    (void)state;
    bench_quiet();
}

static void sparse_row(int index, struct row *out)
{
    enum { ROWS = 300007, EACH = 16 };
    out->type = index < PATTERNS ? 'S' : 'D';
    out->kind = index % PATTERNS;
    out->n = ROWS;
    out->count = EACH;
    snprintf(out->name, sizeof out->name, "spmv %c %s", out->type == 'S' ? 'f' : 'd', pattern_names[out->kind]);
}

const struct topic topic_sparse = {.name = "sparse",
                                   .tolerance = 1e4,
                                   .forms = {{.name = "cuSPARSE",
                                              .open = ours_open,
                                              .run = ours_run,
                                              .wait = ours_wait,
                                              .sample = sparse_sample,
                                              .close = sparse_close},
                                             {.name = "OpenMP",
                                              .most = 1,
                                              .open = loop_open,
                                              .run = loop_run,
                                              .sample = sparse_sample,
                                              .quiet = loop_quiet,
                                              .close = sparse_close}},
                                   .count = 2 * PATTERNS,
                                   .row = sparse_row};
