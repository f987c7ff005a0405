// SPDX-License-Identifier: Apache-2.0
// cublasXt: every function in all types against a loop in higher precision, with matrices of host, device and managed memory, on one
// device and on several, with block dimensions that divide nothing. What must not be read is NaN, what must not be written is compared.
#include "blas_test.h"
#include <cublasXt.h>
#include <atomic>
#include <functional>
#include <thread>

#define XT(name)         pick<T>(cublasXtS##name, cublasXtD##name, cublasXtC##name, cublasXtZ##name)
#define XT_COMPLEX(name) pick<T>(cublasXtC##name, cublasXtC##name, cublasXtC##name, cublasXtZ##name)
static const cublasStatus_t BAD = CUBLAS_STATUS_INVALID_VALUE, NONE = CUBLAS_STATUS_NOT_INITIALIZED;

enum place_kind { HOST, DEVICE, MANAGED };
typedef std::function<X(size_t, size_t)> element;

template <class T> struct matrix {
    size_t rows, columns, ld;
    place_kind where;
    std::vector<T> want;
    T *at;
    matrix(size_t m, size_t n, place_kind kind) : rows(m), columns(n), ld(m + 3), where(kind), want(ld * n), at(nullptr)
    {
        for (T &t : want)
            t = random_number<T>();
    }
    matrix(const matrix &) = delete;
    void give() // what is in `want`, to where it is to be
    {
        size_t bytes = want.size() * sizeof(T);
        if (where == HOST)
            at = (T *)malloc(bytes);
        else
            CUDA(where == DEVICE ? cudaMalloc(&at, bytes) : cudaMallocManaged(&at, bytes));
        CUDA(cudaMemcpy(at, want.data(), bytes, cudaMemcpyDefault));
    }
    ~matrix()
    {
        if (where == HOST)
            free(at);
        else
            cudaFree(at);
    }
    X get(size_t i, size_t j) const
    {
        return number<T>::of(want[i + j * ld]);
    }
    void set(size_t i, size_t j, X x)
    {
        want[i + j * ld] = number<T>::to(x);
    }
    bool equals(wide bound) const
    {
        std::vector<T> got(want.size());
        CUDA(cudaMemcpy(got.data(), at, got.size() * sizeof(T), cudaMemcpyDefault));
        for (size_t i = 0; i < got.size(); i++) {
            X a = number<T>::of(got[i]), b = number<T>::of(want[i]);
            if (std::isnan(b.real()) ? !std::isnan(a.real()) : !(std::abs(a - b) <= bound * (1 + std::abs(b))))
                return false;
        }
        return true;
    }
    // Elements that a triangular or symmetric matrix does not have.
    void other_triangle_is_nan(cublasFillMode_t uplo, bool diagonal)
    {
        for (size_t j = 0; j < columns; j++)
            for (size_t i = 0; i < rows; i++)
                if ((uplo == CUBLAS_FILL_MODE_UPPER ? i > j : i < j) || (diagonal && i == j))
                    want[i + j * ld] = nan_number<T>();
    }
    element read(cublasOperation_t o = CUBLAS_OP_N) const
    {
        return [this, o](size_t i, size_t j) { return o == CUBLAS_OP_N ? get(i, j) : op<T>(o, get(j, i)); };
    }
};

static X sum(size_t k, size_t i, size_t j, const element &a, const element &b)
{
    X s = 0;
    for (size_t p = 0; p < k; p++)
        s += a(i, p) * b(p, j);
    return s;
}

static bool is_stored(cublasFillMode_t uplo, size_t i, size_t j)
{
    return uplo == CUBLAS_FILL_MODE_UPPER ? i <= j : i >= j;
}

