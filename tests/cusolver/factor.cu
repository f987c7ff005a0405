// SPDX-License-Identifier: Apache-2.0
// LU, Cholesky and QR, what is solved and inverted with them, products with Q; small sizes and those that are done by panels.
#include "solver_test.h"

static cusolverDnHandle_t h;

template <class T> static void lu(int m, int n)
{
    const matrix a = random_matrix<T>(m, n);
    device<T> d(a);
    array<int> pivots((size_t)std::min(m, n)), info(1);
    int lwork = 0;
    OK(CALL(getrf_bufferSize)(h, m, n, d.p(), d.lda(), &lwork));
    array<T> work((size_t)lwork);
    OK(CALL(getrf)(h, m, n, d.p(), d.lda(), work.dev, pivots.dev, info.dev));
    CHECK(info.one() == 0);
    const matrix f = d.get();
    const int k = std::min(m, n);
    matrix pa = a;
    std::vector<int> p = pivots.get();
    for (int i = 0; i < k; i++)
        for (int j = 0; j < n; j++)
            std::swap(pa(i, j), pa(p[(size_t)i] - 1, j));
    CHECK(close<T>(triangle(f, true, true, m, k) * triangle(f, false, false, k, n), pa, 30.0 * std::sqrt(k)));
    if (m != n)
        return;
    const cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
    for (cublasOperation_t op : ops) {
        const matrix x = random_matrix<T>(n, 5);
        device<T> b((op == CUBLAS_OP_N ? a : op == CUBLAS_OP_T ? a.transpose() : a.adjoint()) * x);
        OK(CALL(getrs)(h, op, n, 5, d.p(), d.lda(), pivots.dev, b.p(), b.lda(), info.dev));
        CHECK(info.one() == 0);
        const matrix got = b.get(), opa = op == CUBLAS_OP_N ? a : op == CUBLAS_OP_T ? a.transpose() : a.adjoint();
        CHECK(close<T>(opa * got, opa * x, 2000.0 * std::sqrt(n)));
    }
    // The same with pivots of 64 bits, by the function for all types.
    device<T> again(a);
    array<int64_t> wide((size_t)n);
    size_t bytes = 0, host = 0;
    const cudaDataType t = data_type<T>();
    OK(cusolverDnXgetrf_bufferSize(h, nullptr, n, n, t, again.p(), again.ld, t, &bytes, &host));
    array<char> buffer(bytes);
    std::vector<char> on_host(host + 1);
    OK(cusolverDnXgetrf(h, nullptr, n, n, t, again.p(), again.ld, wide.dev, t, buffer.dev, bytes, on_host.data(), host,
                        info.dev));
    CHECK(info.one() == 0);
    const matrix x = random_matrix<T>(n, 3);
    device<T> b(a * x);
    OK(cusolverDnXgetrs(h, nullptr, CUBLAS_OP_N, n, 3, t, again.p(), again.ld, wide.dev, t, b.p(), b.ld, info.dev));
    CHECK(close<T>(a * b.get(), a * x, 2000.0 * std::sqrt(n)));
}

template <class T> static void lu_special()
{
    matrix a(4, 4);
    for (int i = 0; i < 4; i++)
        a(i, i) = i == 2 ? 0 : i + 1;
    device<T> d(a);
    array<int> pivots(4), info(1);
    array<T> work(64);
    OK(CALL(getrf)(h, 4, 4, d.p(), d.lda(), work.dev, pivots.dev, info.dev));
    CHECK(info.one() == 3);
    const matrix dominant = random_positive<T>(21); // without pivots
    device<T> e(dominant);
    int lwork = 0;
    OK(CALL(getrf_bufferSize)(h, 21, 21, e.p(), e.lda(), &lwork));
    array<T> more((size_t)lwork);
    OK(CALL(getrf)(h, 21, 21, e.p(), e.lda(), more.dev, nullptr, info.dev));
    CHECK(info.one() == 0);
    const matrix f = e.get();
    CHECK(close<T>(triangle(f, true, true, 21, 21) * triangle(f, false, false, 21, 21), dominant, 100));
    // laswp: rows 1 to 3 with those that the pivots name
    const matrix b = random_matrix<T>(5, 7);
    device<T> r(b);
    array<int> p(std::vector<int>{3, 5, 4});
    OK(CALL(laswp)(h, 7, r.p(), r.lda(), 1, 3, p.dev, 1));
    matrix want = b;
    for (int j = 0; j < 7; j++) {
        std::swap(want(0, j), want(2, j));
        std::swap(want(1, j), want(4, j));
        std::swap(want(2, j), want(3, j));
    }
    CHECK(close<T>(r.get(), want, 0));
}

