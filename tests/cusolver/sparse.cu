// SPDX-License-Identifier: Apache-2.0
// Sparse systems by LU, QR and Cholesky, with every order; least squares, eigenvalues, patterns, factors step by step, factors anew.
#include "solver_test.h"
#include <cusolverRf.h>
#include <cusolverSp.h>
#include <cusolverSp_LOWLEVEL_PREVIEW.h>

static cusolverSpHandle_t h;
static cusparseMatDescr_t descr, descr_one;
#define SP(name) pick<T>(cusolverSpS##name, cusolverSpD##name, cusolverSpC##name, cusolverSpZ##name)

template <class T> struct csr {
    int m, n, nnz = 0;
    std::vector<int> rows, cols;
    std::vector<T> values;
    csr(const matrix &a, int base) : m((int)a.m), n((int)a.n)
    {
        for (int i = 0; i < m; i++) {
            rows.push_back(nnz + base);
            for (int j = 0; j < n; j++)
                if (a(i, j) != X(0, 0)) {
                    cols.push_back(j + base);
                    values.push_back(number<T>::to(a(i, j)));
                    nnz++;
                }
        }
        rows.push_back(nnz + base);
    }
};
// A grid of side x side points, each coupled with its neighbours; `skew` makes it not symmetric.
template <class T> static matrix grid(int side, double diagonal, bool skew)
{
    const int n = side * side;
    matrix a(n, n);
    for (int i = 0; i < n; i++) {
        a(i, i) = diagonal;
        const int around[] = {i % side ? i - 1 : -1, i % side < side - 1 ? i + 1 : -1, i - side,
                              i + side < n ? i + side : -1};
        for (int j : around)
            if (j >= 0) {
                a(i, j) = -1;
                if (number<T>::is_complex)
                    a(i, j) = X(-1, i < j ? 0.25 : -0.25);
                if (skew && i < j)
                    a(i, j) *= 1.5;
            }
    }
    return a;
}
template <class T> static std::vector<T> vector_of(const matrix &x)
{
    std::vector<T> v;
    for (X e : x.e)
        v.push_back(number<T>::to(e));
    return v;
}
template <class T> static matrix matrix_of(const std::vector<T> &v)
{
    matrix r((int64_t)v.size(), 1);
    for (size_t i = 0; i < v.size(); i++)
        r.e[i] = number<T>::of(v[i]);
    return r;
}

template <class T> static void systems(int side)
{
    const matrix hermitian = grid<T>(side, 4.5, false), general = grid<T>(side, 3.0, true);
    const int n = side * side;
    const double units = 3000;
    for (int base = 0; base < 2; base++)
        for (int reorder = 0; reorder < 4; reorder++) {
            const cusparseMatDescr_t d = base ? descr_one : descr;
            const csr<T> p(hermitian, base), g(general, base);
            const matrix x = random_matrix<T>(n, 1);
            std::vector<T> bp = vector_of<T>(hermitian * x), bg = vector_of<T>(general * x), out((size_t)n);
            int singular = 77;
            OK(SP(csrlsvcholHost)(h, n, p.nnz, d, p.values.data(), p.rows.data(), p.cols.data(), bp.data(), 0, reorder,
                                  out.data(), &singular));
            CHECK(singular == -1 && close<T>(matrix_of(out), x, units));
            OK(SP(csrlsvluHost)(h, n, g.nnz, d, g.values.data(), g.rows.data(), g.cols.data(), bg.data(), 0, reorder,
                                out.data(), &singular));
            CHECK(singular == -1 && close<T>(matrix_of(out), x, units));
            OK(SP(csrlsvqrHost)(h, n, g.nnz, d, g.values.data(), g.rows.data(), g.cols.data(), bg.data(), 0, reorder,
                                out.data(), &singular));
            CHECK(singular == -1 && close<T>(matrix_of(out), x, units));
            array<T> pv(p.values), gv(g.values), dbp(bp), dbg(bg), result((size_t)n);
            array<int> pr(p.rows), pc(p.cols), gr(g.rows), gc(g.cols);
            OK(SP(csrlsvchol)(h, n, p.nnz, d, pv.dev, pr.dev, pc.dev, dbp.dev, 0, reorder, result.dev, &singular));
            CHECK(singular == -1 && close<T>(matrix_of(result.get()), x, units));
            OK(SP(csrlsvqr)(h, n, g.nnz, d, gv.dev, gr.dev, gc.dev, dbg.dev, 0, reorder, result.dev, &singular));
            CHECK(singular == -1 && close<T>(matrix_of(result.get()), x, units));
        }
    // singular and not positive
    matrix bad = matrix::unit(5);
    bad(3, 3) = 0;
    bad(3, 2) = 1;
    const csr<T> s(bad, 0);
    std::vector<T> b(5, number<T>::to(1)), out(5);
    int singular = 77;
    OK(SP(csrlsvqrHost)(h, 5, s.nnz, descr, s.values.data(), s.rows.data(), s.cols.data(), b.data(), 1e-6f, 0,
                        out.data(), &singular));
    CHECK(singular == 3);
    bad = matrix::unit(5);
    bad(2, 2) = -1;
    const csr<T> t(bad, 0);
    OK(SP(csrlsvcholHost)(h, 5, t.nnz, descr, t.values.data(), t.rows.data(), t.cols.data(), b.data(), 0, 0, out.data(),
                          &singular));
    CHECK(singular == 2);
    WANT(SP(csrlsvqrHost)(h, -1, 1, descr, t.values.data(), t.rows.data(), t.cols.data(), b.data(), 0, 0, out.data(),
                          &singular),
         CUSOLVER_STATUS_INVALID_VALUE);
    WANT(SP(csrlsvqrHost)(nullptr, 5, 5, descr, t.values.data(), t.rows.data(), t.cols.data(), b.data(), 0, 0,
                          out.data(), &singular),
         CUSOLVER_STATUS_NOT_INITIALIZED);
}

