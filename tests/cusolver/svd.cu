// SPDX-License-Identifier: Apache-2.0
// Singular values: gesvd with all its jobs, Jacobi's method, arrays of matrices, the largest values; bidiagonal form.
#include "solver_test.h"

static cusolverDnHandle_t h;
static const cusolverEigMode_t VECTORS = CUSOLVER_EIG_MODE_VECTOR, VALUES = CUSOLVER_EIG_MODE_NOVECTOR;

// A = U S V^H with the first columns of U and V.
template <class T>
static bool svd_good(const matrix &a, const matrix &u, const std::vector<double> &s, const matrix &v, double units)
{
    const int64_t k = std::min(a.m, a.n);
    return orthonormal<T>(u, units) && orthonormal<T>(v, units) &&
           close<T>(u.columns(0, k).scaled(s) * v.columns(0, k).adjoint(), a, units);
}

template <class T> static void jobs(int m, int n)
{
    typedef typename number<T>::real R;
    const matrix a = random_matrix<T>(m, n);
    const double units = 40.0 * std::sqrt(m);
    int lwork = 0;
    OK(CALL(gesvd_bufferSize)(h, m, n, &lwork));
    array<T> work((size_t)lwork);
    array<int> info(1);
    array<R> s((size_t)n), rwork((size_t)n);
    const char list[][2] = {{'A', 'A'}, {'S', 'S'}, {'O', 'S'}, {'S', 'O'}, {'N', 'N'}};
    std::vector<double> first;
    for (const char *job : list) {
        device<T> d(a), u(m, job[0] == 'A' ? m : n), vt(n, n);
        OK(CALL(gesvd)(h, job[0], job[1], m, n, d.p(), d.lda(), s.dev, u.p(), u.lda(), vt.p(), vt.lda(), work.dev,
                       lwork, rwork.dev, info.dev));
        CHECK(info.one() == 0);
        const std::vector<double> values = doubles(s, (size_t)n);
        if (job[0] == 'A')
            first = values;
        for (int i = 0; i < n; i++)
            CHECK(std::abs(values[(size_t)i] - first[(size_t)i]) <= units * eps<T>() * first[0]);
        CHECK(std::is_sorted(values.rbegin(), values.rend()) && values[(size_t)n - 1] >= 0);
        if (job[0] == 'N')
            continue;
        const matrix over = d.get();
        matrix v = vt.get().adjoint();
        if (job[1] == 'O') {
            matrix top(n, n);
            for (int j = 0; j < n; j++)
                for (int i = 0; i < n; i++)
                    top(i, j) = over(i, j);
            v = top.adjoint();
        }
        CHECK(svd_good<T>(a, job[0] == 'O' ? over : u.get(), values, v, units));
    }
    // the function for all types
    const cudaDataType t = data_type<T>(), r = data_type<R>();
    device<T> d(a), u(m, m), vt(n, n);
    size_t bytes = 0, host = 0;
    OK(cusolverDnXgesvd_bufferSize(h, nullptr, 'A', 'A', m, n, t, d.p(), d.ld, r, s.dev, t, u.p(), u.ld, t, vt.p(),
                                   vt.ld, t, &bytes, &host));
    array<char> buffer(bytes);
    std::vector<char> on_host(host + 1);
    OK(cusolverDnXgesvd(h, nullptr, 'A', 'A', m, n, t, d.p(), d.ld, r, s.dev, t, u.p(), u.ld, t, vt.p(), vt.ld, t,
                        buffer.dev, bytes, on_host.data(), host, info.dev));
    CHECK(info.one() == 0 && svd_good<T>(a, u.get(), doubles(s, (size_t)n), vt.get().adjoint(), units));
}

