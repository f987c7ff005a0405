// SPDX-License-Identifier: Apache-2.0
// cublasXt's handle: the chosen devices, what is set in it, and a call's pieces.
#include "cublas/xt/xt.h"
#include <limits.h>
#include <stdlib.h>

enum { BLOCK = 2048 }; // the documented block dimension of a new handle

static bool is_alive(cublasXtHandle_t h)
{
    return library_handle_alive(h) && h->base.size == sizeof *h;
}
#define XT_ENTER(h)                                                                                                    \
    do {                                                                                                               \
        if (!is_alive(h))                                                                                              \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                                      \
    } while (0)

cublasStatus_t xt_create(cublasXtHandle_t *handle)
{
    BLAS_CHECK(handle);
    cublasHandle_t checker = NULL;
    cublasStatus_t status = helper_create(&checker);
    if (status)
        return status;
    checker->only_checks = true;
    cublasXtHandle_t h = library_handle_create(sizeof *h);
    if (!h) {
        helper_destroy(checker);
        return CUBLAS_STATUS_ALLOC_FAILED;
    }
    h->block = BLOCK;
    h->checker = checker;
    *handle = h;
    return CUBLAS_STATUS_SUCCESS;
}

// ---- devices
static void devices_close(struct xt_device *devices, int count)
{
    for (int i = 0; i < count; i++) {
        cudaSetDevice(devices[i].id);
        if (devices[i].blas)
            helper_destroy(devices[i].blas);
        if (devices[i].stream)
            cudaStreamDestroy(devices[i].stream);
    }
    free(devices);
}