// ---- every function, once for each of its modes
struct shape {
    size_t m, n, k;
    place_kind a, b, c;
};
template <class T> static wide bound(size_t k)
{
    return 40 * (wide)k * eps<T>();
}
// Real functions have no conjugated form of their own, and are tried with it.
template <class T> static void gemm(cublasXtHandle_t h, const shape &s)
{
    for (auto ta : OPERATIONS)
        for (auto tb : OPERATIONS) {
            matrix<T> a(ta == CUBLAS_OP_N ? s.m : s.k, ta == CUBLAS_OP_N ? s.k : s.m, s.a);
            matrix<T> b(tb == CUBLAS_OP_N ? s.k : s.n, tb == CUBLAS_OP_N ? s.n : s.k, s.b), c(s.m, s.n, s.c);
            T alpha = random_number<T>(), beta = ta == tb ? T{} : random_number<T>();
            bool zero = ta == tb; // then C is not read
            if (zero)
                for (size_t j = 0; j < s.n; j++)
                    for (size_t i = 0; i < s.m; i++)
                        c.want[i + j * c.ld] = nan_number<T>();
            a.give(), b.give(), c.give();
            for (size_t j = 0; j < s.n; j++)
                for (size_t i = 0; i < s.m; i++)
                    c.set(i, j,
                          number<T>::of(alpha) * sum(s.k, i, j, a.read(ta), b.read(tb)) +
                              (zero ? X(0) : number<T>::of(beta) * c.get(i, j)));
            OK(XT(gemm)(h, ta, tb, s.m, s.n, s.k, &alpha, a.at, a.ld, b.at, b.ld, &beta, c.at, c.ld));
            CHECK(c.equals(bound<T>(s.k)));
        }
}

template <class T> static element symmetric(const matrix<T> &a, cublasFillMode_t uplo, bool hermitian)
{
    return [&a, uplo, hermitian](size_t i, size_t j) {
        X x = is_stored(uplo, i, j) ? a.get(i, j) : a.get(j, i);
        return !hermitian ? x : i == j ? X(x.real()) : is_stored(uplo, i, j) ? x : std::conj(x);
    };
}

enum sided_kind { SYMM, HEMM, SPMM };
template <class T> static void sided(cublasXtHandle_t h, const shape &s, sided_kind kind)
{
    for (auto side : SIDES)
        for (auto uplo : FILLS) {
            size_t n = side == CUBLAS_SIDE_LEFT ? s.m : s.n, at = 0;
            matrix<T> a(n, n, s.a), packed(n * (n + 1) / 2, 1, s.a), b(s.m, s.n, s.b), c(s.m, s.n, s.c);
            T alpha = random_number<T>(), beta = random_number<T>();
            a.other_triangle_is_nan(uplo, false);
            for (size_t j = 0; j < n; j++)
                for (size_t i = 0; i < n; i++)
                    if (is_stored(uplo, i, j))
                        packed.want[at++] = a.want[i + j * a.ld];
            a.give(), packed.give(), b.give(), c.give();
            element full = symmetric(a, uplo, kind == HEMM);
            for (size_t j = 0; j < s.n; j++)
                for (size_t i = 0; i < s.m; i++)
                    c.set(i, j,
                          number<T>::of(beta) * c.get(i, j) +
                              number<T>::of(alpha) * (side == CUBLAS_SIDE_LEFT ? sum(n, i, j, full, b.read())
                                                                               : sum(n, i, j, b.read(), full)));
            if (kind == SPMM) {
                OK(XT(spmm)(h, side, uplo, s.m, s.n, &alpha, packed.at, b.at, b.ld, &beta, c.at, c.ld));
            } else if (kind == SYMM) {
                OK(XT(symm)(h, side, uplo, s.m, s.n, &alpha, a.at, a.ld, b.at, b.ld, &beta, c.at, c.ld));
            } else if constexpr (number<T>::is_complex) {
                OK(XT_COMPLEX(hemm)(h, side, uplo, s.m, s.n, &alpha, a.at, a.ld, b.at, b.ld, &beta, c.at, c.ld));
            }
            CHECK(c.equals(bound<T>(n)));
        }
}

