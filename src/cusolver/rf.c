// SPDX-License-Identifier: Apache-2.0
// Factors anew of matrices with the pattern of one that was factored: P A Q^T = L U with the pivots and the pattern of L and U as they
// were. M holds both by rows, L without its diagonal of ones. Work is done in the default stream and waited for, since statuses are the host's.
#include "cusolver/solver.h"
#include <math.h>
#include <stdlib.h>

struct cusolverRfCommon {
    struct solver_object object;
    cusolverRfMatrixFormat_t format;
    cusolverRfUnitDiagonal_t diag;
    double zero, boost;
    cusolverRfFactorization_t factor_algorithm;
    cusolverRfTriangularSolve_t solve_algorithm;
    cusolverRfResetValuesFastMode_t fast;
    cusolverRfNumericBoostReport_t boosted;
    int n, nnz_a, nnz_m, count; // count: matrices of a batch
    int *rows, *cols, *middle;  // of M; middle: the place of each diagonal element
    int *map;                   // of A's elements: their places in M
    double *a, *values;         // of all matrices: A's and M's elements
    int *positions;             // of zero pivots; -1: none
    bool set, analysed, factored;
};
_Static_assert(sizeof(struct cusolverRfCommon) <= SOLVER_OBJECT_BYTES, "an object");
typedef struct cusolverRfCommon rf;

#define RF_ENTER(h)                                                                                                    \
    do {                                                                                                               \
        if (!solver_object_is(h, OBJECT_RF))                                                                           \
            return CUSOLVER_STATUS_NOT_INITIALIZED;                                                                    \
    } while (0)

// ---- work in the stream
enum rf_kind { RF_SETUP, RF_RESET, RF_REFACTOR, RF_SOLVE };
struct rf_pattern {
    int nnz;
    const int *rows, *cols;
};
struct rf_task {
    struct native_head head;
    enum rf_kind kind;
    rf *h;
    struct rf_pattern a, l, u;
    const double *values; // of A, or NULL: `array`
    double *const *array;
    const int *P, *Q;
    int nrhs, ldx;
    double *x;
    double *const *xs;
    bool *failed;
};

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static int place_in(const rf *h, int row, int col)
{
    const int *at =
        bsearch(&col, h->cols + h->rows[row], (size_t)(h->rows[row + 1] - h->rows[row]), sizeof(int), compare);
    return at ? (int)(at - h->cols) : -1;
}

// The pattern of M, and where A's elements are in it. False: it does not hold A, or there is no memory.
static bool setup(const struct rf_task *t)
{
    rf *h = t->h;
    const int n = h->n;
    int *row_of = malloc(((size_t)2 * (size_t)n + 2) * sizeof(int)), *col_of = row_of + n, at = 0;
    if (!row_of)
        return false;
    for (int i = 0; i < n; i++) {
        row_of[t->P[i]] = i;
        col_of[t->Q[i]] = i;
    }
    for (int i = 0; i < n; i++) {
        h->rows[i] = at;
        for (int k = t->l.rows[i]; k < t->l.rows[i + 1]; k++)
            if (t->l.cols[k] < i)
                h->cols[at++] = t->l.cols[k];
        bool diagonal = false;
        for (int k = t->u.rows[i]; k < t->u.rows[i + 1]; k++)
            if (t->u.cols[k] >= i) {
                diagonal = diagonal || t->u.cols[k] == i;
                h->cols[at++] = t->u.cols[k];
            }
        if (!diagonal)
            h->cols[at++] = i;
        qsort(h->cols + h->rows[i], (size_t)(at - h->rows[i]), sizeof(int), compare);
    }
    h->rows[n] = h->nnz_m = at;
    bool whole = true;
    for (int i = 0; i < n; i++) {
        h->middle[i] = place_in(h, i, i);
        for (int k = t->a.rows[i]; k < t->a.rows[i + 1] && whole; k++) {
            h->map[k] = place_in(h, row_of[i], col_of[t->a.cols[k]]);
            whole = h->map[k] >= 0;
        }
    }
    free(row_of);
    return whole;
}

static void take_values(const struct rf_task *t)
{
    rf *h = t->h;
    for (int q = 0; q < h->count; q++) {
        const double *from = t->array ? t->array[q] : t->values;
        memcpy(h->a + (size_t)q * (size_t)h->nnz_a, from, (size_t)h->nnz_a * sizeof(double));
    }
}

