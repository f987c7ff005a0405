// SPDX-License-Identifier: Apache-2.0
// Level 3 and its extensions: every function in every type, all modes, sizes that no tile divides; padding and the other triangle stay
// as they are; results that are not read may be NaN.
#include "blas_test.h"

// A matrix of rows x columns in an array, column by column.
template <class T> struct view {
    array<T> &a;
    int ld;
    size_t index(int i, int j) const
    {
        return (size_t)i + (size_t)j * (size_t)ld;
    }
    X operator()(int i, int j) const
    {
        return a.at(index(i, j));
    }
    X of(cublasOperation_t o, int i, int j) const // element of op(A)
    {
        X v = o == CUBLAS_OP_N ? (*this)(i, j) : (*this)(j, i);
        return o == CUBLAS_OP_C ? std::conj(v) : v;
    }
    void set(int i, int j, X x) const
    {
        a.set(index(i, j), x);
    }
};

template <class T, class A, class B>
static void product(view<T> c, int m, int n, int k, X alpha, X beta, A a, B b, int keep = 0)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            if ((keep == 'U' && i > j) || (keep == 'L' && i < j))
                continue;
            X sum = 0;
            for (int p = 0; p < k; p++)
                sum += a(i, p) * b(p, j);
            c.set(i, j, alpha * sum + (beta == X(0) ? X(0) : beta * c(i, j)));
        }
}

template <class T> static void fill_nan(array<T> &y)
{
    for (T &t : y.host)
        t = nan_number<T>();
    y.push();
}

struct shape {
    int m, n, k;
};

template <class T> static void gemm(cublasHandle_t h, bool device)
{
    const shape SHAPES[] = {{1, 1, 1},     {3, 5, 7},     {16, 16, 16}, {33, 17, 65},
                            {40, 14, 300}, {131, 30, 20}, {5, 200, 3},  {20, 9, 0}};
    for (const shape &s : SHAPES) {
        if (device && s.m * s.n * s.k > 5000)
            continue;
        for (cublasOperation_t oa : OPERATIONS)
            for (cublasOperation_t ob : OPERATIONS)
                for (int kind = 0; kind < 3; kind++) { // beta 0 over NaN; alpha 0, when A may be read; both
                    int ra = oa == CUBLAS_OP_N ? s.m : s.k, ca = oa == CUBLAS_OP_N ? s.k : s.m;
                    int rb = ob == CUBLAS_OP_N ? s.k : s.n, cb = ob == CUBLAS_OP_N ? s.n : s.k;
                    int lda = ra + 3, ldb = rb + 1, ldc = s.m + 2;
                    if (kind == 1 && oa != ob)
                        continue;
                    array<T> a((size_t)lda * (size_t)ca), b((size_t)ldb * (size_t)cb), c((size_t)ldc * (size_t)s.n);
                    T al = kind == 1 ? number<T>::to(X(0)) : random_number<T>(),
                      be = kind ? random_number<T>() : number<T>::to(X(0));
                    if (kind == 0)
                        fill_nan(c);
                    scalar_at<T> alpha(al, device), beta(be, device);
                    if (kind == 2)
                        OK(CALL64(gemm)(h, oa, ob, s.m, s.n, s.k, &alpha, a.dev, lda, b.dev, ldb, &beta, c.dev, ldc));
                    else
                        OK(CALL(gemm)(h, oa, ob, s.m, s.n, s.k, &alpha, a.dev, lda, b.dev, ldb, &beta, c.dev, ldc));
                    view<T> va{a, lda}, vb{b, ldb}, vc{c, ldc};
                    product(
                        vc, s.m, s.n, kind == 1 ? 0 : s.k, number<T>::of(al), number<T>::of(be),
                        [&](int i, int p) { return va.of(oa, i, p); }, [&](int p, int j) { return vb.of(ob, p, j); });
                    CHECK(c.equals(eps<T>() * (s.k + 20)));
                }
    }
}