enum rank_kind { SYRK, SYR2K, SYRKX, HERK, HER2K, HERKX };
template <class T>
static void rank_one(cublasXtHandle_t h, const shape &s, rank_kind kind, cublasFillMode_t uplo, cublasOperation_t trans)
{
    typedef typename number<T>::real R;
    bool hermitian = kind >= HERK, single = kind == SYRK || kind == HERK;
    size_t n = s.n, k = s.k;
    matrix<T> a(trans == CUBLAS_OP_N ? n : k, trans == CUBLAS_OP_N ? k : n, s.a), b(a.rows, a.columns, s.b),
        c(n, n, s.c);
    if (single || kind == HERKX) // a Hermitian result needs A and B that give one
        b.want = a.want;
    T alpha = random_number<T>();
    R real_alpha = (R)random_unit(), real_beta = (R)random_unit();
    T beta = hermitian ? number<T>::to(X(real_beta)) : random_number<T>();
    if (kind == HERK || kind == HERKX)
        alpha = number<T>::to(X(real_alpha));
    c.other_triangle_is_nan(uplo, false);
    a.give(), b.give(), c.give();
    cublasOperation_t other = hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
    cublasOperation_t first = trans == CUBLAS_OP_N ? CUBLAS_OP_N : other,
                      second = trans == CUBLAS_OP_N ? other : CUBLAS_OP_N;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            if (!is_stored(uplo, i, j))
                continue;
            X x = number<T>::of(alpha), turned = hermitian ? std::conj(x) : x, old = c.get(i, j);
            if (hermitian && i == j)
                old = old.real();
            X y = x * sum(k, i, j, a.read(first), b.read(second)) + number<T>::of(beta) * old;
            if (kind == SYR2K || kind == HER2K)
                y += turned * sum(k, i, j, b.read(first), a.read(second));
            c.set(i, j, y);
        }
    if (kind == SYRK)
        OK(XT(syrk)(h, uplo, trans, n, k, &alpha, a.at, a.ld, &beta, c.at, c.ld));
    if (kind == SYR2K)
        OK(XT(syr2k)(h, uplo, trans, n, k, &alpha, a.at, a.ld, b.at, b.ld, &beta, c.at, c.ld));
    if (kind == SYRKX)
        OK(XT(syrkx)(h, uplo, trans, n, k, &alpha, a.at, a.ld, b.at, b.ld, &beta, c.at, c.ld));
    if constexpr (number<T>::is_complex) {
        if (kind == HERK)
            OK(XT_COMPLEX(herk)(h, uplo, trans, n, k, &real_alpha, a.at, a.ld, &real_beta, c.at, c.ld));
        if (kind == HER2K)
            OK(XT_COMPLEX(her2k)(h, uplo, trans, n, k, &alpha, a.at, a.ld, b.at, b.ld, &real_beta, c.at, c.ld));
        if (kind == HERKX)
            OK(XT_COMPLEX(herkx)(h, uplo, trans, n, k, &alpha, a.at, a.ld, b.at, b.ld, &real_beta, c.at, c.ld));
    }
    CHECK(c.equals(bound<T>(2 * k)));
}

template <class T> static void rank(cublasXtHandle_t h, const shape &s, rank_kind kind)
{
    for (auto uplo : FILLS)
        for (auto trans : {CUBLAS_OP_N, kind >= HERK ? CUBLAS_OP_C : CUBLAS_OP_T})
            rank_one<T>(h, s, kind, uplo, trans);
}

