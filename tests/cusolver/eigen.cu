// SPDX-License-Identifier: Apache-2.0
// Eigenvalues: Hermitian, ranges of them, pairs of matrices, Jacobi's method, arrays of matrices, general ones; the reductions they rest on.
#include "solver_test.h"

static cusolverDnHandle_t h;
static const cusolverEigMode_t VECTORS = CUSOLVER_EIG_MODE_VECTOR, VALUES = CUSOLVER_EIG_MODE_NOVECTOR;

template <class T> static bool eigen_good(const matrix &a, const matrix &z, const std::vector<double> &w, double units)
{
    return orthonormal<T>(z, units) && close<T>(a * z, z.scaled(w), units * (a.norm() / (z.scaled(w).norm() + 1e-300)));
}

template <class T> static std::vector<double> hermitian(int n)
{
    typedef typename number<T>::real R;
    const matrix a = random_hermitian<T>(n);
    std::vector<double> values;
    const double units = 40.0 * std::sqrt(n);
    for (cublasFillMode_t uplo : FILLS) {
        device<T> d(only(a, uplo)), e(only(a, uplo));
        array<R> w((size_t)n), w2((size_t)n);
        array<int> info(1);
        int lwork = 0;
        OK(CALL2(syevd_bufferSize, heevd_bufferSize)(h, VECTORS, uplo, n, d.p(), d.lda(), w.dev, &lwork));
        array<T> work((size_t)lwork);
        OK(CALL2(syevd, heevd)(h, VECTORS, uplo, n, d.p(), d.lda(), w.dev, work.dev, lwork, info.dev));
        CHECK(info.one() == 0);
        values = doubles(w, (size_t)n);
        CHECK(std::is_sorted(values.begin(), values.end()));
        CHECK(eigen_good<T>(a, d.get(), values, units));
        OK(CALL2(syevd_bufferSize, heevd_bufferSize)(h, VALUES, uplo, n, e.p(), e.lda(), w2.dev, &lwork));
        array<T> more((size_t)lwork);
        OK(CALL2(syevd, heevd)(h, VALUES, uplo, n, e.p(), e.lda(), w2.dev, more.dev, lwork, info.dev));
        std::vector<double> again = doubles(w2, (size_t)n);
        for (int i = 0; i < n; i++)
            CHECK(std::abs(again[(size_t)i] - values[(size_t)i]) <= units * eps<T>() * a.norm());
    }
    // the function for all types, and the one for arrays
    const cudaDataType t = data_type<T>(), r = data_type<R>();
    device<T> x(a);
    array<R> w((size_t)n);
    array<int> info(1);
    size_t bytes = 0, host = 0;
    cusolverDnParams_t params;
    OK(cusolverDnCreateParams(&params));
    OK(cusolverDnXsyevd_bufferSize(h, params, VECTORS, FILLS[0], n, t, x.p(), x.ld, r, w.dev, t, &bytes, &host));
    array<char> buffer(bytes);
    std::vector<char> on_host(host + 1);
    OK(cusolverDnXsyevd(h, params, VECTORS, FILLS[0], n, t, x.p(), x.ld, r, w.dev, t, buffer.dev, bytes, on_host.data(),
                        host, info.dev));
    CHECK(eigen_good<T>(a, x.get(), doubles(w, (size_t)n), units));
    OK(cusolverDnDestroyParams(params));
    return values;
}

