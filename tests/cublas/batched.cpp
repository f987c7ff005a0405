// SPDX-License-Identifier: Apache-2.0
// Arrays of matrices: gemm with pointers, with steps and in groups, trsm, and factorisations.
#include "blas_test.h"

// Pointers in device memory to matrices side by side.
template <class T> struct pointers {
    T **dev;
    pointers(array<T> &a, size_t step, int count) : dev(nullptr)
    {
        std::vector<T *> list;
        for (int i = 0; i < count; i++)
            list.push_back(a.dev + (size_t)i * step);
        cudaMalloc(&dev, (size_t)count * sizeof(T *));
        cudaMemcpy(dev, list.data(), (size_t)count * sizeof(T *), cudaMemcpyHostToDevice);
    }
    pointers(const pointers &) = delete;
    ~pointers()
    {
        cudaFree(dev);
    }
};

template <class T> static X element(const array<T> &a, size_t base, int ld, cublasOperation_t o, int i, int j)
{
    X v = a.at(base + (o == CUBLAS_OP_N ? (size_t)(i + j * ld) : (size_t)(j + i * ld)));
    return o == CUBLAS_OP_C ? std::conj(v) : v;
}

template <class T> static void gemm(cublasHandle_t h, bool device)
{
    const int SIZES[][3] = {{4, 4, 4}, {16, 16, 16}, {17, 5, 33}, {1, 9, 2}}, COUNT = 11;
    for (auto &s : SIZES)
        for (cublasOperation_t oa : OPERATIONS)
            for (cublasOperation_t ob : OPERATIONS) {
                int m = s[0], n = s[1], k = s[2], lda = 40, ldb = 36, ldc = 20;
                size_t sa = (size_t)lda * 34 + 5, sb = (size_t)ldb * 34, sc = (size_t)ldc * 17 + 1;
                array<T> a(sa * COUNT), b(sb * COUNT), c(sc * COUNT);
                T al = random_number<T>(), be = random_number<T>();
                scalar_at<T> alpha(al, device), beta(be, device);
                auto expect = [&] {
                    for (int q = 0; q < COUNT; q++)
                        for (int j = 0; j < n; j++)
                            for (int i = 0; i < m; i++) {
                                X sum = 0;
                                for (int p = 0; p < k; p++)
                                    sum += element(a, (size_t)q * sa, lda, oa, i, p) *
                                           element(b, (size_t)q * sb, ldb, ob, p, j);
                                size_t at = (size_t)q * sc + (size_t)(i + j * ldc);
                                c.set(at, number<T>::of(al) * sum + number<T>::of(be) * c.at(at));
                            }
                };
                OK(CALL(gemmStridedBatched)(h, oa, ob, m, n, k, &alpha, a.dev, lda, (long long)sa, b.dev, ldb,
                                            (long long)sb, &beta, c.dev, ldc, (long long)sc, COUNT));
                expect();
                CHECK(c.equals(eps<T>() * (k + 20)));
                pointers<T> pa(a, sa, COUNT), pb(b, sb, COUNT), pc(c, sc, COUNT);
                OK(CALL64(gemmBatched)(h, oa, ob, m, n, k, &alpha, pa.dev, lda, pb.dev, ldb, &beta, pc.dev, ldc,
                                       COUNT));
                expect();
                CHECK(c.equals(eps<T>() * 2 * (k + 20)));
            }
}