template <class T> static void jacobi(int m, int n)
{
    typedef typename number<T>::real R;
    const matrix a = random_matrix<T>(m, n);
    const int k = std::min(m, n);
    const double units = 60.0 * std::sqrt(std::max(m, n));
    gesvdjInfo_t params;
    OK(cusolverDnCreateGesvdjInfo(&params));
    OK(cusolverDnXgesvdjSetTolerance(params, eps<T>()));
    OK(cusolverDnXgesvdjSetMaxSweeps(params, 50));
    for (int econ = 0; econ < 2; econ++) {
        device<T> d(a), u(m, econ ? k : m), v(n, econ ? k : n);
        array<R> s((size_t)k);
        array<int> info(1);
        int lwork = 0, sweeps = -1;
        double residual = -1;
        OK(CALL(gesvdj_bufferSize)(h, VECTORS, econ, m, n, d.p(), d.lda(), s.dev, u.p(), u.lda(), v.p(), v.lda(),
                                   &lwork, params));
        array<T> work((size_t)lwork);
        OK(CALL(gesvdj)(h, VECTORS, econ, m, n, d.p(), d.lda(), s.dev, u.p(), u.lda(), v.p(), v.lda(), work.dev, lwork,
                        info.dev, params));
        CHECK(info.one() == 0);
        CHECK(svd_good<T>(a, u.get(), doubles(s, (size_t)k), v.get(), units));
        OK(cusolverDnXgesvdjGetSweeps(h, params, &sweeps));
        OK(cusolverDnXgesvdjGetResidual(h, params, &residual));
        CHECK(sweeps >= 0 && sweeps <= 50 && residual >= 0);
        const cudaDataType t = data_type<T>(), r = data_type<R>();
        size_t bytes = 0, host = 0;
        double error = -1;
        d.put(a);
        OK(cusolverDnXgesvdp_bufferSize(h, nullptr, VECTORS, econ, m, n, t, d.p(), d.ld, r, s.dev, t, u.p(), u.ld, t,
                                        v.p(), v.ld, t, &bytes, &host));
        array<char> buffer(bytes);
        std::vector<char> on_host(host + 1);
        OK(cusolverDnXgesvdp(h, nullptr, VECTORS, econ, m, n, t, d.p(), d.ld, r, s.dev, t, u.p(), u.ld, t, v.p(), v.ld,
                             t, buffer.dev, bytes, on_host.data(), host, info.dev, &error));
        CHECK(info.one() == 0 && error >= 0 && error < 1e-3);
        CHECK(svd_good<T>(a, u.get(), doubles(s, (size_t)k), v.get(), 4 * units));
    }
    OK(cusolverDnDestroyGesvdjInfo(params));
}

// Rank 2 in 6 columns: values that are 0, vectors that are orthonormal all the same.
template <class T> static void deficient()
{
    typedef typename number<T>::real R;
    const matrix a = random_matrix<T>(9, 2) * random_matrix<T>(2, 6);
    device<T> d(a), u(9, 9), vt(6, 6);
    matrix kept = d.get();
    array<R> s(6), rwork(6);
    array<int> info(1);
    int lwork = 0;
    OK(CALL(gesvd_bufferSize)(h, 9, 6, &lwork));
    array<T> work((size_t)lwork);
    OK(CALL(gesvd)(h, 'A', 'A', 9, 6, d.p(), d.lda(), s.dev, u.p(), u.lda(), vt.p(), vt.lda(), work.dev, lwork,
                   rwork.dev, info.dev));
    const std::vector<double> values = doubles(s, 6);
    CHECK(info.one() == 0 && values[2] < 100 * eps<T>() * values[0] && values[1] > 1e-3 * values[0]);
    CHECK(svd_good<T>(kept, u.get(), values, vt.get().adjoint(), 200));
    d.put(matrix(9, 6));
    OK(CALL(gesvd)(h, 'A', 'A', 9, 6, d.p(), d.lda(), s.dev, u.p(), u.lda(), vt.p(), vt.lda(), work.dev, lwork,
                   rwork.dev, info.dev));
    CHECK(doubles(s, 6)[0] == 0 && orthonormal<T>(u.get(), 100) && orthonormal<T>(vt.get(), 100));
}

template <class T> static matrix side_by_side(const std::vector<matrix> &a)
{
    matrix r(a[0].m, a[0].n * (int64_t)a.size());
    for (size_t q = 0; q < a.size(); q++)
        for (int64_t j = 0; j < a[0].n; j++)
            for (int64_t i = 0; i < a[0].m; i++)
                r(i, (int64_t)q * a[0].n + j) = a[q](i, j);
    return r;
}