template <class T> static void ranges(int n)
{
    typedef typename number<T>::real R;
    const matrix a = random_hermitian<T>(n);
    array<R> w((size_t)n);
    array<int> info(1);
    int lwork = 0, found = 0;
    device<T> d(a);
    OK(CALL2(syevd_bufferSize, heevd_bufferSize)(h, VECTORS, FILLS[0], n, d.p(), d.lda(), w.dev, &lwork));
    array<T> first((size_t)lwork);
    OK(CALL2(syevd, heevd)(h, VECTORS, FILLS[0], n, d.p(), d.lda(), w.dev, first.dev, lwork, info.dev));
    const std::vector<double> all = doubles(w, (size_t)n);
    const double units = 40.0 * std::sqrt(n), bound = units * eps<T>() * a.norm();
    d.put(a);
    OK(CALL2(syevdx_bufferSize, heevdx_bufferSize)(h, VECTORS, CUSOLVER_EIG_RANGE_I, FILLS[0], n, d.p(), d.lda(), 0, 0,
                                                   3, 7, &found, w.dev, &lwork));
    array<T> work((size_t)lwork);
    OK(CALL2(syevdx, heevdx)(h, VECTORS, CUSOLVER_EIG_RANGE_I, FILLS[0], n, d.p(), d.lda(), 0, 0, 3, 7, &found, w.dev,
                             work.dev, lwork, info.dev));
    CHECK(info.one() == 0 && found == 5);
    std::vector<double> some = doubles(w, 5);
    for (size_t i = 0; i < 5; i++)
        CHECK(std::abs(some[i] - all[i + 2]) <= bound);
    CHECK(eigen_good<T>(a, d.get().columns(0, 5), some, units));
    const R vl = (R)((all[3] + all[4]) / 2), vu = (R)((all[9] + all[10]) / 2);
    d.put(a);
    OK(CALL2(syevdx_bufferSize, heevdx_bufferSize)(h, VECTORS, CUSOLVER_EIG_RANGE_V, FILLS[0], n, d.p(), d.lda(), vl,
                                                   vu, 0, 0, &found, w.dev, &lwork));
    array<T> work2((size_t)lwork);
    OK(CALL2(syevdx, heevdx)(h, VECTORS, CUSOLVER_EIG_RANGE_V, FILLS[0], n, d.p(), d.lda(), vl, vu, 0, 0, &found, w.dev,
                             work2.dev, lwork, info.dev));
    CHECK(info.one() == 0 && found == 6);
    if (found == 6)
        CHECK(eigen_good<T>(a, d.get().columns(0, 6), doubles(w, 6), units));
    const cudaDataType t = data_type<T>(), r = data_type<R>();
    size_t bytes = 0, host = 0;
    int64_t count = 0;
    R lo = vl, hi = vu;
    d.put(a);
    OK(cusolverDnXsyevdx_bufferSize(h, nullptr, VECTORS, CUSOLVER_EIG_RANGE_V, FILLS[1], n, t, d.p(), d.ld, &lo, &hi, 0,
                                    0, &count, r, w.dev, t, &bytes, &host));
    array<char> buffer(bytes);
    std::vector<char> on_host(host + 1);
    OK(cusolverDnXsyevdx(h, nullptr, VECTORS, CUSOLVER_EIG_RANGE_V, FILLS[1], n, t, d.p(), d.ld, &lo, &hi, 0, 0, &count,
                         r, w.dev, t, buffer.dev, bytes, on_host.data(), host, info.dev));
    CHECK(count == 6);
}

// Type 1: A x = w B x, 2: A B x = w x, 3: B A x = w x
template <class T>
static bool pair_good(int type, const matrix &a, const matrix &b, const matrix &z, const std::vector<double> &w,
                      double units)
{
    const matrix left = type == 1 ? a * z : type == 2 ? a * (b * z) : b * (a * z);
    const matrix right = type == 1 ? (b * z).scaled(w) : z.scaled(w);
    return close<T>(left, right, units);
}

