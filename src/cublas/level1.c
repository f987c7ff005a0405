// SPDX-License-Identifier: Apache-2.0
// Level 1: vectors. Work on elements is cut into chunks, a part each. A sum is made of the sums of chunks: one grid leaves those in
// scratch memory, one part behind it adds them; a vector of one chunk takes a single part for both.
#include "cublas/blas.h"

enum { CHUNK = 16384, LANES = 16 };

struct vectors {
    struct native_head head;
    int64_t n; // elements; for `end` the number of chunks
    const void *x;
    void *y;
    int64_t incx, incy;
    struct scalar a, b;
    int flag; // of a product: conjugate x; of an extreme: the largest; of the end of a norm: it is one
    void *result;
    size_t result_size;
    void *partial;              // of each chunk
    native_run_fn *chunk, *end; // of a sum
};

struct extreme {
    double value;
    int64_t at; // -1: none
};

#define NUMBER_HALVES
#define TEMPLATE "cublas/kernel/level1.h"
#include "library/number.h"
#undef TEMPLATE

// By type: the kernels of one operation.
#define FOR_TYPES(operation)                                                                                           \
    static struct library_kernel operation##_kernels[] = {                                                             \
        [BLAS_S] = LIBRARY_KERNEL("cublas_S" #operation, operation##_run_S, struct vectors),                           \
        [BLAS_D] = LIBRARY_KERNEL("cublas_D" #operation, operation##_run_D, struct vectors),                           \
        [BLAS_C] = LIBRARY_KERNEL("cublas_C" #operation, operation##_run_C, struct vectors),                           \
        [BLAS_Z] = LIBRARY_KERNEL("cublas_Z" #operation, operation##_run_Z, struct vectors),                           \
        [BLAS_H] = LIBRARY_KERNEL("cublas_H" #operation, operation##_run_H, struct vectors),                           \
        [BLAS_B] = LIBRARY_KERNEL("cublas_B" #operation, operation##_run_B, struct vectors),                           \
    };
FOR_TYPES(axpy)
FOR_TYPES(scal)
FOR_TYPES(rscal)
FOR_TYPES(copy)
FOR_TYPES(swap)
FOR_TYPES(rot)
FOR_TYPES(dot)
FOR_TYPES(dot_end)
FOR_TYPES(asum)
FOR_TYPES(nrm2)
FOR_TYPES(norm_end)
FOR_TYPES(extreme)

static uint64_t chunks(int64_t n)
{
    return (uint64_t)(n + CHUNK - 1) / CHUNK;
}

static cublasStatus_t elements(cublasHandle_t h, struct library_kernel *k, struct vectors *v)
{
    return blas_launch(h, k, chunks(v->n), (double)blas_min(v->n, CHUNK) * (v->incx == 1 && v->incy == 1 ? 1 : 4), v);
}

cublasStatus_t level1_axpy(enum blas_type t, cublasHandle_t h, int64_t n, enum blas_type at, const void *alpha,
                           const void *x, int64_t incx, void *y, int64_t incy)
{
    BLAS_ENTER(h);
    BLAS_CHECK(alpha);
    if (n <= 0)
        return CUBLAS_STATUS_SUCCESS;
    struct vectors v = {.n = n, .a = scalar_of(h, at, alpha), .x = x, .incx = incx, .y = y, .incy = incy};
    return elements(h, &axpy_kernels[t], &v);
}

cublasStatus_t blas_axpy(enum blas_type t, cublasHandle_t h, int64_t n, const void *alpha, const void *x, int64_t incx,
                         void *y, int64_t incy)
{
    return level1_axpy(t, h, n, t, alpha, x, incx, y, incy);
}

static cublasStatus_t scale(struct library_kernel *k, cublasHandle_t h, int64_t n, enum blas_type at, const void *alpha,
                            void *x, int64_t incx)
{
    BLAS_ENTER(h);
    BLAS_CHECK(alpha);
    if (n <= 0 || incx <= 0)
        return CUBLAS_STATUS_SUCCESS;
    struct vectors v = {.n = n, .a = scalar_of(h, at, alpha), .incx = incx, .y = x, .incy = incx};
    return elements(h, k, &v);
}

cublasStatus_t level1_scal(enum blas_type t, cublasHandle_t h, int64_t n, enum blas_type at, const void *alpha, void *x,
                           int64_t incx)
{
    return scale(&scal_kernels[t], h, n, at, alpha, x, incx);
}

cublasStatus_t blas_scal(enum blas_type t, cublasHandle_t h, int64_t n, const void *alpha, void *x, int64_t incx)
{
    return scale(&scal_kernels[t], h, n, t, alpha, x, incx);
}

cublasStatus_t blas_rscal(enum blas_type t, cublasHandle_t h, int64_t n, const void *alpha, void *x, int64_t incx)
{
    return scale(&rscal_kernels[t], h, n, blas_real(t), alpha, x, incx);
}

static cublasStatus_t move(struct library_kernel *k, cublasHandle_t h, int64_t n, const void *x, int64_t incx, void *y,
                           int64_t incy)
{
    BLAS_ENTER(h);
    if (n <= 0)
        return CUBLAS_STATUS_SUCCESS;
    struct vectors v = {.n = n, .x = x, .incx = incx, .y = y, .incy = incy};
    return elements(h, k, &v);
}

cublasStatus_t blas_copy(enum blas_type t, cublasHandle_t h, int64_t n, const void *x, int64_t incx, void *y,
                         int64_t incy)
{
    return move(&copy_kernels[t], h, n, x, incx, y, incy);
}

cublasStatus_t blas_swap(enum blas_type t, cublasHandle_t h, int64_t n, void *x, int64_t incx, void *y, int64_t incy)
{
    return move(&swap_kernels[t], h, n, x, incx, y, incy);
}

cublasStatus_t level1_rot(enum blas_type t, cublasHandle_t h, int64_t n, void *x, int64_t incx, void *y, int64_t incy,
                          enum blas_type ct, const void *c, enum blas_type st, const void *s)
{
    BLAS_ENTER(h);
    BLAS_CHECK(c && s);
    if (n <= 0)
        return CUBLAS_STATUS_SUCCESS;
    struct vectors v = {
        .n = n, .a = scalar_of(h, ct, c), .b = scalar_of(h, st, s), .x = x, .incx = incx, .y = y, .incy = incy};
    return elements(h, &rot_kernels[t], &v);
}

cublasStatus_t blas_rot(enum blas_type t, cublasHandle_t h, int64_t n, void *x, int64_t incx, void *y, int64_t incy,
                        const void *c, const void *s)
{
    return level1_rot(t, h, n, x, incx, y, incy, blas_real(t), c, t, s);
}

cublasStatus_t blas_rrot(enum blas_type t, cublasHandle_t h, int64_t n, void *x, int64_t incx, void *y, int64_t incy,
                         const void *c, const void *s)
{
    return level1_rot(t, h, n, x, incx, y, incy, blas_real(t), c, blas_real(t), s);
}

// ---- sums and extremes
static void one_run(const void *block, uint64_t part)
{
    double partial[4];
    struct vectors v = *(const struct vectors *)block;
    v.partial = partial;
    v.chunk(&v, part);
    v.n = 1;
    v.end(&v, part);
}

static struct library_kernel one_kernel = LIBRARY_KERNEL("cublas_sum_of_one_chunk", one_run, struct vectors);

static cublasStatus_t reduce(cublasHandle_t h, struct library_kernel *chunk, struct library_kernel *end,
                             struct vectors *v, int end_flag)
{
    enum { PARTIAL = 16 }; // bytes
    uint64_t n = chunks(v->n);
    double work = (double)blas_min(v->n, CHUNK) * 2;
    if (n == 1 && v->flag == end_flag) {
        v->chunk = chunk->run;
        v->end = end->run;
        return blas_result_wait(h, blas_launch(h, &one_kernel, 1, work, v));
    }
    v->partial = blas_scratch(h, n * PARTIAL);
    if (!v->partial)
        return CUBLAS_STATUS_ALLOC_FAILED;
    void *scratch = v->partial;
    cublasStatus_t status = blas_launch(h, chunk, n, work, v);
    v->n = (int64_t)n;
    v->flag = end_flag;
    status = status ? status : blas_launch(h, end, 1, (double)n, v);
    blas_scratch_end(h, scratch);
    return blas_result_wait(h, status);
}

// What a sum of nothing is: zeros, at once or in the order of the stream.
static cublasStatus_t reduce_nothing(cublasHandle_t h, void *result, size_t size)
{
    if (blas_device_scalars(h))
        return blas_status(cudaMemsetAsync(result, 0, size, h->stream));
    memset(result, 0, size);
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t product(enum blas_type t, cublasHandle_t h, int64_t n, const void *x, int64_t incx, const void *y,
                              int64_t incy, void *result, int conjugate)
{
    BLAS_ENTER(h);
    BLAS_CHECK(result);
    if (n <= 0)
        return reduce_nothing(h, result, blas_size(t));
    struct vectors v = {
        .n = n, .x = x, .incx = incx, .y = (void *)(uintptr_t)y, .incy = incy, .result = result, .flag = conjugate};
    return reduce(h, &dot_kernels[t], &dot_end_kernels[t], &v, conjugate);
}

cublasStatus_t blas_dotu(enum blas_type t, cublasHandle_t h, int64_t n, const void *x, int64_t incx, const void *y,
                         int64_t incy, void *result)
{
    return product(t, h, n, x, incx, y, incy, result, 0);
}

cublasStatus_t blas_dotc(enum blas_type t, cublasHandle_t h, int64_t n, const void *x, int64_t incx, const void *y,
                         int64_t incy, void *result)
{
    return product(t, h, n, x, incx, y, incy, result, 1);
}

static cublasStatus_t norm(enum blas_type t, cublasHandle_t h, int64_t n, const void *x, int64_t incx, void *result,
                           struct library_kernel *chunk, int flag)
{
    BLAS_ENTER(h);
    BLAS_CHECK(result);
    if (n <= 0 || incx <= 0)
        return reduce_nothing(h, result, blas_size(blas_real(t)));
    struct vectors v = {.n = n, .x = x, .incx = incx, .result = result, .flag = flag};
    return reduce(h, chunk, &norm_end_kernels[t], &v, flag);
}

cublasStatus_t blas_asum(enum blas_type t, cublasHandle_t h, int64_t n, const void *x, int64_t incx, void *result)
{
    return norm(t, h, n, x, incx, result, &asum_kernels[t], 0);
}

cublasStatus_t blas_nrm2(enum blas_type t, cublasHandle_t h, int64_t n, const void *x, int64_t incx, void *result)
{
    return norm(t, h, n, x, incx, result, &nrm2_kernels[t], 1);
}

// The first of the chunks' extremes that no other beats. Where all elements are NaN it is the first element.
static void extreme_end_run(const void *block, uint64_t part)
{
    const struct vectors *v = block;
    const struct extreme *p = v->partial;
    int64_t at = 0;
    double best = v->flag ? -1 : INFINITY;
    (void)part;
    for (int64_t i = 0; i < v->n; i++)
        if (p[i].at >= 0 && (v->flag ? p[i].value > best : p[i].value < best)) {
            best = p[i].value;
            at = p[i].at;
        }
    if (v->result_size == sizeof(int64_t))
        *(int64_t *)v->result = at + 1;
    else
        *(int32_t *)v->result = (int32_t)(at + 1);
}

static struct library_kernel extreme_end_kernel = LIBRARY_KERNEL("cublas_extreme_end", extreme_end_run, struct vectors);

cublasStatus_t blas_extreme(enum blas_type t, cublasHandle_t h, int64_t n, const void *x, int64_t incx, void *result,
                            size_t size, bool most)
{
    BLAS_ENTER(h);
    BLAS_CHECK(result);
    if (n <= 0 || incx <= 0)
        return reduce_nothing(h, result, size);
    struct vectors v = {.n = n, .x = x, .incx = incx, .result = result, .result_size = size, .flag = most};
    return reduce(h, &extreme_kernels[t], &extreme_end_kernel, &v, most);
}
