// SPDX-License-Identifier: Apache-2.0
// A template of number.h: what la.h declares for each type.
// What converts one type is nothing for another: NOLINTBEGIN(readability-redundant-casting)

// ---- LAPACK as it is called from C; NULL: it is not there
struct FN(lapack) {
#define ROUTINE(name, real, complex, ...) void (*name)(__VA_ARGS__);
#include "cusolver/dense/lapack.def"
#undef ROUTINE
};
const struct FN(lapack) * FN(la_lapack)(void); // lapack.c

// ---- numbers
static inline R FN(la_re)(T t)
{
#if COMPLEX
    return (R)creal(t);
#else
    return t;
#endif
}
static inline R FN(la_im)(T t)
{
#if COMPLEX
    return (R)cimag(t);
#else
    return t - t;
#endif
}
static inline R FN(la_abs)(T t)
{
    return (R)hypot((double)FN(la_re)(t), (double)FN(la_im)(t));
}
static inline R FN(la_abs2)(T t)
{
    return FN(la_re)(t) * FN(la_re)(t) + FN(la_im)(t) * FN(la_im)(t);
}
static inline R FN(la_epsilon)(void)
{
    return sizeof(R) == sizeof(float) ? (R)1.1920929e-7 : (R)2.220446049250313e-16;
}

// ---- blas.c: C = alpha op(A) op(B) + beta C; op: N, T or C
void FN(la_gemm)(char ta, char tb, int64_t m, int64_t n, int64_t k, T alpha, const T *a, int64_t lda, const T *b,
                 int64_t ldb, T beta, T *c, int64_t ldc);
// B = op(A)^-1 B, side R: B op(A)^-1
void FN(la_trsm)(char side, char uplo, char trans, char diag, int64_t m, int64_t n, const T *a, int64_t lda, T *b,
                 int64_t ldb);
// B = op(A) B, side R: B op(A)
void FN(la_trmm)(char side, char uplo, char trans, char diag, int64_t m, int64_t n, const T *a, int64_t lda, T *b,
                 int64_t ldb);
// C = C + alpha A A^H on a triangle; trans C: C + alpha A^H A
void FN(la_herk)(char uplo, char trans, int64_t n, int64_t k, R alpha, const T *a, int64_t lda, T *c, int64_t ldc);
void FN(la_copy)(int64_t m, int64_t n, const T *a, int64_t lda, T *b, int64_t ldb);
void FN(la_set)(int64_t m, int64_t n, T off, T diagonal, T *a, int64_t lda);
void FN(la_adjoint)(int64_t m, int64_t n, const T *a, int64_t lda, T *b, int64_t ldb); // B = A^H, A is m x n
void FN(la_mirror)(int64_t n, const T *a, int64_t lda, T *b, int64_t ldb); // order of rows and columns reversed
// A copy of A, its leading dimension *ld, that may be read behind its end: some routines of OpenBLAS 0.3.21 for complex numbers do so. Real
// matrices are given back as they are. la_padded_back brings the copy back.
T *FN(la_padded)(int64_t m, int64_t n, T *a, int64_t lda, int64_t *ld);
void FN(la_padded_back)(int64_t m, int64_t n, const T *copy, int64_t ld, T *a, int64_t lda);
// The other triangle from the stored one, conjugated; the diagonal becomes real.
void FN(la_fill)(char uplo, int64_t n, T *a, int64_t lda);

// ---- lu.c; pivots NULL: none
int64_t FN(la_getrf)(int64_t m, int64_t n, T *a, int64_t lda, int *pivots);
void FN(la_laswp)(int64_t n, T *a, int64_t lda, int64_t k1, int64_t k2, const int *pivots,
                  bool back); // from 0 on, up to k2

// ---- cholesky.c
int64_t FN(la_potrf)(char uplo, int64_t n, T *a, int64_t lda);
int64_t FN(la_trtri)(char uplo, char diag, int64_t n, T *a, int64_t lda);
void FN(la_lauum)(char uplo, int64_t n, T *a, int64_t lda);

