// SPDX-License-Identifier: Apache-2.0
// A template of number.h: products and triangular systems of matrices in one type.
// What converts one type is nothing for another: NOLINTBEGIN(readability-redundant-casting)
void FN(la_gemm)(char ta, char tb, int64_t m, int64_t n, int64_t k, T alpha, const T *a, int64_t lda, const T *b,
                 int64_t ldb, T beta, T *c, int64_t ldc)
{
    struct product p = {.m = m, .n = n, .k = k, .a = a, .b = b, .c = c, .lda = lda, .ldb = ldb, .ldc = ldc};
    p.a_transposed = ta != 'N';
    p.a_conjugated = COMPLEX && ta == 'C';
    p.b_transposed = tb != 'N';
    p.b_conjugated = COMPLEX && tb == 'C';
    p.alpha = &alpha;
    p.beta = &beta;
    product_run(NUMBER_CAT(PRODUCT, LETTER), &p);
}

void FN(la_copy)(int64_t m, int64_t n, const T *a, int64_t lda, T *b, int64_t ldb)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++)
            b[i + j * ldb] = a[i + j * lda];
}

void FN(la_set)(int64_t m, int64_t n, T off, T diagonal, T *a, int64_t lda)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++)
            a[i + j * lda] = i == j ? diagonal : off;
}

void FN(la_adjoint)(int64_t m, int64_t n, const T *a, int64_t lda, T *b, int64_t ldb)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++)
            b[j + i * ldb] = CONJ(a[i + j * lda]);
}

void FN(la_mirror)(int64_t n, const T *a, int64_t lda, T *b, int64_t ldb)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            b[i + j * ldb] = a[(n - 1 - i) + (n - 1 - j) * lda];
}

void FN(la_fill)(char uplo, int64_t n, T *a, int64_t lda)
{
    for (int64_t j = 0; j < n; j++) {
        a[j + j * lda] = REAL(a[j + j * lda]);
        for (int64_t i = j + 1; i < n; i++)
            if (uplo == 'L')
                a[j + i * lda] = CONJ(a[i + j * lda]);
            else
                a[i + j * lda] = CONJ(a[j + i * lda]);
    }
}

T *FN(la_padded)(int64_t m, int64_t n, T *a, int64_t lda, int64_t *ld)
{
    enum { COLUMNS = 8, BYTES = 4096 };
    *ld = COMPLEX ? m : lda;
    if (!COMPLEX)
        return a;
    T *copy = la_take((size_t)(m * (n + COLUMNS)) * sizeof(T) + BYTES);
    FN(la_copy)(m, n, a, lda, copy, m);
    FN(la_set)(m, COLUMNS, (T)0, (T)0, copy + m * n, m);
    return copy;
}

void FN(la_padded_back)(int64_t m, int64_t n, const T *copy, int64_t ld, T *a, int64_t lda)
{
    if (copy != a)
        FN(la_copy)(m, n, copy, ld, a, lda);
}

// An element of op(A).
static inline T FN(at)(const T *a, int64_t lda, char trans, int64_t i, int64_t j)
{
    return trans == 'N' ? a[i + j * lda] : trans == 'T' ? a[j + i * lda] : CONJ(a[j + i * lda]);
}

// Few unknowns: row after row, or column after column, of op(A), which is lower where `forward`.
static void FN(trsm_small)(char side, char trans, char diag, bool forward, int64_t m, int64_t n, const T *a,
                           int64_t lda, T *b, int64_t ldb)
{
    const int64_t k = side == 'L' ? m : n;
    for (int64_t q = 0; q < k; q++) {
        const int64_t i = forward ? q : k - 1 - q, first = forward ? 0 : i + 1, last = forward ? i : k;
        const T d = diag == 'U' ? (T)1 : FN(at)(a, lda, trans, i, i);
        if (side == 'L')
            for (int64_t j = 0; j < n; j++) {
                T t = b[i + j * ldb];
                for (int64_t p = first; p < last; p++)
                    t -= FN(at)(a, lda, trans, i, p) * b[p + j * ldb];
                b[i + j * ldb] = t / d;
            }
        else {
            for (int64_t p = first; p < last; p++) {
                const T t = FN(at)(a, lda, trans, p, i);
                for (int64_t r = 0; r < m; r++)
                    b[r + i * ldb] -= b[r + p * ldb] * t;
            }
            for (int64_t r = 0; r < m; r++)
                b[r + i * ldb] /= d;
        }
    }
}