template <class T> static void groups(cublasHandle_t h)
{
    const cublasOperation_t oa[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_N},
                            ob[] = {CUBLAS_OP_N, CUBLAS_OP_N, CUBLAS_OP_T};
    const int m[] = {3, 10, 7}, n[] = {4, 6, 9}, k[] = {5, 11, 2}, ld[] = {12, 12, 12}, sizes[] = {2, 3, 1};
    const T al[] = {(T)1.5, (T)-0.5, (T)2}, be[] = {(T)0.5, (T)0, (T)1};
    const size_t step = 12 * 12;
    array<T> a(step * 6), b(step * 6), c(step * 6);
    pointers<T> pa(a, step, 6), pb(b, step, 6), pc(c, step, 6);
    auto f = pick<T>(cublasSgemmGroupedBatched, cublasDgemmGroupedBatched, 0, 0);
    OK(f(h, oa, ob, m, n, k, al, pa.dev, ld, pb.dev, ld, be, pc.dev, ld, 3, sizes));
    int q = 0;
    for (int g = 0; g < 3; g++)
        for (int r = 0; r < sizes[g]; r++, q++)
            for (int j = 0; j < n[g]; j++)
                for (int i = 0; i < m[g]; i++) {
                    X sum = 0;
                    for (int p = 0; p < k[g]; p++)
                        sum += element(a, (size_t)q * step, 12, oa[g], i, p) *
                               element(b, (size_t)q * step, 12, ob[g], p, j);
                    size_t at = (size_t)q * step + (size_t)(i + j * 12);
                    c.set(at, X(al[g]) * sum + X(be[g]) * c.at(at));
                }
    CHECK(c.equals(eps<T>() * 40));
    const int64_t wide_m[] = {3, 10, 7}, wide_n[] = {4, 6, 9}, wide_k[] = {0, 0, 0}, wide_ld[] = {12, 12, 12},
                  wide_sizes[] = {2, 3, 1};
    auto wide = pick<T>(cublasSgemmGroupedBatched_64, cublasDgemmGroupedBatched_64, 0, 0);
    const T zero[] = {0, 0, 0};
    OK(wide(h, oa, ob, wide_m, wide_n, wide_k, al, pa.dev, wide_ld, pb.dev, wide_ld, zero, pc.dev, wide_ld, 3,
            wide_sizes));
    q = 0;
    for (int g = 0; g < 3; g++)
        for (int r = 0; r < sizes[g]; r++, q++)
            for (int j = 0; j < n[g]; j++)
                for (int i = 0; i < m[g]; i++)
                    c.set((size_t)q * step + (size_t)(i + j * 12), X(0));
    CHECK(c.equals(0));
}

template <class T> static void steady(array<T> &a, size_t step, int ld, int n, int count)
{
    for (int q = 0; q < count; q++)
        for (int i = 0; i < n; i++) {
            size_t at = (size_t)q * step + (size_t)(i + i * ld);
            a.set(at, X(n + 1) + a.at(at));
        }
    a.push();
}

template <class T> static void systems(cublasHandle_t h, bool device)
{
    const int COUNT = 9, ldb = 50;
    for (int n : {1, 6, 40})
        for (cublasSideMode_t side : SIDES)
            for (cublasFillMode_t uplo : FILLS)
                for (cublasOperation_t o : OPERATIONS) {
                    int m = side == CUBLAS_SIDE_LEFT ? n : 7, cols = side == CUBLAS_SIDE_LEFT ? 5 : n, lda = n + 1;
                    size_t sa = (size_t)lda * (size_t)n, sb = (size_t)ldb * 45;
                    array<T> a(sa * COUNT), b(sb * COUNT);
                    steady(a, sa, lda, n, COUNT);
                    pointers<T> pa(a, sa, COUNT), pb(b, sb, COUNT);
                    scalar_at<T> alpha(number<T>::to(X(2)), device);
                    OK(CALL(trsmBatched)(h, side, uplo, o, CUBLAS_DIAG_NON_UNIT, m, cols, &alpha, pa.dev, lda, pb.dev,
                                         ldb, COUNT));
                    std::vector<T> x(b.host.size());
                    CUDA(cudaMemcpy(x.data(), b.dev, x.size() * sizeof(T), cudaMemcpyDeviceToHost));
                    bool right = true, up = uplo == CUBLAS_FILL_MODE_UPPER;
                    for (int q = 0; q < COUNT; q++)
                        for (int j = 0; j < cols; j++)
                            for (int i = 0; i < m; i++) { // op(A) X = 2 B, or X op(A)
                                X sum = 0;
                                for (int p = 0; p < n; p++) {
                                    int r = side == CUBLAS_SIDE_LEFT ? i : p, c = side == CUBLAS_SIDE_LEFT ? p : j;
                                    int sr = o == CUBLAS_OP_N ? r : c, sc = o == CUBLAS_OP_N ? c : r;
                                    if (up ? sr > sc : sr < sc)
                                        continue;
                                    size_t at = (size_t)q * sb + (side == CUBLAS_SIDE_LEFT ? (size_t)(p + j * ldb)
                                                                                           : (size_t)(i + p * ldb));
                                    sum += element(a, (size_t)q * sa, lda, o, r, c) * number<T>::of(x[at]);
                                }
                                X want = X(2) * b.at((size_t)q * sb + (size_t)(i + j * ldb));
                                right &= std::abs(sum - want) <= eps<T>() * 40 * (n + 4);
                            }
                    CHECK(right);
                }
}