// trmm, and trsm of what trmm gave: then B is there again.
template <class T>
static void triangular_one(cublasXtHandle_t h, const shape &s, cublasSideMode_t side, cublasFillMode_t uplo,
                           cublasOperation_t trans, cublasDiagType_t diag)
{
    size_t n = side == CUBLAS_SIDE_LEFT ? s.m : s.n;
    bool unit = diag == CUBLAS_DIAG_UNIT;
    matrix<T> a(n, n, s.a), b(s.m, s.n, s.b), c(s.m, s.n, s.c);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            a.set(i, j, i == j ? X(2) + a.get(i, j) : a.get(i, j) * X((wide)1 / (wide)n));
    a.other_triangle_is_nan(uplo, unit);
    a.give(), b.give(), c.give();
    element full = [&](size_t i, size_t j) {
        size_t x = trans == CUBLAS_OP_N ? i : j, y = trans == CUBLAS_OP_N ? j : i;
        return x == y && unit ? X(1) : is_stored(uplo, x, y) ? op<T>(trans, a.get(x, y)) : X(0);
    };
    T alpha = number<T>::to(X(2)), half = number<T>::to(X((wide)0.5));
    for (size_t j = 0; j < s.n; j++)
        for (size_t i = 0; i < s.m; i++)
            c.set(i, j,
                  X(2) * (side == CUBLAS_SIDE_LEFT ? sum(n, i, j, full, b.read()) : sum(n, i, j, b.read(), full)));
    OK(XT(trmm)(h, side, uplo, trans, diag, s.m, s.n, &alpha, a.at, a.ld, b.at, b.ld, c.at, c.ld));
    CHECK(c.equals(bound<T>(n)));
    CHECK(b.equals(0));
    OK(XT(trsm)(h, side, uplo, trans, diag, s.m, s.n, &half, a.at, a.ld, c.at, c.ld));
    for (size_t j = 0; j < s.n; j++)
        for (size_t i = 0; i < s.m; i++)
            c.set(i, j, b.get(i, j));
    CHECK(c.equals(4 * bound<T>(n)));
}

template <class T> static void triangular(cublasXtHandle_t h, const shape &s)
{
    for (auto side : SIDES)
        for (auto uplo : FILLS)
            for (auto trans : OPERATIONS)
                for (auto diag : DIAGONALS)
                    triangular_one<T>(h, s, side, uplo, trans, diag);
}

template <class T> static void all(cublasXtHandle_t h, const shape &s)
{
    gemm<T>(h, s);
    triangular<T>(h, s);
    for (auto kind : {SYMM, HEMM, SPMM})
        if (number<T>::is_complex || kind != HEMM)
            sided<T>(h, s, kind);
    for (auto kind : {SYRK, SYR2K, SYRKX, HERK, HER2K, HERKX})
        if (number<T>::is_complex || kind < HERK)
            rank<T>(h, s, kind);
}

// ---- part of the work is the host's
static int host_calls, host_m, host_n;
extern "C" void host_gemm(const char *ta, const char *tb, const int *m, const int *n, const int *k, const double *alpha,
                          const double *a, const int *lda, const double *b, const int *ldb, const double *beta,
                          double *c, const int *ldc)
{
    host_calls++;
    host_m = *m, host_n = *n;
    for (int j = 0; j < *n; j++)
        for (int i = 0; i < *m; i++) {
            double x = 0;
            for (int p = 0; p < *k; p++)
                x +=
                    (*ta == 'N' ? a[i + p * *lda] : a[p + i * *lda]) * (*tb == 'N' ? b[p + j * *ldb] : b[j + p * *ldb]);
            double *d = &c[i + j * *ldc];
            *d = *alpha * x + (*beta == 0 ? 0 : *beta * *d);
        }
}

