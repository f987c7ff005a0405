// SPDX-License-Identifier: Apache-2.0
// Infos of factorisations, solutions and conversions, zero pivots, and what all legacy functions check and add up.
#include "cusparse/legacy/legacy.h"
#include "cusparse/legacy/unsorted.h"

_Static_assert(sizeof(struct legacy_info) <= SPARSE_OBJECT_BYTES, "an object");

static struct legacy_info *create(enum legacy_kind kind)
{
    struct legacy_info *i = sparse_object_create(OBJECT_INFO);
    if (!i)
        return NULL;
    i->kind = kind;
    i->position = -1;
    return i;
}

static cusparseStatus_t destroy(const void *info, enum legacy_kind kind)
{
    if (!info)
        return CUSPARSE_STATUS_SUCCESS;
    struct legacy_info *i = legacy_info(info, kind);
    SPARSE_CHECK(i);
    legacy_orders_free(i);
    return sparse_object_destroy(info, OBJECT_INFO);
}

#define INFO(Name, Type, kind)                                                                                         \
    cusparseStatus_t sparse_Create##Name(Type *info)                                                                   \
    {                                                                                                                  \
        SPARSE_CHECK(info);                                                                                            \
        *info = (Type)create(kind);                                                                                    \
        return *info ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;                                         \
    }                                                                                                                  \
    cusparseStatus_t sparse_Destroy##Name(Type info)                                                                   \
    {                                                                                                                  \
        return destroy(info, kind);                                                                                    \
    }
INFO(Csric02Info, csric02Info_t, INFO_CSRIC02)
INFO(Bsric02Info, bsric02Info_t, INFO_BSRIC02)
INFO(Csrilu02Info, csrilu02Info_t, INFO_CSRILU02)
INFO(Bsrilu02Info, bsrilu02Info_t, INFO_BSRILU02)
INFO(Bsrsv2Info, bsrsv2Info_t, INFO_BSRSV2)
INFO(Bsrsm2Info, bsrsm2Info_t, INFO_BSRSM2)
INFO(Csru2csrInfo, csru2csrInfo_t, INFO_CSRU2CSR)
INFO(ColorInfo, cusparseColorInfo_t, INFO_COLOR)
INFO(PruneInfo, pruneInfo_t, INFO_PRUNE)

// ---- zero pivots. The call waits for the device, as documented: the work may have gone to any stream.
static cusparseStatus_t zero_pivot(cusparseHandle_t h, const void *info, enum legacy_kind kind, int *position)
{
    LEGACY_ENTER(h);
    struct legacy_info *i = legacy_info(info, kind);
    SPARSE_CHECK(i && position);
    SPARSE_TRY(sparse_status(cudaDeviceSynchronize()));
    int at = i->position < 0 ? -1 : i->position + i->base;
    if (h->mode == CUSPARSE_POINTER_MODE_HOST)
        *position = at;
    else
        SPARSE_TRY(sparse_status(cudaMemcpy(position, &at, sizeof at, cudaMemcpyHostToDevice)));
    return at < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}

#define ZERO_PIVOT(name, Type, kind)                                                                                   \
    cusparseStatus_t sparse_X##name##_zeroPivot(cusparseHandle_t h, Type info, int *position)                          \
    {                                                                                                                  \
        return zero_pivot(h, info, kind, position);                                                                    \
    }
ZERO_PIVOT(csric02, csric02Info_t, INFO_CSRIC02)
ZERO_PIVOT(bsric02, bsric02Info_t, INFO_BSRIC02)
ZERO_PIVOT(csrilu02, csrilu02Info_t, INFO_CSRILU02)
ZERO_PIVOT(bsrilu02, bsrilu02Info_t, INFO_BSRILU02)
ZERO_PIVOT(bsrsv2, bsrsv2Info_t, INFO_BSRSV2)
ZERO_PIVOT(bsrsm2, bsrsm2Info_t, INFO_BSRSM2)

// ---- checks
cusparseStatus_t legacy_general(cusparseMatDescr_t d)
{
    SPARSE_CHECK(sparse_object_is(d, OBJECT_DESCR));
    return d->type == CUSPARSE_MATRIX_TYPE_GENERAL ? CUSPARSE_STATUS_SUCCESS
                                                   : CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
}

cusparseStatus_t legacy_square(cusparseDirection_t dir, int rows, int nnz, cusparseMatDescr_t d, const void *values,
                               const int *offsets, const int *indices, int dim, struct blocks *a)
{
    SPARSE_CHECK(legacy_is_direction(dir) && rows >= 0 && nnz >= 0 && dim > 0);
    SPARSE_CHECK((!rows || offsets) && (!nnz || (values && indices)));
    SPARSE_TRY(legacy_general(d));
    *a = (struct blocks){rows,    rows,         dim,
                         dim,     (int)d->base, dir == CUSPARSE_DIRECTION_COLUMN,
                         offsets, indices,      (void *)(uintptr_t)values};
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t legacy_bytes(size_t need, int *bytes, size_t *bytes_ext)
{
    SPARSE_CHECK((bytes && need <= INT32_MAX) || bytes_ext);
    if (bytes)
        *bytes = (int)need;
    else
        *bytes_ext = need;
    return CUSPARSE_STATUS_SUCCESS;
}

// ---- sums
struct sum {
    struct native_head head;
    int lines, base;
    const int *counts;
    int *offsets, *total;
};

static void add_up_run(const void *block, uint64_t part)
{
    const struct sum *x = block;
    (void)part;
    x->offsets[0] = x->base;
    for (int i = 0; i < x->lines; i++)
        x->offsets[i + 1] += x->offsets[i];
    if (x->total)
        *x->total = x->offsets[x->lines] - x->base;
}
static struct library_kernel add_up_kernel = LIBRARY_KERNEL("cusparse_legacy_add_up", add_up_run, struct sum);

static void sum_run(const void *block, uint64_t part)
{
    const struct sum *x = block;
    int n = 0;
    (void)part;
    for (int i = 0; i < x->lines; i++)
        n += x->counts[i];
    *x->total = n;
}
static struct library_kernel sum_kernel = LIBRARY_KERNEL("cusparse_legacy_sum", sum_run, struct sum);

cusparseStatus_t legacy_result(cusparseHandle_t h, cusparseStatus_t launched)
{
    return h->mode == CUSPARSE_POINTER_MODE_HOST ? sparse_wait(h, launched) : launched;
}

cusparseStatus_t legacy_add_up(cusparseHandle_t h, int lines, int base, int *offsets, int *total)
{
    struct sum x = {.lines = lines, .base = base, .offsets = offsets, .total = total};
    cusparseStatus_t status = sparse_launch(h, &add_up_kernel, 1, (double)lines, &x);
    return total ? legacy_result(h, status) : status;
}

cusparseStatus_t legacy_sum(cusparseHandle_t h, int lines, const int *counts, int *total)
{
    struct sum x = {.lines = lines, .counts = counts, .total = total};
    return legacy_result(h, sparse_launch(h, &sum_kernel, 1, (double)lines, &x));
}