// A A^-1 = 1, by factors and at once; solutions of systems; singular matrices.
template <class T> static void factors(cublasHandle_t h)
{
    const int COUNT = 7;
    for (int pivoting = 0; pivoting < 2; pivoting++)
        for (int n : {1, 5, 32}) {
            int lda = n + 2, ldc = n + 1, nrhs = 3;
            size_t sa = (size_t)lda * (size_t)n, sc = (size_t)ldc * (size_t)n, sb = (size_t)ldc * (size_t)nrhs;
            array<T> a(sa * COUNT), lu(sa * COUNT), c(sc * COUNT);
            if (!pivoting)
                steady(a, sa, lda, n, COUNT);
            lu.host = a.host;
            lu.push();
            pointers<T> pl(lu, sa, COUNT), pc(c, sc, COUNT), pa(a, sa, COUNT);
            int *pivots = nullptr, *info = nullptr;
            if (pivoting)
                CUDA(cudaMalloc(&pivots, (size_t)(n * COUNT) * sizeof(int)));
            CUDA(cudaMalloc(&info, COUNT * sizeof(int)));
            OK(CALL(getrfBatched)(h, n, pl.dev, lda, pivots, info, COUNT));
            std::vector<int> infos(COUNT, 9);
            CUDA(cudaMemcpy(infos.data(), info, COUNT * sizeof(int), cudaMemcpyDeviceToHost));
            for (int i : infos)
                CHECK(i == 0);
            OK(CALL(getriBatched)(h, n, pl.dev, lda, pivots, pc.dev, ldc, info, COUNT));
            auto inverse = [&] {
                std::vector<T> x(c.host.size());
                CUDA(cudaMemcpy(x.data(), c.dev, x.size() * sizeof(T), cudaMemcpyDeviceToHost));
                wide worst = 0;
                for (int q = 0; q < COUNT; q++)
                    for (int j = 0; j < n; j++)
                        for (int i = 0; i < n; i++) {
                            X sum = i == j ? X(-1) : X(0);
                            wide size = 1;
                            for (int p = 0; p < n; p++) {
                                X t = a.at((size_t)q * sa + (size_t)(i + p * lda)) *
                                      number<T>::of(x[(size_t)q * sc + (size_t)(p + j * ldc)]);
                                sum += t;
                                size += std::abs(t);
                            }
                            worst = std::max(worst, std::abs(sum) / size);
                        }
                return worst;
            };
            CHECK(inverse() < eps<T>() * 300 * n);
            if (pivoting) {
                OK(CALL(matinvBatched)(h, n, pa.dev, lda, pc.dev, ldc, info, COUNT));
                CHECK(inverse() < eps<T>() * 300 * n);
            }
            for (cublasOperation_t o : OPERATIONS) {
                array<T> b(sb * COUNT);
                pointers<T> pb(b, sb, COUNT);
                int host = 5;
                OK(CALL(getrsBatched)(h, o, n, nrhs, pl.dev, lda, pivots, pb.dev, ldc, &host, COUNT));
                CHECK(host == 0);
                std::vector<T> x(b.host.size());
                CUDA(cudaMemcpy(x.data(), b.dev, x.size() * sizeof(T), cudaMemcpyDeviceToHost));
                wide worst = 0;
                for (int q = 0; q < COUNT; q++)
                    for (int j = 0; j < nrhs; j++)
                        for (int i = 0; i < n; i++) {
                            X sum = -b.at((size_t)q * sb + (size_t)(i + j * ldc));
                            wide size = 1;
                            for (int p = 0; p < n; p++) {
                                X t = element(a, (size_t)q * sa, lda, o, i, p) *
                                      number<T>::of(x[(size_t)q * sb + (size_t)(p + j * ldc)]);
                                sum += t;
                                size += std::abs(t);
                            }
                            worst = std::max(worst, std::abs(sum) / size);
                        }
                CHECK(worst < eps<T>() * 300 * n);
            }
            // the second matrix has a row of zeros
            if (n > 1 && pivoting) {
                for (int j = 0; j < n; j++)
                    a.set(sa + (size_t)(1 + j * lda), X(0));
                a.push();
                OK(CALL(getrfBatched)(h, n, pa.dev, lda, pivots, info, COUNT));
                CUDA(cudaMemcpy(infos.data(), info, COUNT * sizeof(int), cudaMemcpyDeviceToHost));
                CHECK(infos[0] == 0 && infos[1] == n);
            }
            CUDA(cudaFree(pivots));
            CUDA(cudaFree(info));
        }
}