template <class T> static void symmetric(cublasHandle_t h, bool device)
{
    const shape SHAPES[] = {{4, 3, 0}, {65, 13, 0}, {4, 210, 0}, {270, 4, 0}};
    const bool C = number<T>::is_complex;
    for (const shape &s : SHAPES) {
        if (device && s.m + s.n > 100)
            continue;
        for (cublasSideMode_t side : SIDES)
            for (cublasFillMode_t uplo : FILLS)
                for (int herm = 0; herm <= (C ? 1 : 0); herm++) {
                    bool left = side == CUBLAS_SIDE_LEFT, up = uplo == CUBLAS_FILL_MODE_UPPER;
                    int n = left ? s.m : s.n, lda = n + 1, ldb = s.m + 3, ldc = s.m + 2;
                    array<T> a((size_t)lda * (size_t)n), b((size_t)ldb * (size_t)s.n), c((size_t)ldc * (size_t)s.n);
                    T al = random_number<T>(), be = random_number<T>();
                    scalar_at<T> alpha(al, device), beta(be, device);
                    if constexpr (number<T>::is_complex) {
                        if (herm)
                            OK((pick<T>(0, 0, cublasChemm, cublasZhemm)(h, side, uplo, s.m, s.n, &alpha, a.dev, lda,
                                                                        b.dev, ldb, &beta, c.dev, ldc)));
                    }
                    if (!herm)
                        OK(CALL(symm)(h, side, uplo, s.m, s.n, &alpha, a.dev, lda, b.dev, ldb, &beta, c.dev, ldc));
                    view<T> va{a, lda}, vb{b, ldb}, vc{c, ldc};
                    auto whole = [&](int i, int j) {
                        bool here = up ? i <= j : i >= j;
                        X v = here ? va(i, j) : va(j, i);
                        return !herm ? v : i == j ? X(v.real()) : here ? v : std::conj(v);
                    };
                    if (left)
                        product(vc, s.m, s.n, n, number<T>::of(al), number<T>::of(be), whole, vb);
                    else
                        product(vc, s.m, s.n, n, number<T>::of(al), number<T>::of(be), vb, whole);
                    CHECK(c.equals(eps<T>() * (n + 20)));
                }
    }
}

// syrk, syr2k, syrkx and the Hermitian ones
template <class T> static void ranks(cublasHandle_t h, bool device)
{
    typedef typename number<T>::real R;
    const shape SHAPES[] = {{0, 3, 5}, {0, 30, 33}, {0, 197, 5}, {0, 10, 300}, {0, 9, 0}};
    const bool C = number<T>::is_complex;
    for (const shape &s : SHAPES) {
        if (device && s.n > 50 || s.k > 50)
            continue;
        for (cublasFillMode_t uplo : FILLS)
            for (int trans = 0; trans < 2; trans++)
                for (int herm = 0; herm <= (C ? 1 : 0); herm++)
                    for (int form = 0; form < 3; form++) { // one matrix, two products, one product of two
                        int n = s.n, k = s.k, rows = trans ? k : n, ld = rows + 2, ldc = n + 1;
                        cublasOperation_t o = !trans ? CUBLAS_OP_N : herm ? CUBLAS_OP_C : CUBLAS_OP_T;
                        array<T> a((size_t)ld * (size_t)(trans ? n : k)), b((size_t)ld * (size_t)(trans ? n : k));
                        array<T> c((size_t)ldc * (size_t)n);
                        T al = random_number<T>(), be = random_number<T>();
                        R ra = (R)0.75, rb = (R)-0.5;
                        scalar_at<T> alpha(al, device), beta(be, device);
                        scalar_at<R> realpha(ra, device), rebeta(rb, device);
                        X xa = number<T>::of(al), xb = number<T>::of(be);
                        cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
                        if (!herm) {
                            status =
                                form == 0 ? CALL(syrk)(h, uplo, o, n, k, &alpha, a.dev, ld, &beta, c.dev, ldc)
                                : form == 1
                                    ? CALL(syr2k)(h, uplo, o, n, k, &alpha, a.dev, ld, b.dev, ld, &beta, c.dev, ldc)
                                    : CALL(syrkx)(h, uplo, o, n, k, &alpha, a.dev, ld, b.dev, ld, &beta, c.dev, ldc);
                        } else if constexpr (number<T>::is_complex) {
                            auto herk = pick<T>(0, 0, cublasCherk, cublasZherk);
                            auto her2k = pick<T>(0, 0, cublasCher2k, cublasZher2k);
                            auto herkx = pick<T>(0, 0, cublasCherkx, cublasZherkx);
                            xb = (wide)rb;
                            if (form == 0)
                                xa = (wide)ra;
                            status = form == 0 ? herk(h, uplo, o, n, k, &realpha, a.dev, ld, &rebeta, c.dev, ldc)
                                     : form == 1
                                         ? her2k(h, uplo, o, n, k, &alpha, a.dev, ld, b.dev, ld, &rebeta, c.dev, ldc)
                                         : herkx(h, uplo, o, n, k, &alpha, a.dev, ld, b.dev, ld, &rebeta, c.dev, ldc);
                        }
                        OK(status);
                        view<T> va{a, ld}, vb{b, ld}, vc{c, ldc};
                        auto con = [&](X v) { return herm ? std::conj(v) : v; };
                        auto x = [&](view<T> &v, int i, int p) { return trans ? con(v(p, i)) : v(i, p); };
                        auto y = [&](view<T> &v, int p, int j) { return trans ? v(p, j) : con(v(j, p)); };
                        view<T> &right = form ? vb : va;
                        int keep = uplo == CUBLAS_FILL_MODE_UPPER ? 'U' : 'L';
                        product(
                            vc, n, n, k, xa, xb, [&](int i, int p) { return x(va, i, p); },
                            [&](int p, int j) { return y(right, p, j); }, keep);
                        if (form == 1)
                            product(
                                vc, n, n, k, con(xa), X(1), [&](int i, int p) { return x(vb, i, p); },
                                [&](int p, int j) { return y(va, p, j); }, keep);
                        for (int i = 0; herm && i < n; i++)
                            vc.set(i, i, X(vc(i, i).real()));
                        CHECK(c.equals(eps<T>() * (2 * k + 20)));
                    }
    }
}

