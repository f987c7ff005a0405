// SPDX-License-Identifier: Apache-2.0
// Descriptors of sparse matrices, of all formats.
#include "cusparse/sparse.h"

#define SET(pointer, value)                                                                                            \
    do {                                                                                                               \
        if (pointer)                                                                                                   \
            *(pointer) = (value);                                                                                      \
    } while (0)

static cusparseIndexType_t index_type(struct indices x)
{
    return x.wide ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
}

cusparseStatus_t sparse_DestroySpMat(cusparseConstSpMatDescr_t m)
{
    return sparse_object_destroy(m, OBJECT_SPMAT);
}

// What all formats have; the arrays may be missing where they are set later.
static cusparseStatus_t create(cusparseConstSpMatDescr_t *out, struct cusparseSpMatDescr m, const void *offsets,
                               cusparseIndexType_t ot, const void *indices, cusparseIndexType_t it, const void *values,
                               cusparseIndexBase_t base, cudaDataType type, bool constant)
{
    SPARSE_CHECK(out && m.rows >= 0 && m.cols >= 0 && m.nnz >= 0 && sparse_is_base(base));
    SPARSE_CHECK((ot == CUSPARSE_INDEX_32I || ot == CUSPARSE_INDEX_64I) &&
                 (it == CUSPARSE_INDEX_32I || it == CUSPARSE_INDEX_64I));
    SPARSE_NEED(sparse_type_of(type) != SPARSE_TYPES);
    cusparseSpMatDescr_t made = sparse_object_create(OBJECT_SPMAT);
    if (!made)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    m.object = made->object;
    m.offsets = (struct indices){offsets, ot == CUSPARSE_INDEX_64I};
    m.indices = (struct indices){indices, it == CUSPARSE_INDEX_64I};
    m.values = (void *)(uintptr_t)values;
    m.base = base;
    m.type = sparse_type_of(type);
    m.data_type = type;
    m.constant = constant;
    m.batches = 1;
    *made = m;
    *out = made;
    return CUSPARSE_STATUS_SUCCESS;
}

// The constant form of a function, with pointers to constants, and the other one.
#define BOTH(Name, form_params, plain_params, form_args)                                                               \
    cusparseStatus_t sparse_Create##Name(cusparseSpMatDescr_t *out, plain_params)                                      \
    {                                                                                                                  \
        return create_##Name((cusparseConstSpMatDescr_t *)out, form_args, false);                                      \
    }                                                                                                                  \
    cusparseStatus_t sparse_CreateConst##Name(cusparseConstSpMatDescr_t *out, form_params)                             \
    {                                                                                                                  \
        return create_##Name(out, form_args, true);                                                                    \
    }
#define LIST(...) __VA_ARGS__

#define COMPRESSED(Name, format_name)                                                                                  \
    static cusparseStatus_t create_##Name(cusparseConstSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t nnz,     \
                                          const void *offsets, const void *indices, const void *values,                \
                                          cusparseIndexType_t ot, cusparseIndexType_t it, cusparseIndexBase_t base,    \
                                          cudaDataType type, bool constant)                                            \
    {                                                                                                                  \
        struct cusparseSpMatDescr m = {.format = format_name, .rows = rows, .cols = cols, .nnz = nnz};                 \
        SPARSE_NEED(ot == it);                                                                                         \
        return create(out, m, offsets, ot, indices, it, values, base, type, constant);                                 \
    }                                                                                                                  \
    BOTH(Name,                                                                                                         \
         LIST(int64_t rows, int64_t cols, int64_t nnz, const void *offsets, const void *indices, const void *values,   \
              cusparseIndexType_t ot, cusparseIndexType_t it, cusparseIndexBase_t base, cudaDataType type),            \
         LIST(int64_t rows, int64_t cols, int64_t nnz, void *offsets, void *indices, void *values,                     \
              cusparseIndexType_t ot, cusparseIndexType_t it, cusparseIndexBase_t base, cudaDataType type),            \
         LIST(rows, cols, nnz, offsets, indices, values, ot, it, base, type))                                          \
    cusparseStatus_t sparse_Const##Name##Get(cusparseConstSpMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *nnz,  \
                                             const void **offsets, const void **indices, const void **values,          \
                                             cusparseIndexType_t *ot, cusparseIndexType_t *it,                         \
                                             cusparseIndexBase_t *base, cudaDataType *type)                            \
    {                                                                                                                  \
        SPARSE_CHECK(sparse_object_is(m, OBJECT_SPMAT) && m->format == (format_name));                                 \
        SET(ot, index_type(m->offsets));                                                                               \
        SET(it, index_type(m->indices));                                                                               \
        return get(m, rows, cols, nnz, offsets, indices, values, base, type);                                          \
    }                                                                                                                  \
    cusparseStatus_t sparse_##Name##Get(cusparseSpMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *nnz,            \
                                        void **offsets, void **indices, void **values, cusparseIndexType_t *ot,        \
                                        cusparseIndexType_t *it, cusparseIndexBase_t *base, cudaDataType *type)        \
    {                                                                                                                  \
        SPARSE_CHECK(sparse_object_is(m, OBJECT_SPMAT) && !m->constant);                                               \
        return sparse_Const##Name##Get(m, rows, cols, nnz, (const void **)offsets, (const void **)indices,             \
                                       (const void **)values, ot, it, base, type);                                     \
    }                                                                                                                  \
    cusparseStatus_t sparse_##Name##SetPointers(cusparseSpMatDescr_t m, void *offsets, void *indices, void *values)    \
    {                                                                                                                  \
        return set_pointers(m, format_name, offsets, indices, values);                                                 \
    }