// Halves: the unknowns that depend on no others, what they change in the rest, the rest.
static void FN(trsm_own)(char side, char uplo, char trans, char diag, int64_t m, int64_t n, const T *a, int64_t lda,
                         T *b, int64_t ldb)
{
    enum { SMALL = 24 };
    const bool left = side == 'L', lower = (uplo == 'L') == (trans == 'N'), forward = lower == left;
    const int64_t k = left ? m : n;
    if (k <= SMALL) {
        FN(trsm_small)(side, trans, diag, forward, m, n, a, lda, b, ldb);
        return;
    }
    const int64_t h = k / 2;
    const T *a1 = a, *a2 = a + h + h * lda, *off = uplo == 'L' ? a + h : a + h * lda;
    T *b1 = b, *b2 = left ? b + h : b + h * ldb;
    const T *x1 = forward ? a1 : a2, *x2 = forward ? a2 : a1;
    T *y1 = forward ? b1 : b2, *y2 = forward ? b2 : b1;
    const int64_t k1 = forward ? h : k - h, k2 = k - k1;
    if (left) {
        FN(trsm_own)(side, uplo, trans, diag, k1, n, x1, lda, y1, ldb);
        FN(la_gemm)(trans, 'N', k2, n, k1, (T)-1, off, lda, y1, ldb, (T)1, y2, ldb);
        FN(trsm_own)(side, uplo, trans, diag, k2, n, x2, lda, y2, ldb);
    } else {
        FN(trsm_own)(side, uplo, trans, diag, m, k1, x1, lda, y1, ldb);
        FN(la_gemm)('N', trans, m, k2, k1, (T)-1, y1, ldb, off, lda, (T)1, y2, ldb);
        FN(trsm_own)(side, uplo, trans, diag, m, k2, x2, lda, y2, ldb);
    }
}

void FN(la_trsm)(char side, char uplo, char trans, char diag, int64_t m, int64_t n, const T *a, int64_t lda, T *b,
                 int64_t ldb)
{
    const struct FN(lapack) *l = FN(la_lapack)();
    const T one = 1;
    if (m <= 0 || n <= 0)
        return;
    if (l && la_fits(m) && la_fits(n) && la_fits(lda) && la_fits(ldb))
        l->trsm(&side, &uplo, LA_CHAR(!COMPLEX && trans == 'C' ? 'T' : trans), &diag, LA_INT(m), LA_INT(n), &one, a,
                LA_INT(lda), b, LA_INT(ldb), 1, 1, 1, 1);
    else
        FN(trsm_own)(side, uplo, trans, diag, m, n, a, lda, b, ldb);
}

// The triangle is copied with zeros beside it.
void FN(la_trmm)(char side, char uplo, char trans, char diag, int64_t m, int64_t n, const T *a, int64_t lda, T *b,
                 int64_t ldb)
{
    const int64_t k = side == 'L' ? m : n;
    const int mark = la_mark();
    T *t = la_take((size_t)(k * k) * sizeof(T)), *c = la_take((size_t)(m * n) * sizeof(T));
    for (int64_t j = 0; j < k; j++)
        for (int64_t i = 0; i < k; i++) {
            bool in = uplo == 'L' ? i >= j : i <= j;
            t[i + j * k] = !in ? (T)0 : i == j && diag == 'U' ? (T)1 : a[i + j * lda];
        }
    if (side == 'L')
        FN(la_gemm)(trans, 'N', m, n, k, (T)1, t, k, b, ldb, (T)0, c, m);
    else
        FN(la_gemm)('N', trans, m, n, k, (T)1, b, ldb, t, k, (T)0, c, m);
    FN(la_copy)(m, n, c, m, b, ldb);
    la_release(mark);
}

// A block on the diagonal is computed whole beside it.
enum { FN(BLOCK) = 40 };
static void FN(herk_block)(char uplo, char trans, int64_t n, int64_t k, R alpha, const T *a, int64_t lda, T *c,
                           int64_t ldc)
{
    T square[FN(BLOCK) * FN(BLOCK)];
    FN(la_gemm)(trans, trans == 'N' ? 'C' : 'N', n, n, k, (T)alpha, a, lda, a, lda, (T)0, square, n);
    for (int64_t q = 0; q < n; q++)
        for (int64_t p = 0; p < n; p++) {
            T *t = c + p + q * ldc;
            if (p == q)
                *t = REAL(*t) + REAL(square[p + q * n]);
            else if (uplo == 'L' ? p > q : p < q)
                *t += square[p + q * n];
        }
}

// Halves: what is off the diagonal is a product.
void FN(la_herk)(char uplo, char trans, int64_t n, int64_t k, R alpha, const T *a, int64_t lda, T *c, int64_t ldc)
{
    if (n <= FN(BLOCK)) {
        FN(herk_block)(uplo, trans, n, k, alpha, a, lda, c, ldc);
        return;
    }
    const char other = trans == 'N' ? 'C' : 'N';
    const int64_t blocks = (n + FN(BLOCK) - 1) / FN(BLOCK), h = blocks / 2 * FN(BLOCK), rest = n - h;
    const T *second = a + h * (trans == 'N' ? 1 : lda);
    FN(la_herk)(uplo, trans, h, k, alpha, a, lda, c, ldc);
    if (uplo == 'L')
        FN(la_gemm)(trans, other, rest, h, k, (T)alpha, second, lda, a, lda, (T)1, c + h, ldc);
    else
        FN(la_gemm)(trans, other, h, rest, k, (T)alpha, a, lda, second, lda, (T)1, c + h * ldc, ldc);
    FN(la_herk)(uplo, trans, rest, k, alpha, second, lda, c + h + h * ldc, ldc);
}
// NOLINTEND(readability-redundant-casting)
