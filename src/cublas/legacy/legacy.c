// SPDX-License-Identifier: Apache-2.0
// The functions of cublas.h, from their table: those with a handle, on one handle of the process, with errors kept for
// cublasGetError. It is made by cublasInit, or by what is called before that, or after cublasShutdown: NVIDIA's library does not ask
// for cublasInit either.
#include "cublas/blas.h"
#include "library/stub.h"
#include <ctype.h>
#include <pthread.h>

typedef cublasStatus_t cublasStatus;
static _Atomic(cublasHandle_t) old_handle;
static _Thread_local cublasStatus_t last_error;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define OLD_HANDLE (old_init(), atomic_load(&old_handle))

static cublasStatus_t keep(cublasStatus_t status)
{
    if (status)
        last_error = status;
    return status;
}

static cublasStatus_t old_init(void)
{
    cublasHandle_t h = NULL;
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    if (atomic_load(&old_handle))
        return status;
    pthread_mutex_lock(&lock);
    if (!atomic_load(&old_handle)) {
        status = helper_create(&h);
        if (!status)
            atomic_store(&old_handle, h);
    }
    pthread_mutex_unlock(&lock);
    return keep(status);
}

static cublasStatus_t old_shutdown(void)
{
    pthread_mutex_lock(&lock);
    cublasHandle_t h = atomic_exchange(&old_handle, NULL);
    cublasStatus_t status = h ? helper_destroy(h) : CUBLAS_STATUS_SUCCESS;
    pthread_mutex_unlock(&lock);
    return status;
}

static cublasStatus_t old_error(void)
{
    cublasStatus_t status = last_error;
    last_error = CUBLAS_STATUS_SUCCESS;
    return status;
}

static cublasStatus_t old_alloc(int n, int size, void **memory)
{
    if (n <= 0 || size <= 0 || !memory)
        return keep(CUBLAS_STATUS_INVALID_VALUE);
    return keep(cudaMalloc(memory, (size_t)n * (size_t)size) ? CUBLAS_STATUS_ALLOC_FAILED : CUBLAS_STATUS_SUCCESS);
}

static cublasStatus_t old_free(void *memory)
{
    return keep(cudaFree(memory) ? CUBLAS_STATUS_INTERNAL_ERROR : CUBLAS_STATUS_SUCCESS);
}

// Letters for modes; another letter becomes a value that the function refuses.
enum { NO_MODE = 99 };

static cublasOperation_t old_trans(char c)
{
    int t = toupper((unsigned char)c);
    return t == 'N' ? CUBLAS_OP_N : t == 'T' ? CUBLAS_OP_T : t == 'C' ? CUBLAS_OP_C : (cublasOperation_t)NO_MODE;
}

static cublasFillMode_t old_uplo(char c)
{
    int t = toupper((unsigned char)c);
    return t == 'L' ? CUBLAS_FILL_MODE_LOWER : t == 'U' ? CUBLAS_FILL_MODE_UPPER : (cublasFillMode_t)NO_MODE;
}

static cublasDiagType_t old_diag(char c)
{
    int t = toupper((unsigned char)c);
    return t == 'N' ? CUBLAS_DIAG_NON_UNIT : t == 'U' ? CUBLAS_DIAG_UNIT : (cublasDiagType_t)NO_MODE;
}

static cublasSideMode_t old_side(char c)
{
    int t = toupper((unsigned char)c);
    return t == 'L' ? CUBLAS_SIDE_LEFT : t == 'R' ? CUBLAS_SIDE_RIGHT : (cublasSideMode_t)NO_MODE;
}

#define OLD_DO(call) (void)keep(call)
#define OLD_GET(type, call)                                                                                            \
    ({                                                                                                                 \
        type result;                                                                                                   \
        memset(&result, 0, sizeof result);                                                                             \
        keep(call);                                                                                                    \
        result;                                                                                                        \
    })
// A status says that there is no library, another result is 0.
#define LOST(result)                                                                                                   \
    ({                                                                                                                 \
        result lost;                                                                                                   \
        memset(&lost, 0, sizeof lost);                                                                                 \
        if (__builtin_types_compatible_p(result, cublasStatus_t))                                                      \
            memcpy(&lost, &(int){CUBLAS_STATUS_NOT_INITIALIZED}, sizeof(int));                                         \
        lost;                                                                                                          \
    })
#define ROW(result, name, params, args, call, status) LIBRARY_STUB(result, name, params, args, call, LOST(result))
#define ROW_VOID(name, params, args, call)            LIBRARY_STUB(void, name, params, args, call, )
#include "cublas/legacy/each.h"
