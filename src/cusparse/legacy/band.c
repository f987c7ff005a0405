// SPDX-License-Identifier: Apache-2.0
// Systems with three or five diagonals: one with several right sides, batches one after the other, batches whose elements are interleaved.
// They are solved by elimination, with or without pivoting, or by rotations; each part keeps the rows of one system in the program's
// buffer, so that the diagonals stay as they are.
#include "cusparse/legacy/legacy.h"
#include "cusparse/work.h"

enum { COLUMNS = 64, SYSTEMS = 16 };
enum band_method { BAND_PLAIN, BAND_PIVOT, BAND_ROTATE };
struct band {
    struct native_head head;
    int m, b; // rows; diagonals on either side
    enum band_method method;
    const void *diagonals[5]; // from the lowest on
    void *y, *buffer;
    int64_t systems, columns, a_system, a_down, y_system, y_down, y_across;
};
static inline size_t band_width(const struct band *x)
{
    return 3 * (size_t)x->b + 1;
}

#define KIND_FOUR
#define TEMPLATE "cusparse/kernel/band.h"
#include "cusparse/kernel/kind.h"
#undef TEMPLATE
#define KERNEL(a, x, y, t) LIBRARY_KERNEL("cusparse_band_" #a, band_run_##a##x##y##t, struct band),
static struct library_kernel kernels[] = {KINDS_FOUR(KERNEL)};

static uint64_t parts_of(const struct band *x)
{
    return (uint64_t)(x->columns != 1 ? sparse_parts(x->columns, COLUMNS) : sparse_parts(x->systems, SYSTEMS));
}

static bool has_diagonals(const struct band *x)
{
    for (int i = 0; i <= 2 * x->b; i++)
        if (!x->diagonals[i])
            return false;
    return x->y;
}

static cusparseStatus_t band(cusparseHandle_t h, enum sparse_type type, struct band *x)
{
    SPARSE_CHECK(!parts_of(x) || !x->m || (has_diagonals(x) && legacy_is_buffer(x->buffer)));
    return sparse_launch(h, &kernels[work_one(type)], x->m ? parts_of(x) : 0,
                         (double)x->m * (double)(band_width(x) * (x->columns != 1 ? COLUMNS : SYSTEMS)), x);
}

static cusparseStatus_t band_bytes(enum sparse_type type, const struct band *x, size_t *bytes)
{
    SPARSE_CHECK(bytes);
    *bytes =
        (size_t)sparse_max((int64_t)parts_of(x), 1) * (size_t)sparse_max(x->m, 1) * band_width(x) * sparse_size(type);
    return CUSPARSE_STATUS_SUCCESS;
}

// ---- one system, n right sides
enum { LEAST = 3 }; // rows
static cusparseStatus_t several(cusparseHandle_t h, int m, int n, const void *dl, const void *d, const void *du,
                                const void *y, int ldb, struct band *x)
{
    LEGACY_ENTER(h);
    SPARSE_CHECK(m >= LEAST && n >= 0 && ldb >= m);
    *x = (struct band){.m = m, .b = 1, .diagonals = {dl, d, du}, .y = (void *)(uintptr_t)y, .systems = 1, .columns = n};
    x->a_down = 1;
    x->y_down = 1;
    x->y_across = ldb;
    return CUSPARSE_STATUS_SUCCESS;
}

#define SEVERAL(name, how)                                                                                             \
    cusparseStatus_t sparse_##name##_bufferSizeExt(enum sparse_type type, cusparseHandle_t h, int m, int n,            \
                                                   const void *dl, const void *d, const void *du, const void *b,       \
                                                   int ldb, size_t *bytes)                                             \
    {                                                                                                                  \
        struct band x;                                                                                                 \
        SPARSE_TRY(several(h, m, n, dl, d, du, b, ldb, &x));                                                           \
        return band_bytes(type, &x, bytes);                                                                            \
    }                                                                                                                  \
    cusparseStatus_t sparse_##name(enum sparse_type type, cusparseHandle_t h, int m, int n, const void *dl,            \
                                   const void *d, const void *du, void *b, int ldb, void *buffer)                      \
    {                                                                                                                  \
        struct band x;                                                                                                 \
        SPARSE_TRY(several(h, m, n, dl, d, du, b, ldb, &x));                                                           \
        x.method = (how);                                                                                              \
        x.buffer = buffer;                                                                                             \
        return band(h, type, &x);                                                                                      \
    }