// Row i: row k of U, for each k left of the diagonal, is taken off.
static void refactor(rf *h, int q)
{
    double *m = h->values + (size_t)q * (size_t)h->nnz_m;
    const double *a = h->a + (size_t)q * (size_t)h->nnz_a;
    memset(m, 0, (size_t)h->nnz_m * sizeof(double));
    for (int k = 0; k < h->nnz_a; k++)
        m[h->map[k]] += a[k];
    h->positions[q] = -1;
    for (int i = 0; i < h->n; i++) {
        for (int e = h->rows[i]; e < h->middle[i]; e++) {
            const int k = h->cols[e];
            const double factor = m[e] / m[h->middle[k]];
            m[e] = factor;
            int to = e + 1;
            for (int s = h->middle[k] + 1; s < h->rows[k + 1]; s++) {
                while (to < h->rows[i + 1] && h->cols[to] < h->cols[s])
                    to++;
                if (to < h->rows[i + 1] && h->cols[to] == h->cols[s])
                    m[to] -= factor * m[s];
            }
        }
        double *d = &m[h->middle[i]];
        if (h->zero > 0 && fabs(*d) < h->zero) {
            *d = *d < 0 ? -h->boost : h->boost;
            h->boosted = CUSOLVERRF_NUMERIC_BOOST_USED;
        }
        if (*d == 0 && h->positions[q] < 0)
            h->positions[q] = i;
    }
}

static bool solve_one(const struct rf_task *t, int q, double *x)
{
    const rf *h = t->h;
    const double *m = h->values + (size_t)q * (size_t)h->nnz_m;
    double *y = malloc(((size_t)h->n + 1) * sizeof(double));
    if (!y)
        return false;
    for (int i = 0; i < h->n; i++) {
        double s = x[t->P[i]];
        for (int e = h->rows[i]; e < h->middle[i]; e++)
            s -= m[e] * y[h->cols[e]];
        y[i] = s;
    }
    for (int i = h->n - 1; i >= 0; i--) {
        double s = y[i];
        for (int e = h->middle[i] + 1; e < h->rows[i + 1]; e++)
            s -= m[e] * y[h->cols[e]];
        y[i] = s / m[h->middle[i]];
    }
    for (int i = 0; i < h->n; i++)
        x[t->Q[i]] = y[i];
    free(y);
    return true;
}

static void run(const void *block, uint64_t part)
{
    const struct rf_task *t = block;
    const int q = (int)part;
    bool ok = true;
    if (t->kind == RF_SETUP) {
        ok = setup(t);
        if (ok)
            take_values(t);
    } else if (t->kind == RF_RESET) {
        take_values(t);
    } else if (t->kind == RF_REFACTOR) {
        refactor(t->h, q);
    } else {
        double *x = t->xs ? t->xs[q] : t->x;
        for (int j = 0; j < t->nrhs && ok; j++)
            ok = solve_one(t, q, x + (size_t)j * (size_t)t->ldx);
    }
    if (!ok)
        __atomic_store_n(t->failed, true, __ATOMIC_RELAXED);
}

static struct library_kernel kernel = LIBRARY_KERNEL("cusolver_Rf", run, struct rf_task);

static cusolverStatus_t perform(struct rf_task *t, int parts)
{
    bool failed = false;
    t->failed = &failed;
    SOLVER_TRY(solver_wait(NULL, solver_launch(NULL, &kernel, (uint64_t)parts, (double)t->h->nnz_m * 10.0, t)));
    return failed ? CUSOLVER_STATUS_INTERNAL_ERROR : CUSOLVER_STATUS_SUCCESS;
}

// ---- the handle
static void memory_free(rf *h)
{
    int **const integers[] = {&h->rows, &h->cols, &h->middle, &h->map, &h->positions};
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        free(*integers[i]);
        *integers[i] = NULL;
    }
    free(h->a);
    free(h->values);
    h->a = h->values = NULL;
    h->set = h->analysed = h->factored = false;
}