template <class T> static void least_squares()
{
    typedef typename number<T>::real R;
    matrix a = random_matrix<T>(30, 12);
    for (int j = 0; j < 12; j++)
        for (int i = 0; i < 30; i++)
            if ((i * 7 + j * 3) % 4)
                a(i, j) = 0;
    for (int j = 0; j < 12; j++)
        a(j, j) += 3;
    const csr<T> s(a, 0);
    const matrix right = random_matrix<T>(30, 1);
    std::vector<T> b = vector_of<T>(right), x(12);
    std::vector<int> p(12);
    int rank = 0;
    R norm = 0;
    OK(SP(csrlsqvqrHost)(h, 30, 12, s.nnz, descr, s.values.data(), s.rows.data(), s.cols.data(), b.data(), (R)1e-6,
                         &rank, x.data(), p.data(), &norm));
    const matrix rest = right - a * matrix_of(x);
    CHECK(rank == 12 && (a.adjoint() * rest).norm() <= 300 * eps<T>() * a.norm() * right.norm());
    CHECK(std::abs(rest.norm() - (double)norm) <= 300 * eps<T>() * right.norm());
    std::vector<bool> seen(12);
    for (int i : p)
        seen[(size_t)i] = true;
    CHECK(std::count(seen.begin(), seen.end(), true) == 12);
}

template <class T> static void eigenvalues()
{
    typedef typename number<T>::real R;
    matrix a(6, 6); // values 1 ... 6 with a triangle above
    for (int i = 0; i < 6; i++) {
        a(i, i) = i + 1;
        for (int j = i + 1; j < 6; j++)
            a(i, j) = 0.25;
    }
    const csr<T> s(a, 0);
    std::vector<T> x0(6, number<T>::to(1)), x(6);
    T mu, shift = number<T>::to(3.2);
    OK(SP(csreigvsiHost)(h, 6, s.nnz, descr, s.values.data(), s.rows.data(), s.cols.data(), shift, x0.data(), 100,
                         (R)(100 * eps<T>()), &mu, x.data()));
    CHECK(std::abs(number<T>::of(mu) - X(3, 0)) < 1e4 * eps<T>());
    const matrix v = matrix_of(x);
    matrix scaled = v;
    for (X &e : scaled.e)
        e *= number<T>::of(mu);
    CHECK((a * v - scaled).norm() < 1e4 * eps<T>());
    array<T> dv(s.values), dx0(x0), dx(6), dmu(1);
    array<int> dr(s.rows), dc(s.cols);
    OK(SP(csreigvsi)(h, 6, s.nnz, descr, dv.dev, dr.dev, dc.dev, number<T>::to(5.3), dx0.dev, 100, (R)(100 * eps<T>()),
                     dmu.dev, dx.dev));
    CHECK(std::abs(number<T>::of(dmu.one()) - X(5, 0)) < 1e4 * eps<T>());
    typedef typename std::conditional<std::is_same<R, float>::value, cuComplex, cuDoubleComplex>::type C;
    int count = 0;
    OK(SP(csreigsHost)(h, 6, s.nnz, descr, s.values.data(), s.rows.data(), s.cols.data(), number<C>::to(X(1.5, -1)),
                       number<C>::to(X(4.5, 1)), &count));
    CHECK(count == 3);
}

