// SPDX-License-Identifier: Apache-2.0
// A template of number.h: symmetric indefinite matrices in one type. An upper triangle is the mirror image of a lower one, pivots too.
// What converts one type is nothing for another: NOLINTBEGIN(readability-redundant-casting)

static void FN(exchange_both)(int64_t n, int64_t k, int64_t p, T *a, int64_t lda)
{
    // rows and columns k < p of the triangle from column k on
#define SWAP(x, y)                                                                                                     \
    do {                                                                                                               \
        const T t_ = (x);                                                                                              \
        (x) = (y);                                                                                                     \
        (y) = t_;                                                                                                      \
    } while (0)
    for (int64_t i = p + 1; i < n; i++)
        SWAP(a[i + k * lda], a[i + p * lda]);
    for (int64_t i = k + 1; i < p; i++)
        SWAP(a[i + k * lda], a[p + i * lda]);
    SWAP(a[k + k * lda], a[p + p * lda]);
}

// Which row is the pivot of column k, and whether two columns are taken (*two).
static int64_t FN(choose)(int64_t n, int64_t k, const T *a, int64_t lda, bool *two)
{
    const R alpha = (R)0.6403882032022076; // (1 + sqrt 17) / 8
    const R diagonal = ABS1(a[k + k * lda]);
    R most = 0, row = 0;
    int64_t p = k;
    *two = false;
    for (int64_t i = k + 1; i < n; i++)
        if (ABS1(a[i + k * lda]) > most) {
            most = ABS1(a[i + k * lda]);
            p = i;
        }
    if (diagonal >= alpha * most)
        return k;
    for (int64_t j = k; j < p; j++)
        row = ABS1(a[p + j * lda]) > row ? ABS1(a[p + j * lda]) : row;
    for (int64_t i = p + 1; i < n; i++)
        row = ABS1(a[i + p * lda]) > row ? ABS1(a[i + p * lda]) : row;
    if (diagonal >= alpha * most * (most / row))
        return k;
    *two = ABS1(a[p + p * lda]) < alpha * row;
    return p;
}

static void FN(step_one)(int64_t n, int64_t k, T *a, int64_t lda)
{
    const T d = (T)1 / a[k + k * lda];
    for (int64_t j = k + 1; j < n; j++) {
        const T t = a[j + k * lda] * d;
        for (int64_t i = j; i < n; i++)
            a[i + j * lda] -= a[i + k * lda] * t;
    }
    for (int64_t i = k + 1; i < n; i++)
        a[i + k * lda] *= d;
}

static void FN(step_two)(int64_t n, int64_t k, T *a, int64_t lda)
{
    const T d21 = a[(k + 1) + k * lda], d11 = a[(k + 1) + (k + 1) * lda] / d21, d22 = a[k + k * lda] / d21;
    const T t = (T)1 / (d11 * d22 - (T)1) / d21;
    for (int64_t j = k + 2; j < n; j++) {
        const T w0 = t * (d11 * a[j + k * lda] - a[j + (k + 1) * lda]);
        const T w1 = t * (d22 * a[j + (k + 1) * lda] - a[j + k * lda]);
        for (int64_t i = j; i < n; i++)
            a[i + j * lda] -= a[i + k * lda] * w0 + a[i + (k + 1) * lda] * w1;
        a[j + k * lda] = w0;
        a[j + (k + 1) * lda] = w1;
    }
}

static int64_t FN(sytrf_lower)(int64_t n, T *a, int64_t lda, int *pivots)
{
    int64_t info = 0;
    for (int64_t k = 0, width; k < n; k += width) {
        bool two = false;
        int64_t p = pivots ? FN(choose)(n, k, a, lda, &two) : k;
        width = two ? 2 : 1;
        bool zero = !two && a[p + p * lda] == (T)0;
        if (zero && !info)
            info = k + 1;
        const int64_t at = k + width - 1; // the row that the pivot's becomes
        if (p != at) {
            FN(exchange_both)(n, at, p, a, lda);
            if (two)
                SWAP(a[(k + 1) + k * lda], a[p + k * lda]);
        }
        if (two)
            FN(step_two)(n, k, a, lda);
        else if (!zero)
            FN(step_one)(n, k, a, lda);
        for (int64_t i = 0; pivots && i < width; i++)
            pivots[k + i] = two ? -(int)(p + 1) : (int)(p + 1);
    }
    return info;
}

// Pivots of the mirror image: counted from the other end, in reversed order.
static void FN(mirror_pivots)(int64_t n, const int *from, int *to)
{
    for (int64_t i = 0; i < n; i++) {
        const int p = from[n - 1 - i];
        to[i] = p > 0 ? (int)n + 1 - p : -((int)n + 1 + p);
    }
}