SEVERAL(gtsv2, BAND_PIVOT)
SEVERAL(gtsv2_nopivot, BAND_PLAIN)

// ---- batches
static cusparseStatus_t strided(cusparseHandle_t h, int m, const void *dl, const void *d, const void *du, const void *y,
                                int count, int stride, struct band *x)
{
    LEGACY_ENTER(h);
    SPARSE_CHECK(m >= LEAST && count >= 0 && stride >= m);
    *x = (struct band){.m = m, .b = 1, .diagonals = {dl, d, du}, .y = (void *)(uintptr_t)y, .columns = 1};
    x->systems = count;
    x->a_down = x->y_down = 1;
    x->a_system = x->y_system = stride;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_gtsv2StridedBatch_bufferSizeExt(enum sparse_type type, cusparseHandle_t h, int m,
                                                        const void *dl, const void *d, const void *du, const void *y,
                                                        int count, int stride, size_t *bytes)
{
    struct band x;
    SPARSE_TRY(strided(h, m, dl, d, du, y, count, stride, &x));
    return band_bytes(type, &x, bytes);
}

cusparseStatus_t sparse_gtsv2StridedBatch(enum sparse_type type, cusparseHandle_t h, int m, const void *dl,
                                          const void *d, const void *du, void *y, int count, int stride, void *buffer)
{
    struct band x;
    SPARSE_TRY(strided(h, m, dl, d, du, y, count, stride, &x));
    x.buffer = buffer;
    return band(h, type, &x);
}

static cusparseStatus_t interleaved(cusparseHandle_t h, int m, int b, const void *y, int count, struct band *x)
{
    LEGACY_ENTER(h);
    SPARSE_CHECK(m >= 0 && count >= 0);
    *x = (struct band){.m = m, .b = b, .y = (void *)(uintptr_t)y, .systems = count, .columns = 1};
    x->a_down = x->y_down = count;
    x->a_system = x->y_system = 1;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_gtsvInterleavedBatch_bufferSizeExt(enum sparse_type type, cusparseHandle_t h, int algo, int m,
                                                           const void *dl, const void *d, const void *du, const void *y,
                                                           int count, size_t *bytes)
{
    struct band x;
    (void)dl, (void)d, (void)du;
    SPARSE_TRY(interleaved(h, m, 1, y, count, &x));
    SPARSE_CHECK((unsigned)algo <= BAND_ROTATE);
    return band_bytes(type, &x, bytes);
}

// Algorithms are numbered as methods are: Thomas's, LU with pivoting, QR.
cusparseStatus_t sparse_gtsvInterleavedBatch(enum sparse_type type, cusparseHandle_t h, int algo, int m, void *dl,
                                             void *d, void *du, void *y, int count, void *buffer)
{
    struct band x;
    SPARSE_TRY(interleaved(h, m, 1, y, count, &x));
    SPARSE_CHECK((unsigned)algo <= BAND_ROTATE);
    x.method = (enum band_method)algo;
    const void *diagonals[] = {dl, d, du};
    memcpy(x.diagonals, diagonals, sizeof diagonals);
    x.buffer = buffer;
    return band(h, type, &x);
}

cusparseStatus_t sparse_gpsvInterleavedBatch_bufferSizeExt(enum sparse_type type, cusparseHandle_t h, int algo, int m,
                                                           const void *ds, const void *dl, const void *d,
                                                           const void *du, const void *dw, const void *y, int count,
                                                           size_t *bytes)
{
    struct band x;
    (void)ds, (void)dl, (void)d, (void)du, (void)dw;
    SPARSE_TRY(interleaved(h, m, 2, y, count, &x));
    SPARSE_CHECK(!algo);
    return band_bytes(type, &x, bytes);
}

// The one algorithm is QR.
cusparseStatus_t sparse_gpsvInterleavedBatch(enum sparse_type type, cusparseHandle_t h, int algo, int m, void *ds,
                                             void *dl, void *d, void *du, void *dw, void *y, int count, void *buffer)
{
    struct band x;
    SPARSE_TRY(interleaved(h, m, 2, y, count, &x));
    SPARSE_CHECK(!algo);
    x.method = BAND_ROTATE;
    const void *diagonals[] = {ds, dl, d, du, dw};
    memcpy(x.diagonals, diagonals, sizeof diagonals);
    x.buffer = buffer;
    return band(h, type, &x);
}