static bool is_permutation(const std::vector<int> &p)
{
    std::vector<bool> seen(p.size());
    for (int i : p)
        if (i >= 0 && i < (int)p.size())
            seen[(size_t)i] = true;
    return std::count(seen.begin(), seen.end(), true) == (long)p.size();
}

static void patterns()
{
    const matrix a = grid<double>(12, 4, false);
    const csr<double> s(a, 1);
    const int n = 144;
    std::vector<int> p((size_t)n);
    int issym = -1;
    OK(cusolverSpXcsrissymHost(h, n, s.nnz, descr_one, s.rows.data(), s.rows.data() + 1, s.cols.data(), &issym));
    CHECK(issym == 1);
    matrix other = a;
    other(0, 100) = 1;
    const csr<double> t(other, 1);
    OK(cusolverSpXcsrissymHost(h, n, t.nnz, descr_one, t.rows.data(), t.rows.data() + 1, t.cols.data(), &issym));
    CHECK(issym == 0);
    OK(cusolverSpXcsrsymrcmHost(h, n, s.nnz, descr_one, s.rows.data(), s.cols.data(), p.data()));
    CHECK(is_permutation(p));
    std::vector<int> place((size_t)n);
    int band = 0;
    for (int i = 0; i < n; i++)
        place[(size_t)p[(size_t)i]] = i;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (a(i, j) != X(0, 0))
                band = std::max(band, std::abs(place[(size_t)i] - place[(size_t)j]));
    CHECK(band <= 20);
    OK(cusolverSpXcsrsymmdqHost(h, n, s.nnz, descr_one, s.rows.data(), s.cols.data(), p.data()));
    CHECK(is_permutation(p));
    OK(cusolverSpXcsrsymamdHost(h, n, s.nnz, descr_one, s.rows.data(), s.cols.data(), p.data()));
    CHECK(is_permutation(p));
    OK(cusolverSpXcsrmetisndHost(h, n, s.nnz, descr_one, s.rows.data(), s.cols.data(), nullptr, p.data()));
    CHECK(is_permutation(p));
    // A(p, q)
    std::vector<int> q((size_t)n), rows = s.rows, cols = s.cols, map((size_t)s.nnz);
    for (int i = 0; i < n; i++)
        q[(size_t)i] = (i * 5 + 3) % n;
    for (int k = 0; k < s.nnz; k++)
        map[(size_t)k] = k;
    size_t bytes = 0;
    OK(cusolverSpXcsrperm_bufferSizeHost(h, n, n, s.nnz, descr_one, rows.data(), cols.data(), p.data(), q.data(),
                                         &bytes));
    std::vector<char> buffer(bytes);
    OK(cusolverSpXcsrpermHost(h, n, n, s.nnz, descr_one, rows.data(), cols.data(), p.data(), q.data(), map.data(),
                              buffer.data()));
    bool good = true;
    for (int i = 0; i < n; i++)
        for (int k = rows[(size_t)i] - 1; k < rows[(size_t)i + 1] - 1; k++)
            good = good && a(p[(size_t)i], q[(size_t)(cols[(size_t)k] - 1)]).real() == s.values[(size_t)map[(size_t)k]];
    CHECK(good && rows[(size_t)n] == s.nnz + 1);
    matrix shifted(7, 7); // the diagonal is empty until rows are exchanged
    for (int i = 0; i < 7; i++)
        shifted(i, (i + 2) % 7) = 1 + i;
    shifted(0, 0) = 0;
    const csr<double> z(shifted, 0);
    std::vector<int> zp(7);
    int count = 0;
    OK(cusolverSpDcsrzfdHost(h, 7, z.nnz, descr, z.values.data(), z.rows.data(), z.cols.data(), zp.data(), &count));
    CHECK(count == 7 && is_permutation(zp));
    for (int i = 0; i < 7; i++)
        CHECK(shifted(zp[(size_t)i], i) != X(0, 0));
}

