// SPDX-License-Identifier: Apache-2.0
// Level 2: every function in every type, all modes, steps of both signs; what is not part of a matrix or of its triangle stays as it is.
#include "blas_test.h"

struct vector_shape {
    int incx, incy;
};
static const vector_shape STEPS[] = {{1, 1}, {2, -1}, {-3, 2}};
static const int SIZES[] = {1, 5, 37, 131};

// y = alpha A x + beta y, of a dense A that the caller describes
template <class T, class A>
static void multiply(array<T> &y, int ny, int incy, const array<T> &x, int nx, int incx, X alpha, X beta, A a)
{
    std::vector<X> out((size_t)ny);
    for (int i = 0; i < ny; i++) {
        X sum = 0;
        for (int j = 0; j < nx; j++)
            sum += a(i, j) * x.at(place(j, nx, incx));
        out[(size_t)i] = alpha * sum + (beta == X(0) ? X(0) : beta * y.at(place(i, ny, incy)));
    }
    for (int i = 0; i < ny; i++)
        y.set(place(i, ny, incy), out[(size_t)i]);
}

template <class T> static void fill_nan(array<T> &y)
{
    for (T &t : y.host)
        t = nan_number<T>();
    y.push();
}

template <class T> static void general(cublasHandle_t h, bool device)
{
    const int M[] = {1, 7, 65, 130, 600}, N[] = {3, 1, 130, 33, 40};
    for (int q = 0; q < (device ? 2 : 5); q++) // with scalars of the device the small ones alone
        for (const vector_shape &s : STEPS)
            for (cublasOperation_t o : OPERATIONS)
                for (int zero = 0; zero < 2; zero++) {
                    int m = M[q], n = N[q], lda = m + 3, nx = o == CUBLAS_OP_N ? n : m, ny = o == CUBLAS_OP_N ? m : n;
                    array<T> a((size_t)lda * n), x(room(nx, s.incx)), y(room(ny, s.incy));
                    T al = random_number<T>(), be = zero ? number<T>::to(X(0)) : random_number<T>();
                    if (zero && s.incy == 1)
                        fill_nan(y);
                    scalar_at<T> alpha(al, device), beta(be, device);
                    OK(CALL(gemv)(h, o, m, n, &alpha, a.dev, lda, x.dev, s.incx, &beta, y.dev, s.incy));
                    multiply(y, ny, s.incy, x, nx, s.incx, number<T>::of(al), number<T>::of(be), [&](int i, int j) {
                        return op<T>(o, o == CUBLAS_OP_N ? a.at((size_t)(i + j * lda)) : a.at((size_t)(j + i * lda)));
                    });
                    CHECK(y.equals(eps<T>() * (nx + 20)));
                    // a band of it
                    int kl = m > 4 ? 3 : 0, ku = n > 6 ? 5 : 1, ldb = kl + ku + 2;
                    array<T> b((size_t)ldb * n), z(room(ny, s.incy));
                    OK(CALL64(gbmv)(h, o, m, n, kl, ku, &alpha, b.dev, ldb, x.dev, s.incx, &beta, z.dev, s.incy));
                    multiply(z, ny, s.incy, x, nx, s.incx, number<T>::of(al), number<T>::of(be), [&](int i, int j) {
                        int r = o == CUBLAS_OP_N ? i : j, c = o == CUBLAS_OP_N ? j : i;
                        return r - c > kl || c - r > ku ? X(0) : op<T>(o, b.at((size_t)(ku + r - c + c * ldb)));
                    });
                    CHECK(z.equals(eps<T>() * 60));
                    if (o != CUBLAS_OP_N)
                        continue;
                    // rank one
                    OK(CALL2(ger, geru)(h, m, n, &alpha, y.dev, s.incy, x.dev, s.incx, a.dev, lda));
                    for (int j = 0; j < n; j++)
                        for (int i = 0; i < m; i++)
                            a.set((size_t)(i + j * lda), a.at((size_t)(i + j * lda)) + number<T>::of(al) *
                                                                                           y.at(place(i, m, s.incy)) *
                                                                                           x.at(place(j, n, s.incx)));
                    CHECK(a.equals(eps<T>() * 100 * n));
                    if constexpr (number<T>::is_complex) {
                        auto f = pick<T>(0, 0, cublasCgerc, cublasZgerc);
                        array<T> c((size_t)lda * n);
                        OK(f(h, m, n, &alpha, y.dev, s.incy, x.dev, s.incx, c.dev, lda));
                        for (int j = 0; j < n; j++)
                            for (int i = 0; i < m; i++)
                                c.set((size_t)(i + j * lda),
                                      c.at((size_t)(i + j * lda)) + number<T>::of(al) * y.at(place(i, m, s.incy)) *
                                                                        std::conj(x.at(place(j, n, s.incx))));
                        CHECK(c.equals(eps<T>() * 100 * n));
                    }
                }
}