// A stream that keeps the order of the device's default stream: what the program has queued there comes first.
static cublasStatus_t device_open(struct xt_device *d, int id)
{
    d->id = id;
    if (cudaSetDevice(id)) {
        cudaGetLastError();
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    cublasStatus_t status = helper_create(&d->blas);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = cudaStreamCreate(&d->stream) ? CUBLAS_STATUS_ALLOC_FAILED : CUBLAS_STATUS_SUCCESS;
    if (status == CUBLAS_STATUS_SUCCESS)
        status = helper_set_stream(d->blas, d->stream);
    return status == CUBLAS_STATUS_NOT_INITIALIZED ? CUBLAS_STATUS_INVALID_VALUE : status;
}

static bool devices_exist(int count, const int *devices)
{
    int all = 0;
    if (count <= 0 || !devices || cudaGetDeviceCount(&all))
        return false;
    for (int i = 0; i < count; i++)
        if (devices[i] < 0 || devices[i] >= all)
            return false;
    return true;
}

cublasStatus_t xt_select(cublasXtHandle_t h, int count, const int *devices)
{
    XT_ENTER(h);
    BLAS_CHECK(devices_exist(count, devices));
    struct xt_device *list = calloc((size_t)count, sizeof *list);
    if (!list)
        return CUBLAS_STATUS_ALLOC_FAILED;
    int current = 0;
    cublasStatus_t status = blas_status(cudaGetDevice(&current));
    for (int i = 0; i < count && !status; i++)
        status = device_open(&list[i], devices[i]);
    if (status) {
        devices_close(list, count);
    } else {
        devices_close(h->devices, h->count);
        h->devices = list;
        h->count = count;
    }
    cudaSetDevice(current);
    return status;
}

cublasStatus_t xt_destroy(cublasXtHandle_t h)
{
    XT_ENTER(h);
    int current = 0;
    cudaGetDevice(&current);
    devices_close(h->devices, h->count);
    cudaSetDevice(current);
    helper_destroy(h->checker);
    library_handle_destroy(h);
    return CUBLAS_STATUS_SUCCESS;
}

// A board with several devices has a number, which all of them tell; any other device is one of its own.
static bool is_same_board(int a, int b)
{
    int group_a = 0, group_b = 0, several = 0;
    return a == b || (!cudaDeviceGetAttribute(&several, cudaDevAttrIsMultiGpuBoard, a) && several &&
                      !cudaDeviceGetAttribute(&group_a, cudaDevAttrMultiGpuBoardGroupID, a) &&
                      !cudaDeviceGetAttribute(&group_b, cudaDevAttrMultiGpuBoardGroupID, b) && group_a == group_b);
}

cublasStatus_t xt_count_boards(int count, const int *devices, int *boards)
{
    BLAS_CHECK(boards && devices_exist(count, devices));
    *boards = 0;
    for (int i = 0; i < count; i++) {
        int j = 0;
        while (j < i && !is_same_board(devices[i], devices[j]))
            j++;
        *boards += j == i;
    }
    return CUBLAS_STATUS_SUCCESS;
}

// There is no limit.
cublasStatus_t xt_most_boards(int *boards)
{
    BLAS_CHECK(boards);
    *boards = INT_MAX;
    return CUBLAS_STATUS_SUCCESS;
}

// ---- what is set
cublasStatus_t xt_set_block(cublasXtHandle_t h, int block)
{
    XT_ENTER(h);
    BLAS_CHECK(block > 0);
    h->block = block;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t xt_get_block(cublasXtHandle_t h, int *block)
{
    XT_ENTER(h);
    BLAS_CHECK(block);
    *block = h->block;
    return CUBLAS_STATUS_SUCCESS;
}

// The mode is kept. Nothing is gained by pinning, since nothing is copied.
cublasStatus_t xt_set_pinning(cublasXtHandle_t h, cublasXtPinnedMemMode_t mode)
{
    XT_ENTER(h);
    BLAS_CHECK((unsigned)mode <= CUBLASXT_PINNING_ENABLED);
    h->pinning = (int)mode;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t xt_get_pinning(cublasXtHandle_t h, cublasXtPinnedMemMode_t *mode)
{
    XT_ENTER(h);
    BLAS_CHECK(mode);
    *mode = (cublasXtPinnedMemMode_t)h->pinning;
    return CUBLAS_STATUS_SUCCESS;
}

// Hermitian functions are of complex types; of all only gemm is shared with the host.
static cublasStatus_t cpu_check(cublasXtBlasOp_t op, cublasXtOpType_t type)
{
    bool hermitian = op == CUBLASXT_HERK || op == CUBLASXT_HEMM || op == CUBLASXT_HER2K || op == CUBLASXT_HERKX;
    BLAS_CHECK((unsigned)op < CUBLASXT_ROUTINE_MAX && (unsigned)type <= CUBLASXT_DOUBLECOMPLEX);
    BLAS_CHECK(!hermitian || type >= CUBLASXT_COMPLEX);
    return op == CUBLASXT_GEMM ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t xt_set_routine(cublasXtHandle_t h, cublasXtBlasOp_t op, cublasXtOpType_t type, void *routine)
{
    XT_ENTER(h);
    cublasStatus_t status = cpu_check(op, type);
    if (status == CUBLAS_STATUS_SUCCESS)
        h->gemm[type].routine = routine;
    return status;
}

cublasStatus_t xt_set_ratio(cublasXtHandle_t h, cublasXtBlasOp_t op, cublasXtOpType_t type, float ratio)
{
    XT_ENTER(h);
    BLAS_CHECK(ratio >= 0 && ratio <= 1);
    cublasStatus_t status = cpu_check(op, type);
    if (status == CUBLAS_STATUS_SUCCESS)
        h->gemm[type].ratio = ratio;
    return status;
}

// ---- one call
cublasStatus_t xt_enter(cublasXtHandle_t h)
{
    XT_ENTER(h);
    return h->count ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED; // no device was selected
}

cublasStatus_t xt_begin(struct xt_run *r, cublasXtHandle_t h)
{
    *r = (struct xt_run){.h = h};
    cudaError_t e = cudaGetDevice(&r->device);
    return blas_status(e ? e : cudaStreamSynchronize(cudaStreamLegacy));
}

cublasHandle_t xt_next(struct xt_run *r)
{
    const struct xt_device *d = &r->h->devices[r->next++ % r->h->count];
    cudaSetDevice(d->id);
    return d->blas;
}

bool xt_did(struct xt_run *r, cublasStatus_t status)
{
    r->status = status;
    return status == CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t xt_end(struct xt_run *r)
{
    for (int i = 0; i < r->h->count; i++) {
        const struct xt_device *d = &r->h->devices[i];
        cudaSetDevice(d->id);
        cudaError_t e = cudaStreamSynchronize(d->stream);
        if (r->status == CUBLAS_STATUS_SUCCESS)
            r->status = blas_status(e);
    }
    cudaSetDevice(r->device);
    return r->status;
}
