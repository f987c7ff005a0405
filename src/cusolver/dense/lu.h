// SPDX-License-Identifier: Apache-2.0
// A template of number.h: LU in one type.
// What converts one type is nothing for another: NOLINTBEGIN(readability-redundant-casting)
// Column by column: one stays in the cache for all its exchanges.
void FN(la_laswp)(int64_t n, T *a, int64_t lda, int64_t k1, int64_t k2, const int *pivots, bool back)
{
    for (int64_t j = 0; j < n; j++) {
        T *c = a + j * lda;
        for (int64_t q = k1; q < k2; q++) {
            const int64_t i = back ? k2 - 1 - (q - k1) : q, p = pivots[i] - 1;
            const T t = c[i];
            c[i] = c[p];
            c[p] = t;
        }
    }
}

static int64_t FN(column_lu)(int64_t m, T *a, int *pivots)
{
    int64_t p = 0;
    for (int64_t i = 1; pivots && i < m; i++)
        if (ABS1(a[i]) > ABS1(a[p]))
            p = i;
    if (pivots)
        *pivots = (int)p + 1;
    if (a[p] == (T)0)
        return 1;
    const T d = a[p];
    a[p] = a[0];
    a[0] = d;
    for (int64_t i = 1; i < m; i++)
        a[i] /= d;
    return 0;
}

// The left half, what it changes in the right one, the right half.
static int64_t FN(getrf_own)(int64_t m, int64_t n, T *a, int64_t lda, int *pivots)
{
    if (n == 1)
        return FN(column_lu)(m, a, pivots);
    const int64_t k = la_min(m, n), h = k > 1 ? k / 2 : 1;
    T *right = a + h * lda;
    int64_t info = FN(getrf_own)(m, h, a, lda, pivots);
    if (pivots)
        FN(la_laswp)(n - h, right, lda, 0, h, pivots, false);
    FN(la_trsm)('L', 'L', 'N', 'U', h, n - h, a, lda, right, lda);
    if (m == h)
        return info;
    FN(la_gemm)('N', 'N', m - h, n - h, h, (T)-1, a + h, lda, right, lda, (T)1, right + h, lda);
    const int64_t below = FN(getrf_own)(m - h, n - h, right + h, lda, pivots ? pivots + h : NULL);
    if (pivots) {
        for (int64_t i = h; i < k; i++)
            pivots[i] += (int)h;
        FN(la_laswp)(h, a, lda, h, k, pivots, false);
    }
    return info ? info : below ? below + h : 0;
}

int64_t FN(la_getrf)(int64_t m, int64_t n, T *a, int64_t lda, int *pivots)
{
    const struct FN(lapack) *l = FN(la_lapack)();
    if (m <= 0 || n <= 0)
        return 0;
    if (!l || !pivots || !la_fits(m) || !la_fits(n) || !la_fits(lda))
        return FN(getrf_own)(m, n, a, lda, pivots);
    int info;
    l->getrf(LA_INT(m), LA_INT(n), a, LA_INT(lda), pivots, &info);
    return info;
}
// NOLINTEND(readability-redundant-casting)
