// SPDX-License-Identifier: Apache-2.0
// A template of number.h: general eigenvalues in one type.
// What converts one type is nothing for another: NOLINTBEGIN(readability-redundant-casting)
#if !COMPLEX
// Real matrices have values in pairs w, conj w, one after the other, and vectors as real and imaginary part: the value with its partner is
// made exactly that.
static void FN(pair_up)(int64_t n, double _Complex *w, double _Complex *v)
{
    double scale = 0;
    for (int64_t i = 0; i < n; i++)
        scale = fmax(scale, cabs(w[i]));
    for (int64_t i = 0; i < n; i++) {
        if (fabs(cimag(w[i])) <= 1e-13 * (double)n * scale) {
            w[i] = creal(w[i]);
            continue;
        }
        int64_t best = i + 1;
        for (int64_t k = i + 1; k < n; k++)
            if (cabs(w[k] - conj(w[i])) < cabs(w[best] - conj(w[i])))
                best = k;
        if (best >= n)
            break;
        const double _Complex other = w[i + 1];
        w[i] = creal(w[i]) + fabs(cimag(w[i])) * __builtin_complex(0.0, 1.0);
        const bool first_up = cimag(w[best]) < 0;
        w[best] = other;
        w[i + 1] = conj(w[i]);
        for (int64_t r = 0; v && r < n; r++) {
            const double _Complex mine = first_up ? v[r + i * n] : v[r + best * n], moved = v[r + (i + 1) * n];
            v[r + best * n] = moved;
            v[r + i * n] = mine;
            v[r + (i + 1) * n] = conj(mine);
        }
        i++;
    }
}
#endif

// A vector of a real value is real but for a phase.
static void FN(store_vector)(int64_t n, const double _Complex *w, const double _Complex *v, int64_t k, T *vr,
                             int64_t ldvr)
{
#if COMPLEX
    (void)w;
    for (int64_t i = 0; i < n; i++)
        vr[i + k * ldvr] = (T)v[i + k * n];
#else
    if (cimag(w[k]) < 0) { // stored with its partner
        for (int64_t i = 0; i < n; i++)
            vr[i + k * ldvr] = (T)cimag(v[i + (k - 1) * n]);
        return;
    }
    double _Complex phase = 1;
    double most = 0;
    for (int64_t i = 0; cimag(w[k]) == 0 && i < n; i++)
        if (cabs(v[i + k * n]) > most) {
            most = cabs(v[i + k * n]);
            phase = conj(v[i + k * n]) / most;
        }
    for (int64_t i = 0; i < n; i++)
        vr[i + k * ldvr] = (T)creal(v[i + k * n] * phase);
#endif
}

static int64_t FN(geev_own)(int64_t n, T *a, int64_t lda, R *wr, R *wi, T *vr, int64_t ldvr)
{
    struct schur x = {.n = n};
    const size_t bytes = (size_t)(n * n) * sizeof(number);
    x.h = la_take(bytes);
    x.z = la_take(bytes);
    number *v = vr ? la_take(bytes) : NULL, *w = la_take((size_t)n * sizeof(number));
    number *y = la_take((size_t)n * sizeof(number));
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            x.h[i + j * n] = a[i + j * lda];
    const int64_t info = schur_form(&x);
    for (int64_t i = 0; i < n; i++)
        w[i] = x.h[i + i * n];
    for (int64_t k = 0; v && !info && k < n; k++)
        eigenvector(&x, k, y, v + k * n);
#if !COMPLEX
    if (!info)
        FN(pair_up)(n, w, v);
#endif
    for (int64_t k = 0; k < n; k++) {
        wr[k] = (R)creal(w[k]);
        wi[k] = (R)cimag(w[k]);
    }
    for (int64_t k = 0; v && !info && k < n; k++)
        FN(store_vector)(n, w, v, k, vr, ldvr);
    return info;
}

int64_t FN(la_geev)(int64_t n, T *a, int64_t lda, R *wr, R *wi, T *vr, int64_t ldvr)
{
    const struct FN(lapack) *l = FN(la_lapack)();
    const int mark = la_mark();
    if (n <= 0)
        return 0;
    if (!l || !la_fits(n * 64) || !la_fits(lda) || !la_fits(ldvr)) {
        const int64_t found = FN(geev_own)(n, a, lda, wr, wi, vr, ldvr);
        la_release(mark);
        return found;
    }
    const int lwork = (int)n * 64;
    const char job = vr ? 'V' : 'N';
    T *work = la_take((size_t)lwork * sizeof(T));
    int info;
#if COMPLEX
    T *w = la_take((size_t)n * sizeof(T));
    l->geev("N", &job, LA_INT(n), a, LA_INT(lda), w, work, LA_INT(n), vr, LA_INT(la_max(ldvr, n)), work, &lwork,
            la_take((size_t)(2 * n) * sizeof(R)), &info, 1, 1);
    for (int64_t i = 0; i < n; i++) {
        wr[i] = FN(la_re)(w[i]);
        wi[i] = FN(la_im)(w[i]);
    }
#else
    l->geev("N", &job, LA_INT(n), a, LA_INT(lda), wr, wi, work, LA_INT(n), vr, LA_INT(la_max(ldvr, n)), work, &lwork,
            &info, 1, 1);
#endif
    la_release(mark);
    return info;
}
// NOLINTEND(readability-redundant-casting)