template <class T> static void cholesky(int n)
{
    const matrix a = random_positive<T>(n);
    const cudaDataType t = data_type<T>();
    for (cublasFillMode_t uplo : FILLS) {
        const bool lower = uplo == CUBLAS_FILL_MODE_LOWER;
        device<T> d(only(a, uplo));
        array<int> info(1);
        int lwork = 0;
        OK(CALL(potrf_bufferSize)(h, uplo, n, d.p(), d.lda(), &lwork));
        array<T> work((size_t)lwork);
        OK(CALL(potrf)(h, uplo, n, d.p(), d.lda(), work.dev, lwork, info.dev));
        CHECK(info.one() == 0);
        const matrix f = triangle(d.get(), lower, false, n, n);
        CHECK(close<T>(lower ? f * f.adjoint() : f.adjoint() * f, a, 10.0 * std::sqrt(n)));
        const matrix x = random_matrix<T>(n, 4);
        device<T> b(a * x), b2(a * x);
        OK(CALL(potrs)(h, uplo, n, 4, d.p(), d.lda(), b.p(), b.lda(), info.dev));
        CHECK(close<T>(b.get(), x, 100.0 * std::sqrt(n)));
        OK(cusolverDnXpotrs(h, nullptr, uplo, n, 4, t, d.p(), d.ld, t, b2.p(), b2.ld, info.dev));
        CHECK(close<T>(b2.get(), x, 100.0 * std::sqrt(n)));
        device<T> e(only(a, uplo));
        size_t bytes = 0, host = 0;
        OK(cusolverDnXpotrf_bufferSize(h, nullptr, uplo, n, t, e.p(), e.ld, t, &bytes, &host));
        array<char> buffer(bytes);
        std::vector<char> on_host(host + 1);
        OK(cusolverDnXpotrf(h, nullptr, uplo, n, t, e.p(), e.ld, t, buffer.dev, bytes, on_host.data(), host, info.dev));
        CHECK(close<T>(triangle(e.get(), lower, false, n, n), f, 100));
        // the inverse
        OK(CALL(potri_bufferSize)(h, uplo, n, d.p(), d.lda(), &lwork));
        array<T> more((size_t)lwork);
        OK(CALL(potri)(h, uplo, n, d.p(), d.lda(), more.dev, lwork, info.dev));
        CHECK(info.one() == 0);
        matrix inverse = triangle(d.get(), lower, false, n, n);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                if (lower ? i < j : i > j)
                    inverse(i, j) = std::conj(inverse(j, i));
        CHECK(close<T>(inverse * a, matrix::unit(n), 100.0 * std::sqrt(n)));
    }
}