int64_t FN(la_sytrf)(char uplo, int64_t n, T *a, int64_t lda, int *pivots)
{
    enum { BLOCK = 64 };
    const struct FN(lapack) *l = FN(la_lapack)();
    const int mark = la_mark();
    int64_t info = 0;
    if (n <= 0)
        return 0;
    if (l && pivots && la_fits(n * BLOCK) && la_fits(lda)) {
        const int lwork = (int)n * BLOCK;
        int result;
        l->sytrf(&uplo, LA_INT(n), a, LA_INT(lda), pivots, la_take((size_t)lwork * sizeof(T)), &lwork, &result, 1);
        info = result;
    } else if (uplo == 'L') {
        info = FN(sytrf_lower)(n, a, lda, pivots);
    } else {
        T *b = la_take((size_t)(n * n) * sizeof(T));
        int *p = la_take((size_t)n * sizeof(int));
        FN(la_mirror)(n, a, lda, b, n);
        info = FN(sytrf_lower)(n, b, n, pivots ? p : NULL);
        info = info ? n + 1 - info : 0;
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i <= j; i++)
                a[i + j * lda] = b[(n - 1 - i) + (n - 1 - j) * n];
        if (pivots)
            FN(mirror_pivots)(n, p, pivots);
    }
    la_release(mark);
    return info;
}

static void FN(swap_rows)(int64_t nrhs, T *b, int64_t ldb, int64_t i, int64_t p)
{
    for (int64_t j = 0; i != p && j < nrhs; j++)
        SWAP(b[i + j * ldb], b[p + j * ldb]);
}

// L z = b and D y = z, from the first block on; then L^T x = y, from the last one on.
static void FN(sytrs_lower)(int64_t n, int64_t nrhs, const T *a, int64_t lda, const int *pivots, T *b, int64_t ldb)
{
    for (int64_t k = 0, width; k < n; k += width) {
        const bool two = pivots && pivots[k] < 0;
        width = two ? 2 : 1;
        if (pivots)
            FN(swap_rows)(nrhs, b, ldb, k + width - 1, (two ? -pivots[k] : pivots[k]) - 1);
        for (int64_t j = 0; j < nrhs; j++) {
            T *x = b + j * ldb, x0 = x[k], x1 = two ? x[k + 1] : (T)0;
            for (int64_t i = k + width; i < n; i++)
                x[i] -= a[i + k * lda] * x0 + (two ? a[i + (k + 1) * lda] * x1 : (T)0);
            if (two) {
                const T d21 = a[(k + 1) + k * lda], d0 = a[k + k * lda] / d21, d1 = a[(k + 1) + (k + 1) * lda] / d21;
                const T det = d0 * d1 - (T)1;
                x[k] = (d1 * (x0 / d21) - x1 / d21) / det;
                x[k + 1] = (d0 * (x1 / d21) - x0 / d21) / det;
            } else {
                x[k] /= a[k + k * lda];
            }
        }
    }
    for (int64_t k = n - 1; k >= 0;) {
        const bool two = pivots && pivots[k] < 0;
        const int64_t first = two ? k - 1 : k;
        for (int64_t j = 0; j < nrhs; j++)
            for (int64_t c = first; c <= k; c++)
                for (int64_t i = k + 1; i < n; i++)
                    b[c + j * ldb] -= a[i + c * lda] * b[i + j * ldb];
        if (pivots)
            FN(swap_rows)(nrhs, b, ldb, k, (two ? -pivots[k] : pivots[k]) - 1);
        k = first - 1;
    }
}

void FN(la_sytrs)(char uplo, int64_t n, int64_t nrhs, const T *a, int64_t lda, const int *pivots, T *b, int64_t ldb)
{
    const int mark = la_mark();
    if (uplo == 'L') {
        FN(sytrs_lower)(n, nrhs, a, lda, pivots, b, ldb);
        return;
    }
    T *c = la_take((size_t)(n * n) * sizeof(T));
    int *p = la_take((size_t)n * sizeof(int));
    FN(la_mirror)(n, a, lda, c, n);
    if (pivots)
        FN(mirror_pivots)(n, pivots, p);
    for (int64_t j = 0; j < nrhs; j++)
        for (int64_t i = 0; i < n / 2; i++)
            SWAP(b[i + j * ldb], b[n - 1 - i + j * ldb]);
    FN(sytrs_lower)(n, nrhs, c, n, pivots ? p : NULL, b, ldb);
    for (int64_t j = 0; j < nrhs; j++)
        for (int64_t i = 0; i < n / 2; i++)
            SWAP(b[i + j * ldb], b[n - 1 - i + j * ldb]);
    la_release(mark);
}

int64_t FN(la_sytri)(char uplo, int64_t n, T *a, int64_t lda, const int *pivots)
{
    const int mark = la_mark();
    for (int64_t i = 0; i < n; i++)
        if ((!pivots || pivots[i] > 0) && a[i + i * lda] == (T)0)
            return i + 1;
    T *x = la_take((size_t)(n * n + 1) * sizeof(T));
    FN(la_set)(n, n, (T)0, (T)1, x, n);
    FN(la_sytrs)(uplo, n, n, a, lda, pivots, x, n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            if (uplo == 'L' ? i >= j : i <= j)
                a[i + j * lda] = x[i + j * n];
    la_release(mark);
    return 0;
}
#undef SWAP
// NOLINTEND(readability-redundant-casting)