template <class T> static void triangular(cublasHandle_t h, bool device)
{
    const shape SHAPES[] = {{3, 4, 0}, {70, 9, 0}, {6, 130, 0}};
    for (const shape &s : SHAPES) {
        if (device && s.m + s.n > 10)
            continue;
        for (cublasSideMode_t side : SIDES)
            for (cublasFillMode_t uplo : FILLS)
                for (cublasOperation_t o : OPERATIONS)
                    for (cublasDiagType_t d : DIAGONALS) {
                        bool left = side == CUBLAS_SIDE_LEFT, up = uplo == CUBLAS_FILL_MODE_UPPER,
                             unit = d == CUBLAS_DIAG_UNIT;
                        int n = left ? s.m : s.n, lda = n + 1, ldb = s.m + 3, ldc = s.m + 2;
                        array<T> a((size_t)lda * (size_t)n), b((size_t)ldb * (size_t)s.n), c((size_t)ldc * (size_t)s.n);
                        view<T> va{a, lda}, vb{b, ldb}, vc{c, ldc};
                        for (int j = 0; j < n; j++)
                            for (int i = 0; i < n; i++)
                                va.set(i, j,
                                       (up ? i > j : i < j) ? X(std::nanl(""))
                                       : i == j             ? (unit ? X(std::nanl("")) : X(2) + va(i, j) * X(0.1L))
                                                            : va(i, j) * X(1.0L / n));
                        a.push();
                        T al = random_number<T>();
                        scalar_at<T> alpha(al, device);
                        auto element = [&](int r, int q) {
                            int i = o == CUBLAS_OP_N ? r : q, j = o == CUBLAS_OP_N ? q : r;
                            return i == j && unit ? X(1) : (up ? i > j : i < j) ? X(0) : op<T>(o, va(i, j));
                        };
                        fill_nan(c);
                        OK(CALL(trmm)(h, side, uplo, o, d, s.m, s.n, &alpha, a.dev, lda, b.dev, ldb, c.dev, ldc));
                        if (left)
                            product(vc, s.m, s.n, n, number<T>::of(al), X(0), element, vb);
                        else
                            product(vc, s.m, s.n, n, number<T>::of(al), X(0), vb, element);
                        CHECK(c.equals(eps<T>() * (n + 20)));
                        // back: X with op(A) X = alpha C is alpha alpha B
                        OK(CALL64(trsm)(h, side, uplo, o, d, s.m, s.n, &alpha, a.dev, lda, c.dev, ldc));
                        for (int j = 0; j < s.n; j++)
                            for (int i = 0; i < s.m; i++)
                                vc.set(i, j, number<T>::of(al) * number<T>::of(al) * vb(i, j));
                        CHECK(c.equals(eps<T>() * 30 * (n + 20)));
                        // in place
                        OK(CALL(trmm)(h, side, uplo, o, d, s.m, s.n, &alpha, a.dev, lda, b.dev, ldb, b.dev, ldb));
                        array<T> e((size_t)ldb * (size_t)s.n);
                        e.host = b.host;
                        view<T> ve{e, ldb};
                        if (left)
                            product(vb, s.m, s.n, n, number<T>::of(al), X(0), element, ve);
                        else
                            product(vb, s.m, s.n, n, number<T>::of(al), X(0), ve, element);
                        CHECK(b.equals(eps<T>() * (n + 20)));
                    }
    }
}