static void shared(cublasXtHandle_t h)
{
    OK(cublasXtSetCpuRoutine(h, CUBLASXT_GEMM, CUBLASXT_DOUBLE, (void *)host_gemm));
    gemm<double>(h, {20, 40, 5, HOST, HOST, HOST}); // no ratio yet
    CHECK(host_calls == 0);
    OK(cublasXtSetCpuRatio(h, CUBLASXT_GEMM, CUBLASXT_DOUBLE, 0.25f));
    gemm<double>(h, {20, 40, 5, HOST, HOST, HOST});
    HEDDLE_ONLY(CHECK(host_calls == 9 && host_m == 20 && host_n == 10)); // at the right
    gemm<double>(h, {40, 20, 5, HOST, HOST, HOST});
    HEDDLE_ONLY(CHECK(host_calls == 18 && host_m == 10 && host_n == 20)); // at the bottom
    host_calls = 0;
    gemm<double>(h, {40, 20, 5, HOST, DEVICE, HOST}); // a matrix of a device's: all is the devices'
    gemm<float>(h, {40, 20, 5, HOST, HOST, HOST});
    CHECK(host_calls == 0);
    OK(cublasXtSetCpuRatio(h, CUBLASXT_GEMM, CUBLASXT_DOUBLE, 1));
    gemm<double>(h, {7, 9, 5, HOST, HOST, HOST});
    OK(cublasXtSetCpuRatio(h, CUBLASXT_GEMM, CUBLASXT_DOUBLE, 0));
    for (auto op : {CUBLASXT_SYRK, CUBLASXT_SYMM, CUBLASXT_TRSM, CUBLASXT_SPMM, CUBLASXT_TRMM})
        HEDDLE_ONLY(WANT(cublasXtSetCpuRatio(h, op, CUBLASXT_FLOAT, 0.5f), CUBLAS_STATUS_NOT_SUPPORTED),
                    WANT(cublasXtSetCpuRoutine(h, op, CUBLASXT_FLOAT, (void *)host_gemm), CUBLAS_STATUS_NOT_SUPPORTED));
    HEDDLE_ONLY(WANT(cublasXtSetCpuRoutine(h, CUBLASXT_HERK, CUBLASXT_FLOAT, (void *)host_gemm), BAD),
                WANT(cublasXtSetCpuRoutine(h, CUBLASXT_ROUTINE_MAX, CUBLASXT_FLOAT, (void *)host_gemm), BAD),
                WANT(cublasXtSetCpuRatio(h, CUBLASXT_GEMM, (cublasXtOpType_t)4, 0.5f), BAD),
                WANT(cublasXtSetCpuRatio(h, CUBLASXT_GEMM, CUBLASXT_FLOAT, 1.5f), BAD));
}

// ---- devices take turns: while one is kept busy, the pieces of the other one are done and its own are not
static void turns(cublasXtHandle_t h)
{
    static std::atomic<bool> go{false};
    static volatile float c[4] = {7, 7, 7, 7};
    static const float a[2] = {1, 2}, b[2] = {3, 4}, one = 1, zero = 0;
    OK(cublasXtSetBlockDim(h, 1));
    CUDA(cudaSetDevice(1));
    CUDA(cudaLaunchHostFunc(
        nullptr,
        [](void *) {
            while (!go)
                std::this_thread::yield();
        },
        nullptr));
    CUDA(cudaSetDevice(0));
    std::thread t(
        [h] { OK(cublasXtSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 1, &one, a, 2, b, 1, &zero, (float *)c, 2)); });
    while (c[0] != 3 || c[2] != 4)
        std::this_thread::yield();
    CHECK(c[1] == 7 && c[3] == 7);
    go = true;
    t.join();
    CHECK(c[0] == 3 && c[1] == 6 && c[2] == 4 && c[3] == 8);
}