static cusparseStatus_t get(cusparseConstSpMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *nnz,
                            const void **offsets, const void **indices, const void **values, cusparseIndexBase_t *base,
                            cudaDataType *type)
{
    SET(rows, m->rows);
    SET(cols, m->cols);
    SET(nnz, m->nnz);
    SET(offsets, m->offsets.at);
    SET(indices, m->indices.at);
    SET(values, m->values);
    SET(base, m->base);
    SET(type, m->data_type);
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t set_pointers(cusparseSpMatDescr_t m, cusparseFormat_t format, void *offsets, void *indices,
                                     void *values)
{
    SPARSE_CHECK(sparse_object_is(m, OBJECT_SPMAT) && !m->constant && m->format == format && offsets);
    SPARSE_CHECK(!m->nnz || (indices && values));
    m->offsets.at = offsets;
    m->indices.at = indices;
    m->values = values;
    return CUSPARSE_STATUS_SUCCESS;
}

COMPRESSED(Csr, CUSPARSE_FORMAT_CSR)
COMPRESSED(Csc, CUSPARSE_FORMAT_CSC)

// ---- COO
static cusparseStatus_t create_Coo(cusparseConstSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t nnz,
                                   const void *row_indices, const void *col_indices, const void *values,
                                   cusparseIndexType_t it, cusparseIndexBase_t base, cudaDataType type, bool constant)
{
    struct cusparseSpMatDescr m = {.format = CUSPARSE_FORMAT_COO, .rows = rows, .cols = cols, .nnz = nnz};
    return create(out, m, row_indices, it, col_indices, it, values, base, type, constant);
}
BOTH(Coo,
     LIST(int64_t rows, int64_t cols, int64_t nnz, const void *row_indices, const void *col_indices, const void *values,
          cusparseIndexType_t it, cusparseIndexBase_t base, cudaDataType type),
     LIST(int64_t rows, int64_t cols, int64_t nnz, void *row_indices, void *col_indices, void *values,
          cusparseIndexType_t it, cusparseIndexBase_t base, cudaDataType type),
     LIST(rows, cols, nnz, row_indices, col_indices, values, it, base, type))

cusparseStatus_t sparse_ConstCooGet(cusparseConstSpMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *nnz,
                                    const void **row_indices, const void **col_indices, const void **values,
                                    cusparseIndexType_t *it, cusparseIndexBase_t *base, cudaDataType *type)
{
    SPARSE_CHECK(sparse_object_is(m, OBJECT_SPMAT) && m->format == CUSPARSE_FORMAT_COO);
    SET(it, index_type(m->indices));
    return get(m, rows, cols, nnz, row_indices, col_indices, values, base, type);
}

cusparseStatus_t sparse_CooGet(cusparseSpMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *nnz, void **row_indices,
                               void **col_indices, void **values, cusparseIndexType_t *it, cusparseIndexBase_t *base,
                               cudaDataType *type)
{
    SPARSE_CHECK(sparse_object_is(m, OBJECT_SPMAT) && !m->constant);
    return sparse_ConstCooGet(m, rows, cols, nnz, (const void **)row_indices, (const void **)col_indices,
                              (const void **)values, it, base, type);
}

cusparseStatus_t sparse_CooSetPointers(cusparseSpMatDescr_t m, void *row_indices, void *col_indices, void *values)
{
    return set_pointers(m, CUSPARSE_FORMAT_COO, row_indices, col_indices, values);
}

// ---- blocks
static cusparseStatus_t create_Bsr(cusparseConstSpMatDescr_t *out, int64_t brows, int64_t bcols, int64_t bnnz,
                                   int64_t block_rows, int64_t block_cols, const void *offsets, const void *indices,
                                   const void *values, cusparseIndexType_t ot, cusparseIndexType_t it,
                                   cusparseIndexBase_t base, cudaDataType type, cusparseOrder_t order, bool constant)
{
    struct cusparseSpMatDescr m = {
        .format = CUSPARSE_FORMAT_BSR, .order = order, .block_rows = block_rows, .block_cols = block_cols};
    SPARSE_CHECK(brows >= 0 && bcols >= 0 && bnnz >= 0 && block_rows > 0 && block_cols > 0);
    SPARSE_CHECK(order == CUSPARSE_ORDER_COL || order == CUSPARSE_ORDER_ROW);
    SPARSE_NEED(block_rows == block_cols && ot == it);
    m.rows = brows * block_rows;
    m.cols = bcols * block_cols;
    m.nnz = bnnz * block_rows * block_cols;
    return create(out, m, offsets, ot, indices, it, values, base, type, constant);
}
BOTH(Bsr,
     LIST(int64_t brows, int64_t bcols, int64_t bnnz, int64_t block_rows, int64_t block_cols, const void *offsets,
          const void *indices, const void *values, cusparseIndexType_t ot, cusparseIndexType_t it,
          cusparseIndexBase_t base, cudaDataType type, cusparseOrder_t order),
     LIST(int64_t brows, int64_t bcols, int64_t bnnz, int64_t block_rows, int64_t block_cols, void *offsets,
          void *indices, void *values, cusparseIndexType_t ot, cusparseIndexType_t it, cusparseIndexBase_t base,
          cudaDataType type, cusparseOrder_t order),
     LIST(brows, bcols, bnnz, block_rows, block_cols, offsets, indices, values, ot, it, base, type, order))

static cusparseStatus_t create_BlockedEll(cusparseConstSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t block,
                                          int64_t ell_cols, const void *indices, const void *values,
                                          cusparseIndexType_t it, cusparseIndexBase_t base, cudaDataType type,
                                          bool constant)
{
    struct cusparseSpMatDescr m = {
        .format = CUSPARSE_FORMAT_BLOCKED_ELL, .rows = rows, .cols = cols, .ell_cols = ell_cols};
    SPARSE_CHECK(rows >= 0 && cols >= 0 && block > 0 && ell_cols >= 0 && ell_cols <= cols && ell_cols % block == 0);
    m.nnz = sparse_parts(rows, block) * block * ell_cols;
    m.block_rows = m.block_cols = block;
    return create(out, m, NULL, it, indices, it, values, base, type, constant);
}
BOTH(BlockedEll,
     LIST(int64_t rows, int64_t cols, int64_t block, int64_t ell_cols, const void *indices, const void *values,
          cusparseIndexType_t it, cusparseIndexBase_t base, cudaDataType type),
     LIST(int64_t rows, int64_t cols, int64_t block, int64_t ell_cols, void *indices, void *values,
          cusparseIndexType_t it, cusparseIndexBase_t base, cudaDataType type),
     LIST(rows, cols, block, ell_cols, indices, values, it, base, type))

cusparseStatus_t sparse_ConstBlockedEllGet(cusparseConstSpMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *block,
                                           int64_t *ell_cols, const void **indices, const void **values,
                                           cusparseIndexType_t *it, cusparseIndexBase_t *base, cudaDataType *type)
{
    SPARSE_CHECK(sparse_object_is(m, OBJECT_SPMAT) && m->format == CUSPARSE_FORMAT_BLOCKED_ELL);
    SET(block, m->block_rows);
    SET(ell_cols, m->ell_cols);
    SET(it, index_type(m->indices));
    return get(m, rows, cols, NULL, NULL, indices, values, base, type);
}

cusparseStatus_t sparse_BlockedEllGet(cusparseSpMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *block,
                                      int64_t *ell_cols, void **indices, void **values, cusparseIndexType_t *it,
                                      cusparseIndexBase_t *base, cudaDataType *type)
{
    SPARSE_CHECK(sparse_object_is(m, OBJECT_SPMAT) && !m->constant);
    return sparse_ConstBlockedEllGet(m, rows, cols, block, ell_cols, (const void **)indices, (const void **)values, it,
                                     base, type);
}

static cusparseStatus_t create_SlicedEll(cusparseConstSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t nnz,
                                         int64_t size, int64_t slice, const void *offsets, const void *indices,
                                         const void *values, cusparseIndexType_t ot, cusparseIndexType_t it,
                                         cusparseIndexBase_t base, cudaDataType type, bool constant)
{
    struct cusparseSpMatDescr m = {.format = CUSPARSE_FORMAT_SLICED_ELLPACK, .rows = rows, .cols = cols, .nnz = nnz};
    SPARSE_CHECK(slice > 0 && size >= nnz);
    m.slice = slice;
    m.values_size = size;
    return create(out, m, offsets, ot, indices, it, values, base, type, constant);
}
BOTH(SlicedEll,
     LIST(int64_t rows, int64_t cols, int64_t nnz, int64_t size, int64_t slice, const void *offsets,
          const void *indices, const void *values, cusparseIndexType_t ot, cusparseIndexType_t it,
          cusparseIndexBase_t base, cudaDataType type),
     LIST(int64_t rows, int64_t cols, int64_t nnz, int64_t size, int64_t slice, void *offsets, void *indices,
          void *values, cusparseIndexType_t ot, cusparseIndexType_t it, cusparseIndexBase_t base, cudaDataType type),
     LIST(rows, cols, nnz, size, slice, offsets, indices, values, ot, it, base, type))

// ---- what all formats answer
cusparseStatus_t sparse_SpMatGetFormat(cusparseConstSpMatDescr_t m, cusparseFormat_t *format)
{
    SPARSE_CHECK(sparse_object_is(m, OBJECT_SPMAT) && format);
    *format = m->format;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_SpMatGetIndexBase(cusparseConstSpMatDescr_t m, cusparseIndexBase_t *base)
{
    SPARSE_CHECK(sparse_object_is(m, OBJECT_SPMAT) && base);
    *base = m->base;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_SpMatGetSize(cusparseConstSpMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *nnz)
{
    SPARSE_CHECK(sparse_object_is(m, OBJECT_SPMAT));
    return get(m, rows, cols, nnz, NULL, NULL, NULL, NULL, NULL);
}

cusparseStatus_t sparse_SpMatGetStridedBatch(cusparseConstSpMatDescr_t m, int *count)
{
    SPARSE_CHECK(sparse_object_is(m, OBJECT_SPMAT) && count);
    *count = m->batches;
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t set_batch(cusparseSpMatDescr_t m, cusparseFormat_t format, int count, int64_t offsets,
                                  int64_t indices, int64_t values)
{
    SPARSE_CHECK(sparse_object_is(m, OBJECT_SPMAT) && m->format == format && count > 0);
    SPARSE_CHECK(offsets >= 0 && indices >= 0 && values >= 0);
    m->batches = count;
    m->offsets_stride = offsets;
    m->indices_stride = indices;
    m->values_stride = values;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_CooSetStridedBatch(cusparseSpMatDescr_t m, int count, int64_t stride)
{
    return set_batch(m, CUSPARSE_FORMAT_COO, count, stride, stride, stride);
}

cusparseStatus_t sparse_CsrSetStridedBatch(cusparseSpMatDescr_t m, int count, int64_t offsets, int64_t values)
{
    return set_batch(m, CUSPARSE_FORMAT_CSR, count, offsets, values, values);
}

cusparseStatus_t sparse_BsrSetStridedBatch(cusparseSpMatDescr_t m, int count, int64_t offsets, int64_t indices,
                                           int64_t values)
{
    return set_batch(m, CUSPARSE_FORMAT_BSR, count, offsets, indices, values);
}

cusparseStatus_t sparse_SpMatGetAttribute(cusparseConstSpMatDescr_t m, cusparseSpMatAttribute_t attribute, void *data,
                                          size_t size)
{
    SPARSE_CHECK(sparse_object_is(m, OBJECT_SPMAT) && data && size == sizeof(int) &&
                 (unsigned)attribute <= CUSPARSE_SPMAT_DIAG_TYPE);
    memcpy(data, attribute == CUSPARSE_SPMAT_FILL_MODE ? &m->fill : &m->diag, size);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_SpMatSetAttribute(cusparseSpMatDescr_t m, cusparseSpMatAttribute_t attribute, void *data,
                                          size_t size)
{
    SPARSE_CHECK(sparse_object_is(m, OBJECT_SPMAT) && data && size == sizeof(int) &&
                 (unsigned)attribute <= CUSPARSE_SPMAT_DIAG_TYPE);
    unsigned value;
    memcpy(&value, data, size);
    SPARSE_CHECK(value <= 1);
    if (attribute == CUSPARSE_SPMAT_FILL_MODE)
        m->fill = (int)value;
    else
        m->diag = (int)value;
    return CUSPARSE_STATUS_SUCCESS;
}