template <class T> static void extensions(cublasHandle_t h, bool device)
{
    const int m = 67, n = 35, lda = 80, ldb = 70, ldc = 69;
    for (cublasOperation_t oa : OPERATIONS)
        for (cublasOperation_t ob : OPERATIONS) {
            array<T> a((size_t)lda * 80), b((size_t)ldb * 70), c((size_t)ldc * n);
            T al = random_number<T>(), be = random_number<T>();
            scalar_at<T> alpha(al, device), beta(be, device), zero(number<T>::to(X(0)), device);
            view<T> va{a, lda}, vb{b, ldb}, vc{c, ldc};
            OK(CALL(geam)(h, oa, ob, m, n, &alpha, a.dev, lda, &beta, b.dev, ldb, c.dev, ldc));
            for (int j = 0; j < n; j++)
                for (int i = 0; i < m; i++)
                    vc.set(i, j, number<T>::of(al) * va.of(oa, i, j) + number<T>::of(be) * vb.of(ob, i, j));
            CHECK(c.equals(eps<T>() * 10));
            OK(CALL(geam)(h, oa, ob, m, n, &alpha, a.dev, lda, &zero, (const T *)nullptr, ldb, c.dev, ldc));
            for (int j = 0; j < n; j++)
                for (int i = 0; i < m; i++)
                    vc.set(i, j, number<T>::of(al) * va.of(oa, i, j));
            CHECK(c.equals(eps<T>() * 10));
        }
    for (cublasSideMode_t side : SIDES)
        for (int inc : {1, 2, -1}) {
            int count = side == CUBLAS_SIDE_LEFT ? m : n;
            array<T> a((size_t)lda * n), x(room(count, inc)), c((size_t)ldc * n);
            view<T> va{a, lda}, vc{c, ldc};
            OK(CALL(dgmm)(h, side, m, n, a.dev, lda, x.dev, inc, c.dev, ldc));
            for (int j = 0; j < n; j++)
                for (int i = 0; i < m; i++)
                    vc.set(i, j, va(i, j) * x.at(place(side == CUBLAS_SIDE_LEFT ? i : j, count, inc)));
            CHECK(c.equals(eps<T>() * 10));
        }
    for (cublasFillMode_t uplo : FILLS) {
        bool up = uplo == CUBLAS_FILL_MODE_UPPER;
        array<T> a((size_t)lda * n), p((size_t)n * (n + 1) / 2), b((size_t)lda * n);
        OK(CALL(trttp)(h, uplo, n, a.dev, lda, p.dev));
        OK(CALL(tpttr)(h, uplo, n, p.dev, b.dev, lda));
        size_t at = 0;
        for (int j = 0; j < n; j++)
            for (int i = up ? 0 : j; i < (up ? j + 1 : n); i++) {
                p.host[at++] = a.host[(size_t)(i + j * lda)];
                b.host[(size_t)(i + j * lda)] = a.host[(size_t)(i + j * lda)];
            }
        CHECK(p.equals(0) && b.equals(0));
    }
}

template <class T> static void all(cublasHandle_t h)
{
    for (int device = 0; device < 2; device++) {
        device_scalars(h, device);
        gemm<T>(h, device);
        symmetric<T>(h, device);
        ranks<T>(h, device);
        triangular<T>(h, device);
        extensions<T>(h, device);
    }
    device_scalars(h, false);
    if constexpr (number<T>::is_complex) {
        auto f = pick<T>(0, 0, cublasCgemm3m, cublasZgemm3m);
        array<T> a(30), b(30), c(36);
        T one = number<T>::to(X(1)), zero = number<T>::to(X(0));
        OK(f(h, CUBLAS_OP_N, CUBLAS_OP_N, 6, 6, 5, &one, a.dev, 6, b.dev, 5, &zero, c.dev, 6));
        view<T> va{a, 6}, vb{b, 5}, vc{c, 6};
        product(vc, 6, 6, 5, X(1), X(0), va, vb);
        CHECK(c.equals(eps<T>() * 40));
    }
}

int main()
{
    cublasHandle_t h;
    OK(cublasCreate(&h));
    all<float>(h);
    all<double>(h);
    all<cuComplex>(h);
    all<cuDoubleComplex>(h);
    OK(cublasDestroy(h));
    return summary();
}