template <class T> static void triangles(int n)
{
    matrix a = random_matrix<T>(n, n);
    for (int i = 0; i < n; i++)
        a(i, i) += 4;
    const cudaDataType t = data_type<T>();
    for (cublasFillMode_t uplo : FILLS)
        for (int unit = 0; unit < 2; unit++) {
            const bool lower = uplo == CUBLAS_FILL_MODE_LOWER;
            matrix full = triangle(a, lower, unit != 0, n, n);
            for (int j = 0; unit && j < n; j++)
                for (int i = 0; i < n; i++)
                    full(i, j) = i == j ? full(i, j) : number<T>::of(number<T>::to(full(i, j) / (double)n));
            matrix stored = full;
            for (int i = 0; i < n; i++)
                stored(i, i) = unit ? X(55) : full(i, i);
            device<T> d(stored);
            array<int> info(1);
            size_t bytes = 0, host = 0;
            const cublasDiagType_t diag = unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
            OK(cusolverDnXtrtri_bufferSize(h, uplo, diag, n, t, d.p(), d.ld, &bytes, &host));
            array<char> buffer(bytes);
            std::vector<char> on_host(host + 1);
            OK(cusolverDnXtrtri(h, uplo, diag, n, t, d.p(), d.ld, buffer.dev, bytes, on_host.data(), host, info.dev));
            CHECK(info.one() == 0);
            CHECK(close<T>(triangle(d.get(), lower, unit != 0, n, n) * full, matrix::unit(n), 1e4));
            if (unit)
                continue;
            device<T> l(full);
            int lwork = 0;
            OK(CALL(lauum_bufferSize)(h, uplo, n, l.p(), l.lda(), &lwork));
            array<T> work((size_t)lwork);
            // of complex matrices the diagonal of a Cholesky factor is real
            for (int i = 0; i < n; i++)
                full(i, i) = full(i, i).real();
            l.put(full);
            OK(CALL(lauum)(h, uplo, n, l.p(), l.lda(), work.dev, lwork, info.dev));
            const matrix product = lower ? full.adjoint() * full : full * full.adjoint();
            CHECK(close<T>(triangle(l.get(), lower, false, n, n), triangle(product, lower, false, n, n), 50));
        }
}

