// SPDX-License-Identifier: Apache-2.0
// Descriptors of dense and sparse vectors and of dense matrices, and the matrix descriptors of the legacy functions. A constant
// descriptor is one whose values no function writes.
#include "cusparse/sparse.h"

#define DESTROY(Name, Type, kind)                                                                                      \
    cusparseStatus_t sparse_Destroy##Name(Type d)                                                                      \
    {                                                                                                                  \
        return sparse_object_destroy(d, kind);                                                                         \
    }
DESTROY(SpVec, cusparseConstSpVecDescr_t, OBJECT_SPVEC)
DESTROY(DnVec, cusparseConstDnVecDescr_t, OBJECT_DNVEC)
DESTROY(DnMat, cusparseConstDnMatDescr_t, OBJECT_DNMAT)
DESTROY(MatDescr, cusparseMatDescr_t, OBJECT_DESCR)

static bool is_index_type(cusparseIndexType_t t)
{
    return t == CUSPARSE_INDEX_32I || t == CUSPARSE_INDEX_64I;
}
#define SET(pointer, value)                                                                                            \
    do {                                                                                                               \
        if (pointer)                                                                                                   \
            *(pointer) = (value);                                                                                      \
    } while (0)

// ---- sparse vectors
static cusparseStatus_t spvec_create(cusparseSpVecDescr_t *out, int64_t size, int64_t nnz, const void *indices,
                                     const void *values, cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                     cudaDataType type, bool constant)
{
    SPARSE_CHECK(out && size >= 0 && nnz >= 0 && nnz <= size && (!nnz || (indices && values)));
    SPARSE_CHECK(is_index_type(index_type) && sparse_is_base(base));
    SPARSE_NEED(sparse_type_of(type) != SPARSE_TYPES);
    cusparseSpVecDescr_t v = sparse_object_create(OBJECT_SPVEC);
    if (!v)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    v->size = size;
    v->nnz = nnz;
    v->indices = (struct indices){indices, index_type == CUSPARSE_INDEX_64I};
    v->values = (void *)(uintptr_t)values;
    v->base = base;
    v->type = sparse_type_of(type);
    v->data_type = type;
    v->constant = constant;
    *out = v;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_CreateSpVec(cusparseSpVecDescr_t *out, int64_t size, int64_t nnz, void *indices, void *values,
                                    cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type)
{
    return spvec_create(out, size, nnz, indices, values, index_type, base, type, false);
}

cusparseStatus_t sparse_CreateConstSpVec(cusparseConstSpVecDescr_t *out, int64_t size, int64_t nnz, const void *indices,
                                         const void *values, cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                         cudaDataType type)
{
    return spvec_create((cusparseSpVecDescr_t *)out, size, nnz, indices, values, index_type, base, type, true);
}

cusparseStatus_t sparse_ConstSpVecGet(cusparseConstSpVecDescr_t v, int64_t *size, int64_t *nnz, const void **indices,
                                      const void **values, cusparseIndexType_t *index_type, cusparseIndexBase_t *base,
                                      cudaDataType *type)
{
    SPARSE_CHECK(sparse_object_is(v, OBJECT_SPVEC));
    SET(size, v->size);
    SET(nnz, v->nnz);
    SET(indices, v->indices.at);
    SET(values, v->values);
    SET(index_type, v->indices.wide ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I);
    SET(base, v->base);
    SET(type, v->data_type);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_SpVecGet(cusparseSpVecDescr_t v, int64_t *size, int64_t *nnz, void **indices, void **values,
                                 cusparseIndexType_t *index_type, cusparseIndexBase_t *base, cudaDataType *type)
{
    SPARSE_CHECK(sparse_object_is(v, OBJECT_SPVEC) && !v->constant);
    return sparse_ConstSpVecGet(v, size, nnz, (const void **)indices, (const void **)values, index_type, base, type);
}

cusparseStatus_t sparse_SpVecGetIndexBase(cusparseConstSpVecDescr_t v, cusparseIndexBase_t *base)
{
    SPARSE_CHECK(sparse_object_is(v, OBJECT_SPVEC) && base);
    *base = v->base;
    return CUSPARSE_STATUS_SUCCESS;
}

#define VALUES(Name, name, kind)                                                                                       \
    cusparseStatus_t sparse_##Name##GetValues(cusparse##Name##Descr_t d, void **values)                                \
    {                                                                                                                  \
        SPARSE_CHECK(sparse_object_is(d, kind) && !d->constant && values);                                             \
        *values = d->values;                                                                                           \
        return CUSPARSE_STATUS_SUCCESS;                                                                                \
    }                                                                                                                  \
    cusparseStatus_t sparse_Const##Name##GetValues(cusparseConst##Name##Descr_t d, const void **values)                \
    {                                                                                                                  \
        SPARSE_CHECK(sparse_object_is(d, kind) && values);                                                             \
        *values = d->values;                                                                                           \
        return CUSPARSE_STATUS_SUCCESS;                                                                                \
    }                                                                                                                  \
    cusparseStatus_t sparse_##Name##SetValues(cusparse##Name##Descr_t d, void *values)                                 \
    {                                                                                                                  \
        SPARSE_CHECK(sparse_object_is(d, kind) && !d->constant && values);                                             \
        d->values = values;                                                                                            \
        return CUSPARSE_STATUS_SUCCESS;                                                                                \
    }
VALUES(SpVec, spvec, OBJECT_SPVEC)
VALUES(DnVec, dnvec, OBJECT_DNVEC)
VALUES(DnMat, dnmat, OBJECT_DNMAT)
VALUES(SpMat, spmat, OBJECT_SPMAT)

// ---- dense vectors
static cusparseStatus_t dnvec_create(cusparseDnVecDescr_t *out, int64_t size, const void *values, cudaDataType type,
                                     bool constant)
{
    SPARSE_CHECK(out && size >= 0 && (!size || values));
    SPARSE_NEED(sparse_type_of(type) != SPARSE_TYPES);
    cusparseDnVecDescr_t v = sparse_object_create(OBJECT_DNVEC);
    if (!v)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    v->size = size;
    v->values = (void *)(uintptr_t)values;
    v->type = sparse_type_of(type);
    v->data_type = type;
    v->constant = constant;
    *out = v;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_CreateDnVec(cusparseDnVecDescr_t *out, int64_t size, void *values, cudaDataType type)
{
    return dnvec_create(out, size, values, type, false);
}

cusparseStatus_t sparse_CreateConstDnVec(cusparseConstDnVecDescr_t *out, int64_t size, const void *values,
                                         cudaDataType type)
{
    return dnvec_create((cusparseDnVecDescr_t *)out, size, values, type, true);
}

cusparseStatus_t sparse_ConstDnVecGet(cusparseConstDnVecDescr_t v, int64_t *size, const void **values,
                                      cudaDataType *type)
{
    SPARSE_CHECK(sparse_object_is(v, OBJECT_DNVEC));
    SET(size, v->size);
    SET(values, v->values);
    SET(type, v->data_type);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_DnVecGet(cusparseDnVecDescr_t v, int64_t *size, void **values, cudaDataType *type)
{
    SPARSE_CHECK(sparse_object_is(v, OBJECT_DNVEC) && !v->constant);
    return sparse_ConstDnVecGet(v, size, (const void **)values, type);
}

// ---- dense matrices
static cusparseStatus_t dnmat_create(cusparseDnMatDescr_t *out, int64_t rows, int64_t cols, int64_t ld,
                                     const void *values, cudaDataType type, cusparseOrder_t order, bool constant)
{
    SPARSE_CHECK(out && rows >= 0 && cols >= 0 && (order == CUSPARSE_ORDER_COL || order == CUSPARSE_ORDER_ROW));
    SPARSE_CHECK(ld >= (order == CUSPARSE_ORDER_COL ? rows : cols) && (!rows || !cols || values));
    SPARSE_NEED(sparse_type_of(type) != SPARSE_TYPES);
    cusparseDnMatDescr_t m = sparse_object_create(OBJECT_DNMAT);
    if (!m)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    m->rows = rows;
    m->cols = cols;
    m->ld = ld;
    m->batches = 1;
    m->values = (void *)(uintptr_t)values;
    m->order = order;
    m->type = sparse_type_of(type);
    m->data_type = type;
    m->constant = constant;
    *out = m;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_CreateDnMat(cusparseDnMatDescr_t *out, int64_t rows, int64_t cols, int64_t ld, void *values,
                                    cudaDataType type, cusparseOrder_t order)
{
    return dnmat_create(out, rows, cols, ld, values, type, order, false);
}

cusparseStatus_t sparse_CreateConstDnMat(cusparseConstDnMatDescr_t *out, int64_t rows, int64_t cols, int64_t ld,
                                         const void *values, cudaDataType type, cusparseOrder_t order)
{
    return dnmat_create((cusparseDnMatDescr_t *)out, rows, cols, ld, values, type, order, true);
}

cusparseStatus_t sparse_ConstDnMatGet(cusparseConstDnMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *ld,
                                      const void **values, cudaDataType *type, cusparseOrder_t *order)
{
    SPARSE_CHECK(sparse_object_is(m, OBJECT_DNMAT));
    SET(rows, m->rows);
    SET(cols, m->cols);
    SET(ld, m->ld);
    SET(values, m->values);
    SET(type, m->data_type);
    SET(order, m->order);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_DnMatGet(cusparseDnMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *ld, void **values,
                                 cudaDataType *type, cusparseOrder_t *order)
{
    SPARSE_CHECK(sparse_object_is(m, OBJECT_DNMAT) && !m->constant);
    return sparse_ConstDnMatGet(m, rows, cols, ld, (const void **)values, type, order);
}

cusparseStatus_t sparse_DnMatSetStridedBatch(cusparseDnMatDescr_t m, int count, int64_t stride)
{
    SPARSE_CHECK(sparse_object_is(m, OBJECT_DNMAT) && count > 0);
    int64_t lines = m->order == CUSPARSE_ORDER_COL ? m->cols : m->rows;
    SPARSE_CHECK(count == 1 || !stride || stride >= m->ld * lines);
    m->batches = count;
    m->stride = stride;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_DnMatGetStridedBatch(cusparseConstDnMatDescr_t m, int *count, int64_t *stride)
{
    SPARSE_CHECK(sparse_object_is(m, OBJECT_DNMAT));
    SET(count, m->batches);
    SET(stride, m->stride);
    return CUSPARSE_STATUS_SUCCESS;
}

// ---- descriptors of the legacy functions
cusparseStatus_t sparse_CreateMatDescr(cusparseMatDescr_t *out)
{
    SPARSE_CHECK(out);
    *out = sparse_object_create(OBJECT_DESCR);
    return *out ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}
#define LEGACY(Name, Type, field, most)                                                                                \
    cusparseStatus_t sparse_SetMat##Name(cusparseMatDescr_t d, Type value)                                             \
    {                                                                                                                  \
        SPARSE_CHECK(sparse_object_is(d, OBJECT_DESCR) && (unsigned)value <= (most));                                  \
        d->field = value;                                                                                              \
        return CUSPARSE_STATUS_SUCCESS;                                                                                \
    }                                                                                                                  \
    Type sparse_GetMat##Name(cusparseMatDescr_t d)                                                                     \
    {                                                                                                                  \
        return sparse_object_is(d, OBJECT_DESCR) ? d->field : 0;                                                       \
    }
LEGACY(Type, cusparseMatrixType_t, type, CUSPARSE_MATRIX_TYPE_TRIANGULAR)
LEGACY(FillMode, cusparseFillMode_t, fill, CUSPARSE_FILL_MODE_UPPER)
LEGACY(DiagType, cusparseDiagType_t, diag, CUSPARSE_DIAG_TYPE_UNIT)
LEGACY(IndexBase, cusparseIndexBase_t, base, CUSPARSE_INDEX_BASE_ONE)