static void handles(int devices)
{
    cublasXtHandle_t h = nullptr, gone = nullptr;
    int list[] = {0, 1, 2, 99}, n = 0, current = -1;
    float one = 1, x[4] = {1, 2, 3, 4};
    HEDDLE_ONLY(WANT(cublasXtCreate(nullptr), BAD));
    OK(cublasXtCreate(&gone));
    OK(cublasXtDestroy(gone));
    if (on_heddle()) {
        for (cublasXtHandle_t bad : {h, gone}) {
            WANT(cublasXtDestroy(bad), NONE);
            WANT(cublasXtDeviceSelect(bad, 1, list), NONE);
            WANT(cublasXtGetBlockDim(bad, &n), NONE);
            WANT(cublasXtSgemm(bad, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, x, 1, x, 1, &one, x, 1), NONE);
        }
    }
    for (int i = 0; i < 200; i++) { // memory of handles that are gone is used again
        cublasHandle_t blas;
        OK(cublasXtCreate(&gone));
        OK(cublasCreate(&blas));
        HEDDLE_ONLY(WANT(cublasXtGetBlockDim((cublasXtHandle_t)blas, &n), NONE)); // a handle of the other kind
        OK(cublasXtDestroy(gone));
        OK(cublasDestroy(blas));
    }
    OK(cublasXtCreate(&h));
    HEDDLE_ONLY(WANT(cublasXtSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, x, 1, x, 1, &one, x, 1), NONE),
                WANT(cublasXtDeviceSelect(h, 1, list + 3), BAD), WANT(cublasXtDeviceSelect(h, 0, list), BAD),
                WANT(cublasXtDeviceSelect(h, 1, nullptr), BAD));
    OK(cublasXtDeviceSelect(h, devices, list));
    CUDA(cudaGetDevice(&current));
    CHECK(current == 0);
    OK(cublasXtGetBlockDim(h, &n));
    CHECK(n > 0 && (n == 2048 || !on_heddle()));
    WANT(cublasXtSetBlockDim(h, 0), BAD);
    WANT(cublasXtSetBlockDim(h, -5), BAD);
    OK(cublasXtSetBlockDim(h, 77));
    OK(cublasXtGetBlockDim(h, &n));
    CHECK(n == 77);
    cublasXtPinnedMemMode_t mode = CUBLASXT_PINNING_ENABLED;
    OK(cublasXtGetPinningMemMode(h, &mode));
    CHECK(mode == CUBLASXT_PINNING_DISABLED);
    OK(cublasXtSetPinningMemMode(h, CUBLASXT_PINNING_ENABLED));
    OK(cublasXtGetPinningMemMode(h, &mode));
    CHECK(mode == CUBLASXT_PINNING_ENABLED);
    HEDDLE_ONLY(WANT(cublasXtSetPinningMemMode(h, (cublasXtPinnedMemMode_t)3), BAD));
    OK(cublasXtGetNumBoards(devices, list, &n));
    CHECK(n >= 1 && n <= devices);
    HEDDLE_ONLY(CHECK(n == devices), WANT(cublasXtGetNumBoards(1, list + 3, &n), BAD));
    OK(cublasXtMaxBoards(&n));
    CHECK(n >= 1);
    CHECK(x[0] == 1);
    OK(cublasXtDestroy(h));
}