// ---- qr.c
T FN(la_larfg)(int64_t n, T *alpha, T *x, int64_t inc); // tau; *alpha becomes real
void FN(la_geqrf)(int64_t m, int64_t n, T *a, int64_t lda, T *tau);
void FN(la_larft)(int64_t n, int64_t k, const T *v, int64_t ldv, const T *tau, T *t, int64_t ldt);
void FN(la_larfb)(char side, char trans, int64_t m, int64_t n, int64_t k, const T *v, int64_t ldv, const T *t,
                  int64_t ldt, T *c, int64_t ldc);
void FN(la_ormqr)(char side, char trans, int64_t m, int64_t n, int64_t k, const T *a, int64_t lda, const T *tau, T *c,
                  int64_t ldc);
void FN(la_orgqr)(int64_t m, int64_t n, int64_t k, T *a, int64_t lda, const T *tau);

// ---- reduce.c
void FN(la_sytrd)(char uplo, int64_t n, T *a, int64_t lda, R *d, R *e, T *tau);
void FN(la_orgtr)(char uplo, int64_t n, T *a, int64_t lda, const T *tau);
void FN(la_ormtr)(char side, char uplo, char trans, int64_t m, int64_t n, const T *a, int64_t lda, const T *tau, T *c,
                  int64_t ldc);
void FN(la_gebrd)(int64_t m, int64_t n, T *a, int64_t lda, R *d, R *e, T *tauq, T *taup); // m >= n
void FN(la_orgbr)(char side, int64_t m, int64_t n, int64_t k, T *a, int64_t lda, const T *tau);

// ---- indefinite.c: A = L D L^T, symmetric also where it is complex; pivots NULL: none
int64_t FN(la_sytrf)(char uplo, int64_t n, T *a, int64_t lda, int *pivots);
void FN(la_sytrs)(char uplo, int64_t n, int64_t nrhs, const T *a, int64_t lda, const int *pivots, T *b, int64_t ldb);
int64_t FN(la_sytri)(char uplo, int64_t n, T *a, int64_t lda, const int *pivots);

// ---- spectral.c: A becomes the vectors where `vectors`. Values of eigenvectors ascend, singular ones descend, where j->sort.
void FN(la_jacobi_eigen)(bool vectors, char uplo, int64_t n, T *a, int64_t lda, R *w, struct la_jacobi *j);
// A = U S V^H, m >= n: A becomes U's first n columns, v (n x n, NULL: not wanted) V.
void FN(la_jacobi_svd)(int64_t m, int64_t n, T *a, int64_t lda, R *s, T *v, int64_t ldv, struct la_jacobi *j);

// ---- spectral.c
int64_t FN(la_syevd)(bool vectors, char uplo, int64_t n, T *a, int64_t lda, R *w);
// A from A and the factors of B: type 1 to 3 as LAPACK's itype, and the vectors of it from those of the result.
void FN(la_sygst)(int type, char uplo, int64_t n, T *a, int64_t lda, const T *b, int64_t ldb);
void FN(la_sygst_back)(int type, char uplo, int64_t n, int64_t vectors, const T *b, int64_t ldb, T *z, int64_t ldz);

// ---- spectral.c: A = U S V^H for any shape; u and v NULL: not wanted. `u` has ucols columns, min(m, n) or m; v has vcols.
// j NULL: by whatever method; A is lost.
struct FN(la_svd) {
    int64_t m, n, lda, ldu, ldv, ucols, vcols;
    T *a, *u, *v;
    R *s;
    struct la_jacobi *j;
};
int64_t FN(la_svd_run)(const struct FN(la_svd) * x);
// LAPACK's gesvd: jobs A, S, O, N; m >= n.
int64_t FN(la_gesvd)(char jobu, char jobvt, int64_t m, int64_t n, T *a, int64_t lda, R *s, T *u, int64_t ldu, T *vt,
                     int64_t ldvt, R *unconverged);

// ---- geev.c: wr and wi, right vectors in LAPACK's form; vr NULL: not wanted
int64_t FN(la_geev)(int64_t n, T *a, int64_t lda, R *wr, R *wi, T *vr, int64_t ldvr);
// NOLINTEND(readability-redundant-casting)
