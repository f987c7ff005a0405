// SPDX-License-Identifier: Apache-2.0
// A template of number.h: QR in one type. A block of k reflections is I - V T V^H, V with ones on its diagonal and zeros above.
// What converts one type is nothing for another: NOLINTBEGIN(readability-redundant-casting)
#ifndef HEDDLE_CUSOLVER_QR_BLOCK
#define HEDDLE_CUSOLVER_QR_BLOCK
enum { QR_BLOCK = 32 };
#endif

T FN(la_larfg)(int64_t n, T *alpha, T *x, int64_t inc)
{
    R most = ABS1(*alpha), rest = 0, sum = 0;
    for (int64_t i = 0; i < n - 1; i++)
        rest = ABS1(x[i * inc]) > rest ? ABS1(x[i * inc]) : rest;
    if (!(rest != 0) && FN(la_im)(*alpha) == 0) // NaN goes on
        return (T)0;
    most = rest > most ? rest : most;
    for (int64_t i = 0; i < n - 1; i++)
        sum += FN(la_abs2)(x[i * inc] / most);
    sum += FN(la_abs2)(*alpha / most);
    const R norm = most * (R)sqrt((double)sum), beta = FN(la_re)(*alpha) > 0 ? -norm : norm;
    const T tau = ((T)beta - *alpha) / beta, d = *alpha - (T)beta;
    for (int64_t i = 0; i < n - 1; i++)
        x[i * inc] /= d;
    *alpha = (T)beta;
    return tau;
}

// (I - tau v v^H) C, v[0] = 1
static void FN(reflect_columns)(int64_t m, int64_t n, const T *v, T tau, T *c, int64_t ldc)
{
    for (int64_t j = 0; tau != (T)0 && j < n; j++) {
        T *y = c + j * ldc, sum = y[0];
        for (int64_t i = 1; i < m; i++)
            sum += CONJ(v[i]) * y[i];
        sum *= tau;
        y[0] -= sum;
        for (int64_t i = 1; i < m; i++)
            y[i] -= v[i] * sum;
    }
}

static void FN(geqr2)(int64_t m, int64_t n, T *a, int64_t lda, T *tau)
{
    for (int64_t k = 0; k < la_min(m, n); k++) {
        T *v = a + k + k * lda;
        tau[k] = FN(la_larfg)(m - k, v, v + 1, 1);
        FN(reflect_columns)(m - k, n - k - 1, v, CONJ(tau[k]), v + lda, lda);
    }
}

void FN(la_larft)(int64_t n, int64_t k, const T *v, int64_t ldv, const T *tau, T *t, int64_t ldt)
{
    const struct FN(lapack) *l = FN(la_lapack)();
    if (l && k > 0 && la_fits(n) && la_fits(ldv) && la_fits(ldt)) {
        l->larft("F", "C", LA_INT(n), LA_INT(k), v, LA_INT(ldv), tau, t, LA_INT(ldt), 1, 1);
        return;
    }
    for (int64_t i = 0; i < k; i++) {
        T *ti = t + i * ldt;
        const T *vi = v + i * ldv;
        for (int64_t j = 0; j < i; j++) { // v_j^H v_i
            const T *vj = v + j * ldv;
            T sum = CONJ(vj[i]);
            for (int64_t r = i + 1; r < n; r++)
                sum += CONJ(vj[r]) * vi[r];
            ti[j] = -tau[i] * sum;
        }
        for (int64_t j = 0; j < i; j++) { // row j of the triangle needs what is below it
            T sum = 0;
            for (int64_t p = j; p < i; p++)
                sum += t[j + p * ldt] * ti[p];
            ti[j] = sum;
        }
        ti[i] = tau[i];
    }
}