template <class T> static void steps()
{
    typedef typename number<T>::real R;
    const matrix a = grid<T>(7, 3.0, true), p = grid<T>(7, 4.5, false);
    const int n = 49;
    const csr<T> s(a, 0), c(p, 0);
    const matrix x = random_matrix<T>(n, 1);
    std::vector<T> b = vector_of<T>(a * x), bp = vector_of<T>(p * x), out((size_t)n);
    size_t inside = 0, bytes = 0;
    int position = 77;
    csrluInfoHost_t lu;
    OK(cusolverSpCreateCsrluInfoHost(&lu));
    OK(cusolverSpXcsrluAnalysisHost(h, n, s.nnz, descr, s.rows.data(), s.cols.data(), lu));
    OK(SP(csrluBufferInfoHost)(h, n, s.nnz, descr, s.values.data(), s.rows.data(), s.cols.data(), lu, &inside, &bytes));
    std::vector<char> buffer(bytes + 1);
    OK(SP(csrluFactorHost)(h, n, s.nnz, descr, s.values.data(), s.rows.data(), s.cols.data(), lu, (R)1, buffer.data()));
    OK(SP(csrluZeroPivotHost)(h, lu, (R)1e-6, &position));
    CHECK(position == -1);
    OK(SP(csrluSolveHost)(h, n, b.data(), out.data(), lu, buffer.data()));
    CHECK(close<T>(matrix_of(out), x, 3000));
    int nl = 0, nu = 0;
    OK(cusolverSpXcsrluNnzHost(h, &nl, &nu, lu));
    std::vector<int> P((size_t)n), Q((size_t)n), lr((size_t)n + 1), lc((size_t)nl), ur((size_t)n + 1), uc((size_t)nu);
    std::vector<T> lv((size_t)nl), uv((size_t)nu);
    OK(SP(csrluExtractHost)(h, P.data(), Q.data(), descr, lv.data(), lr.data(), lc.data(), descr, uv.data(), ur.data(),
                            uc.data(), lu, buffer.data()));
    matrix l = matrix::unit(n), u(n, n), paq(n, n); // the ones of L's diagonal are not stored
    for (int i = 0; i < n; i++) {
        for (int k = lr[(size_t)i]; k < lr[(size_t)i + 1]; k++)
            l(i, lc[(size_t)k]) = number<T>::of(lv[(size_t)k]);
        for (int k = ur[(size_t)i]; k < ur[(size_t)i + 1]; k++)
            u(i, uc[(size_t)k]) = number<T>::of(uv[(size_t)k]);
        for (int j = 0; j < n; j++)
            paq(i, j) = a(P[(size_t)i], Q[(size_t)j]);
    }
    CHECK(close<T>(l * u, paq, 300));
    OK(cusolverSpDestroyCsrluInfoHost(lu));
    csrcholInfoHost_t chol;
    OK(cusolverSpCreateCsrcholInfoHost(&chol));
    OK(cusolverSpXcsrcholAnalysisHost(h, n, c.nnz, descr, c.rows.data(), c.cols.data(), chol));
    OK(SP(csrcholBufferInfoHost)(h, n, c.nnz, descr, c.values.data(), c.rows.data(), c.cols.data(), chol, &inside,
                                 &bytes));
    buffer.resize(bytes + 1);
    OK(SP(csrcholFactorHost)(h, n, c.nnz, descr, c.values.data(), c.rows.data(), c.cols.data(), chol, buffer.data()));
    OK(SP(csrcholZeroPivotHost)(h, chol, (R)1e-6, &position));
    CHECK(position == -1);
    OK(SP(csrcholSolveHost)(h, n, bp.data(), out.data(), chol, buffer.data()));
    CHECK(close<T>(matrix_of(out), x, 3000));
    OK(cusolverSpDestroyCsrcholInfoHost(chol));
    csrqrInfoHost_t qr;
    OK(cusolverSpCreateCsrqrInfoHost(&qr));
    OK(cusolverSpXcsrqrAnalysisHost(h, n, n, s.nnz, descr, s.rows.data(), s.cols.data(), qr));
    OK(SP(csrqrBufferInfoHost)(h, n, n, s.nnz, descr, s.values.data(), s.rows.data(), s.cols.data(), qr, &inside,
                               &bytes));
    buffer.resize(bytes + 1);
    OK(SP(csrqrSetupHost)(h, n, n, s.nnz, descr, s.values.data(), s.rows.data(), s.cols.data(), number<T>::to(0), qr));
    OK(SP(csrqrFactorHost)(h, n, n, s.nnz, nullptr, nullptr, qr, buffer.data()));
    OK(SP(csrqrZeroPivotHost)(h, qr, (R)1e-6, &position));
    CHECK(position == -1);
    OK(SP(csrqrSolveHost)(h, n, n, b.data(), out.data(), qr, buffer.data()));
    CHECK(close<T>(matrix_of(out), x, 3000));
    OK(cusolverSpDestroyCsrqrInfoHost(qr));
    // the same with data of the device, and many right sides and matrices at once
    const int count = 4;
    std::vector<T> many, rights;
    for (int k = 0; k < count; k++)
        for (T v : s.values)
            many.push_back(number<T>::to(number<T>::of(v) * (1.0 + k)));
    for (int k = 0; k < count; k++)
        rights.insert(rights.end(), b.begin(), b.end());
    array<T> values(s.values), values_chol(c.values), all(many), db(b), dbp(bp), dbs(rights), dx((size_t)n),
        dxs((size_t)(n * count));
    array<int> rows(s.rows), cols(s.cols), rows_chol(c.rows), cols_chol(c.cols);
    csrqrInfo_t device_qr;
    OK(cusolverSpCreateCsrqrInfo(&device_qr));
    OK(cusolverSpXcsrqrAnalysisBatched(h, n, n, s.nnz, descr, rows.dev, cols.dev, device_qr));
    OK(SP(csrqrBufferInfoBatched)(h, n, n, s.nnz, descr, all.dev, rows.dev, cols.dev, count, device_qr, &inside,
                                  &bytes));
    array<char> work(bytes);
    OK(SP(csrqrsvBatched)(h, n, n, s.nnz, descr, all.dev, rows.dev, cols.dev, dbs.dev, dxs.dev, count, device_qr,
                          work.dev));
    const std::vector<T> results = dxs.get();
    for (int k = 0; k < count; k++) {
        matrix want = x;
        for (X &e : want.e)
            e /= 1.0 + k;
        CHECK(close<T>(matrix_of(std::vector<T>(results.begin() + k * n, results.begin() + (k + 1) * n)), want, 3000));
    }
    OK(cusolverSpDestroyCsrqrInfo(device_qr));
    csrcholInfo_t device_chol;
    OK(cusolverSpCreateCsrcholInfo(&device_chol));
    OK(cusolverSpXcsrcholAnalysis(h, n, c.nnz, descr, rows_chol.dev, cols_chol.dev, device_chol));
    OK(SP(csrcholBufferInfo)(h, n, c.nnz, descr, values_chol.dev, rows_chol.dev, cols_chol.dev, device_chol, &inside,
                             &bytes));
    array<char> work2(bytes);
    OK(SP(csrcholFactor)(h, n, c.nnz, descr, values_chol.dev, rows_chol.dev, cols_chol.dev, device_chol, work2.dev));
    OK(SP(csrcholZeroPivot)(h, device_chol, (R)1e-6, &position));
    CHECK(position == -1);
    OK(SP(csrcholSolve)(h, n, dbp.dev, dx.dev, device_chol, work2.dev));
    CHECK(close<T>(matrix_of(dx.get()), x, 3000));
    OK(cusolverSpDestroyCsrcholInfo(device_chol));
}

