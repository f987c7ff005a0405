// SPDX-License-Identifier: Apache-2.0
// What the bodies of cuSPARSE share: types of elements, the handle, descriptors, scalars, launches and checks. The prototypes of the
// bodies come from the tables.
#ifndef HEDDLE_CUSPARSE_SPARSE_H
#define HEDDLE_CUSPARSE_SPARSE_H
#include "library/library.h"
#include <cusparse.h>
#include <string.h>

// Types of elements: half precision (H, B) and its complex numbers (K, L) are computed in float; J is int8_t, I is int32_t.
enum sparse_type {
    SPARSE_S,
    SPARSE_D,
    SPARSE_C,
    SPARSE_Z,
    SPARSE_H,
    SPARSE_B,
    SPARSE_K,
    SPARSE_L,
    SPARSE_J,
    SPARSE_I,
    SPARSE_TYPES
};
enum sparse_type sparse_type_of(cudaDataType type); // SPARSE_TYPES: none of these
size_t sparse_size(enum sparse_type type);          // of an element

// ---- objects. All are of one size, so that one that was destroyed is told from one that lives (library_handle_alive).
enum sparse_kind {
    OBJECT_CONTEXT,
    OBJECT_DESCR,
    OBJECT_INFO,
    OBJECT_SPVEC,
    OBJECT_DNVEC,
    OBJECT_SPMAT,
    OBJECT_DNMAT,
    OBJECT_SPSV,
    OBJECT_SPSM,
    OBJECT_SPGEMM,
};
struct sparse_object {
    struct library_handle base;
    enum sparse_kind kind;
};
enum { SPARSE_OBJECT_BYTES = 640 };
void *sparse_object_create(enum sparse_kind kind); // NULL: there is no memory
static inline bool sparse_object_is(const void *object, enum sparse_kind kind)
{
    return library_handle_alive(object) && ((const struct sparse_object *)object)->kind == kind;
}
cusparseStatus_t sparse_object_destroy(const void *object, enum sparse_kind kind);

struct cusparseContext {
    struct sparse_object object;
    cudaStream_t stream;
    cusparsePointerMode_t mode;
    struct library_scratch scratch;
};
struct cusparseMatDescr {
    struct sparse_object object;
    cusparseMatrixType_t type;
    cusparseFillMode_t fill;
    cusparseDiagType_t diag;
    cusparseIndexBase_t base;
};

// An array of indices of 32 or 64 bits.
struct indices {
    const void *at;
    bool wide;
};
static inline int64_t index_at(struct indices x, int64_t i)
{
    return x.wide ? ((const int64_t *)x.at)[i] : ((const int32_t *)x.at)[i];
}
static inline void index_set(struct indices x, int64_t i, int64_t value)
{
    if (x.wide)
        ((int64_t *)(uintptr_t)x.at)[i] = value;
    else
        ((int32_t *)(uintptr_t)x.at)[i] = (int32_t)value;
}
static inline size_t index_size(struct indices x)
{
    return x.wide ? sizeof(int64_t) : sizeof(int32_t);
}

struct cusparseSpVecDescr {
    struct sparse_object object;
    int64_t size, nnz;
    struct indices indices;
    void *values;
    cusparseIndexBase_t base;
    enum sparse_type type;
    cudaDataType data_type;
    bool constant;
};
struct cusparseDnVecDescr {
    struct sparse_object object;
    int64_t size;
    void *values;
    enum sparse_type type;
    cudaDataType data_type;
    bool constant;
};
struct cusparseDnMatDescr {
    struct sparse_object object;
    int64_t rows, cols, ld, stride;
    int batches;
    void *values;
    cusparseOrder_t order;
    enum sparse_type type;
    cudaDataType data_type;
    bool constant;
};
// offsets: of rows (CSR, BSR), columns (CSC), slices (SELL), or rows of elements (COO). indices: of columns, of CSC of rows.
struct cusparseSpMatDescr {
    struct sparse_object object;
    cusparseFormat_t format;
    int64_t rows, cols, nnz;
    struct indices offsets, indices;
    void *values;
    cusparseIndexBase_t base;
    enum sparse_type type;
    cudaDataType data_type;
    bool constant;
    int batches;
    int64_t offsets_stride, indices_stride, values_stride; // from one batch to the next
    int64_t block_rows, block_cols;                        // BSR, blocked ELL
    cusparseOrder_t order;                                 // within blocks of BSR
    int64_t ell_cols;                                      // blocked ELL
    int64_t slice, values_size;                            // SELL
    int fill, diag;                                        // attributes
};

// ---- scalars. `at` is in device memory and read when the work runs; NULL: it is the value of the time of the call.
struct scalar {
    const void *at;
    _Alignas(16) char value[16];
};
struct scalar sparse_scalar(cusparseHandle_t h, enum sparse_type type, const void *value);
static inline const void *scalar_value(const struct scalar *s)
{
    return s->at ? s->at : s->value;
}

// ---- launches and memory in the handle's stream
cusparseStatus_t sparse_status(cudaError_t e);
static inline cusparseStatus_t sparse_launch(cusparseHandle_t h, struct library_kernel *k, uint64_t parts, double work,
                                             void *block)
{
    return sparse_status(library_launch(k, h->stream, parts, work, block));
}
cusparseStatus_t sparse_wait(cusparseHandle_t h, cusparseStatus_t status); // for work that was launched well
void *sparse_scratch(cusparseHandle_t h, size_t bytes);                    // NULL: there is none
void sparse_scratch_end(cusparseHandle_t h, void *memory);