template <class T> static void qr(int m, int n)
{
    const matrix a = random_matrix<T>(m, n);
    const int k = std::min(m, n);
    device<T> d(a);
    array<T> tau((size_t)k);
    array<int> info(1);
    int lwork = 0;
    OK(CALL(geqrf_bufferSize)(h, m, n, d.p(), d.lda(), &lwork));
    array<T> work((size_t)lwork);
    OK(CALL(geqrf)(h, m, n, d.p(), d.lda(), tau.dev, work.dev, lwork, info.dev));
    CHECK(info.one() == 0);
    const matrix r = triangle(d.get(), false, false, k, n);
    device<T> q(d.get().columns(0, k));
    OK(CALL2(orgqr_bufferSize, ungqr_bufferSize)(h, m, k, k, q.p(), q.lda(), tau.dev, &lwork));
    array<T> work2((size_t)lwork);
    OK(CALL2(orgqr, ungqr)(h, m, k, k, q.p(), q.lda(), tau.dev, work2.dev, lwork, info.dev));
    const matrix qh = q.get();
    CHECK(orthonormal<T>(qh, 30.0 * std::sqrt(m)));
    CHECK(close<T>(qh * r, a, 30.0 * std::sqrt(m)));
    const cublasOperation_t ops[] = {CUBLAS_OP_N, adjoint_op<T>()};
    for (int right = 0; right < 2; right++)
        for (cublasOperation_t op : ops) { // Q, which is m x m, at both sides of C
            const cublasSideMode_t side = right ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT;
            const matrix c = right ? random_matrix<T>(9, m) : random_matrix<T>(m, 9);
            device<T> e(c);
            const int rows = (int)c.m, cols = (int)c.n;
            OK(CALL2(ormqr_bufferSize, unmqr_bufferSize)(h, side, op, rows, cols, k, d.p(), d.lda(), tau.dev, e.p(),
                                                         e.lda(), &lwork));
            array<T> work3((size_t)lwork);
            OK(CALL2(ormqr, unmqr)(h, side, op, rows, cols, k, d.p(), d.lda(), tau.dev, e.p(), e.lda(), work3.dev,
                                   lwork, info.dev));
            CHECK(info.one() == 0);
            const matrix got = e.get();
            CHECK(std::abs(got.norm() - c.norm()) <= 30 * std::sqrt(m) * eps<T>() * c.norm());
            if (!right && op != CUBLAS_OP_N) { // the first k rows are those of Q^H C
                const matrix want = qh.adjoint() * c;
                matrix top(k, 9);
                for (int j = 0; j < 9; j++)
                    for (int i = 0; i < k; i++)
                        top(i, j) = got(i, j);
                CHECK(close<T>(top, want, 100.0 * std::sqrt(m)));
            }
            if (right && op == CUBLAS_OP_N)
                CHECK(close<T>(got.columns(0, k), c * qh, 100.0 * std::sqrt(m)));
        }
    // T of the first reflections: Q = I - V T V^H
    const int few = std::min(k, 6);
    const cudaDataType t = data_type<T>();
    device<T> factor(few, few);
    size_t bytes = 0, host = 0;
    OK(cusolverDnXlarft_bufferSize(h, nullptr, CUBLAS_DIRECT_FORWARD, CUBLAS_STOREV_COLUMNWISE, m, few, t, d.p(), d.ld,
                                   t, tau.dev, t, factor.p(), factor.ld, t, &bytes, &host));
    array<char> buffer(bytes);
    std::vector<char> on_host(host + 1);
    OK(cusolverDnXlarft(h, nullptr, CUBLAS_DIRECT_FORWARD, CUBLAS_STOREV_COLUMNWISE, m, few, t, d.p(), d.ld, t, tau.dev,
                        t, factor.p(), factor.ld, t, buffer.dev, bytes, on_host.data(), host));
    const matrix v = triangle(d.get(), true, true, m, few), tt = triangle(factor.get(), false, false, few, few);
    if (m < 100)
        CHECK(orthonormal<T>(matrix::unit(m) - v * tt * v.adjoint(), 100.0 * std::sqrt(m)));
    // The function for all types.
    device<T> e(a);
    OK(cusolverDnXgeqrf_bufferSize(h, nullptr, m, n, t, e.p(), e.ld, t, tau.dev, t, &bytes, &host));
    array<char> buffer2(bytes);
    std::vector<char> on_host2(host + 1);
    OK(cusolverDnXgeqrf(h, nullptr, m, n, t, e.p(), e.ld, t, tau.dev, t, buffer2.dev, bytes, on_host2.data(), host,
                        info.dev));
    CHECK(close<T>(triangle(e.get(), false, false, k, n), r, 1000));
}

template <class T> static void indefinite(int n)
{
    const matrix random = random_matrix<T>(n, n);
    matrix a = random;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < j; i++)
            a(i, j) = a(j, i);
    for (int i = 0; n > 1 && i < n; i += 3)
        a(i, i) = 0;
    const cudaDataType t = data_type<T>();
    for (cublasFillMode_t uplo : FILLS) {
        device<T> d(only(a, uplo));
        array<int> pivots((size_t)n), info(1);
        int lwork = 0;
        OK(CALL(sytrf_bufferSize)(h, n, d.p(), d.lda(), &lwork));
        array<T> work((size_t)lwork);
        OK(CALL(sytrf)(h, uplo, n, d.p(), d.lda(), pivots.dev, work.dev, lwork, info.dev));
        CHECK(info.one() == 0);
        std::vector<int> p = pivots.get();
        array<int64_t> wide(std::vector<int64_t>(p.begin(), p.end()));
        const matrix x = random_matrix<T>(n, 3);
        device<T> b(a * x);
        size_t bytes = 0, host = 0;
        OK(cusolverDnXsytrs_bufferSize(h, uplo, n, 3, t, d.p(), d.ld, wide.dev, t, b.p(), b.ld, &bytes, &host));
        array<char> buffer(bytes);
        std::vector<char> on_host(host + 1);
        OK(cusolverDnXsytrs(h, uplo, n, 3, t, d.p(), d.ld, wide.dev, t, b.p(), b.ld, buffer.dev, bytes, on_host.data(),
                            host, info.dev));
        CHECK(close<T>(a * b.get(), a * x, 1e4));
        if (!on_heddle()) // NVIDIA's of 13.0 leaves the matrix as it is
            continue;
        OK(CALL(sytri_bufferSize)(h, uplo, n, d.p(), d.lda(), pivots.dev, &lwork));
        array<T> work2((size_t)lwork);
        OK(CALL(sytri)(h, uplo, n, d.p(), d.lda(), pivots.dev, work2.dev, lwork, info.dev));
        CHECK(info.one() == 0);
        const matrix half = d.get();
        matrix inverse(n, n);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                const bool stored = uplo == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
                inverse(i, j) = stored ? half(i, j) : half(j, i);
            }
        CHECK(close<T>(inverse * a, matrix::unit(n), 1e5));
    }
}