template <class T> static void pairs(int n)
{
    typedef typename number<T>::real R;
    const matrix a = random_hermitian<T>(n), b = random_positive<T>(n);
    for (int type = 1; type <= 3; type++)
        for (cublasFillMode_t uplo : FILLS) {
            const cusolverEigType_t itype = (cusolverEigType_t)type;
            device<T> d(only(a, uplo)), e(only(b, uplo));
            array<R> w((size_t)n);
            array<int> info(1);
            int lwork = 0;
            OK(CALL2(sygvd_bufferSize, hegvd_bufferSize)(h, itype, VECTORS, uplo, n, d.p(), d.lda(), e.p(), e.lda(),
                                                         w.dev, &lwork));
            array<T> work((size_t)lwork);
            OK(CALL2(sygvd, hegvd)(h, itype, VECTORS, uplo, n, d.p(), d.lda(), e.p(), e.lda(), w.dev, work.dev, lwork,
                                   info.dev));
            CHECK(info.one() == 0);
            CHECK(pair_good<T>(type, a, b, d.get(), doubles(w, (size_t)n), 300.0 * n));
            syevjInfo_t jacobi;
            OK(cusolverDnCreateSyevjInfo(&jacobi));
            d.put(only(a, uplo));
            e.put(only(b, uplo));
            OK(CALL2(sygvj_bufferSize, hegvj_bufferSize)(h, itype, VECTORS, uplo, n, d.p(), d.lda(), e.p(), e.lda(),
                                                         w.dev, &lwork, jacobi));
            array<T> more((size_t)lwork);
            OK(CALL2(sygvj, hegvj)(h, itype, VECTORS, uplo, n, d.p(), d.lda(), e.p(), e.lda(), w.dev, more.dev, lwork,
                                   info.dev, jacobi));
            CHECK(info.one() == 0);
            CHECK(pair_good<T>(type, a, b, d.get(), doubles(w, (size_t)n), 300.0 * n));
            OK(cusolverDnDestroySyevjInfo(jacobi));
        }
    int found = 0, lwork = 0;
    device<T> d(a), e(b);
    array<R> w((size_t)n);
    array<int> info(1);
    OK(CALL2(sygvdx_bufferSize, hegvdx_bufferSize)(h, CUSOLVER_EIG_TYPE_1, VECTORS, CUSOLVER_EIG_RANGE_I, FILLS[0], n,
                                                   d.p(), d.lda(), e.p(), e.lda(), 0, 0, 2, 5, &found, w.dev, &lwork));
    array<T> work((size_t)lwork);
    OK(CALL2(sygvdx, hegvdx)(h, CUSOLVER_EIG_TYPE_1, VECTORS, CUSOLVER_EIG_RANGE_I, FILLS[0], n, d.p(), d.lda(), e.p(),
                             e.lda(), 0, 0, 2, 5, &found, w.dev, work.dev, lwork, info.dev));
    CHECK(info.one() == 0 && found == 4);
    CHECK(pair_good<T>(1, a, b, d.get().columns(0, 4), doubles(w, 4), 300.0 * n));
    matrix bad = b; // the other matrix is not positive
    bad(2, 2) = -1;
    d.put(a);
    e.put(bad);
    OK(CALL2(sygvd, hegvd)(h, CUSOLVER_EIG_TYPE_1, VECTORS, FILLS[0], n, d.p(), d.lda(), e.p(), e.lda(), w.dev,
                           work.dev, lwork, info.dev));
    CHECK(info.one() == n + 3);
}

template <class T> static void jacobi(int n)
{
    typedef typename number<T>::real R;
    const matrix a = random_hermitian<T>(n);
    syevjInfo_t params;
    OK(cusolverDnCreateSyevjInfo(&params));
    OK(cusolverDnXsyevjSetTolerance(params, 10 * eps<T>()));
    OK(cusolverDnXsyevjSetMaxSweeps(params, 40));
    OK(cusolverDnXsyevjSetSortEig(params, 1));
    for (cublasFillMode_t uplo : FILLS) {
        device<T> d(only(a, uplo));
        array<R> w((size_t)n);
        array<int> info(1);
        int lwork = 0, sweeps = -1;
        double residual = -1;
        OK(CALL2(syevj_bufferSize, heevj_bufferSize)(h, VECTORS, uplo, n, d.p(), d.lda(), w.dev, &lwork, params));
        array<T> work((size_t)lwork);
        OK(CALL2(syevj, heevj)(h, VECTORS, uplo, n, d.p(), d.lda(), w.dev, work.dev, lwork, info.dev, params));
        CHECK(info.one() == 0);
        const std::vector<double> values = doubles(w, (size_t)n);
        CHECK(std::is_sorted(values.begin(), values.end()));
        CHECK(eigen_good<T>(a, d.get(), values, 60.0 * std::sqrt(n)));
        OK(cusolverDnXsyevjGetSweeps(h, params, &sweeps));
        OK(cusolverDnXsyevjGetResidual(h, params, &residual));
        CHECK(sweeps >= 0 && sweeps <= 40 && residual >= 0 && residual < 1e-3);
    }
    OK(cusolverDnDestroySyevjInfo(params));
}