template <class T> static void arrays(int m, int n, int count)
{
    typedef typename number<T>::real R;
    const int k = std::min(m, n);
    std::vector<matrix> a;
    for (int q = 0; q < count; q++)
        a.push_back(random_matrix<T>(m, n));
    device<T> d(side_by_side<T>(a), 0), u(m, (int64_t)m * count, 0), v(n, (int64_t)n * count, 0);
    array<R> s((size_t)(k * count));
    array<int> info((size_t)count);
    gesvdjInfo_t params;
    int lwork = 0;
    OK(cusolverDnCreateGesvdjInfo(&params));
    OK(CALL(gesvdjBatched_bufferSize)(h, VECTORS, m, n, d.p(), d.lda(), s.dev, u.p(), u.lda(), v.p(), v.lda(), &lwork,
                                      params, count));
    array<T> work((size_t)lwork);
    OK(CALL(gesvdjBatched)(h, VECTORS, m, n, d.p(), d.lda(), s.dev, u.p(), u.lda(), v.p(), v.lda(), work.dev, lwork,
                           info.dev, params, count));
    CUDA(cudaDeviceSynchronize());
    const std::vector<double> values = doubles(s, (size_t)(k * count));
    const matrix us = u.get(), vs = v.get();
    for (int q = 0; q < count; q++) {
        CHECK(info.get()[(size_t)q] == 0);
        CHECK(svd_good<T>(a[(size_t)q], us.columns(q * m, m),
                          std::vector<double>(values.begin() + q * k, values.begin() + (q + 1) * k),
                          vs.columns(q * n, n), 300));
    }
    OK(cusolverDnDestroyGesvdjInfo(params));
    if (m < n)
        return;
    // the largest values only
    const int rank = n > 2 ? n - 2 : n;
    std::vector<double> norms((size_t)count, -1);
    array<R> few((size_t)(rank * count));
    device<T> e(side_by_side<T>(a), 0), ur(m, (int64_t)rank * count, 0), vr(n, (int64_t)rank * count, 0);
    OK(CALL(gesvdaStridedBatched_bufferSize)(h, VECTORS, rank, m, n, e.p(), e.lda(), e.ld * n, few.dev, rank, ur.p(),
                                             ur.lda(), ur.ld * rank, vr.p(), vr.lda(), vr.ld * rank, &lwork, count));
    array<T> work2((size_t)lwork);
    OK(CALL(gesvdaStridedBatched)(h, VECTORS, rank, m, n, e.p(), e.lda(), e.ld * n, few.dev, rank, ur.p(), ur.lda(),
                                  ur.ld * rank, vr.p(), vr.lda(), vr.ld * rank, work2.dev, lwork, info.dev,
                                  norms.data(), count));
    CUDA(cudaDeviceSynchronize());
    const std::vector<double> largest = doubles(few, (size_t)(rank * count));
    for (int q = 0; q < count; q++) {
        const std::vector<double> mine(largest.begin() + q * rank, largest.begin() + (q + 1) * rank);
        for (int i = 0; i < rank; i++)
            CHECK(std::abs(mine[(size_t)i] - values[(size_t)(q * k + i)]) <= 2000 * eps<T>() * mine[0]);
        const matrix rest =
            a[(size_t)q] - ur.get().columns(q * rank, rank).scaled(mine) * vr.get().columns(q * rank, rank).adjoint();
        CHECK(!on_heddle() || std::abs(rest.norm() - norms[(size_t)q]) <= 1e4 * eps<T>() * mine[0]);
    }
}