// C = op(I - V T V^H) C or C op(...), trans N or C.
void FN(la_larfb)(char side, char trans, int64_t m, int64_t n, int64_t k, const T *v, int64_t ldv, const T *t,
                  int64_t ldt, T *c, int64_t ldc)
{
    const int64_t rows = side == 'L' ? m : n, others = side == 'L' ? n : m;
    const int mark = la_mark();
    T *clean = la_take((size_t)(rows * k) * sizeof(T)), *w = la_take((size_t)(others * k) * sizeof(T));
    T *tw = la_take((size_t)(others * k) * sizeof(T)), *tt = la_take((size_t)(k * k) * sizeof(T));
    for (int64_t j = 0; j < k; j++) {
        for (int64_t i = 0; i < rows; i++)
            clean[i + j * rows] = i > j ? v[i + j * ldv] : i == j ? (T)1 : (T)0;
        for (int64_t i = 0; i < k; i++)
            tt[i + j * k] = i <= j ? t[i + j * ldt] : (T)0;
    }
    if (side == 'L') {
        FN(la_gemm)('C', 'N', k, n, m, (T)1, clean, m, c, ldc, (T)0, w, k);
        FN(la_gemm)(trans, 'N', k, n, k, (T)1, tt, k, w, k, (T)0, tw, k);
        FN(la_gemm)('N', 'N', m, n, k, (T)-1, clean, m, tw, k, (T)1, c, ldc);
    } else {
        FN(la_gemm)('N', 'N', m, k, n, (T)1, c, ldc, clean, n, (T)0, w, m);
        FN(la_gemm)('N', trans, m, k, k, (T)1, w, m, tt, k, (T)0, tw, m);
        FN(la_gemm)('N', 'C', m, n, k, (T)-1, tw, m, clean, n, (T)1, c, ldc);
    }
    la_release(mark);
}

static void FN(geqrf_own)(int64_t m, int64_t n, T *a, int64_t lda, T *tau)
{
    T t[QR_BLOCK * QR_BLOCK];
    const int64_t k = la_min(m, n);
    for (int64_t i = 0; i < k; i += QR_BLOCK) {
        const int64_t w = la_min(QR_BLOCK, k - i), right = n - i - w;
        T *v = a + i + i * lda;
        FN(geqr2)(m - i, w, v, lda, tau + i);
        if (right > 0) {
            FN(la_larft)(m - i, w, v, lda, tau + i, t, QR_BLOCK);
            FN(la_larfb)('L', 'C', m - i, right, w, v, lda, t, QR_BLOCK, v + w * lda, lda);
        }
    }
}

void FN(la_geqrf)(int64_t m, int64_t n, T *a, int64_t lda, T *tau)
{
    const struct FN(lapack) *l = FN(la_lapack)();
    if (m <= 0 || n <= 0)
        return;
    if (!l || !la_fits(m) || !la_fits(n * QR_BLOCK) || !la_fits(lda)) {
        FN(geqrf_own)(m, n, a, lda, tau);
        return;
    }
    const int mark = la_mark(), lwork = (int)n * QR_BLOCK;
    int info;
    l->geqrf(LA_INT(m), LA_INT(n), a, LA_INT(lda), tau, la_take((size_t)lwork * sizeof(T)), &lwork, &info);
    la_release(mark);
}

// Q, or its adjoint, is applied block by block: from the first on where its factors come to C in that order.
void FN(la_ormqr)(char side, char trans, int64_t m, int64_t n, int64_t k, const T *a, int64_t lda, const T *tau, T *c,
                  int64_t ldc)
{
    T t[QR_BLOCK * QR_BLOCK];
    const bool left = side == 'L', forward = left != (trans == 'N');
    const char op = trans == 'N' ? 'N' : 'C';
    if (m <= 0 || n <= 0)
        return;
    for (int64_t q = 0, blocks = (k + QR_BLOCK - 1) / QR_BLOCK; q < blocks; q++) {
        const int64_t i = (forward ? q : blocks - 1 - q) * QR_BLOCK, w = la_min(QR_BLOCK, k - i);
        const int64_t rows = (left ? m : n) - i;
        const T *v = a + i + i * lda;
        FN(la_larft)(rows, w, v, lda, tau + i, t, QR_BLOCK);
        FN(la_larfb)(side, op, left ? rows : m, left ? n : rows, w, v, lda, t, QR_BLOCK, left ? c + i : c + i * ldc,
                     ldc);
    }
}

void FN(la_orgqr)(int64_t m, int64_t n, int64_t k, T *a, int64_t lda, const T *tau)
{
    const struct FN(lapack) *l = FN(la_lapack)();
    const int mark = la_mark();
    if (n <= 0)
        return;
    if (l && la_fits(m) && la_fits(n * QR_BLOCK) && la_fits(lda)) {
        const int lwork = (int)n * QR_BLOCK;
        int info;
        l->orgqr(LA_INT(m), LA_INT(n), LA_INT(k), a, LA_INT(lda), tau, la_take((size_t)lwork * sizeof(T)), &lwork,
                 &info);
    } else {
        T *v = la_take((size_t)(m * k + 1) * sizeof(T));
        FN(la_copy)(m, k, a, lda, v, m);
        FN(la_set)(m, n, (T)0, (T)1, a, lda);
        FN(la_ormqr)('L', 'N', m, n, k, v, m, tau, a, lda);
    }
    la_release(mark);
}
// NOLINTEND(readability-redundant-casting)