// Element (i, j) of a symmetric or Hermitian matrix, of which `stored(r, c)` is in memory.
template <class S> static X across(bool upper, bool hermitian, int i, int j, S stored)
{
    bool here = upper ? i <= j : i >= j;
    X v = here ? stored(i, j) : stored(j, i);
    return !hermitian ? v : i == j ? X(v.real()) : here ? v : std::conj(v);
}

static inline size_t packed(bool upper, int n, int i, int j)
{
    return (size_t)(upper ? j * (j + 1) / 2 + i : j * (2 * n - j + 1) / 2 + i - j);
}

template <class T> static void symmetric(cublasHandle_t h, bool device)
{
    const bool C = number<T>::is_complex;
    for (int n : SIZES) {
        if (device && n > 64)
            continue;
        for (const vector_shape &s : STEPS)
            for (cublasFillMode_t uplo : FILLS) {
                bool up = uplo == CUBLAS_FILL_MODE_UPPER;
                int lda = n + 2, k = n > 3 ? 3 : 0, ldb = k + 2;
                array<T> a((size_t)lda * n), b((size_t)ldb * n), p((size_t)n * (n + 1) / 2), x(room(n, s.incx));
                T al = random_number<T>(), be = random_number<T>();
                scalar_at<T> alpha(al, device), beta(be, device);
                X xa = number<T>::of(al), xb = number<T>::of(be);
                auto full = [&](int i, int j) { return a.at((size_t)(i + j * lda)); };
                auto band = [&](int i, int j) {
                    return std::abs(i - j) > k ? X(0) : b.at((size_t)((up ? k + i - j : i - j) + j * ldb));
                };
                auto pack = [&](int i, int j) { return p.at(packed(up, n, i, j)); };
                array<T> y(room(n, s.incy)), z(room(n, s.incy)), w(room(n, s.incy));
                OK(CALL2(symv, hemv)(h, uplo, n, &alpha, a.dev, lda, x.dev, s.incx, &beta, y.dev, s.incy));
                multiply(y, n, s.incy, x, n, s.incx, xa, xb, [&](int i, int j) { return across(up, C, i, j, full); });
                CHECK(y.equals(eps<T>() * (n + 20)));
                OK(CALL2(sbmv, hbmv)(h, uplo, n, k, &alpha, b.dev, ldb, x.dev, s.incx, &beta, z.dev, s.incy));
                multiply(z, n, s.incy, x, n, s.incx, xa, xb, [&](int i, int j) { return across(up, C, i, j, band); });
                CHECK(z.equals(eps<T>() * 50));
                OK(CALL2_64(spmv, hpmv)(h, uplo, n, &alpha, p.dev, x.dev, s.incx, &beta, w.dev, s.incy));
                multiply(w, n, s.incy, x, n, s.incx, xa, xb, [&](int i, int j) { return across(up, C, i, j, pack); });
                CHECK(w.equals(eps<T>() * (n + 20)));
                if constexpr (number<T>::is_complex) {
                    auto f = pick<T>(0, 0, cublasCsymv, cublasZsymv);
                    array<T> v(room(n, s.incy));
                    OK(f(h, uplo, n, &alpha, a.dev, lda, x.dev, s.incx, &beta, v.dev, s.incy));
                    multiply(v, n, s.incy, x, n, s.incx, xa, xb,
                             [&](int i, int j) { return across(up, false, i, j, full); });
                    CHECK(v.equals(eps<T>() * (n + 20)));
                }
            }
    }
}

// Diagonals that are not small, so that systems are well-conditioned.
template <class T> static void steady(array<T> &a, size_t at, int n)
{
    a.set(at, X(2) + a.at(at) * X(0.1L));
    (void)n;
}