// A matrix with two large values and small ones: random projections find the large ones.
template <class T> static void random_ones()
{
    typedef typename number<T>::real R;
    const int m = 60, n = 40, k = 2, p = 6;
    matrix a = random_matrix<T>(m, k) * random_matrix<T>(k, n);
    device<T> d(a), u(m, k), v(n, k);
    a = d.get();
    array<R> s(k);
    array<int> info(1);
    size_t bytes = 0, host = 0;
    const cudaDataType t = data_type<T>(), r = data_type<R>();
    OK(cusolverDnXgesvdr_bufferSize(h, nullptr, 'S', 'S', m, n, k, p, 2, t, d.p(), d.ld, r, s.dev, t, u.p(), u.ld, t,
                                    v.p(), v.ld, t, &bytes, &host));
    array<char> buffer(bytes);
    std::vector<char> on_host(host + 1);
    OK(cusolverDnXgesvdr(h, nullptr, 'S', 'S', m, n, k, p, 2, t, d.p(), d.ld, r, s.dev, t, u.p(), u.ld, t, v.p(), v.ld,
                         t, buffer.dev, bytes, on_host.data(), host, info.dev));
    CHECK(info.one() == 0);
    const std::vector<double> values = doubles(s, k);
    CHECK(close<T>(u.get().scaled(values) * v.get().adjoint(), a, 1000));
    CHECK(orthonormal<T>(u.get(), 300) && orthonormal<T>(v.get(), 300));
}

// A = Q B P^H
template <class T> static void bidiagonal(int m, int n)
{
    typedef typename number<T>::real R;
    const matrix a = random_matrix<T>(m, n);
    device<T> d(a), q(m, n), p(n, n);
    array<R> dd((size_t)n), ee((size_t)n);
    array<T> tauq((size_t)n), taup((size_t)n);
    array<int> info(1);
    int lwork = 0;
    OK(CALL(gebrd_bufferSize)(h, m, n, &lwork));
    array<T> work((size_t)lwork);
    OK(CALL(gebrd)(h, m, n, d.p(), d.lda(), dd.dev, ee.dev, tauq.dev, taup.dev, work.dev, lwork, info.dev));
    CHECK(info.one() == 0);
    const matrix f = d.get();
    matrix top(n, n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            top(i, j) = f(i, j);
    q.put(f);
    p.put(top);
    OK(CALL2(orgbr_bufferSize, ungbr_bufferSize)(h, CUBLAS_SIDE_LEFT, m, n, n, q.p(), q.lda(), tauq.dev, &lwork));
    array<T> work2((size_t)lwork);
    OK(CALL2(orgbr, ungbr)(h, CUBLAS_SIDE_LEFT, m, n, n, q.p(), q.lda(), tauq.dev, work2.dev, lwork, info.dev));
    OK(CALL2(orgbr_bufferSize, ungbr_bufferSize)(h, CUBLAS_SIDE_RIGHT, n, n, m, p.p(), p.lda(), taup.dev, &lwork));
    array<T> work3((size_t)lwork);
    OK(CALL2(orgbr, ungbr)(h, CUBLAS_SIDE_RIGHT, n, n, m, p.p(), p.lda(), taup.dev, work3.dev, lwork, info.dev));
    const std::vector<double> diagonal = doubles(dd, (size_t)n), off = doubles(ee, (size_t)n);
    matrix b(n, n);
    for (int i = 0; i < n; i++) {
        b(i, i) = diagonal[(size_t)i];
        if (i + 1 < n)
            b(i, i + 1) = off[(size_t)i];
    }
    const double units = 60.0 * std::sqrt(m);
    CHECK(orthonormal<T>(q.get(), units) && orthonormal<T>(p.get(), units));
    CHECK(close<T>(q.get() * b * p.get(), a, units));
}

template <class T> static void all()
{
    const int sizes[][2] = {{1, 1}, {8, 8}, {20, 13}, {90, 70}};
    for (const int *s : sizes) {
        jobs<T>(s[0], s[1]);
        jacobi<T>(s[0], s[1]);
        bidiagonal<T>(s[0], s[1]);
    }
    jacobi<T>(13, 20);
    deficient<T>();
    arrays<T>(7, 5, 6);
    arrays<T>(5, 7, 3);
    random_ones<T>();
}

int main()
{
    OK(cusolverDnCreate(&h));
    all<float>();
    all<double>();
    all<cuComplex>();
    all<cuDoubleComplex>();
    OK(cusolverDnDestroy(h));
    return summary();
}
