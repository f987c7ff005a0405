// SPDX-License-Identifier: Apache-2.0
// Givens rotations: rotg and rotmg make them of numbers, rotm applies a modified one to vectors. Numbers of the host are worked on at
// once, those of the device in the order of the stream.
#include "cublas/blas.h"
#include <math.h>

struct rotation {
    struct native_head head;
    void *a, *b, *c, *s;
    void *param;
    int64_t n, incx, incy;
    double values[5]; // the parameters, where they are the host's
};

#define TEMPLATE "cublas/kernel/rotation.h"
#include "library/number.h"
#undef TEMPLATE

#define KERNEL(letter, operation)                                                                                      \
    LIBRARY_KERNEL("cublas_" #letter #operation, operation##_run_##letter, struct rotation)
static struct library_kernel rotg_kernels[] = {KERNEL(S, rotg), KERNEL(D, rotg), KERNEL(C, rotg), KERNEL(Z, rotg)};
static struct library_kernel rotm_kernels[] = {KERNEL(S, rotm), KERNEL(D, rotm)};
static struct library_kernel rotmg_kernels[] = {KERNEL(S, rotmg), KERNEL(D, rotmg)};

static cublasStatus_t numbers(cublasHandle_t h, struct library_kernel *k, struct rotation *r)
{
    if (blas_device_scalars(h))
        return blas_launch(h, k, 1, 1, r);
    k->run(r, 0);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t blas_rotg(enum blas_type t, cublasHandle_t h, void *a, void *b, void *c, void *s)
{
    BLAS_ENTER(h);
    BLAS_CHECK(a && b && c && s);
    struct rotation r = {.a = a, .b = b, .c = c, .s = s};
    return numbers(h, &rotg_kernels[t], &r);
}

cublasStatus_t blas_rotmg(enum blas_type t, cublasHandle_t h, void *d1, void *d2, void *x1, const void *y1, void *param)
{
    BLAS_ENTER(h);
    BLAS_CHECK(d1 && d2 && x1 && y1 && param);
    struct rotation r = {.a = d1, .b = d2, .c = x1, .s = (void *)(uintptr_t)y1, .param = param};
    return numbers(h, &rotmg_kernels[t], &r);
}

cublasStatus_t blas_rotm(enum blas_type t, cublasHandle_t h, int64_t n, void *x, int64_t incx, void *y, int64_t incy,
                         const void *param)
{
    BLAS_ENTER(h);
    BLAS_CHECK(param);
    if (n <= 0)
        return CUBLAS_STATUS_SUCCESS;
    struct rotation r = {.n = n, .a = x, .incx = incx, .b = y, .incy = incy, .param = (void *)(uintptr_t)param};
    if (!blas_device_scalars(h)) {
        memcpy(r.values, param, 5 * blas_size(t));
        r.param = NULL;
    }
    return blas_launch(h, &rotm_kernels[t], (uint64_t)(n + ROTM_CHUNK - 1) / ROTM_CHUNK,
                       (double)blas_min(n, ROTM_CHUNK), &r);
}
