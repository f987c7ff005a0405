// SPDX-License-Identifier: Apache-2.0
// The handle; statuses; versions; what is set for the whole library; scalars and layouts that all bodies read.
#include "cublas/status_name.h"
#include "cublaslt/lt.h"
#include "library/stub.h"
#include <dlfcn.h>
#include <string.h>

const struct library library_self = {"cuBLASLt", "libcublasLt.so.13", NULL, NULL};

// ---- handles
// Whether an address, the mark of a handle, is of libcublas. The loader says it without a look at what is there.
static bool is_of_cublas(const void *mark)
{
    Dl_info info;
    if (!mark || !dladdr(mark, &info) || !info.dli_fname)
        return false;
    const char *name = strrchr(info.dli_fname, '/');
    name = name ? name + 1 : info.dli_fname;
    return !strncmp(name, "libcublas.so", strlen("libcublas.so"));
}

bool lt_handle_alive(cublasLtHandle_t h)
{
    static _Atomic(const void *) cublas; // the mark of its handles, once one was seen
    if (library_handle_alive(h))
        return true;
    const void *mark = h ? h->base.mark : NULL;
    if (!mark)
        return false;
    if (atomic_load_explicit(&cublas, memory_order_relaxed) == mark)
        return true;
    if (!is_of_cublas(mark))
        return false;
    atomic_store_explicit(&cublas, mark, memory_order_relaxed);
    return true;
}

cublasStatus_t lt_Create(cublasLtHandle_t *handle)
{
    LT_CHECK(handle);
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    cudaThreadExchangeStreamCaptureMode(&mode); // a handle may be made while a stream is captured
    cudaError_t e = cudaFree(NULL);             // makes the device's context
    cudaThreadExchangeStreamCaptureMode(&mode);
    if (e)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    *handle = library_handle_create(sizeof **handle);
    return *handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

cublasStatus_t lt_Destroy(cublasLtHandle_t h)
{
    LT_CHECK(h);
    if (!library_handle_alive(h))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    library_handle_destroy(h);
    return CUBLAS_STATUS_SUCCESS;
}

// ---- versions
size_t lt_GetVersion(void)
{
    return CUBLAS_VERSION;
}

size_t lt_GetCudartVersion(void)
{
    return CUDART_VERSION;
}

cublasStatus_t lt_GetProperty(libraryPropertyType type, int *value)
{
    static const int numbers[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
    LT_CHECK(value && (unsigned)type <= PATCH_LEVEL);
    *value = numbers[type];
    return CUBLAS_STATUS_SUCCESS;
}

// ---- for the whole library. Nothing is looked for that would have to be kept, and no code here asks which instructions it may use: the
// numbers are the program's.
static atomic_size_t cache_capacity = 8192;
static atomic_uint instructions_mask;

cublasStatus_t lt_HeuristicsCacheGetCapacity(size_t *capacity)
{
    LT_CHECK(capacity);
    *capacity = atomic_load(&cache_capacity);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t lt_HeuristicsCacheSetCapacity(size_t capacity)
{
    atomic_store(&cache_capacity, capacity);
    return CUBLAS_STATUS_SUCCESS;
}

unsigned lt_DisableCpuInstructionsSetMask(unsigned mask)
{
    return atomic_exchange(&instructions_mask, mask);
}

// ---- statuses
const char *lt_GetStatusName(cublasStatus_t status)
{
    return status_name(status, "unrecognized status");
}

const char *lt_GetStatusString(cublasStatus_t status)
{
    return status_text(status, "unrecognized status");
}

// ---- scalars
struct lt_scalar lt_scalar_of(enum lt_type type, bool device, const void *value)
{
    struct lt_scalar s = {.type = type};
    if (device)
        s.at = value;
    else
        memcpy(s.value, value, lt_size(type));
    return s;
}

void lt_scalars(const struct lt_scalar *s, enum lt_kind kind, int64_t index, int64_t i, int64_t n, void *to)
{
    const char *from = s->at ? s->at : s->value;
    if (s->vector) {
        lt_load(kind, s->type, to, from + (index * s->stride + i) * (int64_t)lt_size(s->type), n);
        return;
    }
    lt_load(kind, s->type, to, from, 1);
    for (int64_t q = 1; q < n; q++)
        memcpy((char *)to + (size_t)q * lt_kind_size(kind), to, lt_kind_size(kind));
}

// ---- matrices by their layouts
cublasStatus_t lt_matrix_of(struct lt_matrix *x, const struct lt_layout *l, int32_t op)
{
    const uint64_t MOST = INT32_MAX;
    bool by_rows = l->order == CUBLASLT_ORDER_ROW, transposed = op == CUBLAS_OP_T || op == CUBLAS_OP_C;
    LT_CHECK((unsigned)op <= CUBLAS_OP_CONJG && (unsigned)l->order <= CUBLASLT_ORDER_COL32_2R_4R4);
    LT_CHECK(l->count > 0 && l->mode <= CUBLASLT_BATCH_MODE_POINTER_ARRAY);
    LT_SUPPORT(!l->plane && l->rows <= MOST && l->columns <= MOST);
    int64_t rows = (int64_t)l->rows, columns = (int64_t)l->columns;
    LT_CHECK(l->ld >= matrix_least_ld((cublasLtOrder_t)l->order, rows, columns));
    *x = (struct lt_matrix){
        .rows = transposed ? columns : rows,
        .columns = transposed ? rows : columns,
        .ld = l->ld,
        .stride = l->stride,
        .type = lt_type_of((cudaDataType)l->type),
        .order = by_rows ? CUBLASLT_ORDER_COL : (cublasLtOrder_t)l->order,
        .pointers = l->mode == CUBLASLT_BATCH_MODE_POINTER_ARRAY,
        .transposed = transposed != by_rows,
        .conjugated = op == CUBLAS_OP_C || op == CUBLAS_OP_CONJG,
    };
    LT_SUPPORT(x->type < LT_TYPES);
    return CUBLAS_STATUS_SUCCESS;
}