static void arguments(cublasXtHandle_t h)
{
    const auto N = CUBLAS_OP_N, T = CUBLAS_OP_T;
    const auto U = CUBLAS_FILL_MODE_UPPER;
    const auto L = CUBLAS_SIDE_LEFT, R = CUBLAS_SIDE_RIGHT;
    const auto D = CUBLAS_DIAG_NON_UNIT;
    std::vector<double> a(100, 1), b(100, 1), c(100, 5), before = c;
    std::vector<cuDoubleComplex> z(100);
    double one = 1;
    cuDoubleComplex zone = {1, 0};
    OK(cublasXtSetBlockDim(h, 2)); // a piece alone would be right
    WANT(cublasXtDgemm(h, N, N, 4, 4, 3, &one, a.data(), 3, b.data(), 3, &one, c.data(), 4), BAD);
    WANT(cublasXtDgemm(h, N, N, 4, 4, 3, &one, a.data(), 4, b.data(), 2, &one, c.data(), 4), BAD);
    WANT(cublasXtDgemm(h, N, N, 4, 4, 3, &one, a.data(), 4, b.data(), 3, &one, c.data(), 3), BAD);
    WANT(cublasXtDgemm(h, T, N, 4, 4, 3, &one, a.data(), 2, b.data(), 3, &one, c.data(), 4), BAD);
    WANT(cublasXtDsymm(h, L, U, 4, 3, &one, a.data(), 3, b.data(), 4, &one, c.data(), 4), BAD);
    WANT(cublasXtDsymm(h, R, U, 4, 3, &one, a.data(), 3, b.data(), 3, &one, c.data(), 4), BAD);
    WANT(cublasXtDspmm(h, L, U, 4, 3, &one, a.data(), b.data(), 3, &one, c.data(), 4), BAD);
    WANT(cublasXtDsyrk(h, U, N, 4, 3, &one, a.data(), 3, &one, c.data(), 4), BAD);
    WANT(cublasXtDsyrk(h, U, T, 4, 3, &one, a.data(), 3, &one, c.data(), 3), BAD);
    WANT(cublasXtZherk(h, U, N, 4, 3, &one, z.data(), 3, &one, z.data(), 4), BAD);
    WANT(cublasXtZher2k(h, U, N, 4, 3, &zone, z.data(), 4, z.data(), 3, &one, z.data(), 4), BAD);
    WANT(cublasXtDtrmm(h, L, U, N, D, 4, 3, &one, a.data(), 3, b.data(), 4, c.data(), 4), BAD);
    WANT(cublasXtDtrsm(h, R, U, N, D, 4, 3, &one, a.data(), 2, c.data(), 4), BAD);
    HEDDLE_ONLY(
        WANT(cublasXtDgemm(h, (cublasOperation_t)9, N, 4, 4, 3, &one, a.data(), 4, b.data(), 3, &one, c.data(), 4),
             BAD),
        WANT(cublasXtDgemm(h, N, N, (size_t)-1, 4, 3, &one, a.data(), 4, b.data(), 3, &one, c.data(), 4), BAD),
        WANT(cublasXtDgemm(h, N, N, 4, 4, 3, nullptr, a.data(), 4, b.data(), 3, &one, c.data(), 4), BAD),
        WANT(cublasXtDspmm(h, L, U, (size_t)1 << 40, 3, &one, a.data(), b.data(), (size_t)1 << 40, &one, c.data(),
                           (size_t)1 << 40),
             BAD),
        WANT(cublasXtDtrsm(h, (cublasSideMode_t)7, U, N, D, 4, 3, &one, a.data(), 4, c.data(), 4), BAD));
    OK(cublasXtDgemm(h, N, N, 0, 4, 3, &one, nullptr, 4, nullptr, 3, &one, nullptr, 4));
    OK(cublasXtDspmm(h, L, U, 0, 4, &one, nullptr, nullptr, 4, &one, nullptr, 4));
    OK(cublasXtDsyrk(h, U, N, 0, 3, &one, nullptr, 4, &one, nullptr, 4));
    CHECK(c == before);
}

int main()
{
    static const shape shapes[] = {{33, 20, 9, HOST, HOST, HOST},
                                   {19, 30, 17, DEVICE, DEVICE, DEVICE},
                                   {10, 11, 12, MANAGED, HOST, DEVICE},
                                   {9, 8, 1, DEVICE, HOST, HOST},
                                   {1, 1, 3, HOST, DEVICE, MANAGED}};
    setenv("HEDDLE_DEVICES", "3", 1);
    int all_devices = 0, list[] = {0, 1, 2}, backwards[] = {2, 0};
    CUDA(cudaGetDeviceCount(&all_devices));
    HEDDLE_ONLY(CHECK(all_devices == 3));
    int most = all_devices < 3 ? all_devices : 3;
    handles(most);
    cublasXtHandle_t h;
    OK(cublasXtCreate(&h));
    for (int devices : {1, most}) {
        OK(cublasXtDeviceSelect(h, devices, list));
        for (int block : {7, 64}) {
            OK(cublasXtSetBlockDim(h, block));
            for (const shape &s : shapes) {
                all<float>(h, s);
                all<double>(h, s);
                all<cuComplex>(h, s);
                all<cuDoubleComplex>(h, s);
            }
        }
    }
    shared(h);
    arguments(h);
    if (most == 3) {
        OK(cublasXtDeviceSelect(h, 2, backwards)); // another choice of devices
        gemm<double>(h, shapes[0]);
        OK(cublasXtDeviceSelect(h, 2, list));
        HEDDLE_ONLY(turns(h));
    }
    OK(cublasXtDestroy(h));
    return summary();
}