cusolverStatus_t solver_RfCreate(cusolverRfHandle_t *handle)
{
    SOLVER_CHECK(handle);
    if (cudaFree(NULL))
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    SOLVER_MAKE(handle, OBJECT_RF);
    (*handle)->solve_algorithm = CUSOLVERRF_TRIANGULAR_SOLVE_ALG1;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_RfDestroy(cusolverRfHandle_t h)
{
    RF_ENTER(h);
    memory_free(h);
    library_handle_destroy(h);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_RfGetMatrixFormat(cusolverRfHandle_t h, cusolverRfMatrixFormat_t *format,
                                          cusolverRfUnitDiagonal_t *diag)
{
    RF_ENTER(h);
    SOLVER_CHECK(format && diag);
    *format = h->format;
    *diag = h->diag;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_RfSetMatrixFormat(cusolverRfHandle_t h, cusolverRfMatrixFormat_t format,
                                          cusolverRfUnitDiagonal_t diag)
{
    RF_ENTER(h);
    SOLVER_CHECK((unsigned)format <= CUSOLVERRF_MATRIX_FORMAT_CSC &&
                 (unsigned)diag <= CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U);
    SOLVER_NEED(format == CUSOLVERRF_MATRIX_FORMAT_CSR && diag != CUSOLVERRF_UNIT_DIAGONAL_STORED_U &&
                diag != CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U);
    h->format = format;
    h->diag = diag;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_RfSetNumericProperties(cusolverRfHandle_t h, double zero, double boost)
{
    RF_ENTER(h);
    h->zero = zero;
    h->boost = boost;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_RfGetNumericProperties(cusolverRfHandle_t h, double *zero, double *boost)
{
    RF_ENTER(h);
    SOLVER_CHECK(zero && boost);
    *zero = h->zero;
    *boost = h->boost;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_RfGetNumericBoostReport(cusolverRfHandle_t h, cusolverRfNumericBoostReport_t *report)
{
    RF_ENTER(h);
    SOLVER_CHECK(report);
    *report = h->boosted;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_RfSetAlgs(cusolverRfHandle_t h, cusolverRfFactorization_t factor,
                                  cusolverRfTriangularSolve_t solve)
{
    RF_ENTER(h);
    SOLVER_CHECK((unsigned)factor <= CUSOLVERRF_FACTORIZATION_ALG2 && solve >= CUSOLVERRF_TRIANGULAR_SOLVE_ALG1 &&
                 solve <= CUSOLVERRF_TRIANGULAR_SOLVE_ALG3);
    h->factor_algorithm = factor;
    h->solve_algorithm = solve;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_RfGetAlgs(cusolverRfHandle_t h, cusolverRfFactorization_t *factor,
                                  cusolverRfTriangularSolve_t *solve)
{
    RF_ENTER(h);
    SOLVER_CHECK(factor && solve);
    *factor = h->factor_algorithm;
    *solve = h->solve_algorithm;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_RfGetResetValuesFastMode(cusolverRfHandle_t h, cusolverRfResetValuesFastMode_t *fast)
{
    RF_ENTER(h);
    SOLVER_CHECK(fast);
    *fast = h->fast;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_RfSetResetValuesFastMode(cusolverRfHandle_t h, cusolverRfResetValuesFastMode_t fast)
{
    RF_ENTER(h);
    SOLVER_CHECK((unsigned)fast <= CUSOLVERRF_RESET_VALUES_FAST_MODE_ON);
    h->fast = fast;
    return CUSOLVER_STATUS_SUCCESS;
}

// ---- what is factored
static cusolverStatus_t setup_all(rf *h, int count, int n, struct rf_task *t)
{
    RF_ENTER(h);
    SOLVER_CHECK(count > 0 && n > 0 && t->a.nnz > 0 && t->l.nnz >= 0 && t->u.nnz > 0 && t->a.rows && t->a.cols &&
                 (t->values || t->array) && t->l.rows && (t->l.cols || !t->l.nnz) && t->u.rows && t->u.cols && t->P &&
                 t->Q);
    memory_free(h);
    const size_t most = (size_t)t->l.nnz + (size_t)t->u.nnz + (size_t)n, batch = (size_t)count;
    h->n = n;
    h->nnz_a = t->a.nnz;
    h->count = count;
    h->rows = malloc(((size_t)n + 1) * sizeof(int));
    h->cols = malloc(most * sizeof(int));
    h->middle = malloc((size_t)n * sizeof(int));
    h->map = malloc((size_t)t->a.nnz * sizeof(int));
    h->positions = malloc(batch * sizeof(int));
    h->a = malloc(batch * (size_t)t->a.nnz * sizeof(double));
    h->values = calloc(batch * most, sizeof(double));
    if (!h->rows || !h->cols || !h->middle || !h->map || !h->positions || !h->a || !h->values) {
        memory_free(h);
        return CUSOLVER_STATUS_ALLOC_FAILED;
    }
    t->kind = RF_SETUP;
    t->h = h;
    SOLVER_TRY(perform(t, 1));
    h->set = true;
    return CUSOLVER_STATUS_SUCCESS;
}

#define PATTERN(x) {nnz##x, rows##x, cols##x}
cusolverStatus_t solver_RfSetupHost(int n, int nnzA, int *rowsA, int *colsA, double *A, int nnzL, int *rowsL,
                                    int *colsL, double *L, int nnzU, int *rowsU, int *colsU, double *U, int *P, int *Q,
                                    cusolverRfHandle_t h)
{
    struct rf_task t = {.a = PATTERN(A), .l = PATTERN(L), .u = PATTERN(U), .values = A, .P = P, .Q = Q};
    (void)L; // values are computed anew
    (void)U;
    return setup_all(h, 1, n, &t);
}

cusolverStatus_t solver_RfSetupDevice(int n, int nnzA, int *rowsA, int *colsA, double *A, int nnzL, int *rowsL,
                                      int *colsL, double *L, int nnzU, int *rowsU, int *colsU, double *U, int *P,
                                      int *Q, cusolverRfHandle_t h)
{
    return solver_RfSetupHost(n, nnzA, rowsA, colsA, A, nnzL, rowsL, colsL, L, nnzU, rowsU, colsU, U, P, Q, h);
}

cusolverStatus_t solver_RfBatchSetupHost(int count, int n, int nnzA, int *rowsA, int *colsA, double *A[], int nnzL,
                                         int *rowsL, int *colsL, double *L, int nnzU, int *rowsU, int *colsU, double *U,
                                         int *P, int *Q, cusolverRfHandle_t h)
{
    struct rf_task t = {.a = PATTERN(A), .l = PATTERN(L), .u = PATTERN(U), .array = A, .P = P, .Q = Q};
    (void)L;
    (void)U;
    return setup_all(h, count, n, &t);
}

cusolverStatus_t solver_RfResetValues(int n, int nnz, int *rows, int *cols, double *values, int *P, int *Q,
                                      cusolverRfHandle_t h)
{
    (void)P;
    (void)Q;
    RF_ENTER(h);
    SOLVER_CHECK(h->set && n == h->n && nnz == h->nnz_a && h->count == 1 && rows && cols && values);
    struct rf_task t = {.kind = RF_RESET, .h = h, .values = values};
    return perform(&t, 1);
}

cusolverStatus_t solver_RfBatchResetValues(int count, int n, int nnz, int *rows, int *cols, double *values[], int *P,
                                           int *Q, cusolverRfHandle_t h)
{
    (void)P;
    (void)Q;
    RF_ENTER(h);
    SOLVER_CHECK(h->set && n == h->n && nnz == h->nnz_a && count == h->count && rows && cols && values);
    struct rf_task t = {.kind = RF_RESET, .h = h, .array = values};
    return perform(&t, 1);
}

cusolverStatus_t solver_RfAnalyze(cusolverRfHandle_t h)
{
    RF_ENTER(h);
    SOLVER_CHECK(h->set);
    h->analysed = true;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_RfBatchAnalyze(cusolverRfHandle_t h)
{
    return solver_RfAnalyze(h);
}

cusolverStatus_t solver_RfBatchRefactor(cusolverRfHandle_t h)
{
    RF_ENTER(h);
    SOLVER_CHECK(h->analysed);
    struct rf_task t = {.kind = RF_REFACTOR, .h = h};
    h->boosted = CUSOLVERRF_NUMERIC_BOOST_NOT_USED;
    SOLVER_TRY(perform(&t, h->count));
    h->factored = true;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_RfRefactor(cusolverRfHandle_t h)
{
    SOLVER_TRY(solver_RfBatchRefactor(h));
    return h->positions[0] >= 0 ? CUSOLVER_STATUS_ZERO_PIVOT : CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_RfBatchZeroPivot(cusolverRfHandle_t h, int *position)
{
    RF_ENTER(h);
    SOLVER_CHECK(h->factored && position);
    bool any = false;
    for (int q = 0; q < h->count; q++) {
        position[q] = h->positions[q];
        any = any || position[q] >= 0;
    }
    return any ? CUSOLVER_STATUS_ZERO_PIVOT : CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t solve_all(rf *h, const int *P, const int *Q, int nrhs, int ldx, struct rf_task *t)
{
    RF_ENTER(h);
    SOLVER_CHECK(h->factored && P && Q && nrhs >= 0 && ldx >= h->n && (t->x || t->xs));
    t->kind = RF_SOLVE;
    t->h = h;
    t->P = P;
    t->Q = Q;
    t->nrhs = nrhs;
    t->ldx = ldx;
    return perform(t, h->count);
}

cusolverStatus_t solver_RfSolve(cusolverRfHandle_t h, int *P, int *Q, int nrhs, double *temp, int ldt, double *x,
                                int ldx)
{
    (void)temp;
    (void)ldt;
    struct rf_task t = {.x = x};
    return solve_all(h, P, Q, nrhs, ldx, &t);
}

cusolverStatus_t solver_RfBatchSolve(cusolverRfHandle_t h, int *P, int *Q, int nrhs, double *temp, int ldt, double *x[],
                                     int ldx)
{
    (void)temp;
    (void)ldt;
    struct rf_task t = {.xs = x};
    return solve_all(h, P, Q, nrhs, ldx, &t);
}

// ---- the factors themselves. M is memory that host and device both read.
cusolverStatus_t solver_RfAccessBundledFactorsDevice(cusolverRfHandle_t h, int *nnz, int **rows, int **cols,
                                                     double **values)
{
    RF_ENTER(h);
    SOLVER_CHECK(h->factored && nnz && rows && cols && values);
    *nnz = h->nnz_m;
    *rows = h->rows;
    *cols = h->cols;
    *values = h->values;
    return CUSOLVER_STATUS_SUCCESS;
}

static void *copied(const void *from, size_t bytes)
{
    void *p = malloc(bytes + 1);
    return p ? memcpy(p, from, bytes) : NULL;
}

// Copies are the program's to free.
cusolverStatus_t solver_RfExtractBundledFactorsHost(cusolverRfHandle_t h, int *nnz, int **rows, int **cols,
                                                    double **values)
{
    RF_ENTER(h);
    SOLVER_CHECK(h->factored && nnz && rows && cols && values);
    *nnz = h->nnz_m;
    *rows = copied(h->rows, ((size_t)h->n + 1) * sizeof(int));
    *cols = copied(h->cols, (size_t)h->nnz_m * sizeof(int));
    *values = copied(h->values, (size_t)h->nnz_m * sizeof(double));
    return *rows && *cols && *values ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

cusolverStatus_t solver_RfExtractSplitFactorsHost(cusolverRfHandle_t h, int *nnzL, int **rowsL, int **colsL, double **L,
                                                  int *nnzU, int **rowsU, int **colsU, double **U)
{
    RF_ENTER(h);
    SOLVER_CHECK(h->factored && nnzL && rowsL && colsL && L && nnzU && rowsU && colsU && U);
    const size_t offsets = ((size_t)h->n + 1) * sizeof(int), most = (size_t)h->nnz_m + (size_t)h->n;
    *rowsL = malloc(offsets);
    *rowsU = malloc(offsets);
    *colsL = malloc(most * sizeof(int));
    *colsU = malloc(most * sizeof(int));
    *L = malloc(most * sizeof(double));
    *U = malloc(most * sizeof(double));
    if (!*rowsL || !*rowsU || !*colsL || !*colsU || !*L || !*U)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    int l = 0, u = 0;
    for (int i = 0; i < h->n; i++) {
        (*rowsL)[i] = l;
        (*rowsU)[i] = u;
        for (int e = h->rows[i]; e < h->rows[i + 1]; e++) {
            const bool lower = e < h->middle[i];
            (lower ? *colsL : *colsU)[lower ? l : u] = h->cols[e];
            (lower ? *L : *U)[lower ? l : u] = h->values[e];
            l += lower;
            u += !lower;
        }
        if (h->diag == CUSOLVERRF_UNIT_DIAGONAL_STORED_L) {
            (*colsL)[l] = i;
            (*L)[l++] = 1;
        }
    }
    (*rowsL)[h->n] = *nnzL = l;
    (*rowsU)[h->n] = *nnzU = u;
    return CUSOLVER_STATUS_SUCCESS;
}