// A = Q R: A^H A = R^H R. The best solution leaves a rest that is orthogonal to A.
template <class T> static void least_squares(cublasHandle_t h)
{
    const int COUNT = 5;
    const int SIZES[][2] = {{1, 1}, {6, 4}, {33, 20}, {8, 8}};
    for (auto &s : SIZES) {
        int m = s[0], n = s[1], lda = m + 1, ldc = m + 2, nrhs = 2, info = 9, *infos = nullptr;
        size_t sa = (size_t)lda * (size_t)n, sc = (size_t)ldc * (size_t)nrhs, st = (size_t)n;
        array<T> a(sa * COUNT), qr(sa * COUNT), tau(st * COUNT), c(sc * COUNT);
        qr.host = a.host;
        qr.push();
        pointers<T> pq(qr, sa, COUNT), pt(tau, st, COUNT), pc(c, sc, COUNT), pa(a, sa, COUNT);
        OK(CALL(geqrfBatched)(h, m, n, pq.dev, lda, pt.dev, &info, COUNT));
        CHECK(info == 0);
        std::vector<T> f(qr.host.size());
        CUDA(cudaMemcpy(f.data(), qr.dev, f.size() * sizeof(T), cudaMemcpyDeviceToHost));
        wide worst = 0;
        for (int q = 0; q < COUNT; q++)
            for (int j = 0; j < n; j++)
                for (int i = 0; i < n; i++) {
                    X sum = 0;
                    for (int p = 0; p < m; p++)
                        sum += std::conj(a.at((size_t)q * sa + (size_t)(p + i * lda))) *
                               a.at((size_t)q * sa + (size_t)(p + j * lda));
                    for (int p = 0; p <= std::min(i, j); p++)
                        sum -= std::conj(number<T>::of(f[(size_t)q * sa + (size_t)(p + i * lda)])) *
                               number<T>::of(f[(size_t)q * sa + (size_t)(p + j * lda)]);
                    worst = std::max(worst, std::abs(sum));
                }
        CHECK(worst < eps<T>() * 100 * m);
        CUDA(cudaMalloc(&infos, COUNT * sizeof(int)));
        OK(CALL(gelsBatched)(h, CUBLAS_OP_N, m, n, nrhs, pa.dev, lda, pc.dev, ldc, &info, infos, COUNT));
        CHECK(info == 0);
        std::vector<T> x(c.host.size());
        CUDA(cudaMemcpy(x.data(), c.dev, x.size() * sizeof(T), cudaMemcpyDeviceToHost));
        worst = 0;
        for (int q = 0; q < COUNT; q++)
            for (int j = 0; j < nrhs; j++)
                for (int i = 0; i < n; i++) {
                    X sum = 0;
                    wide size = 1;
                    for (int p = 0; p < m; p++) {
                        X rest = -c.at((size_t)q * sc + (size_t)(p + j * ldc));
                        for (int r = 0; r < n; r++) {
                            X t = a.at((size_t)q * sa + (size_t)(p + r * lda)) *
                                  number<T>::of(x[(size_t)q * sc + (size_t)(r + j * ldc)]);
                            rest += t;
                            size += std::abs(t);
                        }
                        sum += std::conj(a.at((size_t)q * sa + (size_t)(p + i * lda))) * rest;
                    }
                    worst = std::max(worst, std::abs(sum) / size);
                }
        CHECK(worst < eps<T>() * 100 * m);
        CUDA(cudaFree(infos));
    }
}

template <class T> static void all(cublasHandle_t h)
{
    for (int device = 0; device < 2; device++) {
        device_scalars(h, device);
        gemm<T>(h, device);
        systems<T>(h, device);
    }
    device_scalars(h, false);
    if constexpr (!number<T>::is_complex)
        groups<T>(h);
    factors<T>(h);
    least_squares<T>(h);
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