template <class T> static void triangular(cublasHandle_t h)
{
    for (int n : SIZES)
        for (int inc : {1, -2, 3})
            for (cublasFillMode_t uplo : FILLS)
                for (cublasOperation_t o : OPERATIONS)
                    for (cublasDiagType_t d : DIAGONALS) {
                        bool up = uplo == CUBLAS_FILL_MODE_UPPER, unit = d == CUBLAS_DIAG_UNIT;
                        int lda = n + 1, k = n > 2 ? 2 : 0, ldb = k + 1;
                        array<T> a((size_t)lda * n), b((size_t)ldb * n), p((size_t)n * (n + 1) / 2);
                        for (T &t : a.host) // columns that do not grow
                            t = number<T>::to(number<T>::of(t) * X(1.0L / n));
                        for (T &t : p.host)
                            t = number<T>::to(number<T>::of(t) * X(1.0L / n));
                        for (T &t : b.host)
                            t = number<T>::to(number<T>::of(t) * X(0.25L));
                        for (int i = 0; i < n; i++) {
                            steady(a, (size_t)(i + i * lda), n);
                            steady(b, (size_t)((up ? k : 0) + i * ldb), n);
                            steady(p, packed(up, n, i, i), n);
                        }
                        a.push();
                        b.push();
                        p.push();
                        auto full = [&](int i, int j) { return a.at((size_t)(i + j * lda)); };
                        auto band = [&](int i, int j) {
                            return std::abs(i - j) > k ? X(0) : b.at((size_t)((up ? k + i - j : i - j) + j * ldb));
                        };
                        auto pack = [&](int i, int j) { return p.at(packed(up, n, i, j)); };
                        auto element = [&](auto stored, int r, int c) { // of op(A)
                            int i = o == CUBLAS_OP_N ? r : c, j = o == CUBLAS_OP_N ? c : r;
                            if (i == j && unit)
                                return X(1);
                            return (up ? i > j : i < j) ? X(0) : op<T>(o, stored(i, j));
                        };
                        array<T> x(room(n, inc)), y(room(n, inc)), z(room(n, inc));
                        std::vector<T> x0 = x.host, y0 = y.host, z0 = z.host;
                        OK(CALL(trmv)(h, uplo, o, d, n, a.dev, lda, x.dev, inc));
                        multiply(x, n, inc, x, n, inc, X(1), X(0), [&](int i, int j) { return element(full, i, j); });
                        CHECK(x.equals(eps<T>() * (n + 20)));
                        OK(CALL(tbmv)(h, uplo, o, d, n, k, b.dev, ldb, y.dev, inc));
                        multiply(y, n, inc, y, n, inc, X(1), X(0), [&](int i, int j) { return element(band, i, j); });
                        CHECK(y.equals(eps<T>() * 30));
                        OK(CALL(tpmv)(h, uplo, o, d, n, p.dev, z.dev, inc));
                        multiply(z, n, inc, z, n, inc, X(1), X(0), [&](int i, int j) { return element(pack, i, j); });
                        CHECK(z.equals(eps<T>() * (n + 20)));
                        // and back
                        OK(CALL(trsv)(h, uplo, o, d, n, a.dev, lda, x.dev, inc));
                        OK(CALL64(tbsv)(h, uplo, o, d, n, k, b.dev, ldb, y.dev, inc));
                        OK(CALL(tpsv)(h, uplo, o, d, n, p.dev, z.dev, inc));
                        x.host = x0;
                        y.host = y0;
                        z.host = z0;
                        CHECK(x.equals(eps<T>() * 30 * (n + 20)) && y.equals(eps<T>() * 1000) &&
                              z.equals(eps<T>() * 30 * (n + 20)));
                    }
}