template <class T> static void arrays(int n, int count)
{
    typedef typename number<T>::real R;
    std::vector<matrix> a;
    matrix side(n, n * count);
    for (int q = 0; q < count; q++) {
        a.push_back(random_hermitian<T>(n));
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                side(i, q * n + j) = a.back()(i, j);
    }
    array<R> w((size_t)(n * count));
    array<int> info((size_t)count);
    const cudaDataType t = data_type<T>(), r = data_type<R>();
    for (int way = 0; way < 2; way++) {
        device<T> d(side, 0);
        if (way == 0) {
            syevjInfo_t params;
            int lwork = 0;
            OK(cusolverDnCreateSyevjInfo(&params));
            OK(CALL2(syevjBatched_bufferSize, heevjBatched_bufferSize)(h, VECTORS, FILLS[0], n, d.p(), d.lda(), w.dev,
                                                                       &lwork, params, count));
            array<T> work((size_t)lwork);
            OK(CALL2(syevjBatched, heevjBatched)(h, VECTORS, FILLS[0], n, d.p(), d.lda(), w.dev, work.dev, lwork,
                                                 info.dev, params, count));
            CUDA(cudaDeviceSynchronize());
            OK(cusolverDnDestroySyevjInfo(params));
        } else {
            size_t bytes = 0, host = 0;
            OK(cusolverDnXsyevBatched_bufferSize(h, nullptr, VECTORS, FILLS[0], n, t, d.p(), d.ld, r, w.dev, t, &bytes,
                                                 &host, count));
            array<char> buffer(bytes);
            std::vector<char> on_host(host + 1);
            OK(cusolverDnXsyevBatched(h, nullptr, VECTORS, FILLS[0], n, t, d.p(), d.ld, r, w.dev, t, buffer.dev, bytes,
                                      on_host.data(), host, info.dev, count));
        }
        const matrix z = d.get();
        const std::vector<double> values = doubles(w, (size_t)(n * count));
        const std::vector<int> infos = info.get();
        for (int q = 0; q < count; q++) {
            CHECK(infos[(size_t)q] == 0);
            CHECK(eigen_good<T>(a[(size_t)q], z.columns(q * n, n),
                                std::vector<double>(values.begin() + q * n, values.begin() + (q + 1) * n),
                                60.0 * std::sqrt(n)));
        }
    }
}

// A = Q T Q^H
template <class T> static void tridiagonal(int n)
{
    typedef typename number<T>::real R;
    const matrix a = random_hermitian<T>(n);
    for (cublasFillMode_t uplo : FILLS) {
        device<T> d(a);
        array<R> dd((size_t)n), ee((size_t)n);
        array<T> tau((size_t)n);
        array<int> info(1);
        int lwork = 0;
        OK(CALL2(sytrd_bufferSize, hetrd_bufferSize)(h, uplo, n, d.p(), d.lda(), dd.dev, ee.dev, tau.dev, &lwork));
        array<T> work((size_t)lwork);
        OK(CALL2(sytrd, hetrd)(h, uplo, n, d.p(), d.lda(), dd.dev, ee.dev, tau.dev, work.dev, lwork, info.dev));
        CHECK(info.one() == 0);
        const std::vector<double> diagonal = doubles(dd, (size_t)n), off = doubles(ee, (size_t)n);
        matrix t(n, n);
        for (int i = 0; i < n; i++) {
            t(i, i) = diagonal[(size_t)i];
            if (i + 1 < n)
                t(i + 1, i) = t(i, i + 1) = off[(size_t)i];
        }
        const matrix reflections = d.get();
        // products with Q at both sides
        const matrix c = random_matrix<T>(n, n);
        matrix products[2][2] = {{c, c}, {c, c}};
        for (int right = 0; right < 2; right++)
            for (int op = 0; op < 2; op++) {
                const cublasSideMode_t side = right ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT;
                const cublasOperation_t trans = op ? adjoint_op<T>() : CUBLAS_OP_N;
                device<T> e(c);
                OK(CALL2(ormtr_bufferSize, unmtr_bufferSize)(h, side, uplo, trans, n, n, d.p(), d.lda(), tau.dev, e.p(),
                                                             e.lda(), &lwork));
                array<T> more((size_t)lwork);
                OK(CALL2(ormtr, unmtr)(h, side, uplo, trans, n, n, d.p(), d.lda(), tau.dev, e.p(), e.lda(), more.dev,
                                       lwork, info.dev));
                CHECK(info.one() == 0);
                products[right][op] = e.get();
            }
        OK(CALL2(orgtr_bufferSize, ungtr_bufferSize)(h, uplo, n, d.p(), d.lda(), tau.dev, &lwork));
        array<T> work2((size_t)lwork);
        OK(CALL2(orgtr, ungtr)(h, uplo, n, d.p(), d.lda(), tau.dev, work2.dev, lwork, info.dev));
        const matrix q = d.get();
        const double units = 60.0 * std::sqrt(n);
        CHECK(orthonormal<T>(q, units));
        CHECK(close<T>(q * t * q.adjoint(), a, units));
        CHECK(close<T>(products[0][0], q * c, units) && close<T>(products[0][1], q.adjoint() * c, units));
        CHECK(close<T>(products[1][0], c * q, units) && close<T>(products[1][1], c * q.adjoint(), units));
    }
}