static void anew()
{
    const int n = 36;
    const matrix a = grid<double>(6, 3.0, true);
    const csr<double> s(a, 0);
    csrluInfoHost_t lu;
    size_t inside = 0, bytes = 0;
    int nl = 0, nu = 0;
    OK(cusolverSpCreateCsrluInfoHost(&lu));
    OK(cusolverSpXcsrluAnalysisHost(h, n, s.nnz, descr, s.rows.data(), s.cols.data(), lu));
    OK(cusolverSpDcsrluBufferInfoHost(h, n, s.nnz, descr, s.values.data(), s.rows.data(), s.cols.data(), lu, &inside,
                                      &bytes));
    std::vector<char> buffer(bytes + 1);
    OK(cusolverSpDcsrluFactorHost(h, n, s.nnz, descr, s.values.data(), s.rows.data(), s.cols.data(), lu, 1.0,
                                  buffer.data()));
    OK(cusolverSpXcsrluNnzHost(h, &nl, &nu, lu));
    std::vector<int> P((size_t)n), Q((size_t)n), lr((size_t)n + 1), lc((size_t)nl), ur((size_t)n + 1), uc((size_t)nu);
    std::vector<double> lv((size_t)nl), uv((size_t)nu);
    OK(cusolverSpDcsrluExtractHost(h, P.data(), Q.data(), descr, lv.data(), lr.data(), lc.data(), descr, uv.data(),
                                   ur.data(), uc.data(), lu, buffer.data()));
    OK(cusolverSpDestroyCsrluInfoHost(lu));
    cusolverRfHandle_t rf;
    OK(cusolverRfCreate(&rf));
    WANT(cusolverRfRefactor(nullptr), CUSOLVER_STATUS_NOT_INITIALIZED);
    OK(cusolverRfSetMatrixFormat(rf, CUSOLVERRF_MATRIX_FORMAT_CSR, CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L));
    OK(cusolverRfSetAlgs(rf, CUSOLVERRF_FACTORIZATION_ALG0, CUSOLVERRF_TRIANGULAR_SOLVE_ALG1));
    OK(cusolverRfSetupHost(n, s.nnz, (int *)s.rows.data(), (int *)s.cols.data(), (double *)s.values.data(), nl,
                           lr.data(), lc.data(), lv.data(), nu, ur.data(), uc.data(), uv.data(), P.data(), Q.data(),
                           rf));
    OK(cusolverRfAnalyze(rf));
    OK(cusolverRfRefactor(rf));
    array<int> dP(P), dQ(Q), rows(s.rows), cols(s.cols);
    for (int turn = 0; turn < 2; turn++) {
        matrix now = a;
        std::vector<double> values = s.values;
        if (turn) { // other values in the same pattern
            for (size_t k = 0; k < values.size(); k++)
                values[k] += 0.125 * random_unit();
            size_t k = 0;
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    if (a(i, j) != X(0, 0))
                        now(i, j) = values[k++];
            array<double> dv(values);
            OK(cusolverRfResetValues(n, s.nnz, rows.dev, cols.dev, dv.dev, dP.dev, dQ.dev, rf));
            OK(cusolverRfRefactor(rf));
        }
        const matrix x = random_matrix<double>(n, 1);
        array<double> b(vector_of<double>(now * x)), temp((size_t)n);
        OK(cusolverRfSolve(rf, dP.dev, dQ.dev, 1, temp.dev, n, b.dev, n));
        CHECK(close<double>(matrix_of(b.get()), x, 5000));
    }
    int nnz = 0, *mp = nullptr, *mi = nullptr;
    double *mx = nullptr;
    OK(cusolverRfExtractBundledFactorsHost(rf, &nnz, &mp, &mi, &mx));
    CHECK(nnz == nl + nu && mp[n] == nnz);
    free(mp);
    free(mi);
    free(mx);
    OK(cusolverRfDestroy(rf));
    WANT(cusolverRfRefactor(rf), CUSOLVER_STATUS_NOT_INITIALIZED);
}

template <class T> static void all()
{
    systems<T>(6);
    systems<T>(9);
    least_squares<T>();
    eigenvalues<T>();
    steps<T>();
}

int main()
{
    OK(cusolverSpCreate(&h));
    CHECK(cusparseCreateMatDescr(&descr) == CUSPARSE_STATUS_SUCCESS);
    CHECK(cusparseCreateMatDescr(&descr_one) == CUSPARSE_STATUS_SUCCESS);
    CHECK(cusparseSetMatIndexBase(descr_one, CUSPARSE_INDEX_BASE_ONE) == CUSPARSE_STATUS_SUCCESS);
    all<float>();
    all<double>();
    all<cuComplex>();
    all<cuDoubleComplex>();
    patterns();
    anew();
    cusparseDestroyMatDescr(descr);
    cusparseDestroyMatDescr(descr_one);
    OK(cusolverSpDestroy(h));
    return summary();
}