#define SPARSE_ENTER(h)                                                                                                \
    do {                                                                                                               \
        if (!sparse_object_is(h, OBJECT_CONTEXT))                                                                      \
            return CUSPARSE_STATUS_INVALID_VALUE;                                                                      \
    } while (0)
#define SPARSE_CHECK(condition)                                                                                        \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return CUSPARSE_STATUS_INVALID_VALUE;                                                                      \
    } while (0)
#define SPARSE_NEED(condition)                                                                                         \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return CUSPARSE_STATUS_NOT_SUPPORTED;                                                                      \
    } while (0)
#define SPARSE_TRY(call)                                                                                               \
    do {                                                                                                               \
        cusparseStatus_t status_ = (call);                                                                             \
        if (status_)                                                                                                   \
            return status_;                                                                                            \
    } while (0)

static inline bool sparse_is_op(cusparseOperation_t op)
{
    return (unsigned)op <= CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}
static inline bool sparse_is_base(cusparseIndexBase_t base)
{
    return (unsigned)base <= CUSPARSE_INDEX_BASE_ONE;
}
static inline bool sparse_is_complex(enum sparse_type t)
{
    return t == SPARSE_C || t == SPARSE_Z || t == SPARSE_K || t == SPARSE_L;
}
// NVIDIA's library refuses to conjugate real numbers.
static inline bool sparse_can_conjugate(cusparseOperation_t op, enum sparse_type t)
{
    return op != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE || sparse_is_complex(t);
}
// What programs are asked for where NVIDIA's library asks for memory: it refuses to work without, and so do we, though ours is the
// handle's.
enum { SPARSE_BUFFER_BYTES = 16 };
static inline int64_t sparse_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
static inline int64_t sparse_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}
static inline int64_t sparse_parts(int64_t n, int64_t each)
{
    return (n + each - 1) / each;
}

// ---- view.c: a matrix as lines of elements, each line a row or, of CSC, a column
struct view {
    struct indices offsets, indices; // offsets: lines + 1
    const void *values;
    int64_t lines, across, nnz, base;
    int64_t offsets_stride, indices_stride, values_stride;
};
// How many bytes of scratch memory it takes; what is a view of COO has offsets there.
size_t view_bytes(cusparseConstSpMatDescr_t m);
// Launches what makes the view of CSR, CSC or COO; memory: of view_bytes.
cusparseStatus_t view_make(cusparseHandle_t h, cusparseConstSpMatDescr_t m, void *memory, struct view *v);
static inline bool view_can(cusparseConstSpMatDescr_t m)
{
    return m->format == CUSPARSE_FORMAT_CSR || m->format == CUSPARSE_FORMAT_CSC || m->format == CUSPARSE_FORMAT_COO;
}
static inline int64_t view_begin(const struct view *v, int64_t line)
{
    return index_at(v->offsets, line) - v->base;
}
// Of the elements and ends of lines in their order, the line that item d belongs to: so many lines end before it. The item's element is
// d - line. Parts that cut the list of items are equal in work, however long the lines are.
static inline bool view_line_is_before(const struct view *v, int64_t line, int64_t d)
{
    return line + view_begin(v, line + 1) < d;
}
static inline int64_t view_line(const struct view *v, int64_t d)
{
    int64_t low = 0, high = v->lines, step = 8;
    // Where lines are about equal it is near this one: from there in steps that double, then by halves.
    int64_t at = (int64_t)((double)d / (double)(v->lines + v->nnz) * (double)v->lines);
    for (bool up = at < high && view_line_is_before(v, at, d); at >= low && at < high; step *= 2) {
        if (view_line_is_before(v, at, d)) {
            low = at + 1;
            if (!up)
                break;
            at += step;
        } else {
            high = at;
            if (up)
                break;
            at -= step;
        }
    }
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (view_line_is_before(v, middle, d))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// ---- order.c: CSR to CSC. An element has so many bytes; out_values NULL: only indices; buffer: n + 1 of int.
cusparseStatus_t order_transpose(cusparseHandle_t h, int m, int n, int nnz, int base, size_t size, const void *values,
                                 const int *offsets, const int *columns, void *out_values, int *out_offsets, int *out,
                                 void *buffer);
// Sorts keys and what follows them, stably; both have room for as many beside them. follow may be NULL.
void order_sort(int *keys, int *follow, int *keys_too, int *follow_too, int n);

// ---- the bodies
#define FULL(result, name, params, args) result sparse_##name params;
#define NONE(...)
#include "cusparse/api.def"
#undef FULL
#define SPARSE_LIST(...)                 __VA_ARGS__
#define FULL(name, params, args)         cusparseStatus_t sparse_##name(enum sparse_type type, SPARSE_LIST params);
#define SDCZ(status, name, params, args) status(name, params, args)
#define HSD(status, name, params, args)  status(name, params, args)
#define T                                void
#define V                                const void *
#define R                                void
#include "cusparse/typed.def"
#undef FULL
#undef NONE
#undef SDCZ
#undef HSD
#undef T
#undef V
#undef R
#endif