template <class T> static void general(int n)
{
    typedef typename number<T>::real R;
    typedef typename std::conditional<std::is_same<R, float>::value, cuComplex, cuDoubleComplex>::type C;
    const matrix a = random_matrix<T>(n, n);
    device<T> d(a), vr(n, n);
    array<C> w((size_t)n);
    array<int> info(1);
    size_t bytes = 0, host = 0;
    const cudaDataType t = data_type<T>(), c = data_type<C>();
    OK(cusolverDnXgeev_bufferSize(h, nullptr, VALUES, VECTORS, n, t, d.p(), d.ld, c, w.dev, t, nullptr, 1, t, vr.p(),
                                  vr.ld, t, &bytes, &host));
    array<char> buffer(bytes);
    std::vector<char> on_host(host + 1);
    OK(cusolverDnXgeev(h, nullptr, VALUES, VECTORS, n, t, d.p(), d.ld, c, w.dev, t, nullptr, 1, t, vr.p(), vr.ld, t,
                       buffer.dev, bytes, on_host.data(), host, info.dev));
    CHECK(info.one() == 0);
    const matrix stored = vr.get();
    std::vector<C> values = w.get();
    matrix v = stored, lambda(n, n);
    X trace = 0, sum = 0;
    for (int k = 0; k < n; k++) {
        const X value = number<C>::of(values[(size_t)k]);
        lambda(k, k) = value;
        sum += value;
        trace += a(k, k);
        if (!number<T>::is_complex && value.imag() > 0 && k + 1 < n) { // a pair
            CHECK(std::abs(number<C>::of(values[(size_t)k + 1]) - std::conj(value)) <= 10 * eps<T>() * std::abs(value));
            for (int i = 0; i < n; i++) {
                v(i, k) = stored(i, k) + X(0, 1) * stored(i, k + 1);
                v(i, k + 1) = std::conj(v(i, k));
            }
        }
    }
    const double units = 300.0 * std::sqrt(n);
    CHECK(std::abs(trace - sum) <= units * eps<T>() * a.norm());
    CHECK((a * v - v * lambda).norm() <= units * eps<T>() * a.norm() * v.norm());
    for (int k = 0; k < n; k++)
        CHECK(std::abs(v.columns(k, 1).norm() - 1) < 100 * eps<T>());
}

template <class T> static void all()
{
    for (int n : {1, 2, 17, 90})
        hermitian<T>(n);
    ranges<T>(24);
    pairs<T>(13);
    for (int n : {1, 2, 15, 70})
        jacobi<T>(n);
    arrays<T>(6, 7);
    for (int n : {2, 3, 20, 50})
        tridiagonal<T>(n);
    for (int n : {1, 2, 5, 40})
        general<T>(n);
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