template <class T> static void batched(int n, int count)
{
    for (cublasFillMode_t uplo : FILLS) {
        std::vector<device<T> *> a, b;
        std::vector<matrix> x, full;
        std::vector<T *> pa, pb;
        for (int i = 0; i < count; i++) {
            full.push_back(random_positive<T>(n));
            if (i == 2)
                full[2](n - 1, n - 1) = -1;
            x.push_back(random_matrix<T>(n, 1));
            a.push_back(new device<T>(only(full.back(), uplo), 2));
            b.push_back(new device<T>(full.back() * x.back(), 2));
            pa.push_back(a.back()->p());
            pb.push_back(b.back()->p());
        }
        array<T *> da(pa), db(pb);
        array<int> info((size_t)count), one(1);
        OK(CALL(potrfBatched)(h, uplo, n, da.dev, n + 2, info.dev, count));
        std::vector<int> infos = info.get();
        for (int i = 0; i < count; i++)
            CHECK(infos[(size_t)i] == (i == 2 ? n : 0));
        OK(CALL(potrsBatched)(h, uplo, n, 1, da.dev, n + 2, db.dev, n + 2, one.dev, count));
        CHECK(one.one() == 0);
        for (int i = 0; i < count; i++) {
            if (i != 2)
                CHECK(close<T>(b[(size_t)i]->get(), x[(size_t)i], 500));
            delete a[(size_t)i];
            delete b[(size_t)i];
        }
    }
}

template <class T> static void all()
{
    const int sizes[][2] = {{1, 1}, {7, 7}, {33, 20}, {20, 33}, {270, 270}, {290, 265}, {265, 290}};
    // by panels; with HEDDLE_TEST_BRIEF, which is for emulators, one type
    const bool large =
        std::is_same<T, float>::value || (std::is_same<T, cuDoubleComplex>::value && !getenv("HEDDLE_TEST_BRIEF"));
    for (const int *s : sizes) {
        if (s[0] > 100 && !large)
            continue;
        lu<T>(s[0], s[1]);
        qr<T>(s[0], s[1]);
    }
    for (int n : {1, 2, 19, large ? 275 : 30})
        cholesky<T>(n);
    lu_special<T>();
    triangles<T>(1);
    triangles<T>(45);
    for (int n : {1, 2, 3, 14, 90})
        indefinite<T>(n);
    batched<T>(9, 5);
    batched<T>(40, 3);
    // not positive: the first minor that is not
    matrix a = random_positive<T>(275);
    a(263, 263) = -5;
    for (cublasFillMode_t uplo : FILLS) {
        device<T> d(a);
        array<int> info(1);
        int lwork = 0;
        OK(CALL(potrf_bufferSize)(h, uplo, 275, d.p(), d.lda(), &lwork));
        array<T> work((size_t)lwork);
        OK(CALL(potrf)(h, uplo, 275, d.p(), d.lda(), work.dev, lwork, info.dev));
        CHECK(info.one() == 264);
    }
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
