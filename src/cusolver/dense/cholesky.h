// SPDX-License-Identifier: Apache-2.0
// A template of number.h: Cholesky in one type.
// What converts one type is nothing for another: NOLINTBEGIN(readability-redundant-casting)
static int64_t FN(potrf_small)(char uplo, int64_t n, T *a, int64_t lda)
{
    const int64_t di = uplo == 'L' ? 1 : lda, dj = uplo == 'L' ? lda : 1; // U is L^H: the same with the steps exchanged
    for (int64_t j = 0; j < n; j++) {
        R d = FN(la_re)(a[j + j * lda]);
        for (int64_t p = 0; p < j; p++)
            d -= FN(la_abs2)(a[j * di + p * dj]);
        if (!(d > 0)) {
            a[j + j * lda] = (T)d;
            return j + 1;
        }
        d = (R)sqrt((double)d);
        a[j + j * lda] = (T)d;
        for (int64_t i = j + 1; i < n; i++) {
            T t = a[i * di + j * dj];
            for (int64_t p = 0; p < j; p++)
                t -= a[i * di + p * dj] * CONJ(a[j * di + p * dj]);
            a[i * di + j * dj] = t / d;
        }
    }
    return 0;
}

static int64_t FN(potrf_own)(char uplo, int64_t n, T *a, int64_t lda)
{
    enum { SMALL = 24 };
    if (n <= SMALL)
        return FN(potrf_small)(uplo, n, a, lda);
    const int64_t h = n / 2;
    T *a2 = a + h + h * lda, *off = uplo == 'L' ? a + h : a + h * lda;
    int64_t info = FN(potrf_own)(uplo, h, a, lda);
    if (info)
        return info;
    if (uplo == 'L')
        FN(la_trsm)('R', 'L', 'C', 'N', n - h, h, a, lda, off, lda);
    else
        FN(la_trsm)('L', 'U', 'C', 'N', h, n - h, a, lda, off, lda);
    FN(la_herk)(uplo, uplo == 'L' ? 'N' : 'C', n - h, h, -1, off, lda, a2, lda);
    info = FN(potrf_own)(uplo, n - h, a2, lda);
    return info ? info + h : 0;
}

int64_t FN(la_potrf)(char uplo, int64_t n, T *a, int64_t lda)
{
    const struct FN(lapack) *l = FN(la_lapack)();
    if (n <= 0)
        return 0;
    if (!l || !la_fits(n) || !la_fits(lda))
        return FN(potrf_own)(uplo, n, a, lda);
    int info;
    l->potrf(&uplo, LA_INT(n), a, LA_INT(lda), &info, 1);
    return info;
}

// Halves: off = -A22^-1 off A11^-1, or the other way round, then the triangles themselves.
static void FN(trtri_own)(char uplo, char diag, int64_t n, T *a, int64_t lda)
{
    if (n == 1) {
        if (diag != 'U')
            *a = (T)1 / *a;
        return;
    }
    const int64_t h = n / 2;
    T *a2 = a + h + h * lda, *off = uplo == 'L' ? a + h : a + h * lda;
    const int64_t rows = uplo == 'L' ? n - h : h, cols = n - rows;
    FN(la_trsm)('L', uplo, 'N', diag, rows, cols, uplo == 'L' ? a2 : a, lda, off, lda);
    FN(la_trsm)('R', uplo, 'N', diag, rows, cols, uplo == 'L' ? a : a2, lda, off, lda);
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = 0; i < rows; i++)
            off[i + j * lda] = -off[i + j * lda];
    FN(trtri_own)(uplo, diag, h, a, lda);
    FN(trtri_own)(uplo, diag, n - h, a2, lda);
}

int64_t FN(la_trtri)(char uplo, char diag, int64_t n, T *a, int64_t lda)
{
    const struct FN(lapack) *l = FN(la_lapack)();
    for (int64_t i = 0; diag != 'U' && i < n; i++)
        if (a[i + i * lda] == (T)0)
            return i + 1;
    int info = 0;
    if (n > 0 && l && la_fits(n) && la_fits(lda))
        l->trtri(&uplo, &diag, LA_INT(n), a, LA_INT(lda), &info, 1, 1);
    else if (n > 0)
        FN(trtri_own)(uplo, diag, n, a, lda);
    return info;
}

static void FN(lauum_small)(char uplo, int64_t n, T *a, int64_t lda)
{
    const int64_t di = uplo == 'U' ? 1 : lda, dj = uplo == 'U' ? lda : 1;
    for (int64_t i = 0; i < n; i++) // a row of the result needs rows of the factor from it on
        for (int64_t j = i; j < n; j++) {
            T t = 0;
            for (int64_t p = j; p < n; p++)
                t += a[i * di + p * dj] * CONJ(a[j * di + p * dj]);
            a[i * di + j * dj] = i == j ? REAL(t) : t;
        }
}

// U U^H, or L^H L, by halves.
void FN(la_lauum)(char uplo, int64_t n, T *a, int64_t lda)
{
    enum { SMALL = 24 };
    if (n <= SMALL) {
        FN(lauum_small)(uplo, n, a, lda);
        return;
    }
    const int64_t h = n / 2;
    T *a2 = a + h + h * lda, *off = uplo == 'L' ? a + h : a + h * lda;
    FN(la_lauum)(uplo, h, a, lda);
    FN(la_herk)(uplo, uplo == 'U' ? 'N' : 'C', h, n - h, 1, off, lda, a, lda);
    if (uplo == 'U')
        FN(la_trmm)('R', 'U', 'C', 'N', h, n - h, a2, lda, off, lda);
    else
        FN(la_trmm)('L', 'L', 'C', 'N', n - h, h, a2, lda, off, lda);
    FN(la_lauum)(uplo, n - h, a2, lda);
}
// NOLINTEND(readability-redundant-casting)