template <class T> static void ranks(cublasHandle_t h, bool device)
{
    typedef typename number<T>::real R;
    const bool C = number<T>::is_complex;
    for (int n : SIZES) {
        if (device && n > 64)
            continue;
        for (const vector_shape &s : STEPS)
            for (cublasFillMode_t uplo : FILLS) {
                bool up = uplo == CUBLAS_FILL_MODE_UPPER;
                int lda = n + 2;
                array<T> x(room(n, s.incx)), y(room(n, s.incy)), a((size_t)lda * n), p((size_t)n * (n + 1) / 2),
                    b((size_t)lda * n);
                T al = random_number<T>();
                R re = (R)0.625;
                scalar_at<T> alpha(al, device);
                scalar_at<R> real(re, device);
                X xa = number<T>::of(al);
                auto add = [&](array<T> &m, auto index, auto value, bool hermitian) {
                    for (int j = 0; j < n; j++)
                        for (int i = up ? 0 : j; i < (up ? j + 1 : n); i++) {
                            X v = m.at(index(i, j)) + value(i, j);
                            m.set(index(i, j), hermitian && i == j ? X(v.real()) : v);
                        }
                };
                auto full = [&](int i, int j) { return (size_t)(i + j * lda); };
                auto pack = [&](int i, int j) { return packed(up, n, i, j); };
                auto vx = [&](int i) { return x.at(place(i, n, s.incx)); };
                auto vy = [&](int i) { return y.at(place(i, n, s.incy)); };
                auto con = [&](X v) { return C ? std::conj(v) : v; };
                auto one = [&](int i, int j) { return (wide)re * vx(i) * con(vx(j)); };
                auto two = [&](int i, int j) { return xa * vx(i) * con(vy(j)) + con(xa) * vy(i) * con(vx(j)); };
                OK(CALL2(syr, her)(h, uplo, n, &real, x.dev, s.incx, a.dev, lda));
                add(a, full, one, C);
                CHECK(a.equals(eps<T>() * 20));
                OK(CALL2(spr, hpr)(h, uplo, n, &real, x.dev, s.incx, p.dev));
                add(p, pack, one, C);
                CHECK(p.equals(eps<T>() * 20));
                OK(CALL2(syr2, her2)(h, uplo, n, &alpha, x.dev, s.incx, y.dev, s.incy, a.dev, lda));
                add(a, full, two, C);
                CHECK(a.equals(eps<T>() * 40));
                OK(CALL2_64(spr2, hpr2)(h, uplo, n, &alpha, x.dev, s.incx, y.dev, s.incy, p.dev));
                add(p, pack, two, C);
                CHECK(p.equals(eps<T>() * 40));
                if constexpr (number<T>::is_complex) { // symmetric ones of complex numbers
                    OK((pick<T>(0, 0, cublasCsyr, cublasZsyr)(h, uplo, n, &alpha, x.dev, s.incx, b.dev, lda)));
                    add(b, full, [&](int i, int j) { return xa * vx(i) * vx(j); }, false);
                    CHECK(b.equals(eps<T>() * 20));
                    OK((pick<T>(0, 0, cublasCsyr2, cublasZsyr2)(h, uplo, n, &alpha, x.dev, s.incx, y.dev, s.incy, b.dev,
                                                                lda)));
                    add(b, full, [&](int i, int j) { return xa * (vx(i) * vy(j) + vy(i) * vx(j)); }, false);
                    CHECK(b.equals(eps<T>() * 40));
                }
            }
    }
}

template <class T> static void arrays(cublasHandle_t h, bool device)
{
    const int m = 37, n = 21, lda = 40, COUNT = 6;
    for (cublasOperation_t o : OPERATIONS) {
        int nx = o == CUBLAS_OP_N ? n : m, ny = o == CUBLAS_OP_N ? m : n;
        array<T> a((size_t)lda * n * COUNT), x((size_t)nx * 2 * COUNT), y((size_t)ny * COUNT);
        T al = random_number<T>(), be = random_number<T>();
        scalar_at<T> alpha(al, device), beta(be, device);
        auto expect = [&] {
            for (int b = 0; b < COUNT; b++)
                for (int i = 0; i < ny; i++) {
                    X sum = 0;
                    for (int j = 0; j < nx; j++)
                        sum += op<T>(o, a.at((size_t)(b * lda * n + (o == CUBLAS_OP_N ? i + j * lda : j + i * lda)))) *
                               x.at((size_t)(b * nx * 2 + 2 * j));
                    y.set((size_t)(b * ny + i),
                          number<T>::of(al) * sum + number<T>::of(be) * y.at((size_t)(b * ny + i)));
                }
        };
        OK(CALL(gemvStridedBatched)(h, o, m, n, &alpha, a.dev, lda, lda * n, x.dev, 2, nx * 2, &beta, y.dev, 1, ny,
                                    COUNT));
        expect();
        CHECK(y.equals(eps<T>() * 80));
        std::vector<T *> pa, px, py;
        for (int b = 0; b < COUNT; b++) {
            pa.push_back(a.dev + b * lda * n);
            px.push_back(x.dev + b * nx * 2);
            py.push_back(y.dev + b * ny);
        }
        T **lists[3];
        const std::vector<T *> *from[3] = {&pa, &px, &py};
        for (int i = 0; i < 3; i++) {
            CUDA(cudaMalloc(&lists[i], COUNT * sizeof(T *)));
            CUDA(cudaMemcpy(lists[i], from[i]->data(), COUNT * sizeof(T *), cudaMemcpyHostToDevice));
        }
        OK(CALL(gemvBatched)(h, o, m, n, &alpha, lists[0], lda, lists[1], 2, &beta, lists[2], 1, COUNT));
        expect();
        CHECK(y.equals(eps<T>() * 160));
        for (T **l : lists)
            CUDA(cudaFree(l));
    }
}

template <class T> static void all(cublasHandle_t h)
{
    for (int device = 0; device < 2; device++) {
        device_scalars(h, device);
        general<T>(h, device);
        symmetric<T>(h, device);
        ranks<T>(h, device);
        arrays<T>(h, device);
    }
    device_scalars(h, false);
    triangular<T>(h);
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
