// SPDX-License-Identifier: Apache-2.0
// A template of number.h: eigenvalues of Hermitian matrices in one type.
// What converts one type is nothing for another: NOLINTBEGIN(readability-redundant-casting)
static int64_t FN(syevd_lapack)(const struct FN(lapack) * l, bool vectors, char uplo, int64_t n, T *a, int64_t lda,
                                R *w)
{
    const int mark = la_mark(), liwork = (int)(5 * n + 3);
    const int64_t work = COMPLEX ? n * n + 2 * n + n * 32 : 2 * n * n + 6 * n + 1 + n * 32;
    const int lwork = (int)la_min(work, INT32_MAX);
    T *memory = la_take((size_t)lwork * sizeof(T));
    int *iwork = la_take((size_t)liwork * sizeof(int)), info;
    const char job = vectors ? 'V' : 'N';
    int64_t ld;
    T *copy = FN(la_padded)(n, n, a, lda, &ld);
#if COMPLEX
    const int lrwork = (int)(2 * n * n + 5 * n + 1);
    R *rwork = la_take((size_t)lrwork * sizeof(R));
    l->syevd(&job, &uplo, LA_INT(n), copy, LA_INT(ld), w, memory, &lwork, rwork, &lrwork, iwork, &liwork, &info, 1, 1);
#else
    l->syevd(&job, &uplo, LA_INT(n), copy, LA_INT(ld), w, memory, &lwork, iwork, &liwork, &info, 1, 1);
#endif
    FN(la_padded_back)(n, n, copy, ld, a, lda);
    la_release(mark);
    return info;
}

int64_t FN(la_syevd)(bool vectors, char uplo, int64_t n, T *a, int64_t lda, R *w)
{
    enum { SWEEPS = 60, MOST = 30000 }; // rows: squares of more are no integers of LAPACK's
    const struct FN(lapack) *l = FN(la_lapack)();
    if (n <= 0)
        return 0;
    if (l && n <= MOST && la_fits(lda))
        return FN(syevd_lapack)(l, vectors, uplo, n, a, lda, w);
    struct la_jacobi j = {.most = SWEEPS, .sort = true};
    FN(la_jacobi_eigen)(vectors, uplo, n, a, lda, w, &j);
    return j.converged ? 0 : n + 1;
}

// Type 1: L^-1 A L^-H or U^-H A U^-1; types 2 and 3: L^H A L or U A U^H. The whole matrix is computed, a triangle is stored.
void FN(la_sygst)(int type, char uplo, int64_t n, T *a, int64_t lda, const T *b, int64_t ldb)
{
    const int mark = la_mark();
    T *c = la_take((size_t)(n * n + 1) * sizeof(T));
    const bool lower = uplo == 'L';
    FN(la_copy)(n, n, a, lda, c, n);
    FN(la_fill)(uplo, n, c, n);
    if (type == 1) {
        FN(la_trsm)('L', uplo, lower ? 'N' : 'C', 'N', n, n, b, ldb, c, n);
        FN(la_trsm)('R', uplo, lower ? 'C' : 'N', 'N', n, n, b, ldb, c, n);
    } else {
        FN(la_trmm)('L', uplo, lower ? 'C' : 'N', 'N', n, n, b, ldb, c, n);
        FN(la_trmm)('R', uplo, lower ? 'N' : 'C', 'N', n, n, b, ldb, c, n);
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = lower ? j : 0; i < (lower ? n : j + 1); i++)
            a[i + j * lda] = i == j ? REAL(c[i + j * n]) : c[i + j * n];
    la_release(mark);
}

// Types 1 and 2: x = L^-H y or U^-1 y; type 3: x = L y or U^H y.
void FN(la_sygst_back)(int type, char uplo, int64_t n, int64_t vectors, const T *b, int64_t ldb, T *z, int64_t ldz)
{
    const bool lower = uplo == 'L';
    if (type == 3)
        FN(la_trmm)('L', uplo, lower ? 'N' : 'C', 'N', n, vectors, b, ldb, z, ldz);
    else
        FN(la_trsm)('L', uplo, lower ? 'C' : 'N', 'N', n, vectors, b, ldb, z, ldz);
}
// NOLINTEND(readability-redundant-casting)
